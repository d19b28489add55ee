package agent

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kist/vault"
)

// replace drops the proposals that newer ones stand in for: said "move it to the 5th"
// and then "no, the 8th", go means the 8th. Without it the first would be done and the
// second refused, since the first had changed the line.
func (t *turn) replace(ctx context.Context, newer []vault.Operation) error {
	waiting, err := t.waiting(ctx)
	if err != nil {
		return err
	}
	for _, older := range waiting {
		if slices.ContainsFunc(newer, func(op vault.Operation) bool { return op.Turn == older.Turn }) || t.guarded(older) {
			continue
		}
		same := slices.ContainsFunc(newer, func(op vault.Operation) bool {
			return op.Type == vault.OpUpdate && older.Type == vault.OpUpdate && op.Entity.Path == older.Entity.Path && t.sameSpot(ctx, older, op)
		})
		if !same {
			continue
		}
		done, err := t.vault.Reject(ctx, older.ID, t.origin(vault.ActorAgent))
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			continue // somebody else has decided on it meanwhile
		}
		t.pending--
		t.logged(done)
	}
	return nil
}

// sameSpot reports whether two proposals change the same lines, or set the same key.
func (t *turn) sameSpot(ctx context.Context, a, b vault.Operation) bool {
	x, err := t.vault.Operation(ctx, a.ID)
	if err != nil {
		return false
	}
	y, err := t.vault.Operation(ctx, b.ID)
	if err != nil || len(x.Changes) != 1 || len(y.Changes) != 1 {
		return false
	}
	return overlap(touchedBy(x.Changes[0].Patch), touchedBy(y.Changes[0].Patch))
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

func touchedBy(patch string) touched {
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
		case s[0] == '+':
			if k := keyLine.FindStringSubmatch(strings.TrimRight(s, "\r\n")); k != nil {
				out.keys[k[1]] = true
			}
		case s[0] == ' ':
			line++
		}
	}
	return out
}
