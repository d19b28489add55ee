package rank

import (
	"context"
	"errors"
	"kist/index/page"

	"kist/index/match"
	"kist/index/parallel"
	"kist/vault"
)

// hits makes results of files, in order, without those that are gone.
func (s *Search) hits(ctx context.Context, files []ranked) []Hit {
	all := make([]*Hit, len(files))
	parallel.Do(ctx, len(files), func(i int) { all[i] = s.hit(ctx, files[i]) })
	var hits []Hit
	for _, h := range all {
		if h != nil {
			hits = append(hits, *h)
		}
	}
	return hits
}

// hit makes a result from the live file; nil when there is none any more.
func (s *Search) hit(ctx context.Context, r ranked) *Hit {
	path := s.View.Paths[r.file]
	release, err := s.hold(ctx, path)
	if err != nil {
		return nil
	}
	defer release()
	f, err := s.read(r.file, r.entry)
	switch {
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrNotRegular):
		return nil
	case err != nil:
		f = &page.File{Path: path, Title: path}
	case !s.Desk.passes(f, s.showing):
		return nil
	}
	h := &Hit{Path: path, Line: 1, Score: float64(r.score), Project: f.Project, Title: match.Plain(f.Title), Type: f.Kind, Tags: f.Tags}
	h.HeadOnly, h.LeftOut = f.HeadOnly, s.leftOut != nil && s.leftOut(path)
	m := s.matcher
	m.Analyzer = s.Desk.Files.Langs.Of(f.Lang)
	x := f.Excerpt(m, r.at)
	h.Line, h.Heading, h.Excerpt, h.Highlights = x.Line, x.Heading, x.Text, x.Highlights
	return h
}

// hold makes room for reading a file. While the index is up to date, as long as it was will do.
func (s *Search) hold(ctx context.Context, path string) (release func(), err error) {
	if !s.UpToDate {
		return s.Desk.Files.HoldPath(ctx, path)
	}
	s.Desk.Lock.Lock()
	size := s.Manifest.Files[path].Size
	s.Desk.Lock.Unlock()
	return s.Desk.Files.Hold(ctx, min(size, page.MaxFile))
}
