package names_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kist/vault/names"
	"kist/vault/vaulttest"
)

// Who goes over what holds a text misses none that is called so, in the order of all.
func TestFindingMissesNone(t *testing.T) {
	var archive strings.Builder
	words := []string{"Bo", "boat", "oat", "a", "Garden", "e.g"}
	for i := range 60 {
		fmt.Fprintf(&archive, "-- %s %s%d.md --\n---\naliases: [%s]\n---\n# %s\n", words[i%6], words[i/6%6], i%7, words[i%5], words[i%4])
	}
	v := vaulttest.New(t, archive.String())
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("boatgrden .1\n\x00")), 0, 4, -1).Draw(t, "text")
		var buffers []names.Buffer
		if rapid.Bool().Draw(t, "unsaved") {
			buffers = append(buffers, names.Buffer{Path: "Bo Bo0.md", Text: []byte("# oats\n")}, names.Buffer{Path: "new.md", Text: []byte("# A boat\n")})
		}
		view, err := names.Of(v).View(t.Context(), buffers)
		if err != nil {
			t.Fatal(err)
		}
		defer view.Close()
		holds := func(all func(func(*names.Entry) bool)) (paths []string) {
			for e := range all {
				if e.Finds(text) >= 0 {
					paths = append(paths, e.Path)
				}
			}
			return paths
		}
		want, got := holds(view.Each()), holds(view.Finding(text))
		n := len(buffers) // which come in no order
		slices.Sort(want[:min(n, len(want))])
		slices.Sort(got[:min(n, len(got))])
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}
