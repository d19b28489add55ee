package watch

import (
	"io/fs"
	"path/filepath"
	"testing"
)

func TestTreeKnowsEachFolderOnce(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "folder")
	tree := newTree(root, newFake(nil), Options{Ignore: markdown, Rules: func(string) bool { return false }, Listed: func(string, []fs.DirEntry) {}})
	for i := range 3 {
		mkdir(t, filepath.Join(dir, "below"))
		if _, err := tree.add(t.Context(), "folder", nil); err != nil {
			t.Fatal(err)
		}
		// Keeping the old folder keeps the system from using its inode again.
		rename(t, dir, filepath.Join(t.TempDir(), string(rune('a'+i))))
	}
	known := 0
	for id, path := range tree.byID {
		known++
		if f := tree.lookup(path); f == nil || f.id != id {
			t.Errorf("%q is known as %v, which isn't in the tree", path, id)
		}
	}
	if known != 2 {
		t.Errorf("%d folders known, want folder and folder/below", known)
	}
	tree.forget("folder")
	if len(tree.byID) > 0 || tree.lookup("folder/below") != nil {
		t.Errorf("after forgetting: %v", tree.byID)
	}
}
