package index

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// Rules that are written later take effect on what is indexed already, and it comes
// back when they go. However many files they are, nothing vanished.
func TestIgnoredLater(t *testing.T) {
	f := start(t, many("a", 60)+many("b", 20))
	vaulttest.Watch(t, f.vault)
	rules := filepath.Join(f.vault.Dir(), ".kistignore")
	documents := func(want int) {
		t.Helper()
		for range 1000 {
			if f.index.Status().Documents == want {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if s := f.index.Status(); s.Documents != want || s.State != Ready || s.Notice != "" {
			t.Fatalf("%d documents wanted; status %+v", want, s)
		}
		if got := f.search("needle").Total; got != want {
			t.Errorf("%d hits, want %d", got, want)
		}
	}
	documents(80)
	writeFile(t, rules, "a/\n")
	documents(20)
	if err := os.Remove(rules); err != nil {
		t.Fatal(err)
	}
	documents(80)
}
