package semantic

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseKeepsEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawBody(t, "body")
		if got := parse(text).String(); got != text {
			t.Fatalf("parsed %q is %q", text, got)
		}
	})
	for _, name := range []string{"../../FORMAT.md", "../../../README.md", "../../../ARCHITECTURE.md"} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := parse(string(src)).String(); got != string(src) {
			t.Errorf("%s isn't what was parsed", name)
		}
	}
}

// drawBody draws lines of everything that a body may have, in any order.
func drawBody(t *rapid.T, name string) string {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "", "text", "more text here", "# One", "## Two", "### Three", "- a", "- [ ] b",
		"  - [x] c", "    d", "1. e", "2. f", "| a | b |", "|---|---|", "| 1 | 2 |", "```", "~~~", "> quote", "===", "---", "<div>", "\tcode",
		"  ", "* * *", "+ g", "- - h"}), 0, 20).Draw(t, name)
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestParse(t *testing.T) {
	const text = `
Before.

# Boat

Text
on lines.

- a
  goes on
  - [ ] b

  c
- d

| k | v |
|---|---|
| x | 1 |
| y | 2 |

## Code

` + "```" + `
# no heading
` + "```" + `
Setext
======
1. one
`
	want := `paragraph "before."
heading "boat"
 paragraph "text on lines."
 item "a goes on"
  item "b"
  paragraph "c"
 item "d"
 table "| k | v | |---|---|"
  row "x"
  row "y"
 heading "code"
  verbatim "` + "``` # no heading ```" + `"
heading "setext"
 item "one"
`
	var b strings.Builder
	for _, n := range parse(text).nodes {
		depth := 0
		for p := n.parent; p.kind != entire; p = p.parent {
			depth++
		}
		fmt.Fprintf(&b, "%s%s %q\n", strings.Repeat(" ", depth),
			[]string{"body", "heading", "item", "table", "row", "paragraph", "verbatim"}[n.kind], n.name)
	}
	if b.String() != want {
		t.Errorf("parsed:\n%s\nwant:\n%s", b.String(), want)
	}
}
