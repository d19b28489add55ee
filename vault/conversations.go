package vault

import (
	"path"
	"strings"

	"kist/vault/disk"
	"kist/vault/documents"
)

// Records of what was said grow by each turn, also by the one in which a proposal about
// the whole project is agreed to. They are no part of what was approved: they go, or
// move, with the project as they are by then.

// isRecord: the change deletes or moves a conversation.
func (v *Vault) isRecord(c FileChange) bool {
	if c.From != "" {
		return v.TypeOf(c.From) == "conversation"
	}
	return c.After == HashOf(nil) && v.TypeOf(c.Path) == "conversation"
}

// recordsSince plans the same for conversations that were begun after a whole project
// was proposed to be deleted or moved.
func (pl *plan) recordsSince(op Operation) ([]*disk.Replacement, error) {
	was, ok := pl.v.leavingProject(op)
	if !ok {
		return nil, nil
	}
	known := map[string]bool{}
	for _, c := range op.Changes {
		known[c.From], known[c.Path] = true, true
	}
	dir := pl.v.ConversationDir(was)
	entries, err := pl.v.tree.Root.ReadDir(dir)
	if err != nil {
		return nil, nil // there is none
	}
	var out []*disk.Replacement
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if known[p] || !disk.IsMarkdown(p) || documents.Unmovable(p, e) != "" {
			continue
		}
		r, err := pl.loadRecord(op, p)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (pl *plan) loadRecord(op Operation, p string) (*disk.Replacement, error) {
	if op.Type == OpDelete {
		now, err := pl.read(p)
		if err != nil {
			return nil, err
		}
		pl.texts[p] = nil
		return pl.withMode(&disk.Replacement{Path: p, Before: now}, 0), nil
	}
	dir, stem := pl.v.ConversationDir(pl.v.ProjectOf(op.Entity.Path)), strings.TrimSuffix(path.Base(p), path.Ext(p))
	to, err := pl.v.FreeName(dir, stem, path.Ext(p), map[string]bool{})
	if err != nil {
		return nil, err
	}
	return pl.change(Change{From: p, Path: to})
}

// leavingProject is the slug of the project whose folder an operation empties.
func (v *Vault) leavingProject(op Operation) (slug string, ok bool) {
	if op.Entity.Type != "project" || op.Type != OpDelete && op.Type != OpMove {
		return "", false
	}
	for _, c := range op.Changes {
		p := c.From
		if op.Type == OpDelete {
			p = c.Path
		}
		if slug := v.ProjectOf(p); p != "" && p == v.ProjectPath(slug) {
			return slug, true
		}
	}
	return "", false
}
