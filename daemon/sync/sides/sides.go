/*
Package sides knows what two histories made of the files of their base, for a merge of trees: which ones each [Side] changed, added and moved, and
which folders it gave another name.
*/
package sides

import (
	"context"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"kist/daemon/sync/git"
)

// A Side is what one of two histories made of the files of their base.
type Side struct {
	Changed map[string]git.Difference // by the path in the base
	Added   map[string]git.File       // where the base had nothing
	Moved   map[string]git.File       // by the path that they were moved to
}

// Of returns the side that a history, which began at a base and isn't the other one's, has come to at its end.
func Of(ctx context.Context, s *git.Store, base, end, other string) (Side, error) {
	diff, err := diffOf(ctx, s, base, end, other)
	out := Side{map[string]git.Difference{}, map[string]git.File{}, map[string]git.File{}}
	for _, d := range exchanged(diff) {
		switch {
		case d.From != "":
			out.Changed[d.From] = d
			out.Moved[d.Path] = d.After
		case d.Before.ID == "":
			out.Added[d.Path] = d.After
		default:
			out.Changed[d.Path] = d
		}
	}
	return out, err
}

// exchanged makes moves of files that took each other's names in a circle and stayed as they were: git compares what is at one
// path, and has each for another text.
func exchanged(diff []git.Difference) []git.Difference {
	at := map[git.File]int{} // what was there before
	for i, d := range diff {
		if d.From == "" && d.Before.ID != "" && d.After.ID != "" {
			if _, twice := at[d.Before]; twice {
				i = -1
			}
			at[d.Before] = i
		}
	}
	out := slices.Clone(diff)
	for i := range diff {
		var circle []int // each is where the one before it came from
		next := i
		for len(circle) == 0 || next != i {
			from, ok := at[diff[next].After]
			if !ok || from < 0 || from == next || len(circle) == 100 || diff[next].From != "" || diff[next].After.ID == "" {
				circle = nil
				break
			}
			circle, next = append(circle, next), from
		}
		for _, to := range circle {
			from := diff[at[diff[to].After]]
			out[to] = git.Difference{From: from.Path, Path: diff[to].Path, Before: from.Before, After: from.Before}
		}
	}
	return out
}

// At returns where a file of the base is on this side, and what it is there.
func (s Side) At(p string, base git.File) (string, git.File) {
	if d, ok := s.Changed[p]; ok {
		return d.Path, d.After
	}
	return p, base
}

// A folder that one side gave another name takes along what the other side put into it meanwhile, by the rule of git's
// own merge: it is gone on that side, and most of its files went to the same new one. Other than for git that one has to be
// new as well, since a folder of which all files went to one that was there is one that was emptied, such as an inbox, and one note
// that went to a new folder makes no rename; and kist's own folders keep their names.

// Carry changes what a side did by the folders that the other one renamed, and returns what is elsewhere by that.
func Carry(s, other Side, renamed, own map[string]string) map[string]string {
	went := map[string]string{}
	if len(renamed) == 0 {
		return went
	}
	for _, p := range keys(s.Added) {
		if to := follows(renamed, own, p); to != "" && !s.Knows(to) && !other.Knows(to) {
			s.Added[to], went[p] = s.Added[p], to
			delete(s.Added, p)
		}
	}
	for _, was := range keys(s.Changed) {
		d := s.Changed[was]
		if to := follows(renamed, own, d.Path); enters(d) && other.Changed[was].From == "" && to != "" && !s.Knows(to) && !other.Knows(to) {
			s.Moved[to], went[d.Path] = s.Moved[d.Path], to
			delete(s.Moved, d.Path)
			d.Path = to
			s.Changed[was] = d
		}
	}
	return went
}

// enters reports whether a file was moved to another folder.
func enters(d git.Difference) bool { return d.From != "" && path.Dir(d.From) != path.Dir(d.Path) }

// Knows reports whether the side has changed or added something at a path.
func (s Side) Knows(p string) bool {
	_, changed := s.Changed[p]
	_, added := s.Added[p]
	_, moved := s.Moved[p]
	return changed || added || moved
}

// follows returns where a file goes with the innermost of its folders that was renamed; empty: nowhere. What both sides
// renamed is nobody's rule.
func follows(renamed, other map[string]string, p string) string {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if to := renamed[dir]; to != "" {
			if other[dir] != "" {
				return ""
			}
			return to + strings.TrimPrefix(p, dir)
		}
	}
	return ""
}

// Goes counts where the files of folders went on one side: of folders into which the other one put something.
func Goes(from, into Side, may func(dir string) bool) map[string]map[string]int {
	come := slices.Collect(maps.Keys(into.Added))
	for _, d := range into.Changed {
		if enters(d) {
			come = append(come, d.Path)
		}
	}
	wanted, counts := folders(slices.Values(come)), map[string]map[string]int{}
	for was, d := range from.Changed {
		if d.From == "" {
			continue
		}
		for a, b := path.Dir(was), path.Dir(d.Path); a != b && a != "." && b != "."; a, b = path.Dir(a), path.Dir(b) {
			if wanted[a] && may(a) {
				if counts[a] == nil {
					counts[a] = map[string]int{}
				}
				counts[a][b] += says(was, a)
			}
			if path.Base(a) != path.Base(b) {
				break
			}
		}
	}
	return counts
}

// enough is what has to be said for a folder's new name. One file says little: it may have been the last in an inbox.
const enough = 2

// says is what a file that went along says for the new name of a folder: one that is the folder's own note says it alone.
func says(p, dir string) int {
	name := strings.ToLower(strings.TrimSuffix(path.Base(p), path.Ext(p)))
	if name == strings.ToLower(path.Base(dir)) || path.Dir(p) == dir && slices.Contains([]string{"project", "index", "_index", "readme"}, name) {
		return enough
	}
	return 1
}

// Renamed returns which folders, of those that were counted, a side gave another name, and which. all are its files.
func Renamed(counts map[string]map[string]int, s Side, all map[string]git.File) map[string]string {
	kept := maps.Clone(s.Changed)
	now := folders(maps.Keys(all))
	for p := range all {
		_, added := s.Added[p]
		if _, moved := s.Moved[p]; !added && !moved {
			kept[p] = git.Difference{}
		}
	}
	before, out := folders(maps.Keys(kept)), map[string]string{}
	for dir, to := range counts {
		if best := most(to); best != "" && to[best] >= enough && !now[dir] && !before[best] {
			out[dir] = best
		}
	}
	return out
}

// most returns the one that was counted most often; empty: there are several.
func most(counts map[string]int) string {
	best, n := "", 0
	for _, k := range keys(counts) {
		switch {
		case counts[k] > n:
			best, n = k, counts[k]
		case counts[k] == n:
			best = ""
		}
	}
	return best
}

// folders are all those in which some paths are.
func folders(paths iter.Seq[string]) map[string]bool {
	all := map[string]bool{}
	for p := range paths {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			all[dir] = true
		}
	}
	return all
}

// keys are those of a map, in order.
func keys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
