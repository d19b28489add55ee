package index

import (
	"iter"
	"strconv"
	"strings"

	"kist/index/analyze"
	"kist/index/section"

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

// An entryDoc is an entry as bleve takes it.
type entryDoc struct {
	*document.Document
	text *section.Text
}

// layOut makes a file's entries, one after the other: those of a long file must not be
// in memory together.
func (f *file) layOut(a analyze.Analyzer) iter.Seq2[int, entryDoc] {
	return func(yield func(int, entryDoc) bool) {
		for i := range f.count() {
			if !yield(i, f.entry(i, a)) {
				return
			}
		}
	}
}

// count is the number of a file's entries. A file without text is found by its name.
func (f *file) count() int { return max(1, len(f.entries)) }

// sectionCount is the number of a file's sections, one at least.
func (f *file) sectionCount() int { return max(1, len(f.sections)) }

// entry makes one of a file's entries.
func (f *file) entry(ordinal int, a analyze.Analyzer) entryDoc {
	d := document.NewDocument(entryID(f.path, ordinal))
	addKeyword(d, fieldPath, f.path)
	text := section.New(f.title, f.sectionsOf(ordinal), a)
	text.AddTo(d)
	if ordinal == 0 {
		f.addFileFields(d, a)
	}
	return entryDoc{d, text}
}

// sectionsOf are the sections of an entry.
func (f *file) sectionsOf(ordinal int) (all []section.Section) {
	if len(f.entries) == 0 {
		return nil
	}
	e := f.entries[ordinal]
	for i, s := range f.sections[e.from:e.to] {
		laid := section.Section{Headings: s.headings, Body: f.text[min(s.content, s.end):s.end]}
		if i > 0 && len(s.headings) > 0 {
			laid.Above = len(s.headings) - 1
		}
		if laid.Above == 0 && len(s.headings) > 0 && s.headings[0] == f.title {
			laid.Titled = len(s.headings) == 1
			if !laid.Titled {
				laid.Above = 1
			}
		}
		laid.Headings = laid.Headings[laid.Above:]
		all = append(all, laid)
	}
	return all
}

// length is about how many bytes of text an entry has.
func (f *file) length(ordinal int) int {
	if len(f.entries) == 0 {
		return 0
	}
	e := f.entries[ordinal]
	return f.sections[e.to-1].end - f.sections[e.from].start
}

// A place is a section of a file: its entry's number, and its own within that.
type place int32

// nowhere is the place where none is known.
const nowhere place = -1

const placeBits = 16 // there are fewer sections in a file

func placeOf(entry, section int) place { return place(entry<<placeBits | section) }

func (p place) entry() int   { return int(p) >> placeBits }
func (p place) section() int { return int(p) & (1<<placeBits - 1) }

// at is the number of the section at a place, or of the nearest there is to it.
func (f *file) at(p place) int {
	if len(f.entries) == 0 || p == nowhere {
		return 0
	}
	e := f.entries[max(0, min(p.entry(), len(f.entries)-1))]
	return min(e.from+p.section(), e.to-1)
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
	for _, n := range f.names() {
		addKeyword(d, fieldName, n)
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
func (d entryDoc) lengths() (n [numFields]int) {
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
func (d entryDoc) analyse() {
	for _, field := range d.Fields {
		field.Analyze()
	}
}
