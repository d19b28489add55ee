// Package overlap tells whether two proposed operations are about the same lines, so that
// the later one takes the place of the earlier.
package overlap

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kist/vault"
)

// SameText reports whether two proposals would write the same, as one does that is made
// again.
func SameText(ctx context.Context, v *vault.Vault, a, b vault.Operation) bool {
	x, err := v.Operation(ctx, a.ID)
	if err != nil {
		return false
	}
	y, err := v.Operation(ctx, b.ID)
	return err == nil && slices.Equal(x.Changes, y.Changes)
}

// SameSpot reports whether two proposals change the same lines, or set the same key.
func SameSpot(ctx context.Context, v *vault.Vault, a, b vault.Operation) bool {
	x, err := v.Operation(ctx, a.ID)
	if err != nil {
		return false
	}
	y, err := v.Operation(ctx, b.ID)
	if err != nil || len(x.Changes) != 1 || len(y.Changes) != 1 {
		return false
	}
	front := frontMatter(v, a.Entity.Path)
	return overlap(touchedBy(x.Changes[0].Patch, front), touchedBy(y.Changes[0].Patch, front))
}

// frontMatter is the line on which the front matter of a document ends. Below it, "rent:
// 1,150" is what somebody said, and no key.
func frontMatter(v *vault.Vault, path string) int {
	text, err := v.Read(path)
	if err != nil || !strings.HasPrefix(string(text), "---") {
		return 0
	}
	head, _, _ := strings.Cut(string(text[3:]), "\n---")
	return strings.Count(head, "\n") + 2
}

// touched is what a patch does away with, by line, and the keys that it sets anew.
type touched struct {
	lines map[int]bool
	keys  map[string]bool
}

func overlap(a, b touched) bool {
	for line := range a.lines {
		if b.lines[line] {
			return true
		}
	}
	for key := range a.keys {
		if b.keys[key] {
			return true
		}
	}
	return false
}

var (
	hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+`)
	keyLine  = regexp.MustCompile(`^\+([a-z_]+):(?: |$)`)
)

func touchedBy(patch string, front int) touched {
	out := touched{map[int]bool{}, map[string]bool{}}
	line := 0 // none: before the first hunk, where the file's name stands
	for s := range strings.Lines(patch) {
		switch m := hunkHead.FindStringSubmatch(s); {
		case m != nil:
			line, _ = strconv.Atoi(m[1]) // digits, by the expression
		case line == 0:
		case s[0] == '-':
			out.lines[line] = true
			line++
		case s[0] == '+' && line <= front:
			if k := keyLine.FindStringSubmatch(strings.TrimRight(s, "\r\n")); k != nil {
				out.keys[k[1]] = true
			}
		case s[0] == ' ':
			line++
		}
	}
	return out
}
