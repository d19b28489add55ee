package markdown

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddAndRemoveInLists(t *testing.T) {
	tests := []struct{ name, src, key, value, want string }{
		{"brackets", "---\nt: [a, b] # c\n---\n", "t", "x", "---\nt: [a, b, x] # c\n---\n"},
		{"brackets without blanks", "---\nt: [a,b]\n---\n", "t", "x", "---\nt: [a,b,x]\n---\n"},
		{"brackets with blanks", "---\nt: [ a ]\n---\n", "t", "x", "---\nt: [ a, x ]\n---\n"},
		{"brackets over lines", "---\nt: [\n  a,\n  b,\n]\nu: 1\n---\n", "t", "x", "---\nt: [\n  a,\n  b,\n  x,\n]\nu: 1\n---\n"},
		{"one in brackets", "---\nt: [a]\n---\n", "t", "x", "---\nt: [a, x]\n---\n"},
		{"empty brackets", "---\nt: []\n---\n", "t", "x", "---\nt: [x]\n---\n"},
		{"nested in brackets", "---\nt: [[a, b], {c: d}, \"e, ]\", f]\n---\n", "t", "x", "---\nt: [[a, b], {c: d}, \"e, ]\", f, x]\n---\n"},
		{"needs quotes in brackets", "---\nt: [a]\n---\n", "t", "b, c", "---\nt: [a, \"b, c\"]\n---\n"},
		{"number", "---\nt: [1]\n---\n", "t", "2", "---\nt: [1, 2]\n---\n"},
		{"lines", "---\nt:\n  - a\n  - b # c\nu: 1\n---\n", "t", "x", "---\nt:\n  - a\n  - b # c\n  - x\nu: 1\n---\n"},
		{"lines not indented", "---\nt:\n- a\n---\n", "t", "x", "---\nt:\n- a\n- x\n---\n"},
		{"wide dashes", "---\nt:\n -   a\n -   b\n---\n", "t", "x", "---\nt:\n -   a\n -   b\n -   x\n---\n"},
		{"comma on a line", "---\nt:\n  - a\n---\n", "t", "b, c", "---\nt:\n  - a\n  - b, c\n---\n"},
		{"behind a text of lines", "---\nt:\n  - |\n    a\n\n  # c\nu: 1\n---\n", "t", "x", "---\nt:\n  - |\n    a\n  - x\n\n  # c\nu: 1\n---\n"},
		{"behind a map", "---\nt:\n  - a: 1\n    b: 2\nu: 1\n---\n", "t", "x", "---\nt:\n  - a: 1\n    b: 2\n  - x\nu: 1\n---\n"},
		{"quoted link", "---\nt:\n  - \"[[a]]\"\n---\n", "t", `"[[b]]"`, "---\nt:\n  - \"[[a]]\"\n  - \"[[b]]\"\n---\n"},
		{"comments around", "---\nt: # c\n  # d\n  - a\n  # e\nu: 1\n---\n", "t", "x", "---\nt: # c\n  # d\n  - a\n  - x\n  # e\nu: 1\n---\n"},
		{"crlf", "---\r\nt:\r\n  - a\r\n---\r\n", "t", "x", "---\r\nt:\r\n  - a\r\n  - x\r\n---\r\n"},
		{"mixed line endings", "---\nt:\r\n  - a\r\nu: 1\n---\n", "t", "x", "---\nt:\r\n  - a\r\n  - x\r\nu: 1\n---\n"},
		{"alias elsewhere", "---\nt: [a]\nb: &b 1\nc: *b\n---\n", "t", "x", "---\nt: [a, x]\nb: &b 1\nc: *b\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(tt.src)).AddToProperty(tt.key, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			after := edit.Apply([]byte(tt.src))
			if diff := cmp.Diff(tt.want, string(after)); diff != "" {
				t.Fatal(diff)
			}
			again, err := Parse(after).AddToProperty(tt.key, tt.value)
			if err != nil || !again.empty() {
				t.Errorf("added again: %q, %v", again.Apply(after), err)
			}
			back, err := Parse(after).RemoveFromProperty(tt.key, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.src, string(back.Apply(after))); diff != "" {
				t.Error("removed again:", diff)
			}
		})
	}
}

func TestAddToNoList(t *testing.T) {
	for src, want := range map[string]string{
		"text":                    "---\nt: [x]\n---\ntext",
		"---\na: 1\n---\n":        "---\na: 1\nt: [x]\n---\n",
		"---\nt: # c\n---\n":      "---\nt: [x] # c\n---\n",
		"---\nt: null\nu:\n---\n": "---\nt: [x]\nu:\n---\n",
	} {
		edit, err := Parse([]byte(src)).AddToProperty("t", "x")
		if err != nil {
			t.Errorf("%q: %v", src, err)
		} else if diff := cmp.Diff(want, string(edit.Apply([]byte(src)))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRemoveFromProperty(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"first in brackets", "---\nt: [x, a]\n---\n", "---\nt: [a]\n---\n"},
		{"in the middle", "---\nt: [a, 'x', b]\n---\n", "---\nt: [a, b]\n---\n"},
		{"only one, with a comma", "---\nt: [x,]\n---\n", "---\nt: []\n---\n"},
		{"each of several", "---\nt: [x, a, x]\n---\n", "---\nt: [a]\n---\n"},
		{"runs", "---\nt: [x, x, a, x, x, b, x]\n---\n", "---\nt: [a, b]\n---\n"},
		{"all in brackets", "---\nt: [ x, x ]\n---\n", "---\nt: [ ]\n---\n"},
		{"runs of lines", "---\nt:\n - x\n - a\n # c\n - x\n - x\n - b\n---\n", "---\nt:\n - a\n # c\n - b\n---\n"},
		{"all", "---\nt:\n  - x\n  - x\nu: 1\n---\n", "---\nt: []\nu: 1\n---\n"},
		{"line with its comment", "---\nt:\n  # b\n  - x # c\n  - a\n---\n", "---\nt:\n  # b\n  - a\n---\n"},
		{"text of lines", "---\nt:\n  - >-\n    x\n  - a\n---\n", "---\nt:\n  - a\n---\n"},
	}
	for _, tt := range tests {
		edit, err := Parse([]byte(tt.src)).RemoveFromProperty("t", "x")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(tt.src)))); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestListRefused(t *testing.T) {
	tests := []struct {
		name, src, value string
		add, remove      error
		line             int // of an UnsupportedError
	}{
		{"no list", "---\na: 1\nt: a\n---\n", "x", ErrUnsupported, ErrUnsupported, 3},
		{"map", "---\nt: {x: 1}\n---\n", "x", ErrUnsupported, ErrUnsupported, 2},
		{"tagged list", "---\nt: !!seq\n- x\n---\n", "x", ErrUnsupported, ErrUnsupported, 2},
		{"comment in brackets", "---\nt: [a, # c\n x]\n---\n", "y", ErrUnsupported, ErrNoProperty, 2},
		{"comment in brackets", "---\nt: [a, # c\n x]\n---\n", "x", nil, ErrUnsupported, 2},
		{"braces", "---\n{t: [a]}\n---\n", "x", ErrUnsupported, ErrUnsupported, 2},
		{"alias in it", "---\na: &a x\nt: [*a]\n---\n", "x", ErrUnsupported, ErrUnsupported, 3},
		{"not there", "---\nt: [a]\n---\n", "x", nil, ErrNoProperty, 0},
		{"no key", "---\na: 1\n---\n", "x", nil, ErrNoProperty, 0},
		{"no value", "---\nt: [a]\n---\n", "", ErrValue, ErrValue, 0},
		{"list", "---\nt: [a]\n---\n", "[x]", ErrValue, ErrValue, 0},
		{"front matter", "---\nt: [\n---\n", "x", ErrFrontMatter, ErrFrontMatter, 0},
	}
	for _, tt := range tests {
		_, add := Parse([]byte(tt.src)).AddToProperty("t", tt.value)
		_, remove := Parse([]byte(tt.src)).RemoveFromProperty("t", tt.value)
		for _, got := range []struct{ err, want error }{{add, tt.add}, {remove, tt.remove}} {
			if !errors.Is(got.err, got.want) {
				t.Errorf("%s: error %v, want %v", tt.name, got.err, got.want)
			}
			var fault *UnsupportedError
			if errors.As(got.err, &fault) && fault.Line != tt.line {
				t.Errorf("%s: %v, want line %d", tt.name, got.err, tt.line)
			}
		}
	}
}

func TestSetProperties(t *testing.T) {
	src := "---\na: 1 # c\nb:\n  - x\nc: 3\nd: 4\n---\nbody\n"
	tests := []struct {
		name     string
		settings []Setting
		span     string // what is replaced
		want     string
	}{
		{"nothing", nil, "", src},
		{"one", []Setting{{Key: "c", Value: "x"}}, "3", "---\na: 1 # c\nb:\n  - x\nc: x\nd: 4\n---\nbody\n"},
		{"neighbours", []Setting{{Key: "d", Value: "y"}, {Key: "c", Value: "x"}}, "3\nd: 4", "---\na: 1 # c\nb:\n  - x\nc: x\nd: y\n---\nbody\n"},
		{"set, unset, add", []Setting{{Key: "e", Value: "[1]"}, {Key: "b", Unset: true}, {Key: "a", Value: "longer"}, {Key: "no", Unset: true}},
			"1 # c\nb:\n  - x\nc: 3\nd: 4\n", "---\na: longer # c\nc: 3\nd: 4\ne: [1]\n---\nbody\n"},
		{"one twice", []Setting{{Key: "e", Value: "1"}, {Key: "e", Value: "23"}}, "", "---\na: 1 # c\nb:\n  - x\nc: 3\nd: 4\ne: 23\n---\nbody\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edit, err := Parse([]byte(src)).SetProperties(tt.settings)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(edit.Apply([]byte(src)))); diff != "" {
				t.Error(diff)
			}
			if span := src[edit.Start:edit.End]; span != tt.span {
				t.Errorf("span %q, want %q", span, tt.span)
			}
		})
	}
	edit, err := Parse([]byte("text")).SetProperties([]Setting{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}})
	if got := string(edit.Apply([]byte("text"))); err != nil || got != "---\na: 1\nb: 2\n---\ntext" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Parse([]byte(src)).SetProperties([]Setting{{Key: "a", Value: "1"}, {Key: "b", Value: "x: y"}}); !errors.Is(err, ErrValue) {
		t.Errorf("error %v", err)
	}
}

func TestAliases(t *testing.T) {
	src := "---\na: &x 1\nb: [*x]\n\"c\": &y 2\nd: 3\ne: &x 4\nf:\n  <<: {g: *x}\n---\n# T\n- [ ] i\n"
	doc := Parse([]byte(src))
	var syntax *SyntaxError
	if _, err := doc.FrontMatter(); !errors.As(err, &syntax) || syntax.Line != 3 || syntax.Column != 5 {
		t.Errorf("FrontMatter: %v", err)
	}
	edit, err := doc.SetProperty("d", "x")
	if want := "---\na: &x 1\nb: [*x]\n\"c\": &y 2\nd: x\ne: &x 4\nf:\n  <<: {g: *x}\n---\n# T\n- [ ] i\n"; err != nil || string(edit.Apply([]byte(src))) != want {
		t.Errorf("set d: %v", err)
	}
	for _, step := range []step{
		func(d *Document) (Edit, error) { return d.UnsetProperty("d") },
		func(d *Document) (Edit, error) { return d.SetProperty("new", "1") },
		func(d *Document) (Edit, error) { return d.EditSection("T", Append, []byte("x")) },
		func(d *Document) (Edit, error) { return d.CheckItem(11, true) },
	} {
		if _, err := step(doc); err != nil {
			t.Error(err)
		}
	}
	for key, at := range map[string][2]int{"a": {2, 4}, "b": {3, 5}, "c": {4, 6}, "e": {6, 4}, "f": {8, 11}} {
		_, set := doc.SetProperty(key, "1")
		_, unset := doc.UnsetProperty(key)
		for _, err := range []error{set, unset} {
			var fault *UnsupportedError
			if !errors.As(err, &fault) || fault.Line != at[0] || fault.Column != at[1] {
				t.Errorf("%s: %v, want %v", key, err, at)
			}
		}
	}
	if _, err := doc.SetProperty("new", "[&x 1]"); !errors.Is(err, ErrValue) {
		t.Errorf("an anchor in a new value: %v", err)
	}
	merged := Parse([]byte("---\na: 1\n<<: {a: 2}\n---\n"))
	if _, err := merged.UnsetProperty("a"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("unset what a merge key has too: %v", err)
	}
}
