package markdown

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInsertSection(t *testing.T) {
	const nested = "# A\n\na\n\n## B\n\nb\n\n# C\n\nc\n"
	tests := []struct {
		name, src, after string
		level            int
		heading, text    string
		behind, before   string // what the two methods make of it
	}{
		{"behind its subsections", nested, "A", 0, "N", "n", "# A\n\na\n\n## B\n\nb\n\n# N\n\nn\n\n# C\n\nc\n", "# N\n\nn\n\n" + nested},
		{"subsection", nested, "A > B", 0, "N", "n\n", "# A\n\na\n\n## B\n\nb\n\n## N\n\nn\n\n# C\n\nc\n", "# A\n\na\n\n## N\n\nn\n\n## B\n\nb\n\n# C\n\nc\n"},
		{"at the end, without text", "# A\na", "A", 2, "N", "", "# A\na\n\n## N", "## N\n\n# A\na"},
		{"compact", "# A\na\n# B\nb\n", "A", 0, "N", "n", "# A\na\n\n# N\n\nn\n\n# B\nb\n", "# N\n\nn\n\n# A\na\n# B\nb\n"},
		{"compact, the second", "# A\na\n# B\nb\n", "B", 0, "N", "n", "# A\na\n# B\nb\n\n# N\n\nn\n", "# A\na\n\n# N\n\nn\n\n# B\nb\n"},
		{"empty sections", "# A\n# B\n", "A", 0, "N", "n", "# A\n\n# N\n\nn\n\n# B\n", "# N\n\nn\n\n# A\n# B\n"},
		{"underlined", "A\n===\na\n\nB\n===\n", "A", 0, "N", "n", "A\n===\na\n\n# N\n\nn\n\nB\n===\n", "# N\n\nn\n\nA\n===\na\n\nB\n===\n"},
		{"repeated", "# A\n# X\n# A\n", "A#2", 0, "N", "", "# A\n# X\n# A\n\n# N\n", "# A\n# X\n\n# N\n\n# A\n"},
		{"crlf", "# A\r\n\r\na\r\n", "A", 0, "N\nM", "x\ny", "# A\r\n\r\na\r\n\r\n# N M\r\n\r\nx\r\ny\r\n", "# N M\r\n\r\nx\r\ny\r\n\r\n# A\r\n\r\na\r\n"},
		{"in code and comments", "# A\n```\n# B\n```\n<!--\n# C\n-->\n", "A", 0, "N", "", "# A\n```\n# B\n```\n<!--\n# C\n-->\n\n# N\n", "# N\n\n# A\n```\n# B\n```\n<!--\n# C\n-->\n"},
		{"front matter", "---\na: 1\n---\n# A\n", "A", 0, "N", "", "---\na: 1\n---\n# A\n\n# N\n", "---\na: 1\n---\n# N\n\n# A\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := []byte(tt.src)
			behind, err := Parse(src).InsertSection(tt.after, tt.level, tt.heading, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.behind, string(behind.Apply(src))); diff != "" {
				t.Error(diff)
			}
			before, err := Parse(src).InsertSectionBefore(tt.after, tt.level, tt.heading, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.before, string(before.Apply(src))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInsertSectionRefused(t *testing.T) {
	tests := []struct {
		name, src, after string
		level            int
		heading, text    string
		want             error
	}{
		{"no section", "# A\n", "B", 0, "N", "", ErrNoSection},
		{"twice", "# A\n# A\n", "A", 0, "N", "", ErrAmbiguous},
		{"level", "# A\n", "A", 7, "N", "", ErrValue},
		{"no heading", "# A\n", "A", 0, " ", "", ErrValue},
		{"heading that would be cut", "# A\n", "A", 0, "N #", "", ErrValue},
		{"open code in the text", "# A\n", "A", 0, "N", "```", ErrUnsupported},
		{"front matter", "---\na: [\n---\n# A\n", "A", 0, "N", "", ErrFrontMatter},
	}
	for _, tt := range tests {
		for _, insert := range []func(*Document, string, int, string, []byte) (Edit, error){(*Document).InsertSection, (*Document).InsertSectionBefore} {
			if _, err := insert(Parse([]byte(tt.src)), tt.after, tt.level, tt.heading, []byte(tt.text)); !errors.Is(err, tt.want) {
				t.Errorf("%s: error %v", tt.name, err)
			}
		}
	}
	if _, err := Parse([]byte("# A\n```\n")).InsertSection("A", 0, "N", nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("open code in the section: error %v", err)
	}
}
