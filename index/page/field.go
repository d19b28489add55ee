package page

import (
	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"

	"kist/index/section"
)

// A Field is one of the analysed fields of an entry.
type Field int

// The text fields. The title is in each of a file's entries, meta (front-matter values and
// the words of the path) in the first one only.
const (
	FieldTitle Field = iota
	FieldHeadings
	FieldBody
	FieldMeta
	NumFields
)

func (f Field) Name() string {
	return [NumFields]string{section.FieldTitle, section.FieldHeadings, section.FieldBody, "meta"}[f]
}

// A Fields is some of the text fields; none stands for all.
type Fields uint8

func (s Fields) Has(f Field) bool { return s == 0 || s&(1<<f) != 0 }

// FieldsNamed returns the set of the field that a query calls so.
func FieldsNamed(name string) Fields {
	switch name {
	case "title":
		return 1 << FieldTitle
	case "heading", "headings":
		return 1<<FieldHeadings | 1<<FieldTitle // the first heading often is the title
	}
	return 1 << FieldBody
}

// FieldPath is a filter by what files are called, of which entries have nothing but their ids.
const FieldPath = "path"

// The keyword fields. They are in a file's first entry only: a filter
// selects files, and postings of one entry a file are short.
const (
	FieldProject = "project"
	FieldType    = "type"
	FieldTag     = "tag"
	FieldLang    = "lang"
	// FieldProperty holds key, NUL, value of the front matter, both in lower case.
	FieldProperty = "property"
	// FieldName holds what a document is called; see nameKey.
	FieldName = "name"
	// FieldLink holds the names that a file's links point to; see linkKey.
	FieldLink = "link"
)

// No text is stored and there are no doc values: text is read from the files,
// which are the truth.
const (
	keywordOptions = bleve.IndexField | bleve.SkipFreqNorm
)

func addKeyword(d *document.Document, field, value string) {
	if value != "" {
		d.AddField(document.NewTextFieldCustom(field, nil, []byte(value), keywordOptions, nil))
	}
}
