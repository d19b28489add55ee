package vault

import (
	"slices"
	"time"

	"kist/vault/merge"
	"kist/vault/state"
)

// What is known of a document is its text as the log explains it: the text that
// the last operation on it left. When the file holds another one, some program
// saved it, and the difference is recorded as an operation of the actor editor.
// So the changes of a path in the log form a chain: each begins where the one
// before ended.

const (
	// maxPatch is the size of a diff from which on only hashes are recorded of a
	// save by another program: more is no writing by hand.
	maxPatch = 256 << 10
	// maxBurst is the size of all diffs of one burst of saves, such as a checkout.
	maxBurst = 4 << 20
	// racyTime is how old a file's times must be to tell its versions apart: within
	// one tick of the kernel's clock a second write doesn't change them.
	racyTime = 50 * time.Millisecond
)

// stampOf is what tells a file's versions apart without reading them; zero if its
// times are too young for that.
func stampOf(i Info) state.Stamp {
	if time.Since(i.ChangeTime).Abs() < racyTime {
		return state.Stamp{}
	}
	return state.Stamp{Size: i.Size, ModTime: i.ModTime.UnixNano(), ChangeTime: i.ChangeTime.UnixNano(), Inode: i.Inode}
}

// written is what operations that are under way have written. It becomes known when
// they are completed, and never if they are taken back: what is known is always a
// text that the log explains.
type written struct{ files []replacement }

// keep makes it known.
func (w *written) keep(v *Vault) {
	v.written = nil
	for i := range w.files {
		v.wrote(&w.files[i])
	}
}

// text returns the last text written to a path.
func (w *written) text(p string) (text []byte, ok bool) {
	if w == nil {
		return nil, false
	}
	for _, r := range slices.Backward(w.files) {
		if r.path == p && r.from == "" {
			return r.after, true
		}
	}
	return nil, false
}

// wrote makes known what kist itself wrote. Whether an editor has saved since is
// for the next look at the file to find out, so there is no stamp.
func (v *Vault) wrote(r *replacement) {
	if v.written != nil {
		v.written.files = append(v.written.files, *r)
		return
	}
	var err error
	switch {
	case r.from != "" && v.tracked(r.from) && v.tracked(r.path):
		err = v.state.MoveDocument(r.from, r.path)
	case r.from != "" && v.tracked(r.from):
		err = v.state.DeleteDocument(r.from)
	case !v.tracked(r.path) || r.from != "":
	case r.after == nil:
		err = v.state.DeleteDocument(r.path)
	default:
		err = v.know(r.path, r.after, state.Stamp{})
	}
	v.stateTrouble(err)
}

// tracked reports whether other programs' saves of a file are recorded. Conversations
// are records of kist's own, which it writes without operations.
func (v *Vault) tracked(p string) bool { return isMarkdown(p) && v.TypeOf(p) != "conversation" }

func (v *Vault) know(p string, text []byte, s state.Stamp) error {
	return v.state.PutDocument(state.Document{Path: p, Hash: string(HashOf(text)), Stamp: s, Kept: true}, text)
}

// stateTrouble logs what the state database says. It is disposable: what it lacks
// is worked out again, or missing in the log, and no reason to stop.
func (v *Vault) stateTrouble(err error) {
	if err != nil {
		v.log.Error("what is known of the vault could not be kept", "err", err)
	}
}

// unrecorded returns, as completed operations, the saves by other programs that
// operations about to begin stand on.
func (v *Vault) unrecorded(ops []*planned) []*planned {
	var edits []*planned
	batch := ""
	seen := map[string]bool{}
	note := func(p string, now []byte) {
		if !v.tracked(p) || seen[p] {
			return
		}
		seen[p] = true
		if batch == "" {
			batch = v.NewID()
		}
		if e := v.editOf(p, now, batch); e != nil {
			edits = append(edits, e)
		}
	}
	for _, p := range ops {
		for _, r := range p.files {
			if r.done {
				seen[r.path] = true
				continue
			}
			if r.from == "" {
				note(r.path, r.before)
				continue
			}
			if text, err := v.Read(r.from); err == nil && HashOf(text) == r.hash {
				note(r.from, text)
			}
			seen[r.path] = true
		}
	}
	return edits
}

// editOf returns the save by another program that made a document what it is now;
// nil if it is known as that.
func (v *Vault) editOf(p string, now []byte, batch string) *planned {
	doc, known, err := v.state.Document(p)
	if err != nil {
		v.stateTrouble(err)
		return nil
	}
	if _, under := v.written.text(p); !under && Hash(doc.Hash) == HashOf(now) && v.compared.Load() {
		return nil
	}
	base := Hash(doc.Hash)
	before, kept := v.knownText(p)
	if text, ok := v.written.text(p); ok {
		// Saved on top of what an operation of the same batch wrote.
		base, before, kept = HashOf(text), text, true
	} else if !v.compared.Load() {
		logged := false
		if base, before, kept, logged = v.catchUp(p, base, before, kept); !known && !logged && !v.state.Filled() {
			// Not looked at yet since the vault was new to this machine.
			if now != nil {
				v.stateTrouble(v.know(p, now, state.Stamp{}))
			}
			return nil
		}
	}
	if base == HashOf(now) {
		if v.written == nil && Hash(doc.Hash) != base {
			v.wrote(&replacement{path: p, after: now})
		}
		return nil
	}
	patch := ""
	if kept {
		patch = merge.Diff(p, before, now)
	}
	return v.editorOp(FileChange{Path: p, Before: base, After: HashOf(now), Patch: patch}, before, now, batch)
}

// knownText returns a document's known text, nil where none is known; false if
// there is one that wasn't kept.
func (v *Vault) knownText(p string) ([]byte, bool) {
	_, known, err := v.state.Document(p)
	if err != nil || !known {
		return nil, err == nil
	}
	text, kept, err := v.state.Text(p)
	if err == nil && kept && text == nil {
		text = []byte{}
	}
	return text, err == nil && kept
}

// editorOp is the operation of another program that changed one document.
func (v *Vault) editorOp(c FileChange, before, after []byte, batch string) *planned {
	if len(c.Patch) > maxPatch {
		c.Patch = ""
	}
	p := &planned{
		op: Operation{
			ID: v.NewID(), At: v.now(), Status: StatusCompleted, Type: OpUpdate, Reason: "edited outside of kist",
			Actor: ActorEditor, Batch: batch, Changes: []FileChange{c},
		},
		files: []*replacement{{path: c.Path, from: c.From, before: before, after: after, hash: c.After}},
	}
	text := after
	switch {
	case c.From != "":
		p.op.Type, p.op.Reason = OpMove, "moved outside of kist"
	case c.Before == "":
		p.op.Type, p.op.Reason = OpCreate, "created outside of kist"
	case c.After == "":
		p.op.Type, p.op.Reason = OpDelete, "deleted outside of kist"
		text = before
	}
	p.op.Entity = v.entityOf(c.Path, text)
	p.op.Seq = v.changes.add(c.Path)
	p.op.Digest = digest(p.op)
	return p
}

func completedRecord(op Operation, at time.Time) record {
	r := recordOf(op, StatusCompleted, at)
	r.Seq = op.Seq
	return r
}

// recorded makes known what was logged of other programs' saves, and tells
// whoever watches.
func (v *Vault) recorded(edits []*planned) {
	under := v.written
	v.written = nil
	defer func() { v.written = under }()
	for _, e := range edits {
		for _, r := range e.files {
			v.wrote(r)
		}
		v.news.send(e.op)
	}
}
