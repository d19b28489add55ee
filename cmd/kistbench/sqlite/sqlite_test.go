package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"kist/bench/drawn"
)

func TestEngine(t *testing.T) {
	vault, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"a.md": "Painting the hulls of boats.", "b.md": `An "anchor" AND a hull.`, "c.md": "Nothing."} {
		if err := os.WriteFile(filepath.Join(vault, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var e Engine
	if err := e.Open(dir); err != nil {
		t.Fatal(err)
	}
	if err := e.Build(t.Context(), vault, []string{"a.md", "b.md", "c.md"}); err != nil {
		t.Fatal(err)
	}
	if err := e.Replace(t.Context(), "c.md", []byte("A new keel.")); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.Open(dir); err != nil { // what is indexed stays
		t.Fatal(err)
	}
	defer e.Close()
	for _, tt := range []struct {
		q    drawn.Question
		want int
	}{
		{drawn.Question{Text: "hull"}, 2},
		{drawn.Question{Text: "keel anchor"}, 2},
		{drawn.Question{Text: "nothing"}, 0},
		{drawn.Question{Text: "the hulls", Phrase: true}, 1},
		{drawn.Question{Text: "hulls the", Phrase: true}, 0},
		{drawn.Question{Text: `"anchor" AND (`}, 1},
	} {
		if got, err := e.Search(t.Context(), tt.q); err != nil || got != tt.want {
			t.Errorf("%+v: %d, want %d (%v)", tt.q, got, tt.want, err)
		}
	}
	if err := e.Build(t.Context(), vault, []string{"missing.md"}); err == nil {
		t.Error("a missing file is indexed")
	}
}
