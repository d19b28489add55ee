package history

import (
	"context"
	"errors"
	"time"

	"kist/vault/disk"
	"kist/vault/documents"
	"kist/vault/fsys"
	"kist/vault/oplog"
	"kist/vault/state"
)

// compare looks for documents that are not what is known of them, because of the
// change since; 0: for another reason. The first time on this machine it takes all of
// them for known.
func (f *follower) compare(ctx context.Context, since documents.Seq) (ok bool) {
	h := f.h
	filled := h.opts.State.Filled()
	var logged map[string]*oplog.Logged
	if !filled {
		var err error
		if logged, err = h.opts.Log.LastLogged(); err != nil {
			h.trouble(err)
			return false
		}
	}
	now := time.Now()
	found, err := h.opts.Folder.List(ctx, since)
	if err != nil {
		if ctx.Err() == nil {
			h.opts.Logger.Warn("history: nothing compared", "err", err)
		}
		return false
	}
	gone, unknown, err := f.compareKnown(found, now)
	if err != nil {
		h.trouble(err)
		return false
	}
	for _, p := range unknown {
		if filled || !h.adopt(p, logged) {
			f.touch(p, now)
		}
	}
	if gone = h.switched(gone); f.vanish.stops(h, h.unplaced(gone)) {
		for _, p := range gone {
			f.behind[p] = true
		}
		return true
	}
	for _, p := range gone {
		f.touch(p, now)
	}
	if !filled {
		h.trouble(h.opts.State.SetFilled())
		h.trouble(h.opts.State.Flush())
	}
	return true
}

// compareKnown compares what is known with what was found. It returns the documents
// that are gone and those that nothing is known of.
func (f *follower) compareKnown(found *documents.Listing, now time.Time) (gone, unknown []string, err error) {
	h := f.h
	at := make(map[string]int, len(found.Files)) // those not known so far
	for i, file := range found.Files {
		if h.tracked(file.Path) {
			at[file.Path] = i
		}
	}
	f.vanish.ignored = 0
	for doc, err := range h.opts.State.Documents() {
		if err != nil {
			return nil, nil, err
		}
		i, here := at[doc.Path]
		delete(at, doc.Path)
		switch {
		case here && doc.Stamp.Same(stampOf(found.Files[i])):
			delete(f.behind, doc.Path)
		case here:
			f.touch(doc.Path, now)
		case h.opts.Folder.Ignored(doc.Path):
			f.vanish.ignored++ // not looked at, and still known in case it is again
		case h.isOtherName(doc.Path):
			gone = append(gone, doc.Path)
		case below(doc.Path, found.Problems):
			f.behind[doc.Path] = true // the next comparison looks again
		case h.missing(doc.Path):
			gone = append(gone, doc.Path)
		default:
			f.touch(doc.Path, now) // it wasn't there for a moment
		}
	}
	for _, file := range found.Files {
		if _, ok := at[file.Path]; ok {
			unknown = append(unknown, file.Path)
		}
	}
	return gone, unknown, nil
}

// adopt takes a document for known as it is, unless the log ends with another text.
func (h *History) adopt(p string, logged map[string]*oplog.Logged) bool {
	large, stamp := h.hashLarge(p) // before the lock: it may take seconds
	h.opts.Tree.Lock()
	defer h.opts.Tree.Unlock()
	if _, known, err := h.opts.State.Document(p); known || err != nil || h.opts.Closed() {
		return true
	}
	if large != "" {
		h.trouble(h.opts.State.PutDocument(state.Document{Path: p, Hash: string(large), Stamp: stamp}, nil))
		return true
	}
	text, stamp, err := h.readStable(p)
	if err != nil {
		return true
	}
	if !logged[p].Explains(disk.HashOf(text)) {
		return false
	}
	h.trouble(h.setBaseline(p, text, stamp, false))
	return true
}

// hashLarge returns the hash of a document that is too large to be read whole, and ""
// for any other. As long as it is that large its changes aren't recorded, but when it no
// longer is, it must not look as if it had been created then.
func (h *History) hashLarge(p string) (disk.Hash, state.Stamp) {
	before, err := h.opts.Folder.Stat(p)
	if err != nil || before.Size <= fsys.MaxWhole {
		return "", state.Stamp{}
	}
	hash, err := h.opts.Tree.HashFile(p)
	if err != nil {
		return "", state.Stamp{}
	}
	if after, err := h.opts.Folder.Stat(p); err != nil || after != before {
		return hash, state.Stamp{}
	}
	return hash, stampOf(before)
}

// readStable reads a document with the stamp that belongs to the text; a zero one
// if it was written meanwhile.
func (h *History) readStable(p string) ([]byte, state.Stamp, error) {
	text, before, err := h.opts.Tree.ReadHead(p, -1)
	if err != nil {
		return nil, state.Stamp{}, err
	}
	after, err := h.opts.Folder.Stat(p)
	if err != nil || after != before {
		return text, state.Stamp{}, nil
	}
	return text, stampOf(after), nil
}

func (h *History) missing(p string) bool {
	_, err := h.opts.Folder.Stat(p)
	return errors.Is(err, disk.ErrNotFound) || errors.Is(err, disk.ErrNotRegular)
}

// isOtherName reports whether a file goes by another name: a document of this one is gone,
// whatever it held.
func (h *History) isOtherName(p string) bool {
	_, err := h.opts.Folder.Stat(p)
	return documents.IsOtherName(err)
}
