package fsys_test

import (
	"os"
	"path/filepath"
	"testing"

	"kist/vault/fsys"
)

// Where it can be found out at all, a second descriptor is seen.
func TestHeld(t *testing.T) {
	p := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(p, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(flags int) *os.File {
		f, err := os.OpenFile(p, flags, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	f := open(os.O_RDONLY)
	check := func(when string, writing bool) {
		t.Helper()
		if held, known := fsys.HeldForWriting(f); known && held != writing {
			t.Errorf("%s: held for writing: %v", when, held)
		}
	}
	check("alone", false)
	reader := open(os.O_RDONLY)
	check("with a reader", false)
	writer := open(os.O_WRONLY)
	check("with a writer", true)
	reader.Close()
	writer.Close()
	check("alone again", false)
}
