package tool

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"kist/agent/tool/along"
	"kist/agent/tool/suggest"
	"kist/vault"
	"kist/vault/adoption"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// maxListed bounds every list in a result: a model needs the head of a list and
// its length, and a result is paid for in tokens.
const maxListed = 30

type listProjectsArgs struct {
	Status string `json:"status,omitempty" jsonschema:"all: archived ones too" limit:"enum=active|completed|archived|all"`
}

type showProjectArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
}

type createProjectArgs struct {
	Name        string `json:"name" limit:"min=1,max=100"`
	Description string `json:"description,omitempty" jsonschema:"what it is about" limit:"max=2000,lines"`
	Reason      string `json:"reason" jsonschema:"why it deserves one; shown to the user" limit:"min=1,max=300"`
	Bring       string `json:"bring,omitempty" limit:"max=20000,lines"`
}

type switchProjectArgs struct {
	Project string `json:"project" jsonschema:"slug, id or path" limit:"min=1,max=200"`
}

type noArgs struct{}

func projectTools(c *catalogue) {
	define(c, "list_projects", Read, "List the user's projects.", listProjects)
	define(c, "show_project", Read, "Show a project: summary, decisions, next steps and open tasks.", showProject)
	define(c, "create_project", Add, "Create a project for a distinct goal or topic that will take more than one conversation, never for single questions, quick tasks or what fits an existing one.", createProject)
	define(c, "switch_project", Read, "Make another project the one the conversation is about.", switchProject)
	define(c, "go_back", Read, "Return to the project talked of before.", goBack)
	c.when(backTier())
}

func listProjects(ctx context.Context, e *Env, a listProjectsArgs) (Result, error) {
	all, err := e.projects(ctx)
	if err != nil {
		return faultOf(err)
	}
	list, count := []map[string]any{}, 0
	var seen []string
	for _, p := range all {
		if a.Status == "" && p.Status == "archived" || a.Status != "" && a.Status != "all" && a.Status != p.Status {
			continue
		}
		if count++; count > maxListed {
			continue
		}
		// Tasks are counted of those that are listed.
		if whole, err := entity.FindProject(ctx, e.Vault, p.Slug); err == nil {
			p = whole
		}
		list = append(list, map[string]any{
			"slug": p.Slug, "name": p.Name, "status": p.Status, "description": clip(p.Description, 200),
			"open_tasks": p.OpenTasks, "done_tasks": p.DoneTasks, "created_by": createdBy(p),
		})
		seen = append(seen, p.Path)
	}
	return Result{Value: map[string]any{"projects": list, "count": count}, Seen: seen}, nil
}

func (e *Env) projects(ctx context.Context) ([]entity.Project, error) {
	if e.Projects != nil {
		return e.Projects(ctx)
	}
	return entity.Projects(ctx, e.Vault)
}

// createdBy names who made a project; what nobody signed belongs to the user.
func createdBy(p entity.Project) string {
	if p.CreatedBy == string(vault.ActorAgent) {
		return p.CreatedBy
	}
	return string(vault.ActorUser)
}

func showProject(ctx context.Context, e *Env, a showProjectArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	brief, err := entity.ProjectBrief(ctx, e.Vault, p.Slug)
	if err != nil {
		return faultOf(err)
	}
	tasks, err := entity.Tasks(ctx, e.Vault, p.Slug)
	if err != nil {
		return faultOf(err)
	}
	turns, err := conversation.RecentTurns(ctx, e.Vault, p.Slug, 1)
	if err != nil {
		return faultOf(err)
	}
	open := []map[string]any{}
	var seen []string
	for _, t := range tasks {
		if t.Open() && len(open) < 10 {
			open, seen = append(open, taskValue(t)), append(seen, t.Path)
		}
	}
	v := map[string]any{
		"slug": p.Slug, "name": p.Name, "path": p.Path, "status": p.Status, "description": clip(p.Description, 500),
		"summary": clip(brief.Summary, 1500), "decisions": clipAll(brief.Decisions, 10), "next_steps": clipAll(brief.NextSteps, 10),
		"open_tasks": open, "open_count": p.OpenTasks, "done_count": p.DoneTasks,
	}
	if p.Due != "" {
		v["due"] = p.Due
	}
	if p.Start != "" {
		v["start"] = p.Start
	}
	if len(turns) == 1 {
		v["last_talked"] = map[string]any{"at": turns[0].At.Format(time.RFC3339), "about": clip(turns[0].User, 160)}
	}
	return Result{Value: v, Sources: []string{p.Path}, Seen: seen}, nil
}

func createProject(ctx context.Context, e *Env, a createProjectArgs) (Result, error) {
	if step, slug, ok := adopted(ctx, e.Vault, a.Name); ok && a.Description+a.Bring == "" {
		step.Reason = a.Reason
		p := step.Entity.Path
		return Result{Value: map[string]any{"project": slug, "name": strings.TrimSuffix(path.Base(p), ".md"), "path": p, "note": p}, Steps: []vault.Step{step}, Move: &Move{New: true, Project: slug}}, nil
	}
	if strings.HasSuffix(strings.ToLower(a.Name), ".md") {
		return noNote(ctx, e.Vault, a.Name), nil
	}
	step, err := entity.PlanCreateProject(e.Vault, entity.NewProject{Name: a.Name, Description: a.Description}, vault.ActorAgent)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = a.Reason
	slug := e.Vault.ProjectOf(step.Entity.Path)
	var brought []string
	if a.Bring != "" {
		var moves []vault.Change
		if moves, brought, err = along.Plan(ctx, e.Vault, e.Session, slug, a.Description, strings.Split(a.Bring, "\n")); err != nil {
			return faultOf(err)
		}
		step.Changes = append(step.Changes, moves...)
	}
	return Result{
		Value: map[string]any{"project": slug, "name": a.Name, "path": step.Entity.Path, "brought": brought},
		Steps: []vault.Step{step},
		Move:  &Move{New: true, Project: slug},
	}, nil
}

func switchProject(ctx context.Context, e *Env, a switchProjectArgs) (Result, error) {
	if a.Project == NoProject {
		return Result{Value: map[string]any{}, Move: &Move{}}, nil
	}
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	return Result{Value: map[string]any{"project": p.Slug, "name": p.Name}, Move: &Move{Project: p.Slug}}, nil
}

func goBack(_ context.Context, e *Env, _ noArgs) (Result, error) {
	if !e.Back {
		return fault("there is nothing to go back to", "use switch_project"), nil
	}
	return Result{Value: map[string]any{}, Move: &Move{Back: true}}, nil
}

// target resolves a reference to a project exactly; an empty one is the active
// project.
func target(ctx context.Context, e *Env, ref string) (entity.Project, Result, error) {
	if ref == "" {
		ref = e.Project
	}
	if ref == "" {
		return entity.Project{}, fault("no project is active and none was named", "name one of list_projects"), nil
	}
	p, err := entity.FindProject(ctx, e.Vault, ref)
	if err != nil {
		missing := errors.Is(err, vault.ErrNotFound)
		res, err := faultOf(err)
		if missing && res.Fault != nil && res.Fault.Suggestion == "" {
			res.Fault.Suggestion = meantBy(ctx, e, ref)
		}
		return entity.Project{}, res, err
	}
	return p, Result{}, nil
}

// meantBy looks for a project that speaks of what was asked for, where no name comes
// close: "the café" for a project called Coffee Shop.
func meantBy(ctx context.Context, e *Env, ref string) string {
	if e.Search == nil {
		return ""
	}
	if slug, _ := byHits(ctx, e, ref); slug != "" {
		return suggest.Question([]string{slug})
	}
	return ""
}

// noNote says why a name with .md means no one note that can become a project.
func noNote(ctx context.Context, v *vault.Vault, name string) Result {
	switch notes, why, err := adoption.Called(ctx, v, name); {
	case err == nil && len(notes) > 1:
		return fault("several notes are called "+quote(name), "name one by its path: "+strings.Join(notes[:min(len(notes), 5)], ", "))
	case err == nil && len(notes) == 1:
		return fault(quote(notes[0])+" is made a project as it is", "leave description and bring out")
	case err == nil && why != "":
		return fault("no project can be made of "+why, "")
	}
	return fault("no note "+quote(name), "name it by its path")
}
