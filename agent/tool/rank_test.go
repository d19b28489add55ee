package tool

import (
	"cmp"
	"slices"
	"testing"
)

// TestRank: of the tools on offer the eight of the highest rank, which is all that a window of
// 4,096 tokens has room for, do what a session is about and what most messages want.
func TestRank(t *testing.T) {
	r, err := NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		env  Env
		want []string
	}{
		"in a project":       {Env{Project: "boat", Back: true}, []string{"create_task", "search", "create_note", "remember", "list_tasks"}},
		"a project is made":  {Env{Mode: "project_create", Draft: "raft"}, []string{"update_draft_dimension", "show_draft", "finalize_draft", "create_task", "search"}},
		"it is looked at":    {Env{Mode: "project_audit", Project: "boat"}, []string{"audit", "create_task", "search"}},
		"it is foreseen":     {Env{Mode: "project_forecast", Project: "boat"}, []string{"forecast", "search"}},
		"it is brought up":   {Env{Mode: "project_update", Project: "boat"}, []string{"update_project_dimension", "create_task"}},
		"something is named": {Env{Project: "boat", Restructure: true}, []string{"rename_project", "delete_project", "create_task"}},
	} {
		offer := r.Offer(&tc.env)
		slices.SortStableFunc(offer, func(a, b Tool) int { return cmp.Compare(b.Rank(), a.Rank()) })
		var first []string
		for _, tool := range offer[:8] {
			first = append(first, tool.Name)
		}
		for _, want := range tc.want {
			if !slices.Contains(first, want) {
				t.Errorf("%s: no %s among %q", name, want, first)
			}
		}
	}
}
