package assist

import (
	"errors"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/link"
	"kist/vault/markdown"
	"kist/vault/position"
)

// beside edits the files of a kind below a folder that aren't documents and show some, so that
// they go on doing so.
func (r *renaming) beside(dir string, kind func(ext string) refit) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	v := r.desk.Vault
	entries, err := v.ReadDir(dir)
	if err != nil {
		return nil // what can't be read isn't searched for links either
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case documents.Unmovable(p, e) != "":
		case e.IsDir():
			if err := r.beside(p, kind); err != nil {
				return err
			}
		default:
			edits := kind(strings.ToLower(path.Ext(p)))
			if edits == nil || r.unwritable(p) {
				continue
			}
			text, err := v.Read(p)
			if err != nil && !errors.Is(err, vault.ErrNotFound) {
				r.Left = append(r.Left, Left{p, 0, "it can't be read"})
			}
			list, left := edits(text, p)
			for _, at := range left {
				r.Left = append(r.Left, Left{p, position.New(text).Place(at).Line, unwritten})
			}
			if len(list) > 0 {
				r.Step.Changes = append(r.Step.Changes, vault.Change{Path: p, Before: text, After: link.Apply(text, list)})
			}
		}
	}
	return nil
}

// A refit says how a text at a path becomes one that shows the same, and where it can't.
type refit func(text []byte, p string) (edits []markdown.Edit, left []int)

// follows is how files that show documents follow a change of one.
func follows(shown func(link.Card) (field, value string, ok bool), relinks link.Relinks) func(ext string) refit {
	return func(ext string) refit {
		switch ext {
		case ".canvas":
			return func(text []byte, p string) ([]markdown.Edit, []int) {
				return link.Recard(text, p, shown, relinks), nil
			}
		case ".base":
			return func(text []byte, p string) ([]markdown.Edit, []int) { return link.Refilter(text, p, relinks) }
		}
		return nil
	}
}

// unwritable reports whether nothing is to be written to a path, or it is left out.
func (r *renaming) unwritable(p string) bool {
	_, err := r.desk.Vault.WritablePath(p)
	return err != nil || r.desk.Vault.Ignored(p)
}
