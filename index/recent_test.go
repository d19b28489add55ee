package index

import (
	"fmt"

	"os"
	"path/filepath"

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
	for i := range rounds(t, 50) {
		want := fmt.Sprintf("The lapwing says %04d.", i)
		if err := os.WriteFile(name, []byte(want+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, past, past); err != nil { // only the change time tells
			t.Fatal(err)
		}
		for range 2 {
			res := ask(t, f.index, Query{Text: "lapwing"})
			if len(res.Hits) != 1 || res.Hits[0].Excerpt != want {
				t.Fatalf("round %d: %+v", i, res.Hits)
			}
		}
	}
}
