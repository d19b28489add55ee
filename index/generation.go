package index

import (
	"errors"
	"fmt"
	"kist/index/manifest"
	"kist/index/store"
	"os"
	"path/filepath"

	"kist/index/aside"
	"kist/vault"
)

// A generation is a store with its manifest. Rebuild makes a new one beside the
// old and swaps them.
type generation struct {
	store    *store.Store
	manifest *manifest.Manifest
	unsaved  bool // being built, or in memory: its manifest must not replace the stored one

	vectors *vectors // nil: none yet; under the index's mutex
	served  *vectors // made by an Embedder; nil: none; under the index's mutex
	tried   int      // documents there were when nothing could be learned
}

// openGeneration opens what dir holds. What can't be used is set aside and replaced, and what
// another version made replaced; notice then says so.
func openGeneration(dir string, v *vault.Vault) (g *generation, notice string, err error) {
	g, err = loadGeneration(dir, v)
	switch {
	case err == nil:
		removeStores(dir, g.store.ID)
		return g, "", nil
	case errors.Is(err, os.ErrNotExist): // no index yet
	case errors.Is(err, store.ErrVersion):
		if err := os.RemoveAll(dir); err != nil {
			return nil, "", err
		}
		notice = "the search index was built anew, as another version of kist had made it"
	case errors.Is(err, ErrDamaged):
		kept, err2 := aside.Put(dir)
		if err2 != nil {
			return nil, "", errors.Join(err, err2)
		}
		notice = fmt.Sprintf("the search index was built anew: %v; the old one is kept as %s", err, filepath.Base(kept))
	default:
		return nil, "", err
	}
	g, err = createGeneration(dir, v.Dir())
	return g, notice, err
}

// memoryGeneration holds everything in memory: the folder can't be used.
func memoryGeneration(root string) (*generation, error) {
	s, err := store.InMemory()
	if err != nil {
		return nil, err
	}
	return &generation{store: s, manifest: manifest.New(s.ID, root), unsaved: true}, nil
}

func createGeneration(dir, root string) (*generation, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	s, err := store.Create(dir)
	if err != nil {
		return nil, err
	}
	g := &generation{store: s, manifest: manifest.New(s.ID, root)}
	if err := g.save(dir); err != nil {
		s.Close()
		return nil, err
	}
	return g, nil
}

// loadGeneration returns os.ErrNotExist where there is no index, ErrDamaged
// where there is something else.
func loadGeneration(dir string, v *vault.Vault) (*generation, error) {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%w: it isn't a folder", ErrDamaged)
	}
	m, err := manifest.Load(dir)
	if errors.Is(err, os.ErrNotExist) {
		if names, err := os.ReadDir(dir); err == nil && len(names) > 0 {
			return nil, fmt.Errorf("%w: its manifest is missing", ErrDamaged)
		}
		return nil, os.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	if m.Root != v.Dir() && !fits(m, v) {
		return nil, fmt.Errorf("%w: it belongs to another vault", ErrDamaged)
	}
	m.Root = v.Dir()
	s, err := store.Open(dir, m.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Generation == m.Base:
	case s.Generation > m.Base && s.Base == m.Base:
		m.Doubt(s.Dirty)
	default:
		s.Close()
		return nil, fmt.Errorf("%w: its manifest and its store don't belong together", ErrDamaged)
	}
	return &generation{store: s, manifest: m}, nil
}

// fits reports whether at least half of a sample of the manifest's files are in
// the vault: then it is the same one under another name.
func fits(m *manifest.Manifest, v *vault.Vault) bool {
	const sample = 100
	n, found := 0, 0
	for p := range m.Files { // map order is sample enough
		if n++; n > sample {
			break
		}
		if _, err := v.Stat(p); err == nil || errors.Is(err, vault.ErrNotDownloaded) {
			found++
		}
	}
	return n == 0 || found*2 >= min(n, sample)
}

// close releases everything; the manifest is not saved.
func (g *generation) close() error {
	return errors.Join(g.vectors.close(), g.served.close(), g.store.Close())
}

func (g *generation) save(dir string) error {
	if g.unsaved {
		clear(g.manifest.Dirty) // a crash throws all of it away anyhow
		return nil
	}
	return g.manifest.Save(dir, g.store.Generation)
}
