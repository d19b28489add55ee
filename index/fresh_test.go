package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kist/vault/vaulttest"
)

// rounds is how often freshness is tried; KIST_ROUNDS makes it more.
func rounds(t *testing.T, n int) int {
	t.Helper()
	if text := os.Getenv("KIST_ROUNDS"); text != "" {
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// Whatever was saved by hand before a search is found by it, with nothing in between.
func TestSavedIsFoundAtOnce(t *testing.T) {
	f := start(t, small)
	vaulttest.Watch(t, f.vault)
	naive := 0
	n := rounds(t, 150)
	for i := range n {
		word := fmt.Sprintf("heron%dq", i)
		if err := os.WriteFile(filepath.Join(f.vault.Dir(), "notes/fresh.md"), []byte("A "+word+".\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if f.vault.Seq() <= f.index.Freshness().Indexed {
			naive++ // what doesn't wait for the watcher takes itself for fresh
		}
		res, err := f.index.Search(t.Context(), Query{Text: word})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Hits) != 1 && res.Freshness.Degraded == "" && res.Freshness.Pending == 0 {
			t.Fatalf("round %d: stale and doesn't say so: %+v", i, res.Freshness)
		}
		if len(res.Hits) != 1 {
			t.Logf("round %d: late: %+v", i, res.Freshness)
		}
	}
	if naive == 0 {
		t.Error("the watcher was never behind: this test can't tell good from bad")
	}
	t.Logf("%d of %d rounds would have been stale", naive, n)
}

func TestUnwatchedAnswersSaySo(t *testing.T) {
	f := start(t, small)
	res, err := f.index.Search(t.Context(), Query{Text: "bread"})
	if err != nil || res.Freshness.Degraded == "" {
		t.Errorf("%+v, %v", res, err)
	}
}
