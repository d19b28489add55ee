package sides

import (
	"context"
	"path"
	"slices"
	"strings"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
)

// most commits that are looked at for what was moved.
const mostCommits = 1000

// Diff is git's comparison of a base with the end of a history, which the other one hasn't got, with what was moved by one commit and
// written anew by another one: by the ends alone that is a file that is gone and one that came.
func Diff(ctx context.Context, s *git.Store, base, end, other string) ([]git.Difference, error) {
	diff, err := s.Diff(ctx, base, end)
	diff = withoutCopies(diff)
	gone, come := map[string]int{}, map[string]int{}
	for i, d := range diff {
		switch {
		case d.After.ID == "":
			gone[d.Path] = i
		case d.Before.ID == "":
			come[d.Path] = i
		}
	}
	if err != nil || len(gone) == 0 || len(come) == 0 {
		return diff, err
	}
	log, err := s.Log(ctx, end, other, mostCommits)
	if err != nil {
		return nil, err
	}
	diff = slices.Clone(diff) // the store knows it still
	joined := map[string]bool{}
	for _, p := range keys(gone) {
		from, to := gone[p], p
		for i := len(log) - 1; i >= 0; i-- {
			if to, err = moved(ctx, s, log[i], to); err != nil {
				return nil, err
			}
		}
		if i, ok := come[to]; ok && !joined[to] && diff[i].After.Mode == diff[from].Before.Mode {
			diff[i].From, diff[i].Before = p, diff[from].Before
			joined[to], joined[p] = true, true
		}
	}
	out := diff[:0]
	for _, d := range diff {
		if d.After.ID != "" || !joined[d.Path] {
			out = append(out, d)
		}
	}
	return out, nil
}

// withoutCopies is a comparison in which no document became a conflict copy: to git the likest file is what another one
// became, and a copy may be more like it than the document itself, which was moved.
func withoutCopies(diff []git.Difference) []git.Difference {
	isCopy := func(p string) bool { return strings.Contains(path.Base(p), copies.Mark) }
	moved := func(d git.Difference) bool { return d.From != "" && isCopy(d.Path) && !isCopy(d.From) }
	if !slices.ContainsFunc(diff, moved) {
		return diff
	}
	var out []git.Difference
	for _, d := range diff {
		if moved(d) {
			out = append(out, git.Difference{Path: d.From, Before: d.Before})
			d.From, d.Before = "", git.File{}
		}
		out = append(out, d)
	}
	return out
}

// moved returns where a commit moved a file, changed along the way or not; where it didn't, where the file has been.
func moved(ctx context.Context, s *git.Store, c git.Commit, p string) (string, error) {
	gone := func(d git.Difference) bool { return d.Path == p && d.After.ID == "" }
	come := func(d git.Difference) bool { return d.Before.ID == "" }
	if !slices.ContainsFunc(c.Changes, gone) || !slices.ContainsFunc(c.Changes, come) {
		return p, nil
	}
	diff, err := s.Diff(ctx, c.ID+"^", c.ID)
	for _, d := range withoutCopies(diff) {
		if d.From == p {
			return d.Path, nil
		}
	}
	return p, err
}
