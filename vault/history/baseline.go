package history

import (
	"cmp"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"kist/vault/disk"
	"kist/vault/merge"
	"kist/vault/oplog"
	"kist/vault/state"
)

const (
	// maxPatch is the size of a diff from which on only hashes are recorded of a
	// save by another program: more is no writing by hand.
	maxPatch = 1 << 20
	// maxBurst is the size of all diffs of one burst of saves, such as a checkout.
	maxBurst = 4 << 20
	// racyTime is how old a file's times must be to tell its versions apart: within
	// one tick of the kernel's clock a second write doesn't change them.
	racyTime = 50 * time.Millisecond
)

// stampOf is what tells a file's versions apart without reading them; zero if its
// times are too young for that.
func stampOf(i disk.Info) state.Stamp {
	if time.Since(i.ChangeTime).Abs() < racyTime {
		return state.Stamp{}
	}
	return state.Stamp{Size: i.Size, ModTime: i.ModTime.UnixNano(), ChangeTime: i.ChangeTime.UnixNano(), Inode: i.Inode}
}

// written is what operations that are under way have written. It becomes known when
// they are completed, and never if they are taken back: what is known is always a
// text that the log explains.
type written struct{ files []disk.Replacement }

// Begin keeps what is written from now on from becoming known before [History.Keep]. The
// lock is held until then.
func (h *History) Begin() { h.written = &written{} }

// Keep makes known what was written since [History.Begin].
func (h *History) Keep() {
	w := h.written
	h.written = nil
	for i := range w.files {
		h.Wrote(&w.files[i])
	}
}

// Drop forgets what was written since [History.Begin], if anything is left of it: it was
// taken back.
func (h *History) Drop() { h.written = nil }

// text returns the last text written to a path.
func (w *written) text(p string) (text []byte, ok bool) {
	if w == nil {
		return nil, false
	}
	for _, r := range slices.Backward(w.files) {
		if r.Path == p && r.From == "" {
			return r.After, true
		}
	}
	return nil, false
}

// Wrote makes known what kist itself wrote. Whether an editor has saved since is
// for the next look at the file to find out, so there is no stamp.
func (h *History) Wrote(r *disk.Replacement) {
	if h.written != nil {
		h.written.files = append(h.written.files, *r)
		return
	}
	h.known(r, false)
}

// known makes a write known, and that its text was read, in one step: of what is known
// at any moment, the state file may be all that a crash leaves.
func (h *History) known(r *disk.Replacement, read bool) {
	var err error
	switch {
	case r.From != "" && h.tracked(r.From) && h.tracked(r.Path):
		err = h.opts.State.MoveDocument(r.From, r.Path)
	case r.From != "" && h.tracked(r.From):
		err = h.opts.State.DeleteDocument(r.From)
	case !h.tracked(r.Path) || r.From != "":
	case r.After == nil:
		err = h.opts.State.DeleteDocument(r.Path)
	default:
		err = h.setBaseline(r.Path, r.After, state.Stamp{}, read)
	}
	h.trouble(err)
}

// tracked reports whether other programs' saves of a file are recorded. Conversations
// are records of kist's own, which it writes without operations.
func (h *History) tracked(p string) bool {
	return disk.IsMarkdown(p) && h.opts.Folder.TypeOf(p) != "conversation" && utf8.ValidString(p) // or two files have one path in the log
}

// setBaseline makes a text known, and whether somebody has read it: if it came from
// outside, it no longer counts as that.
func (h *History) setBaseline(p string, text []byte, s state.Stamp, read bool) error {
	was, _, err := h.opts.State.Document(p)
	if err != nil {
		return err
	}
	return h.opts.State.PutDocument(state.Document{Path: p, Hash: string(disk.HashOf(text)), Stamp: s, Kept: true, Outside: was.Outside && !read}, text)
}

// trouble logs what the state database says. It is disposable: what it lacks
// is worked out again, or missing in the log, and no reason to stop.
func (h *History) trouble(err error) {
	if err != nil {
		h.opts.Logger.Error("what is known of the vault could not be kept", "err", err)
	}
}

// Unrecorded returns the saves by other programs that replacements about to begin stand
// on. The lock is held.
func (h *History) Unrecorded(files []*disk.Replacement) []*Edit {
	var edits []*Edit
	seen := map[string]bool{}
	note := func(p string, now []byte) {
		if !h.tracked(p) || seen[p] {
			return
		}
		seen[p] = true
		if e := h.editOf(p, now); e != nil {
			edits = append(edits, e)
		}
	}
	for _, r := range files {
		if r.Done {
			seen[r.Path] = true
			continue
		}
		if r.From == "" {
			note(r.Path, r.Before)
			continue
		}
		if text, err := h.opts.Tree.Read(r.From); err == nil && disk.HashOf(text) == r.Hash {
			note(r.From, text)
		}
		seen[r.Path] = true
	}
	together(edits, "")
	return edits
}

// together makes a batch of edits, the one with the given id or else a new one, and
// returns its id, which is that of its first operation.
func together(edits []*Edit, batch string) string {
	for _, e := range edits {
		batch = cmp.Or(batch, e.Op.ID)
		e.Op.Batch = batch
	}
	return batch
}

// editOf returns the save by another program that made a document what it is now;
// nil if it is known as that.
func (h *History) editOf(p string, now []byte) *Edit {
	doc, known, err := h.opts.State.Document(p)
	if err != nil {
		h.trouble(err)
		return nil
	}
	if _, under := h.written.text(p); !under && disk.Hash(doc.Hash) == disk.HashOf(now) && h.compared.Load() {
		return nil
	}
	base := disk.Hash(doc.Hash)
	before, kept := h.opts.Log.Baseline(p)
	if text, ok := h.written.text(p); ok {
		// Saved on top of what an operation of the same batch wrote.
		base, before, kept = disk.HashOf(text), text, true
	} else if !h.compared.Load() {
		logged := false
		if base, before, kept, logged = h.opts.Log.CatchUp(p, base, before, kept); !known && !logged && !h.opts.State.Filled() {
			// Not looked at yet since the vault was new to this machine.
			if now != nil {
				h.trouble(h.setBaseline(p, now, state.Stamp{}, false))
			}
			return nil
		}
	}
	if base == disk.HashOf(now) {
		if h.written == nil && disk.Hash(doc.Hash) != base {
			h.Wrote(&disk.Replacement{Path: p, After: now})
		}
		return nil
	}
	c := oplog.FileChange{Path: p, Before: base, After: disk.HashOf(now)}
	how := h.placed(p, now)
	if how.Switched && h.written == nil {
		h.takeOver(p, now, how)
		return nil
	}
	h.opts.Log.RefreshDirty()
	from := h.opts.Log.Pulled(p, base, c.After)
	if kept && !from.Joined {
		c.Patch = merge.Delta(before, now, isProse)
	}
	e := h.editorOp(c, from.Named || how.Why != "", before, now)
	e.by(how)
	return e
}

// boxOrKey begins lines that readers of the log look for.
var boxOrKey = regexp.MustCompile(`^[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*(?:\[|[\w-]+:)`)

// isProse reports whether a part of a line may stand for it in the log.
func isProse(line string) bool { return !boxOrKey.MatchString(line) }

// editorOp is the operation of another program that changed one document, or brought
// what was changed elsewhere.
func (h *History) editorOp(c oplog.FileChange, pulled bool, before, after []byte) *Edit {
	if len(c.Patch) > maxPatch {
		c.Patch = ""
	}
	e := &Edit{Before: before, After: after, Op: oplog.Operation{
		ID: h.opts.NewID(), At: h.opts.Now(), Status: oplog.Completed, Type: oplog.Update,
		Actor: oplog.Editor, Changes: []oplog.FileChange{c},
	}}
	text := after
	switch {
	case c.From != "":
		e.Op.Type = oplog.Move
	case c.Before == "":
		e.Op.Type = oplog.Create
	case c.After == "":
		e.Op.Type = oplog.Delete
		text = before
	}
	if pulled {
		e.Op.Actor = oplog.Sync
	}
	e.Op.Reason = oplog.ImpliedReason(e.Op.Actor, e.Op.Type)
	e.Op.Entity = h.opts.EntityOf(c.Path, text)
	e.Op.Seq = h.opts.Changes.Add(c.Path)
	e.Op.Digest = oplog.Digest(e.Op)
	return e
}

// Record is what the log says of an edit.
func (e *Edit) Record(at time.Time) oplog.Record {
	r := oplog.RecordOf(e.Op, oplog.Completed, at)
	r.Seq = e.Op.Seq
	return r
}

// Recorded makes known what was logged of other programs' saves, and tells
// whoever watches.
func (h *History) Recorded(edits []*Edit) {
	under := h.written
	h.written = nil
	defer func() { h.written = under }()
	for _, e := range edits {
		c := e.Op.Changes[0]
		// Whoever edits a text has read it.
		h.known(&disk.Replacement{Path: c.Path, From: c.From, Before: e.Before, After: e.After, Hash: c.After}, e.Op.Actor == oplog.Editor)
		h.opts.News.Send(e.Op)
	}
}
