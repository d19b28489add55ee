package markdown

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestShapesOfValues has one row for each way to write a value: the lines of the
// key k between those of two others, what they are with k set to new, and what
// is left of them without k.
func TestShapesOfValues(t *testing.T) {
	tests := []struct{ name, lines, set, unset string }{
		{"plain", "k: old\n", "k: new\n", ""},
		{"plain with a comment", "k: old # c\n", "k: new # c\n", ""},
		{"plain with blanks behind", "k: old  \n", "k: new  \n", ""},
		{"plain with a number sign", "k: a#b\n", "k: new\n", ""},
		{"plain over lines", "k: one\n  two\n\n  three\n", "k: new\n", ""},
		{"plain from the next line", "k:\n  old # c\n", "k: new # c\n", ""},
		{"number", "k: 1.10\n", "k: new\n", ""},
		{"boolean", "k: yes\n", "k: new\n", ""},
		{"null", "k: ~\n", "k: new\n", ""},
		{"date", "k: 2026-01-01\n", "k: new\n", ""},
		{"date and time", "k: 2026-01-01T10:00:00+02:00 # c\n", "k: new # c\n", ""},
		{"clock", "k: 12:30\n", "k: new\n", ""},
		{"address", "k: https://a.b/c?d=e#f\n", "k: new\n", ""},
		{"double quotes", "k: \"a: \\\"b\\\" # c\" # d\n", "k: new # d\n", ""},
		{"double quotes over lines", "k: \"a\n\n  b \\\n  c\"\n", "k: new\n", ""},
		{"single quotes", "k: 'it''s: # c' # d\n", "k: new # d\n", ""},
		{"single quotes over lines", "k: 'a\n  b'\n", "k: new\n", ""},
		{"empty quotes", "k: ''\n", "k: new\n", ""},
		{"nothing", "k:\n", "k: new\n", ""},
		{"nothing but blanks", "k:  \n", "k: new  \n", ""},
		{"nothing but a comment", "k: # c\n", "k: new # c\n", ""},
		{"literal", "k: |\n  a\n  # b\n\n  c\n", "k: new\n", ""},
		{"literal, strip", "k: |-\n  a\n", "k: new\n", ""},
		{"literal, keep", "k: |+\n  a\n\n", "k: new\n", ""},
		{"literal with a comment", "k: | # c\n  a\n", "k: new # c\n", ""},
		{"literal, indented more", "k: |2\n    a\n  b\n", "k: new\n", ""},
		{"folded", "k: >\n  a\n  b\n\n   c\n", "k: new\n", ""},
		{"folded, strip", "k: >-\n  a\n", "k: new\n", ""},
		{"folded with a tab", "k: >\n  a\n  \tb\n", "k: new\n", ""},
		{"list in brackets", "k: [a, 'b, c', \"]\"]\n", "k: new\n", ""},
		{"list in brackets over lines", "k: [\n  a, # c\n  b,\n] # d\n", "k: new # d\n", ""},
		{"empty brackets", "k: []\n", "k: new\n", ""},
		{"links in brackets", "k: [\"[[a]]\", \"[[b|c]]\"]\n", "k: new\n", ""},
		{"link without quotes", "k: [[a]]\n", "k: new\n", ""},
		{"list of lines", "k:\n  - a\n  - b\n", "k: new\n", ""},
		{"list of lines, not indented", "k:\n- a\n- b\n", "k: new\n", ""},
		{"list of lines with comments", "k: # c\n  - a # d\n  # e\n  - b\n  # f\n", "k: new # c\n  # f\n", "  # f\n"},
		{"list with a gap", "k:\n  - a\n\n  - b\n\n", "k: new\n\n", "\n"},
		{"list of maps", "k:\n  - a: 1\n    b: 2\n  - a: 3\n", "k: new\n", ""},
		{"list of lists", "k:\n  - - a\n    - b\n  - [c]\n", "k: new\n", ""},
		{"list with empty elements", "k:\n  -\n  -\n", "k: new\n", ""},
		{"map", "k:\n  a: 1\n  b: 2 # c\n", "k: new # c\n", ""},
		{"deep map", "k:\n  a:\n    b:\n      - c: |\n          d\n", "k: new\n", ""},
		{"map in braces", "k: {a: 1, b: {c: [2]}}\n", "k: new\n", ""},
		{"map in braces over lines", "k: {a: 1,\n  b: 2} # c\n", "k: new # c\n", ""},
		{"anchor", "k: &x old # c\n", "k: new # c\n", ""},
		{"anchor of a list", "k: &x\n  - a\n", "k: new\n", ""},
		{"tag", "k: !!str 1\n", "k: new\n", ""},
		{"own tag", "k: !mine {a: 1}\n", "k: new\n", ""},
		{"tab before the value", "k:\told\t# c\n", "k:\tnew\t# c\n", ""},
		{"blanks around the colon", "k  :   old\n", "k  :   new\n", ""},
		{"key in double quotes", "\"k\": old\n", "\"k\": new\n", ""},
		{"key in single quotes", "'k' : old\n", "'k' : new\n", ""},
		{"template", "k: {{old}}\n", "k: new\n", ""},
		{"emoji", "k: 📅 old é # ü\n", "k: new # ü\n", ""},
		{"comment above", "# c\n\n# d\nk: old\n", "# c\n\n# d\nk: new\n", "# c\n\n# d\n"},
		{"comment below", "k: old\n# c\n\n", "k: new\n# c\n\n", "# c\n\n"},
	}
	for _, tt := range tests {
		for ending, nl := range map[string]string{"": "\n", ", crlf": "\r\n"} {
			t.Run(tt.name+ending, func(t *testing.T) {
				lines := func(s string) string {
					return strings.ReplaceAll("---\na: 1 # a\n"+s+"z: 9\n---\nbody\n", "\n", nl)
				}
				src := []byte(lines(tt.lines))
				set, err := Parse(src).SetProperty("k", "new")
				if diff := cmp.Diff(lines(tt.set), string(set.Apply(src))); err != nil || diff != "" {
					t.Errorf("set: %v %s", err, diff)
				}
				unset, err := Parse(src).UnsetProperty("k")
				if diff := cmp.Diff(lines(tt.unset), string(unset.Apply(src))); err != nil || diff != "" {
					t.Errorf("unset: %v %s", err, diff)
				}
				add, err := Parse(src).SetProperty("m", "new")
				want := strings.Replace(lines(tt.lines), "z: 9"+nl, "z: 9"+nl+"m: new"+nl, 1)
				if diff := cmp.Diff(want, string(add.Apply(src))); err != nil || diff != "" {
					t.Errorf("add: %v %s", err, diff)
				}
			})
		}
	}
}

// TestShapesOfFrontMatter has one row for each shape of what is around the keys,
// with k set, k removed and a key added.
func TestShapesOfFrontMatter(t *testing.T) {
	tests := []struct{ name, src, set, unset, add string }{
		{"no final newline", "---\nk: 1\n---", "---\nk: new\n---", "---\n---", "---\nk: 1\nm: new\n---"},
		{"blanks behind the fences", "--- \nk: 1\n---\t \nx", "--- \nk: new\n---\t \nx", "--- \n---\t \nx", "--- \nk: 1\nm: new\n---\t \nx"},
		{"dots at the end", "---\nk: 1\n...\nx", "---\nk: new\n...\nx", "---\n...\nx", "---\nk: 1\nm: new\n...\nx"},
		{"byte order mark", "\ufeff---\nk: 1\n---\n", "\ufeff---\nk: new\n---\n", "\ufeff---\n---\n", "\ufeff---\nk: 1\nm: new\n---\n"},
		{"byte order mark and crlf", "\ufeff---\r\nk: 1\r\n---\r\n", "\ufeff---\r\nk: new\r\n---\r\n", "\ufeff---\r\n---\r\n", "\ufeff---\r\nk: 1\r\nm: new\r\n---\r\n"},
		{"mixed line endings", "---\nk: 1\r\na: 2\n---\r\nx\n", "---\nk: new\r\na: 2\n---\r\nx\n", "---\na: 2\n---\r\nx\n", "---\nk: 1\r\na: 2\nm: new\n---\r\nx\n"},
		{"indented", "---\n  k: 1\n  a: 2\n---\n", "---\n  k: new\n  a: 2\n---\n", "---\n  a: 2\n---\n", "---\n  k: 1\n  a: 2\n  m: new\n---\n"},
		{"comments around", "---\n# a\n\nk: 1\n\n# b\n---\n", "---\n# a\n\nk: new\n\n# b\n---\n", "---\n# a\n\n\n# b\n---\n", "---\n# a\n\nk: 1\n\n# b\nm: new\n---\n"},
		{"explicit key beside", "---\n? a\n: 1\nk: 1\n---\n", "---\n? a\n: 1\nk: new\n---\n", "---\n? a\n: 1\n---\n", "---\n? a\n: 1\nk: 1\nm: new\n---\n"},
		{"list as a key beside", "---\n? [a]\n: 1\nk: 1\n---\n", "---\n? [a]\n: 1\nk: new\n---\n", "---\n? [a]\n: 1\n---\n", "---\n? [a]\n: 1\nk: 1\nm: new\n---\n"},
		{"anchors and aliases beside", "---\na: &x 1\nk: 1\nb: *x\n---\n", "---\na: &x 1\nk: new\nb: *x\n---\n", "---\na: &x 1\nb: *x\n---\n", "---\na: &x 1\nk: 1\nb: *x\nm: new\n---\n"},
	}
	for _, tt := range tests {
		src := []byte(tt.src)
		set, setErr := Parse(src).SetProperty("k", "new")
		unset, unsetErr := Parse(src).UnsetProperty("k")
		add, addErr := Parse(src).SetProperty("m", "new")
		if err := errors.Join(setErr, unsetErr, addErr); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		want := []string{tt.set, tt.unset, tt.add}
		got := []string{string(set.Apply(src)), string(unset.Apply(src)), string(add.Apply(src))}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// TestShapesRefused has one row for each shape that is refused, with its place.
func TestShapesRefused(t *testing.T) {
	tests := []struct {
		name, src    string
		want         error
		line, column int
	}{
		{"duplicate keys", "---\nk: 1\na: 2\nk: 3\n---\n", ErrFrontMatter, 4, 1},
		{"duplicate keys, quoted", "---\na: 1\n\"a\": 2\n---\n", ErrFrontMatter, 3, 1},
		{"duplicate keys, nested", "---\na: {b: 1, b: 2}\n---\n", ErrFrontMatter, 2, 11},
		{"tab as indentation", "---\na:\n\tb: 1\n---\n", ErrFrontMatter, 3, 1},
		{"anchor with an alias", "---\nk: &x 1\na: *x\n---\n", ErrUnsupported, 2, 4},
		{"alias", "---\na: &x 1\nk: [*x]\n---\n", ErrUnsupported, 3, 5},
		{"merge key with an alias", "---\na: &x {b: 1}\nk:\n  <<: *x\n---\n", ErrUnsupported, 4, 7},
		{"unknown alias", "---\nk: *x\n---\n", ErrFrontMatter, 2, 4},
		{"explicit key", "---\na: 1\n? k\n: 1\n---\n", ErrUnsupported, 3, 3},
		{"tagged key", "---\n!!str k: 1\n---\n", ErrUnsupported, 2, 1},
		{"anchored key", "---\n&x k: 1\n---\n", ErrUnsupported, 2, 1},
		{"braces around all", "---\n{k: 1}\n---\n", ErrUnsupported, 2, 1},
		{"list", "---\n- k\n---\n", ErrFrontMatter, 2, 1},
		{"text", "---\nk\n---\n", ErrFrontMatter, 2, 1},
		{"open quote", "---\na: 1\nk: \"x\n---\n", ErrFrontMatter, 3, 4},
		{"merge conflict", "---\n<<<<<<< a\nk: 1\n=======\nk: 2\n>>>>>>> b\n---\n", ErrFrontMatter, 2, 1},
	}
	for _, tt := range tests {
		for what, edit := range map[string]step{
			"set":   func(d *Document) (Edit, error) { return d.SetProperty("k", "new") },
			"unset": func(d *Document) (Edit, error) { return d.UnsetProperty("k") },
		} {
			_, err := edit(Parse([]byte(tt.src)))
			var line, column int
			var syntax *SyntaxError
			var unsupported *UnsupportedError
			if errors.As(err, &syntax) {
				line, column = syntax.Line, syntax.Column
			} else if errors.As(err, &unsupported) {
				line, column = unsupported.Line, unsupported.Column
			}
			if !errors.Is(err, tt.want) || line != tt.line || column != tt.column {
				t.Errorf("%s, %s: %v, want %d:%d", tt.name, what, err, tt.line, tt.column)
			}
		}
	}
}
