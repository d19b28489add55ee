package index

import (
	"context"
	"kist/index/pending"
	"time"

	"kist/index/store"
	"kist/vault"
)

// surveyTime is how long a search waits for the first comparison.
const surveyTime = 3 * time.Second

// unindexed returns the files that the index doesn't hold as they are. known is false
// as long as nobody can tell.
func (x *Index) unindexed() (files []pending.File, known bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.surveyed {
		return nil, false
	}
	var changes []vault.PathChange
	if x.vault.Seq() > x.taken {
		changes, _ = x.vault.SearchedSince(x.taken)
	}
	if len(changes)+len(x.waiting) == 0 {
		return nil, true
	}
	if _, all := pathsOf(changes); all > 0 {
		return nil, false
	}
	files = make([]pending.File, 0, len(x.waiting)+len(changes))
	changed := make(map[string]bool, len(changes))
	for _, c := range changes {
		changed[c.Path] = true
		files = append(files, pending.File{Path: c.Path})
	}
	for path, info := range x.waiting {
		if !changed[path] {
			files = append(files, pending.File{Path: path, Info: info})
		}
	}
	return files, true
}

// survey waits until it is known which files aren't indexed, and returns them.
func (x *Index) survey(ctx context.Context, deadline time.Time) (files []pending.File, degraded string) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for {
		x.mu.RLock()
		moved, notice, closed := x.moved, x.position.notice, x.current == nil
		x.mu.RUnlock()
		files, known := x.unindexed()
		switch {
		case known, closed:
			return files, ""
		case notice != "":
			return nil, notice
		}
		select {
		case <-moved:
		case <-timer.C:
			return nil, "the files haven't been compared with the index yet"
		case <-ctx.Done():
			return nil, ""
		}
	}
}

// direct prepares for a search what the index doesn't hold yet, as far as its plan can be carried
// out. A nil overlay holds nothing. The caller closes what it gets.
func (x *Index) direct(ctx context.Context, p pending.Plan) (*pending.Overlay, string) {
	files, degraded := x.survey(ctx, p.Began.Add(surveyTime))
	if len(files) == 0 {
		return nil, degraded
	}
	defer x.courtesy.Ask()()
	p.Desk = x.desk
	return p.Overlay(ctx, files)
}

// spoken are the languages of what is indexed.
func (x *Index) spoken() []store.Language {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return nil
	}
	return x.current.store.Tables.Languages()
}
