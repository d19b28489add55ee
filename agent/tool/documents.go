package tool

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/agent/tool/suggest"
	"kist/vault"
	"kist/vault/assist"
	"kist/vault/documents"
	"kist/vault/entity"
)

type moveNoteArgs struct {
	Note   string `json:"note" jsonschema:"path or name" limit:"min=1,max=400"`
	To     string `json:"to" jsonschema:"a name; a folder with / behind it" limit:"min=1,max=400"`
	Reason string `json:"reason,omitempty" limit:"max=300"`
}

type deleteNoteArgs struct {
	Note   string `json:"note" jsonschema:"path or name" limit:"min=1,max=400"`
	Reason string `json:"reason,omitempty" limit:"max=300"`
}

func documentTools(c *catalogue) {
	define(c, "move_note", Destroy, "Rename or move a note; links follow.", moveNote)
	c.when(refileTier())
	define(c, "delete_note", Destroy, "Delete a note.", deleteNote)
	c.when(refileTier())
}

// moveNote gives a note another name, or another folder. What it is called by inside is renamed
// where that is what was said, and the file where it was the file's name.
func moveNote(ctx context.Context, e *Env, a moveNoteArgs) (Result, error) {
	p, res, err := noteNamed(ctx, e, a.Note)
	if err != nil || res.Fault != nil {
		return res, err
	}
	desk, q := assist.New(e.Vault), assist.Question{Path: p}
	var r assist.Renaming
	if dir, isFolder := strings.CutSuffix(a.To, "/"); isFolder {
		r, err = desk.PlanMove(ctx, q, path.Join(strings.TrimPrefix(dir, "/"), path.Base(p)), true)
	} else {
		r, err = desk.PlanRenameNote(ctx, q, nameSaid(a.Note), a.To)
	}
	if err != nil {
		hinted, says := errors.AsType[*vault.HintedError](err)
		if res, err = faultOf(err); says && res.Fault != nil {
			res.Fault.Suggestion = hinted.Hint
		}
		return res, err
	}
	to, links := r.Path, len(r.Step.Changes)
	if r.From != "" {
		links = len(slices.DeleteFunc(slices.Clone(r.Step.Changes), func(c vault.Change) bool { return c.From != "" || c.Path == r.Path }))
	}
	verb, follow := "rename", ""
	if path.Base(p) == path.Base(to) {
		verb = "move"
	}
	if links > 0 {
		follow = fmt.Sprintf("; links in %s follow", documentsOf(links, "other "))
	}
	if to == p { // it is called otherwise inside
		to = r.New
	}
	r.Step.Reason = because(a.Reason, "%s the note %s to %s", verb, p, to) + follow
	return Result{
		Value: map[string]any{"path": p, "to": to, "links": links, "left": len(r.Left)},
		Steps: []vault.Step{r.Step}, Project: e.Vault.ProjectOf(p),
	}, nil
}

// deleteNote deletes a note as a whole. A project's own document goes with its project alone.
func deleteNote(ctx context.Context, e *Env, a deleteNoteArgs) (Result, error) {
	p, res, err := noteNamed(ctx, e, a.Note)
	if err != nil || res.Fault != nil {
		return res, err
	}
	if _, placed := e.Vault.PlacedAt(p); !placed && e.Vault.TypeOf(p) == "project" {
		return fault(quote(p)+" is the document of a project", "delete the project, with all that is in it"), nil
	}
	text, err := e.Vault.Read(p)
	if err != nil {
		return faultOf(err)
	}
	step, err := entity.PlanDeleteDocument(e.Vault, p, vault.HashOf(text))
	if err != nil {
		return faultOf(err)
	}
	linking, _, err := assist.New(e.Vault).Backlinks(ctx, assist.Question{Path: p}, mostLinks)
	if err != nil {
		return faultOf(err)
	}
	step.Reason = because(a.Reason, "delete the note %s", p)
	from := map[string]bool{}
	for _, l := range linking {
		from[l.Path] = l.Path != p
	}
	if delete(from, p); len(from) > 0 {
		step.Reason += fmt.Sprintf("; links to it in %s lead nowhere then", documentsOf(len(from), ""))
	}
	return Result{
		Value: map[string]any{"path": p, "linked": len(from)}, Steps: []vault.Step{step}, Project: e.Vault.ProjectOf(p),
	}, nil
}

// documentsOf counts them in words.
func documentsOf(n int, which string) string {
	if n == 1 {
		return "1 " + which + "document"
	}
	return fmt.Sprintf("%d %sdocuments", n, which)
}

// mostLinks is how many links to a note are counted before it goes.
const mostLinks = 1000

// nameSaid is what a note is called by, without what makes a link of it.
func nameSaid(said string) string {
	said = strings.TrimSpace(said)
	if inner, ok := strings.CutPrefix(said, "[["); ok {
		said, _, _ = strings.Cut(strings.TrimSuffix(inner, "]]"), "|")
	}
	return strings.TrimSpace(said)
}

// noteNamed is the path of the note that a path means, or exactly a name: what is written isn't
// guessed.
func noteNamed(ctx context.Context, e *Env, said string) (p string, res Result, err error) {
	name := nameSaid(said)
	if documents.IsMarkdown(name) && e.Vault.Exists(name) {
		p, err = e.Vault.Locate(name)
		return p, Result{}, err
	}
	p, spelt, res, err := noteCalled(ctx, e, name)
	if err == nil && res.Fault == nil && spelt != name {
		return "", fault("no note "+quote(clip(name, 200)), suggest.Question([]string{p})), nil
	}
	return p, res, err
}

// noteCalled is the path of the note that a name means as a link has it, and the name as that note
// spells it: of its file, its title or an alias. A name that several have is a fault which names them.
func noteCalled(ctx context.Context, e *Env, said string) (p, spelt string, res Result, err error) {
	name := nameSaid(said)
	all, spelt, err := assist.New(e.Vault).Called(ctx, name)
	switch {
	case err != nil:
		res, err = faultOf(err)
	case len(all) == 0:
		res = fault("no note "+quote(clip(name, 200)), "use a path of search")
	case len(all) > 1:
		res = fault("several notes are called "+quote(clip(name, 200)), "name one by its path: "+strings.Join(all[:min(len(all), 5)], ", "))
	default:
		p = all[0]
	}
	return p, spelt, res, err
}
