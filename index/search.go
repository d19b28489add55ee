package index

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	bleve "github.com/blevesearch/bleve_index_api"

	"kist/vault"
)

// maxVerified is how many documents are read to check phrases, best first.
const maxVerified = 5000

// Results of one query.
type Results struct {
	Hits      []Hit // best first
	Total     int   // documents that match
	Partial   bool  // a phrase had too many candidates to check them all
	Corrected map[string]string
	Freshness Freshness
}

// A Hit is the best section of one document.
type Hit struct {
	Path       string
	Line       int    // 1-based, where the excerpt starts in the live file
	Heading    string // heading path, "Plan > Costs"
	Excerpt    string // from the live file: one to three lines of plain text
	Highlights []Span // what matched in the excerpt, in order
	Score      float64
	Project    string
	Title      string
	Type       string
	Tags       []string
}

// A Span is a half-open byte range of an excerpt.
type Span struct{ Start, End int }

// Search answers a query from what is indexed now. It returns an error that
// wraps ErrQuery for a query that can't be carried out, ErrClosed, or ctx's.
// Where no document has any of the words, ones that differ by one letter are
// tried; Results.Corrected says so.
func (x *Index) Search(ctx context.Context, q Query) (res *Results, err error) {
	clauses, err := q.clauses()
	if err != nil {
		return nil, err
	}
	// A damaged index file shows as a panic or, being mapped, as a memory fault.
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if p := recover(); p != nil {
			err = fmt.Errorf("search: %w: %v; rebuild it", errDamaged, p)
		}
	}()
	s, err := x.newSearch(ctx, q, clauses)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if res, err = s.run(); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return res, nil
}

// A search is the work on one query.
type search struct {
	*scorer
	ctx     context.Context // of this call
	index   *Index
	times   func(path string) int64
	limit   int
	all     bool // the query's text is empty
	clauses []clause
	matcher matcher
}

func (x *Index) newSearch(ctx context.Context, q Query, clauses []clause) (*search, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.current == nil {
		return nil, ErrClosed
	}
	r, err := x.current.store.reader()
	if err != nil {
		return nil, err
	}
	v, err := x.current.store.tables.view(r)
	if err != nil {
		r.Close()
		return nil, err
	}
	s := &search{
		scorer: newScorer(r, v, x.current.manifest), ctx: ctx, index: x, clauses: clauses,
		limit: q.Limit, all: strings.TrimSpace(q.Text) == "",
		matcher: matcher{analyzer: x.analyzer, terms: map[string]float64{}},
	}
	m := x.current.manifest
	s.times = func(path string) int64 { // newest first needs them all at once
		return m.files[path].mtime
	}
	if s.limit <= 0 {
		s.limit = 10
	}
	s.limit = min(s.limit, maxLimit)
	return s, nil
}

func (s *search) close() { s.snapshot.Close() }

func (s *search) run() (*Results, error) {
	accept, err := s.filter()
	if err != nil {
		return nil, err
	}
	groups, phrases, err := s.positives()
	if err != nil {
		return nil, err
	}
	res := &Results{}
	var found []ranked
	switch {
	case len(groups) > 0:
		found, res.Corrected, err = s.rank(groups)
	case s.listing(phrases):
		found, err = s.everything()
	}
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(r ranked) bool { return !accept(r.file) })
	if len(phrases) > 0 {
		if found, res.Partial, err = s.verify(found, phrases); err != nil {
			return nil, err
		}
	}
	res.Total = len(found)
	for _, r := range top(found, s.limit+50, s.view.paths) {
		if len(res.Hits) == s.limit {
			break
		}
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		hit, ok := s.hit(r)
		if !ok {
			res.Total--
			continue
		}
		res.Hits = append(res.Hits, hit)
	}
	res.Freshness = s.index.Freshness()
	return res, nil
}

// listing reports whether all documents that pass the filters are asked for:
// there is no text, or only what it must not have, or a phrase of stop words
// alone, which the index doesn't know and only the files can tell.
func (s *search) listing(phrases []phrase) bool {
	filters := len(s.clauses) > 0 && !slices.ContainsFunc(s.clauses, func(c clause) bool { return c.filter == "" && !c.not && !c.phrase })
	return s.all || filters || len(phrases) > 0
}

// positives returns what to look for; phrases are groups as well.
func (s *search) positives() (groups []group, phrases []phrase, err error) {
	for _, c := range s.clauses {
		if c.filter != "" || c.not {
			continue
		}
		g, err := s.index.group(s.snapshot, c)
		if err != nil {
			return nil, nil, err
		}
		g.phrase = c.phrase
		if len(g.terms) > 0 {
			groups = append(groups, g)
		}
		if c.phrase {
			phrases = append(phrases, newPhrase(c.text))
		}
		if c.prefix {
			s.matcher.prefixes = append(s.matcher.prefixes, g.prefix)
		}
	}
	s.matcher.phrases = phrases
	return groups, phrases, nil
}

// rank scores the groups and returns the files that may match. Where there is
// nothing at all, the words are spelt anew.
func (s *search) rank(groups []group) (found []ranked, corrected map[string]string, err error) {
	if err := s.scoreAll(groups); err != nil {
		return nil, nil, err
	}
	if len(s.touched) == 0 {
		if corrected, err = s.respellAll(groups); err != nil || len(corrected) == 0 {
			return nil, nil, err
		}
		if err := s.scoreAll(groups); err != nil {
			return nil, nil, err
		}
	}
	found = s.best()
	for _, g := range groups {
		if !g.phrase {
			continue
		}
		// A document with a phrase has its words; so fewer have to be read.
		having, err := s.files(g)
		if err != nil {
			return nil, nil, err
		}
		found = slices.DeleteFunc(found, func(r ranked) bool { return !having[r.file] })
	}
	return found, corrected, nil
}

// respellAll corrects the words of groups and returns what became of which.
func (s *search) respellAll(groups []group) (map[string]string, error) {
	corrected := map[string]string{}
	for i, g := range groups {
		if g.phrase || g.prefix != "" {
			continue
		}
		for j, t := range g.terms {
			better, err := respell(s.snapshot, t[0])
			if err == nil && better == "" {
				// A misspelt ending can be taken for a suffix and cut off.
				better, err = respell(s.snapshot, g.words[j])
			}
			if err != nil {
				return nil, err
			}
			if better != "" {
				corrected[g.words[j]] = better
				groups[i].terms[j] = []string{better}
			}
		}
	}
	return corrected, nil
}

func (s *search) scoreAll(groups []group) error {
	for _, g := range groups {
		idfs, err := s.add(g)
		if err != nil {
			return err
		}
		for i, alternatives := range g.terms {
			for _, t := range alternatives {
				s.matcher.terms[t] = max(s.matcher.terms[t], idfs[i])
			}
		}
	}
	return nil
}

// everything returns all files, scored by their modification time.
func (s *search) everything() ([]ranked, error) {
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	seen := make([]bool, len(s.view.paths))
	var out []ranked
	offset := 0
	for _, segment := range s.snapshot.Segments() {
		for live := segment.DocNumbersLive().Iterator(); live.HasNext(); {
			file := s.view.refs[offset+int(live.Next())].file
			if !seen[file] {
				seen[file] = true
				out = append(out, ranked{file: file, time: s.times(s.view.paths[file])})
			}
		}
		offset += int(segment.Segment().Count())
	}
	return out, nil
}

// verify keeps the files whose live text has all phrases.
func (s *search) verify(found []ranked, phrases []phrase) (kept []ranked, partial bool, err error) {
	slices.SortFunc(found, byRank(s.view.paths))
	for i, r := range found {
		if err := s.ctx.Err(); err != nil {
			return nil, false, err
		}
		if i == maxVerified {
			return kept, true, nil
		}
		ok, err := s.index.contains(s.view.paths[r.file], phrases)
		if ok && err == nil { // one that can't be read is no hit
			kept = append(kept, r)
		}
	}
	return kept, false, nil
}

// filter returns the predicate that filters and exclusions make together.
func (s *search) filter() (func(file int32) bool, error) {
	var tests []func(int32) bool
	for _, c := range s.clauses {
		if c.filter == "" && !c.not {
			continue
		}
		test, err := s.test(c)
		if err != nil {
			return nil, err
		}
		if c.not {
			positive := test
			test = func(file int32) bool { return !positive(file) }
		}
		tests = append(tests, test)
	}
	return func(file int32) bool {
		for _, test := range tests {
			if !test(file) {
				return false
			}
		}
		return true
	}, nil
}

// test returns the predicate of one filter or exclusion.
func (s *search) test(c clause) (func(file int32) bool, error) {
	switch c.filter {
	case fieldPath:
		prefix := strings.TrimPrefix(c.text, "/")
		return func(file int32) bool { return strings.HasPrefix(s.view.paths[file], prefix) }, nil
	case fieldTag:
		c.text = normalTag(c.text)
	case fieldType:
		c.text = strings.ToLower(c.text)
	case "":
		g, err := s.index.group(s.snapshot, c)
		if err != nil {
			return nil, err
		}
		set, err := s.files(g)
		if err != nil || !c.phrase {
			return func(file int32) bool { return set[file] }, err
		}
		p := []phrase{newPhrase(c.text)}
		return func(file int32) bool {
			has, err := s.index.contains(s.view.paths[file], p)
			return err == nil && has && (set[file] || len(g.terms) == 0)
		}, nil
	}
	set := map[int32]bool{}
	err := postings(s.snapshot, c.filter, []byte(c.text), func(d *bleve.TermFieldDoc) error {
		set[s.view.refs[d.ID.Value()].file] = true
		return nil
	})
	return func(file int32) bool { return set[file] }, err
}

// hit makes a result from the live file; false when there is none any more.
func (s *search) hit(r ranked) (Hit, bool) {
	path := s.view.paths[r.file]
	f, err := s.index.readFile(path)
	switch {
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular):
		return Hit{}, false
	case err != nil:
		f = &file{path: path, title: path}
	}
	h := Hit{Path: path, Line: 1, Score: float64(r.score), Project: f.project, Title: plain(f.title), Type: f.kind, Tags: f.tags}
	s.matcher.excerpt(f, int(r.ordinal), &h)
	return h, true
}

// byRank orders by score, then newest first, then by path.
func byRank(paths []string) func(a, b ranked) int {
	return func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.time, a.time), strings.Compare(paths[a.file], paths[b.file]))
	}
}

// top returns the n best, in order.
func top(all []ranked, n int, paths []string) []ranked {
	h := &worstFirst{order: byRank(paths)}
	for _, r := range all {
		switch {
		case len(h.items) < n:
			heap.Push(h, r)
		case h.order(r, h.items[0]) < 0:
			h.items[0] = r
			heap.Fix(h, 0)
		}
	}
	slices.SortFunc(h.items, h.order)
	return h.items
}

// worstFirst is a heap of the best so far.
type worstFirst struct {
	items []ranked
	order func(a, b ranked) int
}

func (h *worstFirst) Len() int           { return len(h.items) }
func (h *worstFirst) Less(i, j int) bool { return h.order(h.items[i], h.items[j]) > 0 }
func (h *worstFirst) Swap(i, j int)      { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *worstFirst) Push(r any)         { h.items = append(h.items, r.(ranked)) }
func (h *worstFirst) Pop() any           { panic("not used") }
