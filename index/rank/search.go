package rank

import (
	"context"
	"kist/index/embed"
	"kist/index/intake"
	"kist/index/manifest"
	"kist/index/match"
	"kist/index/pending"
	"kist/index/query"
	"kist/index/store"
	"kist/index/vector"
	"slices"
	"strings"
	"sync"
	"time"
)

// MaxRead is how many documents are read to check phrases, best first.
const MaxRead = 5000

// A Desk is what all searches of an index share.
type Desk struct {
	Files  *intake.Files
	Lock   sync.Locker      // under which manifests are read
	Now    func() time.Time // of which the day counts; see RecencyPart
	Enough int              // enoughFiles

	scratch sync.Pool // of *scratch
	matches sync.Pool // of *[]vector.Match
	buffers sync.Pool // of *[]byte
	recent  recent
}

// NewDesk returns the desk of an index.
func NewDesk(files *intake.Files, lock sync.Locker) *Desk {
	return &Desk{Files: files, Lock: lock, Now: time.Now, Enough: enoughFiles}
}

// A Holding is what a search looks into.
type Holding struct {
	Snapshot *store.Snapshot
	View     store.View
	Over     *pending.Overlay   // nil: none
	Manifest *manifest.Manifest // under the desk's lock
	Learned  *Meaning           // nil: none
	Served   *Meaning           // made by a server; nil: none, or not complete
	Server   Server             // nil: there is none
}

// A Meaning is vectors of documents, and the model that made them, if that is at hand.
type Meaning struct {
	Model *embed.Model
	Set   *vector.Set
}

// A Server makes vectors of texts.
type Server interface {
	// Query is the vector of a text, if it is wanted and can be had in a moment; else the server
	// may be asked whether it is back.
	Query(ctx context.Context, text string, wanted bool) []float32
}

// A Search is the work on one query.
type Search struct {
	*scorer
	Desk     *Desk
	Manifest *manifest.Manifest // under the index's mutex
	Limit    int
	all      bool // the query's text is empty
	clauses  []query.Clause
	checks   []check  // what only the files can tell
	showing  []check  // what hits must pass before they are shown
	stops    []string // words to look for in the files
	UpToDate bool     // if the index turns out not to be, the result is thrown away
	Cut      bool     // something was left out
	Skip     func(path string) bool
	leftOut  func(path string) bool // nil: nothing is
	matcher  match.Matcher
	mode     query.Mode
	Vectors  *Meaning // nil: search by words alone
	Served   *Meaning // made by a server; nil: none, or not complete
	Server   Server
	trace    *trace             // nil: nothing is to be explained
	floor    float32            // cosine from which on a document is near
	idfs     map[string]float64 // by term, of those asked for
}

// New makes a search. The desk's lock is held; the caller closes the search.
func New(d *Desk, h Holding, q query.Query, clauses []query.Clause) *Search {
	old, _ := d.scratch.Get().(*scratch)
	return &Search{
		scorer: newScorer(h.Snapshot, h.Over, h.View, h.Manifest, old), Desk: d, Manifest: h.Manifest, clauses: clauses,
		Limit: q.Most(), all: strings.TrimSpace(q.Text) == "", mode: q.Mode, Vectors: h.Learned, Served: h.Served, Server: h.Server,
		matcher: match.Matcher{Terms: map[string]float64{}},
	}
}

// Keep gives back the memory that a search took, which has succeeded.
func (s *Search) Keep() {
	s.reset()
	s.Desk.scratch.Put(s.scratch)
}

func (s *Search) Close() { s.Snapshot.Close() }

// Run carries out the query. Where that succeeds the memory it took is kept.
func (s *Search) Run(ctx context.Context) (*Results, error) {
	if err := s.resolve(); err != nil {
		return nil, err
	}
	accept, err := s.filter()
	if err != nil {
		return nil, err
	}
	groups, err := s.positives()
	if err != nil {
		return nil, err
	}
	res := &Results{}
	var found []ranked
	switch {
	case len(groups) > 0:
		found, res.Corrected, err = s.rank(ctx, groups)
		if err == nil && len(found) == 0 && s.rare(groups) {
			found, err = s.scan(ctx, accept)
		}
	case len(s.stops) > 0:
		found, err = s.scan(ctx, accept)
	case s.listing():
		found, err = s.everything()
	}
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(r ranked) bool {
		return !accept(r.file) || s.Skip != nil && s.Skip(s.View.Paths[r.file])
	})
	if len(s.checks) > 0 {
		if found, err = s.verify(ctx, found); err != nil {
			return nil, err
		}
	}
	if err := s.place(ctx, groups, found); err != nil {
		return nil, err
	}
	// Nothing is added to what has to be there for sure, or to what has the one word asked for.
	hard := len(s.checks) > 0 || s.mode == query.Hybrid && len(groups) == 1 && len(found) > 0 || slices.ContainsFunc(groups, func(g group) bool { return g.required })
	wanted := func(file int32) bool {
		return accept(file) && (s.Skip == nil || !s.Skip(s.View.Paths[file]))
	}
	if found, err = s.near(ctx, found, groups, hard, wanted); err != nil {
		return nil, err
	}
	var called map[int32]bool
	s.leftOut = leftOut(s)
	if err := putLast(s, found); err != nil {
		return nil, err
	}
	if len(groups) > 0 {
		if called, err = named(s); err != nil {
			return nil, err
		}
	}
	res.Partial = s.Cut
	res.Total = len(found) + s.over.Further()
	return s.show(ctx, res, s.favourRecent(ctx, found, called))
}

// show fills in the hits of the best documents found.
func (s *Search) show(ctx context.Context, res *Results, found []ranked) (*Results, error) {
	// Some more, in case files are gone.
	best := top(found, s.Limit+50, s.View.Paths)
	if len(s.matcher.Prefixes) > 0 {
		s.matcher.Words = nil // what begins so is many terms
	}
	s.matcher.Prepare()
	for len(res.Hits) < s.Limit && len(best) > 0 && ctx.Err() == nil {
		n := min(s.Limit-len(res.Hits), len(best))
		hits := s.hits(ctx, best[:n])
		res.Total -= n - len(hits)
		res.Hits = append(res.Hits, hits...)
		best = best[n:]
	}
	return res, ctx.Err()
}

// rare reports whether all that is looked for are words which the index may lack in
// some language, and makes them what a scan looks for.
func (s *Search) rare(groups []group) bool {
	if slices.ContainsFunc(groups, func(g group) bool { return !g.rare || g.phrase || g.fields != 0 }) {
		return false
	}
	s.stops = nil
	for _, c := range s.clauses {
		if c.Filter == "" && !c.Not {
			s.stops = append(s.stops, c.Text)
		}
	}
	return true
}

// listing reports whether all documents that pass the filters are asked for:
// there is no text, or only what it must not have, or a phrase of stop words
// alone, which the index doesn't know and only the files can tell.
func (s *Search) listing() bool {
	filters := len(s.clauses) > 0 && !slices.ContainsFunc(s.clauses, func(c query.Clause) bool { return c.Filter == "" && !c.Not && !c.Phrase })
	return s.all || filters || len(s.checks) > 0
}

// positives returns what to look for; phrases are groups as well, and checks. Words
// that say nothing count only where there are no others.
func (s *Search) positives() (groups []group, err error) {
	for _, c := range s.clauses {
		if c.Filter != "" || c.Not {
			continue
		}
		g, err := s.group(c)
		if err != nil {
			return nil, err
		}
		switch {
		case c.Phrase:
			p := match.NewPhrase(c.Text)
			s.matcher.Phrases = append(s.matcher.Phrases, p)
			s.checks = append(s.checks, check{phrase: p, text: c.Text, fields: c.Fields})
			if g.stop {
				continue
			}
		case g.stop && c.Fields != 0:
			s.checks = append(s.checks, check{phrase: match.NewPhrase(c.Text), fields: c.Fields})
			continue
		case g.stop:
			s.stops = append(s.stops, c.Text)
			continue
		}
		if len(g.ways) > 0 {
			groups = append(groups, g)
		}
		if c.Prefix {
			s.matcher.Prefixes = append(s.matcher.Prefixes, g.prefix)
		}
	}
	return groups, nil
}
