package tool

import (
	"context"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/entity"
)

type updateProjectArgs struct {
	Project  string  `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Status   *string `json:"status,omitempty" limit:"enum=active|completed"`
	Priority *string `json:"priority,omitempty" limit:"enum=low|medium|high|urgent"`
	Start    *string `json:"start,omitempty" limit:"date"`
	Due      *string `json:"due,omitempty" limit:"date"`
	Reason   string  `json:"reason,omitempty" limit:"max=300"`
}

type renameProjectArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Name    string `json:"name" jsonschema:"the folder keeps its own" limit:"min=1,max=100"`
	Reason  string `json:"reason,omitempty" limit:"max=300"`
}

type oneProjectArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Reason  string `json:"reason,omitempty" limit:"max=300"`
}

type mergeProjectsArgs struct {
	From   string `json:"from" jsonschema:"slug of the one that goes" limit:"min=1,max=200"`
	Into   string `json:"into" jsonschema:"slug of the one that stays" limit:"min=1,max=200"`
	Reason string `json:"reason" limit:"min=1,max=300"`
}

type linkArgs struct {
	Project   string  `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Type      string  `json:"type" limit:"enum=file|email|task|person|document|calendar_event"`
	Ref       string  `json:"ref" jsonschema:"path, address or name" limit:"min=1,max=400"`
	Relevance float64 `json:"relevance,omitempty" jsonschema:"0 to 1" limit:"min=0,max=1"`
}

type unlinkArgs struct {
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Ref     string `json:"ref" jsonschema:"of the link" limit:"min=1,max=400"`
}

func restructureTools(c *catalogue) {
	define(c, "update_project", Change, "Set a project's status, priority or dates.", updateProject)
	define(c, "rename_project", Destroy, "Give a project another name.", renameProject)
	c.when(restructureTier())
	define(c, "archive_project", Destroy, "Put a project away; it stays searchable.", archiveProject)
	c.when(restructureTier())
	define(c, "merge_projects", Destroy, "Move everything of one project into another.", mergeProjects)
	c.when(restructureTier())
	define(c, "delete_project", Destroy, "Delete a project with all its files.", deleteProject)
	c.when(restructureTier())
	define(c, "link", Add, "Link a project to a file, person, task, mail or event.", link)
	c.when(projectTier())
	define(c, "undo", Change, "Take back what was changed last in this session, or one operation.", undoLast)
	define(c, "unlink", Change, "Remove such a link.", unlink)
	c.when(projectTier())
}

func updateProject(ctx context.Context, e *Env, a updateProjectArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	u := entity.ProjectUpdate{Status: a.Status, Priority: a.Priority, Start: a.Start, Due: a.Due}
	if u == (entity.ProjectUpdate{}) {
		return fault("update_project was given nothing to change", "give status, priority, start or due"), nil
	}
	step, err := entity.PlanUpdateProject(ctx, e.Vault, p.Slug, u)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "change the project %s", p.Name)
	return changed(p, step), nil
}

// changed is the result of steps in a project.
func changed(p entity.Project, steps ...vault.Step) Result {
	return Result{Value: map[string]any{"project": p.Slug, "name": p.Name, "path": p.Path}, Steps: steps, Project: p.Slug}
}

// reasoned gives steps their reason.
func reasoned(steps []vault.Step, reason string) []vault.Step {
	for i := range steps {
		steps[i].Reason = reason
	}
	return steps
}

func renameProject(ctx context.Context, e *Env, a renameProjectArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	steps, err := entity.PlanRenameProject(ctx, e.Vault, p.Slug, a.Name)
	if err != nil {
		return faultOf(err)
	}
	out := changed(p, reasoned(steps, because(a.Reason, "rename the project %s to %s", apart(ctx, e, p), a.Name))...)
	out.Value["new_name"] = a.Name
	return out, nil
}

func archiveProject(ctx context.Context, e *Env, a oneProjectArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	if p.Status == "archived" {
		return fault(p.Name+" is archived already", ""), nil
	}
	step, err := entity.PlanUpdateProject(ctx, e.Vault, p.Slug, entity.ProjectUpdate{Status: new("archived")})
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "archive the project %s", apart(ctx, e, p))
	return changed(p, step), nil
}

func mergeProjects(ctx context.Context, e *Env, a mergeProjectsArgs) (Result, error) {
	from, res, err := target(ctx, e, a.From)
	if err != nil || res.Fault != nil {
		return res, err
	}
	into, res, err := target(ctx, e, a.Into)
	if err != nil || res.Fault != nil {
		return res, err
	}
	steps, err := entity.PlanMergeProjects(ctx, e.Vault, from.Slug, into.Slug)
	if err != nil {
		return faultOf(err)
	}
	out := changed(into, reasoned(steps, because(a.Reason, "merge the project %s into %s", apart(ctx, e, from), apart(ctx, e, into)))...)
	out.Value["from"], out.Value["files"] = from.Slug, len(steps)
	out.Move = &Move{Project: into.Slug}
	return out, nil
}

func deleteProject(ctx context.Context, e *Env, a oneProjectArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	steps, err := entity.PlanDeleteProject(ctx, e.Vault, p.Slug)
	if err != nil {
		return faultOf(err)
	}
	out := changed(p, reasoned(steps, because(a.Reason, "delete the project %s", apart(ctx, e, p)))...)
	out.Value["files"] = len(steps)
	if p.Slug == e.Project {
		out.Move = &Move{}
	}
	return out, nil
}

func link(ctx context.Context, e *Env, a linkArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	l := entity.Link{Type: a.Type, Ref: a.Ref, Relevance: a.Relevance, AddedBy: "user"}
	if l.Relevance == 0 {
		l.Relevance = 1
	}
	step, err := entity.PlanAddLinks(ctx, e.Vault, p.Slug, []entity.Link{l})
	if err != nil {
		return faultOf(err)
	}
	step.Reason = "link " + p.Name + " to " + a.Ref
	return changed(p, step), nil
}

func unlink(ctx context.Context, e *Env, a unlinkArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	step, err := entity.PlanRemoveLink(ctx, e.Vault, p.Slug, a.Ref)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = "remove the link to " + a.Ref
	return changed(p, step), nil
}

// apart is the name of a project, with its slug where others are called so too: what is shown is
// what is agreed to.
func apart(ctx context.Context, e *Env, p entity.Project) string {
	list := e.Projects
	if list == nil {
		list = func(ctx context.Context) ([]entity.Project, error) { return entity.Projects(ctx, e.Vault) }
	}
	all, err := list(ctx)
	if err != nil || slices.ContainsFunc(all, func(o entity.Project) bool { return o.Slug != p.Slug && strings.EqualFold(o.Name, p.Name) }) {
		return p.Name + " (" + p.Slug + ")"
	}
	return p.Name
}
