package index

import (
	"context"

	"kist/index/query"
	"kist/index/rank"
	"kist/index/relation"
	"kist/index/store"
)

// Backlinks finds the documents that link to a document, and those that mention it
// without a link, at most limit of each (0: 10). Links are wiki links by name, path, title or
// alias, also in front matter, and Markdown links by path. Where several documents
// have the name that a link gives, it means the one with the shortest path. It returns
// [vault.ErrNotFound] where there is no such file, ErrClosed or ctx's error.
func (x *Index) Backlinks(ctx context.Context, path string, limit int) (out *relation.Backlinks, err error) {
	target, err := x.files.Reader().Read(path)
	if err != nil {
		return nil, err
	}
	degraded := x.catchUp(ctx, nil)
	defer store.GuardSearch(&err)()
	s, err := x.newSearch(Query{Limit: limit}, nil)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	out, err = relation.FindBacklinks(ctx, s, target, func(name string) (*rank.Search, error) {
		return x.newSearch(Query{Text: name, Limit: query.MaxLimit}, []query.Clause{{Text: name, Phrase: true}})
	})
	if err != nil {
		return nil, err
	}
	out.Freshness = x.Freshness()
	out.Freshness.Degraded = degraded
	return out, ctx.Err()
}

// RelatedProjects finds at most limit projects (0: 10) that are about the same things
// as the one with a slug, that link to it or are linked to, or that share its tags. It
// returns an error that wraps vault.ErrNotFound where no document of such a project is
// indexed, ErrClosed, or ctx's.
func (x *Index) RelatedProjects(ctx context.Context, slug string, limit int) (out *relation.RelatedProjects, err error) {
	degraded := x.catchUp(ctx, nil)
	defer store.GuardSearch(&err)()
	s, err := x.newSearch(Query{Limit: limit}, nil)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if out, err = relation.FindProjects(ctx, s, slug); err != nil {
		return nil, err
	}
	out.Freshness = x.Freshness()
	out.Freshness.Degraded = degraded
	return out, nil
}
