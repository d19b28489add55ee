package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestInVault(t *testing.T) {
	root := t.TempDir()
	c := &cli{dir: root}
	for _, tt := range []struct{ in, want string }{
		{"notes/a.md", "notes/a.md"},
		{filepath.Join(root, "notes", "a.md"), "notes/a.md"},
		{filepath.Join(root, "..", "outside.md"), filepath.Join(root, "..", "outside.md")},
		{"../outside.md", "../outside.md"}, // for the daemon to refuse
	} {
		if got := c.inVault(tt.in); got != filepath.Clean(tt.want) && got != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestTextFromArgumentsOrStandardInput(t *testing.T) {
	for _, tt := range []struct {
		args []string
		in   string
		want string
	}{
		{[]string{"two", "words"}, "unread", "two words"},
		{nil, "from\nstdin\n", "from\nstdin\n"},
		{[]string{"-"}, "from stdin", "from stdin"},
		{[]string{"-", "x"}, "unread", "- x"},
	} {
		c := &cli{in: strings.NewReader(tt.in)}
		if got, err := c.textFrom(tt.args, "text"); err != nil || got != tt.want {
			t.Errorf("%v: %q, %v; want %q", tt.args, got, err, tt.want)
		}
	}
	if _, err := (&cli{in: strings.NewReader(" \n")}).words(nil, "text"); err == nil {
		t.Error("an empty text was taken")
	}
}

func TestDates(t *testing.T) {
	if err := dates("", "2027-03-01"); err != nil {
		t.Error(err)
	}
	for _, s := range []string{"tomorrow", "2027-3-1", "2027-02-30", "01.03.2027"} {
		if dates(s) == nil {
			t.Errorf("%q was taken for a date", s)
		}
	}
}
