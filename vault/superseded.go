package vault

import (
	"kist/vault/merge"
)

// maxSuperseded is how many operations back an editor's stale text is looked for.
const maxSuperseded = 10

// superseded returns the operations that a save by an editor undid without wanting
// to, since its text was from before them, and the same once more as proposals.
// An operation is undone so if its change could be made in the saved text but not
// be taken back from it. A save that leads back to exactly the text before the
// operation is taken for meant.
func (v *Vault) superseded(e *planned) (lost []Operation, offers []*planned) {
	edit, before, text := e.op.Changes[0], e.files[0].before, e.files[0].after
	if e.op.Type != OpUpdate || edit.Patch == "" {
		return nil, nil
	}
	links, err := v.chain(edit.Path)
	if err != nil {
		v.stateTrouble(err)
		return nil, nil
	}
	at := edit.Before
	for i, l := range links {
		if i == maxSuperseded || l.After != at || l.From != "" || l.Before == edit.After || l.op.Actor == ActorEditor || l.op.Actor == ActorSync {
			break
		}
		at = l.Before
		if l.op.Status != StatusCompleted || len(l.op.Changes) != 1 || l.op.Type != OpUpdate {
			break
		}
		patch, err := v.patch(l)
		if err != nil {
			break
		}
		again, ok := vanished(before, text, patch)
		if !ok {
			continue
		}
		lost = append(lost, l.op.Operation)
		offers = append(offers, v.offer(l.op.Operation, edit.Path, text, again))
	}
	return lost, offers
}

// vanished reports whether a patch is missing in a text but not in the one before,
// as that of an operation is which was undone since, and returns the text with it.
func vanished(before, text []byte, patch string) ([]byte, bool) {
	inverse, err := merge.Invert(patch)
	if err != nil {
		return nil, false
	}
	if _, err := merge.Shift(before, inverse); err != nil {
		return nil, false
	}
	if _, err := merge.Shift(text, inverse); err == nil {
		return nil, false
	}
	again, err := merge.Shift(text, patch)
	return again, err == nil
}

// offer is a proposal to do an operation once more.
func (v *Vault) offer(op Operation, p string, now, again []byte) *planned {
	reason := "offered again, since an editor saved over it"
	if op.Reason != "" {
		reason += ": " + op.Reason
	}
	out := &planned{op: Operation{
		ID: v.NewID(), At: v.now(), Type: op.Type, Entity: op.Entity, Reason: reason, Undoes: op.Undoes,
		Actor: op.Actor, Client: op.Client, Session: op.Session, Turn: op.Turn, Outside: op.Outside, Batch: v.NewID(),
	}}
	out.files = []*replacement{{id: out.op.ID, path: p, before: now, after: again}}
	out.describe()
	return out
}
