package disk

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"kist/vault/pattern"
)

const (
	tempPrefix = ".kist-"
	tempSuffix = ".tmp"
)

// Clean checks a path given by a caller and returns it without ./ and such.
// The root confines every access as well; this check gives the better message.
func Clean(p string) (string, error) {
	bad := func(why string) (string, error) {
		return "", fmt.Errorf("%w %q: %s", ErrInvalidPath, p, why)
	}
	switch {
	case p == "":
		return bad("empty")
	case !utf8.ValidString(p) || strings.ContainsRune(p, 0):
		return bad("not text")
	case len(p) > 4096:
		return bad("too long")
	case isDrive(p):
		return bad("a letter and a colon are a drive of Windows, and it must be relative to the vault")
	case strings.HasPrefix(p, "/") || strings.Contains(p, `\`):
		return bad("it must be relative to the vault, with forward slashes")
	}
	c := path.Clean(p)
	if c == "." || c == ".." || strings.HasPrefix(c, "../") {
		return bad("it leads out of the vault")
	}
	return c, nil
}

func isDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z'
}

// Hidden reports whether any element of p starts with a dot. Such files belong
// to other programs (.git, .obsidian, .trash) or are kist's own state.
func Hidden(p string) bool {
	return strings.HasPrefix(p, ".") || strings.Contains(p, "/.")
}

// IsTemp reports whether a file has the name of a temporary one.
func IsTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// ParseTemp reads the name of a temporary file: the id of the operation that it is of,
// [TempTag] of its target, empty in older names, and whether it may be incomplete.
func ParseTemp(name string) (id, tag string, part, ok bool) {
	m := tempName().FindStringSubmatch(name)
	if m == nil {
		return "", "", false, false
	}
	return m[1], m[2], m[3] == "part", true
}

var tempName = pattern.Lazy(`^\.kist-([0-9A-Z]{26})-[0-9]+(?:-([0-9a-f]{8}))?\.(part|swap)\.tmp`)

// IsMarkdown reports whether a file is a document by its name.
func IsMarkdown(p string) bool {
	return len(p) > 3 && strings.EqualFold(p[len(p)-3:], ".md")
}
