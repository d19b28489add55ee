package store

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

// Prefix begins the name of a store's folder; its id follows.
const Prefix = "store-"

// MappingVersion changes whenever entries are laid out or analysed differently,
// so that an index made by an older kist is built anew.
const MappingVersion = "10 bleve-2.6.1"

// fieldID is bleve's own field, of what entries are called.
const fieldID = "_id"

var (
	metaKey  = []byte("kist.meta")
	dirtyKey = []byte("kist.dirty")
)

// A Store is one bleve index on disk. It uses bleve's scorch directly: documents
// are put together here, so bleve's mapping (and its reflection over every
// document) has nothing to do.
//
// Each commit also stores, in the same transaction, the commit's number and the
// paths that changed since the manifest was last saved. That is what makes a
// crash between the two harmless: on opening, exactly those paths are doubted.
type Store struct {
	ID         string
	Dir        string
	Scorch     *scorch.Scorch
	queue      *bleve.AnalysisQueue
	Generation uint64
	Base       uint64 // the manifest's generation that dirty counts from
	Dirty      []string
	Tables     tables
	ReadOnly   bool
	memory     bool  // not on disk
	Lost       error // why its files will never do again, though it may still answer
}

// storeMeta is kept inside the store.
type storeMeta struct {
	ID         string `json:"id"`
	Mapping    string `json:"mapping"`
	Generation uint64 `json:"generation"`
	Base       uint64 `json:"base"`
}

// Create makes an empty store below dir.
func Create(dir string) (*Store, error) {
	var id [8]byte
	rand.Read(id[:])
	s := &Store{ID: hex.EncodeToString(id[:])}
	s.Dir = filepath.Join(dir, Prefix+s.ID)
	if err := s.Open(); err != nil {
		return nil, err
	}
	if err := s.Commit(NewBatch(), 0, nil); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Open opens the store of that id; ErrDamaged when it isn't one.
func Open(dir, id string) (*Store, error) {
	s := &Store{ID: id, Dir: filepath.Join(dir, Prefix+id)}
	if _, err := os.Stat(filepath.Join(s.Dir, rootFile)); err != nil {
		return nil, fmt.Errorf("%w: its store is missing", ErrDamaged)
	}
	err := s.probe()
	if err == nil {
		err = s.Open()
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
		s.Close()
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

// Open starts scorch, whose loaders panic on some damaged files.
func (s *Store) Open() (err error) {
	dropEstimates()
	debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(false)
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
		if err != nil && s.queue != nil {
			s.queue.Close()
			s.Scorch, s.queue = nil, nil
		}
	}()
	if !s.memory {
		if err := s.inspect(); err != nil {
			return err
		}
	}
	if !s.memory && !s.ReadOnly {
		if err := s.unseal(); err != nil {
			return err
		}
	}
	s.queue = bleve.NewAnalysisQueue(min(runtime.GOMAXPROCS(0), 4))
	config := map[string]any{"path": s.Dir, "bolt_timeout": "1s", "unsafe_batch": true, "scorchMergePlanOptions": map[string]any{"FloorSegmentSize": 300}}
	switch {
	case s.memory:
		config["path"] = ""
	case s.ReadOnly:
		config["read_only"] = true
	}
	x, err := scorch.NewScorch(scorch.Name, config, s.queue)
	if err != nil {
		return err
	}
	if err := x.Open(); err != nil {
		return err
	}
	s.Scorch = x.(*scorch.Scorch)
	return nil
}

// verify compares the segments with the checksums that bleve wrote at their ends
// and doesn't look at itself. A damaged one would make searches panic, in
// goroutines of bleve's that nobody could catch. It reads about a gigabyte a second
// and warms the page cache.
func (s *Store) verify() error {
	r, err := s.Reader()
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

func (s *Store) readMeta() error {
	r, err := s.Reader()
	if err != nil {
		return err
	}
	defer r.Close()
	var meta storeMeta
	data, err := r.GetInternal(metaKey)
	if err != nil || json.Unmarshal(data, &meta) != nil || meta.ID != s.ID {
		return fmt.Errorf("%w: its store is not the one its manifest names", ErrDamaged)
	}
	if meta.Mapping != MappingVersion {
		return ErrVersion
	}
	dirty, err := r.GetInternal(dirtyKey)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s.Generation, s.Base = meta.Generation, meta.Base
	if len(dirty) > 0 {
		s.Dirty = strings.Split(string(dirty), page.Separator)
	}
	return nil
}

// Reader returns a snapshot; the caller closes it. It stays valid after close.
func (s *Store) Reader() (*scorch.IndexSnapshot, error) {
	if s.Scorch == nil {
		return nil, ErrClosed
	}
	r, err := s.Scorch.Reader()
	if err != nil {
		return nil, err
	}
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok || snapshot == nil {
		return nil, ErrClosed
	}
	return snapshot, nil
}

// Commit carries out a batch durably. base is the generation of the manifest's last save, and
// dirty are the paths that it doesn't know; the batch's own paths are among them already.
func (s *Store) Commit(b *Batch, base uint64, dirty []string) error {
	meta, err := json.Marshal(storeMeta{ID: s.ID, Mapping: MappingVersion, Generation: s.Generation + 1, Base: base})
	if err != nil {
		return err
	}
	if s.Scorch == nil || s.ReadOnly {
		return fmt.Errorf("write index: %w", ErrClosed)
	}
	b.batch.SetInternal(metaKey, meta)
	b.batch.SetInternal(dirtyKey, []byte(strings.Join(dirty, page.Separator)))
	if err := s.write(b.batch); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	s.Generation++
	return nil
}

// InMemory makes a store that is not on disk.
func InMemory() (*Store, error) {
	s := &Store{ID: "memory", memory: true}
	if err := s.Open(); err != nil {
		return nil, err
	}
	return s, nil
}

// Add carries out a batch of a store in memory, about which nothing else is kept.
func (s *Store) Add(b *Batch) error { return s.Scorch.Batch(b.batch) }

// Degrade reopens the store for reading only: bleve would try to write again and
// again, at the cost of a whole processor.
func (s *Store) Degrade() error {
	s.Close()
	s.ReadOnly = true
	return s.Open()
}

// Revive makes a degraded store writable again.
func (s *Store) Revive() error {
	s.Close()
	s.ReadOnly = false
	err := s.Open()
	if err == nil {
		err = s.readMeta()
	}
	if err != nil {
		s.Close()
		s.ReadOnly = true
		return Error{errors.Join(err, s.Open())}
	}
	return nil
}

// Close may be called again, and on a store that failed to open.
func (s *Store) Close() error {
	if s.Scorch == nil {
		return nil
	}
	err := s.Scorch.Close()
	s.queue.Close()
	s.Scorch, s.queue = nil, nil
	if err == nil && !s.ReadOnly && !s.memory {
		s.seal()
	}
	return err
}

// EntryIDs returns the ids of all entries that the store holds for path.
func (s *Store) EntryIDs(path string) (ids []string, err error) {
	r, err := s.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var failed error
	err = terms(r.Segments(), fieldID, nil, path+page.Separator, func(id string, _ uint64) bool {
		if slices.Contains(ids, id) {
			return true
		}
		number, err := r.InternalID(id)
		if failed = err; number != nil { // else it was replaced
			ids = append(ids, id)
		}
		return err == nil
	})
	return ids, errors.Join(err, failed)
}
