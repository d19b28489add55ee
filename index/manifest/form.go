package manifest

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"kist/index/day"
	"kist/index/page"
	"kist/index/store"
	"kist/vault"
)

// This file writes and reads the stored form: texts, each with its length before it, and numbers.

// numbers are those of an entry, in the order in which they are stored.
func (e *Entry) numbers() (n [8 + page.NumFields]int64) {
	n = [8 + page.NumFields]int64{e.Size, e.Mtime, e.Ctime, int64(e.Inode), int64(e.Entries), int64(e.Sections), int64(e.Date), int64(e.Revised)}
	for f, tokens := range e.Tokens {
		n[8+f] = int64(tokens)
	}
	return n
}

// encode is the stored form, its magic and checksum included. Parts that don't fit are left out: a
// manifest that lacks them is none the worse.
func (m *Manifest) encode() []byte {
	out := append(make([]byte, 0, 64+128*len(m.Files)), manifestMagic+"0000"...)
	number := func(n int64) { out = binary.AppendVarint(out, n) }
	text := func(s string) { out = append(binary.AppendVarint(out, int64(len(s))), s...) }
	text(store.MappingVersion)
	text(m.ID)
	text(m.Root)
	number(int64(m.Base))
	number(int64(len(m.Files)))
	for path, e := range m.Files {
		text(path)
		text(e.Lang)
		out = append(append(out, e.Hash[:]...), byte(e.Flags))
		for _, n := range e.numbers() {
			number(n)
		}
		parts := m.Parts[path]
		if len(parts) != e.Entries {
			parts = nil
		}
		number(int64(len(parts)))
		for _, p := range parts {
			out = binary.LittleEndian.AppendUint64(out, p.Hash)
			number(int64(p.Headings))
			number(int64(p.Body))
		}
	}
	number(int64(len(m.Problems)))
	for _, path := range slices.Sorted(maps.Keys(m.Problems)) {
		text(path)
		number(int64(len(m.Problems[path])))
		for _, p := range m.Problems[path] {
			text(p.Path)
			text(p.Message)
			text(p.Hint)
			number(int64(p.Line))
			number(int64(p.Column))
		}
	}
	body := len(manifestMagic) + 4
	binary.LittleEndian.PutUint32(out[body-4:], crc32.ChecksumIEEE(out[body:]))
	return out
}

// A form is what is left of a stored one. What doesn't fit leaves it broken, and nothing.
type form struct {
	left   []byte
	broken bool
}

func (f *form) number() int64 {
	n, size := binary.Varint(f.left)
	if size <= 0 {
		f.left, f.broken = nil, true
		return 0
	}
	f.left = f.left[size:]
	return n
}

// count is a number of things that take so many bytes each, at least.
func (f *form) count(bytes int) int {
	n := f.number()
	if n < 0 || n > int64(len(f.left)/bytes) {
		f.left, f.broken = nil, true
		return 0
	}
	return int(n)
}

func (f *form) bytes(n int) []byte {
	if n > len(f.left) {
		f.left, f.broken = nil, true
		return make([]byte, n)
	}
	b := f.left[:n]
	f.left = f.left[n:]
	return b
}

func (f *form) text() string { return string(f.bytes(f.count(1))) }

// decode is the opposite of encode, for what comes behind the checksum.
func decode(body []byte) (*Manifest, error) {
	f := &form{left: body}
	if f.text() != store.MappingVersion && !f.broken {
		return nil, store.ErrVersion
	}
	m := New(f.text(), f.text())
	m.Base = uint64(f.number())
	files := f.count(len(Hash{}))
	m.Files = make(map[string]Entry, files)
	langs := map[string]string{} // each once
	for range files {
		path, lang := f.text(), f.bytes(f.count(1))
		e := Entry{Hash: Hash(f.bytes(len(Hash{}))), Flags: EntryFlags(f.bytes(1)[0])}
		var ok bool
		if e.Lang, ok = langs[string(lang)]; !ok {
			e.Lang = string(lang)
			langs[e.Lang] = e.Lang
		}
		n := e.numbers()
		for i := range n {
			n[i] = f.number()
		}
		e.Size, e.Mtime, e.Ctime, e.Inode = n[0], n[1], n[2], uint64(n[3])
		e.Entries, e.Sections, e.Date, e.Revised = int(n[4]), int(n[5]), day.Day(n[6]), day.Day(n[7])
		for field := range e.Tokens {
			e.Tokens[field] = int(n[8+field])
		}
		parts := make([]page.Known, f.count(10))
		for i := range parts {
			parts[i] = page.Known{Hash: binary.LittleEndian.Uint64(f.bytes(8)), Headings: uint32(f.number()), Body: uint32(f.number())}
		}
		if len(parts) > 0 {
			m.Parts[path] = parts
		}
		m.Files[path] = e
		m.count(e, 1)
	}
	for range f.count(1) {
		path := f.text()
		for range f.count(5) {
			m.Problems[path] = append(m.Problems[path], vault.Problem{Path: f.text(), Message: f.text(), Hint: f.text(), Line: int(f.number()), Column: int(f.number())})
		}
	}
	if f.broken || len(f.left) > 0 {
		return nil, fmt.Errorf("%w: its manifest can't be decoded", store.ErrDamaged)
	}
	return m, nil
}
