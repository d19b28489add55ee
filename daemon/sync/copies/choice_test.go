package copies

import "testing"

// TestWhatIsKeptHasItsDocumentsName has copies stay: each is called as its document is, and none looks like a conflict copy.
func TestWhatIsKeptHasItsDocumentsName(t *testing.T) {
	yes := func(string) bool { return true }
	for p, want := range map[string]string{
		"Book/03 The Harbour.conflict-desk-2026-11-28.md":                     "03 The Harbour - desk-2026-11-28.md",
		"plan.conflict-desk-2026-11-28-2.md":                                  "plan-desk-2026-11-28-2.md",
		"Makefile.conflict-desk-2026-11-28":                                   "Makefile - desk-2026-11-28",
		"Plan B.sync-conflict-20261128-101112-ABCDEFG.md":                     "Plan B - 20261128-101112-abcdefg.md",
		"Plan B (Anna's conflicted copy 2026-11-28).md":                       "Plan B - annas-conflicted-copy-2026-11-28.md",
		"Plan B (Widerspr\u00fcchliche Kopie in Konflikt Anna 2026-11-28).md": "Plan B - widerspr\u00fcchliche-kopie-in-konflikt-anna-2026-11-28.md",
		"Plan B 2.md": "Plan B - icloud-2.md",
	} {
		c, ok := Of(p, yes)
		stem, ext := c.kept()
		if stem+ext != want || !ok {
			t.Errorf("%s is kept as %q, want %q", p, stem+ext, want)
		}
		if c, is := Of(stem+ext, yes); is {
			t.Errorf("%s is a copy of %s", stem+ext, c.Of)
		}
	}
}
