package analyze

import "github.com/blevesearch/bleve/v2/analysis"

// maxTerm is the length in bytes of the longest term that is indexed; what is
// longer is no word but encoded data.
const maxTerm = 64

// An Analyzer is bleve's, less the terms that are too long.
type Analyzer struct {
	inner analysis.Analyzer
	Name  string // of the language
	words *words
}

// Analyze implements bleve's interface.
func (a Analyzer) Analyze(text []byte) analysis.TokenStream {
	all := a.inner.Analyze(text)
	kept := all[:0]
	for _, t := range all {
		if len(t.Term) <= maxTerm {
			kept = append(kept, t)
		}
	}
	return kept
}
