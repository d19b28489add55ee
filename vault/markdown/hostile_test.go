package markdown

import (
	"strings"
	"testing"
)

// TestHostileInput parses what makes naive parsers slow: with a cost that grows
// with the square of the size, each of these would run into the test's time limit.
func TestHostileInput(t *testing.T) {
	bodies := map[string]string{
		"headings":           strings.Repeat("## h\n\ntext\n", 100_000),
		"one line":           strings.Repeat("word ", 1_000_000),
		"emphasis":           "# " + strings.Repeat("*a_ ", 500_000),
		"open links":         strings.Repeat("[a](", 500_000),
		"open wiki links":    strings.Repeat("[[a", 500_000),
		"definitions":        strings.Repeat("[a]: /b\n", 200_000),
		"quotes in a line":   strings.Repeat(">", 2_000_000),
		"quotes":             strings.Repeat(strings.Repeat(">", 500)+"\n", 4_000),
		"lists and blanks":   strings.Repeat("- ", 5_000) + strings.Repeat("\n", 1_000_000),
		"backticks":          strings.Repeat("` `` ``` ", 200_000),
		"open tags":          strings.Repeat("<a b='", 300_000),
		"hashes":             strings.Repeat("#", 2_000_000),
		"setext":             strings.Repeat("a\n", 500_000) + "===\n",
		"items":              strings.Repeat("- [ ] a #t\n", 200_000),
		"comments":           strings.Repeat("<!--\n", 300_000),
		"tabs":               strings.Repeat("\t", 2_000_000) + "a",
		"front matter fence": strings.Repeat("---\n", 500_000),
		"open front matter":  "---\n" + strings.Repeat("a: b\n", 500_000),
		"binary":             strings.Repeat("\x00\xff\xfe[[`#\n", 200_000),
	}
	for name, body := range bodies {
		doc := Parse([]byte(body))
		_, _ = doc.FrontMatter() // only that it returns
		doc.Sections()
		doc.Title()
		doc.FirstParagraph()
		doc.Links()
		doc.Tags()
		doc.AppendText([]byte("x"))
		if n := len(doc.Items()); name == "items" && n != 200_000 {
			t.Errorf("%d items", n)
		}
		if n := len(doc.Sections()); name == "headings" && n != 100_000 {
			t.Errorf("%d headings", n)
		}
	}
}

func TestHostileFrontMatter(t *testing.T) {
	for name, yaml := range map[string]string{
		"merge keys":     strings.Repeat("<<: {a: b}\n", 5_000),
		"keys":           strings.Repeat("k: v\n", 12_000),
		"open brackets":  "a: " + strings.Repeat("[", 60_000),
		"nested":         "a: " + strings.Repeat("[", 1_900) + strings.Repeat("]", 1_900),
		"dashes":         "a:\n " + strings.Repeat("- ", 31_000),
		"question marks": strings.Repeat("? ", 31_000),
		"alias bomb":     "a: &a [x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nd: [*c,*c,*c]",
		"directives":     strings.Repeat("%TAG ! a\n", 7_000),
		"UTF-16":         "\xff\xfea\x00:\x00 \x00b\x00\n\x00",
	} {
		doc := Parse([]byte("---\n" + yaml + "\n---\n# T\n"))
		if _, err := doc.FrontMatter(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if doc.Title() != "T" {
			t.Errorf("%s: the text is not readable", name)
		}
	}
}
