package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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

// TestListsAgree: what lists takes -n, and 0 is all; where there are never many, it needn't.
func TestListsAgree(t *testing.T) {
	few := map[string]bool{"model list": true, "token list": true, "tool list": true}
	lists := 0
	walk(newRoot(&cli{out: newPrinter(&bytes.Buffer{}), log: newPrinter(&bytes.Buffer{})}), func(cmd *cobra.Command) {
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		if cmd.Name() != "list" || few[name] {
			return
		}
		lists++
		if f := cmd.Flag("limit"); f == nil || f.Shorthand != "n" || !strings.Contains(f.Usage, "0: all") {
			t.Errorf("kist %s has no -n as other lists have it", name)
		}
	})
	if lists < 7 {
		t.Errorf("%d lists", lists)
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
	no, day, none := "", "2027-03-01", "none"
	if err := dates(&no, &day, &none); err != nil || none != "" {
		t.Errorf("%q, %v", none, err)
	}
	for _, s := range []string{"tomorrow", "2027-3-1", "2027-02-30", "01.03.2027"} {
		if dates(&s) == nil {
			t.Errorf("%q was taken for a date", s)
		}
	}
}
