package vault

import (
	"context"
	"errors"
	"sort"
	"strings"
)

// A Head is a project as its own document tells it, without counts of its tasks.
type Head struct {
	Project
	info Info
}

// Heads lists the heads of all projects by name. It reads only the documents that have
// changed since known, which is from an earlier call, by slug, and may be nil.
func (v *Vault) Heads(ctx context.Context, known map[string]Head) ([]Head, error) {
	slugs, err := v.slugs()
	if err != nil {
		return nil, err
	}
	out := make([]Head, 0, len(slugs))
	for _, slug := range slugs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, err := v.Stat(v.projectPath(slug))
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if h, ok := known[slug]; ok && err == nil && h.info == info {
			out = append(out, h)
			continue
		}
		p, err := v.projectHead(slug)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if errors.Is(err, ErrNotDownloaded) {
			p, err = Project{Slug: slug, Path: v.projectPath(slug), Name: slug, Status: "active"}, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Head{p, info})
	}
	sort.SliceStable(out, func(i, j int) bool { return strings.ToLower(out[i].Name) < strings.ToLower(out[j].Name) })
	return out, nil
}
