package tool

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"kist/vault"
	"kist/vault/canvas"
	"kist/vault/entity"
	"kist/vault/joined"
)

type createNoteArgs struct {
	Title   string `json:"title" limit:"min=1,max=120"`
	Text    string `json:"text" jsonschema:"Markdown" limit:"max=32000,lines"`
	Day     string `json:"day,omitempty" limit:"max=100"`
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Reason  string `json:"reason,omitempty" limit:"max=300"`
}

type appendNoteArgs struct {
	Path   string `json:"path" jsonschema:"path or path#heading" limit:"min=1,max=400"`
	Text   string `json:"text" limit:"min=1,max=32000,lines"`
	Reason string `json:"reason,omitempty" limit:"max=300"`
}

type addDecisionArgs struct {
	Text    string `json:"text" jsonschema:"the decision and why, in a sentence" limit:"min=1,max=1000"`
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Reason  string `json:"reason,omitempty" limit:"max=300"`
}

type readDocumentArgs struct {
	Path  string `json:"path" jsonschema:"or name, day" limit:"min=1,max=400"`
	From  int    `json:"from,omitempty" jsonschema:"else 1" limit:"min=1,max=10000000"`
	Lines int    `json:"lines,omitempty" jsonschema:"else 200" limit:"min=1,max=400"`
}

func noteTools(c *catalogue) {
	define(c, "create_note", Add, "Write a note; day YYYY-MM-DD: add to that day's.", createNote)
	define(c, "append_note", Add, "Add text at the end of a note.", appendNote)
	define(c, "add_decision", Add, "Record a decision.", addDecision)
	define(c, "read_document", Read, "Read lines of a document.", readDocument)
}

func createNote(ctx context.Context, e *Env, a createNoteArgs) (Result, error) {
	if a.Day != "" {
		return noteDay(ctx, e, a)
	}
	slug, where := "", "the vault"
	if a.Project != "" || e.Project != "" {
		p, res, err := target(ctx, e, a.Project)
		if err != nil || res.Fault != nil {
			return res, err
		}
		if _, ok := e.Vault.PlacedAt(p.Path); ok {
			return noteOnProject(e, p, a)
		}
		slug, where = p.Slug, p.Name
	}
	step, err := entity.PlanCreateNote(ctx, e.Vault, entity.NewNote{Title: a.Title, Text: a.Text, Project: slug}, vault.ActorAgent)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "write the note %s in %s", quote(a.Title), where)
	return Result{
		Value: map[string]any{"path": step.Entity.Path, "title": a.Title, "project": slug},
		Steps: []vault.Step{step}, Project: slug,
	}, nil
}

// noteOnProject adds to the note that is the project: it has no folder for others.
func noteOnProject(e *Env, p entity.Project, a createNoteArgs) (Result, error) {
	step, err := joined.PlanPoint(e.Vault, p.Path, a.Text)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "note %s in %s", quote(a.Title), p.Name)
	return Result{
		Value: map[string]any{"path": p.Path, "title": a.Title, "project": p.Slug},
		Steps: []vault.Step{step}, Project: p.Slug,
	}, nil
}

// noteDay adds to the note of a day, which is made where it isn't there.
func noteDay(ctx context.Context, e *Env, a createNoteArgs) (Result, error) {
	step, err := joined.PlanDay(ctx, e.Vault, a.Day, a.Text)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "add to the note of %s", a.Day)
	return Result{
		Value: map[string]any{"path": step.Entity.Path}, Steps: []vault.Step{step}, Project: e.Vault.ProjectOf(step.Entity.Path),
	}, nil
}

func appendNote(ctx context.Context, e *Env, a appendNoteArgs) (Result, error) {
	step, err := joined.Plan(ctx, e.Vault, a.Path, a.Text)
	if err != nil {
		return faultOf(err)
	}
	a.Path = step.Entity.Path // its own, where links led to it
	if c := step.Changes[0]; bytes.Equal(c.Before, c.After) {
		return Result{Value: map[string]any{"path": a.Path, "already": true}}, nil
	}
	step.Reason = because(a.Reason, "add to %s", a.Path)
	return Result{
		Value: map[string]any{"path": a.Path}, Steps: []vault.Step{step}, Project: e.Vault.ProjectOf(a.Path),
	}, nil
}

func addDecision(ctx context.Context, e *Env, a addDecisionArgs) (Result, error) {
	p, res, err := target(ctx, e, a.Project)
	if err != nil || res.Fault != nil {
		return res, err
	}
	step, err := entity.PlanAddDecision(ctx, e.Vault, p.Slug, a.Text)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "record a decision in %s", p.Name)
	return Result{
		Value: map[string]any{"project": p.Slug, "path": p.Path, "text": a.Text},
		Steps: []vault.Step{step}, Project: p.Slug,
	}, nil
}

// maxRead bounds what one reading returns, in bytes of lines.
const maxRead = 16 << 10

func readDocument(ctx context.Context, e *Env, a readDocumentArgs) (Result, error) {
	a.Path = joined.DailyPath(e.Vault, a.Path)
	name := "" // by which the note was asked for, as it spells it
	if !strings.HasSuffix(a.Path, ".md") && !canvas.Is(a.Path) {
		p, spelt, res, err := noteCalled(ctx, e, a.Path)
		if err != nil || res.Fault != nil {
			return res, err
		}
		a.Path, name = p, spelt
	}
	text, info, err := e.Vault.ReadHead(a.Path, vault.MaxDocument)
	if errors.Is(err, vault.ErrNotFound) {
		return fault("no document "+quote(a.Path), "use a path of search"), nil
	} else if err != nil {
		return faultOf(err)
	}
	a.Path = info.Path
	from, count := max(a.From, 1), a.Lines
	if count == 0 {
		count = 200
	}
	all := strings.Split(strings.ToValidUTF8(string(canvas.Plain(a.Path, text)), "\uFFFD"), "\n")
	var lines []string
	size := 0
	for i := from - 1; i < len(all) && len(lines) < count && size < maxRead; i++ {
		line := clip(strings.TrimRight(all[i], "\r"), 1000)
		lines = append(lines, line)
		size += len(line)
	}
	value := map[string]any{"path": a.Path, "from": from, "lines": lines, "total": len(all)}
	if name != "" {
		value["name"] = name
	}
	return Result{Value: value, Sources: []string{lineOf(a.Path, from)}}, nil
}
