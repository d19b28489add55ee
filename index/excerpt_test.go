package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/index/match"

	"github.com/google/go-cmp/cmp"
)

func TestExcerptLine(t *testing.T) {
	for name, c := range map[string]struct {
		text, query, excerpt, heading string
		line                          int
	}{
		"first line":        {"needle in hay\n", "needle", "needle in hay", "", 1},
		"no final newline":  {"a\n\nneedle", "needle", "needle", "", 3},
		"behind matter":     {"---\nname: X\n---\nhay\nneedle\n", "needle", "needle", "", 5},
		"in matter":         {"---\nname: X\nwhere: needle\n---\nhay\n", "needle", "where: needle", "", 3},
		"crlf":              {"---\r\nname: X\r\n---\r\n# H\r\n\r\nhay\r\nneedle one\r\ntwo\r\n", "needle", "needle one\ntwo", "H", 7},
		"byte order mark":   {"\ufeff# H\n\nneedle\n", "needle", "needle", "H", 3},
		"nested headings":   {"# A\n\nx\n\n## B\n\ny\n\n### C\n\nneedle\n\n## D\n", "needle", "needle", "A > B > C", 11},
		"heading itself":    {"# A\n\nx\n\n## Needle\n\ny\n", "needle", "## Needle\n\ny", "A > Needle", 5},
		"window with most":  {"needle\n\n\n\n\nneedle and thread\n", "needle thread", "needle and thread", "", 6},
		"three lines":       {"needle\nb\nc\nd\n", "needle", "needle\nb\nc", "", 1},
		"long line":         {strings.Repeat("hay ", 500) + "needle " + strings.Repeat("straw ", 100), "needle", "", "", 1},
		"control character": {"needle \x1b[31mred\x07\n", "needle", "needle  [31mred", "", 1},
		"reordering marks":  {"needle \u202eabc\n", "needle", "needle abc", "", 1},
		"setext":            {"Title\n=====\n\nneedle\n", "needle", "needle", "Title", 4},
		"in code":           {"# A\n```\n# not a heading\nneedle\n```\n", "needle", "needle\n```", "A", 4},
	} {
		t.Run(name, func(t *testing.T) {
			f := start(t, "")
			f.write("n.md", c.text)
			f.compareNow()
			res := f.search(c.query)
			if len(res.Hits) != 1 {
				t.Fatalf("got %+v", res)
			}
			h := res.Hits[0]
			if c.excerpt == "" {
				if !strings.Contains(h.Excerpt, "needle") || len(h.Excerpt) > match.ExcerptBytes {
					t.Errorf("excerpt %q", h.Excerpt)
				}
				c.excerpt = h.Excerpt
			}
			if diff := cmp.Diff([]any{c.line, c.heading, c.excerpt}, []any{h.Line, h.Heading, h.Excerpt}); diff != "" {
				t.Errorf("line, heading, excerpt (-want +got):\n%s", diff)
			}
			for _, s := range highlighted(h) {
				if low := strings.ToLower(s); low != "needle" && low != "thread" {
					t.Errorf("highlight %q of %q", s, h.Excerpt)
				}
			}
			if len(h.Highlights) == 0 {
				t.Error("no highlight")
			}
		})
	}
}

// compareNow makes the index compare everything, as after a restart, for tests
// that have no watcher.
func (f *fixture) compareNow() {
	f.Helper()
	release, err := f.index.acquire(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	defer release()
	f.index.position.full = true
	if err := f.index.advanceCurrent(f.Context()); err != nil {
		f.Logf("advance: %v", err)
	}
}

func TestExcerptIsOfTheLiveFile(t *testing.T) {
	f := start(t, "-- n.md --\n# A\n\nneedle old\n\n## B\n\nx\n-- gone.md --\nneedle\n")
	f.write("n.md", "# A\n\nmore\n\nand more\n\n## B\n\nneedle new\n")
	if err := os.Remove(filepath.Join(f.vault.Dir(), "gone.md")); err != nil {
		t.Fatal(err)
	}
	res := f.search("needle") // nothing is indexed anew: nobody watches
	if len(res.Hits) != 1 || res.Total != 1 {
		t.Fatalf("got %+v", res)
	}
	h := res.Hits[0]
	if diff := cmp.Diff([]any{"needle new", 9, "A > B"}, []any{h.Excerpt, h.Line, h.Heading}); diff != "" {
		t.Errorf("hit (-want +got):\n%s", diff)
	}
}

// What a conversation holds for programs is never shown.
func TestExcerptWithoutBookkeeping(t *testing.T) {
	f := start(t, `-- projects/boat/conversations/2026-11-20-a.md --
## 10:15

<!-- turn 01J session 01K at 2026-11-20T10:15:03Z -->

> who paints the hull?
<!-- operations 01JX 01JY -->
<!-- context projects/boat/project.md:12 needle -->

The painter does.
<!-- kist -->
(kist adds that the shed is empty.)
<!-- model -->
Ladders are there.
`)
	for query, want := range map[string]string{"hull": "> who paints the hull?", "needle": "The painter does.", "painter": "The painter does.", "shed": "(kist adds that the shed is empty.)", "ladder": "Ladders are there."} {
		res := f.search(query)
		if len(res.Hits) != 1 {
			t.Fatalf("%s: %+v", query, res)
		}
		if got := res.Hits[0].Excerpt; !strings.HasPrefix(got, want) || strings.Contains(got, "<!--") {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
