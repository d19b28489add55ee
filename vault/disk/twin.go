package disk

import (
	"errors"
	"io/fs"
	"sync"

	"kist/vault/fsys"
)

// A twin is a complete temporary file that is to take a target's place.
type twin struct {
	tmp  string
	like fs.FileInfo // the target, whose mode and such it has
}

// Ahead is how many replacements a stroke may be told of at once: what a program does to a
// file between its twin and the exchange has the twin made anew.
const Ahead = 64

const (
	fewest = 8  // below, one after another is as fast
	abeam  = 16 // twins that are written at a time
)

// Ahead writes the new texts of the next replacements side by side: a disk makes sixteen files
// durable in nearly the time of one. What fails is tried again when its turn comes.
func (s *Stroke) Ahead(next []*Replacement) {
	if len(next) < fewest {
		return
	}
	var mu sync.Mutex
	var work sync.WaitGroup
	free, seen := make(chan struct{}, abeam), map[string]bool{}
	for _, r := range next {
		if again := seen[r.Path]; again || r.From != "" || r.Before == nil || r.After == nil {
			seen[r.Path], seen[r.From] = true, true
			continue
		}
		seen[r.Path] = true
		free <- struct{}{}
		work.Go(func() {
			defer func() { <-free }()
			tw, err := s.t.writeTwin(r)
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if s.twins == nil {
				s.twins = map[*Replacement]twin{}
			}
			s.twins[r] = tw
		})
	}
	work.Wait()
}

// twin returns a replacement's twin, which is written now if it wasn't before.
func (s *Stroke) twin(r *Replacement) (twin, error) {
	if tw, ok := s.twins[r]; ok {
		delete(s.twins, r)
		return tw, nil
	}
	return s.t.writeTwin(r)
}

// writeTwin writes r.after to a temporary file that is like the target otherwise. It
// returns ErrRaced, before anything is done, where somebody has the target open for writing.
func (t *Tree) writeTwin(r *Replacement) (twin, error) {
	f, _, err := t.Open(r.Path)
	if err != nil {
		return twin{}, err
	}
	defer f.Close()
	if held, known := fsys.HeldForWriting(f); held && known && !r.waited {
		return twin{}, ErrRaced
	}
	fi, err := f.Stat()
	if err != nil {
		return twin{}, t.writeError(r, err)
	}
	if err := errors.Join(oneName(r.Path, fi), Protected(r.Path, fi)); err != nil {
		return twin{}, err
	}
	tmp, err := t.writeTemp(r, 0o600, fsys.DressAs(f, fi))
	return twin{tmp, fi}, err
}
