package agent

import (
	"context"
	"sync"

	"kist/agent/model"
	"kist/agent/recall"
	"kist/vault"
	"kist/vault/entity"
)

// heads remembers the projects, and what models see of them. Its zero value is ready.
type heads struct {
	vault entity.Heads

	mu  sync.Mutex
	now *listing
}

// A listing is all projects by name, without counts of their tasks. It never changes:
// turns share it.
type listing struct {
	all    []entity.Project
	models []model.Project     // those that aren't archived
	stored []model.Project     // those that are
	refs   []recall.ProjectRef // all
	bySlug map[string]int      // where in all
}

// list returns the projects as they are now.
func (h *heads) list(ctx context.Context, v *vault.Vault) (*listing, error) {
	all, err := h.vault.List(ctx, v)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now == nil || len(h.now.all) != len(all) || len(all) > 0 && &h.now.all[0] != &all[0] {
		h.now = newListing(all)
	}
	return h.now, nil
}

func newListing(all []entity.Project) *listing {
	l := &listing{all: all, bySlug: make(map[string]int, len(all))}
	for i, p := range all {
		l.bySlug[p.Slug] = i
		l.refs = append(l.refs, recall.ProjectRef{Slug: p.Slug, Name: p.Name})
		if p.Status != "archived" {
			l.models = append(l.models, asModel(p))
		} else {
			l.stored = append(l.stored, asModel(p))
		}
	}
	return l
}

// project finds a project by its slug.
func (l *listing) project(slug string) (entity.Project, bool) {
	i, ok := l.bySlug[slug]
	if !ok {
		return entity.Project{}, false
	}
	return l.all[i], true
}
