// Package effect compares what was done to files with what is to be done, so that nothing is
// done twice where its words, numbers or times are others.
package effect

import (
	"context"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/pattern"
	"kist/vault/taskline"
)

// Of something says for each file, named without a number that made its name free, which
// lines came (above zero) and went (below), and how often.
type Of map[string]map[string]int

// Among: one of some operations is such a one.
func Among(ctx context.Context, v *vault.Vault, ids []string, fits func(vault.Operation) bool) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		op, err := v.Operation(ctx, id)
		return err == nil && fits(op)
	})
}

// Covers reports whether nothing of what other does is missing in e, which may have
// more: what is done a second time finds its heading there already.
func (e Of) Covers(other Of) bool {
	for p, lines := range other {
		did, ok := e[p]
		if !ok {
			return false
		}
		for line, n := range lines {
			if have := did[line]; n > 0 && have < n || n < 0 && have > n {
				return false
			}
		}
	}
	return len(e) == len(other)
}

// Done is what an operation did, by its patches.
func Done(op vault.Operation) Of {
	e := Of{}
	for _, c := range op.Changes {
		for line := range strings.Lines(c.Patch) {
			switch {
			case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			case strings.HasPrefix(line, "+"):
				e.add(c.Path, line[1:], 1)
			case strings.HasPrefix(line, "-"):
				e.add(c.Path, line[1:], -1)
			}
		}
	}
	return e
}

var box = pattern.Lazy(`^\+\s*(?:[-*+]|\d+[.)]) \[.\] (.*)`)

// Boxes are the titles of the checkboxes that an operation of a session wrote: those it made or
// changed. Of other sessions' there are none, nor of one whose patches can't be read.
func Boxes(ctx context.Context, v *vault.Vault, op vault.Operation, session string) []string {
	if op.Session != session {
		return nil
	}
	op, _ = v.Operation(ctx, op.ID) // a listing has no patches
	return boxes(op)
}

func boxes(op vault.Operation) (titles []string) {
	for _, c := range op.Changes {
		for line := range strings.Lines(c.Patch) {
			if m := box().FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
				titles = append(titles, taskline.Parse(m[1]).Title)
			}
		}
	}
	return titles
}

// Planned is what a step would do.
func Planned(s vault.Step) Of {
	e := Of{}
	for _, c := range s.Changes {
		for line := range strings.Lines(string(c.After)) {
			e.add(c.Path, line, 1)
		}
		for line := range strings.Lines(string(c.Before)) {
			e.add(c.Path, line, -1)
		}
	}
	return e
}

var (
	freeNumber = pattern.Lazy(`-\d+\.md$`)
	// ownLine is what is different each time that a file is made.
	ownLine = pattern.Lazy(`^(?:id|created|expires|source|supersedes): `)
)

func (e Of) add(p, line string, n int) {
	p = freeNumber().ReplaceAllString(p, ".md")
	if e[p] == nil {
		e[p] = map[string]int{}
	}
	if line = strings.TrimSpace(line); line != "" && !ownLine().MatchString(line) {
		e[p][line] += n
	}
}
