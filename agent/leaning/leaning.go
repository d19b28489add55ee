// Package leaning finds which documents a conversation leaned on, so that its project links them.
package leaning

import (
	"context"
	"fmt"
	"path"
	"slices"

	"kist/agent/effect"
	"kist/agent/prose"
	"kist/vault"
	"kist/vault/entity"
)

const most = 3 // links that one turn adds

// A Turn is what a project's turn ended with.
type Turn struct {
	Vault      *vault.Vault
	Project    string   // its slug
	Sources    []string // of what it was shown, by rank
	Operations []string // what it did
	Reply      string
}

// Plan links documents elsewhere that the reply cites, and returns false where there is nothing to link. What the turn wrote to
// isn't linked: its operation tells of it.
func (t Turn) Plan(ctx context.Context) (vault.Step, bool) {
	known, err := entity.Links(ctx, t.Vault, t.Project)
	if err != nil {
		return vault.Step{}, false
	}
	var add []entity.Link
	for rank, s := range t.Sources {
		file := prose.FileOf(s)
		linked := func(l entity.Link) bool { return l.Ref == file }
		if len(add) == most || slices.ContainsFunc(known, linked) || slices.ContainsFunc(add, linked) || !t.leanedOn(ctx, file) {
			continue
		}
		kind := "document"
		if t.Vault.TypeOf(file) == "task" {
			kind = "task"
		}
		add = append(add, entity.Link{Type: kind, Ref: file, Relevance: max(0.3, 0.9-0.1*float64(rank)), AddedBy: "automatic"})
	}
	if len(add) == 0 {
		return vault.Step{}, false
	}
	step, err := entity.PlanAddLinks(ctx, t.Vault, t.Project, add)
	if err != nil {
		return vault.Step{}, false
	}
	step.Reason = fmt.Sprintf("the conversation leaned on %s", path.Base(add[0].Ref))
	return step, true
}

func (t Turn) leanedOn(ctx context.Context, file string) bool {
	if slices.Contains([]string{"memory", "conversation", "project"}, t.Vault.TypeOf(file)) || t.Vault.ProjectOf(file) == t.Project {
		return false
	}
	wrote := func(op vault.Operation) bool { return op.Entity.Path == file }
	return prose.Cites(t.Reply, file) && !effect.Among(ctx, t.Vault, t.Operations, wrote)
}
