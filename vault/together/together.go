// Package together makes one step of several that were planned side by side on the same
// documents, so that they are one operation: logged, shown, agreed to and taken back as one.
package together

import (
	"bytes"
	"fmt"
	"sort"

	"kist/vault"
)

// A piece of a document is what one step replaces.
type piece struct {
	from, to int
	text     []byte
}

// Step returns the step that does what several do, each of which edits documents as they are
// now. It is about the entity of the first. It returns vault.ErrInvalid where there are none,
// one does more than edit, or two edit the same place.
func Step(steps []vault.Step) (vault.Step, error) {
	if len(steps) == 0 {
		return vault.Step{}, fmt.Errorf("%w: nothing to change", vault.ErrInvalid)
	}
	out := vault.Step{Type: vault.OpUpdate, Entity: steps[0].Entity}
	var paths []string
	before, pieces := map[string][]byte{}, map[string][]piece{}
	for _, s := range steps {
		for _, c := range s.Changes {
			was, there := before[c.Path]
			if c.From != "" || c.Before == nil || c.After == nil || there && !bytes.Equal(was, c.Before) {
				return vault.Step{}, fmt.Errorf("%w: %s isn't only edited", vault.ErrInvalid, c.Path)
			}
			if !there {
				paths, before[c.Path] = append(paths, c.Path), c.Before
			}
			pieces[c.Path] = append(pieces[c.Path], edited(c.Before, c.After))
		}
	}
	for _, p := range paths {
		after, ok := joined(before[p], pieces[p])
		if !ok {
			return vault.Step{}, fmt.Errorf("%w: two changes of the same place in %s", vault.ErrInvalid, p)
		}
		out.Changes = append(out.Changes, vault.Change{Path: p, Before: before[p], After: after})
	}
	return out, nil
}

// edited is the piece by which two texts differ.
func edited(before, after []byte) piece {
	most, from, end := min(len(before), len(after)), 0, 0
	for from < most && before[from] == after[from] {
		from++
	}
	for end < most-from && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return piece{from, len(before) - end, after[from : len(after)-end]}
}

// joined is a text with all its pieces replaced; false: two of them overlap.
func joined(before []byte, pieces []piece) ([]byte, bool) {
	sort.SliceStable(pieces, func(i, j int) bool { return pieces[i].from < pieces[j].from })
	var out []byte
	at := 0
	for _, p := range pieces {
		if p.from < at {
			return nil, false
		}
		out = append(append(out, before[at:p.from]...), p.text...)
		at = p.to
	}
	return append(out, before[at:]...), true
}
