package news

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"

	"kist/vault"
	"kist/vault/catalog"
)

// A table is what a run leaves for the next one. Its stored form is a mark with the version of
// the form, the SHA-256 of all behind it, and the fields in their order: numbers as varints, a text with its
// length before it, lists with how many they have.
type table struct {
	vault    string    // whose it is
	seq      vault.Seq // everything that a client knows has a number up to here
	floor    vault.Seq // of what changed behind it, nothing is missing in recent
	read     vault.Seq // and since it, documents were read as tasks in the way that reading tells
	reading  string
	recent   []Change // ascending, the last of each document
	versions []version
}

// A version is what a document was when its number was the last one given.
type version struct {
	path  string
	stamp catalog.Stamp
	young bool       // another one may have the same stamp
	known bool       // hash says what it held
	hash  vault.Hash // empty: it couldn't be read
}

const form = "kist watches 1\n"

var errDamaged = errors.New("it is damaged, or of another version")

func (t *table) bytes() []byte {
	w := writer{}
	w.text(t.vault)
	w.numbers(int64(t.seq), int64(t.floor), int64(t.read))
	w.text(t.reading)
	w.numbers(int64(len(t.recent)))
	for _, c := range t.recent {
		w.text(c.Path)
		w.numbers(int64(c.Seq))
		w.hash(!c.unread, c.Hash)
	}
	w.numbers(int64(len(t.versions)))
	for _, v := range t.versions {
		w.text(v.path)
		w.numbers(v.stamp.Size, v.stamp.Modified, v.stamp.Changed, int64(v.stamp.Inode), told(v.young))
		w.hash(v.known, v.hash)
	}
	sum := sha256.Sum256(w)
	return append(append([]byte(form), sum[:]...), w...)
}

func parse(text []byte) (*table, error) {
	rest, ok := bytes.CutPrefix(text, []byte(form))
	if !ok || len(rest) < sha256.Size || sha256.Sum256(rest[sha256.Size:]) != [sha256.Size]byte(rest) {
		return nil, errDamaged
	}
	r := reader{rest: string(rest[sha256.Size:])} // which the paths are parts of
	t := &table{vault: r.text(), seq: vault.Seq(r.number()), floor: vault.Seq(r.number()), read: vault.Seq(r.number()), reading: r.text()}
	for n := r.number(); n > 0 && !r.short; n-- {
		c := Change{Path: strings.Clone(r.text()), Seq: vault.Seq(r.number())}
		known, hash := r.hash()
		c.unread, c.Hash = !known, hash
		t.recent = append(t.recent, c)
	}
	n := r.number()
	t.versions = make([]version, 0, min(max(n, 0), int64(len(r.rest))/8))
	for ; n > 0 && !r.short; n-- {
		v := version{path: r.text(), stamp: catalog.Stamp{Size: r.number(), Modified: r.number(), Changed: r.number(), Inode: uint64(r.number())}}
		v.young = r.number() != 0
		v.known, v.hash = r.hash()
		t.versions = append(t.versions, v)
	}
	if r.short || len(r.rest) > 0 {
		return nil, errDamaged
	}
	return t, nil
}

type writer []byte

func (w *writer) numbers(all ...int64) {
	for _, n := range all {
		*w = binary.AppendVarint(*w, n)
	}
}

func (w *writer) text(s string) {
	w.numbers(int64(len(s)))
	*w = append(*w, s...)
}

// hash writes nothing as one byte, and a hash as half of its hexadecimal form.
func (w *writer) hash(known bool, h vault.Hash) {
	w.numbers(told(known))
	if known {
		raw, _ := hex.DecodeString(string(h))
		w.text(string(raw))
	}
}

func told(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

type reader struct {
	rest  string
	short bool // something was missing
}

func (r *reader) number() int64 {
	n, size := binary.Varint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if size <= 0 {
		r.short, r.rest = true, ""
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) text() string {
	n := r.number()
	if n < 0 || n > int64(len(r.rest)) {
		r.short, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) hash() (known bool, h vault.Hash) {
	if r.number() == 0 {
		return false, ""
	}
	return true, vault.Hash(hex.EncodeToString([]byte(r.text())))
}
