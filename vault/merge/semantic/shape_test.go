package semantic

import (
	"fmt"
	"strings"
	"testing"
)

// TestShapes: how a text is written down is merged apart from what it says, and what is written in
// more than one way is merged by lines or left whole.
func TestShapes(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	var b strings.Builder
	for i := 0; b.Len() <= maxText; i++ {
		fmt.Fprintf(&b, "- [ ] line %d\n", i)
	}
	long := b.String()
	tests := []struct {
		name, base, ours, theirs, want string
		conflicts                      int
	}{
		{"carriage returns", "- a\r\n- b\r\n", "- a\r\n- b\r\n- c\r\n", "- a\r\n- b\r\n- d\r\n", "- a\r\n- b\r\n- c\r\n- d\r\n", 0},
		{"ours writes carriage returns", "- a\n- b\n", "- a\r\n- b\r\n", "- a\n- b c\n", "- a\r\n- b c\r\n", 0},
		{"theirs takes them out", "- a\r\n- b\r\n", "- a\r\n- b c\r\n", "- a\n- b\n", "- a\n- b c\n", 0},
		{"a byte order mark", bom + "- a\n", bom + "- a\n- b\n", bom + "- a\n- c\n", bom + "- a\n- b\n- c\n", 0},
		{"a byte order mark taken out", bom + "- a\n", "- a\n", bom + "- a\n- c\n", "- a\n- c\n", 0},
		{"a byte order mark and front matter", bom + "---\na: 1\nb: 1\n---\n", bom + "---\na: 2\nb: 1\n---\n", bom + "---\na: 1\nb: 2\n---\n",
			bom + "---\na: 2\nb: 2\n---\n", 0},
		{"no line ending at the end", "- a\n- b", "- a\n- b\n- c", "- a x\n- b", "- a x\n- b\n- c", 0},
		{"both append without one", "- a", "- a\n- b", "- a\n- c", "- a\n- b\n- c", 0},
		{"one gives the last line an ending", "- a\n- b", "- a\n- b\n", "- a\n- b c", "- a\n- b c\n", 0},
		{"front matter alone without an ending", "---\na: 1\nb: 1\n---", "---\na: 2\nb: 1\n---", "---\na: 1\nb: 2\n---", "---\na: 2\nb: 2\n---", 0},
		{"mixed line endings by lines", "a\r\nb\nc\n", "x\r\nb\nc\n", "a\r\nb\ny\n", "x\r\nb\ny\n", 0},
		{"mixed line endings and one item", "- a\r\n- b\r\n- c\n", "- a x\r\n- b\r\n- c\n", "- a y\r\n- b\r\n- c\n", "- a x y\r\n- b\r\n- c\n", 0},
		{"mixed line endings in front matter", "---\r\na: 1\n---\n", "---\r\na: 2\n---\n", "---\r\na: 3\n---\n", "---\r\na: 2\n---\n", 1},
		{"one side writes carriage returns, but for a line", "---\ntitle: a\n---\n- b\n- c\n", "---\r\ntitle: a\r\n---\r\n- b\r\n- c\r\n- x\n",
			"---\ntitle: z\n---\n- b\n- c\n- y\n", "---\r\ntitle: z\r\n---\r\n- b\r\n- c\r\n- x\n- y\r\n", 0},
		{"one side mends mixed line endings", "- a\r\n- b\n- c\n", "- a\n- b\n- c\n", "- a\r\n- b\n- c d\n", "- a\n- b\n- c d\n", 0},
		{"mixed line endings, no ending at the end", "- a\r\n- b\n- c", "- a\r\n- x\n- b\n- c", "- a\r\n- b\n- c\r\n- d", "- a\r\n- x\r\n- b\n- c\r\n- d", 0},
		{"both made it, with mixed line endings", "", "- a\r\n- b\n", "- a\r\n- b\n- c\n", "- a\r\n- b\n- c\n", 0},
		{"a lone carriage return", "- a\r- b\n", "- a\r- c\n", "- a\r- d\n", "- a\r- c\n", 1},
		{"not UTF-8, by lines", "a\xff\nb\nc\n", "x\xff\nb\nc\n", "a\xff\nb\ny\n", "x\xff\nb\ny\n", 0},
		{"not UTF-8, colliding", "a\xff\n", "b\xff\n", "c\xff\n", "b\xff\n", 1},
		{"zero bytes aren't merged at all", "a\x00\nb\nc\n", "x\x00\nb\nc\n", "a\x00\nb\ny\n", "x\x00\nb\nc\n", 1},
		{"over the limit, by lines", long, "- first\n" + long, long + "- last\n", "- first\n" + long + "- last\n", 0},
		{"over the limit, colliding", long, long + "- [ ] x\n- [ ] x2\n", long + "- [ ] y\n- [ ] y2\n", long + "- [ ] x\n- [ ] x2\n", 1},
		{"empty base", "", "- a\n", "- b\n", "- a\n- b\n", 0},
		{"blank lines alone", "\n", "\n\n", "\n \n", "\n \n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Merge([]byte(tt.base), []byte(tt.ours), []byte(tt.theirs), Options{Path: "a.md"})
			if string(got.Text) != tt.want && len(tt.want) < 1000 {
				t.Errorf("text %q, want %q", got.Text, tt.want)
			}
			if string(got.Text) != tt.want || len(got.Conflicts) != tt.conflicts {
				t.Errorf("%d conflicts %.200v, want %d; text as wanted: %v", len(got.Conflicts), got.Conflicts, tt.conflicts, string(got.Text) == tt.want)
			}
		})
	}
}

// TestConflictsHoldEverything: whatever of theirs isn't in the text is told with both versions.
func TestConflictsHoldEverything(t *testing.T) {
	got := Merge([]byte("---\na: 1\n---\n# H\n\nOne two three.\n"), []byte("---\na: 2\n---\n# H\n\nOne ours three.\n"),
		[]byte("---\na: 3\n---\n# H\n\nOne theirs three.\n"), Options{Path: "a.md"})
	want := []Conflict{
		{"key a", "a: 1\n", "a: 2\n", "a: 3\n"},
		{"paragraph in section H", "One two three.\n", "One ours three.\n", "One theirs three.\n"},
	}
	if len(got.Conflicts) != 2 || got.Conflicts[0] != want[0] || got.Conflicts[1] != want[1] {
		t.Errorf("conflicts %q, want %q", got.Conflicts, want)
	}
	if string(got.Text) != "---\na: 2\n---\n# H\n\nOne ours three.\n" {
		t.Errorf("text %q", got.Text)
	}
}
