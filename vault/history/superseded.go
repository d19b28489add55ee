package history

import (
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
// operation is taken for meant.
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
		if i == maxSuperseded || l.After != at || l.From != "" || l.Before == edit.After || l.Op.Actor == oplog.Editor || l.Op.Actor == oplog.Sync {
			break
		}
		at = l.Before
		if l.Op.Status != oplog.Completed || len(l.Op.Changes) != 1 || l.Op.Type != oplog.Update {
			break
		}
		patch, err := h.opts.Log.Patch(l)
		if err != nil {
			break
		}
		again, ok := h.undone(edit.Path, before, text, patch)
		if !ok {
			continue
		}
		lost = append(lost, l.Op.Operation)
		offers = append(offers, Offer{Op: l.Op.Operation, Path: edit.Path, Now: text, Again: again})
	}
	return lost, offers
}

// undone reports whether a patch is missing in a text but not in the one before,
// as that of an operation is which was undone since, and returns the text with it: by lines, and by what they mean where
// the editor changed the same ones.
func (h *History) undone(p string, before, text []byte, patch string) ([]byte, bool) {
	inverse, err := merge.Invert(patch)
	if err != nil {
		return nil, false
	}
	was, err := merge.Shift(before, inverse)
	if err != nil {
		return nil, false
	}
	if _, err := merge.Shift(text, inverse); err == nil {
		return nil, false
	}
	if again, err := merge.Shift(text, patch); err == nil {
		return again, true
	}
	meaning := h.opts.Tree.Options.Meaning
	if meaning == nil {
		return nil, false
	}
	return meaning(p, was, text, before)
}
