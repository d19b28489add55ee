package index

import (
	"fmt"
	"kist/index/page"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// Excerpts are those of the file as it is, also where it was read a moment ago and
// was as long then.
func TestExcerptsAreOfTheLiveFile(t *testing.T) {
	f := start(t, small)
	vaulttest.Watch(t, f.vault)
	name := filepath.Join(f.vault.Dir(), "notes/fresh.md")
	past := time.Now().Add(-time.Hour)
	kept := 0
	for i := range rounds(t, 50) {
		want := fmt.Sprintf("The lapwing says %04d.", i)
		if err := os.WriteFile(name, []byte(want+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, past, past); err != nil { // only the change time tells
			t.Fatal(err)
		}
		if f.index.recent.get("notes/fresh.md") != nil {
			kept++ // what doesn't look again shows what was there before
		}
		for range 2 {
			res := ask(t, f.index, Query{Text: "lapwing"})
			if len(res.Hits) != 1 || res.Hits[0].Excerpt != want {
				t.Fatalf("round %d: %+v", i, res.Hits)
			}
		}
	}
	if kept == 0 {
		t.Error("nothing was kept: this test can't tell good from bad")
	}
}

func TestRecentIsBounded(t *testing.T) {
	var r recent
	text := []byte(strings.Repeat("x", 100<<10))
	for i := range 1000 {
		r.put(&page.File{Path: fmt.Sprint(i % 500), Raw: text})
	}
	r.put(&page.File{Path: "book", Raw: make([]byte, recentFile+1)})
	if r.bytes > recentBytes || r.order.Len() != len(r.items) || r.bytes != len(r.items)*(len(text)+recentCost) {
		t.Errorf("%d bytes, %d and %d items", r.bytes, r.order.Len(), len(r.items))
	}
	if r.get("499") == nil || r.get("0") != nil || r.get("book") != nil {
		t.Error("it doesn't keep the newest of a usual length")
	}
}
