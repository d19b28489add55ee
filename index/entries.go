package index

import (
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2/document"
)

// idSeparator stands between a path and the section's number in an entry's id;
// no path holds a NUL.
const idSeparator = "\x00"

func entryID(path string, ordinal int) string {
	return path + idSeparator + strconv.Itoa(ordinal)
}

// splitID is the inverse of entryID.
func splitID(id string) (path string, ordinal int) {
	path, n, _ := strings.Cut(id, idSeparator)
	ordinal, _ = strconv.Atoi(n)
	return path, ordinal
}

// entries makes a file's entries. A file without text is found by its name.
func (f *file) entries(a analyzer) []*document.Document {
	sections := f.sections
	if len(sections) == 0 {
		sections = []section{{end: len(f.text)}}
	}
	docs := make([]*document.Document, len(sections))
	for i, s := range sections {
		d := document.NewDocument(entryID(f.path, i))
		addKeyword(d, fieldPath, f.path)
		addText(d, fieldTitle, []byte(f.title), a)
		addText(d, fieldHeadings, []byte(f.headingText(s)), a)
		addText(d, fieldBody, f.text[min(s.content, s.end):s.end], a)
		if i == 0 {
			f.addFileFields(d, a)
		}
		docs[i] = d
	}
	return docs
}

// headingText is a section's headings, less one that says what the title does.
func (f *file) headingText(s section) string {
	headings := s.headings
	if len(headings) > 0 && headings[0] == f.title {
		headings = headings[1:]
	}
	return strings.Join(headings, "\n")
}

func (f *file) addFileFields(d *document.Document, a analyzer) {
	addKeyword(d, fieldProject, f.project)
	addKeyword(d, fieldType, strings.ToLower(f.kind))
	for _, t := range f.tags {
		addKeyword(d, fieldTag, t)
	}
	if f.text != nil {
		addKeyword(d, fieldLang, f.lang)
	}
	for _, p := range f.props {
		addKeyword(d, fieldProperty, p.term())
	}
	for _, l := range f.links {
		addKeyword(d, fieldLink, l)
	}
	meta := f.meta + "\n" + pathWords(f.path) + "\n" + strings.Join(f.tags, "\n")
	addText(d, fieldMeta, []byte(meta), a)
}

// pathWords makes words of a path: "projects/house-boat/notes_2.md" is
// "projects house boat notes 2".
func pathWords(path string) string {
	path = strings.TrimSuffix(path, ".md")
	return strings.Map(func(r rune) rune {
		switch r {
		case '/', '-', '_', '.':
			return ' '
		}
		return r
	}, path)
}

// lengths adds up the analysed lengths of a file's entries, which are known once
// bleve has indexed them.
func lengths(docs []*document.Document) (n [numFields]int) {
	for _, d := range docs {
		for _, field := range d.Fields {
			for f := range numFields {
				if field.Name() == f.name() {
					n[f] += field.AnalyzedLength()
				}
			}
		}
	}
	return n
}
