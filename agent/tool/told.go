package tool

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
)

// What was told, decided or noted is found and forgotten like a memory: a line of an inbox
// or of a project's decisions by its number and its text, a note as a whole.

// A telling is one such thing.
type telling struct {
	kind string // inbox, decision or note
	path string
	line int    // from 1; 0: a whole note
	text string // of a line all of it, of a note its title and how it begins; one line
}

// maxTelling is how long a line may be that talk can take back, in characters: as long as
// the argument of forget_memory.
const maxTelling = 2000

// listTold lists what can be taken back of a project, or outside of any: of each kind the
// newest first, as many as the offline partner looks through.
func listTold(ctx context.Context, e *Env, slug string) (Result, error) {
	notes, err := entity.NotesOf(e.Vault, slug)
	if err != nil {
		return faultOf(err)
	}
	files := notes
	if slug != "" {
		p, err := entity.FindProject(ctx, e.Vault, slug)
		if err != nil {
			return faultOf(err)
		}
		files = append(files, p.Path)
	}
	list, count := []map[string]any{}, map[string]int{}
	var seen []string
	for _, p := range files {
		doc, err := e.Vault.Document(p)
		if err != nil {
			continue // what can't be read can't be taken back either
		}
		for _, t := range tellings(e.Vault, p, doc) {
			if count[t.kind]++; count[t.kind] > 5*maxListed || len([]rune(t.text)) > maxTelling {
				continue
			}
			ref := t.path
			if t.line > 0 {
				ref = lineOf(t.path, t.line)
			}
			list, seen = append(list, map[string]any{"kind": t.kind, "path": ref, "content": t.text}), append(seen, t.path)
		}
	}
	return Result{Value: map[string]any{"told": list, "project": slug}, Seen: slices.Compact(seen)}, ctx.Err()
}

// tellings are what can be taken back of one document.
func tellings(v *vault.Vault, p string, doc *markdown.Document) (out []telling) {
	if entity.IsNote(v, p, doc) {
		return []telling{{kind: "note", path: p, text: noteHead(p, doc)}}
	}
	kind, items := takeable(v, p, doc)
	for _, item := range slices.Backward(items) {
		if !item.Nested {
			out = append(out, telling{kind, p, item.Line, item.Text})
		}
	}
	return out
}

// takeable are the list items of a document of which each was told by itself.
func takeable(v *vault.Vault, p string, doc *markdown.Document) (kind string, items []markdown.ListItem) {
	if p == entity.InboxPath(v, v.ProjectOf(p)) {
		return "inbox", doc.ListItems()
	}
	if v.TypeOf(p) != "project" {
		return "", nil
	}
	level := 0 // of the heading of the decisions that are being passed; 0: none is
	all := doc.ListItems()
	for _, s := range doc.Sections() {
		switch {
		case s.Level > 1 && strings.EqualFold(s.Heading(), "Decisions"):
			level = s.Level
		case s.Level <= level:
			level = 0
		}
		for _, item := range all {
			if level > 0 && item.Start >= s.ContentStart && item.Start < s.End {
				items = append(items, item)
			}
		}
	}
	return "decision", items
}

// noteHead is a note's title and first paragraph, the title left out where the paragraph
// begins with it.
func noteHead(p string, doc *markdown.Document) string {
	title, text := cmp.Or(doc.Title(), strings.TrimSuffix(path.Base(p), ".md")), clip(doc.FirstParagraph(), 300)
	if text == "" || strings.HasPrefix(text, title) {
		return cmp.Or(text, title)
	}
	return title + ": " + text
}

// forgetTold takes back a line, named by its place and what it says, or a note.
func forgetTold(e *Env, ref, text string) (Result, error) {
	p, line := ref, 0
	if i := strings.LastIndex(ref, ":"); i > 0 {
		if n, err := strconv.Atoi(ref[i+1:]); err == nil {
			p, line = ref[:i], max(n, 0)
		}
	}
	if (line > 0) != (text != "") {
		return fault("a line is named by path:line and text, a note by its path alone", "list_memories with told has both"), nil
	}
	doc, err := e.Vault.Document(p)
	if err != nil {
		return faultOf(err)
	}
	p = path.Clean(p)
	what, step := "delete the note: ", vault.Step{}
	if line == 0 {
		text = noteHead(p, doc)
		step, err = entity.PlanDeleteNote(e.Vault, p)
	} else {
		kind, items := takeable(e.Vault, p, doc)
		if !slices.ContainsFunc(items, func(item markdown.ListItem) bool { return item.Line == line }) {
			return fault(fmt.Sprintf("line %d of %s begins no item of an inbox or of a project's decisions", line, quote(p)), "list_memories with told has those"), nil
		}
		if what = "take out of the inbox: "; kind == "decision" {
			what = "take out of the decisions: "
		}
		step, err = entity.PlanCutItem(e.Vault, p, line, text)
	}
	if err != nil {
		return faultOf(err)
	}
	step.Reason = what + strings.TrimRight(clip(strings.Join(strings.Fields(text), " "), 160), ".")
	return Result{Value: map[string]any{"memory": ref, "content": text}, Steps: []vault.Step{step}, Project: e.Vault.ProjectOf(p)}, nil
}

// moveTold moves a line of an inbox into that of another project, with its day.
func moveTold(ctx context.Context, e *Env, a moveMemoryArgs) (Result, error) {
	res, err := forgetTold(e, a.Memory, a.Text)
	if err != nil || res.Fault != nil {
		return res, err
	}
	to, missing, err := target(ctx, e, a.Project)
	if err != nil || missing.Fault != nil {
		return missing, err
	}
	head, said, _ := strings.Cut(a.Text, ": ")
	day, err := time.Parse(time.DateOnly, head)
	if err != nil || !strings.HasPrefix(a.Memory, entity.InboxPath(e.Vault, res.Project)+":") {
		return fault("only a line of an inbox moves, as it stands there", "list_memories with told has those"), nil
	}
	if to.Slug == res.Project {
		return fault("it is in the inbox of "+to.Name+" already", "name another project"), nil
	}
	added, err := entity.PlanAddToInbox(ctx, e.Vault, to.Slug, []string{said}, day)
	if err != nil {
		return faultOf(err)
	}
	step := &res.Steps[0]
	step.Changes = append(added.Changes, step.Changes...)
	step.Reason = "move to the inbox of " + to.Name + ": " + clip(said, 160)
	res.Value = map[string]any{"memory": a.Memory, "content": said, "project": to.Slug}
	return res, nil
}
