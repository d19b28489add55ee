package index

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// A file with several names is found once, also after it was saved by the other one, or
// lost the one that it goes by.
func TestHardLinksAreFoundOnce(t *testing.T) {
	f := start(t, "-- notes/one.md --\na heron\n-- notes/two.md --\na stork\n")
	vaulttest.Watch(t, f.vault)
	vaulttest.Compared(t, f.vault)
	at := func(name string) string { return filepath.Join(f.vault.Dir(), name) }
	if err := os.Link(at("notes/one.md"), at("notes/again.md")); err != nil {
		t.Fatal(err)
	}
	f.eventually("heron", "notes/one.md") // as before
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		said := fmt.Sprint(f.index.Status().Problems)
		if strings.Contains(said, "another name of notes/one.md") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the other name isn't said: %s", said)
		}
	}
	file, err := os.OpenFile(at("notes/again.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("and a crane\n"); err != nil {
		t.Fatal(err)
	}
	f.eventually("crane", "notes/one.md")
	if err := os.Remove(at("notes/one.md")); err != nil {
		t.Fatal(err)
	}
	f.eventually("crane", "notes/again.md")
}
