package markdown

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCutItem(t *testing.T) {
	tests := []struct {
		name, src string
		line      int
		want      string
	}{
		{"first", "# A\n\n- a\n- b\n", 3, "# A\n\n- b\n"},
		{"middle", "- a\n- b\n- c\n", 2, "- a\n- c\n"},
		{"last", "- a\n- b\n\n# B\n", 2, "- a\n\n# B\n"},
		{"last without a final newline", "- a\n- b", 2, "- a\n"},
		{"only one", "# A\n\n- a\n\n# B\n", 3, "# A\n\n# B\n"},
		{"only one without a final newline", "# A\n\n- a", 3, "# A\n\n"},
		{"all of the file", "- a", 1, ""},
		{"continuation lines", "- a\n  more\n\n  and more\n- b\n", 1, "- b\n"},
		{"lazy line", "- a\nlazy\n- b\n", 1, "- b\n"},
		{"with what is nested in it", "- a\n  - n\n    more\n- b\n", 1, "- b\n"},
		{"nested", "- a\n  - n\n  - m\n- b\n", 2, "- a\n  - m\n- b\n"},
		{"nested, the only one", "- a\n\n  - n\n\n# B\n", 3, "- a\n\n# B\n"},
		{"two on one line", "- - a\n  - b\n- c\n", 1, "- c\n"},
		{"loose", "- a\n\n- b\n\n- c\n", 3, "- a\n\n- c\n"},
		{"loose, last", "- a\n\n- b\n\n\n# B\n", 3, "- a\n\n# B\n"},
		{"numbers", "1. a\n2. b\n", 1, "2. b\n"},
		{"code in it", "- ```\n  - x\n\n  ```\n- b\n", 1, "- b\n"},
		{"a quote in it", "- > q\n  >\n- b\n", 1, "- b\n"},
		{"crlf", "# A\r\n\r\n- a\r\n  more\r\n\r\n- b\r\n\r\n# B\r\n", 3, "# A\r\n\r\n- b\r\n\r\n# B\r\n"},
		{"crlf, last", "- a\r\n- b\r\n\r\ntext", 2, "- a\r\n\r\ntext"},
		{"front matter", "---\na: 1\n---\n\n- a\n- b\n", 5, "---\na: 1\n---\n\n- b\n"},
		{"tabs and trailing blanks stay", "- a \t\n-\tb\n- c  \n", 2, "- a \t\n- c  \n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(tt.src)).CutItem(tt.line)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCutItemRefused(t *testing.T) {
	tests := []struct {
		name, src string
		line      int
		want      error
	}{
		{"text", "a\n- b\n", 1, ErrNotItem},
		{"a line that goes on", "- a\n  more\n", 2, ErrNotItem},
		{"in code", "```\n- a\n```\n", 2, ErrNotItem},
		{"in a quote", "> - a\n", 1, ErrNotItem},
		{"a checkbox in a quote", "> - [ ] a\n", 1, ErrUnsupported},
		{"no such line", "- a\n", 7, ErrNotItem},
		{"would underline a heading", "text\n- a\n---\n", 2, ErrUnsupported},
		{"would join the text behind with the item before", "- a\n- # b\ntext\n", 2, ErrUnsupported},
		{"front matter", "---\na: [\n---\n- a\n", 4, ErrFrontMatter},
	}
	for _, tt := range tests {
		if _, err := Parse([]byte(tt.src)).CutItem(tt.line); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
}

func TestListItemsText(t *testing.T) {
	src := "- a  b\n  more\n\n  - [ ] n\n> - q\n"
	var got []string
	for _, item := range Parse([]byte(src)).ListItems() {
		got = append(got, item.Text)
	}
	if want := "a b more - [ ] n|[ ] n"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is cut out are whole lines with the item among them; all other bytes stay.
func TestCutItemAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		for _, item := range Parse(src).ListItems() {
			edit, err := Parse(src).CutItem(item.Line)
			if errors.Is(err, ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Fatalf("line %d of %q: %v", item.Line, src, err)
			}
			applied(t, src, edit)
			if edit.Start != item.Start || edit.End < item.End || len(edit.Text) > 0 || strings.TrimSpace(string(src[item.End:edit.End])) != "" {
				t.Fatalf("line %d of %q: %+v, the item is %+v", item.Line, src, edit, item)
			}
		}
	})
}
