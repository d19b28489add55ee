package index

import (
	"slices"
	"strings"
	"unicode"

	"kist/index/analyze"
	"kist/index/sift"
)

// A probe tells from the raw bytes of a file whether it may meet one clause of a query.
// It may say yes to a file that doesn't, but never no to one that does.
type probe struct {
	clause   clause
	ways     []sift.Needles // one of them has to be there
	phrase   phrase         // as well, as it stands
	required bool           // a file that doesn't meet it is no hit
	text     bool           // it is what hits are ranked by
	any      bool           // every file may meet it
}

// probes makes the probes of a query.
func (p *plan) probes(f *sift.Folder) []probe {
	var all []probe
	for _, c := range p.clauses {
		// What a path must be is seen from the path, and words that say nothing are
		// ignored, or looked for in the files anyhow.
		if c.filter != fieldPath && !p.saysNothing(c) {
			all = append(all, p.probe(f, c))
			p.words(f, c)
		}
	}
	return all
}

// saysNothing reports whether a search leaves a word out for certain.
func (p *plan) saysNothing(c clause) bool {
	if c.filter != "" || c.phrase || c.prefix || c.not || c.fields != 0 {
		return false
	}
	for name, n := range p.sample.spoken {
		if n*2 > p.sample.files && len(p.index.langs.Of(name).Analyze([]byte(c.text))) == 0 {
			return true
		}
	}
	return false
}

func (p *plan) probe(f *sift.Folder, c clause) probe {
	q := probe{clause: c}
	switch c.filter {
	case "":
		q.text = !c.not
		q.required = !c.not && (c.phrase || c.fields != 0)
		if c.phrase && c.fields == 0 {
			q.phrase = newPhrase(c.text) // which is looked for in the live text anyhow
			return q
		}
		q.ways = p.ways(f, c)
		q.any = len(q.ways) == 0
	case fieldLang:
		q.any, q.required = true, !c.not
	case filterAfter, filterBefore:
		q.required = !c.not
	case fieldProperty:
		// A key that no document has makes it a word.
		q.text = !c.not
		key := f.Begins(c.key)
		q.ways = []sift.Needles{{key}}
		value, _, _ := strings.Cut(strings.Join(strings.FieldsFunc(propertyValue(c.text), func(r rune) bool { return !isWordRune(r) }), " "), " ")
		if value != "" {
			q.ways[0] = append(q.ways[0], f.Within(value))
		}
	default:
		q.required = !c.not
		value := strings.TrimSuffix(c.text, "*")
		if c.filter == fieldTag {
			value = normalTag(value)
		}
		q.ways = []sift.Needles{{f.Within(value)}}
	}
	return q
}

// words notes the needles of the terms that a word or phrase is ranked by, so that the
// files that have them are counted whether or not they are prepared.
func (p *plan) words(f *sift.Folder, c clause) {
	if c.filter != "" || c.not || c.prefix {
		return
	}
	for _, name := range analyzerNames() {
		for _, t := range p.index.langs.Of(name).Analyze([]byte(c.text)) {
			term := string(t.Term)
			if _, ok := p.terms[term]; ok {
				continue
			}
			n := sift.NewNeedle(f, name, c.text[t.Start:t.End], term)
			at := slices.IndexFunc(p.counted, n.Equal)
			if at < 0 && len(p.counted) < 64 {
				at = len(p.counted)
				p.counted = append(p.counted, n)
			}
			if at >= 0 {
				p.terms[term] = at
			}
		}
	}
}

// ways are the beginnings of words, one sequence of them for each language, that a text
// must have in order to have the terms.
func (p *plan) ways(f *sift.Folder, c clause) (all []sift.Needles) {
	if p.spelling && c.filter == "" && !c.not && !c.phrase && !c.prefix {
		return sift.Nearly(f, c.text)
	}
	if c.prefix {
		all = append(all, sift.Needles{f.Begins(c.text)})
	}
	if strings.ContainsFunc(c.text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		all = append(all, sift.Needles{sift.OfScript(unicode.Arabic)})
	}
	for _, name := range analyzerNames() {
		var way sift.Needles
		for _, t := range p.index.langs.Of(name).Analyze([]byte(c.text)) {
			way = append(way, sift.NewNeedle(f, name, c.text[t.Start:t.End], string(t.Term)))
		}
		if len(way) > 0 && !slices.ContainsFunc(all, way.Equal) {
			all = append(all, way)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(w sift.Needles) bool { return w.Implied(all) })
}

// analyzerNames lists all analyzers there are.
func analyzerNames() []string {
	return append(analyze.Stemmed(), "bg", "ca", "cjk", "cs", "el", "eu", "ga", "gl", "hy", "id", "plain")
}

// may reports whether a file may meet the clause, and how often what it needs is there.
func (q *probe) may(s *sift.Text) (n int, ok bool) {
	if q.any {
		return 1, true
	}
	if q.phrase != nil {
		return 1, q.phrase.in(s.Lower())
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
	return n, n > 0
}
