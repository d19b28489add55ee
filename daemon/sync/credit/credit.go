/*
Package credit says which commits brought what a file becomes. A [Ledger] is made of the commits that came, and asked for one file at a
time; what is renamed is told by texts that stay as they were.
*/
package credit

import (
	"maps"
	"slices"
	"sort"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
)

// A File is one that came.
type File struct {
	Path   string   // in the repository
	Others []string // by which it may have been known elsewhere: where it was here, where it is there
	ID     string   // of what it becomes; empty: it goes
}

// A Ledger knows which commits did what to which files.
type Ledger struct {
	log   []git.Commit
	own   func(git.Commit) bool
	at    map[string][]entry // by path, newest first
	first map[string]int     // of a text the oldest commit that has it, by what git calls the text
}

// An entry is what a commit did to a file.
type entry struct {
	commit int
	gone   bool
	from   string // where the file was before, with the same text; empty: it is written
}

// New returns the ledger of a log, as [git.Store.Log] gives it. own tells which commits are of the user's own devices.
func New(log []git.Commit, own func(git.Commit) bool) *Ledger {
	l := &Ledger{log, own, map[string][]entry{}, map[string]int{}}
	for i, c := range log {
		gone := map[string]string{}
		for _, d := range c.Changes {
			if d.After.ID == "" {
				gone[d.Before.ID] = d.Path
			}
		}
		for _, d := range c.Changes {
			e := entry{commit: i, gone: d.After.ID == ""}
			if d.Before.ID == "" {
				e.from = gone[d.After.ID]
			}
			l.at[d.Path] = append(l.at[d.Path], e)
			l.first[d.After.ID] = i
		}
	}
	return l
}

// Of returns the commits that brought a file's text, the first of which an operation names, and the one that brought
// its name, whose ID is empty where none is known. Of several commits those of somebody else are first, and the newest of them.
//
// They are those that wrote the file by one of its names; where there is none, as of a file that a merge put elsewhere, the
// one that wrote that text first; of a conflict copy those that wrote its document; and at last the newest of all.
func (l *Ledger) Of(f File) (text []git.Commit, name git.Commit) {
	names := map[string]bool{}
	for todo := append([]string{f.Path}, f.Others...); len(todo) > 0; todo = todo[1:] {
		if names[todo[0]] {
			continue
		}
		names[todo[0]] = true
		for _, e := range l.at[todo[0]] {
			if e.from != "" {
				todo = append(todo, e.from)
			}
		}
	}
	if at := slices.IndexFunc(l.at[f.Path], func(e entry) bool { return e.from != "" }); at >= 0 {
		name = l.log[l.at[f.Path][at].commit]
	}
	text = l.wrote(names, f.ID == "")
	if at, ok := l.first[f.ID]; ok && len(text) == 0 && f.ID != "" {
		text = []git.Commit{l.log[at]}
	}
	if c, ok := copies.Of(f.Path, func(string) bool { return true }); ok && len(text) == 0 {
		text = l.wrote(map[string]bool{c.Of: true}, false)
	}
	if len(text) == 0 {
		text = slices.Clone(l.log[:min(len(l.log), 1)])
		if at := slices.IndexFunc(l.log, func(c git.Commit) bool { return !l.own(c) }); at >= 0 {
			text = []git.Commit{l.log[at]}
		}
	}
	sort.SliceStable(text, func(i, j int) bool { return !l.own(text[i]) && l.own(text[j]) })
	return text, name
}

// wrote are the commits that wrote, or deleted, a file of some names, newest first.
func (l *Ledger) wrote(names map[string]bool, deleted bool) (found []git.Commit) {
	commits := map[int]bool{}
	for p := range names {
		for _, e := range l.at[p] {
			if e.gone == deleted && e.from == "" {
				commits[e.commit] = true
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(commits)) {
		found = append(found, l.log[i])
	}
	return found
}
