package rank

import (
	"errors"
	"slices"

	"kist/index/manifest"
	"kist/index/page"
	"kist/index/pending"
	"kist/index/store"

	"kist/index/bm25"
)

// What is counted is bleve's postings, by BM25F. bleve's own scores depend on how its segments
// happen to be merged.

// weights of the fields: how many times a word there counts. A title counts
// double, as if it were indexed twice.
var weights = [page.NumFields]float64{page.FieldTitle: 2, page.FieldHeadings: 1, page.FieldBody: 1, page.FieldMeta: 1}

// frequency is how often a term is in a field of so many words, weighted and normalised.
func (s *scorer) frequency(f page.Field, n, words float64) float64 {
	return weights[f] * bm25.TF(n, words, s.average[f])
}

// A scorer adds up the scores of all entries for one query on one snapshot.
type scorer struct {
	Snapshot  *store.Snapshot
	over      *pending.Overlay // that is laid over it; nil: none
	View      store.View
	documents int
	average   [page.NumFields]float64 // length of a field
	section   float64                 // length of a section's body

	*scratch
}

// A scratch is the memory that scoring needs, kept from query to query. Between
// queries all of it is zero but inFile, term and files.
type scratch struct {
	scores  []float32 // by entry
	touched []uint32  // entries with a score
	tf      []float32 // by entry: of the term at hand
	found   []uint32  // entries that have it
	entries []uint32  // that have the first term of the way at hand
	matched []uint8   // by entry: terms of the way at hand that were found
	sum     []float32 // by entry: of the way's scores
	best    []float32 // by entry: of the group's ways
	inFile  []int32   // by file: the number of the term that last met it
	term    int32
	place   []int32  // by file: one more than where it is among the files
	files   []ranked // of the last ranking
	room    store.Room
}

func newScratch(entries, files int) *scratch {
	return &scratch{
		scores: make([]float32, entries), tf: make([]float32, entries), matched: make([]uint8, entries),
		sum: make([]float32, entries), best: make([]float32, entries), inFile: make([]int32, files), place: make([]int32, files),
	}
}

func (s *scratch) fits(entries, files int) bool {
	return len(s.scores) >= entries && len(s.inFile) >= files && s.term < 1<<30
}

func (s *scratch) reset() {
	for _, e := range s.touched {
		s.scores[e] = 0
	}
	s.touched = s.touched[:0]
}

func newScorer(r *store.Snapshot, over *pending.Overlay, v store.View, m *manifest.Manifest, old *scratch) *scorer {
	if old == nil || !old.fits(len(v.Refs), len(v.Paths)) {
		old = newScratch(len(v.Refs)*9/8, len(v.Paths)*9/8) // room for what is saved next
	}
	n := over.Count(m)
	r.Room = &old.room
	s := &scorer{Snapshot: r, over: over, View: v, documents: n.Files, scratch: old}
	for f := range page.NumFields {
		per := n.Entries
		if f == page.FieldMeta {
			per = n.Files
		}
		s.average[f] = max(1, float64(n.Tokens[f])/float64(max(1, per)))
	}
	s.section = max(1, float64(n.Tokens[page.FieldBody])/float64(max(1, n.Sections)))
	return s
}

// add scores a group: entries that have all terms of one of its ways get the sum of
// the terms' scores, of the best way where there are several. It notes in the ways what was
// found of their terms, and returns those entries.
func (s *scorer) add(g *group) (found []uint32, err error) {
	for i := range g.ways {
		w := &g.ways[i]
		entries, err := s.addWay(w, g.fields)
		if err != nil {
			return nil, err
		}
		found = slices.Grow(found, len(entries))
		for _, e := range entries {
			if int(s.matched[e]) == len(w.terms) {
				if s.best[e] == 0 {
					found = append(found, e)
				}
				s.best[e] = max(s.best[e], s.sum[e])
			}
			s.matched[e], s.sum[e] = 0, 0
		}
	}
	for _, e := range found {
		if s.scores[e] == 0 {
			s.touched = append(s.touched, e)
		}
		s.scores[e] += s.best[e]
		s.best[e] = 0
	}
	return found, nil
}

// addWay sums up the scores of the entries that have all terms of a way; these have as many in
// s.matched, and others that it returns have fewer. What it returns counts until it is called again.
func (s *scorer) addWay(w *way, fields page.Fields) (entries []uint32, err error) {
	if w.found = make([]foundTerm, len(w.terms)); len(w.terms) > 1 {
		return s.addAll(w, fields)
	}
	entries = s.entries[:0]
	for i, alternatives := range w.terms {
		found, err := s.lookup(&w.found[i], alternatives, fields)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			s.addTerm(e, w.found[i].idf)
			s.matched[e]++
			entries = append(entries, e)
		}
	}
	s.entries = entries
	return entries, nil
}

// addTerm adds what a term is worth to the sum of an entry, by its frequency.
func (s *scorer) addTerm(e uint32, idf float64) {
	s.sum[e] += float32(bm25.Saturated(idf, float64(s.tf[e])))
	s.tf[e] = 0
}

// addAll is addWay for several terms: which entries have all of them is told by numbers alone, and
// only of these frequencies are read.
func (s *scorer) addAll(w *way, fields page.Fields) (entries []uint32, err error) {
	entries = s.entries[:0]
	for i, alternatives := range w.terms {
		t := &w.found[i]
		if t.lists, _, err = s.Snapshot.Lists(alternatives, fields); err != nil {
			return nil, err
		}
		files := s.counter()
		for _, h := range t.lists {
			err := h.Entries(s.Snapshot.Room, func(e uint32) {
				if !s.Snapshot.Counts(e) {
					return
				}
				files.add(e)
				if int(s.matched[e]) != i {
					return // it lacks an earlier term, or has this one in another field as well
				}
				s.matched[e]++
				if i == 0 {
					entries = append(entries, e)
				}
			})
			if err != nil {
				return nil, err
			}
		}
		s.tell(t, files.n, alternatives)
	}
	s.entries = entries
	var all []uint32
	for _, e := range entries {
		if int(s.matched[e]) == len(w.terms) {
			all = append(all, e)
		}
	}
	return entries, s.Snapshot.Candidates(all, func(seg store.Segment, among []store.Candidate) error {
		for _, t := range w.found {
			if err := s.addAmong(t, seg, among, all); err != nil {
				return err
			}
		}
		return nil
	})
}

// addAmong adds what a term is worth to the sums of a segment's candidates of some entries.
func (s *scorer) addAmong(t foundTerm, seg store.Segment, among []store.Candidate, entries []uint32) error {
	for _, h := range t.lists {
		if h.First != seg.First {
			continue
		}
		for _, l := range h.Lists {
			err := l.Among(s.Snapshot.Room, among, false, func(c store.Candidate, p store.Posting) {
				s.tf[entries[c.Of]] += float32(s.frequency(l.Field, float64(p.Frequency()), p.Length()))
			})
			if err != nil {
				return err
			}
		}
	}
	for _, c := range among {
		s.addTerm(entries[c.Of], t.idf)
	}
	return nil
}

// lookup finds the entries that have one of the alternatives. Their weighted and
// length-normalised frequencies are in s.tf.
func (s *scorer) lookup(t *foundTerm, alternatives []string, fields page.Fields) (found []uint32, err error) {
	var total uint64
	if t.lists, total, err = s.Snapshot.Lists(alternatives, fields); err != nil {
		return nil, err
	}
	if found, err = s.gather(t.lists, total); err != nil {
		return nil, err
	}
	files := s.counter()
	for _, e := range found {
		files.add(e)
	}
	s.tell(t, files.n, alternatives)
	return found, nil
}

// A counter counts the files of entries, each once.
type counter struct {
	*scorer
	n int
}

func (s *scorer) counter() counter {
	s.term++
	return counter{scorer: s}
}

func (c *counter) add(e uint32) {
	if file := c.View.Refs[e].File; c.inFile[file] != c.term {
		c.inFile[file] = c.term
		c.n++
	}
}

// tell notes how telling a term is that so many files of the snapshot have. It counts files, not
// sections: a word of a long document's title is in all its entries and no less telling for that.
func (s *scorer) tell(t *foundTerm, files int, alternatives []string) {
	t.files = files + s.over.Having(alternatives)
	t.idf = s.idf(t.files)
}

// idfOf is how telling a term is.
func (s *scorer) idfOf(term string) (float64, error) {
	lists, _, err := s.Snapshot.Lists([]string{term}, 0)
	files := s.counter()
	for _, h := range lists {
		err = errors.Join(err, h.Entries(s.Snapshot.Room, func(e uint32) {
			if s.Snapshot.Counts(e) {
				files.add(e)
			}
		}))
	}
	return s.idf(files.n), err
}

// idf is how telling a word is that so many documents have.
func (s *scorer) idf(files int) float64 {
	return max(1e-6, bm25.IDF(float64(files), float64(s.documents)))
}

// entriesWith returns the entries that have all terms of a group.
func (s *scorer) entriesWith(g *group) ([]uint32, error) {
	if len(g.ways) == 0 {
		return nil, nil
	}
	other := *s
	other.scratch = newScratch(len(s.View.Refs), len(s.View.Paths))
	return other.add(g)
}

// filesOf is the set of files that entries are of.
func (s *scorer) filesOf(entries []uint32) map[int32]bool {
	set := make(map[int32]bool, len(entries))
	for _, e := range entries {
		set[s.View.Refs[e].File] = true
	}
	return set
}

// ranking returns every file that has a score with its best entry. What it returns counts until
// the next ranking.
func (s *scorer) ranking() []ranked {
	out := s.files[:0]
	for _, e := range s.touched {
		ref := s.View.Refs[e]
		i := s.place[ref.File]
		if i == 0 {
			out = append(out, ranked{file: ref.File, at: page.PlaceOf(int(ref.Ordinal), 0), entry: e, score: s.scores[e]})
			s.place[ref.File] = int32(len(out))
			continue
		}
		if r := &out[i-1]; s.scores[e] > r.score || s.scores[e] == r.score && int(ref.Ordinal) < r.at.Entry() {
			r.score, r.at, r.entry = s.scores[e], page.PlaceOf(int(ref.Ordinal), 0), e
		}
	}
	for _, r := range out {
		s.place[r.file] = 0
	}
	s.files = out
	return out
}
