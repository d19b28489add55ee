package index

import (
	"slices"
	"testing"
)

// Kist's own conversations and finished drafts come last, unless they are asked for.
func TestHindmost(t *testing.T) {
	f := start(t, topical(60)+`-- conversations/2026-11-20-desk.md --
# Conversation

keelson keelson keelson, and the keelson again
-- projects/boat/conversations/2026-11-21-desk.md --
keelson keelson
-- drafts/yawl.md --
---
type: draft
name: Keelson
status: completed
---
keelson keelson keelson
-- drafts/given-up.md --
---
type: draft
status: abandoned
---
keelson keelson keelson
-- drafts/open.md --
---
type: draft
status: in_progress
---
keelson, among many other words which make this the weakest of all the documents that have it at all
-- notes/talk.md --
---
type: conversation
---
A keelson in somebody's own note, which is called a conversation for some reason or other
-- notes/boat.md --
The boat has a keelson, and very many other things that nobody asked for, some of them of wood.
`)
	f.waitVectors()
	paths := func(q Query) (all []string) {
		for _, h := range checkExplained(t, f.index, q).Hits {
			all = append(all, h.Path)
		}
		return all
	}
	last := []string{"conversations/2026-11-20-desk.md", "drafts/given-up.md", "drafts/yawl.md", "projects/boat/conversations/2026-11-21-desk.md"}
	for _, mode := range []Mode{Text, Hybrid} {
		got := paths(Query{Text: "keelson", Mode: mode})
		if len(got) != 7 || !slices.Equal(slices.Sorted(slices.Values(got[3:])), last) {
			t.Errorf("%v: %q", mode, got)
		}
		if got := paths(Query{Text: "keelson", Mode: mode, Limit: 3}); len(got) != 3 || slices.Contains(last, got[0]) || slices.Contains(last, got[2]) {
			t.Errorf("%v, three of them: %q", mode, got)
		}
		for _, query := range []string{"keelson path:conversations/", "keelson type:conversation", "keelson status:completed"} {
			if got := paths(Query{Text: query, Mode: mode}); len(got) == 0 || !slices.Contains(last, got[0]) {
				t.Errorf("%s: %q", query, got)
			}
		}
	}
	all := paths(Query{Limit: 100})
	if got := slices.Sorted(slices.Values(all[max(0, len(all)-4):])); !slices.Equal(got, last) {
		t.Errorf("without words the last of %d are %q", len(all), got)
	}
	if got := paths(Query{Text: "keelson", Type: "draft"}); len(got) != 3 || got[2] != "drafts/open.md" {
		t.Errorf("drafts: %q", got)
	}
	for _, h := range checkExplained(t, f.index, Query{Text: "keelson"}).Hits {
		if h.Why.Last != slices.Contains(last, h.Path) {
			t.Errorf("%s: last: %v", h.Path, h.Why.Last)
		}
	}
}
