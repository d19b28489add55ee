package pending

import (
	"bytes"
	"kist/index/page"
	"kist/index/query"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"

	"kist/index/analyze"
	"kist/index/match"
	"kist/index/sift"
)

// A probe tells from the raw bytes of a file whether it may meet one clause of a query.
// It may say yes to a file that doesn't, but never no to one that does.
type probe struct {
	clause   query.Clause
	ways     []sift.Needles // one of them has to be there
	word     *sift.Word     // tells it better than the ways; nil: they alone do
	phrase   match.Phrase   // as well, as it stands
	required bool           // a file that doesn't meet it is no hit
	text     bool           // it is what hits are ranked by
	any      bool           // every file may meet it
}

// probes makes the probes of a query.
func (p *Plan) probes(f *sift.Folder) []probe {
	var all []probe
	for _, c := range p.Clauses {
		// What a path must be is seen from the path, and words that say nothing are
		// ignored, or looked for in the files anyhow.
		if c.Filter != page.FieldPath && !p.saysNothing(c) {
			q := p.probe(f, c)
			p.words(f, &q)
			all = append(all, q)
		}
	}
	return all
}

// saysNothing reports whether a search leaves a word out for certain.
func (p *Plan) saysNothing(c query.Clause) bool {
	if c.Filter != "" || c.Phrase || c.Prefix || c.Not || c.Fields != 0 {
		return false
	}
	for name, n := range p.sample.spoken {
		if n*2 > p.sample.files && len(p.Desk.files.Langs.Of(name).Analyze([]byte(c.Text))) == 0 {
			return true
		}
	}
	return false
}

func (p *Plan) probe(f *sift.Folder, c query.Clause) probe {
	q := probe{clause: c}
	switch c.Filter {
	case "":
		q.text = !c.Not
		q.required = !c.Not && (c.Phrase || c.Fields != 0)
		if c.Phrase && c.Fields == 0 {
			q.phrase = match.NewPhrase(c.Text) // which is looked for in the live text anyhow
			q.ways = []sift.Needles{nil}
			for _, w := range q.phrase {
				q.ways[0] = append(q.ways[0], f.Within(string(w)))
			}
			return q
		}
		q.ways = p.ways(f, c)
		q.any = len(q.ways) == 0
	case page.FieldLang:
		q.any, q.required = true, !c.Not
	case query.FilterAfter, query.FilterBefore:
		q.required = !c.Not
	case page.FieldProperty:
		// A key that no document has makes it a word.
		q.text = !c.Not
		key := f.Begins(c.Key)
		q.ways = []sift.Needles{{key}}
		value, _, _ := strings.Cut(strings.Join(strings.FieldsFunc(page.PropertyValue(c.Text), func(r rune) bool { return !match.IsWordRune(r) }), " "), " ")
		if value != "" {
			q.ways[0] = append(q.ways[0], f.Within(value))
		}
	default:
		q.required = !c.Not
		value := strings.TrimSuffix(c.Text, "*")
		if c.Filter == page.FieldTag {
			value = page.NormalTag(value)
		}
		q.ways = []sift.Needles{{f.Within(value)}}
	}
	return q
}

// words notes the terms that a word or phrase is ranked by, so that the files that have
// them are counted whether or not they are prepared.
func (p *Plan) words(f *sift.Folder, q *probe) {
	c := q.clause
	if c.Filter != "" || c.Not || c.Prefix {
		return
	}
	var forms []form
	single := !c.Phrase && !p.respells(c)
	for _, name := range p.languages() {
		a := p.Desk.files.Langs.Of(name)
		tokens := a.Analyze([]byte(c.Text))
		single = single && len(tokens) <= 1
		for _, t := range tokens {
			term := string(t.Term)
			if i := slices.IndexFunc(forms, func(o form) bool { return o.term == term }); i >= 0 {
				forms[i].by = append(forms[i].by, a)
				continue
			}
			forms = append(forms, form{term: term, by: []analyze.Analyzer{a}, needle: sift.NewNeedle(f, name, c.Text[t.Start:t.End], term)})
		}
	}
	all := uint64(0)
	for i := range forms {
		forms[i].bit = p.bit(forms[i])
		single = single && forms[i].bit != 0
		all |= forms[i].bit
	}
	if !single || all == 0 {
		return
	}
	q.word = sift.NewWord(c.Text, q.ways, all, func(word []byte) (found uint64) {
		for _, o := range forms {
			if o.of(word) {
				found |= o.bit
			}
		}
		return found
	})
	if q.word != nil {
		p.told |= all
	}
}

// A form is a term that some analyzers make of a word.
type form struct {
	term   string
	by     []analyze.Analyzer
	needle sift.Needle
	bit    uint64 // in plan.terms; 0: there are too many
}

// of reports whether one of its analyzers finds the term in a text.
func (o form) of(text []byte) bool {
	return slices.ContainsFunc(o.by, func(a analyze.Analyzer) bool {
		return slices.ContainsFunc(a.Analyze(slices.Clone(text)), func(t *analysis.Token) bool { return string(t.Term) == o.term })
	})
}

// bit returns the one of a term, which is noted if it wasn't.
func (p *Plan) bit(o form) uint64 {
	i, ok := p.terms[o.term]
	if !ok {
		if i = len(p.counted); i == maxTerms {
			return 0
		}
		p.counted = append(p.counted, o.needle)
		p.terms[o.term] = i
	}
	return 1 << i
}

// maxTerms are told apart by their bits.
const maxTerms = 64

// ways are the beginnings of words, one sequence of them for each language, that a text
// must have in order to have the terms.
func (p *Plan) ways(f *sift.Folder, c query.Clause) (all []sift.Needles) {
	if p.respells(c) {
		return sift.Nearly(f, c.Text)
	}
	if c.Prefix {
		all = append(all, sift.Needles{f.Begins(c.Text)})
	}
	if strings.ContainsFunc(c.Text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		all = append(all, sift.Needles{sift.OfScript(unicode.Arabic)})
	}
	for _, name := range p.languages() {
		var way sift.Needles
		for _, t := range p.Desk.files.Langs.Of(name).Analyze([]byte(c.Text)) {
			way = append(way, sift.NewNeedle(f, name, c.Text[t.Start:t.End], string(t.Term)))
		}
		if len(way) > 0 && !slices.ContainsFunc(all, way.Equal) {
			all = append(all, way)
		}
	}
	// A stem that has nothing of the word in it would be looked for in every file.
	if telling := slices.DeleteFunc(slices.Clone(all), func(w sift.Needles) bool { return slices.ContainsFunc(w, sift.Needle.Everywhere) }); len(telling) > 0 {
		all = telling
	}
	return slices.DeleteFunc(slices.Clone(all), func(w sift.Needles) bool { return w.Implied(all) })
}

// respells reports whether a word may stand for one that is nearly the same.
func (p *Plan) respells(c query.Clause) bool {
	return p.Spelling != nil && c.Plain() && p.Spelling(c.Text)
}

// languages are the analyzers that the search will ask: those of what is indexed and of the
// sample. In other languages a file is found by the word as it stands.
func (p *Plan) languages() []string {
	if p.spoken != nil {
		return p.spoken
	}
	names := map[string]bool{analyze.English: true, "plain": true}
	for name := range p.sample.spoken {
		names[name] = true
	}
	for _, l := range p.Desk.spoken() {
		names[l.Name] = true
	}
	p.spoken = slices.DeleteFunc(analyzerNames(), func(name string) bool { return !names[name] })
	return p.spoken
}

// analyzerNames lists all analyzers there are.
func analyzerNames() []string {
	return append(analyze.Stemmed(), "bg", "ca", "cjk", "cs", "el", "eu", "ga", "gl", "hy", "id", "plain")
}

// may reports whether a file may meet the clause, how often what it needs is there, and
// which of the plan's terms, as far as it tells these.
func (q *probe) may(s *sift.Text, known sift.Known) (n int, terms uint64, ok bool) {
	if q.any {
		return 1, 0, true
	}
	if q.phrase != nil {
		for _, n := range q.ways[0] {
			if n.Count(s) == 0 {
				return 0, 0, false
			}
		}
		return 1, 0, q.phrase.In(s.Lower())
	}
	if q.word != nil {
		n, terms = q.word.Find(s, known)
		return n, terms, n > 0
	}
	if c := q.clause; c.Filter == page.FieldTag && !tagged(s, strings.TrimSuffix(page.NormalTag(c.Text), "*")) {
		return 0, 0, false
	}
	for _, w := range q.ways {
		least := sift.MaxCounted
		for _, needle := range w {
			if least = min(least, needle.Count(s)); least == 0 {
				break
			}
		}
		n = max(n, least)
	}
	return n, 0, n > 0
}

// tagged reports whether a text may have a tag that begins so: behind a #, or anywhere in
// its front matter.
func tagged(s *sift.Text, tag string) bool {
	text, tag := s.LowerASCII(), strings.ToLower(tag)
	matter := len(frontMatter(text))
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(tag))
		if i < 0 {
			return strings.ContainsFunc(tag, func(r rune) bool { return r >= utf8.RuneSelf }) // which may be in other letters
		}
		at += i + len(tag)
		before := text[:at-len(tag)]
		if at <= matter || bytes.ContainsRune(before[bytes.LastIndexAny(before, " \t\r\n")+1:], '#') {
			return true
		}
	}
}
