package tool

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"kist/agent/audit"
	"kist/agent/guide"
	"kist/vault"
	"kist/vault/entity"
)

type startSessionArgs struct {
	Mode  string `json:"mode" limit:"enum=general|project_create|project_update|project_audit|project_forecast|task_update"`
	Draft string `json:"draft,omitempty" jsonschema:"slug or id of one to go on with" limit:"max=200"`
}

type draftDimensionArgs struct {
	Dimension   string   `json:"dimension,omitempty" limit:"dimension"`
	Text        string   `json:"text,omitempty" jsonschema:"in the user's words" limit:"max=8000,lines"`
	How         string   `json:"how,omitempty" jsonschema:"else append" limit:"enum=replace|append|prepend"`
	Name        string   `json:"name,omitempty" jsonschema:"of the project" limit:"max=100"`
	Description string   `json:"description,omitempty" jsonschema:"what it is about, in a sentence or two" limit:"max=2000,lines"`
	Tasks       []string `json:"tasks,omitempty" jsonschema:"titles of first tasks; a due date may follow as @YYYY-MM-DD" limit:"items=50,each=200"`
	FollowUp    bool     `json:"follow_up,omitempty" jsonschema:"the user doesn't know yet: ask later"`
	Draft       string   `json:"draft,omitempty" jsonschema:"slug; else the session's" limit:"max=200"`
}

type oneDraftArgs struct {
	Draft string `json:"draft,omitempty" jsonschema:"slug; else the session's" limit:"max=200"`
}

type projectDimensionArgs struct {
	Project   string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Dimension string `json:"dimension" limit:"dimension"`
	Text      string `json:"text" limit:"min=1,max=8000,lines"`
	How       string `json:"how,omitempty" jsonschema:"else append" limit:"enum=replace|append|prepend"`
}

func draftTools(c *catalogue) {
	define(c, "start_session", Read, "Begin a guided session, or go back to a general one.", startSession)
	define(c, "update_draft_dimension", Add, "Keep what the user said in the draft of the project being made; begins one if needed.", updateDraft)
	define(c, "show_draft", Read, "Show the draft, or list unfinished ones if there is none.", showDraft)
	define(c, "finalize_draft", Add, "Make the project of the draft, with its first tasks, once the user agreed.", finalizeDraft)
	c.when(draftTier())
	define(c, "abandon_draft", Change, "Give up the draft; its file stays.", abandonDraft)
	c.when(draftTier())
	define(c, "update_project_dimension", Change, "Write into one of a project's nine dimensions.", updateProjectDimension)
	c.when(projectTier())
	define(c, "project_completeness", Read, "How much of a project is written down, dimension by dimension.", projectCompleteness)
	c.when(projectTier())
}

func startSession(ctx context.Context, e *Env, a startSessionArgs) (Result, error) {
	change := &SessionChange{Mode: a.Mode}
	if a.Draft != "" {
		d, err := entity.FindDraft(ctx, e.Vault, a.Draft)
		if err != nil {
			return faultOf(err)
		}
		if d.Status != "in_progress" {
			return fault(fmt.Sprintf("the draft %s is %s", quote(d.Name), d.Status), "begin a new one"), nil
		}
		change.Draft = d.Slug
	}
	if a.Mode != "general" && a.Mode != "project_create" && a.Mode != "task_update" && e.Project == "" {
		return fault(a.Mode+" needs an active project", "switch_project first"), nil
	}
	return Result{Value: map[string]any{"mode": a.Mode, "draft": change.Draft}, Session: change}, nil
}

// openDraft is the draft that a call means.
func openDraft(ctx context.Context, e *Env, ref string) (entity.Draft, Result, error) {
	if ref == "" {
		ref = e.Draft
	}
	if ref == "" {
		return entity.Draft{}, fault("this session has no draft", "begin one with update_draft_dimension and a name"), nil
	}
	d, err := entity.FindDraft(ctx, e.Vault, ref)
	if err != nil {
		res, err := faultOf(err)
		return d, res, err
	}
	if d.Status != "in_progress" {
		return d, fault(fmt.Sprintf("the draft %s is %s", quote(d.Name), d.Status), "begin a new one"), nil
	}
	return d, Result{}, nil
}

func updateDraft(ctx context.Context, e *Env, a draftDimensionArgs) (Result, error) {
	if a.Draft == "" && e.Draft == "" {
		return beginDraft(ctx, e, a)
	}
	d, res, err := openDraft(ctx, e, a.Draft)
	if err != nil || res.Fault != nil {
		return res, err
	}
	var update entity.DraftUpdate
	if e.Asked > d.Questions { // another session may have asked more
		update.Questions = &e.Asked
	}
	if a.Name != "" && a.Name != d.Name {
		update.Name = &a.Name
	}
	if a.Description != "" && a.Description != d.Description {
		update.Description = &a.Description
	}
	later := slices.Contains(d.FollowUp, a.Dimension)
	if a.FollowUp && a.Dimension != "" && !later {
		update.AddFollowUp = []string{a.Dimension}
	} else if later && a.Text != "" && !a.FollowUp {
		update.RemoveFollowUp = []string{a.Dimension}
	}
	return writeDraft(ctx, e, d, a, update)
}

// writeDraft plans all that a call says as one change: edits next to each other that
// were planned apart wouldn't go together.
func writeDraft(ctx context.Context, e *Env, d entity.Draft, a draftDimensionArgs, update entity.DraftUpdate) (Result, error) {
	text := entity.DraftText{}
	reason := fmt.Sprintf("keep the draft %s up to date", d.Name)
	if len(a.Tasks) > 0 {
		reason = "note first tasks in the draft " + d.Name
	}
	out := Result{Value: map[string]any{"draft": d.Slug, "name": d.Name, "path": d.Path}}
	if a.Dimension != "" && a.Text != "" {
		text.Dimension, text.Text, text.How = a.Dimension, a.Text, orElse(a.How, "append")
		reason = "note what you said about " + guide.Title(a.Dimension)
		out.Dimension = &DimensionChange{Path: d.Path, Dimension: a.Dimension, Text: a.Text}
	}
	for _, title := range a.Tasks {
		text.Tasks = append(text.Tasks, datedTask(title))
	}
	if len(a.Tasks) > 0 {
		out.Value["tasks"] = a.Tasks
	}
	nothing := update.Name == nil && update.Description == nil && update.Questions == nil && len(update.AddFollowUp)+len(update.RemoveFollowUp) == 0
	if nothing && a.FollowUp && slices.Contains(d.FollowUp, a.Dimension) {
		return out, nil // as it was
	}
	if nothing && text.Text == "" && len(text.Tasks) == 0 {
		return fault("update_draft_dimension was given nothing to change", "give a dimension with a text, tasks, a name or a description"), nil
	}
	step, err := entity.PlanWriteDraft(ctx, e.Vault, d.Slug, update, text)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = reason
	out.Steps = []vault.Step{step}
	return out, nil
}

// datedTask reads a title with a date behind it.
func datedTask(title string) entity.NewTask {
	if i := strings.LastIndex(title, " @"); i > 0 {
		if _, err := time.Parse(time.DateOnly, title[i+2:]); err == nil {
			return entity.NewTask{Title: title[:i], Due: title[i+2:]}
		}
	}
	return entity.NewTask{Title: title}
}

// beginDraft makes a draft. The rest of the call is made once it is there.
func beginDraft(ctx context.Context, e *Env, a draftDimensionArgs) (Result, error) {
	if a.Name == "" {
		return fault("this session has no draft", "give a name to begin one"), nil
	}
	step, err := entity.PlanCreateDraft(ctx, e.Vault, entity.NewDraft{Name: a.Name, Description: a.Description, Session: e.Session}, vault.ActorAgent)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = fmt.Sprintf("keep what you say about %s until it is a project", a.Name)
	slug := strings.TrimSuffix(path.Base(step.Entity.Path), ".md")
	v := map[string]any{"draft": slug, "name": a.Name, "path": step.Entity.Path, "begun": true}
	if a.Dimension != "" {
		v["notice"] = "the draft was begun; call again for the dimension"
	}
	return Result{Value: v, Steps: []vault.Step{step}, Session: &SessionChange{Draft: slug}}, nil
}

func showDraft(ctx context.Context, e *Env, a oneDraftArgs) (Result, error) {
	if a.Draft != "" || e.Draft != "" {
		ref := orElse(a.Draft, e.Draft)
		d, err := entity.FindDraft(ctx, e.Vault, ref)
		if err != nil {
			return faultOf(err)
		}
		v := draftValue(d, e.Now)
		v["dimensions"], v["tasks"], v["description"] = d.Dimensions, d.Tasks, clip(d.Description, 1000)
		return Result{Value: v, Sources: []string{d.Path}}, nil
	}
	all, err := entity.Drafts(ctx, e.Vault, "in_progress")
	if err != nil {
		return faultOf(err)
	}
	list := []map[string]any{}
	var seen []string
	for _, d := range all[:min(len(all), maxListed)] {
		list, seen = append(list, draftValue(d, e.Now)), append(seen, d.Path)
	}
	return Result{Value: map[string]any{"drafts": list, "count": len(all)}, Seen: seen}, nil
}

func draftValue(d entity.Draft, now time.Time) map[string]any {
	return map[string]any{
		"draft": d.Slug, "name": d.Name, "path": d.Path, "status": d.Status, "covered": d.Covered, "follow_up": d.FollowUp,
		"questions": d.Questions, "edited": d.Modified.Format(time.RFC3339), "hours": int(now.Sub(d.Modified).Hours()), "of_dimensions": len(guide.Dimensions()),
	}
}

func finalizeDraft(ctx context.Context, e *Env, a oneDraftArgs) (Result, error) {
	d, res, err := openDraft(ctx, e, a.Draft)
	if err != nil || res.Fault != nil {
		return res, err
	}
	steps, err := entity.PlanFinalizeDraft(ctx, e.Vault, d.Slug, vault.ActorAgent)
	if err != nil {
		return faultOf(err)
	}
	slug, tasks := "", 0
	for i := range steps {
		switch steps[i].Entity.Type {
		case "project":
			slug = e.Vault.ProjectOf(steps[i].Entity.Path)
			steps[i].Reason = fmt.Sprintf("you agreed to make the project %s", d.Name)
		case "task":
			tasks++
			steps[i].Reason = fmt.Sprintf("a first task of %s", d.Name)
		default:
			steps[i].Reason = fmt.Sprintf("the draft %s is a project now", d.Name)
		}
	}
	return Result{
		Value: map[string]any{"project": slug, "name": d.Name, "tasks": tasks, "follow_up": d.FollowUp},
		Steps: steps, Move: &Move{New: true, Project: slug}, Session: &SessionChange{End: true},
	}, nil
}

func abandonDraft(ctx context.Context, e *Env, a oneDraftArgs) (Result, error) {
	d, res, err := openDraft(ctx, e, a.Draft)
	if err != nil || res.Fault != nil {
		return res, err
	}
	step, err := entity.PlanAbandonDraft(ctx, e.Vault, d.Slug)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = "give up the draft " + d.Name
	out := Result{Value: map[string]any{"draft": d.Slug, "name": d.Name}, Steps: []vault.Step{step}}
	if d.Slug == e.Draft {
		out.Session = &SessionChange{End: true}
	}
	return out, nil
}

func updateProjectDimension(ctx context.Context, e *Env, a projectDimensionArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	step, err := entity.PlanSetDimension(ctx, e.Vault, p.Slug, a.Dimension, a.Text, orElse(a.How, "append"))
	if err != nil {
		return faultOf(err)
	}
	step.Reason = fmt.Sprintf("write into %s of %s", guide.Title(a.Dimension), p.Name)
	out := changed(p, step)
	out.Dimension = &DimensionChange{Path: p.Path, Dimension: a.Dimension, Text: a.Text}
	return out, nil
}

func projectCompleteness(ctx context.Context, e *Env, a showProjectArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	each, overall, err := audit.Measure(ctx, e.Vault, p.Slug)
	if err != nil {
		return faultOf(err)
	}
	return Result{
		Value:   map[string]any{"project": p.Slug, "name": p.Name, "dimensions": each, "overall": overall},
		Sources: []string{p.Path},
	}, nil
}
