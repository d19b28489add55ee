package manifest

import (
	"errors"
	"testing"

	"kist/index/store"
)

// A manifest whose parts are broken off isn't used.
func TestBrokenParts(t *testing.T) {
	s := savedManifest{Paths: []string{"a.md"}, Entries: []int{46}, Long: []int32{0}, Parts: make([]byte, 46*partSize-1)}
	if err := s.takeParts(New("", "")); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("broken off: %v", err)
	}
}
