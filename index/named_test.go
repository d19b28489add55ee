package index

import (
	"strings"
	"testing"
)

// What a document is called finds it before all that say more of it.
func TestNamedFirst(t *testing.T) {
	f := start(t, topical(60)+`-- notes/keel.md --
# On ships

Nothing much.
-- plan.md --
---
title: The Winch Plan
aliases: [Deck and mast]
---
A word.
-- other.md --
The winch plan of the winch plan, which is a winch plan and keel, deck and mast, deck mast.
`)
	f.waitVectors()
	for _, mode := range []Mode{Hybrid, Text} {
		for query, want := range map[string]string{
			"keel": "notes/keel.md", "Keel": "notes/keel.md", "the winch plan": "plan.md", "The Winch-Plan": "plan.md",
			"deck and mast": "plan.md", `"deck and mast"`: "", "path:notes/ keel": "notes/keel.md", "path:boat/ keel": "",
		} {
			res := checkExplained(t, f.index, Query{Text: query, Mode: mode})
			first := ""
			if len(res.Hits) > 0 && res.Hits[0].Why.Named > 0 {
				first = res.Hits[0].Path
			}
			if want == "" && first != "" && strings.HasPrefix(query, "path") || want != "" && first != want {
				t.Errorf("%s: first %q, want %q", query, first, want)
			}
			for _, h := range res.Hits[min(1, len(res.Hits)):] {
				if h.Why.Named > 0 {
					t.Errorf("%s: %s is named too", query, h.Path)
				}
			}
		}
	}
}

// One word that documents have finds those that have it, and no others that are near in
// meaning; several words find these as well.
func TestOneWordIsNotPadded(t *testing.T) {
	f := start(t, topical(90)+"-- keelhaul.md --\nThe sternpost and the hull.\n")
	f.waitVectors()
	f.index.searches.Enough = 0
	if res := ask(t, f.index, Query{Text: "hull"}); res.Total != ask(t, f.index, Query{Text: "hull", Mode: Text}).Total {
		t.Errorf("one word: %d found", res.Total)
	}
	if res := ask(t, f.index, Query{Text: "sternpost hull"}); res.Total <= ask(t, f.index, Query{Text: "sternpost hull", Mode: Text}).Total {
		t.Errorf("two words: %d found", res.Total)
	}
	if res := ask(t, f.index, Query{Text: "hull", Mode: Vector}); res.Total <= ask(t, f.index, Query{Text: "hull", Mode: Text}).Total {
		t.Errorf("by meaning: %d found", res.Total)
	}
}
