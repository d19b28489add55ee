package index

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"kist/index/analyze"

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

// entries makes a file's entries, one after the other: those of a long file must not be
// in memory together.
func (f *file) entries(a analyze.Analyzer) iter.Seq2[int, *document.Document] {
	return func(yield func(int, *document.Document) bool) {
		for i := range f.count() {
			if !yield(i, f.entry(i, a)) {
				return
			}
		}
	}
}

// count is the number of a file's entries. A file without text is found by its name.
func (f *file) count() int { return max(1, len(f.sections)) }

// entry makes one of a file's entries.
func (f *file) entry(ordinal int, a analyze.Analyzer) *document.Document {
	d := document.NewDocument(entryID(f.path, ordinal))
	addKeyword(d, fieldPath, f.path)
	addText(d, fieldTitle, []byte(f.title), a)
	if len(f.sections) > 0 {
		s := f.sections[ordinal]
		addText(d, fieldHeadings, []byte(f.headingText(s)), a)
		body := f.text[min(s.content, s.end):s.end]
		if ordinal+1 < len(f.sections) && f.sections[ordinal+1].start < s.end {
			// bleve's filters write into the text, and several entries are analysed at a time.
			body = bytes.Clone(body)
		}
		addText(d, fieldBody, body, a)
	}
	if ordinal == 0 {
		f.addFileFields(d, a)
	}
	return d
}

// length is about how many bytes of text an entry has.
func (f *file) length(ordinal int) int {
	if len(f.sections) == 0 {
		return 0
	}
	return f.sections[ordinal].end - f.sections[ordinal].start
}

// headingText is a section's headings, less one that says what the title does.
func (f *file) headingText(s section) string {
	headings := s.headings
	if len(headings) > 0 && headings[0] == f.title {
		headings = headings[1:]
	}
	return strings.Join(headings, "\n")
}

func (f *file) addFileFields(d *document.Document, a analyze.Analyzer) {
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

// lengths are the analysed lengths of an entry's fields, which are known once bleve has
// indexed it.
func lengths(d *document.Document) (n [numFields]int) {
	for _, field := range d.Fields {
		for f := range numFields {
			if field.Name() == f.name() {
				n[f] += field.AnalyzedLength()
			}
		}
	}
	return n
}

// analyse does what bleve does with an entry that is committed.
func analyse(d *document.Document) {
	for _, field := range d.Fields {
		field.Analyze()
	}
}
