package markdown

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSetProperty(t *testing.T) {
	tests := []struct{ name, src, key, value, want string }{
		{"plain", "---\na: 1\nb: 2\n---\nbody\n", "a", "x", "---\na: x\nb: 2\n---\nbody\n"},
		{"aligned", "---\na:    1   # why\nbcd:  2\n---\n", "a", "x", "---\na:    x   # why\nbcd:  2\n---\n"},
		{"quoted", "---\na: \"x # y: z\"  # c\n'b' : 'it''s'\n---\n", "b", "2", "---\na: \"x # y: z\"  # c\n'b' : 2\n---\n"},
		{"double quoted over lines", "---\na: \"x\n  y\\\"\n  z\" # c\nb: 2\n---\n", "a", "1", "---\na: 1 # c\nb: 2\n---\n"},
		{"empty", "---\na:\nb: 2\n---\n", "a", "1", "---\na: 1\nb: 2\n---\n"},
		{"empty with comment", "---\na: # none yet\nb: 2\n---\n", "a", "1", "---\na: 1 # none yet\nb: 2\n---\n"},
		{"to empty", "---\na: 1\nb: 2\n---\n", "a", "", "---\na:\nb: 2\n---\n"},
		{"last", "---\na: 1\nb: 2\n---", "b", "x", "---\na: 1\nb: x\n---"},
		{"plain over lines", "---\na: one\n  two\n\n  three # c\n# d\nb: 2\n---\n", "a", "1", "---\na: 1 # c\n# d\nb: 2\n---\n"},
		{"literal", "---\na: | # keep\n  # not a comment\n  x\n\n# comment\nb: 2\n---\n", "a", "1", "---\na: 1 # keep\n\n# comment\nb: 2\n---\n"},
		{"literal keep", "---\na: |+\n  x\n\nb: 2\n---\n", "a", "1", "---\na: 1\nb: 2\n---\n"},
		{"folded with indicator", "---\na: >2-\n   x\n  y\nb: 2\n---\n", "a", "1", "---\na: 1\nb: 2\n---\n"},
		{"empty literal", "---\na: |\nb: 2\n---\n", "a", "1", "---\na: 1\nb: 2\n---\n"},
		{"block list", "---\ntags: # mine\n  # old\n  - a # x\n  - \"b # c\" # y\n  # z\nb: 2\n---\n", "tags", "[c]",
			"---\ntags: [c] # mine\n  # old # y\n  # z\nb: 2\n---\n"},
		{"list not indented", "---\ntags:\n- a\n- b\nc: 1\n---\n", "tags", "[x]", "---\ntags: [x]\nc: 1\n---\n"},
		{"list with an empty end", "---\ntags:\n  - a\n  -\n# c\nc: 1\n---\n", "tags", "[x]", "---\ntags: [x]\n# c\nc: 1\n---\n"},
		{"list ending in a literal", "---\na:\n  - |\n    x\n    # y\n\n# c\nb: 1\n---\n", "a", "1", "---\na: 1\n\n# c\nb: 1\n---\n"},
		{"flow list", "---\na: [x, \"]\", 'it''s', # c ]\n  y] # d\nb: 1\n---\n", "a", "1", "---\na: 1 # d\nb: 1\n---\n"},
		{"flow list from the next line", "---\na:\n  [x]\nb: 1\n---\n", "a", "[y]", "---\na: [y]\nb: 1\n---\n"},
		{"nested map", "---\na:\n  b: 1\n  c:\n    d: x # y\ne: 1\n---\n", "a", "{b: 2}", "---\na: {b: 2} # y\ne: 1\n---\n"},
		{"template", "---\ncreated: {{date}}\nb: 1\n---\n", "created", "2026-01-01", "---\ncreated: 2026-01-01\nb: 1\n---\n"},
		{"tag and anchor", "---\na: !!str &x 1 # c\nb: 1\n---\n", "a", "2", "---\na: 2 # c\nb: 1\n---\n"},
		{"date", "---\ndue: 2026-01-01\n---\n", "due", "2026-02-01", "---\ndue: 2026-02-01\n---\n"},
		{"url", "---\nu: http://a.b/c#d\nb: 1\n---\n", "u", "x", "---\nu: x\nb: 1\n---\n"},
		{"crlf", "---\r\na: 1\r\nb: |\r\n  x\r\n  y\r\nc: 3\r\n---\r\nbody\r\n", "b", "2", "---\r\na: 1\r\nb: 2\r\nc: 3\r\n---\r\nbody\r\n"},
		{"crlf new key", "---\r\na: 1\r\n---\r\n", "b", "2", "---\r\na: 1\r\nb: 2\r\n---\r\n"},
		{"mixed line endings", "---\na: 1\r\nb: 2\n---\r\n", "a", "x", "---\na: x\r\nb: 2\n---\r\n"},
		{"bom", "\ufeff---\na: 1\n---\n", "a", "2", "\ufeff---\na: 2\n---\n"},
		{"bom without front matter", "\ufeff# T\r\n", "a", "2", "\ufeff---\r\na: 2\r\n---\r\n# T\r\n"},
		{"blanks behind the fences", "--- \t\na: 1\n---  \nbody", "a", "2", "--- \t\na: 2\n---  \nbody"},
		{"ends with dots", "---\na: 1\n...\nbody", "b", "2", "---\na: 1\nb: 2\n...\nbody"},
		{"empty front matter", "---\n---\nbody", "b", "2", "---\nb: 2\n---\nbody"},
		{"comments only", "---\n# c\n---\nbody", "b", "2", "---\n# c\nb: 2\n---\nbody"},
		{"indented", "---\n  a: 1\n  b: 2\n---\n", "c", "3", "---\n  a: 1\n  b: 2\n  c: 3\n---\n"},
		{"new behind a literal", "---\na: |+\n  x\n\n---\n", "b", "2", "---\na: |+\n  x\n\nb: 2\n---\n"},
		{"no front matter", "# T\n", "a", "2", "---\na: 2\n---\n# T\n"},
		{"no file", "", "a", "2", "---\na: 2\n---\n"},
		{"thematic break first", "---\n\ntext\n", "a", "2", "---\na: 2\n---\n---\n\ntext\n"},
		{"key to be quoted", "---\na: 1\n---\n", "b: c", "2", "---\na: 1\n\"b: c\": 2\n---\n"},
		{"emoji", "---\n😀: \"é😀\"   # ü\nb: 1\n---\n", "😀", "x", "---\n😀: x   # ü\nb: 1\n---\n"},
		{"tab before the value", "---\na:\t1\nb: 1\n---\n", "a", "x", "---\na:\tx\nb: 1\n---\n"},
		{"text with a line of blanks", "---\na: |\n  x\n   \n\nb: 1\n---\n", "a", "2", "---\na: 2\n\nb: 1\n---\n"},
		{"new behind an explicit key", "---\n? x\n: y\n---\n", "b", "2", "---\n? x\n: y\nb: 2\n---\n"},
		{"explicit key elsewhere", "---\n? x\n: y\nb: 1\n---\n", "b", "2", "---\n? x\n: y\nb: 2\n---\n"},
		{"unicode line break", "---\na: \"x\u2028y\"\nb: 1\n---\n", "b", "2", "---\na: \"x\u2028y\"\nb: 2\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(tt.src)).SetProperty(tt.key, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnsetProperty(t *testing.T) {
	tests := []struct{ name, src, key, want string }{
		{"first", "---\na: 1 # c\nb: 2\n---\n", "a", "---\nb: 2\n---\n"},
		{"last", "---\na: 1\nb: 2\n---\n", "b", "---\na: 1\n---\n"},
		{"only", "---\r\na: 1\r\n---\r\nx", "a", "---\r\n---\r\nx"},
		{"comments around", "---\n# a\na:\n - 1\n # x\nb: 2\n---\n", "a", "---\n# a\n # x\nb: 2\n---\n"},
		{"literal", "---\na: |\n  x\n\n  y\n\nb: 2\n---\n", "a", "---\n\nb: 2\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(tt.src)).UnsetProperty(tt.key)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := Parse([]byte("---\na: 1\n---\n")).UnsetProperty("b"); !errors.Is(err, ErrNoProperty) {
		t.Errorf("unset of a missing key: %v", err)
	}
	if _, err := Parse([]byte("text")).UnsetProperty("b"); !errors.Is(err, ErrNoProperty) {
		t.Errorf("unset without front matter: %v", err)
	}
}

func TestPropertyRefused(t *testing.T) {
	tests := []struct {
		name, src, key, value string
		want                  error
	}{
		{"braces", "---\n{a: 1}\n---\n", "a", "2", ErrUnsupported},
		{"explicit key", "---\n? a\n: 1\n---\n", "a", "2", ErrUnsupported},
		{"tagged key", "---\n!!str a: 1\n---\n", "a", "2", ErrUnsupported},
		{"invalid front matter", "---\na: [\n---\n", "b", "2", ErrFrontMatter},
		{"two values", "---\na: 1\n---\n", "a", "b: c", ErrValue},
		{"comment", "---\na: 1\n---\n", "a", "b # c", ErrValue},
		{"open list", "---\na: 1\n---\n", "a", "[b", ErrValue},
		{"list item", "---\na: 1\n---\n", "a", "- b", ErrValue},
		{"block text", "---\na: 1\n---\n", "a", "|", ErrValue},
		{"line break", "---\na: 1\n---\n", "a", "b\nc: d", ErrValue},
		{"alias", "---\na: &x 1\n---\n", "b", "*x", ErrValue},
		{"control character", "---\na: 1\n---\n", "b", "\x01", ErrValue},
		{"no key", "---\na: 1\n---\n", "", "b", ErrValue},
		{"key with line break", "---\na: 1\n---\n", "a\nb", "b", ErrValue},
		{"deep", "---\na: 1\n---\n", "a", strings.Repeat("[", 30) + strings.Repeat("]", 30), ErrValue},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.src)).SetProperty(tt.key, tt.value)
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}
