package history

import (
	"context"

	"kist/vault/disk"
	"kist/vault/oplog"
	"kist/vault/state"
)

// A Git says what the user's own git does with the vault's folder.
type Git interface {
	// Busy says what git is in the middle of, such as "a rebase", while which nothing may be
	// written; empty: nothing.
	Busy() string
	// Moving reports whether a git is changing the folder at this moment.
	Moving() bool
	// Placed says how git made a document what it is: text, or nil where it is gone.
	Placed(ctx context.Context, p string, text []byte) Placement
}

// A Placement is how git put a text in its place. It is nobody's edit.
type Placement struct {
	Why string // such as "pull: Fast-forward"; empty: git did not
	// Switched: git went from one thing that it keeps to another one, so that the log isn't
	// to be told of it: it lies on the branch that was left, or would make another one dirty.
	Switched bool
	Own      bool // it was committed on this machine
	// Later: it is somebody's edit, of which the log isn't to be told as long as another branch is checked out
	// than its own. What is known stays, so that it is told what of it is still there then.
	Later bool
}

// busy reports whether what changed can't be told yet from what git is about to take back.
func (h *History) busy() bool {
	return h.opts.Git != nil && (h.opts.Git.Busy() != "" || h.opts.Git.Moving())
}

// placed returns how git made a document what it is now, if that is not what is known of it.
func (h *History) placed(p string, now []byte) Placement {
	doc, _, err := h.opts.State.Document(p)
	if h.opts.Git == nil || err != nil || disk.Hash(doc.Hash) == disk.HashOf(now) {
		return Placement{}
	}
	return h.opts.Git.Placed(context.Background(), p, now)
}

// takeOver makes known, and nothing else, what git put in place by a switch.
func (h *History) takeOver(p string, now []byte, how Placement) {
	if now == nil {
		h.trouble(h.opts.State.DeleteDocument(p))
		return
	}
	d := state.Document{Path: p, Hash: string(disk.HashOf(now)), Kept: true, Outside: !how.Own && !h.typed(p, disk.HashOf(now))}
	h.trouble(h.opts.State.PutDocument(d, now))
}

// typed reports whether the log tells of a text as one that came about here.
func (h *History) typed(p string, text disk.Hash) bool {
	links, own, err := h.opts.Log.Chain(p)
	if err != nil {
		return false
	}
	for _, l := range links[:own] {
		if l.After == text && l.Op.Actor != oplog.Sync {
			return true
		}
	}
	return false
}

// by notes in an operation that git brought what it tells of.
func (e *Edit) by(how Placement) {
	if how.Why == "" {
		return
	}
	e.Op.Client, e.Op.Reason = "git", "brought by git ("+how.Why+")"
	if how.Own {
		e.Op.Client = oplog.OwnDevice
	}
	e.Op.Digest = oplog.Digest(e.Op)
}

// switched leaves out of documents that are gone or changed those that git switched, and
// makes them known.
func (h *History) switched(paths []string) (left []string) {
	if h.opts.Git == nil {
		return paths
	}
	for _, p := range paths {
		if !h.takeSwitched(p) {
			left = append(left, p)
		}
	}
	return left
}

// unplaced counts documents that are gone and that git didn't take away.
func (h *History) unplaced(gone []string) (n int) {
	for _, p := range gone {
		if h.placed(p, nil).Why == "" {
			n++
		}
	}
	return n
}

func (h *History) takeSwitched(p string) bool {
	h.opts.Tree.Lock()
	defer h.opts.Tree.Unlock()
	if h.opts.Closed() {
		return false
	}
	text, err := h.opts.Tree.ReadOrNil(p)
	if err != nil {
		return false
	}
	how := h.placed(p, text)
	if how.Why == "" || !how.Switched {
		return false
	}
	if how.Later {
		h.later[p] = true
		return true
	}
	h.takeOver(p, text, how)
	return true
}

// release returns the documents that wait for their branch, once that is checked out.
func (h *History) release() (paths []string) {
	h.opts.Tree.Lock()
	defer h.opts.Tree.Unlock()
	for p := range h.later {
		text, err := h.opts.Tree.ReadOrNil(p)
		if err != nil || h.busy() || h.placed(p, text).Later {
			return nil // all wait for the same
		}
		paths = append(paths, p)
	}
	clear(h.later)
	return paths
}
