package git

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"kist/vault/pattern"
)

// CheckURL refuses an address that isn't that of a repository: an option, a transport that
// runs programs, or something with control characters. It returns ErrUnsafe.
// An address is a URL of https, http, ssh, git or file, user@host:path, or an absolute path.
func CheckURL(address string) error {
	bad := func(why string) error { return fmt.Errorf("%w: the remote's address %s", ErrUnsafe, why) }
	switch {
	case address == "" || strings.HasPrefix(address, "-"):
		return bad("is none")
	case strings.ContainsFunc(address, unicode.IsControl):
		return bad("has control characters")
	case strings.Contains(strings.SplitN(address, "/", 2)[0], "::"):
		return bad("names a transport that runs programs")
	case filepath.IsAbs(address):
		return nil
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if ok {
		if !slices.Contains([]string{"https", "http", "ssh", "git", "file"}, scheme) {
			return bad("must begin with https, http, ssh, git or file")
		}
		host, _, _ := strings.Cut(rest, "/")
		if _, after, found := strings.Cut(host, "@"); found {
			host = after
		}
		if strings.HasPrefix(host, "-") || host == "" && scheme != "file" {
			return bad("names no host")
		}
		return nil
	}
	host, path, ok := strings.Cut(address, ":")
	if _, after, found := strings.Cut(host, "@"); found {
		host = after
	}
	if !ok || host == "" || strings.HasPrefix(host, "-") || strings.Contains(host, "/") || path == "" || strings.HasPrefix(path, "-") {
		return bad("is neither a URL, nor user@host:path, nor an absolute path")
	}
	return nil
}

// CheckRef refuses the name of a branch that git would not take, or take for an option.
func CheckRef(branch string) error {
	if branch == "" || !plainRef().MatchString(branch) || strings.Contains(branch, "..") || strings.Contains(branch, "@{") ||
		strings.HasSuffix(branch, ".lock") || strings.HasSuffix(branch, "/") || strings.HasSuffix(branch, ".") || strings.Contains(branch, "//") || strings.Contains(branch, "/.") {
		return fmt.Errorf("%w: %q as the name of a branch", ErrUnsafe, branch)
	}
	return nil
}

// plainRef is narrower than git: letters and digits of any script, and a few marks.
var plainRef = pattern.Lazy(`^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./+#@-]*$`)

// Local returns the folder that an address names on this machine; empty: it names another one.
func Local(address string) string {
	if rest, ok := strings.CutPrefix(address, "file://"); ok {
		if _, p, ok := strings.Cut(rest, "/"); ok {
			p, err := url.PathUnescape("/" + p)
			if err == nil {
				return p
			}
		}
		return ""
	}
	if filepath.IsAbs(address) {
		return address
	}
	return ""
}

// Show returns an address as it may be shown: without a password, or a token that
// stands for a user's name.
func Show(address string) string { return redact(address, secretsOf(address)) }

var (
	// A password may have a slash, though none should: then a colon stands before the slash.
	userInfo = pattern.Lazy(`\b(https?|ssh|git|ftps?)://([^/\s@'":]*:[^\s'"]*|[^/\s@'"]*)@`)
	// pathToken is a part of an address that hosts take for a key, by its looks: that of some hosts, or long, and of letters and digits.
	pathToken = pattern.Lazy(`[/=]((?:gl[a-z]+-|gh[a-z]_|github_pat_)[0-9A-Za-z_-]{8,})|[/=]([0-9A-Za-z_]{20,})`)
	query     = pattern.Lazy(`\b(https?://[^\s'"?]*)\?[^\s'"]*`)
)

// redact takes secrets out of a text: those that are given, and whatever stands where URLs
// have names and passwords.
func redact(text string, secrets []string) string {
	text = userInfo().ReplaceAllStringFunc(text, func(s string) string {
		m := userInfo().FindStringSubmatch(s)
		if name, _, secret := strings.Cut(m[2], ":"); m[1] == "ssh" {
			if !secret {
				return s
			}
			return m[1] + "://" + name + ":***@"
		}
		return m[1] + "://***@"
	})
	text = query().ReplaceAllString(text, "$1?***")
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}

// secretsOf returns what of an address must not be told, in all ways to write it.
func secretsOf(address string) (out []string) {
	scheme, _, _ := strings.Cut(address, "://")
	for _, m := range pathToken().FindAllStringSubmatch(address, -1) {
		token := m[1]
		if strings.ContainsAny(m[2], "0123456789") && strings.ContainsFunc(m[2], unicode.IsLetter) {
			token = m[2]
		}
		if strings.HasPrefix(scheme, "http") && token != "" {
			out = append(out, token)
		}
	}
	m := userInfo().FindStringSubmatch(address)
	if m == nil {
		return out
	}
	name, password, _ := strings.Cut(m[2], ":")
	parts := append([]string{password}, strings.FieldsFunc(password, func(r rune) bool { return r == '/' || r == '@' })...) // git may tell a part of it
	if scheme != "ssh" {                                                                                                    // hosts take tokens in either place
		parts = append(parts, name)
	}
	for _, p := range parts {
		if len(p) < 4 { // a part of too many words
			continue
		}
		out = append(out, p)
		if bare, err := url.PathUnescape(p); err == nil && bare != p {
			out = append(out, bare)
		}
	}
	return out
}
