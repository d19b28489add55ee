package markdown

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEditSection(t *testing.T) {
	tests := []struct {
		name, src, heading string
		how                How
		text, want         string
	}{
		{"replace", "# A\n\nold\n\n# B\n", "a", Replace, "new\n", "# A\n\nnew\n\n# B\n"},
		{"replace compact", "# A\nold\n# B\n", "A", Replace, "\n\nnew", "# A\nnew\n# B\n"},
		{"replace at the end", "# A\n\nold", "A", Replace, "new\n", "# A\n\nnew"},
		{"replace before a setext heading", "# A\n```\nx\n```\nB\n===\n", "A", Replace, "new", "# A\nnew\n\nB\n===\n"},
		{"replace by nothing", "# A\n\nold\n\n# B\n", "A", Replace, "", "# A\n\n# B\n"},
		{"replace by nothing, compact", "# A\nold\n\n# B\n", "A", Replace, "", "# A\n\n# B\n"},
		{"replace by nothing at the end", "# A\n\nold\n", "A", Replace, " \n", "# A\n\n"},
		{"fill", "# A\n\n# B\n", "A", Replace, "new", "# A\n\nnew\n\n# B\n"},
		{"fill compact", "# A\n# B\n", "A", Append, "new", "# A\n\nnew\n\n# B\n"},
		{"fill without a line ending", "# A", "A", Append, "new", "# A\n\nnew"},
		{"append", "# A\n\nold\n\n# B\n", "A", Append, "new", "# A\n\nold\n\nnew\n\n# B\n"},
		{"append to a list", "# A\n\n- a\n  b\n\n# B\n", "A", Append, "- c\n", "# A\n\n- a\n  b\n- c\n\n# B\n"},
		{"append a list to text", "# A\n\nold\n\n# B\n", "A", Append, "- c", "# A\n\nold\n\n- c\n\n# B\n"},
		{"append at the end", "# A\n\nold", "A", Append, "new", "# A\n\nold\n\nnew"},
		{"append before a subsection", "# A\n\nold\n\n## B\n", "A", Append, "new", "# A\n\nold\n\nnew\n\n## B\n"},
		{"prepend", "# A\n\nold\n", "A", Prepend, "new", "# A\n\nnew\n\nold\n"},
		{"prepend to a list", "# A\n- b\n", "A", Prepend, "- a", "# A\n- a\n- b\n"},
		{"crlf", "# A\r\n\r\nold\r\n\r\n# B\r\n", "A", Append, "x\ny\r\nz\n", "# A\r\n\r\nold\r\n\r\nx\r\ny\r\nz\r\n\r\n# B\r\n"},
		{"setext", "A\n===\nold\n\nB\n---\n", "A", Append, "new", "A\n===\nold\n\nnew\n\nB\n---\n"},
		{"path", "# P\n## C\nx\n# Q\n## C\ny\n", "q > c", Append, "- z", "# P\n## C\nx\n# Q\n## C\ny\n\n- z\n"},
		{"position", "# C\nx\n# C\ny\n", "C#2", Replace, "z", "# C\nx\n# C\nz\n"},
		{"name with number sign", "# C#2\nx\n# C\n# C\n", "C#2", Replace, "z", "# C#2\nz\n# C\n# C\n"},
		{"with headings", "# A\n\nold\n\n# B\n", "A", Append, "## C\nx", "# A\n\nold\n\n## C\nx\n\n# B\n"},
		{"trailing blanks stay", "# A\n\nold  \n \t\n# B\n", "A", Append, "new", "# A\n\nold  \n\nnew\n \t\n# B\n"},
		{"front matter", "---\na: 1\n---\n# A\n", "A", Append, "new", "---\na: 1\n---\n# A\n\nnew\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(tt.src)).EditSection(tt.heading, tt.how, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEditSectionRefused(t *testing.T) {
	tests := []struct {
		name, src, heading string
		how                How
		text               string
		want               error
	}{
		{"no section", "# A\n", "B", Append, "x", ErrNoSection},
		{"part of a name", "# Alpha\n", "Alph", Append, "x", ErrNoSection},
		{"no such position", "# A\n# A\n", "A#3", Append, "x", ErrNoSection},
		{"twice", "# A\n# A\n", "A", Append, "x", ErrAmbiguous},
		{"open fence in the text", "# A\n\n# B\n", "A", Append, "```\nx", ErrUnsupported},
		{"open comment in the text", "# A\n\n# B\n", "A", Replace, "<!--", ErrUnsupported},
		{"open fence in the section", "# A\n```\nx\n", "A", Append, "y", ErrUnsupported},
		{"unknown way", "# A\n", "A", "insert", "y", ErrValue},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.src)).EditSection(tt.heading, tt.how, []byte(tt.text))
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

func TestSectionText(t *testing.T) {
	doc := Parse([]byte("# A\n\none\n\n  two\n\n## B\n# C\n# C\n"))
	for name, want := range map[string]string{"A": "one\n\n  two", "a > b": "", "C#1": ""} {
		if got, ok := doc.SectionText(name); got != want || !ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	for _, name := range []string{"C", "D", ""} {
		if got, ok := doc.SectionText(name); ok {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestAppend(t *testing.T) {
	tests := []struct{ name, src, text, want string }{
		{"empty", "", "x", "x\n"},
		{"bom only", "\ufeff", "x", "\ufeffx\n"},
		{"nothing", "a", " \n", "a"},
		{"text", "a\n", "x\n", "a\n\nx\n"},
		{"no final newline", "a", "x", "a\n\nx"},
		{"blank lines at the end", "a\n\n", "x", "a\n\nx\n\n"},
		{"list", "- a", "- b", "- a\n- b"},
		{"list with a final newline", "- a\n", "- b", "- a\n- b\n"},
		{"numbered list", "1. a\n", "2. b", "1. a\n2. b\n"},
		{"break behind a list", "- a\n", "---\nx", "- a\n\n---\nx\n"},
		{"front matter only", "---\na: 1\n---\n", "x", "---\na: 1\n---\n\nx\n"},
		{"front matter without newline", "---\na: 1\n---", "x", "---\na: 1\n---\n\nx"},
		{"open fence", "````\na\n", "x", "````\na\n````\n\nx\n"},
		{"open comment", "<!-- a", "x", "<!-- a\n-->\n\nx"},
		{"open fence in a list", "- ```\n  a\n", "x", "- ```\n  a\n\nx\n"},
		{"crlf", "a\r\n", "x\ny", "a\r\n\r\nx\r\ny\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit := Parse([]byte(tt.src)).AppendText([]byte(tt.text))
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	edit := Parse([]byte("a")).AppendSection(2, "Next\nsteps", []byte("- [ ] x"))
	if diff := cmp.Diff("a\n\n## Next steps\n\n- [ ] x", string(edit.Apply([]byte("a")))); diff != "" {
		t.Error(diff)
	}
	edit = Parse(nil).AppendSection(9, "Empty", nil)
	if diff := cmp.Diff("###### Empty\n", string(edit.Apply(nil))); diff != "" {
		t.Error(diff)
	}
}

// Whatever adds text at the end, a document ends with a line ending afterwards if it did
// before, and without one if not.
func TestFinalLineEnding(t *testing.T) {
	edits := map[string]func(d *Document) (Edit, error){
		"text":           func(d *Document) (Edit, error) { return d.AppendText([]byte("x\n\ny\n")), nil },
		"section":        func(d *Document) (Edit, error) { return d.AppendSection(2, "X", []byte("x\n")), nil },
		"section behind": func(d *Document) (Edit, error) { return d.InsertSection("A", 0, "X", []byte("x\n")) },
		"item":           func(d *Document) (Edit, error) { return d.AppendItem("", "x") },
		"item of a list": func(d *Document) (Edit, error) { return d.AppendItem("A", "x") },
		"to a section":   func(d *Document) (Edit, error) { return d.EditSection("A", Append, []byte("x\n")) },
		"a section":      func(d *Document) (Edit, error) { return d.EditSection("A", Replace, []byte("x\n")) },
	}
	for _, src := range []string{"# A", "# A\n\na", "# A\n\n- a", "# A\r\n\r\n- a\r\n\r\n- b", "---\nk: 1\n---\n# A\n\n1. a", "\ufeff# A\na"} {
		for _, end := range []string{"", "\n"} {
			src := src + end
			for name, edit := range edits {
				e, err := edit(Parse([]byte(src)))
				if err != nil {
					t.Errorf("%s in %q: %v", name, src, err)
				} else if after := string(e.Apply([]byte(src))); strings.HasSuffix(after, "\n") != (end != "") {
					t.Errorf("%s in %q: %q", name, src, after)
				}
			}
		}
	}
}

func TestCheckItem(t *testing.T) {
	tests := []struct {
		src     string
		line    int
		checked bool
		want    string
	}{
		{"- [ ] a\r\n- [ ] b\r\n", 2, true, "- [ ] a\r\n- [x] b\r\n"},
		{"- [X] a", 1, false, "- [ ] a"},
		{"- [X] a", 1, true, "- [X] a"},
		{"- [/] a", 1, false, "- [/] a"},
		{"- [/] a", 1, true, "- [x] a"},
		{"---\na: 1\n---\n> 1. [ ] a", 4, true, "---\na: 1\n---\n> 1. [x] a"},
	}
	for _, tt := range tests {
		edit, err := Parse([]byte(tt.src)).CheckItem(tt.line, tt.checked)
		if err != nil {
			t.Fatalf("%q: %v", tt.src, err)
		}
		if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
			t.Errorf("%q: %s", tt.src, diff)
		}
	}
	for _, line := range []int{-1, 0, 2, 3, 99} {
		if _, err := Parse([]byte("- [ ] a\ntext\n")).CheckItem(line, true); !errors.Is(err, ErrNotItem) {
			t.Errorf("line %d: %v", line, err)
		}
	}
}
