package history

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"

	"kist/vault/merge"
	"kist/vault/oplog"
)

// maxSuperseded is how many operations back an editor's stale text is looked for.
const maxSuperseded = 10

// An Offer is to do an operation once more, which an editor saved over.
type Offer struct {
	Op    oplog.Operation
	Path  string // of the one file that it changed
	Now   []byte
	Again []byte // what the file would hold
}

// superseded returns the operations that a save by an editor undid without wanting
// to, since its text was from before them, and offers to do the same once more.
// An operation is undone so if its change could be made in the saved text but not
// be taken back from it. A save that leads back to exactly the text before the
// operation is taken for meant. What sync brought is undone so only where the save shows
// that nobody saw it: else somebody may have deleted it.
func (h *History) superseded(e *Edit) (lost []oplog.Operation, offers []Offer) {
	edit, before, text := e.Op.Changes[0], e.Before, e.After
	if e.Op.Type != oplog.Update || edit.Patch == "" {
		return nil, nil
	}
	links, own, err := h.opts.Log.Chain(edit.Path)
	if err != nil {
		h.trouble(err)
		return nil, nil
	}
	at := edit.Before
	for i, l := range links[:own] {
		if i == maxSuperseded || l.After != at || l.From != "" || l.Before == edit.After || l.Op.Actor == oplog.Editor || l.Op.Actor == oplog.Sync && e.Op.Actor != oplog.Editor {
			break
		}
		at = l.Before
		if l.Op.Status != oplog.Completed || len(l.Op.Changes) != 1 || l.Op.Type != oplog.Update {
			break
		}
		patch, err := h.opts.Log.Patch(l)
		if patch == "" && err == nil { // another device's log has it
			patch = h.opts.Log.Between(l.FileChange, edit.Path)
		}
		if patch == "" || err != nil {
			break
		}
		again, was, ok := h.undone(edit.Path, before, text, patch)
		if !ok || l.Op.Actor == oplog.Sync && !stale(was, before, text) {
			continue
		}
		lost = append(lost, l.Op.Operation)
		offers = append(offers, Offer{Op: l.Op.Operation, Path: edit.Path, Now: text, Again: again})
	}
	return lost, offers
}

// undone reports whether a patch is missing in a text but not in the one before,
// as that of an operation is which was undone since, and returns the text with it: by lines, and by what they mean where
// the editor changed the same ones. was is the text from before the patch.
func (h *History) undone(p string, before, text []byte, patch string) (again, was []byte, ok bool) {
	inverse, err := merge.Invert(patch)
	if err != nil {
		return nil, nil, false
	}
	was, err = merge.Shift(before, inverse)
	if err != nil {
		return nil, nil, false
	}
	if _, err := merge.Shift(text, inverse); err == nil {
		return nil, nil, false
	}
	if again, err := merge.Shift(text, patch); err == nil {
		return again, was, true
	}
	meaning := h.opts.Tree.Options.Meaning
	if meaning == nil {
		return nil, nil, false
	}
	again, ok = meaning(p, was, text, before)
	return again, was, ok && !bytes.Equal(again, text)
}

// maxStale is how many pairs of lines are compared to find whether a save is stale.
const maxStale = 100_000

// stale reports whether a text was made from the one before what sync brought, and not by somebody who saw that: no line of it
// is left, none of the new lines goes on from it, and the save doesn't only take lines away.
func stale(was, before, text []byte) bool {
	then, now, saved := count(was), count(before), count(text)
	var came, typed []string
	for l, n := range now {
		if n > then[l] {
			if saved[l] > then[l] {
				return false
			}
			came = append(came, l)
		}
	}
	back := false
	for l, n := range saved {
		if n > now[l] {
			back = back || then[l] > now[l]
			if n > then[l] {
				typed = append(typed, l)
			}
		}
	}
	if len(typed) == 0 && !back || len(typed)*(len(came)+len(then)) > maxStale {
		return false
	}
	for _, l := range typed {
		if near := nearest(l, came); near > 0.5 && near > nearest(l, slices.Collect(maps.Keys(then))) {
			return false
		}
	}
	return true
}

// count counts a text's lines, but for those without a letter or figure.
func count(text []byte) map[string]int {
	lines := map[string]int{}
	for l := range strings.Lines(string(text)) {
		if len(words(l)) > 0 {
			lines[strings.TrimSpace(l)]++
		}
	}
	return lines
}

// words are those of a line with a letter or figure in them; a box that is ticked is one.
func words(line string) []string {
	return slices.DeleteFunc(strings.Fields(line), func(w string) bool {
		return !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// nearest is how much of its words a line has in common with the one that is most like it, up to 1.
func nearest(line string, others []string) (most float64) {
	in := words(line)
	for _, other := range others {
		left := slices.Clone(in)
		all, both := words(other), 0
		for _, w := range all {
			if i := slices.Index(left, w); i >= 0 {
				left = slices.Delete(left, i, i+1)
				both++
			}
		}
		most = max(most, 2*float64(both)/float64(len(in)+len(all)))
	}
	return most
}
