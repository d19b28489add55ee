package sync

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSyncGoesAlongWithAFolderThatIsMoved moves a vault's folder between two starts of its daemon; a copy of the vault is none that was moved.
func TestSyncGoesAlongWithAFolderThatIsMoved(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	if err := a.engine.Own(t.Context(), "birch", true); err != nil {
		t.Fatal(err)
	}
	if err := a.vault.Close(); err != nil {
		t.Fatal(err)
	}
	was, top := a.dir, t.TempDir()
	if err := os.CopyFS(filepath.Join(top, "copy"), os.DirFS(a.dir)); err != nil {
		t.Fatal(err)
	}
	state := a.state
	a.dir, a.state = filepath.Join(top, "copy"), filepath.Join(filepath.Dir(state), "of-the-copy")
	a.open()
	if st := a.engine.Status(t.Context()); st.State != Off {
		t.Errorf("sync of a copy is %s", st.State)
	}
	if err := a.vault.Close(); err != nil {
		t.Fatal(err)
	}
	a.dir, a.state = filepath.Join(top, "moved"), filepath.Join(filepath.Dir(state), "of-the-moved")
	if err := os.Rename(was, a.dir); err != nil {
		t.Fatal(err)
	}
	a.open()
	if st := a.engine.Status(t.Context()); st.State != Ready || len(st.Own) != 1 {
		t.Errorf("sync is %s, with the devices %v", st.State, st.Own)
	}
	a.write("more.md", "more\n")
	settle(a, b)
	b.wants("more.md", "more\n")
	a.clean()
}
