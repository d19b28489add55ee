package vault

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

const (
	tempPrefix = ".kist-"
	tempSuffix = ".tmp"
)

// cleanPath checks a path given by a caller and returns it without ./ and such.
// os.Root confines every access as well; this check gives the better message,
// and keeps writers out of kist's and other programs' hidden folders.
func cleanPath(p string) (string, error) {
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
	case strings.HasPrefix(p, "/") || strings.Contains(p, `\`) || isDrive(p):
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

// writablePath is cleanPath for targets of a change: no hidden folder or file,
// and nothing among kist's own records.
func (v *Vault) writablePath(p string) (string, error) {
	c, err := cleanPath(p)
	if err != nil {
		return "", err
	}
	if hidden(c) {
		return "", fmt.Errorf("%w %q: kist does not write to hidden files", ErrInvalidPath, p)
	}
	if top, _, ok := strings.Cut(c, "/"); ok && (top == v.layout.Operations || top == v.layout.Sessions) {
		return "", fmt.Errorf("%w %q: %s/ holds kist's own records", ErrInvalidPath, p, top)
	}
	return c, nil
}

// hidden reports whether any element of p starts with a dot. Such files belong
// to other programs (.git, .obsidian, .trash) or are kist's own state.
func hidden(p string) bool {
	return strings.HasPrefix(p, ".") || strings.Contains(p, "/.")
}

func isMarkdown(p string) bool {
	return len(p) > 3 && strings.EqualFold(p[len(p)-3:], ".md")
}

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// ProjectOf returns the slug of the project that a path belongs to; empty: none.
func (v *Vault) ProjectOf(p string) string {
	rest, ok := strings.CutPrefix(p, v.layout.Projects+"/")
	if !ok {
		return ""
	}
	slug, _, ok := strings.Cut(rest, "/")
	if !ok {
		return ""
	}
	return slug
}

// TypeOf returns the type that a path implies: project, task, memory, note,
// conversation or draft; empty: none.
func (v *Vault) TypeOf(p string) string {
	top, rest, ok := strings.Cut(p, "/")
	if !ok {
		return ""
	}
	if top == v.layout.Projects {
		_, rest, ok = strings.Cut(rest, "/")
		if !ok {
			return ""
		}
		if rest == projectFile {
			return "project"
		}
		top, _, ok = strings.Cut(rest, "/")
		if !ok {
			return ""
		}
	}
	switch top {
	case "tasks":
		return "task"
	case "notes":
		return "note"
	case v.layout.Memories, "memories":
		return "memory"
	case v.layout.Conversations, "conversations":
		return "conversation"
	case v.layout.Drafts:
		return "draft"
	}
	return ""
}
