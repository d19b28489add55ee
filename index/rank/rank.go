package rank

import (
	"context"
	"kist/index/parallel"
	"slices"
)

// rank scores the groups and returns the files that may match. Words that are nowhere are
// spelt anew.
func (s *Search) rank(ctx context.Context, groups []group) (found []ranked, corrected map[string]string, err error) {
	all := make([]*group, len(groups))
	for i := range groups {
		all[i] = &groups[i]
	}
	missing, err := s.scoreAll(ctx, all)
	if err == nil && len(missing) > 0 {
		if corrected, err = s.respellAll(ctx, missing); len(corrected) > 0 && err == nil {
			_, err = s.scoreAll(ctx, missing)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	found = s.ranking()
	for _, g := range all {
		if !g.required {
			continue
		}
		having, err := among(s, g, g.entries)
		if err != nil {
			return nil, nil, err
		}
		found = slices.DeleteFunc(found, func(r ranked) bool { return !having[r.file] })
	}
	return found, corrected, nil
}

// having returns the files that have a group, as [among] has it.
func (s *Search) having(g *group) (map[int32]bool, error) {
	entries, err := s.entriesWith(g)
	if err != nil {
		return nil, err
	}
	return among(s, g, entries)
}

// among returns the files of entries that have a group's terms, and of a phrase those in which
// they stand together, as far as the index can tell. Those have the phrase as a rule, but for the
// endings of its words.
func among(s *Search, g *group, entries []uint32) (map[int32]bool, error) {
	if !g.phrase {
		return s.filesOf(entries), nil
	}
	return phrased(s, g, entries)
}

// scoreAll adds up the scores of groups, and returns those that no document has.
func (s *Search) scoreAll(ctx context.Context, groups []*group) (missing []*group, err error) {
	for _, g := range groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if g.entries, err = s.add(g); err != nil {
			return nil, err
		}
		if len(g.entries) == 0 {
			missing = append(missing, g)
		}
		for _, w := range g.ways {
			s.matcher.Words = append(s.matcher.Words, w.words...)
			for i, alternatives := range w.terms {
				for _, t := range alternatives {
					s.matcher.Terms[t] = max(s.matcher.Terms[t], w.found[i].idf)
				}
			}
		}
	}
	return missing, nil
}

// known reports whether one of some terms is anywhere.
func (s *Search) known(terms []string) (bool, error) {
	for _, t := range terms {
		if n, err := s.Snapshot.Frequency(t); err != nil || n > 0 {
			return true, err
		}
	}
	return false, nil
}

// respellAll puts what they are taken for in the place of the words of groups that are
// nowhere, and returns what became of which.
func (s *Search) respellAll(ctx context.Context, groups []*group) (map[string]string, error) {
	var corrected map[string]string
	tried, least := 0, minFuzzy
	if len(s.touched) > 0 {
		least = minBeside
	}
	for _, g := range groups {
		if g.phrase || g.prefix != "" {
			continue
		}
		for _, w := range g.ways {
			for j, alternatives := range w.terms {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if known, err := s.known(alternatives); err != nil {
					return nil, err
				} else if known {
					continue
				}
				if tried++; tried > maxRespelt {
					s.Cut = true
					return corrected, nil
				}
				near, err := Respell(s.Snapshot, w.words[j], alternatives, least)
				if err != nil {
					return nil, err
				}
				better, err := meant(s, w.words[j], near)
				if err != nil {
					return nil, err
				}
				if better != "" {
					if corrected == nil {
						corrected = map[string]string{}
					}
					corrected[w.words[j]] = better
					w.terms[j] = []string{better}
				}
			}
		}
	}
	return corrected, nil
}

// everything returns all files, scored by their modification time.
func (s *Search) everything() ([]ranked, error) {
	s.Desk.Lock.Lock()
	defer s.Desk.Lock.Unlock()
	var out []ranked
	s.Snapshot.Listed(s.View, func(file int32) {
		out = append(out, ranked{file: file, time: s.Manifest.Files[s.View.Paths[file]].Mtime})
	})
	s.over.Listed(s.Snapshot, func(file int32, mtime int64) { out = append(out, ranked{file: file, time: mtime}) })
	return out, nil
}

// verify keeps the files whose live text passes the checks. Where the index has told already
// that the words of all phrases stand together in them, the best tell what the others are
// like; what is shown is looked at in any case.
func (s *Search) verify(ctx context.Context, found []ranked) (kept []ranked, err error) {
	if slices.ContainsFunc(s.checks, func(c check) bool { return !c.together || c.fields != 0 }) {
		return readThrough(ctx, s, found)
	}
	var told, unsure []ranked
	for _, r := range found {
		if slices.ContainsFunc(s.checks, func(c check) bool { return c.unsure[r.file] }) {
			unsure = append(unsure, r)
		} else {
			told = append(told, r)
		}
	}
	if len(told) <= s.Limit {
		return readThrough(ctx, s, found)
	}
	best, err := passing(ctx, s, top(told, s.Limit, s.View.Paths))
	if err != nil {
		return nil, err
	}
	if len(best) < s.Limit {
		return readThrough(ctx, s, found)
	}
	s.showing = s.checks
	if unsure, err = readThrough(ctx, s, unsure); err != nil {
		return nil, err
	}
	return append(told, unsure...), nil
}

// readThrough keeps those of the files that pass the checks, as many as are read for one query.
func readThrough(ctx context.Context, s *Search, found []ranked) ([]ranked, error) {
	if len(found) > MaxRead {
		found, s.Cut = top(found, MaxRead, s.View.Paths), true
	}
	return passing(ctx, s, found)
}

// passing are those of found that pass the checks.
func passing(ctx context.Context, s *Search, found []ranked) (kept []ranked, err error) {
	has := make([]bool, len(found))
	parallel.Do(ctx, len(found), func(i int) {
		ok, err := s.passes(ctx, found[i], s.checks, len(found) <= s.Limit)
		has[i] = ok && err == nil // one that can't be read is no hit
	})
	for i, r := range found {
		if has[i] {
			kept = append(kept, r)
		}
	}
	return kept, ctx.Err()
}
