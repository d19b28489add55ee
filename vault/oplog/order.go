package oplog

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// Several devices log into one vault, and no clock is theirs together. What orders their
// operations is, first, each device's own log, whose numbers and ids grow; then the
// chains of texts, where one device went on from what another had left; and only then
// the time, of which none counts that was ahead when it was first read.

// when is the time of an operation, as far as this device can tell.
func (op *Folded) when() time.Time {
	if !op.Seen.IsZero() && op.Seen.Before(op.At) {
		return op.Seen
	}
	return op.At
}

// IsLater reports whether an operation took effect behind another one.
func (op *Folded) IsLater(than *Folded) bool {
	if op.Device == than.Device {
		return op.Seq > than.Seq
	}
	return op.Last.After(than.Last)
}

// IsAhead reports whether an id says that it was made later than now, with a minute's
// grace.
func IsAhead(id string, now time.Time) bool {
	u, err := ulid.ParseStrict(id)
	return err == nil && ulid.Time(u.Time()).After(now.Add(time.Minute))
}

// A Node is a text of a document, which changes lead to and from.
type Node struct {
	Path string
	Hash Hash
}

// NewestFirst orders operations, which may be of several devices.
func NewestFirst(ops []*Folded) []*Folded {
	byDevice := map[string][]*Folded{}
	waiting := map[Node][]*Folded{} // by the text that they go on from
	for _, op := range ops {
		byDevice[op.Maker] = append(byDevice[op.Maker], op)
		for _, c := range op.Changes {
			if c.Before != "" && c.Before != c.After && op.Status.Took() {
				from := Node{c.Path, c.Before}
				waiting[from] = append(waiting[from], op)
			}
		}
	}
	for _, list := range byDevice {
		slices.SortFunc(list, func(a, b *Folded) int { return strings.Compare(b.ID, a.ID) })
	}
	done := map[*Folded]bool{}
	// followed: another device went on from it, by an operation that is not in out yet.
	followed := func(op *Folded) bool {
		return slices.ContainsFunc(op.Changes, func(c FileChange) bool {
			return slices.ContainsFunc(waiting[Node{c.Path, c.After}], func(next *Folded) bool { return next.Maker != op.Maker && !done[next] })
		})
	}
	return interleaved(byDevice, func(a, b *Folded) bool {
		// Among those that are followed, as in a circle of texts, time decides too.
		if x, y := followed(a), followed(b); x != y {
			return y
		}
		return isNewer(a, b)
	}, func(op *Folded) { done[op] = true })
}

// LastDoneFirst orders operations by when they took effect, which for a proposal is
// long after it was logged first.
func LastDoneFirst(ops []*Folded) []*Folded {
	byDevice := map[string][]*Folded{}
	for _, op := range ops {
		byDevice[op.Device] = append(byDevice[op.Device], op)
	}
	for _, list := range byDevice {
		slices.SortFunc(list, func(a, b *Folded) int {
			return cmp.Or(cmp.Compare(b.Seq, a.Seq), strings.Compare(b.ID, a.ID))
		})
	}
	return interleaved(byDevice, func(a, b *Folded) bool { return a.Last.After(b.Last) }, func(*Folded) {})
}

// interleaved takes from lists, each in order, whichever first one goes before the others.
func interleaved(lists map[string][]*Folded, before func(a, b *Folded) bool, taken func(*Folded)) (out []*Folded) {
	devices := slices.Sorted(maps.Keys(lists))
	for {
		from := -1
		for i, d := range devices {
			if len(lists[d]) > 0 && (from < 0 || before(lists[d][0], lists[devices[from]][0])) {
				from = i
			}
		}
		if from < 0 {
			return out
		}
		list := lists[devices[from]]
		op := list[0]
		lists[devices[from]] = list[1:]
		taken(op)
		out = append(out, op)
	}
}

func isNewer(a, b *Folded) bool {
	if c := a.when().Compare(b.when()); c != 0 {
		return c > 0
	}
	return a.ID > b.ID
}
