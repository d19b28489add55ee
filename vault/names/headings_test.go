package names_test

import (
	"fmt"
	"strings"
	"testing"

	"kist/vault/names"
	"kist/vault/position"
	"kist/vault/vaulttest"
)

// A heading is where the document has it, and is written so, also what is beyond what is kept.
func TestHeadings(t *testing.T) {
	const marked = position.Mark + "## Über 𝄞 *Brot*\n\n# Called\n\n  ### Two\nlines\n\nUnder\nlined Brot\n----\n"
	long := "# Long\n" + strings.Repeat("## "+strings.Repeat("x", 100)+" brot\n", 50)
	v := vaulttest.New(t, "-- a.md --\n"+marked+"-- long.md --\n"+long)
	view, err := names.Of(v).View(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	said := func(p, text string, whole bool) (list []string) {
		for h, first := range view.Headings(view.Entry(p), text, whole) {
			list = append(list, fmt.Sprintf("%d %s %v-%v %v", h.Level, h.Text, h.Start, h.End, first))
		}
		return list
	}
	doc, err := view.Document("a.md")
	if err != nil {
		t.Fatal(err)
	}
	table := position.New(doc.Source())
	var want []string
	for _, s := range doc.Sections() {
		if s.Level > 0 && s.Heading() != "Called" {
			want = append(want, fmt.Sprintf("%d %s %v-%v true", s.Level, s.Heading(), table.Place(s.Title.Start), table.Place(s.Title.End)))
		}
	}
	if got := said("a.md", "", false); len(got) != 3 || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
	for text, want := range map[string][2]bool{"über": {true, true}, "brot": {true, false}, "under lined": {true, true}, "called": {}, "": {true, true}} {
		if holds, begins := view.Entry("a.md").Headed(text); holds != want[0] || begins != want[1] {
			t.Errorf("%q: %v, %v", text, holds, begins)
		}
	}
	if kept, all := said("long.md", "brot", false), said("long.md", "brot", true); len(kept) >= 45 || len(all) != 50 || !view.Entry("long.md").Clipped() {
		t.Errorf("%d and %d of a long document", len(kept), len(all))
	}
}
