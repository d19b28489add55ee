package sides

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
)

// most commits that are looked at for what was moved.
const mostCommits = 1000

// So many new documents are looked at for one that was moved, and so many pairs of one and of another that was changed. An import is none.
const (
	mostNew   = 1000
	mostPairs = 100_000
)

// maxText is the size, in bytes, of a document that is looked at for what became of it.
const maxText = 1 << 20

// diffOf is git's comparison of a base with the end of a history, which the other one hasn't got, with what was moved by one commit and
// written anew by another one: by the ends alone that is a file that is gone and one that came. Of several places that have what was moved it is
// at the one where a commit moved it; the others are copies.
func diffOf(ctx context.Context, s *git.Store, base, end, other string) ([]git.Difference, error) {
	diff, err := s.Diff(ctx, base, end)
	if diff = withoutCopies(diff); err == nil {
		diff, err = retaken(ctx, s, diff)
	}
	gone, come, twice := map[string]int{}, map[string]int{}, map[string]bool{}
	for i, d := range diff {
		switch {
		case d.After.ID == "":
			gone[d.Path] = i
		case d.Before.ID == "":
			come[d.Path], twice[d.After.ID] = i, true
		}
	}
	for i, d := range diff {
		if d.From != "" && twice[d.After.ID] {
			gone[d.From] = i
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
			if diff[from].From != "" {
				diff[from].From, diff[from].Before = "", git.File{}
			}
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

func isCopy(p string) bool { return strings.Contains(path.Base(p), copies.Mark) }

// withoutCopies is a comparison in which no document became a conflict copy: to git the likest file is what another one
// became, and a copy may be more like it than the document itself, which was moved.
func withoutCopies(diff []git.Difference) []git.Difference {
	moved := func(d git.Difference) bool { return d.From != "" && isCopy(d.Path) && !isCopy(d.From) }
	if !slices.ContainsFunc(diff, moved) {
		return diff
	}
	of := map[string]git.Difference{} // by the document that is new and has a copy
	var out []git.Difference
	for _, d := range diff {
		if moved(d) {
			c, _ := copies.Of(d.Path, func(string) bool { return true })
			of[c.Of] = git.Difference{Path: d.From, Before: d.Before}
			d.From, d.Before = "", git.File{}
		}
		out = append(out, d)
	}
	for i, d := range out { // what the copy came from the document came from, with what was merged into it
		if was, ok := of[d.Path]; ok && d.Before.ID == "" && d.After.Mode == was.Before.Mode {
			out[i].From, out[i].Before = was.Path, was.Before
			delete(of, d.Path)
		}
	}
	for _, p := range keys(of) {
		out = append(out, of[p])
	}
	return out
}

// retaken is a comparison in which a document is moved to where most of it is, if its own path has another one by now, which git takes
// for what became of it, or if there are new conflict copies, of which git may have taken one for that.
func retaken(ctx context.Context, s *git.Store, diff []git.Difference) ([]git.Difference, error) {
	came, at := map[string]git.File{}, map[string]int{}
	var stay []int
	var ids []string
	copied := slices.ContainsFunc(diff, func(d git.Difference) bool { return d.Before.ID == "" && isCopy(d.Path) })
	for i, d := range diff {
		switch {
		case !isNote(d.Path) || d.From != "" || d.After.ID == "" && !copied:
			continue
		case d.Before.ID == "":
			came[d.Path], at[d.Path] = d.After, i
		default:
			stay = append(stay, i)
		}
		ids = append(ids, d.Before.ID, d.After.ID)
	}
	if len(came) == 0 || len(stay) == 0 || len(came) > mostNew || len(came)*len(stay) > mostPairs {
		return diff, nil
	}
	slices.Sort(ids)
	texts, err := s.Blobs(ctx, slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" }), maxText)
	out := slices.Clone(diff) // the store knows it still
	for _, i := range stay {
		was := diff[i].Before
		if err != nil || alike(texts[was.ID], texts[diff[i].After.ID]) >= 0.5 {
			continue
		}
		if to := likest(texts, was, came); to != "" {
			n := at[to]
			out[n].From, out[n].Before, out[i].Before = diff[i].Path, was, git.File{}
			delete(came, to)
		}
	}
	return slices.DeleteFunc(out, func(d git.Difference) bool { return d.Before.ID == "" && d.After.ID == "" }), err
}

func isNote(p string) bool { return path.Ext(p) == ".md" && !isCopy(p) }

// likest returns the file that has most of a text, if one has enough of it; empty: none.
func likest(texts map[string][]byte, was git.File, among map[string]git.File) string {
	at, best := "", 0.75
	for _, p := range keys(among) {
		if part := alike(texts[was.ID], texts[among[p].ID]); part >= best && among[p].Mode == was.Mode && (at == "" || part > best) {
			at, best = p, part
		}
	}
	return at
}

// Meet has the sides begin at files that a merge which was broken off had put in place for one of them, and that the user has moved since, changed or
// not, before he committed them: by the two histories each side has a new file of its own. It returns what ours has no more by that.
func Meet(ctx context.Context, s *git.Store, ours, theirs Side, placed map[string]git.File) (goes []string, err error) {
	goes = retrace(ours, theirs, placed)
	retrace(theirs, ours, nil)
	for _, p := range keys(placed) {
		was, now := placed[p], theirs.Added[p]
		if now.ID == "" || ours.Knows(p) {
			continue
		}
		ids := map[string]bool{was.ID: true}
		among := map[string]git.File{}
		for q, f := range ours.Added {
			if isNote(q) {
				among[q], ids[f.ID] = f, true
			}
		}
		texts, err := s.Blobs(ctx, keys(ids), maxText)
		if err != nil {
			return nil, err
		}
		if to := likest(texts, was, among); to != "" && texts[was.ID] != nil {
			ours.Changed[p] = git.Difference{From: p, Path: to, Before: was, After: among[to]}
			ours.Moved[to] = among[to]
			theirs.Changed[p] = git.Difference{Path: p, Before: was, After: now}
			delete(ours.Added, to)
			delete(theirs.Added, p)
		}
	}
	return goes, nil
}

// retrace finds which new files of a side are documents that the other one has moved there: what a merge had put in place that was broken off (by
// kist, or by the user's git) and was committed then, while the document stands where it was as well. Such a file is nothing new. It returns
// what goes with that.
func retrace(s, other Side, placed map[string]git.File) (goes []string) {
	for _, p := range keys(other.Changed) {
		d := other.Changed[p]
		f, new := s.Added[d.Path]
		if d.From == "" || !new || f.Mode != d.After.Mode {
			continue
		}
		switch at, now := s.At(p, d.Before); {
		case at == p && now.ID != "" && placed[p].ID == now.ID && placed[d.Path].ID != "": // what was merged there, changed since or not
			d.Before = placed[d.Path]
			other.Changed[p] = d
			s.Changed[p] = git.Difference{From: p, Path: d.Path, Before: d.Before, After: f}
			s.Moved[d.Path] = f
			goes = append(goes, p)
		case f == now, f.ID == d.After.ID && f.ID != d.Before.ID && (at != p || now.ID == d.Before.ID): // a copy of what it is on this side, or on the other one, unless another stands where it was
			goes = append(goes, d.Path)
		default:
			continue
		}
		delete(s.Added, d.Path)
	}
	return goes
}

// anID finds the id in a document's front matter.
var anID = regexp.MustCompile(`^---\r?\n(?:[^-\n].*\n)*?id: *(\S+)`)

// alike is how much of a text another one has, by whole lines. Where it has an id that decides.
func alike(was, is []byte) float64 {
	there := map[string]bool{}
	for l := range strings.Lines(string(is)) {
		there[l] = true
	}
	kept, all := 0, 0
	for l := range strings.Lines(string(was)) {
		if all += len(l); there[l] {
			kept += len(l)
		}
	}
	if id := anID.FindSubmatch(was); id != nil {
		kept, all = 0, 1
		if other := anID.FindSubmatch(is); other != nil && string(other[1]) == string(id[1]) {
			kept = 1
		}
	}
	return float64(kept) / float64(max(all, 1))
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
