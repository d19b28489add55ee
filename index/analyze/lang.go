package analyze

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ar" // these register analyzers
	"github.com/blevesearch/bleve/v2/analysis/lang/bg"
	"github.com/blevesearch/bleve/v2/analysis/lang/ca"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ckb"
	"github.com/blevesearch/bleve/v2/analysis/lang/cs"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/da"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/el"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/eu"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/fa"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/fi"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/ga"
	"github.com/blevesearch/bleve/v2/analysis/lang/gl"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/hi"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/hy"
	"github.com/blevesearch/bleve/v2/analysis/lang/id"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/it"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/nl"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/no"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/pt"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ro"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/ru"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/sv"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/tr"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"
	"github.com/blevesearch/bleve/v2/analysis/token/stop"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/registry"
)

// English is the language of a document that doesn't show another one.
const English = "en"

// Languages holds the analyzers, one for each language, made when first asked for.
// A language is a two- or three-letter code of BCP 47. bleve ships analyzers with
// stemmers for most, stop words alone for some; any other is cut into words.
type Languages struct {
	cache *registry.Cache

	mu  sync.RWMutex
	all map[string]Analyzer

	words words

	profiled sync.Once
	names    []string               // of the bits of a languageSet
	profile  map[string]languageSet // of stop words
}

// NewLanguages returns the analyzers; an error means that bleve lacks the English one.
func NewLanguages() (*Languages, error) {
	l := &Languages{cache: registry.NewCache(), all: map[string]Analyzer{}}
	_, err := l.make(English)
	return l, err
}

// Of returns a language's analyzer.
func (l *Languages) Of(lang string) Analyzer {
	name := NameOf(lang)
	l.mu.RLock()
	a, ok := l.all[name]
	l.mu.RUnlock()
	if ok {
		return a
	}
	a, err := l.make(name)
	if err != nil { // none that is built in fails; a test makes all of them
		return l.Of(English)
	}
	return a
}

func (l *Languages) make(name string) (Analyzer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a, ok := l.all[name]; ok {
		return a, nil
	}
	var inner analysis.Analyzer
	var err error
	if slices.Contains(Stemmed(), name) && stemmers[name] == nil || name == "cjk" {
		inner, err = l.cache.AnalyzerNamed(name)
	} else {
		inner, err = l.plain(name)
	}
	if err != nil {
		return Analyzer{}, fmt.Errorf("analyzer %s: %w", name, err)
	}
	if slices.Contains([]string{"ar", "bg", "cjk", "ckb", "el", "fa", "hi", "hy", "plain", "ru"}, name) {
		if inner, err = l.withEnglish(inner, name == "fa"); err != nil {
			return Analyzer{}, fmt.Errorf("analyzer %s: %w", name, err)
		}
	}
	a := Analyzer{inner: inner, Name: name, words: &l.words}
	l.all[name] = a
	return a, nil
}

// plain makes the analyzer of a language for which bleve's has no stemmer or isn't used:
// words in lower case, without the stop words where they are known.
func (l *Languages) plain(name string) (analysis.Analyzer, error) {
	tokenizer, err := l.cache.TokenizerNamed(unicode.Name)
	if err != nil {
		return nil, err
	}
	lower, err := l.cache.TokenFilterNamed(lowercase.Name)
	if err != nil {
		return nil, err
	}
	a := &analysis.DefaultAnalyzer{Tokenizer: tokenizer, TokenFilters: []analysis.TokenFilter{lower}}
	if words, ok := stopWords()[name]; ok {
		a.TokenFilters = append(a.TokenFilters, stop.NewStopTokensFilter(words))
	}
	if stemmer := stemmers[name]; stemmer != nil {
		a.TokenFilters = append(a.TokenFilters, stemmer)
	}
	return a, nil
}

// A mixed analyzer treats the words in plain Latin letters as English ones: texts in
// other scripts are full of them.
type mixed struct {
	analysis.Analyzer
	stops analysis.TokenMap
	stem  analysis.TokenFilter

	// joiners: blanks are put for the joiners that part words, as long as these are. The analyzer
	// puts shorter ones, so that what follows isn't where it is said to be.
	joiners bool
}

func (l *Languages) withEnglish(a analysis.Analyzer, joiners bool) (analysis.Analyzer, error) {
	stops, err := l.cache.TokenMapNamed(en.StopName)
	if err != nil {
		return nil, err
	}
	stem, err := l.cache.TokenFilterNamed(porter.Name)
	return mixed{a, stops, stem, joiners}, err
}

// Analyze implements bleve's interface.
func (m mixed) Analyze(text []byte) analysis.TokenStream {
	if m.joiners {
		text = bytes.ReplaceAll(text, []byte("\u200c"), []byte("   "))
	}
	return m.latin(m.Analyzer.Analyze(text))
}

// latin takes tokens in plain Latin letters for English ones.
func (m mixed) latin(all analysis.TokenStream) analysis.TokenStream {
	latin := func(t *analysis.Token) bool { return len(t.Term) > 0 && t.Term[0]|0x20 >= 'a' && t.Term[0]|0x20 <= 'z' }
	if !slices.ContainsFunc(all, latin) {
		return all
	}
	kept, words := all[:0], analysis.TokenStream(nil)
	for _, t := range all {
		if latin(t) {
			if m.stops[string(t.Term)] {
				continue
			}
			words = append(words, t)
		}
		kept = append(kept, t)
	}
	m.stem.Filter(words) // in place
	return kept
}

// stemmers are those that aren't bleve's.
var stemmers = map[string]analysis.TokenFilter{"hr": croatian{}, "pl": polish{}}

// Stemmed lists the languages that have analyzers with stemmers: bleve's, and two of our own.
func Stemmed() []string {
	return []string{"ar", "ckb", "da", "de", "en", "es", "fa", "fi", "fr", "hi", "hr", "hu", "it", "nl", "no", "pl", "pt", "ro", "ru", "sv", "tr"}
}

// stopWords returns the lists of the languages that have no analyzer of bleve's.
func stopWords() map[string]analysis.TokenMap {
	all := map[string]analysis.TokenMap{}
	for lang, text := range map[string][]byte{
		"bg": bg.BulgarianStopWords, "ca": ca.CatalanStopWords, "cs": cs.CzechStopWords, "el": el.GreekStopWords,
		"eu": eu.BasqueStopWords, "ga": ga.IrishStopWords, "gl": gl.GalicianStopWords, "hr": croatianStops, "hy": hy.ArmenianStopWords,
		"id": id.IndonesianStopWords, "pl": polishStops,
	} {
		words := analysis.NewTokenMap()
		if words.LoadBytes(text) == nil {
			all[lang] = words
		}
	}
	return all
}

// NameOf is the name of the analyzer for a language; unknown ones share one.
func NameOf(lang string) string {
	switch lang {
	case "zh", "ja", "ko", "yue":
		return "cjk"
	case "nb", "nn":
		return "no"
	case "in":
		return "id"
	case "bg", "ca", "cjk", "cs", "el", "eu", "ga", "gl", "hy", "id":
		return lang
	}
	if slices.Contains(Stemmed(), lang) {
		return lang
	}
	return "plain"
}

// Base cuts a BCP 47 tag down to its language: "de-AT" is "de". It is
// empty for what is no such tag.
func Base(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	base, _, _ = strings.Cut(base, "_")
	if len(base) < 2 || len(base) > 3 || strings.ContainsFunc(base, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return ""
	}
	return base
}
