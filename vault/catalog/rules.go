package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault/task"
)

// ErrRule is returned for what can't say which notes are projects.
var ErrRule = errors.New("not a rule for projects")

// Rules say which notes are projects where they lie, beside those that say so themselves.
type Rules struct {
	paths []string // patterns, see [task.Matches]
	tags  []string // in lower case
}

// Limits on rules: each is held against the path of each document.
const (
	maxRules = 50
	maxRule  = 200 // bytes
)

// ParseRules reads rules: "tag:name" means notes with a tag or one below it, all else is a
// pattern of paths, such as Projects/*.md. It returns ErrRule for what can't be one.
func ParseRules(from []string) (*Rules, error) {
	if len(from) > maxRules {
		return nil, fmt.Errorf("%w: more than %d rules", ErrRule, maxRules)
	}
	r := &Rules{}
	for _, s := range from {
		if tag, ok := strings.CutPrefix(s, "tag:"); ok {
			if tag = strings.ToLower(strings.TrimPrefix(tag, "#")); !isTag(tag) {
				return nil, fmt.Errorf("%w: %q names no tag, as tag:project does", ErrRule, clip(s))
			}
			r.tags = append(r.tags, tag)
			continue
		}
		if err := CheckPattern(s); err != nil {
			return nil, fmt.Errorf("%w: %q %w, as Projects/*.md is one", ErrRule, clip(s), err)
		}
		r.paths = append(r.paths, s)
	}
	return r, nil
}

func clip(s string) string { return s[:min(len(s), maxRule)] }

func isTag(s string) bool {
	return s != "" && len(s) <= maxRule && !strings.ContainsAny(s, " \t\n#,;:*?[]\"'") && strings.Trim(s, "/") == s
}

// CheckPattern says what is wrong with a pattern of notes, see [task.Matches].
func CheckPattern(s string) error {
	_, err := path.Match(strings.ReplaceAll(s, "**", "*"), "")
	switch {
	case s == "":
		return errors.New("is empty")
	case len(s) > maxRule:
		return fmt.Errorf("is longer than %d bytes", maxRule)
	case path.IsAbs(s) || path.Clean(s) != s || strings.HasPrefix(s, "..") || strings.Contains(s, `\`):
		return errors.New("is no path in the vault")
	case err != nil:
		return errors.New("is no pattern")
	case !strings.HasSuffix(s, ".md") && !strings.HasSuffix(s, "*"):
		return errors.New("can't match a note: none ends like that")
	}
	return nil
}

// byPath reports whether a pattern takes a note. One with a wildcard for the note's name
// doesn't take the note that tells of the folder itself, if it names that folder.
func (r *Rules) byPath(p string) bool {
	return slices.ContainsFunc(r.paths, func(pattern string) bool {
		if !task.Matches(pattern, p) {
			return false
		}
		dir, name := path.Split(pattern)
		return !strings.Contains(name, "*") || strings.ContainsAny(dir, "*?[") || folderOf(p) == ""
	})
}

// byTag reports whether one of a note's tags takes it.
func (r *Rules) byTag(tags []string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool {
		tag = strings.ToLower(strings.TrimPrefix(tag, "#"))
		return slices.ContainsFunc(r.tags, func(want string) bool { return tag == want || strings.HasPrefix(tag, want+"/") })
	})
}

// mayTake looks at a note's bytes alone.
func (r *Rules) mayTake(p string, text []byte) bool {
	if r.byPath(p) {
		return true
	}
	if len(r.tags) == 0 {
		return false
	}
	text = bytes.ToLower(text)
	return slices.ContainsFunc(r.tags, func(tag string) bool { return bytes.Contains(text, []byte(tag)) })
}
