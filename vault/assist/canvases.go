package assist

import (
	"errors"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/link"
	"kist/vault/markdown"
)

// canvases edits those below a folder, so that the cards that show something go on doing so.
func (r *renaming) canvases(dir string, edits func(canvas []byte, p string) []markdown.Edit) error {
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
			if err := r.canvases(p, edits); err != nil {
				return err
			}
		case strings.EqualFold(path.Ext(p), ".canvas") && !r.unwritable(p):
			text, err := v.Read(p)
			if err != nil && !errors.Is(err, vault.ErrNotFound) {
				r.Left = append(r.Left, Left{p, 0, "it can't be read"})
			}
			if list := edits(text, p); len(list) > 0 {
				r.Step.Changes = append(r.Step.Changes, vault.Change{Path: p, Before: text, After: link.Apply(text, list)})
			}
		}
	}
	return nil
}

// unwritable reports whether nothing is to be written to a path, or it is left out.
func (r *renaming) unwritable(p string) bool {
	_, err := r.desk.Vault.WritablePath(p)
	return err != nil || r.desk.Vault.Ignored(p)
}
