package section

import (
	"bytes"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"

	"kist/index/analyze"
)

// The names of the fields that a [Text] adds to a document.
const (
	FieldTitle    = "title"
	FieldHeadings = "headings"
	FieldBody     = "body"
	FieldTable    = "sections" // stored only
)

// A Section is what a [Text] is made of.
type Section struct {
	// Headings begin at Above: of an entry's first section they are all that it is below, its
	// own one last; of any other, its own one alone.
	Headings []string
	Above    int  // headings of the section that come before
	Titled   bool // its own heading is the title, which isn't repeated
	Body     []byte
}

// depth is the number of headings that the section is below, its own one included.
func (s Section) depth() int { return s.Above + len(s.Headings) }

// A Text is the title, headings and body of an entry. They are analysed together, when bleve
// analyses the first of the fields that it adds to a document; until then it has no terms.
type Text struct {
	title    string
	sections []Section
	analyzer analyze.Analyzer

	analysed bool
	table    Table
	fields   [3]*field // title, headings, body
}

// New returns the text of an entry.
func New(title string, sections []Section, a analyze.Analyzer) *Text {
	t := &Text{title: title, sections: sections, analyzer: a}
	for i, name := range [...]string{FieldTitle, FieldHeadings, FieldBody} {
		t.fields[i] = &field{name: name, text: t, freqs: bleve.TokenFrequencies{}}
	}
	return t
}

// AddTo adds the text's fields to a document.
func (t *Text) AddTo(d *document.Document) {
	for _, f := range t.fields {
		d.AddField(f)
	}
	d.AddField(stored{t})
}

// Length is the text's length in bytes.
func (t *Text) Length() (n int) {
	for _, s := range t.sections {
		n += len(s.Body)
	}
	return n
}

// Sections is the number of its sections.
func (t *Text) Sections() int { return len(t.sections) }

// Parts calls fn with all that the text's terms and table depend on.
func (t *Text) Parts(fn func(part []byte)) {
	fn([]byte(t.analyzer.Name))
	fn([]byte(t.title))
	for _, s := range t.sections {
		fn([]byte{byte(s.Above), byte(s.Above >> 8), byte(len(s.Headings))})
		for _, h := range s.Headings {
			fn([]byte(h))
		}
		fn(s.Body)
	}
}

// analyse is done once. The title stands where the heading that says the same is, else
// apart from all other words.
func (t *Text) analyse() {
	if t.analysed {
		return
	}
	t.analysed = true
	title, headings, body := t.fields[0], t.fields[1], t.fields[2]
	at, placed := 0, false
	var read reading
	for i, s := range t.sections {
		for j, h := range s.Headings {
			if own := j == len(s.Headings)-1; s.Titled && own && !placed {
				placed = true
				at = title.add(&read, []byte(t.title), t.analyzer, at, i, 0)
			} else if !s.Titled || !own {
				at = headings.add(&read, []byte(h), t.analyzer, at, i, s.Above+j+1)
			}
		}
		before := body.length
		at = body.add(&read, s.Body, t.analyzer, at, i, 0)
		t.table = append(t.table, Row{Depth: s.depth(), Words: body.length - before})
	}
	read.locate()
	if !placed {
		var read reading
		title.add(&read, []byte(t.title), t.analyzer, at+apart, 0, 0)
		read.locate()
	}
}

// A reading is texts one behind the other, with their tokens, and a location for each.
type reading struct {
	text      []byte
	tokens    analysis.TokenStream
	locations []*bleve.TokenLocation
}

// locate notes what is beside the tokens.
func (r *reading) locate() {
	if len(r.tokens) == 0 {
		return
	}
	var before spot
	token := spotOf(r.text, r.tokens[0])
	for i, at := range r.locations {
		at.Start = startOf(at.Start, formOf(r.text, token, r.tokens[i].Term))
		var after spot
		if i+1 < len(r.tokens) {
			after = spotOf(r.text, r.tokens[i+1])
		}
		at.End = endOf(besideOf(r.text, before, token, after), at.End)
		before, token = token, after
	}
}

// apart is a distance of positions that no phrase has.
const apart = 1 << 10

// Counts are how often each section has each term, in the title, in the headings that it is
// below or in its body, once the text is analysed.
func (t *Text) Counts() []map[string]int {
	all := make([]map[string]int, len(t.sections))
	for i := range all {
		all[i] = map[string]int{}
		for term, f := range t.fields[0].freqs {
			all[i][term] = f.Frequency()
		}
	}
	for term, f := range t.fields[1].freqs {
		for _, l := range f.Locations {
			at := Of(uint64(l.Start))
			for i := at; t.table.Covers(at, Depth(uint64(l.End)), i); i++ {
				all[i][term]++
			}
		}
	}
	for term, f := range t.fields[2].freqs {
		for _, l := range f.Locations {
			all[Of(uint64(l.Start))][term]++
		}
	}
	return all
}

// endOf is the end of a location beside which something is, at a heading's depth.
func endOf(b Beside, depth int) int { return int(b) | min(depth, 1<<depthBits-1)<<(4*placeBits) }

// startOf is the start of a location in a section, of a word of a form.
func startOf(section int, f Form) int { return section<<formBits | int(f) }

// Of is the section of a location with a start.
func Of(start uint64) int { return int(start >> formBits) }

// FormAt is the form of the word at a location with a start.
func FormAt(start uint64) Form { return Form(start % (1 << formBits)) }

// BesideAt is what is beside the word of a location with an end.
func BesideAt(end uint64) Beside { return Beside(end % (1 << (4 * placeBits))) }

// Depth is that of the heading at a location with an end; 0: none.
func Depth(end uint64) int { return int(end >> (4 * placeBits)) }

// lastWord is put behind each text, so that it is known how many words it has: the last ones
// may be stop words.
const lastWord = "\nzq"

// field implements bleve's document.Field.
type field struct {
	name   string
	text   *Text
	length int // in words
	freqs  bleve.TokenFrequencies
}

// add takes up the terms of a text whose words follow on a position, and returns the last one. In
// what was read the text comes next.
func (f *field) add(read *reading, text []byte, a analyze.Analyzer, at, section, depth int) int {
	if len(bytes.TrimSpace(text)) == 0 {
		return at
	}
	// Analyzers write into the text.
	stream := a.Analyze(append(append(make([]byte, 0, len(text)+len(lastWord)), text...), lastWord...))
	if len(stream) == 0 {
		return at
	}
	end := at + stream[len(stream)-1].Position - 1
	stream = stream[:len(stream)-1]
	locations := make([]bleve.TokenLocation, len(stream))
	for i, token := range stream {
		l := &locations[i]
		l.Start, l.End, l.Position = section, depth, at+token.Position
		known, ok := f.freqs[string(token.Term)]
		if !ok {
			known = &bleve.TokenFreq{Term: token.Term}
			f.freqs[string(token.Term)] = known
		}
		known.Locations = append(known.Locations, l)
		known.SetFrequency(known.Frequency() + 1)
		token.Start, token.End = token.Start+len(read.text), token.End+len(read.text)
		read.locations = append(read.locations, l)
	}
	read.tokens = append(read.tokens, stream...)
	read.text = append(append(read.text, text...), '\n')
	f.length += len(stream)
	return end
}

// An alone field is of a text that is no part of others.
type alone struct {
	*field
	value    []byte
	analyzer analyze.Analyzer
}

// Alone makes a field of a text of its own, whose locations tell what those of a [Text] do.
func Alone(name string, text []byte, a analyze.Analyzer) document.Field {
	return &alone{&field{name: name, freqs: bleve.TokenFrequencies{}}, text, a}
}

func (f *alone) Value() []byte { return f.value }
func (f *alone) Size() int     { return len(f.value) }

func (f *alone) Analyze() {
	if len(f.freqs) > 0 {
		return
	}
	var read reading
	f.add(&read, f.value, f.analyzer, 0, 0, 0)
	read.locate()
}

func (f *field) Name() string             { return f.name }
func (f *field) ArrayPositions() []uint64 { return nil }
func (f *field) Options() bleve.FieldIndexingOptions {
	return bleve.IndexField | bleve.IncludeTermVectors
}
func (f *field) Analyze()                                         { f.text.analyse() }
func (f *field) Value() []byte                                    { return nil }
func (f *field) NumPlainTextBytes() uint64                        { return 0 }
func (f *field) Size() int                                        { return f.text.Length() / len(f.text.fields) }
func (f *field) EncodedFieldType() byte                           { return 't' }
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return f.freqs }

// stored is the field that holds the table.
type stored struct{ *Text }

func (stored) Name() string                                     { return FieldTable }
func (stored) ArrayPositions() []uint64                         { return nil }
func (stored) Options() bleve.FieldIndexingOptions              { return bleve.StoreField }
func (stored) Analyze()                                         {}
func (s stored) Value() []byte                                  { return s.table.encode() }
func (stored) NumPlainTextBytes() uint64                        { return 0 }
func (stored) Size() int                                        { return 0 }
func (stored) EncodedFieldType() byte                           { return 't' }
func (stored) AnalyzedLength() int                              { return 0 }
func (stored) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return nil }
