/*
Package index searches the vault: it keeps an inverted index of every Markdown
file and answers queries about them.

An [Index] is opened by [Open] on a [vault.Vault] and kept up to date by
[Index.Run]. [Index.Search] carries out a [Query] and returns [Results], whose
[Hit] values name a document's best section with an excerpt read from the live
file. Every answer carries its [Freshness], and [Index.Wait] blocks until the
index has reached a change. [Index.Status] tells what is going on and which
files could not be fully used.

# What is stored

Everything lies in one folder, .kist/index, and is derived from the files:
deleting it costs only time.

	manifest            path -> size, mtime, inode, content hash; names the store
	store-<id>/         a bleve index with one entry for each heading section

An entry's id is the file's path, a NUL and the section's ordinal. Entries hold
no text: excerpts come from the files. All entries of a file carry its path as a
term, and replacing a file deletes by that term, so that nothing depends on what
was believed to be there. An index that is damaged, of another version or of
another vault is renamed to index.bad-<n> and built anew.

# Order, loss, blocking

One goroutine, that of Run, writes; Rebuild takes turns with it. It first
compares all files with the manifest, then follows the vault's change log. The
receipt's Indexed only moves when all changes up to it are durably committed and
visible. A file is checked against the disk once more right before its entries
are committed. Nothing is lost by a crash: the store records, in the same
transaction as the entries, which paths the manifest doesn't know about yet.

A vanishing of many files at once, or a root that can't be read, deletes
nothing: the index pauses, says so and resumes when the files are back. Search
never blocks on indexing.

The package doesn't watch files (the vault does), never writes to them, and
doesn't decide what a project is.
*/
package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	_ "github.com/blevesearch/bleve/v2/analysis/lang/en" // registers the analyzer
	"github.com/blevesearch/bleve/v2/registry"

	"kist/vault"
)

// Options for [Open]; the zero value is usable.
type Options struct {
	Dir string       // folder of the index; empty: <vault>/.kist/index
	Log *slog.Logger // nil: discarded
}

// A source is what the index reads files through.
type source interface {
	Walk(ctx context.Context, fn func(vault.Info) error, problem func(vault.Problem)) error
	ReadHead(path string, limit int64) ([]byte, vault.Info, error)
	Stat(path string) (vault.Info, error)
}

// An Index follows one vault and answers queries about it. Its methods may be
// called concurrently.
type Index struct {
	vault    *vault.Vault
	source   source
	dir      string
	log      *slog.Logger
	analyzer analyzer

	writing chan struct{} // holds a token while nobody writes
	closed  chan struct{}

	mu         sync.RWMutex
	current    *generation // nil once closed
	running    bool
	state      State
	notice     string    // what happened on opening
	position   position  // of the current generation
	taken      vault.Seq // changes up to here are being worked on, or done
	indexed    vault.Seq // changes up to here are committed
	rebuilding bool
	caughtUp   bool     // the first comparison is done
	todo       int      // files known to have changed that aren't done
	progress   Progress // of the comparison or rebuild under way
	walked     []vault.Problem
	moved      chan struct{} // closed and replaced when what Wait looks at changes
}

// A generation is a store with its manifest. Rebuild makes a new one beside the
// old and swaps them.
type generation struct {
	store    *store
	manifest *manifest
	unsaved  bool // being built: its manifest must not replace the current one's yet
}

// A position says what a generation has taken in. It belongs to whoever holds
// the writing token; seq is also read under the mutex.
type position struct {
	seq  vault.Seq
	full bool // the next step is to compare everything
	held int  // files gone that the brake keeps

	notice string // why the index is paused; empty: it isn't
}

// Open opens the index, or makes an empty one; a damaged or foreign one is set
// aside and made anew, which Status then says. Nothing is indexed before Run.
// The caller closes the index. An error means that the folder can't be used.
func Open(v *vault.Vault, opts Options) (*Index, error) {
	inner, err := registry.NewCache().AnalyzerNamed("en")
	if err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	x := &Index{
		vault: v, source: v,
		dir: opts.Dir, log: opts.Log,
		analyzer: analyzer{inner},
		writing:  make(chan struct{}, 1),
		closed:   make(chan struct{}),
		state:    Starting,
		position: position{full: true},
		moved:    make(chan struct{}),
	}
	x.writing <- struct{}{}
	if x.dir == "" {
		x.dir = filepath.Join(v.Dir(), vault.StateDir, "index")
	}
	if x.log == nil {
		x.log = slog.New(slog.DiscardHandler)
	}
	if x.current, x.notice, err = openGeneration(x.dir, v); err != nil {
		return nil, fmt.Errorf("open index %s: %w", x.dir, err)
	}
	return x, nil
}

// openGeneration opens what dir holds. What can't be used is set aside and
// replaced; notice then says so.
func openGeneration(dir string, v *vault.Vault) (g *generation, notice string, err error) {
	g, err = loadGeneration(dir, v)
	switch {
	case err == nil:
		removeStores(dir, g.store.id)
		return g, "", nil
	case errors.Is(err, os.ErrNotExist): // no index yet
	case errors.Is(err, errDamaged):
		aside, err2 := setAside(dir)
		if err2 != nil {
			return nil, "", errors.Join(err, err2)
		}
		notice = fmt.Sprintf("the search index was built anew: %v; the old one is kept as %s", err, filepath.Base(aside))
	default:
		return nil, "", err
	}
	g, err = createGeneration(dir, v.Dir())
	return g, notice, err
}

func createGeneration(dir, root string) (*generation, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	s, err := createStore(dir)
	if err != nil {
		return nil, err
	}
	g := &generation{store: s, manifest: newManifest(s.id, root)}
	if err := g.save(dir); err != nil {
		s.close()
		return nil, err
	}
	return g, nil
}

// loadGeneration returns os.ErrNotExist where there is no index, errDamaged
// where there is something else.
func loadGeneration(dir string, v *vault.Vault) (*generation, error) {
	m, err := loadManifest(dir)
	if errors.Is(err, os.ErrNotExist) {
		if names, err := os.ReadDir(dir); err == nil && len(names) > 0 {
			return nil, fmt.Errorf("%w: its manifest is missing", errDamaged)
		}
		return nil, os.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	if m.root != v.Dir() && !m.fits(v) {
		return nil, fmt.Errorf("%w: it belongs to another vault", errDamaged)
	}
	m.root = v.Dir()
	s, err := openStore(dir, m.id)
	if err != nil {
		return nil, err
	}
	switch {
	case s.generation == m.base:
	case s.generation > m.base && s.base == m.base:
		m.doubt(s.dirty)
	default:
		s.close()
		return nil, fmt.Errorf("%w: its manifest and its store don't belong together", errDamaged)
	}
	return &generation{store: s, manifest: m}, nil
}

// fits reports whether at least half of a sample of the manifest's files are in
// the vault: then it is the same one under another name.
func (m *manifest) fits(v *vault.Vault) bool {
	const sample = 100
	n, found := 0, 0
	for p := range m.files { // map order is sample enough
		if n++; n > sample {
			break
		}
		if _, err := v.Stat(p); err == nil {
			found++
		}
	}
	return n == 0 || found*2 >= min(n, sample)
}

func (g *generation) save(dir string) error {
	if g.unsaved {
		clear(g.manifest.dirty) // a crash throws all of it away anyhow
		return nil
	}
	return g.manifest.save(dir, g.store.generation)
}

// Close releases the index; a running Run must have ended. Searches that are
// under way may fail with ErrClosed.
func (x *Index) Close() error {
	<-x.writing // for good
	x.mu.Lock()
	g := x.current
	x.current = nil
	x.mu.Unlock()
	if g == nil {
		x.writing <- struct{}{}
		return nil
	}
	close(x.closed)
	err := g.store.close()
	x.writing <- struct{}{}
	return err
}
