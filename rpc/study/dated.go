package study

import (
	"context"

	"kist/vault/catalog"
	"kist/vault/entity"
)

// Projects lists all projects by name, and when each was changed last.
func (s Service) Projects(ctx context.Context) ([]entity.Project, error) {
	all, err := entity.Projects(ctx, s.vault)
	if err != nil {
		return nil, err
	}
	return all, s.Date(ctx, all)
}

// Date says of projects when each was changed last. Nobody follows the documents of one that
// rules leave out: of that its own document counts.
func (s Service) Date(ctx context.Context, projects []entity.Project) error {
	newest, err := catalog.Newest(ctx, s.vault)
	if err != nil {
		return err
	}
	for i := range projects {
		p := &projects[i]
		if p.Updated = newest[p.Slug]; p.Updated.IsZero() {
			if info, err := s.vault.Stat(p.Path); err == nil {
				p.Updated = info.ModTime
			}
		}
	}
	return nil
}
