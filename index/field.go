package index

import (
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"

	"kist/index/section"
)

// A textField is one of the analysed fields of an entry.
type textField int

// The text fields. The title is in each of a file's entries, meta (front-matter values and
// the words of the path) in the first one only.
const (
	fieldTitle textField = iota
	fieldHeadings
	fieldBody
	fieldMeta
	numFields
)

func (f textField) name() string {
	return [numFields]string{section.FieldTitle, section.FieldHeadings, section.FieldBody, "meta"}[f]
}

// A fieldSet is some of the text fields; none stands for all.
type fieldSet uint8

func (s fieldSet) has(f textField) bool { return s == 0 || s&(1<<f) != 0 }

// fieldNamed returns the set of the field that a query calls so.
func fieldNamed(name string) fieldSet {
	switch name {
	case "title":
		return 1 << fieldTitle
	case "heading", "headings":
		return 1<<fieldHeadings | 1<<fieldTitle // the first heading often is the title
	}
	return 1 << fieldBody
}

// The keyword fields. All but path are in a file's first entry only: a filter
// selects files, and postings of one entry a file are short.
const (
	fieldPath    = "path"
	fieldProject = "project"
	fieldType    = "type"
	fieldTag     = "tag"
	fieldLang    = "lang"
	// fieldProperty holds key, NUL, value of the front matter, both in lower case.
	fieldProperty = "property"
	// fieldName holds what a document is called; see nameKey.
	fieldName = "name"
	// fieldLink holds the names that a file's links point to; see linkKey.
	fieldLink = "link"
)

// No text is stored and there are no doc values: text is read from the files,
// which are the truth.
const (
	textOptions    = bleve.IndexField | bleve.IncludeTermVectors
	keywordOptions = bleve.IndexField | bleve.SkipFreqNorm
)

func addText(d *document.Document, f textField, text []byte, a analysis.Analyzer) {
	if len(text) > 0 {
		d.AddField(document.NewTextFieldCustom(f.name(), nil, text, textOptions, a))
	}
}

func addKeyword(d *document.Document, field, value string) {
	if value != "" {
		d.AddField(document.NewTextFieldCustom(field, nil, []byte(value), keywordOptions, nil))
	}
}
