package manifest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/index/page"
	"kist/index/store"
	"kist/vault"
)

// What is stored comes back, whatever names and texts hold; what is cut off or has more isn't used.
func TestStoredForm(t *testing.T) {
	dir := t.TempDir()
	m := New("id", "/a root \xff")
	m.Files["a\xfe.md"] = Entry{Size: 1, Mtime: -2, Ctime: 3, Inode: 1 << 63, Hash: Hash{4}, Entries: 2, Sections: 5, Tokens: [page.NumFields]int{1, 2, 3}, Flags: Racy, Date: 7, Revised: 8, Lang: "en"}
	m.Files["b.md"] = Entry{Lang: "de"}
	m.Parts["a\xfe.md"] = []page.Known{{Hash: 1, Headings: 2, Body: 3}, {Hash: 4}}
	m.Problems["c.md"] = []vault.Problem{{Path: "c.md", Line: 1, Column: 2, Message: "a \x00 b", Hint: "h"}, {Path: "d.md"}}
	m.Tokens, m.Entries, m.Sections = [page.NumFields]int64{1, 2, 3}, 2, 5
	if err := m.Save(dir, 9); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got, cmp.AllowUnexported(Manifest{})); diff != "" {
		t.Error(diff)
	}
	text := m.encode()[len(manifestMagic)+4:]
	for n := range text {
		if _, err := decode(text[:n]); err == nil {
			t.Errorf("cut off at %d of %d it is read", n, len(text))
		}
	}
	if _, err := decode(append(text, 0)); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("what has more: %v", err)
	}
}
