package page

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"kist/index/analyze"
	"kist/index/section"

	"github.com/blevesearch/bleve/v2/document"
)

// Separator stands between a path and the section's number in an entry's id;
// no path holds a NUL.
const Separator = "\x00"

func EntryID(path string, ordinal int) string {
	return path + Separator + strconv.Itoa(ordinal)
}

// SplitID is the inverse of entryID.
func SplitID(id string) (path string, ordinal int) {
	path, n, _ := strings.Cut(id, Separator)
	ordinal, _ = strconv.Atoi(n)
	return path, ordinal
}

// An Entry is an entry as bleve takes it.
type Entry struct {
	*document.Document
	Text *section.Text
}

// LayOut makes a file's entries, one after the other: those of a long file must not be
// in memory together.
func (f *File) LayOut(a analyze.Analyzer) iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		for i := range f.Count() {
			if !yield(i, f.Entry(i, a)) {
				return
			}
		}
	}
}

// Count is the number of a file's entries. A file without text is found by its name.
func (f *File) Count() int { return max(1, len(f.Entries)) }

// SectionCount is the number of a file's sections, one at least.
func (f *File) SectionCount() int { return max(1, len(f.Sections)) }

// Entry makes one of a file's entries.
func (f *File) Entry(ordinal int, a analyze.Analyzer) Entry {
	d := document.NewDocument(EntryID(f.Path, ordinal))
	text := section.New(f.Title, f.sectionsOf(ordinal), a)
	text.AddTo(d)
	if ordinal == 0 {
		f.addFileFields(d, a)
	}
	if f.Text != nil {
		addOutline(d, f.outline(ordinal))
	}
	return Entry{d, text}
}

// sectionsOf are the sections of an entry.
func (f *File) sectionsOf(ordinal int) (all []section.Section) {
	if len(f.Entries) == 0 {
		return nil
	}
	e := f.Entries[ordinal]
	for i, s := range f.Sections[e.From:e.To] {
		laid := section.Section{Headings: s.Headings, Body: f.Text[min(s.Content, s.End):s.End]}
		if i > 0 && len(s.Headings) > 0 {
			laid.Above = len(s.Headings) - 1
		}
		if laid.Above == 0 && len(s.Headings) > 0 && s.Headings[0] == f.Title {
			laid.Titled = len(s.Headings) == 1
			if !laid.Titled {
				laid.Above = 1
			}
		}
		laid.Headings = laid.Headings[laid.Above:]
		all = append(all, laid)
	}
	return all
}

// Length is about how many bytes of text an entry has.
func (f *File) Length(ordinal int) int {
	if len(f.Entries) == 0 {
		return 0
	}
	e := f.Entries[ordinal]
	return f.Sections[e.To-1].End - f.Sections[e.From].Start
}

// A Place is a section of a file: its entry's number, and its own within that.
type Place int32

// Nowhere is the place where none is known.
const Nowhere Place = -1

const placeBits = 16 // there are fewer sections in a file

func PlaceOf(entry, section int) Place { return Place(entry<<placeBits | section) }

func (p Place) Entry() int   { return int(p) >> placeBits }
func (p Place) Section() int { return int(p) & (1<<placeBits - 1) }

// at is the number of the section at a place, or of the nearest there is to it.
func (f *File) at(p Place) int {
	if len(f.Entries) == 0 || p == Nowhere {
		return 0
	}
	e := f.Entries[max(0, min(p.Entry(), len(f.Entries)-1))]
	return min(e.From+p.Section(), e.To-1)
}

func (f *File) addFileFields(d *document.Document, a analyze.Analyzer) {
	addKeyword(d, FieldProject, f.Project)
	addKeyword(d, FieldType, strings.ToLower(f.Kind))
	for _, t := range f.Tags {
		addKeyword(d, FieldTag, t)
	}
	if f.Text != nil {
		addKeyword(d, FieldLang, f.Lang)
	}
	for _, p := range f.props {
		addKeyword(d, FieldProperty, p.term())
	}
	for _, n := range f.names() {
		addKeyword(d, FieldName, n)
	}
	for _, l := range f.links {
		addKeyword(d, FieldLink, l)
	}
	meta := f.meta + "\n" + PathWords(f.Path) + "\n" + strings.Join(f.Tags, "\n")
	d.AddField(section.Alone(FieldMeta.Name(), []byte(meta), a))
}

// PathWords makes words of a path: "projects/house-boat/notes_2.md" is
// "projects house boat notes 2".
func PathWords(path string) string {
	path = strings.TrimSuffix(path, ".md")
	return strings.Map(func(r rune) rune {
		switch r {
		case '/', '-', '_', '.':
			return ' '
		}
		return r
	}, path)
}

// Lengths are the analysed lengths of an entry's fields, which are known once bleve has
// indexed it.
func (d Entry) Lengths() (n [NumFields]int) {
	for _, field := range d.Fields {
		for f := range NumFields {
			if field.Name() == f.Name() {
				n[f] += field.AnalyzedLength()
			}
		}
	}
	return n
}

// Analyse does what bleve does with an entry that is committed.
func (d Entry) Analyse() {
	for _, field := range d.Fields {
		field.Analyze()
	}
}

// Embedded are the fields that vectors are made of. Front matter is left out: it is
// full of names and numbers that are alike in documents that aren't.
var Embedded = [...]Field{FieldTitle, FieldHeadings, FieldBody}

// AddTerms counts an entry's terms. The title is in all entries of a document; who
// adds them up wants it once.
func (d Entry) AddTerms(counts map[string]int, title bool) {
	for _, f := range d.Fields {
		if !slices.ContainsFunc(Embedded[:], func(t Field) bool { return t.Name() == f.Name() }) || !title && f.Name() == FieldTitle.Name() {
			continue
		}
		for term, freq := range f.AnalyzedTokenFrequencies() {
			counts[term] += freq.Frequency()
		}
	}
}
