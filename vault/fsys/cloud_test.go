package fsys_test

import (
	"os"
	"testing"

	"kist/vault/fsys"
)

func TestStubs(t *testing.T) {
	for file, stub := range map[string]string{"note.md": ".note.md.icloud", "a/b/.x": "a/b/..x.icloud"} {
		if got := fsys.StubOf(file); got != stub {
			t.Errorf("%s: stub %s, want %s", file, got, stub)
		}
		if got, ok := fsys.Stubbed(stub); !ok || got != file {
			t.Errorf("%s stands for %s, %v", stub, got, ok)
		}
	}
	for _, p := range []string{"note.md", "note.md.icloud", "a/.icloud", "a/.note.md", "."} {
		if got, ok := fsys.Stubbed(p); ok {
			t.Errorf("%s stands for %s", p, got)
		}
	}
}

func TestElsewhere(t *testing.T) {
	fi, err := os.Stat(t.TempDir())
	if err != nil || fsys.Elsewhere(fi) {
		t.Errorf("a folder of this machine: elsewhere, %v", err)
	}
}
