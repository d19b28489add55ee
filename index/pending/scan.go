package pending

import (
	"bytes"
	"cmp"
	"context"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/query"
	"sort"

	"slices"
	"strings"
	"sync"
	"time"

	"kist/index/analyze"
	"kist/index/bm25"
	"kist/index/day"
	"kist/index/intake"
	"kist/index/parallel"
	"kist/index/sift"
)

const (
	// surveyFiles are prepared to learn what the others are like.
	surveyFiles = 64
	// surveyBytes is about how much of each of them is.
	surveyBytes = 256 << 10
	// keyFiles that seem to have a key in their front matter are prepared, so that it
	// is known whether there is such a key.
	keyFiles = 3
	// prepareShare of the time is left for preparing the candidates, prepareTime at most.
	prepareShare = 3 // one in
	prepareTime  = 600 * time.Millisecond
)

// What a scan finds out about a file.
type seen struct {
	read      bool
	out       bool
	candidate bool
	key       bool // seems to have a key that is asked for
	counts    []float64
	words     uint64 // which of plan.counted are there
}

// scan finds the candidates: files that may meet a clause and can be hits. It reads
// every file, which is ten times as fast as preparing it.
func (p *Plan) scan(ctx context.Context) error {
	f := p.Desk.folder()
	p.terms = map[string]int{}
	p.survey(ctx)
	probes := p.probes(f)
	found := make([]seen, len(p.files))
	p.certain = len(probes) > 0 && !slices.ContainsFunc(p.Clauses, func(c query.Clause) bool { return c.Filter != "" || c.Not || c.Fields != 0 }) &&
		!slices.ContainsFunc(probes, func(q probe) bool { return q.word == nil })
	deadline := p.Deadline.Add(-min(time.Until(p.Deadline)/prepareShare, prepareTime))
	var scratches sync.Pool
	parallel.Do(ctx, len(p.files), func(i int) {
		if time.Now().After(deadline) {
			return
		}
		if p.refuses(p.files[i].Path) {
			found[i] = seen{read: true, out: true}
			return
		}
		s, _ := scratches.Get().(*sifting)
		if s == nil {
			s = newSifting(len(probes))
		}
		found[i] = p.look(ctx, f, probes, p.files[i], s)
		scratches.Put(s)
	})
	p.sort(found, probes)
	return ctx.Err()
}

// refuses reports whether a file can't be a hit because of its path.
func (p *Plan) refuses(path string) bool {
	return slices.ContainsFunc(p.Clauses, func(c query.Clause) bool {
		return c.Filter == page.FieldPath && query.MatchesPath(c.Text, path) == c.Not
	})
}

// A sample tells what pending files are like, from some of them.
type sample struct {
	files          int
	manifest.Entry                // the sums of theirs
	spoken         map[string]int // how many are in a language; by analyzer
}

// languages are those of n files like the sample.
func (s *sample) languages(n int) map[string]int {
	out := map[string]int{}
	if s != nil {
		for name, count := range s.spoken {
			out[name] = (count*n + s.files - 1) / s.files
		}
	}
	return out
}

// survey takes a sample, once for each comparison with the disk.
func (p *Plan) survey(ctx context.Context) {
	d := p.Desk
	d.mu.Lock()
	p.sample = d.sample
	d.mu.Unlock()
	if p.sample != nil {
		return
	}
	n := min(len(p.files), surveyFiles)
	s := &sample{files: max(1, n), spoken: map[string]int{}}
	var mu sync.Mutex
	parallel.Do(ctx, n, func(i int) {
		file := p.files[i*len(p.files)/n]
		release, err := p.hold(ctx, file)
		if err != nil {
			return
		}
		defer release()
		f, err := d.files.Reader().Read(file.Path)
		if err != nil {
			return
		}
		e := survey(f, d.files.Langs.Of(f.Lang))
		mu.Lock()
		defer mu.Unlock()
		s.Size += e.Size
		s.Entries += e.Entries
		s.Sections += e.Sections
		for f, n := range e.Tokens {
			s.Tokens[f] += n
		}
		if f.Text != nil {
			s.spoken[analyze.NameOf(f.Lang)]++
		}
	})
	p.sample = s
	d.mu.Lock()
	d.sample = s
	d.mu.Unlock()
}

// survey is what a file's entries say of others like it; of a long file, the first ones.
func survey(f *page.File, a analyze.Analyzer) (e manifest.Entry) {
	e.Size = int64(len(f.Raw))
	for i, doc := range f.LayOut(a) {
		if len(f.Entries) > 0 && f.Sections[f.Entries[i].From].Start > surveyBytes {
			e.Size = int64(f.Sections[f.Entries[i].From].Start)
			break
		}
		doc.Analyse()
		e.Entries++
		e.Sections += max(1, doc.Text.Sections())
		for f, n := range doc.Lengths() {
			e.Tokens[f] += n
		}
	}
	return e
}

// A sifting is what one goroutine keeps from file to file.
type sifting struct {
	buffer []byte
	known  []sift.Known // by probe
}

func newSifting(probes int) *sifting {
	s := &sifting{known: make([]sift.Known, probes)}
	for i := range s.known {
		s.known[i] = sift.Known{}
	}
	return s
}

// look reads one file.
func (p *Plan) look(ctx context.Context, f *sift.Folder, probes []probe, file File, kept *sifting) seen {
	release, err := p.hold(ctx, file)
	if err != nil {
		return seen{} // unread
	}
	defer release()
	raw, _, err := p.Desk.files.Source.ReadHead(file.Path, page.MaxFile)
	if err != nil {
		return seen{} // unread
	}
	s := f.NewText(kept.buffer, page.PathWords(file.Path), raw)
	if len(raw) <= intake.BatchBytes { // what is larger is gone when the room for it is given back
		kept.buffer = s.Buffer()
	}
	out := seen{read: true, counts: make([]float64, len(probes))}
	ranked, matched := false, false
	for i := range probes {
		q := &probes[i]
		if met, certain := p.dated(q.clause, s, file); certain {
			out.out = out.out || !met
			continue
		}
		n, words, ok := p.may(q, s, file.Path, kept.known[i])
		out.words |= words
		out.candidate = out.candidate || ok
		out.out = out.out || q.required && !ok
		if q.text {
			ranked, matched = true, matched || ok
			out.counts[i] = bm25.TF(float64(n), float64(len(raw)), typicalFile)
		}
		out.key = out.key || q.clause.Filter == page.FieldProperty && hasKey(raw, q.clause.Key)
	}
	out.out = out.out || ranked && !matched
	for i, n := range p.counted {
		if p.told>>i&1 == 0 && n.Count(s) > 0 {
			out.words |= 1 << i
		}
	}
	return out
}

// typicalFile is the length of one in bytes.
const typicalFile = 3500

// dated tells whether a file meets a condition on its date, where that is certain.
func (p *Plan) dated(c query.Clause, s *sift.Text, file File) (met, certain bool) {
	if c.Filter != query.FilterAfter && c.Filter != query.FilterBefore || hasKey(s.Raw, "date") || hasKey(s.Raw, "created") {
		return false, false
	}
	limit, err := query.QueryDay(c.Filter, c.Text)
	met = (day.Of(file.Info.ModTime) >= limit) == (c.Filter == query.FilterAfter)
	return met != c.Not, err == nil
}

// may is probe.may, and for what isn't seen from the text.
func (p *Plan) may(q *probe, s *sift.Text, path string, known sift.Known) (int, uint64, bool) {
	c := q.clause
	switch c.Filter {
	case query.FilterAfter, query.FilterBefore:
		return 1, 0, true // the front matter may say so
	case page.FieldProject:
		return 1, 0, query.MatchesValue(c.Text, p.Desk.files.Vault.ProjectOf(path))
	case page.FieldType:
		if query.MatchesValue(strings.ToLower(c.Text), strings.ToLower(p.Desk.files.Vault.TypeOf(path))) {
			return 1, 0, true
		}
	}
	return q.may(s, known)
}

// hasKey reports whether a text seems to have a front matter with a key.
func hasKey(raw []byte, key string) bool {
	matter := frontMatter(raw)
	return matter != nil && bytes.Contains(bytes.ToLower(matter), []byte(strings.ToLower(key)))
}

// frontMatter is what a text begins with up to the end of what may be its front matter; nil:
// it has none.
func frontMatter(raw []byte) []byte {
	raw = raw[:min(len(raw), 64<<10)]
	if !bytes.HasPrefix(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), []byte("---")) {
		return nil
	}
	if end := bytes.Index(raw, []byte("\n---")); end >= 0 {
		raw = raw[:end]
	}
	return raw
}

// sort makes lists of what was found, the candidates as a search would rank them.
func (p *Plan) sort(found []seen, probes []probe) {
	type candidate struct {
		File
		counts []float64
		words  uint64
		score  float64
	}
	var all []candidate
	having := make([]float64, len(probes))
	keys := 0
	p.elsewhere = make([]int, len(p.counted))
	for i, s := range found {
		if s.key && keys < keyFiles {
			keys++
			s.candidate, s.out = true, false
		}
		if s.out || !s.candidate {
			for j := range p.elsewhere {
				p.elsewhere[j] += int(s.words >> j & 1)
			}
		}
		switch {
		case !s.read:
			p.unread++
		case s.out:
			p.out = append(p.out, p.files[i].Path)
		case s.candidate:
			all = append(all, candidate{File: p.files[i], counts: s.counts, words: s.words})
			for j, n := range s.counts {
				if n > 0 {
					having[j]++
				}
			}
		default:
			p.rest = append(p.rest, p.files[i])
		}
	}
	for i := range all {
		for j, tf := range all[i].counts {
			all[i].score += bm25.Saturated(bm25.IDF(having[j], float64(len(found))), tf)
		}
	}
	compare := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), newestFirst(a.File, b.File))
	}
	sort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	for _, c := range all {
		p.candidates = append(p.candidates, c.File)
		p.having = append(p.having, c.words)
	}
}
