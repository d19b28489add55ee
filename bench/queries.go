package bench

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/search/query"
)

// A class is the queries of one kind.
type class struct {
	name    string
	queries []asked
}

// An asked query is the same question to kist and to its floor.
type asked struct {
	text  string
	floor func() query.FieldableQuery // made for one field
}

// plainWords matches words between single blanks, where a phrase can be taken from.
var plainWords = regexp.MustCompile(`[A-Za-z]{2,20}(?: [A-Za-z]{2,20}){7}`)

var plainWord = regexp.MustCompile(`\b[a-z]{3,20}\b`)

// A drawer draws queries from the texts of a vault.
type drawer struct {
	r        *rand.Rand
	analyzer analysis.Analyzer
	texts    []string       // in lower case
	files    map[string]int // how many files have a word
	terms    map[string]bool
	rare     []string
	common   []string
}

func newDrawer(seed uint64, texts []string, a analysis.Analyzer) *drawer {
	d := &drawer{r: rand.New(rand.NewPCG(seed, 1)), analyzer: a, texts: texts, files: map[string]int{}, terms: map[string]bool{}}
	for _, t := range texts {
		seen := map[string]bool{}
		for _, w := range plainWord.FindAllString(t, -1) {
			if !seen[w] {
				seen[w] = true
				d.files[w]++
			}
		}
	}
	words := make([]string, 0, len(d.files))
	for w := range d.files {
		if terms := a.Analyze([]byte(w)); len(terms) == 1 {
			words = append(words, w)
			d.terms[string(terms[0].Term)] = true
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		if n := d.files[b] - d.files[a]; n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	d.common = words[:min(50, len(words))]
	for _, w := range words {
		if n := d.files[w]; n >= 2 && n <= 5 {
			d.rare = append(d.rare, w)
		}
	}
	if len(d.rare) == 0 {
		d.rare = words[len(words)-min(50, len(words)):]
	}
	return d
}

// A kind is how queries of a class are drawn.
type kind struct {
	name, what string
	draw       func() (asked, bool)
}

func (d *drawer) kinds() []kind {
	return []kind{
		{"rare", "one rare word (in 2 to 5 files)", func() (asked, bool) { return words(d.pick(d.rare)) }},
		{"common", "one of the 50 most common words", func() (asked, bool) { return words(d.pick(d.common)) }},
		{"three", "three words of one document", d.three},
		{"phrase", "phrase of three words", d.phrase},
		{"prefix", "prefix of three letters", d.prefix},
		{"fuzzy", "a misspelt word", d.misspelt},
		{"sentence", "sentence of eight words", d.sentence},
	}
}

// classes draws n queries of each kind. A text that is too poor leaves one empty.
func (d *drawer) classes(n int) []class {
	var all []class
	for _, k := range d.kinds() {
		c := class{name: k.name}
		for tries := 0; len(c.queries) < n && tries < 20*n; tries++ {
			if q, ok := k.draw(); ok {
				c.queries = append(c.queries, q)
			}
		}
		all = append(all, c)
	}
	return all
}

func (d *drawer) pick(from []string) string {
	if len(from) == 0 {
		return ""
	}
	return from[d.r.IntN(len(from))]
}

func words(text string) (asked, bool) {
	return asked{text, func() query.FieldableQuery { return query.NewMatchQuery(text) }}, text != ""
}

// known draws a word of a document that isn't a stop word.
func (d *drawer) known() string {
	all := plainWord.FindAllString(d.pick(d.texts), -1)
	w := d.pick(all)
	if w == "" || len(d.analyzer.Analyze([]byte(w))) != 1 {
		return ""
	}
	return w
}

func (d *drawer) three() (asked, bool) {
	all := plainWord.FindAllString(d.pick(d.texts), -1)
	var chosen []string
	for range 20 {
		w := d.pick(all)
		if w != "" && !slices.Contains(chosen, w) && len(d.analyzer.Analyze([]byte(w))) == 1 {
			chosen = append(chosen, w)
		}
		if len(chosen) == 3 {
			return words(strings.Join(chosen, " "))
		}
	}
	return asked{}, false
}

// run draws eight words that follow each other.
func (d *drawer) run() []string {
	return strings.Fields(d.pick(plainWords.FindAllString(d.pick(d.texts), -1)))
}

func (d *drawer) phrase() (asked, bool) {
	run := d.run()
	if len(run) < 3 {
		return asked{}, false
	}
	text := strings.Join(run[:3], " ")
	if len(d.analyzer.Analyze([]byte(text))) < 2 {
		return asked{}, false // of stop words
	}
	return asked{`"` + text + `"`, func() query.FieldableQuery { return query.NewMatchPhraseQuery(text) }}, true
}

func (d *drawer) sentence() (asked, bool) { return words(strings.Join(d.run(), " ")) }

func (d *drawer) prefix() (asked, bool) {
	w := d.known()
	if w == "" {
		return asked{}, false
	}
	return asked{w[:3] + "*", func() query.FieldableQuery { return query.NewPrefixQuery(w[:3]) }}, true
}

// misspelt changes a letter in the middle of a word so that it is in no document.
func (d *drawer) misspelt() (asked, bool) {
	w := d.known()
	if len(w) < 6 {
		return asked{}, false
	}
	b := []byte(w)
	b[2+d.r.IntN(len(w)-3)] = 'a' + byte(d.r.IntN(26))
	w = string(b)
	terms := d.analyzer.Analyze(b)
	if d.files[w] > 0 || len(terms) != 1 || d.terms[string(terms[0].Term)] {
		return asked{}, false
	}
	return asked{w, func() query.FieldableQuery {
		q := query.NewFuzzyQuery(w)
		q.SetFuzziness(1)
		q.SetPrefix(1)
		return q
	}}, true
}
