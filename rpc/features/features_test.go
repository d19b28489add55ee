package features

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFeatures: the words are fit for programs, and docs/clients.md names each.
func TestFeatures(t *testing.T) {
	page, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	_, versions, _ := strings.Cut(string(page), "\n## Versions\n")
	seen := map[string]bool{}
	for _, word := range Words() {
		if seen[word] || !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(word) {
			t.Errorf("the word %q", word)
		}
		if seen[word] = true; !strings.Contains(versions, "`"+word+"`") {
			t.Errorf("docs/clients.md doesn't name %q where it speaks of versions", word)
		}
	}
	if len(seen) < 15 {
		t.Errorf("%d words", len(seen))
	}
}
