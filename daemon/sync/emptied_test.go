package sync

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFoldersThatWereEmptiedGo empties folders on one machine: on the other one they go, but for those with something in them and the user's own
// empty ones.
func TestFoldersThatWereEmptiedGo(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	for _, p := range []string{"Archive/deep/old.md", "Archive/pic.png", "Inbox/note.md", "Kept/sub/gone.md", "Mine/gone.md"} {
		a.write(p, "# What "+p+" says\n")
	}
	settle(a, b)
	if err := os.MkdirAll(filepath.Join(b.dir, "Mine", "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.write("Kept/here.md", "stays\n")
	for _, p := range []string{"Archive", "Kept", "Mine"} {
		if err := os.RemoveAll(filepath.Join(a.dir, filepath.FromSlash(p))); err != nil {
			t.Fatal(err)
		}
	}
	a.write("Work/note.md", a.read("Inbox/note.md"))
	if err := os.RemoveAll(filepath.Join(a.dir, "Inbox")); err != nil {
		t.Fatal(err)
	}
	settle(a, b)
	for p, want := range map[string]string{"Archive": "-", "Inbox": "-", "Kept/sub": "-", "Kept/here.md": "stays\n", "Mine/empty": "a folder"} {
		b.wants(p, want)
	}
	b.clean()
}
