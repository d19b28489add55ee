package merge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestConflictName(t *testing.T) {
	day := time.Date(2026, 11, 20, 23, 59, 0, 0, time.UTC)
	long := strings.Repeat("ü", 125)
	tests := []struct {
		name string
		n    int
		want string
	}{
		{"notes/boat.md", 1, "notes/boat.conflict-desk-2026-11-20.md"},
		{"notes/boat.md", 2, "notes/boat.conflict-desk-2026-11-20-2.md"},
		{"a.b.md", 1, "a.b.conflict-desk-2026-11-20.md"},
		{"README", 1, "README.conflict-desk-2026-11-20"},
		{long + ".md", 1, strings.Repeat("ü", 113) + ".conflict-desk-2026-11-20.md"},
	}
	for _, tt := range tests {
		got := conflictName(tt.name, "desk", day, tt.n)
		if got != tt.want || len(filepath.Base(got)) > maxName {
			t.Errorf("conflictName(%q, %d) = %q (%d bytes), want %q", tt.name, tt.n, got, len(got), tt.want)
		}
	}
}

// TestKeepWritesOverNothing: a copy gets a name of its own, unless it is there already.
func TestKeepWritesOverNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	names := map[string]string{}
	for _, text := range []string{"one", "two", "one", "three"} {
		name, err := keep("a/b.md", []byte(text), day)
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := names[name]; ok && before != text {
			t.Errorf("%s was written over", name)
		}
		names[name] = text
	}
	if len(names) != 3 {
		t.Errorf("copies %v, want 3", names)
	}
	for name, want := range names {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
}

// TestKeepStaysHere: a link out of the folder is not followed.
func TestKeepStaysHere(t *testing.T) {
	outside := t.TempDir()
	t.Chdir(t.TempDir())
	if err := os.Symlink(outside, "notes"); err != nil {
		t.Fatal(err)
	}
	if name, err := keep("notes/b.md", []byte("x"), time.Now()); err == nil {
		t.Errorf("written to %s", name)
	}
	if files, _ := os.ReadDir(outside); len(files) > 0 {
		t.Errorf("%v outside", files)
	}
}
