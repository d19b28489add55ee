package oplog

import (
	"context"
	"strings"

	"kist/vault/disk"
	"kist/vault/merge"
)

// A Writer says how a line came into a file.
type Writer struct {
	Op  Operation // that put it there first; zero: that isn't known
	Own bool      // only the agent had a hand in it, in turns that had read nothing from outside
}

// Writers returns who wrote lines of a file's text, by their numbers from 0, in the order of
// lines. What isn't in the log yet, an editor saved; what an undo put back is whoever's it was.
// It looks at most at that many changes of the file.
func (log *Log) Writers(ctx context.Context, p string, text []byte, lines []int, most int) ([]Writer, error) {
	if err := log.Refresh(); err != nil {
		return nil, err
	}
	found, open := make([]Writer, len(lines)), make([][]int, len(lines))
	for i, n := range lines {
		found[i].Own, open[i] = true, []int{n}
	}
	unknown := make([]Writer, len(lines))
	links, own, err := log.Chain(p)
	known, ok := log.Baseline(p)
	if err != nil || own == 0 || !ok || links[0].After != disk.HashOf(known) {
		return unknown, err
	}
	back(found, open, string(known), string(text), Operation{Actor: Editor})
	text = known
	for _, l := range links[:min(own, most)] {
		if l.Away || l.From != "" || ctx.Err() != nil {
			break
		}
		patch, err := log.Patch(l)
		if err != nil {
			return unknown, err
		}
		before, err := TakeBack(patch, l.Before, text)
		if err != nil || !back(found, open, string(before), string(text), l.Op.Operation) {
			break
		}
		text = before
	}
	for i := range found {
		if len(open[i]) > 0 {
			found[i] = Writer{}
		}
	}
	return found, ctx.Err()
}

// back leads from lines of a text to what they were in the one before it, and says whether any
// are left that were there.
func back(found []Writer, open [][]int, before, after string, op Operation) (left bool) {
	changes := merge.Compare(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n"))
	for i := range open {
		var were []int
		for _, line := range open[i] {
			at, in := line, -1
			for k, c := range changes {
				switch {
				case line >= c.B1:
					at = line - c.B1 + c.A1
				case line >= c.B0:
					in = k
				}
			}
			if in < 0 {
				were = append(were, at)
				continue
			}
			c := changes[in]
			found[i].Own = found[i].Own && (op.Actor == Agent && !op.Outside || op.Undoes != "" && c.A0 < c.A1)
			switch {
			case c.A0 == c.A1: // nothing stood in its place
				found[i].Op = op
			case c.A1-c.A0 == c.B1-c.B0:
				were = append(were, line-c.B0+c.A0)
			default:
				for n := c.A0; n < c.A1; n++ {
					were = append(were, n)
				}
			}
		}
		open[i] = were
		left = left || len(were) > 0
	}
	return left
}
