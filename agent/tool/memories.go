package tool

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"kist/agent/dated"
	"kist/agent/recall"
	"kist/agent/tool/along"
	"kist/index"
	"kist/index/rank"
	"kist/vault"
	"kist/vault/entity"
)

type rememberArgs struct {
	Content    string  `json:"content" jsonschema:"one fact, in a sentence" limit:"min=1,max=1000"`
	Scope      string  `json:"scope,omitempty" jsonschema:"of the user everywhere, or of a project" limit:"enum=user|project"`
	Project    string  `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Confidence float64 `json:"confidence,omitempty" jsonschema:"0 to 1" limit:"min=0,max=1"`
	Reason     string  `json:"reason,omitempty" limit:"max=300"`
}

type listMemoriesArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug, id or path; else the user's" limit:"max=200"`
	Told    bool   `json:"told,omitempty" jsonschema:"inbox lines, decisions, notes"`
	Here    bool   `json:"here,omitempty"`
	Days    string `json:"days,omitempty" jsonschema:"told of, FROM/TO" limit:"max=100"`
}

type searchMemoriesArgs struct {
	Query string `json:"query" limit:"min=1,max=300"`
}

type suggestProjectArgs struct {
	Content string `json:"content" limit:"min=1,max=1000"`
}

type moveMemoryArgs struct {
	Memory  string `json:"memory" jsonschema:"id or path of list_memories" limit:"min=1,max=400"`
	Project string `json:"project,omitempty" jsonschema:"slug, id or path" limit:"max=200"`
	Text    string `json:"text,omitempty" limit:"max=2000,lines"`
}

type forgetMemoryArgs struct {
	Memory string `json:"memory" jsonschema:"as list_memories names it" limit:"min=1,max=400"`
	Text   string `json:"text,omitempty" jsonschema:"of a line: what it says" limit:"max=2000,lines"`
}

func memoryTools(c *catalogue) {
	define(c, "remember", Add, "Remember one fact about the user or a project; its opposite is replaced.", remember)
	define(c, "list_memories", Read, "List what is remembered of the user or a project, or was told.", listMemories)
	define(c, "search_memories", Read, "Search what is remembered.", searchMemories)
	define(c, "suggest_project_for_memory", Read, "Which project a fact belongs to, and how sure that is.", suggestProject)
	define(c, "move_memory", Destroy, "Move a memory or inbox line to a project, or the user's.", moveMemory)
	c.when(memoryTier())
	define(c, "forget_memory", Destroy, "Forget a memory, a note, or a line of an inbox or of decisions.", forgetMemory)
	c.when(forgetTier())
}

// keepsNoSecrets: memories are plain files, and travel.
func keepsNoSecrets(text string) *Fault {
	if !recall.IsSecret(text) {
		return nil
	}
	return &Fault{Error: "that looks like a secret; secrets are not remembered", Suggestion: "a password manager is the place for it"}
}

func searchMemories(ctx context.Context, e *Env, a searchMemoriesArgs) (Result, error) {
	return search(ctx, e, searchArgs{Query: a.Query, Type: "memory", Limit: 10})
}

// suggestProject goes by the words of the fact, and by where the vault speaks of it.
func suggestProject(ctx context.Context, e *Env, a suggestProjectArgs) (Result, error) {
	all, err := e.projects(ctx)
	if err != nil {
		return faultOf(err)
	}
	var refs []recall.ProjectRef
	for _, p := range all {
		if p.Status != "archived" {
			refs = append(refs, recall.ProjectRef{Slug: p.Slug, Name: p.Name})
		}
	}
	slug, confidence := "", 0.0
	for _, c := range recall.Extract(a.Content, recall.Options{Projects: refs, Active: e.Project}) {
		if c.Project != "" && c.Confidence > confidence {
			slug, confidence = c.Project, c.Confidence
		}
	}
	if slug == "" && e.Search != nil {
		slug, confidence = byHits(ctx, e, a.Content)
	}
	return Result{Value: map[string]any{"project": slug, "scope": scopeOf(slug), "confidence": confidence}}, nil
}

// byHits asks the index which project speaks of a text most.
func byHits(ctx context.Context, e *Env, text string) (slug string, share float64) {
	found, err := e.Search.Search(ctx, index.Query{Text: words(text), Limit: 10})
	if err != nil || len(found.Hits) == 0 {
		return "", 0
	}
	scores, sum := map[string]float64{}, 0.0
	found.Hits = slices.DeleteFunc(found.Hits, func(h rank.Hit) bool { return strings.Contains(h.Path, "conversations/") }) // where the question itself stands
	for _, h := range found.Hits {
		sum += h.Score
		if h.Project != "" {
			scores[h.Project] += h.Score
		}
	}
	for _, h := range found.Hits { // in their order, so that equals are decided the same way each time
		if s := scores[h.Project]; h.Project != "" && s > share*sum {
			slug, share = h.Project, s/sum
		}
	}
	if share < 0.5 {
		return "", 0
	}
	return slug, math.Round(share*100) / 100
}

func scopeOf(project string) string {
	if project == "" {
		return "user"
	}
	return "project"
}

func moveMemory(ctx context.Context, e *Env, a moveMemoryArgs) (Result, error) {
	m, err := entity.FindMemory(ctx, e.Vault, a.Memory)
	if errors.Is(err, vault.ErrNotFound) && strings.Contains(a.Memory, ".md") {
		return moveTold(ctx, e, a)
	}
	if err != nil {
		return faultOf(err)
	}
	if a.Text != "" {
		return fault("text is what a line says, and "+quote(a.Memory)+" is a memory", "leave text out"), nil
	}
	to, where := "", "your own memories"
	if a.Project != "" {
		p, res, err := target(ctx, e, a.Project)
		if err != nil || res.Fault != nil {
			return res, err
		}
		to, where = p.Slug, p.Name
	}
	step, err := entity.PlanMoveMemory(ctx, e.Vault, a.Memory, to)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = "move to " + where + ": " + clip(strings.Join(strings.Fields(m.Content), " "), 120)
	return Result{Value: map[string]any{"memory": m.Path, "content": m.Content, "project": to}, Steps: []vault.Step{step}, Project: m.Project}, nil
}

// forgetMemory forgets a memory, or else what was told: there may be no more than 40 tools
// in a request, and the user doesn't know either in which file a thing was kept.
func forgetMemory(ctx context.Context, e *Env, a forgetMemoryArgs) (Result, error) {
	m, err := entity.FindMemory(ctx, e.Vault, a.Memory)
	if errors.Is(err, vault.ErrNotFound) && strings.Contains(a.Memory, ".md") {
		return forgetTold(e, a.Memory, a.Text)
	}
	if err != nil {
		return faultOf(err)
	}
	if a.Text != "" {
		return fault("text is what a line says, and "+quote(a.Memory)+" is a memory", "leave text out"), nil
	}
	step, err := entity.PlanForgetMemory(ctx, e.Vault, a.Memory)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = "forget: " + clip(m.Content, 120)
	return Result{Value: map[string]any{"memory": m.Path, "content": m.Content}, Steps: []vault.Step{step}, Project: m.Project}, nil
}

// words keeps the words of a text, so that nothing in it is taken for an operator.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

func remember(ctx context.Context, e *Env, a rememberArgs) (Result, error) {
	if f := keepsNoSecrets(a.Content); f != nil {
		return Result{Fault: f}, nil
	}
	m := entity.NewMemory{Content: a.Content, Confidence: a.Confidence, Source: e.Source}
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
	known, err := entity.Memories(ctx, e.Vault, m.Project)
	if err != nil {
		return faultOf(err)
	}
	for _, k := range known {
		switch {
		case k.Project != m.Project:
		case recall.Near(a.Content, k.Content) >= recall.Same:
			return Result{Value: map[string]any{"path": k.Path, "content": k.Content, "project": k.Project, "known": true}, Sources: []string{k.Path}}, nil
		case recall.Supersedes(a.Content, k.Content):
			m.Supersedes = k.ID
		}
	}
	step, err := entity.PlanCreateMemory(ctx, e.Vault, m, vault.ActorAgent)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "remember a fact about %s", about)
	return Result{
		Value: map[string]any{"path": step.Entity.Path, "content": a.Content, "project": m.Project},
		Steps: []vault.Step{step}, Project: m.Project,
	}, nil
}

// standing leaves out what a newer memory has replaced.
func standing(all []entity.Memory) []entity.Memory {
	replaced := map[string]bool{}
	for _, m := range all {
		if m.Supersedes != "" {
			replaced[m.Supersedes] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(m entity.Memory) bool {
		return replaced[m.ID] || slices.ContainsFunc(m.FormerIDs, func(id string) bool { return replaced[id] })
	})
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
	if a.Here {
		lines, _, err := along.Lines(ctx, e.Vault, e.Session)
		if err != nil {
			return faultOf(err)
		}
		list, seen := []map[string]any{}, []string(nil)
		for _, l := range lines {
			list, seen = append(list, map[string]any{"content": l.Text, "turn": l.Turn}), []string{entity.InboxPath(e.Vault, "")}
		}
		return Result{Value: map[string]any{"here": list}, Seen: seen}, nil
	}
	if a.Told {
		return listTold(ctx, e, slug)
	}
	of := slug
	if a.Days != "" {
		of = "" // what the user has on a day is in no project
	}
	all, err := entity.Memories(ctx, e.Vault, of)
	if err != nil {
		return faultOf(err)
	}
	all = standing(all)
	if a.Days != "" {
		projects, err := e.projects(ctx)
		if err != nil {
			return faultOf(err)
		}
		list, seen, err := dated.List(e.Vault, projects, all, slug, a.Days)
		if err != nil {
			return fault(err.Error(), "give them as YYYY-MM-DD/YYYY-MM-DD"), nil
		}
		return Result{Value: map[string]any{"told": list}, Seen: seen}, nil
	}
	list := []map[string]any{}
	var sources []string
	for _, m := range all[:min(len(all), maxListed)] {
		list = append(list, map[string]any{
			"content": clip(m.Content, 300), "path": m.Path, "project": m.Project, "source": m.Source, "confidence": m.Confidence, "created": m.Created.Format(time.DateOnly),
		})
		sources = append(sources, m.Path)
	}
	return Result{Value: map[string]any{"memories": list, "count": len(all)}, Sources: sources}, nil
}
