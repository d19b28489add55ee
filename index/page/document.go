package page

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kist/index/analyze"
	"kist/index/day"
	"kist/index/match"
	"kist/vault"
	"kist/vault/canvas"
	"kist/vault/markdown"
)

// Limits on one file.
const (
	MaxFile     = 10 << 20 // bytes that are indexed of a file
	MaxSections = 10_000   // sections of a file; the rest of its text goes into the last one
)

const (
	// MaxSection is how much text one section has at most, in bytes, and so an entry:
	// analysing it takes thirty times as much memory. What is longer is several sections.
	MaxSection = 64 << 10
	// maxEntry is how much text the sections of an entry have together, where it has
	// several, and minEntry what it has before another one may begin.
	maxEntry = 32 << 10
	minEntry = 8 << 10
	// Overlap is how far the pieces of one section reach into the next, in bytes, so that
	// a phrase has all its words in one of them.
	Overlap = 2 << 10
)

// A File is one file of the vault as the index and the excerpts see it.
type File struct {
	Path     string
	Info     vault.Info
	Read     time.Time // when reading began
	Raw      []byte    // as read
	Text     []byte    // valid UTF-8; nil: not to be searched
	Body     int       // where the front matter ends
	Title    string
	Kind     string
	declared string // kind, as the front matter says
	Project  string
	Tags     []string
	meta     string  // front-matter values
	Lang     string  // base language; "und" for one that isn't known
	Date     day.Day // that the front matter gives; 0: none
	Revised  day.Day // that its age is counted from, as the front matter says; 0: it doesn't
	Aliases  []string
	props    []property
	links    []string // keys of what it links to; see findLinks
	Sections []Part
	Entries  []Stretch
	HeadOnly bool // only the beginning of it is indexed
	Failed   bool // its text can't be indexed, or was as plain text
	Problems []vault.Problem
}

// A Part is one section of a file: what is below a heading, or a piece of that, where it
// is long.
type Part struct {
	Headings   []string
	Start, End int // of the file's text
	Content    int // where the heading ends
}

// A Stretch is the sections of one entry of the index: the first, and the one that comes
// after the last. All but long files have one entry.
type Stretch struct{ From, To int }

// A Reader reads the files of a vault.
type Reader struct {
	Head  func(path string, limit int64) ([]byte, vault.Info, error)
	Vault *vault.Vault // which tells what paths stand for
	Langs *analyze.Languages
}

// Read reads and parses a file; a file that can't be parsed is returned
// with its problems and what could be learnt of it.
func (r Reader) Read(p string) (*File, error) {
	f, err := r.Parse(p)
	if err == nil && f.Lang == "" {
		f.Lang = r.Langs.Detect(f.Text[f.Body:])
	}
	return f, err
}

// Parse is read but for the language of a file that doesn't name it.
func (r Reader) Parse(p string) (*File, error) {
	began := time.Now()
	raw, info, err := r.Head(p, MaxFile)
	if err != nil {
		return nil, err
	}
	return r.Of(p, raw, info, began), nil
}

// Of is Parse for what was read of a file, when that began.
func (r Reader) Of(p string, raw []byte, info vault.Info, began time.Time) *File {
	f := &File{Path: p, Info: info, Read: began, Raw: raw}
	f.Title = strings.TrimSuffix(path.Base(p), path.Ext(p))
	f.Kind = r.Vault.TypeOf(p)
	f.Lang = analyze.English
	f.Project = r.Vault.ProjectOf(p)
	if canvas.Is(p) {
		f.Kind, f.declared = canvasType, canvasType
	}
	if info.Size > int64(len(raw)) && len(raw) >= MaxFile {
		f.HeadOnly = true
		f.problem(0, 0, fmt.Sprintf("%d MiB: only the first %d MiB are searchable", info.Size>>20, MaxFile>>20), "split the file")
		raw = match.WholeRunes(raw)
	}
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		f.Failed = true
		if f.declared == canvasType {
			f.problem(LineAt(raw, i), 0, "not the JSON of a canvas in UTF-8, or too large: what is on its cards isn't searchable", "see whether the program that made it opens it; until then it is found by its name only")
			return f
		}
		f.problem(LineAt(raw, i), 0, fmt.Sprintf("not text: a NUL byte at offset %d", i), "save it as UTF-8; until then it is found by its name only")
		return f
	}
	if i := invalidUTF8(raw); i >= 0 {
		f.problem(LineAt(raw, i), 0, fmt.Sprintf("not valid UTF-8 at byte %d: such bytes are not searchable", i), "save it as UTF-8")
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	f.Text, f.Lang = raw, ""
	f.guard(testing.Testing(), f.parse)
	return f
}

// problem adds a fault of the file.
func (f *File) problem(line, column int, message, hint string) {
	f.Problems = append(f.Problems, vault.Problem{Path: f.Path, Line: line, Column: column, Message: message, Hint: hint})
}

// guard calls fn. One file that makes the parser panic must not keep the others
// from being searched: it is indexed as plain text then. In tests a panic goes on.
func (f *File) guard(goOn bool, fn func()) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if goOn {
			panic(p)
		}
		f.Failed = true
		f.Body, f.Sections, f.Entries, f.Tags, f.meta, f.props, f.links = 0, nil, nil, nil, "", nil, nil
		f.cut(nil)
		f.problem(0, 0, fmt.Sprintf("could not be parsed: %v", p), "it is searchable as plain text; please report this as a bug in kist")
	}()
	fn()
}

// parse finds out the file's title, tags and sections.
func (f *File) parse() {
	if f.declared == canvasType {
		f.cutCards()
		return
	}
	d := markdown.Parse(f.Text)
	f.Body = d.BodyStart()
	fm, err := d.FrontMatter()
	half := markdown.Unresolved(d)
	switch {
	case err != nil:
		if len(half) == 0 || half[0].Start > f.Body { // else that is what is wrong with it
			f.frontMatterProblem(err)
		}
		f.Body = 0 // index it as text
	case fm != nil:
		f.describe(fm)
	}
	if f.Title == "" || fm == nil || (fm.String("name") == "" && fm.String("title") == "") {
		if t := d.Title(); t != "" {
			f.Title = t
		}
	}
	if len(half) > 0 {
		f.problem(1+bytes.Count(f.Text[:half[0].Start], []byte("\n")), 0, "git's conflict markers: two versions stand in one text", "choose what is to stay, and take the lines <<<<<<<, ======= and >>>>>>> out; until then the agent doesn't write into it")
	}
	f.Tags = tagSet(append(f.Tags, d.Tags()...))
	f.cut(d.Sections())
}

// canvasType is the type of a canvas, whose text is a [canvas.Text].
const canvasType = "canvas"

// cutCards makes a section of each card.
func (f *File) cutCards() {
	cards := canvas.Cards(f.Text)
	for i, c := range cards {
		if i == MaxSections-1 {
			c.End = len(f.Text)
		}
		f.cutSection(Part{Start: c.Start, Content: c.Start, End: c.End})
		f.Tags = append(f.Tags, markdown.Parse(bytes.TrimSpace(canvas.Lines(f.Text[c.Start:c.End]))).Tags()...)
		if i == MaxSections-1 {
			break
		}
	}
	f.Tags = tagSet(f.Tags)
	if len(cards) == 0 {
		f.cut(nil)
		return
	}
	f.Entries = pack(f.Text, f.Sections)
}

func (f *File) describe(fm *markdown.FrontMatter) {
	var meta []string
	for _, p := range fm.Keys() {
		if values := fm.Strings(p.Key); values != nil {
			meta = append(meta, values...)
			f.describeProperty(p.Key, values)
		} else {
			meta = append(meta, p.Value) // a map, as it is written
		}
	}
	f.meta = strings.Join(meta, "\n")
	if t := fm.String("type"); t != "" {
		f.Kind, f.declared = t, t
	}
	for _, key := range []string{"title", "name"} {
		if t := fm.String(key); t != "" {
			f.Title = t
		}
	}
	f.Lang = analyze.Base(cmp.Or(fm.String("lang"), fm.String("language")))
	for _, key := range []string{"created", "date"} {
		if d, ok := day.Parse(fm.String(key)); ok {
			f.Date = d
		}
	}
	// What was created long ago may be changed every day, so that says nothing of age.
	for _, key := range []string{"date", "lastmod", "modified", "updated"} {
		if d, ok := day.Parse(fm.String(key)); ok {
			f.Revised = d
		}
	}
	f.Aliases = append(fm.Strings("aliases"), fm.Strings("alias")...)
}

func (f *File) frontMatterProblem(err error) {
	line, column, message := 1, 0, err.Error()
	if e, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		line, column, message = e.Line, e.Column, e.Message
	}
	f.problem(line, column, "front matter: "+message, "correct the YAML between the --- lines; until then it is searchable as text and nothing writes into it")
}

// cut makes sections and entries: at least one, which together cover everything after the
// front matter.
func (f *File) cut(sections []markdown.Section) {
	defer func() { f.Entries = pack(f.Text, f.Sections) }()
	at := f.Body
	if len(sections) == 0 || len(bytes.TrimSpace(f.Text[at:sections[0].Start])) > 0 {
		end := len(f.Text)
		if len(sections) > 0 {
			end = sections[0].Start
		}
		f.cutSection(Part{Start: at, End: end, Content: at})
	}
	for i, s := range sections {
		if s.Start < f.Body {
			continue
		}
		if i == MaxSections-1 {
			s.End = len(f.Text)
		}
		f.cutSection(Part{Headings: s.Path, Start: s.Start, Content: min(s.ContentStart, s.End), End: s.End})
		if i == MaxSections-1 {
			break
		}
	}
}

// cutSection makes sections of at most about maxSection of one.
func (f *File) cutSection(s Part) {
	for s.End-s.Content > MaxSection+Overlap {
		piece, next := s, breakAt(f.Text, s.Content, s.Content+MaxSection)
		piece.End = breakAt(f.Text, next, next+Overlap)
		f.Sections = append(f.Sections, piece)
		s.Start, s.Content = next, next
	}
	f.Sections = append(f.Sections, s)
}

// pack makes entries of neighbouring sections. Where one ends depends on what the next one
// begins with rather than on what is before, so that an edit leaves most of the entries of
// a long file as they are.
func pack(text []byte, sections []Part) (entries []Stretch) {
	from := 0
	for i := 1; i < len(sections); i++ {
		size := sections[i].Start - sections[from].Start
		if size+sections[i].End-sections[i].Start > maxEntry || size > minEntry && boundary(text, sections[i]) {
			entries = append(entries, Stretch{from, i})
			from = i
		}
	}
	return append(entries, Stretch{from, len(sections)})
}

// boundary picks one in four sections, by how they begin.
func boundary(text []byte, s Part) bool {
	h := fnv.New32a()
	h.Write(text[s.Start:min(s.Content, s.End)])
	return len(text) > maxEntry && h.Sum32()%4 == 0
}

// breakAt returns where to cut text[from:to]: behind the last line that ends in its
// second half, or else word, or else rune.
func breakAt(text []byte, from, to int) int {
	half := from + (to-from)/2
	for _, space := range []string{"\n", " \t"} {
		if i := bytes.LastIndexAny(text[half:to], space); i >= 0 {
			return half + i + 1
		}
	}
	return from + len(match.WholeRunes(text[from:to]))
}

// tagSet normalises tags and adds the parents of nested ones: #a/b is also #a.
func tagSet(tags []string) []string {
	var set []string
	seen := map[string]bool{}
	for _, t := range tags {
		t = NormalTag(t)
		for t != "" && !seen[t] {
			seen[t] = true
			set = append(set, t)
			t = t[:max(0, strings.LastIndexByte(t, '/'))]
		}
	}
	return set
}

func NormalTag(t string) string {
	return strings.ToLower(strings.Trim(strings.TrimSpace(t), "#/"))
}

// LineAt is the 1-based line of an offset.
func LineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// invalidUTF8 is the offset of the first invalid byte, -1 if there is none.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
