package joined_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kist/vault/joined"
	"kist/vault/markdown"
	"kist/vault/vaulttest"
)

// TestPlan: an item is written as the list that it joins, and no other byte of the note changes.
func TestPlan(t *testing.T) {
	for name, c := range map[string]struct{ note, at, text, want string }{
		"boxes":            {"# S\n\n- [ ] milk\n- [x] eggs\n", "n.md", "- butter\n", "# S\n\n- [ ] milk\n- [x] eggs\n- [ ] butter\n"},
		"stars, two":       {"# P\n\n* tent\n\n## Kitchen\n\n* pot\n", "n.md", "- mat\n- rope\n", "# P\n\n* tent\n* mat\n* rope\n\n## Kitchen\n\n* pot\n"},
		"a heading's":      {"# P\n\n* tent\n\n## Kitchen\n\n+ pot\n\n## Bath\n", "n.md#kitchen", "- pan", "# P\n\n* tent\n\n## Kitchen\n\n+ pot\n+ pan\n\n## Bath\n"},
		"numbers":          {"## Bath\n1. soap\n2. towel\n", "n.md#Bath", "- comb", "## Bath\n1. soap\n2. towel\n3. comb\n"},
		"no final newline": {"- a", "n.md", "- b", "- a\n- b"},
		"CRLF":             {"# S\r\n\r\n- a\r\n\r\nEnd\r\n", "n.md", "- b", "# S\r\n\r\n- a\r\n- b\r\n\r\nEnd\r\n"},
		"preamble":         {"---\nx: 1\n---\n- a\n\n# B\n\n- c\n", "n.md", "- b", "---\nx: 1\n---\n- a\n- b\n\n# B\n\n- c\n"},
		"open already":     {"- [ ] Milk\n", "n.md", "- milk", "- [ ] Milk\n"},
		"ticked off":       {"- [x] milk\n", "n.md", "- milk", "- [x] milk\n- [ ] milk\n"},
		"no list":          {"# S\n\nText.\n", "n.md", "- a", "# S\n\nText.\n\n- a\n"},
		"none below":       {"# S\n\n## B\n\n## C\n", "n.md#B", "- a", "# S\n\n## B\n\n- a\n\n## C\n"},
		"several lists":    {"# S\n\n## B\n- b\n\n## C\n- c\n\n## D\nText\n", "n.md", "- a", "# S\n\n## B\n- b\n\n## C\n- c\n\n## D\nText\n\n- a\n"},
		"a date":           {"- [ ] a 📅 2026-11-30\n", "n.md", "- [ ] b [due:: 2026-12-01]", "- [ ] a 📅 2026-11-30\n- [ ] b 📅 2026-12-01\n"},
		"no item":          {"- a\n", "n.md", "b\n", "- a\n\nb\n"},
		"section's text":   {"# A\n\nx\n\n# B\n", "n.md#A", "y\n", "# A\n\nx\n\ny\n\n# B\n"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "n.md"), []byte(c.note), 0o600); err != nil {
			t.Fatal(err)
		}
		step, err := joined.Plan(t.Context(), vaulttest.Open(t, dir), c.at, c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := string(step.Changes[0].After); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// TestUnclear: a heading that isn't there, or is there twice, takes nothing.
func TestUnclear(t *testing.T) {
	doc := markdown.Parse([]byte("# A\n- a\n# A\n- b\n"))
	if _, err := joined.Item(doc, "B", "x"); !errors.Is(err, markdown.ErrNoSection) {
		t.Error(err)
	}
	if _, err := joined.Item(doc, "A", "x"); !errors.Is(err, markdown.ErrAmbiguous) {
		t.Error(err)
	}
}
