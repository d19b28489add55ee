package analyze

import (
	"bytes"
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
)

// Croatian's words, endings and rules are those of bleve's analysis/lang/hr (Apache-2.0; the
// rules are http://nlp.ffzg.hr/resources/tools/stemmer-for-croatian/). That package compiles
// its 74 patterns as the program starts, a tenth of the time that each command takes to do so.
var (
	//go:embed croatian/stops.txt
	croatianStops []byte
	//go:embed croatian/suffixes.txt
	croatianSuffixes string // what a word ends in and what that becomes, the longest first
	//go:embed croatian/rules.txt
	croatianRules string // patterns, the root their first group
)

// croatianForms is what croatian goes by, made when the first word is stemmed.
var croatianForms = sync.OnceValue(func() (f struct {
	rules    []*regexp.Regexp
	r        *regexp.Regexp // one that is a vowel
	suffixes [][2]string
}) {
	for line := range strings.Lines(croatianRules) {
		f.rules = append(f.rules, regexp.MustCompile(strings.TrimSuffix(line, "\n")))
	}
	for line := range strings.Lines(croatianSuffixes) {
		from, to, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		f.suffixes = append(f.suffixes, [2]string{from, to})
	}
	f.r = regexp.MustCompile(`(^|[^aeiou])r($|[^aeiou])`)
	return f
})

// croatian is the filter that cuts Croatian words in lower case down to their roots.
type croatian struct{}

// Filter implements bleve's interface.
func (croatian) Filter(tokens analysis.TokenStream) analysis.TokenStream {
	f := croatianForms()
	for _, t := range tokens {
		for _, s := range f.suffixes {
			if cut, ok := bytes.CutSuffix(t.Term, []byte(s[0])); ok {
				t.Term = append(bytes.Clone(cut), s[1]...)
				break
			}
		}
		for _, rule := range f.rules {
			m := rule.FindSubmatch(t.Term)
			if m != nil && (bytes.ContainsAny(m[1], "aeiou") || f.r.Match(m[1])) {
				t.Term = bytes.Clone(m[1])
				break
			}
		}
	}
	return tokens
}
