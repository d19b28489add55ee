package drawn

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTakeSentences(t *testing.T) {
	dir := t.TempDir()
	texts := map[string]string{
		"a.md": "---\ntitle: A thing that nobody would ever ask for at all.\n---\n# Heading\n\nThe keel was laid in the winter\nof the year before last. Too short.\n\n- an item that is long enough to be one of them.\n",
		"b.md": "This one stands in two of the three documents here.\n\nOnly here it says what becomes of the old mast.\n",
		"c.md": "This one stands in two of the three documents here.\n",
		"d.md": "船を作るのに必要な木材は冬の間に森から運ばれる。\n",
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	taken, err := TakeSentences(t.Context(), dir, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range taken {
		got[s.Path] = s.Text
		left, err := os.ReadFile(filepath.Join(dir, s.Path))
		if err != nil || strings.Contains(oneLine(string(left)), s.Text) {
			t.Errorf("%s still has it: %q, %v", s.Path, left, err)
		}
	}
	want := map[string]string{
		"a.md": "The keel was laid in the winter of the year before last.",
		"b.md": "Only here it says what becomes of the old mast.",
		"d.md": "船を作るのに必要な木材は冬の間に森から運ばれる。",
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %q, want %q", path, got[path], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("taken: %q", slices.Collect(func(yield func(string) bool) {
			for p := range got {
				if !yield(p) {
					return
				}
			}
		}))
	}
}
