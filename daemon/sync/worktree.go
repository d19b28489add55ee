package sync

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/daemon/sync/git"
	"kist/daemon/sync/moved"
	"kist/vault"
	"kist/vault/control"
	"kist/vault/ignore"
)

const (
	// staleLock is the age of an index.lock that no git holds any more, in all likelihood.
	staleLock = time.Minute
	// keptMoves is how long it is known what a move of HEAD put in place: by then all of it
	// has been looked at.
	keptMoves = 5 * time.Minute
)

// A WorkTree says what the user's own git does with a vault's folder, in a repository that kist
// syncs or in another one. It reads git's files, and has git list what a move of HEAD changed. It is a
// [vault.Git].
type WorkTree struct {
	dir   string
	files files
	log   *slog.Logger

	mu     sync.Mutex
	mark   git.Mark
	put    map[string]placedPaths // by path below the vault
	prefix string                 // of the vault's folder in the repository
	until  time.Time              // that put counts
}

// placedPaths is what git made of one file.
type placedPaths struct {
	id   string // of the blob; empty: it is gone
	how  vault.Placement
	file os.FileInfo // as it was seen first with that text: another one of the same text is somebody's
}

// NewWorkTree returns the work tree that a vault's folder is in, and notes where its HEAD is unless
// that is known. dir is where this machine keeps things of that vault's sync.
func NewWorkTree(folder, dir string, log *slog.Logger) *WorkTree {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	w := &WorkTree{dir: folder, files: files{dir, folder}, log: log}
	if from, err := moved.Follow(context.Background(), folder, dir); from != "" || err != nil {
		log.Info("sync: the vault's folder was moved, and its settings go along", "was", from, "err", err)
	}
	if at := git.Dir(folder); at != "" && !w.known() {
		_, _, w.mark = git.Moves(at, git.Mark{})
		w.keep()
	}
	return w
}

// Busy says what git is in the middle of; empty: nothing. Where the vault is synced it also
// counts that no branch is checked out.
func (w *WorkTree) Busy() string {
	dir := git.Dir(w.dir)
	if dir == "" {
		return ""
	}
	if what := git.Underway(dir); what != "" {
		return what
	}
	if s, err := w.files.load(); err == nil && s.Local != "" {
		if branch, known := git.Branch(dir); known && branch == "" {
			return "no branch is checked out, while " + s.Local + " is synced"
		}
	}
	return ""
}

// Moving reports whether a git holds the index, as while it changes files.
func (w *WorkTree) Moving() bool {
	dir := git.Dir(w.dir)
	if dir == "" {
		return false
	}
	since := git.Locked(dir)
	return !since.IsZero() && time.Since(since).Abs() < staleLock
}

// Placed says how git made a document what it is.
func (w *WorkTree) Placed(ctx context.Context, p string, text []byte) vault.Placement {
	dir := git.Dir(w.dir)
	if dir == "" {
		return vault.Placement{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.look(ctx, dir)
	how := vault.Placement{}
	if at, ok := w.put[p]; ok && isBlob(text, at.id) && w.still(p, at) {
		how = at.how
	} else if ok {
		delete(w.put, p) // somebody went on from there
	}
	s, err := w.files.load()
	if branch, known := git.Branch(dir); known && err == nil && s.Local != "" && branch != s.Local && !git.Renamed(dir, s.Local, branch) {
		// What is done on a branch that isn't synced git keeps: a log of it would lie on that
		// branch, and stand in the way of going back.
		if how.Why == "" {
			how = vault.Placement{Why: "on the branch " + branch, Own: true, Later: true}
		}
		how.Switched = true
	}
	return how
}

// still reports whether a file is the one that git put there, by what was seen of it first.
func (w *WorkTree) still(p string, at placedPaths) bool {
	if at.id == "" {
		return true
	}
	fi, err := os.Lstat(filepath.Join(w.dir, filepath.FromSlash(p)))
	switch {
	case err != nil:
		return false
	case at.file == nil:
		at.file = fi
		w.put[p] = at
		return true
	}
	return os.SameFile(fi, at.file) && fi.ModTime().Equal(at.file.ModTime())
}

// isBlob reports whether git would call a text by an id, as it is or with its line ends
// as a repository has them.
func isBlob(text []byte, id string) bool {
	if text == nil || id == "" {
		return text == nil && id == ""
	}
	return git.BlobID(text, len(id)) == id || strings.Contains(string(text), "\r\n") && git.BlobID([]byte(strings.ReplaceAll(string(text), "\r\n", "\n")), len(id)) == id
}

// look takes in what HEAD did since the last look. A first look only notes where it is.
func (w *WorkTree) look(ctx context.Context, dir string) {
	if !w.until.IsZero() && time.Now().After(w.until) {
		w.put, w.until = nil, time.Time{}
		w.keep()
	}
	moves, made, now := git.Moves(dir, w.mark)
	if now == w.mark {
		return
	}
	w.mark = now
	if len(moves) == 0 {
		w.keep()
		return
	}
	repo, err := git.Open(ctx, w.dir)
	if err != nil {
		w.log.Debug("sync: what git did isn't known", "err", err)
		return
	}
	w.prefix = repo.Prefix
	if w.put == nil {
		w.put = map[string]placedPaths{}
	}
	for _, m := range moves {
		files, err := repo.Put(ctx, m)
		if err != nil {
			w.log.Debug("sync: what git did isn't known", "err", err)
			continue
		}
		how := vault.Placement{Why: vault.OneLine(m.Why), Switched: m.Switched(), Own: !repo.Brought(ctx, m, made)}
		for p, id := range files {
			if own, ok := strings.CutPrefix(p, w.prefix); ok {
				w.put[own] = placedPaths{id: id, how: how}
			}
		}
	}
	w.until = time.Now().Add(keptMoves)
}

// known reads how far git's moves were followed, if that was kept.
func (w *WorkTree) known() bool {
	text, err := control.Read(w.markFile(), 64<<10)
	return err == nil && json.Unmarshal(text, &w.mark) == nil && w.mark != git.Mark{}
}

func (w *WorkTree) markFile() string { return filepath.Join(w.files.dir, "moves.json") }

// keep writes down what was read of the reflog, once all that it tells of has been
// looked at: a daemon that starts anew goes on from there.
func (w *WorkTree) keep() {
	err := os.MkdirAll(w.files.dir, 0o700)
	if err == nil {
		err = w.files.place()
	}
	if err == nil {
		err = keep(w.markFile(), w.mark)
	}
	if err != nil {
		w.log.Debug("sync: how far git's moves were followed isn't kept", "err", err)
	}
}

// Leaves returns what says of a file of the vault whether sync leaves it out: by the patterns that
// the vault's settings ask for now, or asked for at some time since this machine's user set sync up.
func (w *WorkTree) Leaves(asked func() ([]string, error)) func(p string) bool {
	var mu sync.Mutex
	var last []string
	var out *ignore.Rules
	return func(p string) bool {
		patterns, _ := asked() // what it asked for last; a round says what is wrong
		if s, err := w.files.load(); err == nil {
			patterns = append(slices.Clone(patterns), s.LeaveOut...)
		}
		if len(patterns) == 0 {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		if out == nil || !slices.Equal(patterns, last) {
			last, out = patterns, leaving(patterns)
		}
		return out.Match(p, false)
	}
}
