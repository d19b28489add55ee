/*
Package credit says which commits brought what a file becomes. [Of] is asked for one file at a time, with the commits
that came as [git.Store.Log] gives them; what is renamed is told by texts that stay as they were.
*/
package credit

import (
	"slices"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
)

// A File is one that came.
type File struct {
	Path   string   // in the repository
	Others []string // by which it may have been known elsewhere: where it was here, where it is there
	ID     string   // of what it becomes; empty: it goes
}

// Of returns the commits that brought a file's text, the first of which an operation names, and the one that brought
// its name, whose ID is empty where none is known. log is newest first; own tells which commits are of the user's own devices: of
// several commits one of somebody else is first.
//
// They are those that wrote the file by one of its names; where there is none, as of a file that a merge put elsewhere, the
// one that wrote that text first; of a conflict copy those that wrote its document; and at last all of them.
func Of(log []git.Commit, f File, own func(git.Commit) bool) (text []git.Commit, name git.Commit) {
	names := map[string]bool{f.Path: true}
	for _, p := range f.Others {
		names[p] = true
	}
	for range 2 { // a commit beside it may be newer than the renaming
		for _, c := range log {
			for from, to := range renamed(c) {
				if names[to] {
					names[from] = true
				}
				if to == f.Path && name.ID == "" {
					name = c
				}
			}
		}
	}
	text = wrote(log, names, f.ID == "")
	if len(text) == 0 && f.ID != "" {
		for _, c := range log {
			if slices.ContainsFunc(c.Changes, func(d git.Difference) bool { return d.After.ID == f.ID }) {
				text = []git.Commit{c}
			}
		}
	}
	if c, ok := copies.Of(f.Path, func(string) bool { return true }); ok && len(text) == 0 {
		text = wrote(log, map[string]bool{c.Of: true}, false)
	}
	if len(text) == 0 {
		text = slices.Clone(log[:min(len(log), 1)])
		if at := slices.IndexFunc(log, func(c git.Commit) bool { return !own(c) }); at >= 0 {
			text = []git.Commit{log[at]}
		}
	}
	slices.SortStableFunc(text, func(a, b git.Commit) int {
		switch {
		case own(a) == own(b):
			return 0
		case own(a):
			return 1
		}
		return -1
	})
	return text, name
}

// wrote are the commits that wrote, or deleted, a file of some names.
func wrote(log []git.Commit, names map[string]bool, deleted bool) (found []git.Commit) {
	for _, c := range log {
		moved := map[string]bool{}
		for _, to := range renamed(c) {
			moved[to] = true
		}
		if slices.ContainsFunc(c.Changes, func(d git.Difference) bool {
			return names[d.Path] && (d.After.ID == "") == deleted && !moved[d.Path]
		}) {
			found = append(found, c)
		}
	}
	return found
}

// renamed returns the files that a commit gave another name and nothing else, by the name that they had.
func renamed(c git.Commit) map[string]string {
	gone, out := map[string]string{}, map[string]string{}
	for _, d := range c.Changes {
		if d.After.ID == "" {
			gone[d.Before.ID] = d.Path
		}
	}
	for _, d := range c.Changes {
		if from := gone[d.After.ID]; d.Before.ID == "" && from != "" {
			out[from] = d.Path
		}
	}
	return out
}
