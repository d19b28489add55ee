package analyze

import (
	"bytes"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
)

// steps are what an analyzer of bleve does with words, where that is known.
func steps(a analysis.Analyzer) (filters []analysis.TokenFilter, ok bool) {
	d, ok := a.(*analysis.DefaultAnalyzer)
	if !ok {
		return nil, false
	}
	_, ok = d.Tokenizer.(*unicode.UnicodeTokenizer)
	return d.TokenFilters, ok
}

// oneWord is what Analyze makes of a word of letters, ASCII or Latin ones with accents or Cyrillic,
// which nobody has to cut out: that is most of the work on a word of a query, in each language of a
// vault.
func (a Analyzer) oneWord(text []byte) (tokens analysis.TokenStream, ok bool) {
	inner, english := a.inner, false
	m, ok := inner.(mixed)
	if ok {
		inner, english = m.Analyzer, true
	}
	filters, ok := steps(inner)
	if !ok || len(text) == 0 || len(text) > maxTerm || bytes.ContainsFunc(text, other) {
		return nil, false
	}
	tokens = analysis.TokenStream{{Term: bytes.Clone(text), End: len(text), Position: 1, Type: analysis.AlphaNumeric}}
	for _, f := range filters {
		tokens = f.Filter(tokens)
	}
	if english {
		tokens = m.latin(tokens)
	}
	return tokens, true
}

// other reports whether a rune is none of the letters that always make one word.
func other(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 < 'a' || r|0x20 > 'z'
	}
	return (r < 0xC0 || r > 0x24F || r == '×' || r == '÷') && (r < 0x400 || r > 0x481)
}
