package markdown

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppendItem(t *testing.T) {
	tests := []struct{ name, src, section, text, want string }{
		{"bullet", "# A\n\n- a\n\n# B\n", "A", "b", "# A\n\n- a\n- b\n\n# B\n"},
		{"star, indented, wide", "# A\n  *   a\n  *   b\n", "A", "c", "# A\n  *   a\n  *   b\n  *   c\n"},
		{"plus and tab", "# A\n+\ta\n", "A", "b", "# A\n+\ta\n+\tb\n"},
		{"numbers", "# A\n9) a\n10) b\n", "A", "c", "# A\n9) a\n10) b\n11) c\n"},
		{"one number", "# A\n1. a\n", "A", "b", "# A\n1. a\n2. b\n"},
		{"the same number", "# A\n1. a\n1. b\n", "A", "c", "# A\n1. a\n1. b\n1. c\n"},
		{"zeros before", "# A\n08. a\n09. b\n", "A", "c", "# A\n08. a\n09. b\n10. c\n"},
		{"boxes", "# A\n- [x] a\n- [ ] b\n", "A", "c", "# A\n- [x] a\n- [ ] b\n- [ ] c\n"},
		{"own box", "# A\n- [ ] a\n", "A", "[x] b", "# A\n- [ ] a\n- [x] b\n"},
		{"not all have boxes", "# A\n- [x] a\n- b\n", "A", "c", "# A\n- [x] a\n- b\n- c\n"},
		{"box in a plain list", "# A\n- a\n", "A", "[ ] b", "# A\n- a\n- [ ] b\n"},
		{"loose", "# A\n\n- a\n\n- b\n\n# B\n", "A", "c", "# A\n\n- a\n\n- b\n\n- c\n\n# B\n"},
		{"with more in the last item", "# A\n- a\n  - n\n\n  more\n\ntext\n", "A", "b", "# A\n- a\n  - n\n\n  more\n- b\n\ntext\n"},
		{"lazy line", "# A\n- a\nlazy\n# B\n", "A", "b", "# A\n- a\nlazy\n- b\n# B\n"},
		{"last of two lists", "# A\n- a\n\ntext\n\n1. b\n\n# B\n", "A", "c", "# A\n- a\n\ntext\n\n1. b\n2. c\n\n# B\n"},
		{"other bullet is another list", "# A\n- a\n* b\n", "A", "c", "# A\n- a\n* b\n* c\n"},
		{"code in an item", "# A\n- ```\n  - x\n  ```\n# B\n", "A", "b", "# A\n- ```\n  - x\n  ```\n- b\n# B\n"},
		{"code is no list", "# A\n```\n- x\n```\n", "A", "b", "# A\n```\n- x\n```\n\n- b\n"},
		{"a quoted list is not its own", "# A\n> - q\n", "A", "b", "# A\n> - q\n\n- b\n"},
		{"no list", "# A\n\ntext\n\n# B\n", "A", "b", "# A\n\ntext\n\n- b\n\n# B\n"},
		{"no list but a number in a paragraph", "# A\n\ntext\n2. no\n", "A", "b", "# A\n\ntext\n2. no\n\n- b\n"},
		{"empty section", "# A\n# B\n", "A", "b", "# A\n\n- b\n\n# B\n"},
		{"own text only", "# A\ntext\n## B\n- x\n", "A", "b", "# A\ntext\n\n- b\n## B\n- x\n"},
		{"crlf", "# A\r\n- a\r\n\r\n# B\r\n", "A", "b", "# A\r\n- a\r\n- b\r\n\r\n# B\r\n"},
		{"no final newline", "# A\n- a", "A", "b", "# A\n- a\n- b"},
		{"no final newline, loose", "# A\r\n- a\r\n\r\n- b", "A", "c", "# A\r\n- a\r\n\r\n- b\r\n\r\n- c"},
		{"text directly behind", "# A\n- # a\ntext\n", "A", "b", "# A\n- # a\n- b\n\ntext\n"},
		{"empty last item", "- a\n-\n", "", "b", "- a\n-\n- b\n"},
		{"whole document", "- a\n", "", "b", "- a\n- b\n"},
		{"last section", "# A\n- a\n# B\ntext\n", "", "b", "# A\n- a\n# B\ntext\n\n- b\n"},
		{"empty document", "", "", "b", "- b\n"},
		{"front matter only", "---\na: 1\n---\n", "", "b", "---\na: 1\n---\n\n- b\n"},
		{"path and position", "# P\n## C\n- x\n# Q\n## C\n- y\n", "C#2", "z", "# P\n## C\n- x\n# Q\n## C\n- y\n- z\n"},
		{"link, tag and emoji", "- [ ] a\n", "", "[[b]] #c 📅 2026-01-01", "- [ ] a\n- [ ] [[b]] #c 📅 2026-01-01\n"},
		{"nested list in the first item", "- - a\n", "", "b", "- - a\n- b\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(tt.src)).AppendItem(tt.section, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAppendItemRefused(t *testing.T) {
	for _, text := range []string{"", " ", "a\nb", "a\rb", "# a", "- a", "2. a", "> a", "---", "* *", "```", "<div>", "[a]: http://b", "a\xff"} {
		if _, err := Parse([]byte("# A\n- a\n")).AppendItem("A", text); !errors.Is(err, ErrValue) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	tests := []struct {
		name, src, section string
		want               error
	}{
		{"no section", "# A\n", "B", ErrNoSection},
		{"twice", "# A\n# A\n", "A", ErrAmbiguous},
		{"too long a number", "# A\n999999999. a\n", "A", ErrUnsupported},
		{"open code", "# A\n```\n", "A", ErrUnsupported},
		{"front matter", "---\na: [\n---\n- a\n", "", ErrFrontMatter},
	}
	for _, tt := range tests {
		if _, err := Parse([]byte(tt.src)).AppendItem(tt.section, "b"); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
}

func TestEditItem(t *testing.T) {
	tests := []struct {
		name, src string
		line      int
		text      string
		want      string
	}{
		{"plain", "- [ ] a\n- [ ] b\n", 2, "c", "- [ ] a\n- [ ] c\n"},
		{"blanks and line ending stay", "  1)  [x]  a  \r\nmore\r\n", 1, " b ", "  1)  [x]  b  \r\nmore\r\n"},
		{"dates are text", "- [ ] a 📅 2026-01-01 ^id", 1, "a 📅 2026-02-01 ^id", "- [ ] a 📅 2026-02-01 ^id"},
		{"without a text", "- [/]\n", 1, "a", "- [/] a\n"},
		{"with blanks only", "- [ ]  \n", 1, "a", "- [ ] a  \n"},
		{"quoted and nested", "> - x\n>   - [ ] y\n", 2, "z", "> - x\n>   - [ ] z\n"},
		{"what looks like a block is text", "- [ ] a\n", 1, "# - ```", "- [ ] # - ```\n"},
		{"goes on below", "- [ ] a\n  b\n\n  c\n", 1, "x", "- [ ] x\n  b\n\n  c\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(tt.src)).EditItem(tt.line, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	doc := Parse([]byte("- [ ] a\n- b\n"))
	for _, text := range []string{"", "\t", "a\nb", "a\rb", "\xff"} {
		if _, err := doc.EditItem(1, text); !errors.Is(err, ErrValue) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	for _, line := range []int{0, 2, 3} {
		if _, err := doc.EditItem(line, "x"); !errors.Is(err, ErrNotItem) {
			t.Errorf("line %d: error %v", line, err)
		}
	}
}

func TestRewriteItem(t *testing.T) {
	tests := []struct {
		name, src string
		line      int
		how       Rewrite
		want      string
	}{
		{"mark", "- [ ] a\r\n", 1, Rewrite{Mark: '/'}, "- [/] a\r\n"},
		{"mark and text", "  * [ ]  a  \n", 1, Rewrite{Mark: 'x', Text: "a ✅ 2026-11-24"}, "  * [x]  a ✅ 2026-11-24  \n"},
		{"above", "x\n\n- [ ] a\n  - [ ] sub\n", 3, Rewrite{Mark: 'x', Text: "a b", Above: "a c"}, "x\n\n- [ ] a c\n- [x] a b\n  - [ ] sub\n"},
		{"above, quoted, CRLF, no last line end", "> - [ ] a", 1, Rewrite{Mark: 'x', Above: "b"}, "> - [ ] b\n> - [x] a"},
	}
	for _, tt := range tests {
		edit, err := Parse([]byte(tt.src)).RewriteItem(tt.line, tt.how)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	if _, err := Parse([]byte("- [ ] a\n")).RewriteItem(1, Rewrite{Mark: 'q'}); !errors.Is(err, ErrValue) {
		t.Errorf("mark q: %v", err)
	}
}
