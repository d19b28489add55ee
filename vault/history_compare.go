package vault

import (
	"context"
	"errors"
	"time"

	"kist/vault/state"
)

// compare looks for documents that are not what is known of them, because of the
// change since; 0: for another reason. The first time on this machine it takes all of
// them for known.
func (h *history) compare(ctx context.Context, since Seq) (ok bool) {
	v := h.v
	filled := v.state.Filled()
	var logged map[string]Hash
	if !filled {
		var err error
		if logged, err = v.lastLogged(); err != nil {
			v.stateTrouble(err)
			return false
		}
	}
	now := time.Now()
	found, err := v.List(ctx, since)
	if err != nil {
		if ctx.Err() == nil {
			v.log.Warn("history: nothing compared", "err", err)
		}
		return false
	}
	gone, unknown, err := h.compareKnown(found, now)
	if err != nil {
		v.stateTrouble(err)
		return false
	}
	for _, p := range unknown {
		if filled || !v.adopt(p, logged) {
			h.touch(p, now)
		}
	}
	if h.vanish.stops(v, len(gone)) {
		for _, p := range gone {
			h.behind[p] = true
		}
		return true
	}
	for _, p := range gone {
		h.touch(p, now)
	}
	if !filled {
		v.stateTrouble(v.state.SetFilled())
		v.stateTrouble(v.state.Flush())
	}
	return true
}

// compareKnown compares what is known with what was found. It returns the documents
// that are gone and those that nothing is known of.
func (h *history) compareKnown(found *Listing, now time.Time) (gone, unknown []string, err error) {
	v := h.v
	at := make(map[string]int, len(found.Files)) // those not known so far
	for i, f := range found.Files {
		if v.tracked(f.Path) {
			at[f.Path] = i
		}
	}
	h.vanish.ignored = 0
	for doc, err := range v.state.Documents() {
		if err != nil {
			return nil, nil, err
		}
		i, here := at[doc.Path]
		delete(at, doc.Path)
		switch {
		case here && doc.Stamp.Same(stampOf(found.Files[i])):
			delete(h.behind, doc.Path)
		case here:
			h.touch(doc.Path, now)
		case v.Ignored(doc.Path):
			h.vanish.ignored++ // not looked at, and still known in case it is again
		case below(doc.Path, found.Problems):
			h.behind[doc.Path] = true // the next comparison looks again
		case v.missing(doc.Path):
			gone = append(gone, doc.Path)
		default:
			h.touch(doc.Path, now) // it wasn't there for a moment
		}
	}
	for _, f := range found.Files {
		if _, ok := at[f.Path]; ok {
			unknown = append(unknown, f.Path)
		}
	}
	return gone, unknown, nil
}

// adopt takes a document for known as it is, unless the log ends with another text.
func (v *Vault) adopt(p string, logged map[string]Hash) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, known, err := v.state.Document(p); known || err != nil || v.closed {
		return true
	}
	text, stamp, err := v.readStable(p)
	if err != nil {
		return true
	}
	if last, ok := logged[p]; ok && last != HashOf(text) {
		return false
	}
	v.stateTrouble(v.know(p, text, stamp))
	return true
}

// readStable reads a document with the stamp that belongs to the text; a zero one
// if it was written meanwhile.
func (v *Vault) readStable(p string) ([]byte, state.Stamp, error) {
	text, before, err := v.ReadHead(p, -1)
	if err != nil {
		return nil, state.Stamp{}, err
	}
	after, err := v.Stat(p)
	if err != nil || after != before {
		return text, state.Stamp{}, nil
	}
	return text, stampOf(after), nil
}

func (v *Vault) missing(p string) bool {
	_, err := v.Stat(p)
	return errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotRegular)
}
