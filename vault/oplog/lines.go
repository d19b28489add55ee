package oplog

import (
	"context"
	"strings"

	"kist/vault/disk"
	"kist/vault/merge"
)

// maxTraced is how many changes of a file are taken back to find out who wrote a line.
const maxTraced = 300

// WroteAll reports whether each of some lines of a file's text, by their numbers from 0, was
// written by the agent, in turns that had read nothing from outside, and was anybody else's in
// no form that it had before. What isn't in the log yet, an editor saved; what an undo put back is
// whoever's it was. What the log doesn't
// explain, or only over hundreds of changes, isn't.
func (log *Log) WroteAll(ctx context.Context, p string, text []byte, lines []int) (bool, error) {
	if err := log.Refresh(); err != nil {
		return false, err
	}
	links, own, err := log.Chain(p)
	known, ok := log.Baseline(p)
	if err != nil || own == 0 || !ok || links[0].After != disk.HashOf(known) {
		return false, err
	}
	// What was saved since then isn't in the log yet.
	if lines, ok = traced(lines, string(known), string(text), false, false); !ok {
		return false, nil
	}
	text = known
	for _, l := range links[:min(own, maxTraced)] {
		if l.Away || l.From != "" || ctx.Err() != nil {
			break
		}
		patch, err := log.Patch(l)
		if err != nil {
			return false, err
		}
		before, err := TakeBack(patch, l.Before, text)
		if err != nil {
			return false, nil
		}
		ours := l.Op.Actor == Agent && !l.Op.Outside
		if lines, ok = traced(lines, string(before), string(text), ours, l.Op.Undoes != ""); !ok || len(lines) == 0 {
			return ok, nil
		}
		text = before
	}
	return false, ctx.Err()
}

// traced is where lines of a text were in the one before it; those that were written in between
// are gone, unless something stood in their place. ok is false where somebody else wrote one.
func traced(lines []int, before, after string, ours, undone bool) (were []int, ok bool) {
	changes := merge.Compare(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n"))
	taken := map[int]bool{} // changes whose place was added already
	for _, line := range lines {
		at := line
		in := -1
		for i, c := range changes {
			switch {
			case line >= c.B1:
				at = line - c.B1 + c.A1
			case line >= c.B0:
				in = i
			}
		}
		if in < 0 {
			were = append(were, at)
			continue
		}
		c := changes[in]
		if !ours && (!undone || c.A0 == c.A1) {
			return nil, false
		}
		for n := c.A0; n < c.A1 && !taken[in]; n++ {
			were = append(were, n)
		}
		taken[in] = true
	}
	return were, true
}
