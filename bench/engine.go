package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kist/bench/drawn"
)

// An Engine is another way to search the same files, which kist is read beside. It is used
// by one goroutine.
type Engine interface {
	// Name is a short one, fit for a folder and for the head of a column.
	Name() string
	// What says what is indexed.
	What() string
	// Phrases reports whether words that follow each other can be asked for.
	Phrases() bool
	// Open opens the index in a folder that exists, or makes one there.
	Open(dir string) error
	// Build indexes files of a folder, named from there with slashes.
	Build(ctx context.Context, dir string, paths []string) error
	// Replace indexes a file's new text, so that the next Search finds it.
	Replace(ctx context.Context, path string, text []byte) error
	// Search ranks by the words, takes the ten best and returns how many there are.
	Search(ctx context.Context, q drawn.Question) (found int, err error)
	// Close gives up what is open.
	Close() error
}

// Bleve returns the engines that are bleve alone: an entry a file with positions and nothing
// but its text, and an entry a section with four fields, as kist's index has them.
func Bleve() []Engine { return []Engine{&wholeFiles{}, &sectionsAlone{}} }

// A bareIndex is what both have in common.
type bareIndex struct{ *floor }

// Build indexes files of a folder.
func (b *bareIndex) Build(ctx context.Context, dir string, paths []string) error {
	_, err := b.build(ctx, dir, paths)
	return err
}

// Replace indexes a file's new text.
func (b *bareIndex) Replace(_ context.Context, path string, text []byte) error {
	return b.replace(path, text)
}

// engine is what a child does to weigh one engine: it indexes the vault from nothing.
func (t task) engine(ctx context.Context, engines []Engine) (r result, err error) {
	for _, e := range engines {
		if e.Name() == t.Engine {
			return t.buildEngine(ctx, e)
		}
	}
	return r, fmt.Errorf("no engine %q", t.Engine)
}

func (t task) buildEngine(ctx context.Context, e Engine) (r result, err error) {
	paths, err := drawn.Paths(ctx, t.Vault)
	if err != nil {
		return r, err
	}
	dir := filepath.Join(t.Floor, e.Name())
	if err := os.Mkdir(dir, 0o755); err != nil {
		return r, err
	}
	peak := watchPeak()
	began := time.Now()
	if err = e.Open(dir); err == nil {
		err = errors.Join(e.Build(ctx, t.Vault, paths), e.Close())
	}
	r.Took, r.PeakAnonymous, r.Documents = time.Since(began), peak(), len(paths)
	r.weigh()
	return r, err
}
