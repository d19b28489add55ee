package features

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFeatures: the words are fit for programs, and docs/clients.md has just them.
func TestFeatures(t *testing.T) {
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	seen := map[string]bool{}
	for _, f := range All() {
		if seen[f.Word] || !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(f.Word) {
			t.Errorf("the word %q", f.Word)
		}
		seen[f.Word] = true
		want.WriteString("| `" + f.Word + "` | " + f.Means + " |\n")
	}
	_, got, _ := strings.Cut(string(page), "| feature | what it means |\n|---|---|\n")
	got, _, _ = strings.Cut(got, "\n\n")
	if got = strings.TrimSuffix(got, "\n") + "\n"; got != want.String() {
		t.Errorf("docs/clients.md lists\n%s\nand it is\n%s", got, want.String())
	}
}
