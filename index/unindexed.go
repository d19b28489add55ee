package index

import (
	"context"
	"errors"
	"kist/index/pending"
	"time"

	"kist/index/manifest"
	"kist/index/page"
	"kist/index/store"
	"kist/vault"
)

// surveyTime is how long a search waits for the first comparison.
const surveyTime = 3 * time.Second

// maxMoved is how often a search looks again when what it has not prepared, as the
// index had it, was written anew; the next time it prepares all of it.
const maxMoved = 3

// errMoved: what an overlay does without is being written, or was.
var errMoved = errors.New("a file was indexed while it was being searched")

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
		changes, _ = x.vault.ChangedSince(x.taken)
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

// stored is the index as what isn't in it has to know it.
type stored struct{ *Index }

// Parted reports whether the entries of a file are known one by one.
func (x stored) Parted(path string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.current != nil && x.current.manifest.Parts[path] != nil
}

// Holding is what is stored of a file with some parts. While that is being written, written isn't
// nil, and is closed when it may be done.
func (x stored) Holding(path string, parts []page.Known) (h manifest.Holding, written <-chan struct{}) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	g := x.current
	switch {
	case g == nil:
		return h, nil
	case g.manifest.Writing[path]:
		return h, x.written
	}
	return g.manifest.Holding(path, parts), nil
}

// Languages are those of what is indexed.
func (x stored) Languages() []store.Language {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return nil
	}
	return x.current.store.Tables.Languages()
}

// look returns what a generation holds now, and over it an overlay, which may be nil.
// It returns errMoved where the overlay doesn't fit. The caller holds the index's mutex.
func look(g *generation, over *pending.Overlay) (*store.Snapshot, store.View, error) {
	if over == nil {
		return g.store.Look(nil)
	}
	if !over.Fits(g.manifest) {
		return nil, store.View{}, errMoved
	}
	return g.store.Look(over.Over())
}
