package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"

	"kist/index/day"
	"kist/vault"
)

// FieldOutline is stored with each entry: what a result shows of its sections, but for their
// text. Those of all entries of a file tell of all that [Reader.Parse] finds out and a result
// needs, for as long as the file has the very bytes that they were made of.
const FieldOutline = "outline"

// sumBytes is how much of a SHA-256 tells that a text is the same.
const sumBytes = 12

func sumOf(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:sumBytes]
}

// outline is what is stored with an entry. A file whose text isn't as it was read has none.
//
// The first entry begins with the file: what is before the sections, and what it is called.
// Numbers are differences, so that an entry which only moved has the same outline.
func (f *File) outline(ordinal int) (out []byte) {
	if f.Failed || f.HeadOnly || len(f.Text) == 0 || len(f.Text) != len(f.Raw) || &f.Text[0] != &f.Raw[0] {
		return nil
	}
	number := func(n int) { out = binary.AppendUvarint(out, uint64(n)) }
	text := func(s string) { number(len(s)); out = append(out, s...) }
	number(min(len(f.Entries), 2) - 1)
	if ordinal == 0 {
		number(f.Body)
		number(f.Sections[0].Start - f.Body) // blank lines
		out = append(out, sumOf(f.Text[:f.Sections[0].Start])...)
		text(f.Title)
		text(f.declared)
		text(f.Lang)
		number(int(f.Revised))
		number(len(f.Tags))
		for _, t := range f.Tags {
			text(t)
		}
	}
	e := f.Entries[ordinal]
	at, end := f.Sections[e.From].Start, f.Sections[e.To-1].End
	out = append(out, sumOf(f.Text[at:end])...)
	number(end - at)
	next := 0
	if e.To < len(f.Sections) {
		next = f.Sections[e.To].Start - at
	}
	number(next)
	number(e.To - e.From)
	var above []string
	for _, s := range f.Sections[e.From:e.To] {
		same := 0
		for same < min(len(above), len(s.Headings)) && above[same] == s.Headings[same] {
			same++
		}
		number(s.Start - at)
		number(s.Content - s.Start)
		number(s.End - s.Start)
		number(same)
		number(len(s.Headings) - same)
		for _, h := range s.Headings[same:] {
			text(h)
		}
		at, above = s.Start, s.Headings
	}
	return out
}

// Alone reports whether an outline is that of a file's only entry.
func Alone(outline []byte) bool { return len(outline) > 0 && outline[0] == 0 }

func addOutline(d *document.Document, outline []byte) {
	if outline != nil {
		d.AddField(document.NewTextFieldCustom(FieldOutline, nil, outline, bleve.StoreField, nil))
	}
}

// A stored outline is read from its beginning. What doesn't fit leaves it broken.
type storedOutline struct {
	left   []byte
	same   bool // the text is what it was made of
	broken bool
}

// fits reports whether a text is what a sum was made of.
func (o *storedOutline) fits(text, sum []byte) bool { return o.same || bytes.Equal(sum, sumOf(text)) }

func (o *storedOutline) number() int {
	n, size := binary.Uvarint(o.left)
	if size <= 0 || n > 1<<31 {
		o.broken, o.left = true, nil
		return 0
	}
	o.left = o.left[size:]
	return int(n)
}

func (o *storedOutline) bytes(n int) []byte {
	if n > len(o.left) {
		o.broken, o.left = true, nil
		return nil
	}
	b := o.left[:n]
	o.left = o.left[n:]
	return b
}

func (o *storedOutline) text() string { return string(o.bytes(o.number())) }

// count is a number of things that take a byte each, at least.
func (o *storedOutline) count() int {
	n := o.number()
	if n > len(o.left) {
		o.broken, n = true, 0
	}
	return n
}

// Outlined makes a file of what was read, now, and the outlines of all its entries in order. It
// has no properties, aliases or links. It is nil where they aren't of these very bytes, which
// isn't looked at where same says so.
func (r Reader) Outlined(path string, raw []byte, info vault.Info, began time.Time, outlines [][]byte, same bool) *File {
	if len(outlines) == 0 || int64(len(raw)) != info.Size {
		return nil
	}
	f := &File{Path: path, Info: info, Read: began, Raw: raw, Text: raw, Kind: r.Vault.TypeOf(path), Project: r.Vault.ProjectOf(path)}
	at := 0
	for i, stored := range outlines {
		o := &storedOutline{left: stored, same: same}
		if several := o.number() > 0; several != (len(outlines) > 1) {
			return nil
		}
		if i == 0 {
			at = f.begin(o)
		}
		next, ok := f.extend(o, at)
		if last := i == len(outlines)-1; !ok || last != (next == 0) {
			return nil
		}
		at += next
	}
	if f.Sections[len(f.Sections)-1].End != len(raw) {
		return nil
	}
	return f
}

// begin takes up what the first outline says of the file, and returns where the first section
// begins.
func (f *File) begin(o *storedOutline) (at int) {
	f.Body = o.number()
	at = f.Body + o.number()
	if sum := o.bytes(sumBytes); at > len(f.Text) || !o.fits(f.Text[:at], sum) {
		o.broken = true
		return 0
	}
	f.Title = o.text()
	if kind := o.text(); kind != "" {
		f.Kind = kind
	}
	f.Lang = o.text()
	f.Revised = day.Day(o.number())
	for range o.count() {
		f.Tags = append(f.Tags, o.text())
	}
	return at
}

// extend takes up the sections of an entry that begins at an offset.
func (f *File) extend(o *storedOutline, at int) (next int, ok bool) {
	sum, size := o.bytes(sumBytes), o.number()
	if o.broken || size > len(f.Text)-at || !o.fits(f.Text[at:at+size], sum) {
		return 0, false
	}
	next = o.number()
	end, from := at+size, len(f.Sections)
	var above []string
	for range o.count() {
		var s Part
		s.Start = at + o.number()
		s.Content, s.End = s.Start+o.number(), s.Start+o.number()
		same := min(o.number(), len(above))
		s.Headings = above[:same:same]
		for range o.count() {
			s.Headings = append(s.Headings, o.text())
		}
		if o.broken || s.End > end || s.Content > end {
			return 0, false
		}
		f.Sections = append(f.Sections, s)
		at, above = s.Start, s.Headings
	}
	f.Entries = append(f.Entries, Stretch{from, len(f.Sections)})
	return next, len(f.Sections) > from
}
