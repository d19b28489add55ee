package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"kist/index/page"
	"maps"
	"os"
	"path/filepath"
	"time"

	"kist/index/day"
	"kist/vault"
)

// manifestFile is the manifest's name below the index's folder.
const manifestFile = "manifest"

// manifestMagic opens the file; its digit is the format version.
const manifestMagic = manifestName + "4"

const manifestName = "kistman"

// racyWindow: a file whose modification time is this close to the moment it was
// read may have been written again without the time moving on (file systems
// round it, FAT to 2 s), so equality of times proves nothing for it.
const racyWindow = 2 * time.Second

// tickWindow is the same for the time of the last change, which the kernel takes
// from its own clock: some ticks of it.
const tickWindow = 50 * time.Millisecond

// An entry is what the index knows of one file.
type entry struct {
	size     int64
	mtime    int64 // Unix nanoseconds
	ctime    int64 // Unix nanoseconds; unlike mtime no program can set it
	inode    uint64
	hash     contentHash
	entries  int
	sections int
	tokens   [page.NumFields]int // of all entries together, as analysed
	flags    entryFlags
	date     day.Day // that the front matter gives; 0: none
	revised  day.Day // that its age is counted from, as the front matter says; 0: it doesn't
	lang     string  // of the analyzer, see analyzerName; empty: not known
}

type contentHash [16]byte

// hashOf is the first half of the SHA-256 of what was indexed of a file.
func hashOf(text []byte) (h contentHash) {
	sum := sha256.Sum256(text)
	copy(h[:], sum[:])
	return h
}

type entryFlags uint8

const (
	// racy: read too soon after its modification time; see racyWindow.
	racy entryFlags = 1 << iota
	// headOnly: only the first part of the file is indexed.
	headOnly
	// failed: the file's text could not be indexed.
	failed
	// unsure: the index may hold other entries for this path than the manifest
	// says, because the process ended before the manifest was saved.
	unsure
)

// same reports whether the file is certainly the one that was indexed.
func (e entry) same(i vault.Info) bool {
	return e.flags&(racy|unsure) == 0 && e.size == i.Size && e.mtime == i.ModTime.UnixNano() && e.ctime == i.ChangeTime.UnixNano() && e.inode == i.Inode
}

// A manifest lists the files that an index holds. It is derived from the store
// and the files and may be lost at any time.
type manifest struct {
	id       string // of the store that it belongs to
	root     string // of the vault
	base     uint64 // the store's generation at the last save
	files    map[string]entry
	parts    map[string][]page.Known // of long files, those in files but for what is being written
	writing  map[string]bool         // files whose entries are being written
	problems map[string][]vault.Problem
	entries  int
	sections int
	failed   int
	tokens   [page.NumFields]int64
	dirty    map[string]bool // paths committed since the last save
}

func newManifest(id, root string) *manifest {
	return &manifest{
		id: id, root: root,
		files:    map[string]entry{},
		parts:    map[string][]page.Known{},
		writing:  map[string]bool{},
		problems: map[string][]vault.Problem{},
		dirty:    map[string]bool{},
	}
}

// set leaves the parts as they are.
func (m *manifest) set(path string, e entry, problems []vault.Problem) {
	m.uncount(path)
	m.files[path] = e
	m.count(e, 1)
	if len(problems) > 0 {
		m.problems[path] = problems
	}
	m.dirty[path] = true
}

func (m *manifest) remove(path string) {
	m.uncount(path)
	delete(m.parts, path)
}

func (m *manifest) uncount(path string) {
	if old, ok := m.files[path]; ok {
		m.count(old, -1)
		delete(m.files, path)
	}
	delete(m.problems, path)
	m.dirty[path] = true
}

func (m *manifest) count(e entry, sign int) {
	m.entries += sign * e.entries
	m.sections += sign * e.sections
	if e.flags&failed != 0 {
		m.failed += sign
	}
	for f, n := range e.tokens {
		m.tokens[f] += int64(sign * n)
	}
}

// doubt marks paths whose entries in the store are newer than the manifest.
func (m *manifest) doubt(paths []string) {
	for _, p := range paths {
		e := m.files[p]
		e.flags |= unsure
		m.files[p] = e
		delete(m.parts, p)
		m.dirty[p] = true
	}
}

// savedManifest is the stored form: columns, because gob handles a slice of
// numbers many times faster than a slice of structs.
type savedManifest struct {
	ID, Root, Mapping string
	Base              uint64
	Paths             []string
	Sizes, Times      []int64
	Changed           []int64 // change times
	Inodes            []uint64
	Hashes            []byte
	Entries, Sections []int
	Tokens            []int // numFields for each path
	Flags             []byte
	Dates, Revised    []int32
	Languages         map[string][]int32 // by language the files, as places in Paths; may lack some
	Problems          map[string][]vault.Problem
	Long              []int32 // files with parts, as places in Paths; a manifest that lacks them is none the worse
	Parts             []byte  // partSize bytes for each of their entries
}

func (m *manifest) encode() ([]byte, error) {
	s := savedManifest{ID: m.id, Root: m.root, Mapping: mappingVersion, Base: m.base, Problems: m.problems, Languages: map[string][]int32{}}
	for p, e := range m.files {
		if e.lang != "" {
			s.Languages[e.lang] = append(s.Languages[e.lang], int32(len(s.Paths)))
		}
		s.Paths = append(s.Paths, p)
		s.Sizes = append(s.Sizes, e.size)
		s.Times = append(s.Times, e.mtime)
		s.Changed = append(s.Changed, e.ctime)
		s.Inodes = append(s.Inodes, e.inode)
		s.Hashes = append(s.Hashes, e.hash[:]...)
		s.Entries, s.Sections = append(s.Entries, e.entries), append(s.Sections, e.sections)
		s.Tokens = append(s.Tokens, e.tokens[:]...)
		s.Flags = append(s.Flags, byte(e.flags))
		s.Dates, s.Revised = append(s.Dates, int32(e.date)), append(s.Revised, int32(e.revised))
	}
	s.addParts(m)
	var buf bytes.Buffer
	buf.WriteString(manifestMagic + "0000")
	if err := gob.NewEncoder(&buf).Encode(s); err != nil {
		return nil, err
	}
	out := buf.Bytes()
	sum := crc32.ChecksumIEEE(out[len(manifestMagic)+4:])
	for i := range 4 {
		out[len(manifestMagic)+i] = byte(sum >> (8 * i))
	}
	return out, nil
}

// save writes the manifest for a store of the given generation: a temporary
// file, fsync, rename.
func (m *manifest) save(dir string, generation uint64) error {
	before := m.base
	m.base = generation
	data, err := m.encode()
	if err == nil {
		err = writeAtomic(filepath.Join(dir, manifestFile), data)
	}
	if err != nil {
		m.base = before
		return fmt.Errorf("save manifest: %w", err)
	}
	clear(m.dirty)
	return nil
}

func writeAtomic(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), manifestFile+".tmp-*")
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

// loadManifest reads the manifest below dir. It returns fs.ErrNotExist when
// there is none and ErrDamaged when it can't be used.
func loadManifest(dir string) (*manifest, error) {
	data, err := readRegular(filepath.Join(dir, manifestFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, err
	}
	body, ok := bytes.CutPrefix(data, []byte(manifestMagic))
	switch version, ours := bytes.CutPrefix(data, []byte(manifestName)); {
	case ours && len(version) > 4 && version[0] >= '1' && version[0] < manifestMagic[len(manifestName)]:
		return nil, errVersion
	case !ok || len(body) < 4:
		return nil, fmt.Errorf("%w: its manifest is of another program or version", ErrDamaged)
	}
	sum := uint32(body[0]) | uint32(body[1])<<8 | uint32(body[2])<<16 | uint32(body[3])<<24
	if crc32.ChecksumIEEE(body[4:]) != sum {
		return nil, fmt.Errorf("%w: its manifest has a wrong checksum", ErrDamaged)
	}
	var s savedManifest
	if err := gob.NewDecoder(bytes.NewReader(body[4:])).Decode(&s); err != nil {
		return nil, fmt.Errorf("%w: its manifest can't be decoded: %w", ErrDamaged, err)
	}
	if s.Mapping != mappingVersion {
		return nil, errVersion
	}
	return s.manifest()
}

func (s *savedManifest) manifest() (*manifest, error) {
	n := len(s.Paths)
	if len(s.Sizes) != n || len(s.Times) != n || len(s.Changed) != n || len(s.Inodes) != n || len(s.Hashes) != n*len(contentHash{}) ||
		len(s.Entries) != n || len(s.Sections) != n || len(s.Tokens) != n*int(page.NumFields) || len(s.Flags) != n || len(s.Dates) != n || len(s.Revised) != n {
		return nil, fmt.Errorf("%w: its manifest is incomplete", ErrDamaged)
	}
	m := newManifest(s.ID, s.Root)
	m.base = s.Base
	m.files = make(map[string]entry, n)
	for i, p := range s.Paths {
		e := entry{size: s.Sizes[i], mtime: s.Times[i], ctime: s.Changed[i], inode: s.Inodes[i], entries: s.Entries[i], sections: s.Sections[i], flags: entryFlags(s.Flags[i]), date: day.Day(s.Dates[i]), revised: day.Day(s.Revised[i])}
		copy(e.hash[:], s.Hashes[i*len(e.hash):])
		copy(e.tokens[:], s.Tokens[i*int(page.NumFields):])
		m.files[p] = e
		m.count(e, 1)
	}
	for lang, places := range s.Languages {
		for _, i := range places {
			if i < 0 || int(i) >= n {
				return nil, fmt.Errorf("%w: its manifest is incomplete", ErrDamaged)
			}
			e := m.files[s.Paths[i]]
			e.lang = lang
			m.files[s.Paths[i]] = e
		}
	}
	maps.Copy(m.problems, s.Problems)
	return m, s.takeParts(m)
}

// addParts puts the parts into the stored form, whose paths are there already.
func (s *savedManifest) addParts(m *manifest) {
	for i, p := range s.Paths {
		parts := m.parts[p]
		if len(parts) == 0 || len(parts) != s.Entries[i] {
			continue
		}
		s.Long = append(s.Long, int32(i))
		for _, part := range parts {
			s.Parts = binary.LittleEndian.AppendUint64(s.Parts, part.Hash)
			s.Parts = binary.LittleEndian.AppendUint32(s.Parts, part.Headings)
			s.Parts = binary.LittleEndian.AppendUint32(s.Parts, part.Body)
		}
	}
}

// partSize is the length of a part in the stored form.
const partSize = 8 + 4 + 4

func (s *savedManifest) takeParts(m *manifest) error {
	left := s.Parts
	for _, i := range s.Long {
		if i < 0 || int(i) >= len(s.Paths) || s.Entries[i] < 0 || len(left)/partSize < s.Entries[i] {
			return fmt.Errorf("%w: its manifest is incomplete", ErrDamaged)
		}
		parts := make([]page.Known, s.Entries[i])
		for j := range parts {
			parts[j] = page.Known{Hash: binary.LittleEndian.Uint64(left), Headings: binary.LittleEndian.Uint32(left[8:]), Body: binary.LittleEndian.Uint32(left[12:])}
			left = left[partSize:]
		}
		m.parts[s.Paths[i]] = parts
	}
	if len(left) > 0 {
		return fmt.Errorf("%w: its manifest is incomplete", ErrDamaged)
	}
	return nil
}
