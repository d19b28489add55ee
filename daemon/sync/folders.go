package sync

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"kist/daemon/sync/git"
)

// A folder that one side gave another name takes along what the other side put into it meanwhile, by the rule of git's
// own merge: it is gone on that side, and most of its files went to the same new one. Other than for git that one has to be
// new as well, since a folder of which all files went to one that was there is one that was emptied, such as an inbox; and kist's
// own folders keep their names.

// follow puts what each side added to a folder that the other one renamed, or moved there, where that folder is now.
func (m *merger) follow(ctx context.Context, ours, theirs string) error {
	fromOurs, err := m.renamed(ctx, ours, m.ours, m.theirs)
	if err != nil {
		return err
	}
	fromTheirs, err := m.renamed(ctx, theirs, m.theirs, m.ours)
	if err != nil {
		return err
	}
	m.carry(m.theirs, m.ours, fromOurs, fromTheirs)
	for p, to := range m.carry(m.ours, m.theirs, fromTheirs, fromOurs) {
		m.put(to, cmp.Or(m.ours.added[to], m.ours.moved[to]))
		m.put(p, git.File{})
	}
	return nil
}

// carry changes what a side did by the folders that the other one renamed, and returns what is elsewhere by that.
func (m *merger) carry(s, other side, renamed, own map[string]string) map[string]string {
	went := map[string]string{}
	if len(renamed) == 0 {
		return went
	}
	for _, p := range sorted(s.added) {
		if to := follows(renamed, own, p); to != "" && !m.known(to) {
			s.added[to], went[p] = s.added[p], to
			delete(s.added, p)
		}
	}
	for _, was := range sorted(s.changed) {
		d := s.changed[was]
		if to := follows(renamed, own, d.Path); enters(d) && other.changed[was].From == "" && to != "" && !m.known(to) {
			s.moved[to], went[d.Path] = s.moved[d.Path], to
			delete(s.moved, d.Path)
			d.Path = to
			s.changed[was] = d
		}
	}
	return went
}

// enters reports whether a file was moved to another folder.
func enters(d git.Difference) bool { return d.From != "" && path.Dir(d.From) != path.Dir(d.Path) }

// known reports whether a path is one that either side has changed or added: nothing else is put there.
func (m *merger) known(p string) bool {
	for _, s := range []side{m.ours, m.theirs} {
		_, changed := s.changed[p]
		_, added := s.added[p]
		_, moved := s.moved[p]
		if changed || added || moved {
			return true
		}
	}
	return false
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

// renamed returns which folders a side gave another name, and which, of those into which the other side put something.
func (m *merger) renamed(ctx context.Context, commit string, from, into side) (map[string]string, error) {
	come := slices.Collect(maps.Keys(into.added))
	for _, d := range into.changed {
		if enters(d) {
			come = append(come, d.Path)
		}
	}
	wanted := folders(slices.Values(come))
	counts := map[string]map[string]int{}
	for was, d := range from.changed {
		if d.From == "" {
			continue
		}
		for a, b := path.Dir(was), path.Dir(d.Path); a != b && a != "." && b != "."; a, b = path.Dir(a), path.Dir(b) {
			if wanted[a] && m.renames(a) {
				if counts[a] == nil {
					counts[a] = map[string]int{}
				}
				counts[a][b]++
			}
			if path.Base(a) != path.Base(b) {
				break
			}
		}
	}
	if len(counts) == 0 {
		return nil, nil
	}
	files, err := m.store.Files(ctx, commit)
	if err != nil {
		return nil, err
	}
	before := folders(maps.Keys(from.changed))
	now := map[string]bool{}
	for p := range files {
		_, added := from.added[p]
		_, moved := from.moved[p]
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			now[dir] = true
			if !added && !moved {
				before[dir] = true
			}
		}
	}
	out := map[string]string{}
	for dir, to := range counts {
		if best := most(to); best != "" && !now[dir] && !before[best] {
			out[dir] = best
		}
	}
	return out, nil
}

// most returns the one that was counted most often; empty: there are several.
func most(counts map[string]int) string {
	best, n := "", 0
	for _, k := range sorted(counts) {
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

// renames reports whether a folder may have another name: one of the vault's that isn't one of kist's own.
func (m *merger) renames(dir string) bool {
	own, ok := m.below(dir)
	l := m.vault.Layout()
	for _, kept := range []string{l.Projects, l.Drafts, l.Memories, l.Conversations, l.Sessions, l.Operations} {
		ok = ok && own != kept && !strings.HasPrefix(kept, own+"/")
	}
	return ok && handled(own)
}
