package audit

import (
	"context"
	"fmt"
	"path"

	"kist/vault"
	"kist/vault/entity"
)

// A Side is one of the nine dimensions of a project, and how much is written on it.
type Side struct {
	Key   string // such as goals_momentum
	Name  string
	Core  bool       // one of the three that every project needs
	Score int        // from 0 (nothing) to 10
	At    []Evidence // the first lines of it, at most five
}

// Sides is [Measure] with the lines that it goes by, in the order of a project's document. It
// returns ErrNotFound of package vault for a project that isn't there.
func Sides(ctx context.Context, v *vault.Vault, slug string) (all []Side, overall float64, err error) {
	p, err := entity.FindProject(ctx, v, slug)
	if err != nil {
		return nil, 0, fmt.Errorf("measure %q: %w", slug, err)
	}
	doc, err := v.Document(p.Path)
	if err != nil {
		return nil, 0, fmt.Errorf("measure %q: %w", slug, err)
	}
	m := &material{slug: slug, project: newFile(path.Clean(p.Path), doc)}
	scores, overall := m.measure()
	for _, d := range sides() {
		s := Side{Key: d.Key, Name: d.Heading, Core: d.core, Score: scores[d.Key]}
		for _, l := range m.project.lines {
			if l.under(d.has) && !l.blank && l.text != "" && len(s.At) < maxEvidence {
				s.At = append(s.At, Evidence{m.project.path, l.n, plain(l.text)})
			}
		}
		all = append(all, s)
	}
	return all, overall, nil
}
