package drawn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notes writes a small corpus: each document has sections of its own words.
func notes(t *testing.T, files int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range files {
		letter := string(rune('a' + i%26))
		text := fmt.Sprintf("# Title %d\n\nlamp%s burns over the harbour while the lighthouse keeper sleeps below.\n\n## Second %d\n\nHow do we know that it works? Nobody has seen %s since the storm of that year.\n", i, letter, i, strings.Repeat(letter, 6))
		name := filepath.Join(dir, fmt.Sprintf("f%d", i%3), fmt.Sprintf("n%d.md", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// drawn writes a vault and returns its texts by path.
func drawn(t *testing.T, s *Source, files int, seed uint64) (texts map[string]string, whole int) {
	t.Helper()
	dir := t.TempDir()
	whole, err := s.Write(t.Context(), dir, files, seed)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := Paths(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		texts[p] = string(text)
	}
	return texts, whole
}

func TestSourceDrawsWholeDocumentsAndThenSections(t *testing.T) {
	s, err := Read(t.Context(), notes(t, 10))
	if err != nil {
		t.Fatal(err)
	}
	texts, whole := drawn(t, s, 25, 1)
	if len(texts) != 25 || whole != 10 {
		t.Fatalf("%d files, %d of them whole", len(texts), whole)
	}
	again, _ := drawn(t, s, 25, 1)
	other, _ := drawn(t, s, 25, 2)
	differ := 0
	for p, text := range texts {
		if again[p] != text {
			t.Errorf("%s differs in a second vault of the same seed", p)
		}
		if other[p] != text {
			differ++
		}
		if i := slices.Index(s.paths, filepath.FromSlash(p)); i >= 0 && string(s.texts[i]) != text {
			t.Errorf("%s isn't as it was", p)
		} else if i < 0 {
			for heading := range strings.SplitSeq(strings.TrimPrefix(text, "#"), "\n#") {
				if !slices.ContainsFunc(s.sections, func(section []byte) bool {
					return strings.HasSuffix(strings.TrimSpace(string(section)), strings.TrimSpace(heading))
				}) {
					t.Errorf("%s: %q is no section of the source", p, heading)
				}
			}
		}
	}
	if differ == 0 {
		t.Error("another seed draws the same")
	}
	if few, whole := drawn(t, s, 4, 1); len(few) != 4 || whole != 4 {
		t.Errorf("%d files, %d whole, of 4", len(few), whole)
	}
	if _, err := Read(t.Context(), t.TempDir()); err == nil {
		t.Error("an empty folder is a source")
	}
}

func TestQuestionsAreOfTheText(t *testing.T) {
	dir := notes(t, 60)
	c, err := Count(t.Context(), dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if c.files["lighthouse"] != 60 || c.files["lampb"] != 3 || c.files["title"] != 60 || len(c.Paths) != 60 || len(c.samples) != 60 {
		t.Fatalf("lighthouse in %d files, lampb in %d, of %d", c.files["lighthouse"], c.files["lampb"], len(c.Paths))
	}
	q := newQuestioner(c, 1)
	for _, a := range q.askings() {
		all := q.drawn(a, 3)
		if len(all) == 0 && a.name != "three" { // no word here is neither rare nor everywhere
			t.Errorf("%s: nothing was drawn", a.name)
		}
		for _, one := range all {
			text := strings.ToLower(one.Text)
			if a.name == "rare" && (c.files[text] < 2 || c.files[text] > 5) {
				t.Errorf("%q is in %d files", text, c.files[text])
			}
			if a.name != "three" && !slices.ContainsFunc(c.samples, func(s string) bool { return strings.Contains(s, text) }) {
				t.Errorf("%s: %q is in no text", a.name, text)
			}
			if one.Phrase != (a.name == "phrase") {
				t.Errorf("%s: %+v", a.name, one)
			}
		}
	}
	one, two := newQuestioner(c, 7), newQuestioner(c, 7)
	if a, b := one.drawn(one.askings()[0], 5), two.drawn(two.askings()[0], 5); !slices.Equal(a, b) {
		t.Errorf("one seed draws %v and %v", a, b)
	}
}

func TestEachWord(t *testing.T) {
	var got []string
	eachWord("an oak, oak2 naïve x_y the word-play abcdefghijklmnopqrstu.", func(w string) { got = append(got, w) })
	if want := []string{"oak", "the", "word", "play"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
