package entity

import (
	"fmt"
	"path"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/markdown"
)

// What was told, noted or decided is taken back item by item, or as a whole note.

// PlanCutItem plans to take the list item on a 1-based line out of a document, with all
// that belongs to it and nothing else. The text is that of the whole item on one line, without its
// marker, so that nothing goes that wasn't named: ErrConflict where it says something
// else. Other errors: [markdown.ErrNotItem], [markdown.ErrUnsupported].
func PlanCutItem(v *vault.Vault, p string, line int, text string) (vault.Step, error) {
	return PlanSplice(v, vault.Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		for _, item := range doc.ListItems() {
			if now := vault.OneLine(item.Text); item.Line == line && now != vault.OneLine(text) {
				return markdown.Edit{}, &vault.ConflictError{Path: path.Clean(p), Reason: fmt.Sprintf("line %d says %q", line, now), Now: doc.Source()}
			}
		}
		return doc.CutItem(line)
	})
}

// IsNote reports whether a document is a note, by where it is or what its front matter
// says. An inbox is none: it is kist's own, and goes line by line.
func IsNote(v *vault.Vault, p string, doc *markdown.Document) bool {
	kind := v.TypeOf(p)
	if fm, err := doc.FrontMatter(); kind == "" && err == nil && fm != nil {
		kind = fm.String("type")
	}
	return kind == "note" && p != InboxPath(v, v.ProjectOf(p))
}

// PlanDeleteNote plans to delete a note. It returns ErrInvalid for what isn't one.
func PlanDeleteNote(v *vault.Vault, p string) (vault.Step, error) {
	clean, err := v.WritablePath(p)
	if err != nil {
		return vault.Step{}, err
	}
	doc, err := v.Document(clean)
	if err != nil {
		return vault.Step{}, err
	}
	if !documents.IsMarkdown(clean) || !IsNote(v, clean, doc) {
		return vault.Step{}, fmt.Errorf("%w: %s is not a note", vault.ErrInvalid, clean)
	}
	e := v.EntityOf(clean, doc.Source())
	e.Type = "note"
	return planDelete(v, e)
}

// NotesOf lists the paths of the documents in a project's folder of notes, or beside the
// vault's own inbox where the project is empty.
func NotesOf(v *vault.Vault, project string) ([]string, error) {
	dir := path.Dir(InboxPath(v, project))
	names, err := v.Names(dir, false)
	for i, name := range names {
		names[i] = path.Join(dir, name)
	}
	return names, err
}
