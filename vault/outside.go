package vault

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"kist/vault/canvas"
	"kist/vault/markdown"
	"kist/vault/merge"
	"kist/vault/oplog"
)

// FromOutside reports whether a document's text came from elsewhere, so that nobody
// here may have read it: another machine's commits brought it, or git switched to a branch that has it, its front matter says
// that it was clipped from the web (a source or url that is an address) or imported from another program (a source_id), or it is a
// note or a memory of a conversation in which such text was read. What can't be found
// out, for want of time or of a log that can be read, counts as from elsewhere.
func (v *Vault) FromOutside(ctx context.Context, p string) bool {
	p, err := v.Locate(p)
	if err != nil {
		return !errors.Is(err, ErrInvalidPath) && !errors.Is(err, ErrNotRegular)
	}
	if canvas.Is(p) || v.ops.Brought(ctx, p) {
		return true // a canvas has no history that tells
	}
	if doc, known, err := v.state.Document(p); err != nil || known && doc.Outside {
		return true
	}
	head, _, err := v.tree.ReadHead(p, maxFrontMatterHead)
	if err != nil {
		return !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrNotRegular)
	}
	fm, err := markdown.Parse(head).FrontMatter()
	if err != nil || fm == nil {
		return false
	}
	if fm.String("source_id") != "" {
		return true
	}
	for _, key := range []string{"source", "url"} {
		if s := strings.ToLower(fm.String(key)); strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
			return true
		}
	}
	return false
}

// maxFrontMatterHead is enough of a file to hold its front matter, in bytes.
const maxFrontMatterHead = 65 << 10

// LeftByAgent reports whether the log explains a file's text by changes of which none
// is the user's or an editor's, and the last one is from before a time.
func (v *Vault) LeftByAgent(ctx context.Context, p string, before time.Time) (bool, error) {
	text, err := v.tree.Read(p)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return v.ops.LeftByAgent(ctx, p, HashOf(text), before)
}

// maxTraced is how many changes of a file are taken back to find out who wrote a line.
const maxTraced = 300

// OwnLines reports whether all that a step takes away, or puts something else in the place of,
// are lines that the agent wrote and nobody else did before or after it, in turns that had read
// nothing from outside.
func OwnLines(ctx context.Context, v *Vault, s Step) (bool, error) {
	for _, c := range s.Changes {
		before := strings.SplitAfter(string(c.Before), "\n")
		var lines []int
		for _, d := range merge.Compare(before, strings.SplitAfter(string(c.After), "\n")) {
			for n := d.A0; n < d.A1; n++ {
				lines = append(lines, n)
			}
		}
		if c.From != "" || len(lines) == 0 {
			return false, nil
		}
		writers, err := v.ops.Writers(ctx, c.Path, c.Before, lines, maxTraced)
		if err != nil || slices.ContainsFunc(writers, func(w oplog.Writer) bool { return !w.Own }) {
			return false, err
		}
	}
	return len(s.Changes) > 0, nil
}

// WrittenIn returns of each line of a document, from 0, the operation of a session that put it
// there, where the agent alone had a hand in it; of others a zero one.
func WrittenIn(ctx context.Context, v *Vault, p string, text []byte, session string) ([]Operation, error) {
	ops := make([]Operation, bytes.Count(text, []byte("\n"))+1)
	lines := make([]int, len(ops))
	for i := range lines {
		lines[i] = i
	}
	writers, err := v.ops.Writers(ctx, p, text, lines, maxTraced)
	for i, w := range writers {
		if w.Own && w.Op.Session == session {
			ops[i] = w.Op
		}
	}
	return ops, err
}
