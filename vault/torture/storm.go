package torture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// This file is the folder that editors work in, and a storm of their saves without
// anything else.

const (
	ownFiles   = 9 // of each editor
	hotFiles   = 4 // of all editors
	quietFiles = 6 // of none: operations alone change them
)

// A share says whose the documents are.
type share struct {
	hot, quiet []string
	own        [][]string // by editor
}

func shareOut() share {
	n := 0
	some := func(count int, dir string) (files []string) {
		for range count {
			files = append(files, fmt.Sprintf("%s/f%02d.md", dir, n))
			n++
		}
		return files
	}
	s := share{hot: some(hotFiles, "notes"), quiet: some(quietFiles, "notes")}
	for i := range editors {
		s.own = append(s.own, some(ownFiles, []string{"notes", "projects/boat/notes"}[i%2]))
	}
	return s
}

// links are folders by other names, and one that goes round in a circle.
var links = map[string]string{
	"boat":          "projects/boat",
	"linked/boat":   "../boat",
	"linked/notes":  "../notes",
	"linked/circle": "..",
}

// linked returns a name of a document that goes through links, or its own if there is
// no such name.
func linked(file string) string {
	for _, top := range []string{"notes/", "projects/boat/"} {
		if strings.HasPrefix(file, top) {
			return "linked/" + strings.TrimPrefix(file, "projects/")
		}
	}
	return file
}

// makeFolders makes those of the documents, those that editors move a document
// to while they save it, and links to them.
func makeFolders(dir string) error {
	for _, sub := range []string{"notes", "attic", "projects/boat/notes", "projects/boat/attic", "linked/attic"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return err
		}
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// Storm has the editors of a run save documents in the folder dir, in goroutines of
// this process: at least so many saves in all, or until ctx ends. It makes what isn't
// there, and returns the saves by style. seed repeats the choices, not the timing.
// An editor that can't write panics.
func Storm(ctx context.Context, dir string, seed uint64, saves int) (styles map[string]int, err error) {
	side, err := os.MkdirTemp("", "kist-storm-")
	if err == nil {
		defer os.RemoveAll(side)
		err = makeFolders(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("storm %s: %w", dir, err)
	}
	s := shareOut()
	rng := rand.New(rand.NewPCG(seed, 0))
	done := make([]message, editors)
	var working sync.WaitGroup
	for i := range editors {
		e := &editor{name: editorName(i)}
		e.start(command{Dir: dir, Side: side, Own: s.own[i], Hot: slices.Concat(s.hot, s.quiet), Seed: rng.Uint64()})
		working.Go(func() {
			for e.since.Saves < (saves+editors-1)/editors && ctx.Err() == nil {
				e.step()
			}
			e.release()
			e.releaseLate()
			done[i] = e.report()
		})
	}
	working.Wait()
	styles = map[string]int{}
	for _, m := range done {
		for name, n := range m.Styles {
			styles[name] += n
		}
	}
	return styles, nil
}
