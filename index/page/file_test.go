package page

import (
	"kist/index/analyze"
	"kist/index/match"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Whatever is in a file, an excerpt is plain, short, and begins on its line.
func TestExcerptProperties(t *testing.T) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{
			"needle", "hay ", "\n", "\r\n", "# H\n", "\t", "é", "😀", "\xff", "\x1b[0m", "\u202e", "日本語", strings.Repeat("x", 300), "- [ ] ", "```\n", "---\n",
		})).Draw(t, "pieces")
		f := &File{Path: "n.md", Text: []byte(strings.ToValidUTF8(strings.Join(pieces, ""), "\ufffd"))}
		f.parse()
		m := match.Matcher{Analyzer: langs.Of(analyze.English), Terms: map[string]float64{"needl": 1, "hai": 1}}
		h := f.Excerpt(m, Place(rapid.IntRange(0, 5).Draw(t, "place")))
		switch {
		case !utf8.ValidString(h.Text), h.Text != match.Plain(h.Text), len(h.Text) > match.ExcerptBytes, strings.Count(h.Text, "\n") >= match.ExcerptLines:
			t.Fatalf("excerpt %q", h.Text)
		case !slices.IsSortedFunc(h.Highlights, func(a, b match.Span) int { return a.Start - b.Start }):
			t.Fatalf("highlights %v", h.Highlights)
		}
		first, _, _ := strings.Cut(h.Text, "\n")
		lines := strings.Split(string(f.Text), "\n")
		if h.Line < 1 || h.Line > len(lines) || !strings.Contains(match.Plain(lines[h.Line-1]), first) {
			t.Fatalf("excerpt %q is not on line %d of %q", h.Text, h.Line, f.Text)
		}
	})
}

func TestParserPanic(t *testing.T) {
	f := &File{Path: "n.md", Text: []byte("# A\n\nzeppelin\n"), Tags: []string{"x"}}
	f.guard(false, func() { panic("boom") })
	if len(f.Problems) != 1 || !f.Failed {
		t.Errorf("file %+v", f)
	}
	if doc := f.Entry(0, analyze.Analyzer{}); f.Count() != 1 || doc.Text.Length() < len(f.Text) {
		t.Errorf("entry %+v of %d", doc, f.Count())
	}
}

func TestConflictMarkersAreAProblem(t *testing.T) {
	f := &File{Path: "n.md", Text: []byte("---\ntags: [x]\n---\n# A\n\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n")}
	f.parse()
	if len(f.Problems) != 1 || f.Problems[0].Line != 6 || !strings.Contains(f.Problems[0].Message, "conflict markers") {
		t.Errorf("problems %+v", f.Problems)
	}
	for text, line := range map[string]int{
		"---\n<<<<<<< HEAD\nstatus: a\n=======\nstatus: b\n>>>>>>> d\n---\n# A\n": 2, // what is wrong with its front matter
		"<<<<<<<< HEAD\n---\nid: x\n---\n========\n---\nid: y\n---\n>>>>>>>> d\n": 1,
		"# Git\n\n```\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n```\n":             0, // an example
	} {
		f := &File{Path: "n.md", Text: []byte(text)}
		f.parse()
		if line == 0 && len(f.Problems) == 0 {
			continue
		}
		if len(f.Problems) != 1 || f.Problems[0].Line != line || !strings.Contains(f.Problems[0].Message, "conflict markers") {
			t.Errorf("%q: problems %+v, want one at line %d", text, f.Problems, line)
		}
	}
}
