package sync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kist/daemon/sync/driven"
	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/vault"
	"kist/vault/ignore"
)

// A Progress is how far a round is.
type Progress struct {
	Phase   string // commit, fetch, merge, push
	Detail  string // what git says that it does; may be empty
	Percent int    // of Detail, 0 to 100
}

// An Outcome is what a round did.
type Outcome struct {
	Committed int      // files that were changed here
	Brought   int      // files that were changed elsewhere
	Pushed    int      // commits
	Upheld    []string // files that both changed in ways that contradict each other: ours stands, and theirs lies beside it
	Yielded   []string // such files of which theirs stands, and what this machine had lies beside it
	Left      []string // files of the remote that are not put on this disk: links that lead elsewhere, names of git's or kist's own
	Unsent    []Unsent // files of this disk that aren't sent; nil: nobody looked
	Commit    string   // that both are at now
}

// A round is one sync, from commit to push.
type round struct {
	vault    *vault.Vault
	files    files
	settings settings
	log      *slog.Logger
	progress func(Progress)
	step     func(string) // a test may end the process here
	text     merger3
	largest  int64         // of a file that is still committed, and written by kist itself
	out      *ignore.Rules // what the user leaves out
	litter   *ignore.Rules // what editors leave beside files

	rewritten bool // merge even where the remote's history was rewritten
	first     bool // the two histories may have nothing in common

	repo     *git.Repo
	store    *git.Store
	line     []string // commits, each of which goes on from the one before: the one that was found, and those that were made
	compared comparison
	comes    *coming // what the last comparison brings; nil: it wasn't looked at
	logged   logged
	broken   brokenOff
	placed   map[string]git.File // what theirs had where a merge that doesn't go on put something in place, and what is put back
	names    map[string]string   // of files that a merge joined: where theirs has what we have at a path
	there    string              // the remote's commit; empty: none yet
	aborted  map[string]bool     // copies of a merge by git that was aborted, below the repository's top
	whole    bool                // the log has more than what came
	held     map[string]string   // files that were changed here and are not kist's to commit, with the reason
	outcome  Outcome
}

// tries is how often a round begins anew when another machine pushed at the same time.
const tries = 8

// run is the whole round. What it has done is in the outcome, also when it ends with an error.
func (r *round) run(ctx context.Context) error {
	begun := r.vault.Now()
	if err := r.open(ctx); err != nil {
		return err
	}
	head, err := r.head(ctx)
	if err != nil {
		return err
	}
	if head, err = r.resume(ctx, head); err != nil {
		return err
	}
	r.tell("commit")
	if r.repo.Locked().IsZero() { // else a git may have a merge only begun
		r.aborted = driven.Aborted(r.repo.GitDir, r.repo.Top, func(was string) bool {
			common, err := r.store.MergeBase(ctx, was, head)
			return err == nil && was != head && common == was
		})
	}
	if err := wholeLog(ctx, r, head); err != nil {
		return err
	}
	r.record(ctx)
	if why := r.vault.Vanished(); why != "" {
		return fmt.Errorf("%w: %s", ErrVanished, why)
	}
	r.line = []string{head}
	for range tries {
		if head, err = r.commit(ctx, head); err != nil {
			return err
		}
		if err = r.send(ctx, head); err == nil {
			break
		} else if !errors.Is(err, git.ErrBehind) {
			return err
		}
		if head, err = r.fetch(ctx, head); err != nil {
			return err
		}
		if r.outcome.Brought > 0 || r.whole { // what the log says of that belongs to it
			if head, err = r.commit(ctx, head); err != nil {
				return err
			}
		}
		err = r.push(ctx, head)
		if !errors.Is(err, git.ErrBehind) {
			break
		}
	}
	if err != nil {
		return err
	}
	r.settings.Synced = begun.UTC() // operations from then on are not committed yet, or only some of them
	was := r.settings.Commit
	r.settings.Unsent = r.outcome.Unsent
	r.outcome.Commit, r.settings.Commit = head, head
	if head == was {
		return nil
	}
	if err := r.store.Track(ctx, r.settings.Remote, r.settings.Branch, head); err != nil {
		r.log.Debug("sync: the user's git was not told where the remote is", "err", err)
	}
	return nil
}

// litter is why a file of an editor or another synchroniser isn't committed. What comes under such a name is taken.
const litter = "an editor's own"

// leftOut says why a file of the vault isn't committed, new or changed; empty: it is.
func (r *round) leftOut(p string, known bool) string {
	switch {
	case r.out.Match(p, false), r.vault.Layout().Unsent(p):
		return "left out by kist.yaml"
	case !known && (r.litter.Match(p, false) || r.aborted[path.Join(r.repo.Prefix, p)]):
		return litter
	case !known && git.Nested(r.repo.Top, path.Join(r.repo.Prefix, p)):
		return "of a git repository that lies in the vault"
	}
	return ""
}

// leaveOut takes in what the vault's settings leave out.
func (r *round) leaveOut(patterns []string) {
	for _, p := range patterns {
		if !slices.Contains(r.settings.LeaveOut, p) {
			r.settings.LeaveOut = append(r.settings.LeaveOut, p)
		}
	}
	r.litter, r.out = rules(), leaving(r.settings.LeaveOut)
}

func (r *round) tell(phase string) {
	if r.progress != nil {
		r.progress(Progress{Phase: phase})
	}
}

// gitProgress passes on what git says of a phase.
func (r *round) gitProgress(phase string) func(git.Progress) {
	if r.progress == nil {
		return nil
	}
	return func(p git.Progress) { r.progress(Progress{phase, p.Phase, p.Percent}) }
}

// record has what other programs saved logged before it is committed, so that the log
// travels with it. Where that can't be seen at present the files are committed all the same.
func (r *round) record(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := r.vault.Record(ctx); err != nil {
		r.log.Debug("sync: what was saved is not recorded yet", "err", err)
	}
}

// open finds the repository and what a round that was killed left.
func (r *round) open(ctx context.Context) (err error) {
	if r.repo, err = git.Reopen(ctx, r.vault.Dir(), r.repo); err != nil {
		return err
	}
	if what := r.repo.Underway(); what != "" {
		return fmt.Errorf("%w: %s", ErrBusy, what)
	}
	if r.store != nil { // a setup has looked at the branches before
		r.store.Close()
	}
	moved, err := follow(r.repo, &r.settings)
	if err != nil {
		return err
	}
	if r.store, err = git.OpenStore(r.repo, r.files.store(), r.settings.URL); err != nil {
		return err
	}
	if moved { // what it had says nothing of this one
		r.log.Info("sync: the remote has another address", "is", git.Show(r.settings.URL))
		if err := r.store.Forget(ctx); err != nil {
			return err
		}
	}
	return r.repo.Recover(ctx, r.store)
}

// head returns the commit that the synced branch is at.
func (r *round) head(ctx context.Context) (string, error) {
	branch, head, err := r.repo.Head(ctx)
	switch {
	case err != nil:
		return "", err
	case branch == "":
		return "", detached(branch, r.settings.Local)
	case branch != r.settings.Local && git.Renamed(r.repo.GitDir, r.settings.Local, branch):
		r.log.Info("sync: the branch has another name here", "was", r.settings.Local, "is", branch)
		r.settings.Local = branch
		return head, r.files.save(r.settings)
	case branch != r.settings.Local:
		return "", detached(branch, r.settings.Local)
	}
	return head, nil
}

// resume puts the rest of the files in place of a merge that was broken off.
func (r *round) resume(ctx context.Context, head string) (string, error) {
	j, err := r.files.readJournal()
	if err != nil || j == nil {
		return head, err
	}
	if base, err := r.store.MergeBase(ctx, j.To, head); err == nil && base == j.To { // it came to its end
		return head, r.files.dropJournal()
	}
	over := j.Local != r.settings.Local || j.From != head || !r.store.Has(ctx, j.To) // the user went on by himself
	if !over {
		defer func() { r.broken = brokenOff{} }()
		if r.broken, err = brokenAt(ctx, r, head); err != nil {
			return head, err
		}
		over, err = goneSince(ctx, r, j) // what he moved or deleted is committed first, and merged then
	}
	if err != nil || over {
		return head, errors.Join(err, takeBack(ctx, r, j, head), putBack(ctx, r, j), r.files.dropJournal())
	}
	r.log.Info("sync: a merge that was broken off goes on", "commit", j.To)
	return j.To, r.carryOut(ctx, j)
}

// takeBack has git take back what a merge that doesn't go on has put in place of what kist doesn't write itself, where the commit head has
// none of it: nobody would commit it, and it would be in the way of what comes.
func takeBack(ctx context.Context, r *round, j *journal, head string) error {
	then, err := r.coming(ctx, j.From, j.To)
	if err != nil {
		return nil // nothing was put in place
	}
	now, err := r.coming(ctx, head, j.To)
	if err != nil {
		return nil
	}
	back := map[string][2]git.File{}
	for p, f := range now.rest {
		if then.rest[p] == f && !now.pointed[p] {
			back[p] = [2]git.File{f[1], f[0]}
		}
	}
	why, err := r.repo.Place(ctx, r.store, back, false)
	if why != "" {
		r.log.Info("sync: what a merge that was broken off has put in place stays", "why", why)
	}
	return err
}

// goneSince reports whether a document that a merge changes is there no more, while no document was put in place yet.
func goneSince(ctx context.Context, r *round, j *journal) (gone bool, err error) {
	c, err := r.coming(ctx, j.From, j.To)
	if err != nil {
		return false, err
	}
	unix := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
	for _, a := range c.arrivals {
		p := path.Join(r.repo.Prefix, a.path)
		there := r.repo.Stands(p)
		text, _ := os.ReadFile(r.repo.Abs(p)) // a folder has none
		switch {
		case !there && a.before != nil && a.after != nil && a.from == "":
			gone = true
		case r.isRecord(a.path): // which come first, and are the same whoever writes them
		case there && a.after != nil && bytes.Equal(unix(text), unix(a.after)), a.after == nil && r.broken.placed[vault.FileChange{Path: a.path}]: // else the user moved or deleted it
			return false, nil
		}
	}
	return gone, nil
}

// carryOut puts the files of a journal in place and then moves the branch.
func (r *round) carryOut(ctx context.Context, j *journal) error {
	if err := r.checkout(ctx, j); err != nil {
		return err
	}
	r.step("advance")
	if err := r.repo.Advance(ctx, r.store, j.Local, j.From, j.To, sorted(r.comes.off)...); err != nil {
		return err
	}
	r.step("advanced")
	if err := r.files.save(r.settings); err != nil { // of what is absent
		return err
	}
	return r.files.dropJournal()
}

// fetch brings the remote's commits, and merges them into head. It returns the commit that
// has both.
func (r *round) fetch(ctx context.Context, head string) (string, error) {
	r.tell("fetch")
	there, last, err := r.store.Fetch(ctx, r.remote(), r.gitProgress("fetch"))
	r.step("fetched")
	if err == nil && there == "" && last != "" && !r.first {
		err = r.branchGone(ctx)
	}
	if err != nil || there == "" {
		return head, err
	}
	r.there = there
	base := ""
	switch {
	case head == there, r.goesOn(there, head):
		base = there
	case head != "":
		if base, err = r.store.MergeBase(ctx, head, there); err != nil {
			return "", err
		}
	}
	if err := r.kept(ctx, last, base, there); err != nil {
		return "", err
	}
	switch {
	case head == there:
		return head, nil
	case head != "" && base == "" && !r.first && !r.rewritten:
		return "", ErrUnrelated
	}
	if base != there {
		if head, err = r.join(ctx, base, head, there); err != nil {
			return "", err
		}
	}
	return head, nil
}

// branchGone is ErrBranchGone where a remote that had the branch has others now. One that has none at all was made anew.
func (r *round) branchGone(ctx context.Context) error {
	_, all, err := r.store.Branches(ctx, r.settings.URL)
	if err != nil || len(all) == 0 || all[r.settings.Branch] != "" {
		return err
	}
	return fmt.Errorf("%w: %s; it has %s", ErrBranchGone, r.settings.Branch, strings.Join(sorted(all)[:min(len(all), 10)], ", "))
}

// kept is ErrRewritten where the remote's commit doesn't go on from the one that was fetched last (empty: none). What
// both have, base, does, so that mostly git needn't be asked.
func (r *round) kept(ctx context.Context, last, base, there string) error {
	if last == "" || last == there || last == base || r.rewritten {
		return nil
	}
	if common, err := r.store.MergeBase(ctx, last, there); err != nil {
		return err
	} else if common != last {
		return fmt.Errorf("%w: it had %.10s, which is no part of it any more", ErrRewritten, last)
	}
	return nil
}

// join brings head and there together, and the files on the disk with them.
func (r *round) join(ctx context.Context, base, head, there string) (string, error) {
	r.tell("merge")
	j := &journal{Local: r.settings.Local, From: head, To: there, There: there, Import: r.first}
	if base != head {
		merged, beside, err := r.merge(ctx, base, head, there)
		if err != nil {
			return "", err
		}
		j.To, j.Beside = merged, beside
	}
	if err := r.ownBeside(ctx, j); err != nil {
		return "", err
	}
	if err := r.free(ctx, j); err != nil {
		return "", err
	}
	if err := keep(r.files.journal(), j); err != nil {
		return "", err
	}
	r.step("journal")
	r.line = []string{j.To}
	return j.To, r.carryOut(ctx, j)
}

// free refuses a merge that would change what the user has staged, or files that are here but not in git.
func (r *round) free(ctx context.Context, j *journal) error {
	diff, err := r.differences(ctx, j.From, j.To)
	if err == nil {
		err = tooDeep(diff)
	}
	if err != nil {
		return err
	}
	for _, d := range diff {
		for _, p := range []string{d.Path, d.From} {
			if why := r.held[p]; p != "" && why != "" && why != litter {
				return fmt.Errorf("%w: %s (%s)", ErrHeld, p, why)
			}
		}
		if own, ok := r.below(d.Path); ok && names.Handled(own) && d.Before.ID == "" && d.From == "" {
			if fi, err := os.Lstat(r.repo.Abs(d.Path)); err == nil && !r.same(own, fi, d.After) && !(fi.IsDir() && r.empties(d.Path, diff)) {
				return fmt.Errorf("%w: %s (it is here, and left out of git)", ErrHeld, d.Path)
			}
		}
	}
	c, err := r.coming(ctx, j.From, j.To)
	if err != nil {
		return err
	}
	return r.place(ctx, c, true)
}

// empties reports whether differences take all files away that are in a folder here.
func (r *round) empties(dir string, diff []git.Difference) bool {
	goes := map[string]bool{}
	for _, d := range diff {
		goes[d.From] = true
		if d.After.ID == "" {
			goes[d.Path] = true
		}
	}
	top := r.repo.Abs(dir)
	err := filepath.WalkDir(top, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if below, err := filepath.Rel(top, p); err != nil || !goes[path.Join(dir, filepath.ToSlash(below))] {
			return fs.ErrExist
		}
		return nil
	})
	return err == nil
}

// same reports whether a file that is here and not in the commit is one of a checkout that
// was broken off, or an edit of this moment, which the vault's door merges.
func (r *round) same(p string, fi os.FileInfo, f git.File) bool {
	return fi.Mode().IsRegular() && isFile(f) && (!r.vault.Ignored(p) || r.litter.Match(p, false))
}

func (r *round) remote() git.Remote {
	return git.Remote{URL: r.settings.URL, Branch: r.settings.Branch}
}

// push sends what the remote hasn't got.
func (r *round) push(ctx context.Context, head string) error {
	if head == "" || head == r.there {
		if r.there == "" {
			return nil
		}
		return r.store.See(r.there)
	}
	n, known := r.since(r.there, head)
	if !known {
		var err error
		if n, err = r.store.Count(ctx, head, r.there); err != nil {
			return err
		}
	}
	return r.give(ctx, r.there, head, n)
}

// give makes a commit the remote's, which has another one (empty: none) as far as is known, n commits ago.
func (r *round) give(ctx context.Context, there, head string, n int) error {
	r.tell("push")
	r.step("push")
	if err := r.store.Push(ctx, r.remote(), there, head, r.gitProgress("push")); err != nil {
		return err
	}
	r.step("pushed")
	r.there = head
	r.outcome.Pushed += n
	return nil
}

// goesOn reports whether it is known that a commit goes on from another one.
func (r *round) goesOn(from, head string) bool {
	_, known := r.since(from, head)
	return known
}

// since returns how many commits this round made after one, up to another one, if it made all of them.
func (r *round) since(commit, head string) (int, bool) {
	at := slices.Index(r.line, commit)
	return len(r.line) - 1 - at, at >= 0 && commit != "" && r.line[len(r.line)-1] == head
}

// send gives the remote what was just committed, without asking it first what it has: a
// remote that has anything but what it had refuses, which is ErrBehind.
func (r *round) send(ctx context.Context, head string) error {
	there := r.store.Seen()
	n, known := r.since(there, head)
	if !known || n == 0 || r.first || r.rewritten {
		return git.ErrBehind
	}
	return r.give(ctx, there, head, n)
}
