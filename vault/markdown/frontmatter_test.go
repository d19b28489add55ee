package markdown

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrontMatterValues(t *testing.T) {
	src := "---\nname: \"Houseboat: refit\"  # quoted\nversion: 1.10\nagent: 007\nyes: yes\nnothing:\nnull: ~\n" +
		"tags: [a, \"#b\", 3]\nlinks:\n  - \"[[x|y]]\"\n  - z\nmap: {a: 1}\ntext: |\n  one\n  two\n---\n# T\n"
	front, err := Parse([]byte(src)).FrontMatter()
	if err != nil {
		t.Fatal(err)
	}
	want := []Property{
		{"name", "\"Houseboat: refit\"", 2}, {"version", "1.10", 3}, {"agent", "007", 4}, {"yes", "yes", 5},
		{"nothing", "", 6}, {"null", "~", 7}, {"tags", "[a, \"#b\", 3]", 8},
		{"links", "- \"[[x|y]]\"\n  - z", 9}, {"map", "{a: 1}", 12}, {"text", "|\n  one\n  two", 13},
	}
	if diff := cmp.Diff(want, front.Keys()); diff != "" {
		t.Error(diff)
	}
	for key, want := range map[string]string{"name": "Houseboat: refit", "version": "1.10", "agent": "007", "yes": "yes",
		"nothing": "", "null": "", "tags": "", "map": "", "text": "one\ntwo\n", "absent": ""} {
		if got := front.String(key); got != want {
			t.Errorf("String(%q) = %q, want %q", key, got, want)
		}
	}
	for key, want := range map[string][]string{"name": {"Houseboat: refit"}, "tags": {"a", "#b", "3"},
		"links": {"[[x|y]]", "z"}, "nothing": nil, "map": nil, "absent": nil} {
		if diff := cmp.Diff(want, front.Strings(key)); diff != "" {
			t.Errorf("Strings(%q): %s", key, diff)
		}
	}
	if !front.Has("nothing") || front.Has("absent") {
		t.Error("Has is wrong")
	}
}

func TestFrontMatterSplit(t *testing.T) {
	tests := []struct {
		src, body string
		keys      int // -1: no front matter
	}{
		{"", "", -1},
		{"# T\n", "# T\n", -1},
		{"---\na: 1\n---\nx", "x", 1},
		{"\ufeff---\r\na: 1\r\nb: 2\r\n...\t\r\nx", "x", 2},
		{"\ufeffx", "x", -1},
		{"---\n---\n", "", 0},
		{"---", "---", -1},
		{"---\n", "---\n", -1},
		{"---\nnever closed\n", "---\nnever closed\n", -1},
		{" ---\na: 1\n---\n", " ---\na: 1\n---\n", -1},
		{"\n---\na: 1\n---\n", "\n---\na: 1\n---\n", -1},
		{"----\na: 1\n---\n", "----\na: 1\n---\n", -1},
		{"---\na: |\n  ---\nb: 2\n---\nx", "x", 2},
	}
	for _, tt := range tests {
		doc := Parse([]byte(tt.src))
		front, err := doc.FrontMatter()
		if err != nil {
			t.Errorf("%q: %v", tt.src, err)
		}
		keys := -1
		if front != nil {
			keys = len(front.Keys())
		}
		if body := string(doc.Source()[doc.BodyStart():]); keys != tt.keys || body != tt.body {
			t.Errorf("%q: %d keys and body %q, want %d and %q", tt.src, keys, body, tt.keys, tt.body)
		}
	}
}

func TestFrontMatterFaults(t *testing.T) {
	many := "---\n"
	for i := range 501 {
		many += fmt.Sprintf("k%d: 1\n", i)
	}
	tests := []struct {
		name, src    string
		line, column int
		message      string
	}{
		{"duplicate", "---\na: 1\nbé: 2\na: 3\n---\n", 4, 1, "twice"},
		{"nested duplicate", "---\na:\n  b: 1\n  b: 2\n---\n", 4, 3, "twice"},
		{"merge markers", "---\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n---\n", 2, 1, "conflict"},
		{"merge markers first", "<<<<<<< HEAD\n---\na: 1\n", 1, 1, "conflict"},
		{"list", "---\n- a\n---\n", 2, 1, "key: value"},
		{"text", "---\nSome text\n---\n", 2, 1, "key: value"},
		{"unknown alias", "---\na: 1\nb: *x\n---\n", 3, 4, "unknown anchor"},
		{"alias as a key", "---\na: &x 1\n*x : 2\n---\n", 3, 1, "alias"},
		{"depth", "---\na: " + strings.Repeat("[", 25) + strings.Repeat("]", 25) + "\n---\n", 2, 23, "deeper"},
		{"keys", many + "---\n", 502, 1, "500 keys"},
		{"size", "---\na: " + strings.Repeat("x", 65<<10) + "\n---\n", 2, 1, "64 KiB"},
		{"not UTF-8", "---\na: 1\nb: x\xff\n---\n", 3, 5, "UTF-8"},
		{"control character", "---\na: \x01\n---\n", 2, 4, "control"},
		{"two documents", "---\na: 1\n--- x\n---\n", 3, 3, "document"},
		{"scanner", "---\na: 1\nb: \"x\n---\n", 3, 4, "unexpected end"},
		{"tab", "---\na:\n\t- b\n---\n", 3, 1, "cannot start any token"},
		{"two colons", "---\na: 1\nb: c: d\n---\n", 3, 5, "mapping values"},
		{"open list", "---\na: 1\nb: [c\n---\n", 3, 5, "did not find"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := Parse([]byte(tt.src))
			_, err := doc.FrontMatter()
			var fault *SyntaxError
			if !errors.As(err, &fault) || !errors.Is(err, ErrFrontMatter) {
				t.Fatalf("error %v", err)
			}
			if fault.Line != tt.line || fault.Column != tt.column || !strings.Contains(fault.Message, tt.message) {
				t.Errorf("fault %v, want %d:%d ...%s...", fault, tt.line, tt.column, tt.message)
			}
			if _, err := doc.SetProperty("k", "v"); !errors.Is(err, ErrFrontMatter) {
				t.Errorf("SetProperty: %v", err)
			}
			if _, err := doc.EditSection("T", Append, nil); !errors.Is(err, ErrFrontMatter) {
				t.Errorf("EditSection: %v", err)
			}
		})
	}
}

func TestConcurrentUse(t *testing.T) {
	doc := Parse([]byte("---\na: 1\n---\n# T\n\n- [ ] x #t [[l]]\n"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if front, err := doc.FrontMatter(); err != nil || front.String("a") != "1" {
				t.Error("front matter differs")
			}
			if doc.Title() != "T" || len(doc.Sections()) != 1 || len(doc.Items()) != 1 || len(doc.Tags()) != 1 {
				t.Error("outline differs")
			}
		})
	}
	wg.Wait()
}
