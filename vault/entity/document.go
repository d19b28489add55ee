package entity

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/documents"
	"kist/vault/markdown"
	"kist/vault/taskline"
)

// property is a front-matter key with its value as plain text.
type property struct{ key, value string }

// yaml returns the value as YAML. Dates and times stay plain, as other programs
// that know them write them; everything else reads back as the same text.
func (p property) yaml() string {
	switch strings.ToLower(p.key) {
	case "created", "start", "due", "deadline", "target_date", "end_date", "end", "expires", "due_date", "due date", "start_date", "start date":
		if !vault.ParseTime(p.value).IsZero() {
			return p.value
		}
	case "question_count":
		if _, err := strconv.Atoi(p.value); err == nil {
			return p.value
		}
	}
	return markdown.Quote(p.value)
}

// frontMatter writes a new front-matter block. Properties without a value are
// left out.
func frontMatter(fm []property, tags []string) string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, p := range fm {
		if p.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", p.key, p.yaml())
		}
	}
	if len(tags) > 0 {
		fmt.Fprintf(&b, "tags: %s\n", markdown.QuoteList(tags))
	}
	b.WriteString("---\n")
	return b.String()
}

// stamp is now as front matter holds it.
func stamp(v *vault.Vault) string { return v.Now().UTC().Format(time.RFC3339) }

// PlanSplice plans one edit of an existing document. An entity without a type is
// named by what its path and front matter say.
func PlanSplice(v *vault.Vault, e vault.Entity, edit func(*markdown.Document) (markdown.Edit, error)) (vault.Step, error) {
	clean, err := v.Locate(e.Path)
	if err == nil {
		clean, err = v.WritablePath(clean)
	}
	if err != nil {
		return vault.Step{}, err
	}
	if !documents.IsMarkdown(clean) && (path.Ext(clean) != "" || v.Exists(clean)) { // else it is a note's name, and no file
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w %q: kist edits Markdown only", vault.ErrInvalidPath, clean), "name a note, whose file ends in .md")
	}
	doc, err := v.Document(clean)
	if err != nil {
		return vault.Step{}, err
	}
	text := doc.Source()
	if err := vault.CheckText(clean, text); err != nil {
		return vault.Step{}, err
	}
	if err := doc.Editable(); err != nil {
		return vault.Step{}, fmt.Errorf("edit %s: %w", clean, err)
	}
	if e.Type == "" {
		e = v.EntityOf(clean, text)
	}
	ed, err := edit(doc)
	if err != nil {
		return vault.Step{}, fmt.Errorf("edit %s: %w", clean, err)
	}
	after := append([]byte{}, ed.Apply(text)...) // a document that is emptied isn't gone
	if doc.EndsFence(ed, after) {
		return vault.Step{}, vault.Hinted(fmt.Errorf("edit %s: %w: the text would end an unclosed --- at the top of the file", clean, vault.ErrInvalid), "end the front matter with a line of three dashes first")
	}
	e.Path = clean
	return vault.Step{Type: vault.OpUpdate, Entity: e, Changes: []vault.Change{{Path: clean, Before: text, After: after}}}, nil
}

// planSet plans to set several front-matter keys; an empty value removes the key.
func planSet(v *vault.Vault, e vault.Entity, set []property) (vault.Step, error) {
	if len(set) == 0 {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: nothing to set", vault.ErrInvalid), "name at least one field that is to change")
	}
	var settings []markdown.Setting
	for _, p := range set {
		settings = append(settings, markdown.Setting{Key: p.key, Value: p.yaml(), Unset: p.value == ""})
	}
	return PlanSetProperties(v, e, settings)
}

// PlanSetProperties plans to set several front-matter keys of a document at once.
func PlanSetProperties(v *vault.Vault, e vault.Entity, settings []markdown.Setting) (vault.Step, error) {
	return PlanSplice(v, e, func(doc *markdown.Document) (markdown.Edit, error) { return doc.SetProperties(settings) })
}

// PlanSetProperty plans to set a front-matter key to a value in YAML.
func PlanSetProperty(v *vault.Vault, p, key, yamlValue string) (vault.Step, error) {
	return PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.SetProperty(key, yamlValue)
	})
}

// PlanUnsetProperty plans to remove a front-matter key. It returns ErrNotFound for
// a key that isn't there.
func PlanUnsetProperty(v *vault.Vault, p, key string) (vault.Step, error) {
	return PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		fm, err := doc.FrontMatter()
		if err != nil {
			return markdown.Edit{}, err
		}
		if fm == nil || !fm.Has(key) {
			return markdown.Edit{}, &vault.NotFoundError{Kind: "front-matter key", Ref: key}
		}
		return doc.UnsetProperty(key)
	})
}

// PlanEditSection plans to replace, append to or prepend to a section's own text.
func PlanEditSection(v *vault.Vault, p, heading string, how markdown.How, text string) (vault.Step, error) {
	return PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.EditSection(heading, how, []byte(text))
	})
}

// A NewSection is a section to be put beside another one.
type NewSection struct {
	Beside  string // a heading, or heading path such as "Plan > Costs"
	Before  bool   // before that section instead of behind it and all below it
	Heading string
	Level   int // 1 to 6; 0: that of the section beside it
	Text    string
}

// PlanInsertSection plans a new section in an existing document.
func PlanInsertSection(v *vault.Vault, p string, n NewSection) (vault.Step, error) {
	return PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		if n.Before {
			return doc.InsertSectionBefore(n.Beside, n.Level, n.Heading, []byte(n.Text))
		}
		return doc.InsertSection(n.Beside, n.Level, n.Heading, []byte(n.Text))
	})
}

// PlanAppendItem plans to add a list item at the end of a section's list, as that
// list is written; section "" is the document's last one. With task it gets a
// checkbox whatever the other items have.
func PlanAppendItem(v *vault.Vault, p, section, text string, task bool) (vault.Step, error) {
	if text = strings.TrimSpace(text); task && text != "" && !box.Begins(text) {
		text = "[ ] " + text
	}
	return PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.AppendItem(section, text)
	})
}

// PlanEditItem plans to give the checkbox on a 1-based line another text.
func PlanEditItem(v *vault.Vault, p string, line int, text string) (vault.Step, error) {
	return PlanSplice(v, vault.Entity{Type: "task", Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.EditItem(line, text)
	})
}

// PlanCheckItem plans to set or clear the checkbox on a 1-based line. It returns ErrInvalid
// for a recurring task, which is not just ticked.
func PlanCheckItem(v *vault.Vault, p string, line int, checked bool) (vault.Step, error) {
	title := ""
	step, err := PlanSplice(v, vault.Entity{Type: "task", Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		b, ok := box.At(doc, line)
		if ok && checked && !b.Item.Checked && b.Line.Repeats() {
			return markdown.Edit{}, vault.Hinted(fmt.Errorf("%w: the task on line %d recurs (%s)", vault.ErrInvalid, line, b.Line.Value(taskline.Repeat)),
				"complete it as a task, so that the next one is made")
		}
		title = b.Line.Title
		return doc.CheckItem(line, checked)
	})
	if step.Reason = "untick " + box.Quoted(title); checked {
		step.Reason = "tick " + box.Quoted(title)
	}
	return step, err
}

// PlanCreateNote plans a new note in a project, or at the top of the vault.
func PlanCreateNote(ctx context.Context, v *vault.Vault, n NewNote, createdBy vault.Actor) (vault.Step, error) {
	title := vault.OneLine(n.Title)
	if title == "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: a note needs a title", vault.ErrInvalid), "say how it is called, as Paint suppliers")
	}
	dir := "."
	if n.Project != "" {
		p, err := FindProject(ctx, v, n.Project)
		if err != nil {
			return vault.Step{}, err
		}
		if dir, err = noteDir(v, p); err != nil {
			return vault.Step{}, err
		}
	}
	id := v.NewID()
	text := frontMatter([]property{{"id", id}, {"type", "note"}, {"created", stamp(v)}, {"created_by", string(createdBy)}}, nil)
	text += "\n# " + title + "\n"
	if body := strings.TrimRight(n.Text, "\n"); body != "" {
		text += "\n" + body + "\n"
	}
	p, err := v.FreePath(dir, vault.Slug(title))
	if err != nil {
		return vault.Step{}, err
	}
	return vault.Step{Type: vault.OpCreate, Entity: vault.Entity{Type: "note", ID: id, Path: p}, Changes: []vault.Change{{Path: p, After: []byte(text)}}}, nil
}

// PlanAppendNote plans to add text at the end of an existing document.
func PlanAppendNote(v *vault.Vault, p, text string) (vault.Step, error) {
	if strings.TrimSpace(text) == "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: nothing to append", vault.ErrInvalid), "give the text that is to be added")
	}
	return PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		return doc.AppendText([]byte(text)), nil
	})
}
