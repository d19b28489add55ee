package index

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"kist/index/page"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
	bbolt "go.etcd.io/bbolt/errors"

	"kist/vault/control"
)

// storePrefix begins the name of a store's folder; its id follows.
const storePrefix = "store-"

// mappingVersion changes whenever entries are laid out or analysed differently,
// so that an index made by an older kist is built anew.
const mappingVersion = "4 bleve-2.6.1"

var (
	metaKey  = []byte("kist.meta")
	dirtyKey = []byte("kist.dirty")
)

// A store is one bleve index on disk. It uses bleve's scorch directly: documents
// are put together here, so bleve's mapping (and its reflection over every
// document) has nothing to do.
//
// Each commit also stores, in the same transaction, the commit's number and the
// paths that changed since the manifest was last saved. That is what makes a
// crash between the two harmless: on opening, exactly those paths are doubted.
type store struct {
	id         string
	dir        string
	scorch     *scorch.Scorch
	queue      *bleve.AnalysisQueue
	generation uint64
	base       uint64 // the manifest's generation that dirty counts from
	dirty      []string
	tables     tables
	readOnly   bool
	memory     bool  // not on disk
	lost       error // why its files will never do again, though it may still answer
}

// storeMeta is kept inside the store.
type storeMeta struct {
	ID         string `json:"id"`
	Mapping    string `json:"mapping"`
	Generation uint64 `json:"generation"`
	Base       uint64 `json:"base"`
}

// createStore makes an empty store below dir.
func createStore(dir string) (*store, error) {
	var id [8]byte
	rand.Read(id[:])
	s := &store{id: hex.EncodeToString(id[:])}
	s.dir = filepath.Join(dir, storePrefix+s.id)
	if err := s.open(); err != nil {
		return nil, err
	}
	if err := s.commit(bleve.NewBatch(), newManifest(s.id, "")); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// openStore opens the store of that id; ErrDamaged when it isn't one.
func openStore(dir, id string) (*store, error) {
	s := &store{id: id, dir: filepath.Join(dir, storePrefix+id)}
	if _, err := os.Stat(filepath.Join(s.dir, rootFile)); err != nil {
		return nil, fmt.Errorf("%w: its store is missing", ErrDamaged)
	}
	err := s.probe()
	if err == nil {
		err = s.open()
	}
	switch {
	case err == nil:
	case errors.Is(err, bbolt.ErrTimeout):
		return nil, fmt.Errorf("%w: another process has it open", ErrInUse)
	case notItsFault(err), errors.Is(err, ErrDamaged):
		return nil, err
	default:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := s.readMeta(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// notItsFault reports whether an index couldn't be opened for reasons that
// building it anew wouldn't cure.
func notItsFault(err error) bool {
	return slices.ContainsFunc([]error{os.ErrPermission, syscall.EROFS, syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM},
		func(cause error) bool { return errors.Is(err, cause) })
}

// dropEstimates stops zapx from making room for a batch by the size of the last
// one: it takes the average of a document there times the number of documents
// here, and one long section followed by many short ones is then given gigabytes,
// which stay in use as long as the segment is in memory. (zapx v17.2.3, new.go)
var dropEstimates = sync.OnceFunc(func() { zap.NewSegmentBufferAvgBytesPerDocFactor = 0 })

// open starts scorch, whose loaders panic on some damaged files.
func (s *store) open() (err error) {
	dropEstimates()
	debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(false)
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
		if err != nil && s.queue != nil {
			s.queue.Close()
			s.scorch, s.queue = nil, nil
		}
	}()
	if !s.memory {
		if err := s.inspect(); err != nil {
			return err
		}
	}
	if !s.memory && !s.readOnly {
		if err := s.unseal(); err != nil {
			return err
		}
	}
	s.queue = bleve.NewAnalysisQueue(min(runtime.GOMAXPROCS(0), 4))
	config := map[string]any{"path": s.dir, "bolt_timeout": "1s", "unsafe_batch": true, "scorchMergePlanOptions": map[string]any{"FloorSegmentSize": 300}}
	switch {
	case s.memory:
		config["path"] = ""
	case s.readOnly:
		config["read_only"] = true
	}
	x, err := scorch.NewScorch(scorch.Name, config, s.queue)
	if err != nil {
		return err
	}
	if err := x.Open(); err != nil {
		return err
	}
	s.scorch = x.(*scorch.Scorch)
	return nil
}

// verify compares the segments with the checksums that bleve wrote at their ends
// and doesn't look at itself. A damaged one would make searches panic, in
// goroutines of bleve's that nobody could catch. It reads about a gigabyte a second
// and warms the page cache.
func (s *store) verify() error {
	r, err := s.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	for _, snapshot := range r.Segments() {
		persisted, ok := snapshot.Segment().(segment.PersistedSegment)
		if !ok {
			continue
		}
		if err := verifySegment(persisted.Path()); err != nil {
			return err
		}
		gone := snapshot.Deleted()
		if gone == nil || gone.IsEmpty() {
			continue
		}
		if err := gone.Validate(); err != nil || uint64(gone.Maximum()) >= snapshot.Segment().Count() {
			return fmt.Errorf("%w: its list of replaced entries", ErrDamaged)
		}
	}
	return nil
}

func verifySegment(name string) error {
	f, err := control.Open(name)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	const trailer = 4
	sum := crc32.NewIEEE()
	var want [trailer]byte
	if _, err := io.CopyN(sum, f, info.Size()-trailer); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if _, err := io.ReadFull(f, want[:]); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if sum.Sum32() != binary.BigEndian.Uint32(want[:]) {
		return fmt.Errorf("%w: %s has a wrong checksum", ErrDamaged, filepath.Base(name))
	}
	return nil
}

func (s *store) readMeta() error {
	r, err := s.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	var meta storeMeta
	data, err := r.GetInternal(metaKey)
	if err != nil || json.Unmarshal(data, &meta) != nil || meta.ID != s.id {
		return fmt.Errorf("%w: its store is not the one its manifest names", ErrDamaged)
	}
	if meta.Mapping != mappingVersion {
		return errVersion
	}
	dirty, err := r.GetInternal(dirtyKey)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s.generation, s.base = meta.Generation, meta.Base
	if len(dirty) > 0 {
		s.dirty = strings.Split(string(dirty), page.Separator)
	}
	return nil
}

// reader returns a snapshot; the caller closes it. It stays valid after close.
func (s *store) reader() (*scorch.IndexSnapshot, error) {
	if s.scorch == nil {
		return nil, ErrClosed
	}
	r, err := s.scorch.Reader()
	if err != nil {
		return nil, err
	}
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok || snapshot == nil {
		return nil, ErrClosed
	}
	return snapshot, nil
}

// commit carries out a batch durably. m tells the paths that its last save
// doesn't know; the batch's own paths must be among them already.
func (s *store) commit(b *bleve.Batch, m *manifest) error {
	meta, err := json.Marshal(storeMeta{ID: s.id, Mapping: mappingVersion, Generation: s.generation + 1, Base: m.base})
	if err != nil {
		return err
	}
	if s.scorch == nil || s.readOnly {
		return fmt.Errorf("write index: %w", ErrClosed)
	}
	b.SetInternal(metaKey, meta)
	paths := make([]string, 0, len(m.dirty))
	for p := range m.dirty {
		paths = append(paths, p)
	}
	b.SetInternal(dirtyKey, []byte(strings.Join(paths, page.Separator)))
	if err := s.write(b); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	s.generation++
	return nil
}

// close may be called again, and on a store that failed to open.
func (s *store) close() error {
	if s.scorch == nil {
		return nil
	}
	err := s.scorch.Close()
	s.queue.Close()
	s.scorch, s.queue = nil, nil
	if err == nil && !s.readOnly && !s.memory {
		s.seal()
	}
	return err
}

// entryIDs returns the ids of all entries that the store holds for path.
func (s *store) entryIDs(path string) ([]string, error) {
	r, err := s.reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var ids []string
	err = postings(r, page.FieldPath, []byte(path), func(d *bleve.TermFieldDoc) error {
		id, err := r.ExternalID(d.ID)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// countEntries returns how many entries the store holds for path.
func (s *store) countEntries(path string) (n int, err error) {
	r, err := s.reader()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	err = postings(r, page.FieldPath, []byte(path), func(*bleve.TermFieldDoc) error { n++; return nil })
	return n, err
}
