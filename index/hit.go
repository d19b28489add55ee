package index

import (
	"errors"
	"kist/index/page"

	"kist/index/match"
	"kist/index/parallel"
	"kist/vault"
)

// hits makes results of files, in order, without those that are gone.
func (s *search) hits(files []ranked) []Hit {
	all := make([]*Hit, len(files))
	s.parallel(len(files), func(i int) { all[i] = s.hit(files[i]) })
	var hits []Hit
	for _, h := range all {
		if h != nil {
			hits = append(hits, *h)
		}
	}
	return hits
}

// parallel calls fn for 0 to n-1 on all processors, unless the context ends.
func (s *search) parallel(n int, fn func(i int)) { parallel.Do(s.ctx, n, fn) }

// hit makes a result from the live file; nil when there is none any more.
func (s *search) hit(r ranked) *Hit {
	path := s.view.Paths[r.file]
	release, err := s.index.files.HoldPath(s.ctx, path)
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
	case !passes(f, s.showing):
		return nil
	}
	h := &Hit{Path: path, Line: 1, Score: float64(r.score), Project: f.Project, Title: match.Plain(f.Title), Type: f.Kind, Tags: f.Tags}
	h.HeadOnly = f.HeadOnly
	m := s.matcher
	m.Analyzer = s.index.files.Langs.Of(f.Lang)
	x := f.Excerpt(m, r.at)
	h.Line, h.Heading, h.Excerpt, h.Highlights = x.Line, x.Heading, x.Text, x.Highlights
	return h
}
