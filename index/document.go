package index

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
	"kist/vault/markdown"
)

// Limits on one file.
const (
	maxFile     = 10 << 20 // bytes that are indexed of a file
	maxSections = 10_000   // sections of a file; the rest of its text goes into the last one
)

const (
	// maxSection is how much text one section has at most, in bytes, and so an entry:
	// analysing it takes thirty times as much memory. What is longer is several sections.
	maxSection = 64 << 10
	// maxEntry is how much text the sections of an entry have together, where it has
	// several, and minEntry what it has before another one may begin.
	maxEntry = 32 << 10
	minEntry = 8 << 10
	// overlap is how far the pieces of one section reach into the next, in bytes, so that
	// a phrase has all its words in one of them.
	overlap = 2 << 10
)

// A file is one file of the vault as the index and the excerpts see it.
type file struct {
	path     string
	info     vault.Info
	read     time.Time // when reading began
	raw      []byte    // as read
	text     []byte    // valid UTF-8; nil: not to be searched
	body     int       // where the front matter ends
	title    string
	kind     string
	project  string
	tags     []string
	meta     string  // front-matter values
	lang     string  // base language; "und" for one that isn't known
	date     day.Day // that the front matter gives; 0: none
	revised  day.Day // that its age is counted from, as the front matter says; 0: it doesn't
	aliases  []string
	props    []property
	links    []string // keys of what it links to; see findLinks
	sections []part
	entries  []stretch
	flags    entryFlags
	problems []vault.Problem
}

// A part is one section of a file: what is below a heading, or a piece of that, where it
// is long.
type part struct {
	headings   []string
	start, end int // of the file's text
	content    int // where the heading ends
}

// A stretch is the sections of one entry of the index: the first, and the one that comes
// after the last. All but long files have one entry.
type stretch struct{ from, to int }

// readFile reads and parses a file; a file that can't be parsed is returned
// with its problems and what could be learnt of it.
func (x *Index) readFile(p string) (*file, error) {
	f, err := x.parseFile(p)
	if err == nil && f.lang == "" {
		f.lang = x.langs.Detect(f.text[f.body:])
	}
	return f, err
}

// parseFile is readFile but for the language of a file that doesn't name it.
func (x *Index) parseFile(p string) (*file, error) {
	began := time.Now()
	raw, info, err := x.source.ReadHead(p, maxFile)
	if err != nil {
		return nil, err
	}
	f := &file{path: p, info: info, read: began, raw: raw}
	f.title = strings.TrimSuffix(path.Base(p), path.Ext(p))
	f.kind = x.vault.TypeOf(p)
	f.lang = analyze.English
	f.project = x.vault.ProjectOf(p)
	if info.Size > int64(len(raw)) && len(raw) >= maxFile {
		f.flags |= headOnly
		f.problem(0, 0, fmt.Sprintf("%d MiB: only the first %d MiB are searchable", info.Size>>20, maxFile>>20), "split the file")
		raw = match.WholeRunes(raw)
	}
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		f.flags |= failed
		f.problem(lineAt(raw, i), 0, fmt.Sprintf("not text: a NUL byte at offset %d", i), "save it as UTF-8; until then it is found by its name only")
		return f, nil
	}
	if i := invalidUTF8(raw); i >= 0 {
		f.problem(lineAt(raw, i), 0, fmt.Sprintf("not valid UTF-8 at byte %d: such bytes are not searchable", i), "save it as UTF-8")
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	f.text, f.lang = raw, ""
	f.guard(testing.Testing(), f.parse)
	return f, nil
}

// problem adds a fault of the file.
func (f *file) problem(line, column int, message, hint string) {
	f.problems = append(f.problems, vault.Problem{Path: f.path, Line: line, Column: column, Message: message, Hint: hint})
}

// guard calls fn. One file that makes the parser panic must not keep the others
// from being searched: it is indexed as plain text then. In tests a panic goes on.
func (f *file) guard(goOn bool, fn func()) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if goOn {
			panic(p)
		}
		f.flags |= failed
		f.body, f.sections, f.entries, f.tags, f.meta, f.props, f.links = 0, nil, nil, nil, "", nil, nil
		f.cut(nil)
		f.problem(0, 0, fmt.Sprintf("could not be parsed: %v", p), "it is searchable as plain text; please report this as a bug in kist")
	}()
	fn()
}

// parse finds out the file's title, tags and sections.
func (f *file) parse() {
	d := markdown.Parse(f.text)
	f.body = d.BodyStart()
	fm, err := d.FrontMatter()
	switch {
	case err != nil:
		f.frontMatterProblem(err)
		f.body = 0 // index it as text
	case fm != nil:
		f.describe(fm)
	}
	if f.title == "" || fm == nil || (fm.String("name") == "" && fm.String("title") == "") {
		if t := d.Title(); t != "" {
			f.title = t
		}
	}
	f.tags = tagSet(append(f.tags, d.Tags()...))
	f.cut(d.Sections())
}

func (f *file) describe(fm *markdown.FrontMatter) {
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
		f.kind = t
	}
	for _, key := range []string{"title", "name"} {
		if t := fm.String(key); t != "" {
			f.title = t
		}
	}
	f.lang = analyze.Base(cmp.Or(fm.String("lang"), fm.String("language")))
	for _, key := range []string{"created", "date"} {
		if d, ok := day.Parse(fm.String(key)); ok {
			f.date = d
		}
	}
	// What was created long ago may be changed every day, so that says nothing of age.
	for _, key := range []string{"date", "lastmod", "modified", "updated"} {
		if d, ok := day.Parse(fm.String(key)); ok {
			f.revised = d
		}
	}
	f.aliases = append(fm.Strings("aliases"), fm.Strings("alias")...)
}

func (f *file) frontMatterProblem(err error) {
	line, column, message := 1, 0, err.Error()
	if e, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		line, column, message = e.Line, e.Column, e.Message
	}
	f.problem(line, column, "front matter: "+message, "correct the YAML between the --- lines; until then it is searchable as text and nothing writes into it")
}

// cut makes sections and entries: at least one, which together cover everything after the
// front matter.
func (f *file) cut(sections []markdown.Section) {
	defer func() { f.entries = pack(f.text, f.sections) }()
	at := f.body
	if len(sections) == 0 || len(bytes.TrimSpace(f.text[at:sections[0].Start])) > 0 {
		end := len(f.text)
		if len(sections) > 0 {
			end = sections[0].Start
		}
		f.cutSection(part{start: at, end: end, content: at})
	}
	for i, s := range sections {
		if s.Start < f.body {
			continue
		}
		if i == maxSections-1 {
			s.End = len(f.text)
		}
		f.cutSection(part{headings: s.Path, start: s.Start, content: min(s.ContentStart, s.End), end: s.End})
		if i == maxSections-1 {
			break
		}
	}
}

// cutSection makes sections of at most about maxSection of one.
func (f *file) cutSection(s part) {
	for s.end-s.content > maxSection+overlap {
		piece, next := s, breakAt(f.text, s.content, s.content+maxSection)
		piece.end = breakAt(f.text, next, next+overlap)
		f.sections = append(f.sections, piece)
		s.start, s.content = next, next
	}
	f.sections = append(f.sections, s)
}

// pack makes entries of neighbouring sections. Where one ends depends on what the next one
// begins with rather than on what is before, so that an edit leaves most of the entries of
// a long file as they are.
func pack(text []byte, sections []part) (entries []stretch) {
	from := 0
	for i := 1; i < len(sections); i++ {
		size := sections[i].start - sections[from].start
		if size+sections[i].end-sections[i].start > maxEntry || size > minEntry && boundary(text, sections[i]) {
			entries = append(entries, stretch{from, i})
			from = i
		}
	}
	return append(entries, stretch{from, len(sections)})
}

// boundary picks one in four sections, by how they begin.
func boundary(text []byte, s part) bool {
	h := fnv.New32a()
	h.Write(text[s.start:min(s.content, s.end)])
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
		t = normalTag(t)
		for t != "" && !seen[t] {
			seen[t] = true
			set = append(set, t)
			t = t[:max(0, strings.LastIndexByte(t, '/'))]
		}
	}
	return set
}

func normalTag(t string) string {
	return strings.ToLower(strings.Trim(strings.TrimSpace(t), "#/"))
}

// lineAt is the 1-based line of an offset.
func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

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
