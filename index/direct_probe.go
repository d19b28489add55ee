package index

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/index/analyze"
)

// A probe tells from the raw bytes of a file whether it may meet one clause of a query.
// It may say yes to a file that doesn't, but never no to one that does.
type probe struct {
	clause   clause
	ways     []needles // one of them has to be there
	phrase   phrase    // as well, as it stands
	required bool      // a file that doesn't meet it is no hit
	text     bool      // it is what hits are ranked by
	any      bool      // every file may meet it
}

// needles are the folded beginnings of words, all of which a text has to have.
type needles []needle

type needle struct {
	text     []byte
	inside   bool                // need not begin a word
	script   *unicode.RangeTable // any letter of it will do
	variants bool                // katakana: may be written at half width
}

// A sighting is what is looked for in one file.
type sighting struct {
	path   string
	raw    []byte
	folded []byte // its path and its text
	lower  []byte // of raw; made when needed
}

// probes makes the probes of a query.
func (p *plan) probes(f *folder) []probe {
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

func (p *plan) probe(f *folder, c clause) probe {
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
		key := needle{text: f.fold(nil, []byte(c.key))}
		q.ways = []needles{{key}}
		value, _, _ := strings.Cut(strings.Join(strings.FieldsFunc(propertyValue(c.text), func(r rune) bool { return !isWordRune(r) }), " "), " ")
		if value != "" {
			q.ways[0] = append(q.ways[0], needle{text: f.fold(nil, []byte(value)), inside: true})
		}
	default:
		q.required = !c.not
		value := strings.TrimSuffix(c.text, "*")
		if c.filter == fieldTag {
			value = normalTag(value)
		}
		q.ways = []needles{{{text: f.fold(nil, []byte(value)), inside: true}}}
	}
	return q
}

// words notes the needles of the terms that a word or phrase is ranked by, so that the
// files that have them are counted whether or not they are prepared.
func (p *plan) words(f *folder, c clause) {
	if c.filter != "" || c.not || c.prefix {
		return
	}
	for _, name := range analyzerNames() {
		for _, t := range p.index.langs.Of(name).Analyze([]byte(c.text)) {
			term := string(t.Term)
			if _, ok := p.terms[term]; ok {
				continue
			}
			n := newNeedle(f, name, c.text[t.Start:t.End], term)
			at := slices.IndexFunc(p.counted, n.equal)
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
func (p *plan) ways(f *folder, c clause) (all []needles) {
	if p.spelling && c.filter == "" && !c.not && !c.phrase && !c.prefix {
		return nearly(f, c.text)
	}
	if c.prefix {
		all = append(all, needles{{text: f.fold(nil, []byte(c.text))}})
	}
	if strings.ContainsFunc(c.text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) {
		all = append(all, needles{{script: unicode.Arabic}})
	}
	for _, name := range analyzerNames() {
		var way needles
		for _, t := range p.index.langs.Of(name).Analyze([]byte(c.text)) {
			way = append(way, newNeedle(f, name, c.text[t.Start:t.End], string(t.Term)))
		}
		if len(way) > 0 && !slices.ContainsFunc(all, way.equal) {
			all = append(all, way)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(w needles) bool { return w.implied(all) })
}

// analyzerNames lists all analyzers there are.
func analyzerNames() []string {
	return append(analyze.Stemmed(), "bg", "ca", "cjk", "cs", "el", "eu", "ga", "gl", "hy", "id", "plain")
}

// How many letters a stemmer may add to or change at the end of what begins all words
// of a stem. Found with words of all languages; see the test.
const (
	trimmed   = 2
	untrimmed = 2 // what is no longer stays as it is
)

func newNeedle(f *folder, Analyzer, word, term string) needle {
	first, _ := utf8.DecodeRuneInString(word)
	for _, table := range []*unicode.RangeTable{unicode.Arabic, unicode.Devanagari} {
		if unicode.Is(table, first) { // the analyzers cut beginnings off as well
			return needle{script: table}
		}
	}
	w, t := []rune(string(f.fold(nil, []byte(word)))), []rune(string(f.fold(nil, []byte(term))))
	n := 0
	for n < len(w) && n < len(t) && w[n] == t[n] {
		n++
	}
	if n == 0 || n == 1 && !unspaced(first) {
		return needle{text: []byte{}} // says too little
	}
	switch {
	case unspaced(first):
	case Analyzer == "pl": // which goes by a table, and takes -owa- and -uje- for the same
		n = max(min(n, untrimmed), n/2)
	default:
		n = max(min(n, untrimmed), n-trimmed)
	}
	out := needle{text: []byte(string(w[:n]))}
	out.inside = out.text[0] >= utf8.RuneSelf || Analyzer == "pl" // "nie" may come before
	out.variants = unicode.Is(unicode.Katakana, first)
	return out
}

// nearly are the halves of a word that is misspelt in one place: one of them is intact.
func nearly(f *folder, word string) []needles {
	w := []rune(string(f.fold(nil, []byte(word))))
	first := needle{text: []byte(string(w[:max(1, len(w)/2-1)]))}
	all := []needles{{first}}
	if from, to := len(w)/2+1, len(w)-1; to-from >= 2 {
		all = append(all, needles{{text: []byte(string(w[from:to])), inside: true}})
	}
	return all
}

func (n needle) equal(o needle) bool { return bytes.Equal(n.text, o.text) && n.script == o.script }

func (w needles) equal(o needles) bool {
	return slices.EqualFunc(w, o, needle.equal)
}

// implied reports whether another way, of one needle, is there wherever this one is.
func (w needles) implied(all []needles) bool {
	return slices.ContainsFunc(all, func(o needles) bool {
		return len(o) == 1 && o[0].script == nil && !w.equal(o) && slices.ContainsFunc(w, func(n needle) bool {
			return n.script == nil && n.inside == o[0].inside && !n.variants && bytes.HasPrefix(n.text, o[0].text)
		})
	})
}

// may reports whether a file may meet the clause, and how often what it needs is there.
func (q *probe) may(s *sighting) (n int, ok bool) {
	if q.any {
		return 1, true
	}
	if q.phrase != nil {
		if s.lower == nil {
			s.lower = bytes.ToLower(s.raw)
		}
		return 1, q.phrase.in(s.lower)
	}
	for _, w := range q.ways {
		least := maxCounted
		for _, needle := range w {
			if least = min(least, needle.count(s)); least == 0 {
				break
			}
		}
		n = max(n, least)
	}
	return n, n > 0
}

// maxCounted: more say no more.
const maxCounted = 50

func (n needle) count(s *sighting) (count int) {
	if n.script != nil {
		if bytes.ContainsFunc(s.folded, func(r rune) bool { return unicode.Is(n.script, r) }) {
			return 1
		}
		return 0
	}
	if len(n.text) == 0 {
		return 1
	}
	for at := 0; count < maxCounted; {
		i := bytes.Index(s.folded[at:], n.text)
		if i < 0 {
			break
		}
		if at += i; n.inside || at == 0 || !isASCIIWord(s.folded[at-1]) {
			count++
		}
		at += len(n.text)
	}
	if count == 0 && n.variants && bytes.ContainsFunc(s.folded, func(r rune) bool { return r >= 0xFF61 && r <= 0xFF9F }) {
		return 1
	}
	return count
}

func isASCIIWord(b byte) bool { return b-'a' < 26 || b-'0' < 10 }
