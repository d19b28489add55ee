package store

import (
	"errors"
	"os"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
)

// lookForTrouble is how often a batch that takes long is asked whether bleve has met
// an error.
const lookForTrouble = 100 * time.Millisecond

// errStopped: bleve met an error and didn't say which.
var errStopped = errors.New("bleve stopped writing")

// write carries out a batch and returns when it is on the disk. Batches are "unsafe" in
// bleve's words: when a safe one can't be written, bleve closes its segment while searches
// go on reading it, and a search in that moment ends the program (bleve v2.6.1,
// scorch.go). So it is waited for here. That also ends when bleve's writing
// goroutine has panicked, which a safe batch would wait for for ever.
func (s *Store) write(b *bleve.Batch) error {
	if s.memory {
		return s.Scorch.Batch(b)
	}
	written, before := make(chan error, 1), troubles(s.Scorch)
	b.SetPersistedCallback(func(err error) { written <- err })
	if err := s.Scorch.Batch(b); err != nil {
		return err
	}
	look := time.NewTicker(lookForTrouble)
	defer look.Stop()
	for {
		select {
		case err := <-written:
			return err
		case <-look.C:
			if troubles(s.Scorch) != before {
				return s.whyNot()
			}
		}
	}
}

// whyNot tries to write into the store's folder, since bleve keeps its errors to itself.
func (s *Store) whyNot() error {
	f, err := os.CreateTemp(s.Dir, "try-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 1<<20))
	err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	if err == nil {
		err = errStopped
	}
	return err
}

// troubles counts the errors that bleve's goroutines have met.
func troubles(x *scorch.Scorch) uint64 {
	n, _ := x.StatsMap()["TotOnErrors"].(uint64)
	return n
}
