package intake

import (
	"kist/index/embed"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/vector"
)

// wholeTokens is the length of a document up to which it gets one vector, and not
// one for each section: sections of a short note have too few words each to say
// what they are about, and a long document is about many things.
const wholeTokens = 400

// An Embedding makes the vectors of a document from its entries, which it is given one
// after the other once they are analysed.
type Embedding struct {
	Model    *embed.Model
	Sections int  // of the document
	Apart    bool // each section gets one of its own for certain
	early    []page.Entry
	tokens   [page.NumFields]int // of these
	passages []vector.Passage
}

// Add takes the next entry.
func (e *Embedding) Add(ordinal int, doc page.Entry) {
	if e.Apart {
		e.embed(ordinal, doc)
		return
	}
	e.early = append(e.early, doc)
	for f, n := range doc.Lengths() {
		e.tokens[f] += n
	}
	if !Whole(e.Sections, e.tokens) {
		e.separate()
	}
}

// separate gives each section of the early entries a vector.
func (e *Embedding) separate() {
	for i, doc := range e.early {
		e.embed(i, doc)
	}
	e.early, e.Apart = nil, true
}

// embed adds the passages of an entry's sections, as far as they have a direction.
func (e *Embedding) embed(ordinal int, doc page.Entry) {
	for i, counts := range doc.Text.Counts() {
		e.pass(page.PlaceOf(ordinal, i), counts)
	}
}

func (e *Embedding) pass(at page.Place, counts map[string]int) {
	if text := e.Model.Text(counts); text != nil {
		e.passages = append(e.passages, vector.Passage{Ordinal: int32(at), Vector: text})
	}
}

// Document is what was made, once all entries were added: one vector of a short document.
func (e *Embedding) Document(path string, hash manifest.Hash) vector.Document {
	counts := map[string]int{}
	for i, doc := range e.early {
		doc.AddTerms(counts, i == 0)
	}
	if len(e.early) > 0 {
		e.pass(0, counts)
		e.early = nil
	}
	return vector.Document{Key: path, Stamp: vector.Stamp(hash), Passages: e.passages}
}

// Whole reports whether a document of so many sections and tokens gets one vector.
func Whole(sections int, tokens [page.NumFields]int) bool {
	return sections == 1 || tokens[page.FieldHeadings]+tokens[page.FieldBody] <= wholeTokens
}
