package index

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/index/rank"
	"kist/vault"
)

func similar(t *testing.T, x *Index, path string, limit int) *rank.Results {
	t.Helper()
	res, err := x.Similar(t.Context(), path, limit)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range res.Hits {
		if h.Path == path {
			t.Errorf("%s is similar to itself", path)
		}
		if i > 0 && h.Score > res.Hits[i-1].Score {
			t.Errorf("%s comes after a worse one", h.Path)
		}
		if h.Score <= 0 || h.Line == 0 || h.Title == "" {
			t.Errorf("%+v", h)
		}
	}
	return res
}

// setVectors gives an index other vectors, as training does.
func setVectors(x *Index, v *vectors) {
	<-x.writing
	x.mu.Lock()
	x.current.vectors = v
	x.mu.Unlock()
	x.writing <- struct{}{}
}

// TestSimilar: the documents on the same topic come first, with vectors and without.
// What kist itself wrote down of a conversation comes behind the user's documents, as in searches.
func TestSimilarConversation(t *testing.T) {
	const text = "The boat's keel is painted with red lead paint and the hull is sanded.\n"
	f := start(t, "-- a.md --\n"+text+"-- b.md --\nThe keel of a boat is painted red, the hull sanded by hand.\n-- other.md --\nBread needs flour and salt.\n-- conversations/c.md --\n---\ntype: conversation\n---\n"+text)
	setVectors(f.index, nil)
	res, err := f.index.Similar(t.Context(), "a.md", 5)
	if err != nil || len(res.Hits) != 2 || res.Hits[0].Path != "b.md" {
		t.Errorf("%+v, error %v", res, err)
	}
}

func TestSimilar(t *testing.T) {
	f := start(t, topical(60))
	f.waitVectors()
	by := f.index.current.vectors
	for _, without := range []bool{false, true} {
		if without {
			setVectors(f.index, nil)
		}
		res := similar(t, f.index, "boat/000.md", 5)
		if len(res.Hits) != 5 || res.Total < 5 {
			t.Fatalf("%d hits of %d", len(res.Hits), res.Total)
		}
		for _, h := range res.Hits {
			if !strings.HasPrefix(h.Path, "boat/") && !strings.HasPrefix(h.Path, "projects/") {
				t.Errorf("%s isn't like boat/000.md", h.Path)
			}
		}
	}
	if _, err := f.index.Similar(t.Context(), "none.md", 5); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("error %v, want ErrNotFound", err)
	}
	setVectors(f.index, by)
	// A document that is gone since is left out, not half shown.
	first := similar(t, f.index, "bread/001.md", 3).Hits[0].Path
	if err := os.Remove(filepath.Join(f.vault.Dir(), first)); err != nil {
		t.Fatal(err)
	}
	for _, h := range similar(t, f.index, "bread/001.md", 3).Hits {
		if h.Path == first {
			t.Errorf("%s is gone", first)
		}
	}
}
