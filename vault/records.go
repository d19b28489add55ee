package vault

import (
	"path"
	"strings"
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
func (v *Vault) recordsSince(op Operation, seen overlay) ([]*replacement, error) {
	was, ok := v.leavingProject(op)
	if !ok {
		return nil, nil
	}
	known := map[string]bool{}
	for _, c := range op.Changes {
		known[c.From], known[c.Path] = true, true
	}
	dir := v.conversationDir(was)
	entries, err := v.readDir(dir)
	if err != nil {
		return nil, nil // there is none
	}
	var out []*replacement
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if known[p] || !isMarkdown(p) || v.unmovable(p, e) != "" {
			continue
		}
		r, err := v.loadRecord(op, p, seen)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (v *Vault) loadRecord(op Operation, p string, seen overlay) (*replacement, error) {
	if op.Type == OpDelete {
		now, err := seen.read(v, p)
		if err != nil {
			return nil, err
		}
		seen[p] = nil
		return &replacement{path: p, before: now}, nil
	}
	dir, stem := v.conversationDir(v.ProjectOf(op.Entity.Path)), strings.TrimSuffix(path.Base(p), path.Ext(p))
	to, err := v.freeName(dir, stem, path.Ext(p), map[string]bool{})
	if err != nil {
		return nil, err
	}
	return v.planChange(Change{From: p, Path: to}, seen)
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
		if slug := v.ProjectOf(p); p != "" && p == v.projectPath(slug) {
			return slug, true
		}
	}
	return "", false
}
