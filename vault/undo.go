package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault/disk"
	"kist/vault/merge"
	"kist/vault/merge/semantic"
	"kist/vault/oplog"
)

// An UndoTarget names what to take back: exactly one of ID, IDs, Batch and Session is set.
type UndoTarget struct {
	ID      string   // one operation, which may itself be an undo
	IDs     []string // several such
	Batch   string
	Session string // everything one session did that stands still

	// Propose logs the undoing as proposed operations, which wait as others do.
	Propose bool

	// Keep decides where later edits touch the same lines.
	Keep Keep
}

// Keep says which of two texts stays where an undo and a later edit exclude each other.
type Keep string

// What to keep.
const (
	KeepNone   Keep = ""       // neither: the undo fails with a ConflictError
	KeepNow    Keep = "now"    // what the file says now; the rest is undone
	KeepBefore Keep = "before" // what it said before the operation; the log keeps the later edit
)

// Undo takes operations back, newest first, as one batch, and returns the
// operations that do so, or would where they are only proposed. It is a three-way merge with the operation's result as
// the base: later edits of other lines stay, and those of the same lines where what both mean
// doesn't contradict (a box checked, its text edited since). Where an edit contradicts
// (or the created file was edited, or the deleted one exists again) it changes
// nothing and returns a [ConflictError], unless t.Keep decides. Other errors:
// ErrNotFound, ErrStatus for what isn't completed or was undone already,
// ErrNoChange where later edits have left nothing of it that would be taken back,
// ErrNotKept where only hashes were logged, and those of [Vault.Apply].
func (v *Vault) Undo(ctx context.Context, t UndoTarget, o Origin) ([]Operation, error) {
	return v.takeBack(ctx, t, o, standing)
}

// Redo takes back the undoing of operations, in the same way.
func (v *Vault) Redo(ctx context.Context, t UndoTarget, o Origin) ([]Operation, error) {
	return v.takeBack(ctx, t, o, undoing)
}

func (v *Vault) takeBack(ctx context.Context, t UndoTarget, o Origin, choose func(UndoTarget, []Operation) ([]string, error)) ([]Operation, error) {
	v.tree.Lock()
	defer v.tree.Unlock()
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	found, err := v.undoTargets(ctx, t)
	if err != nil {
		return nil, err
	}
	ids, err := choose(t, found)
	if err != nil {
		return nil, err
	}
	targets, err := v.lastDone(ids)
	if err != nil {
		return nil, err
	}
	if err := onlyDocuments(v, targets); err != nil {
		return nil, err
	}
	b := Batch{Origin: o}
	u := undo{v: v, keep: t.Keep, plan: newPlan(v)}
	var undone []string
	for _, op := range targets {
		step, err := u.step(op)
		if err != nil {
			return nil, err
		}
		if len(step.Changes) > 0 {
			b.Steps = append(b.Steps, step)
			undone = append(undone, op.ID)
		}
	}
	if len(b.Steps) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoChange, u.whyNothing())
	}
	ops, err := newPlan(v).batch(b, undone...)
	if err != nil {
		return nil, err
	}
	if t.Propose {
		return v.propose(ops)
	}
	return v.run(ops)
}

// onlyDocuments returns ErrInvalidPath for operations of another device on what is no
// Markdown. A project takes all its files along when this device deletes or moves it; a
// log that came with a pull must not write programs and settings.
func onlyDocuments(v *Vault, ops []Operation) error {
	for _, op := range ops {
		logged, err := v.ops.Find(op.ID)
		if err != nil {
			return err
		}
		if logged.Maker == v.device {
			continue
		}
		for _, c := range op.Changes {
			if !shownAsText(c.Path) || c.From != "" && !disk.IsMarkdown(c.From) {
				return fmt.Errorf("%w %q: another device's log tells of it, and it is no Markdown; take it back there", ErrInvalidPath, c.Path)
			}
		}
	}
	return nil
}

// shownAsText reports whether a file is a document, or a canvas or a base that shows some: none is
// a program or a setting.
func shownAsText(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return disk.IsMarkdown(p) || ext == ".canvas" || ext == ".base"
}

// undoTargets returns the operations that t means.
func (v *Vault) undoTargets(ctx context.Context, t UndoTarget) ([]Operation, error) {
	if t.named() {
		var out []Operation
		for _, id := range append(slices.Clone(t.IDs), t.ID) {
			if id == "" {
				continue
			}
			op, err := v.ops.Find(id)
			if err != nil {
				return nil, err
			}
			out = append(out, op.Operation)
		}
		return out, nil
	}
	kind, ref, f := "batch", t.Batch, Filter{Batch: t.Batch}
	if t.Batch == "" {
		kind, ref, f = "session", t.Session, Filter{Session: t.Session, Own: true}
	}
	ops, err := v.Operations(ctx, f)
	if err == nil && len(ops) == 0 {
		err = &NotFoundError{Kind: kind + " of operations", Ref: ref}
	}
	return ops, err
}

// standing returns which operations of what t means can be undone.
func standing(t UndoTarget, ops []Operation) ([]string, error) {
	var ids []string
	for _, op := range ops {
		switch {
		case op.Status != StatusCompleted && op.Status != StatusSuperseded:
			if t.named() {
				return nil, fmt.Errorf("%w: operation %s is %s; there is nothing to undo", ErrStatus, op.ID, op.Status)
			}
		case op.UndoneBy != "":
			if t.named() {
				return nil, fmt.Errorf("%w: operation %s was undone already", ErrStatus, op.ID)
			}
		case t.named() || op.Undoes == "":
			ids = append(ids, op.ID)
		}
	}
	if len(ids) == 0 {
		return nil, &NotFoundError{Kind: "operation that stands in " + t.kind(), Ref: t.Batch + t.Session}
	}
	return ids, nil
}

// undoing returns the operations that undid what t means.
func undoing(t UndoTarget, ops []Operation) ([]string, error) {
	var ids []string
	for _, op := range ops {
		switch {
		case op.UndoneBy != "":
			ids = append(ids, op.UndoneBy)
		case t.named() && op.Undoes != "" && op.Status == StatusCompleted:
			ids = append(ids, op.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%w: nothing of that %s was undone", ErrStatus, t.kind())
	}
	return ids, nil
}

// named: it names operations, so that each of them is meant.
func (t UndoTarget) named() bool { return t.ID != "" || len(t.IDs) > 0 }

func (t UndoTarget) kind() string {
	switch {
	case t.named():
		return "operation"
	case t.Batch != "":
		return "batch"
	}
	return "session"
}

// lastDone reads operations in the reverse of the order in which they were done.
func (v *Vault) lastDone(ids []string) ([]Operation, error) {
	var ops []*oplog.Folded
	for _, id := range ids {
		op, err := v.ops.Find(id)
		if err != nil {
			return nil, err
		}
		ops = append(ops, op)
	}
	var out []Operation
	for _, op := range oplog.LastDoneFirst(ops) {
		full, err := v.ops.Patches(op)
		if err != nil {
			return nil, err
		}
		out = append(out, full)
	}
	return out, nil
}

// An undo works out, operation by operation, what the files would hold without them.
type undo struct {
	v    *Vault
	keep Keep
	plan *plan
	kept bool // a later edit excluded a part, and stays
}

// whyNothing says why there is nothing to take back.
func (u *undo) whyNothing() string {
	if u.kept {
		return "later edits replaced all that would be taken back, and they stay"
	}
	return "the files hold nothing of it any more"
}

// step is the step that takes op back.
func (u *undo) step(op Operation) (Step, error) {
	step := Step{Type: inverse(op.Type), Entity: op.Entity, Reason: undoReason(op.Reason)}
	for i := len(op.Changes) - 1; i >= 0; i-- {
		c, err := u.change(op, op.Changes[i])
		if err != nil {
			return Step{}, err
		}
		if c.From == "" && op.Changes[i].Path == op.Entity.Path {
			step.Entity.Path = c.Path // it may have been moved since
		}
		if c.From != "" || HashOf(c.Before) != HashOf(c.After) {
			step.Changes = append(step.Changes, c)
		}
	}
	return step, nil
}

// undoReason says what is taken back, or done again.
func undoReason(reason string) string {
	if what, undone := strings.CutPrefix(reason, "undo: "); undone {
		return "redo: " + what
	}
	if reason == "" {
		return "undo"
	}
	return "undo: " + strings.TrimPrefix(reason, "redo: ")
}

func (u *undo) change(op Operation, c FileChange) (Change, error) {
	p := c.Path
	if u.plan.texts[p] == nil { // else a step before this one moves it back there
		var err error
		if p, err = u.pathNow(op, p); err != nil {
			return Change{}, err
		}
	}
	// Before anything is read: the log may be anybody's, and errors show what is there.
	for _, at := range []string{p, c.From} {
		if at == "" {
			continue
		}
		if _, err := u.v.WritablePath(at); err != nil {
			return Change{}, err
		}
	}
	now, err := u.plan.read(p)
	if err != nil && c.From == "" {
		return Change{}, err
	}
	if c.From != "" {
		u.plan.texts[p], u.plan.texts[c.From] = nil, now
		return Change{Path: c.From, From: p}, nil
	}
	before, err := u.without(c, p, now)
	if err != nil {
		return Change{}, err
	}
	u.plan.texts[p] = before
	return Change{Path: p, Before: now, After: before, Mode: c.Mode}, nil
}

// pathNow follows a file that was moved after op.
func (u *undo) pathNow(op Operation, p string) (string, error) {
	for range maxMoves {
		if u.v.tree.Exists(p) {
			return p, nil
		}
		to, err := u.movedTo(op, p)
		if err != nil || to == "" {
			return p, err
		}
		p = to
	}
	return p, nil
}

// maxMoves bounds how often a file is followed.
const maxMoves = 100

// movedTo returns where a file was last moved from p since op; empty: nowhere.
func (u *undo) movedTo(op Operation, p string) (string, error) {
	this, ok, err := u.v.ops.Get(op.ID)
	if err != nil || !ok {
		return "", err
	}
	for later, err := range u.v.ops.With(oplog.ByPath(p)) {
		if err != nil {
			return "", err
		}
		if !later.IsLater(this) || !later.Status.Took() {
			continue
		}
		for _, c := range later.Changes {
			if c.From == p {
				return c.Path, nil
			}
		}
	}
	return "", nil
}

func inverse(t OpType) OpType {
	switch t {
	case OpCreate:
		return OpDelete
	case OpDelete:
		return OpCreate
	}
	return t
}

// without returns what the file at p, which now holds now, would hold without c.
func (u *undo) without(c FileChange, p string, now []byte) ([]byte, error) {
	if c.Before == c.After {
		return now, nil // an editor had made the same change at that moment
	}
	if c.Patch == "" {
		c.Patch = u.v.ops.Between(c, p)
	}
	if c.Patch == "" {
		return nil, fmt.Errorf("%w: this change of %s was too large for it", ErrNotKept, p)
	}
	if HashOf(now) == c.After {
		before, err := oplog.TakeBack(c.Patch, c.Before, now)
		if err != nil {
			return nil, &ConflictError{Path: p, Reason: "the log's patch does not lead back to the logged text", Now: now}
		}
		return before, nil
	}
	inverse, err := merge.Invert(c.Patch)
	if err != nil {
		return nil, fmt.Errorf("undo %s: %w", p, err)
	}
	base, err := u.v.ops.TextAt(c.After, p)
	if c.After == "" {
		base, err = nil, nil // it was deleted
	}
	if err != nil && !errors.Is(err, oplog.ErrNoBase) {
		return nil, err
	}
	if err != nil {
		return u.shift(c, p, now, inverse)
	}
	before, err := merge.Patch(base, inverse)
	if err != nil || HashOf(before) != c.Before {
		return nil, &ConflictError{Path: p, Reason: "the log's patch does not lead back to the logged text", Now: now}
	}
	if merged, err := merge.Lines(base, now, before); err == nil {
		return merged, nil
	}
	if text, ok := byMeaning(p, base, now, before); ok {
		return text, nil
	}
	switch u.keep {
	case KeepNow:
		u.kept = true
		return merge.LinesFavoring(base, now, before, merge.Ours), nil
	case KeepBefore:
		return merge.LinesFavoring(base, now, before, merge.Theirs), nil
	}
	if now != nil && c.Before != "" && c.After != "" {
		if text, err := merge.Shift(now, inverse); err == nil {
			return text, nil // lines that touch but don't overlap
		}
	}
	return nil, &ConflictError{Path: p, Reason: whyNot(c, now), Now: now, Wanted: merge.LinesFavoring(base, now, before, merge.Theirs)}
}

// byMeaning makes the change from base to theirs in ours, where lines collide, if it is made
// whole: taken back from what comes out, it leads to ours again. So a key that is to go and
// that ours changed, which a merge would leave there, is no success.
func byMeaning(p string, base, ours, theirs []byte) ([]byte, bool) {
	if base == nil || ours == nil || theirs == nil {
		return nil, false
	}
	r := semantic.Merge(base, ours, theirs, semantic.Options{Path: p})
	if !r.Clean() || bytes.Equal(r.Text, ours) {
		return nil, false
	}
	back := semantic.Merge(theirs, r.Text, base, semantic.Options{Path: p})
	return r.Text, back.Clean() && bytes.Equal(back.Text, ours)
}

// shift undoes where the operation's result isn't known as a whole: each hunk must
// be found, with the lines around it, in exactly one way.
func (u *undo) shift(c FileChange, p string, now []byte, inverse string) ([]byte, error) {
	if u.keep == KeepNow && (now == nil || c.Before == "") {
		u.kept = true
		return now, nil
	}
	if now != nil && c.Before != "" && c.After != "" {
		if before, err := merge.Shift(now, inverse); err == nil {
			return before, nil
		}
	}
	return nil, &ConflictError{Path: p, Reason: whyNot(c, now), Now: now}
}

// whyNot says what a later edit did.
func whyNot(c FileChange, now []byte) string {
	switch {
	case c.Before == "":
		return "edited since it was created; undoing would lose the edit"
	case c.After == "":
		return "exists again; undoing would overwrite it"
	case now == nil:
		return "removed since"
	}
	return "the same lines were edited since"
}
