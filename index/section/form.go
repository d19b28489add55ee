package section

import (
	"bytes"

	"github.com/blevesearch/bleve/v2/analysis"
)

// A Form tells how a word is written that became a term, without regard to case: "details" is
// "detail" to the index, and of a phrase it has to be the one or the other.
type Form uint8

// The forms: one that isn't known, the term itself, or a number of what is written instead, which some share.
const (
	anyForm = iota
	asTerm
	otherForm

	formBits = 3 // so that locations in most sections take no byte more
)

// Meets reports whether a word of one form may be one of another.
func (f Form) Meets(want Form) bool { return f == anyForm || want == anyForm || f == want }

// WantedForm is that of a token of a phrase.
func WantedForm(phrase string, t *analysis.Token) Form {
	text := []byte(phrase)
	return formOf(text, spotOf(text, t), t.Term)
}

// formOf is that of a token of a text, of which letters and figures alone are compared.
func formOf(text []byte, at spot, term []byte) Form {
	if !at.run {
		return anyForm
	}
	word := text[at.start:at.end]
	if bytes.Equal(word, term) {
		return asTerm
	}
	h := hashOf(word)
	if h == hashOf(term) {
		return asTerm
	}
	return Form(otherForm + h%(1<<formBits-otherForm))
}
