package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"kist/index/page"
	"kist/index/store"
	"os"
	"path/filepath"
	"time"

	"kist/index/day"
	"kist/vault"
)

// File is the manifest's name below the index's folder.
const File = "manifest"

// manifestMagic opens the file; its digit is the format version.
const manifestMagic = Name + "6"

const Name = "kistman"

// racyWindow: a file whose modification time is this close to the moment it was
// read may have been written again without the time moving on (file systems
// round it, FAT to 2 s), so equality of times proves nothing for it.
const RacyWindow = 2 * time.Second

// TickWindow is the same for the time of the last change, which the kernel takes
// from its own clock: some ticks of it.
const TickWindow = 50 * time.Millisecond

// An Entry is what the index knows of one file.
type Entry struct {
	Size     int64
	Mtime    int64 // Unix nanoseconds
	Ctime    int64 // Unix nanoseconds; unlike mtime no program can set it
	Inode    uint64
	Hash     Hash
	Entries  int
	Sections int
	Tokens   [page.NumFields]int // of all entries together, as analysed
	Flags    EntryFlags
	Date     day.Day // that the front matter gives; 0: none
	Revised  day.Day // that its age is counted from, as the front matter says; 0: it doesn't
	Lang     string  // of the analyzer, see analyzerName; empty: not known
}

type Hash [16]byte

// HashOf is the first half of the SHA-256 of what was indexed of a file.
func HashOf(text []byte) (h Hash) {
	sum := sha256.Sum256(text)
	copy(h[:], sum[:])
	return h
}

type EntryFlags uint8

const (
	// racy: read too soon after its modification time; see racyWindow.
	Racy EntryFlags = 1 << iota
	// headOnly: only the first part of the file is indexed.
	HeadOnly
	// failed: the file's text could not be indexed.
	Failed
	// unsure: the index may hold other entries for this path than the manifest
	// says, because the process ended before the manifest was saved.
	Unsure
)

// Same reports whether the file is certainly the one that was indexed.
func (e Entry) Same(i vault.Info) bool {
	return e.Flags&(Racy|Unsure) == 0 && e.Size == i.Size && e.Mtime == i.ModTime.UnixNano() && e.Ctime == i.ChangeTime.UnixNano() && e.Inode == i.Inode
}

// A Manifest lists the files that an index holds. It is derived from the store
// and the files and may be lost at any time.
type Manifest struct {
	ID       string // of the store that it belongs to
	Root     string // of the vault
	Base     uint64 // the store's generation at the last save
	Files    map[string]Entry
	Parts    map[string][]page.Known // of long files, those in files but for what is being written
	Writing  map[string]bool         // files whose entries are being written
	Problems map[string][]vault.Problem
	Entries  int
	Sections int
	Failed   int
	Tokens   [page.NumFields]int64
	Dirty    map[string]bool // paths committed since the last save
}

func New(id, root string) *Manifest {
	return &Manifest{
		ID: id, Root: root,
		Files:    map[string]Entry{},
		Parts:    map[string][]page.Known{},
		Writing:  map[string]bool{},
		Problems: map[string][]vault.Problem{},
		Dirty:    map[string]bool{},
	}
}

// Set leaves the parts as they are.
func (m *Manifest) Set(path string, e Entry, problems []vault.Problem) {
	m.uncount(path)
	m.Files[path] = e
	m.count(e, 1)
	if len(problems) > 0 {
		m.Problems[path] = problems
	}
	m.Dirty[path] = true
}

func (m *Manifest) Remove(path string) {
	m.uncount(path)
	delete(m.Parts, path)
}

func (m *Manifest) uncount(path string) {
	if old, ok := m.Files[path]; ok {
		m.count(old, -1)
		delete(m.Files, path)
	}
	delete(m.Problems, path)
	m.Dirty[path] = true
}

func (m *Manifest) count(e Entry, sign int) {
	m.Entries += sign * e.Entries
	m.Sections += sign * e.Sections
	if e.Flags&Failed != 0 {
		m.Failed += sign
	}
	for f, n := range e.Tokens {
		m.Tokens[f] += int64(sign * n)
	}
}

// Doubt marks paths whose entries in the store are newer than the manifest.
func (m *Manifest) Doubt(paths []string) {
	for _, p := range paths {
		e := m.Files[p]
		e.Flags |= Unsure
		m.Files[p] = e
		delete(m.Parts, p)
		m.Dirty[p] = true
	}
}

// Save writes the manifest for a store of the given generation: a temporary
// file, fsync, rename.
func (m *Manifest) Save(dir string, generation uint64) error {
	before := m.Base
	m.Base = generation
	if err := writeAtomic(filepath.Join(dir, File), m.encode()); err != nil {
		m.Base = before
		return fmt.Errorf("save manifest: %w", err)
	}
	clear(m.Dirty)
	return nil
}

func writeAtomic(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), File+".tmp-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Load reads the manifest below dir. It returns fs.ErrNotExist when
// there is none and store.ErrDamaged when it can't be used.
func Load(dir string) (*Manifest, error) {
	data, err := store.ReadRegular(filepath.Join(dir, File))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, err
	}
	body, ok := bytes.CutPrefix(data, []byte(manifestMagic))
	switch version, ours := bytes.CutPrefix(data, []byte(Name)); {
	case ours && len(version) > 4 && version[0] >= '1' && version[0] < manifestMagic[len(Name)]:
		return nil, store.ErrVersion
	case !ok || len(body) < 4:
		return nil, fmt.Errorf("%w: its manifest is of another program or version", store.ErrDamaged)
	}
	if crc32.ChecksumIEEE(body[4:]) != binary.LittleEndian.Uint32(body) {
		return nil, fmt.Errorf("%w: its manifest has a wrong checksum", store.ErrDamaged)
	}
	return decode(body[4:])
}

// Stat takes over the size and times of a file that was read at a time.
func (e *Entry) Stat(i vault.Info, read time.Time) {
	e.Size, e.Inode = i.Size, i.Inode
	e.Mtime, e.Ctime = i.ModTime.UnixNano(), i.ChangeTime.UnixNano()
	e.Flags &^= Racy | Unsure
	if read.Sub(i.ModTime) < RacyWindow || read.Sub(i.ChangeTime) < TickWindow {
		e.Flags |= Racy
	}
}

// Day is a document's date.
func (e Entry) Day() day.Day {
	if e.Date != 0 {
		return e.Date
	}
	return day.Of(time.Unix(0, e.Mtime))
}
