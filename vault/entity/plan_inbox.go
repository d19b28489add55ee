package entity

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/box"
)

const inboxFile = "inbox.md"

// InboxPath is the note that keeps what was said in a project, or outside of any, and
// belongs nowhere else: the vault's own for a project that is a note alone.
func InboxPath(v *vault.Vault, project string) string {
	place, placed := v.Place(project)
	switch {
	case project == "" || placed && place.Folder == "":
		return inboxFile
	case placed:
		return path.Join(place.Folder, inboxFile)
	}
	return path.Join(v.Layout().Projects, project, notesDir, inboxFile)
}

// PlanAddToInbox plans to write sentences down in the inbox note of a project, or of
// the vault where it is empty: each on a line, with the day. The note is made where
// there is none.
func PlanAddToInbox(ctx context.Context, v *vault.Vault, project string, sentences []string, day time.Time) (vault.Step, error) {
	if project != "" {
		p, err := FindProject(ctx, v, project)
		if err != nil {
			return vault.Step{}, err
		}
		project = p.Slug
	}
	p := InboxPath(v, project)
	before := day.Format(time.DateOnly) + ": "
	if place, ok := v.Place(project); ok && place.Folder == "" {
		before += "[[" + strings.TrimSuffix(path.Base(place.Path), path.Ext(place.Path)) + "]] "
	}
	return PlanIntoInbox(v, p, listOf(sentences, before))
}

// PlanAddLooseTask plans to write down a task of no project: a checkbox in the inbox note of
// the vault, with its text and its children below it.
func PlanAddLooseTask(ctx context.Context, v *vault.Vault, t NewTask) (vault.Step, error) {
	return planLooseTasks(ctx, v, []NewTask{t})
}

func planLooseTasks(ctx context.Context, v *vault.Vault, tasks []NewTask) (vault.Step, error) {
	inbox, _ := v.Document(InboxPath(v, "")) // nil: what stands in the way is said below
	style := styleFor(ctx, v, inbox)
	var lines strings.Builder
	var titles []string
	for _, t := range tasks {
		if err := t.Check(); err != nil {
			return vault.Step{}, err
		}
		text, err := t.Text(style)
		if err != nil {
			return vault.Step{}, err
		}
		lines.WriteString(listOf([]string{"[ ] " + text}, "") + box.Indented(t.Body, "  ") + box.Lines(t.Children, "  "))
		titles = append(titles, box.Quoted(t.Title))
	}
	step, err := PlanIntoInbox(v, InboxPath(v, ""), lines.String())
	if step.Reason = "add the task " + titles[0]; len(titles) > 1 {
		step.Reason = fmt.Sprintf("add %d tasks, %s first", len(titles), titles[0])
	}
	return step, err
}

// PlanIntoInbox adds lines to an inbox note, which it makes where there is none.
func PlanIntoInbox(v *vault.Vault, p, lines string) (vault.Step, error) {
	switch {
	case v.Exists(p):
		return PlanAppendNote(v, p, lines)
	case lines == "":
		return vault.Step{}, fmt.Errorf("%w: nothing to keep", vault.ErrInvalid)
	}
	id := v.NewID()
	head := frontMatter([]property{{"id", id}, {"type", "note"}, {"created", stamp(v)}, {"created_by", string(vault.ActorAgent)}}, nil)
	return vault.Step{
		Type:    vault.OpCreate,
		Entity:  vault.Entity{Type: "note", ID: id, Path: p},
		Changes: []vault.Change{{Path: p, After: []byte(head + "\n# Inbox\n\n" + lines)}},
	}, nil
}

// listOf writes sentences as a list, each on one line.
func listOf(sentences []string, before string) string {
	var b strings.Builder
	for _, s := range sentences {
		if s = vault.OneLine(vault.PlainText(s)); s != "" {
			b.WriteString("- " + before + s + "\n")
		}
	}
	return b.String()
}
