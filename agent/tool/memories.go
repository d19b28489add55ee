package tool

import (
	"context"

	"kist/vault"
)

type rememberArgs struct {
	Content    string  `json:"content" jsonschema:"one fact, in a sentence" limit:"min=1,max=1000"`
	Scope      string  `json:"scope,omitempty" jsonschema:"user: true of the user everywhere; project: belongs to a project" limit:"enum=user|project"`
	Project    string  `json:"project,omitempty" jsonschema:"slug, id or path; the active project if left out" limit:"max=200"`
	Confidence float64 `json:"confidence,omitempty" jsonschema:"0 to 1, how sure it is" limit:"min=0,max=1"`
	Reason     string  `json:"reason,omitempty" jsonschema:"why; shown to the user" limit:"max=300"`
}

type listMemoriesArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug, id or path; the user's own memories if left out" limit:"max=200"`
}

func memoryTools(c *catalogue) {
	define(c, "remember", Add, "Remember one fact about the user or a project.", remember)
	define(c, "list_memories", Read, "List what is remembered of the user, or of a project.", listMemories)
}

func remember(ctx context.Context, e *Env, a rememberArgs) (Result, error) {
	m := vault.NewMemory{Content: a.Content, Confidence: a.Confidence, Source: e.Source}
	if m.Confidence == 0 {
		m.Confidence = 1 // the user said so
	}
	about := "you"
	if a.Scope == "project" || a.Scope == "" && a.Project != "" {
		p, res, err := target(ctx, e, a.Project)
		if err != nil || res.Fault != nil {
			return res, err
		}
		m.Project, about = p.Slug, p.Name
	}
	step, err := e.Vault.PlanCreateMemory(ctx, m, vault.ActorAgent)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "remember a fact about %s", about)
	return Result{
		Value: map[string]any{"path": step.Entity.Path, "content": a.Content, "project": m.Project},
		Steps: []vault.Step{step}, Project: m.Project,
	}, nil
}

func listMemories(ctx context.Context, e *Env, a listMemoriesArgs) (Result, error) {
	slug := ""
	if a.Project != "" {
		p, res, err := target(ctx, e, a.Project)
		if err != nil || res.Fault != nil {
			return res, err
		}
		slug = p.Slug
	}
	all, err := e.Vault.Memories(ctx, slug)
	if err != nil {
		return faultOf(err)
	}
	list := []map[string]any{}
	var sources []string
	for _, m := range all[:min(len(all), maxListed)] {
		list = append(list, map[string]any{"content": clip(m.Content, 300), "path": m.Path, "project": m.Project})
		sources = append(sources, m.Path)
	}
	return Result{Value: map[string]any{"memories": list, "count": len(all)}, Sources: sources}, nil
}
