package agent

import (
	"context"
	"sync"

	"kist/vault"
)

// heads remembers what the projects' own documents say: reading them all, and all
// their tasks, would make a turn as slow as there are projects. Its zero value is
// ready.
type heads struct {
	mu    sync.Mutex
	known map[string]vault.Head
}

// list returns all projects by name, without counts of their tasks.
func (h *heads) list(ctx context.Context, v *vault.Vault) ([]vault.Project, error) {
	h.mu.Lock()
	known := h.known
	h.mu.Unlock()
	now, err := v.Heads(ctx, known)
	if err != nil {
		return nil, err
	}
	fresh := make(map[string]vault.Head, len(now))
	out := make([]vault.Project, 0, len(now))
	for _, head := range now {
		fresh[head.Slug] = head
		out = append(out, head.Project)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known = fresh
	return out, nil
}
