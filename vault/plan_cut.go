package vault

import (
	"fmt"
	"path"

	"kist/vault/markdown"
)

// What was told, noted or decided is taken back item by item, or as a whole note.

// PlanCutItem plans to take the list item on a 1-based line out of a document, with all
// that belongs to it and nothing else. The text is that of the whole item on one line, without its
// marker, so that nothing goes that wasn't named: ErrConflict where it says something
// else. Other errors: [markdown.ErrNotItem], [markdown.ErrUnsupported].
func PlanCutItem(v *Vault, p string, line int, text string) (Step, error) {
	return v.planSplice(Entity{Path: p}, func(doc *markdown.Document) (markdown.Edit, error) {
		for _, item := range doc.ListItems() {
			if now := oneLine(item.Text); item.Line == line && now != oneLine(text) {
				return markdown.Edit{}, &ConflictError{Path: path.Clean(p), Reason: fmt.Sprintf("line %d says %q", line, now), Now: doc.Source()}
			}
		}
		return doc.CutItem(line)
	})
}

// IsNote reports whether a document is a note, by where it is or what its front matter
// says. An inbox is none: it is kist's own, and goes line by line.
func IsNote(v *Vault, p string, doc *markdown.Document) bool {
	kind := v.TypeOf(p)
	if fm, err := doc.FrontMatter(); kind == "" && err == nil && fm != nil {
		kind = fm.String("type")
	}
	return kind == "note" && p != InboxPath(v, v.ProjectOf(p))
}

// PlanDeleteNote plans to delete a note. It returns ErrInvalid for what isn't one.
func PlanDeleteNote(v *Vault, p string) (Step, error) {
	clean, err := v.writablePath(p)
	if err != nil {
		return Step{}, err
	}
	doc, err := v.Document(clean)
	if err != nil {
		return Step{}, err
	}
	if !isMarkdown(clean) || !IsNote(v, clean, doc) {
		return Step{}, fmt.Errorf("%w: %s is not a note", ErrInvalid, clean)
	}
	e := v.entityOf(clean, doc.Source())
	e.Type = "note"
	return v.planDelete(e)
}

// NotesOf lists the paths of the documents in a project's folder of notes, or beside the
// vault's own inbox where the project is empty.
func NotesOf(v *Vault, project string) ([]string, error) {
	dir := path.Dir(InboxPath(v, project))
	names, err := v.names(dir, false)
	for i, name := range names {
		names[i] = path.Join(dir, name)
	}
	return names, err
}
