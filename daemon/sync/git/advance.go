package git

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// lockWait is how long an index that another git holds is waited for.
const lockWait = 5 * time.Second

// An advance is what [Repo.Advance] notes, in the store, before it holds the user's index, so
// that a kill at any moment leaves nothing that the next start can't finish.
type advance struct {
	Branch string `json:"branch"`
	New    string `json:"new"`
	Lock   string `json:"lock"` // SHA-256 of the index that stands in index.lock meanwhile
}

// Advance moves the branch that is checked out from one commit (empty: none) to another
// one, and brings the user's index up to date for the files that differ between the two: each
// whose entry is what the old commit has gets that of the new one. What the user staged stays
// staged. Files of the new commit that are kept off the work tree get a flag in the index that says so (skip-worktree), so that git takes them for
// neither deleted nor changed. It holds index.lock as git does, for about a millisecond: the git that moves the branch
// is started before and only told to. It returns ErrLocked where another git
// holds it for longer, and ErrMovedOn where the branch, HEAD or the index is not what it was.
func (r *Repo) Advance(ctx context.Context, s *Store, branch, from, to string, off ...string) error {
	if err := CheckRef(branch); err != nil {
		return err
	}
	if err := r.waitUnlocked(ctx, lockWait); err != nil {
		return err
	}
	before, err := readIndex(r)
	if err != nil {
		return err
	}
	after, err := r.indexFor(ctx, s, before, from, to, off)
	if err != nil {
		return err
	}
	lock := filepath.Join(r.GitDir, "index.lock")
	sum := sha256.Sum256(after)
	note, err := json.Marshal(advance{branch, to, hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.note(), note, 0o600); err != nil {
		return err
	}
	cutOff := false
	defer func() {
		if !cutOff {
			os.Remove(s.note())
		}
	}()
	if _, err := s.mover(ctx); err != nil {
		return err
	}
	if err := placeLock(lock, after); err != nil {
		return err
	}
	err = r.unchanged(ctx, branch, before)
	if err == nil {
		err = s.move(ctx, updateOf(branch, from, to))
	}
	if err != nil && ctx.Err() != nil { // git was ended: whether it moved the branch, the next start sees
		cutOff = true
		return errors.Join(err, r.Recover(context.WithoutCancel(ctx), s))
	}
	if err != nil {
		if !errors.Is(err, syscall.ENOSPC) {
			err = fmt.Errorf("%w: %w", ErrMovedOn, err)
		}
		return errors.Join(err, os.Remove(lock))
	}
	if err := os.Rename(lock, filepath.Join(r.GitDir, "index")); err != nil {
		return err
	}
	if from != "" && r.clean == indexAt(before, from) {
		r.clean = indexAt(after, to)
	}
	if len(off) == 0 && len(r.flags.of) == 0 && r.flags.at == indexAt(before, "") {
		r.flags.at = indexAt(after, "")
	}
	return nil
}

// note is where the store keeps an [advance].
func (s *Store) note() string { return filepath.Join(s.dir, "advance.json") }

func readIndex(r *Repo) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(r.GitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// unchanged looks, with the lock held, whether the index and HEAD are what they were.
func (r *Repo) unchanged(ctx context.Context, branch string, before []byte) error {
	now, err := readIndex(r)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) || (now == nil) != (before == nil) {
		return errors.New("the index was changed")
	}
	head, err := os.ReadFile(filepath.Join(r.GitDir, "HEAD"))
	if err == nil && string(head) == "ref: refs/heads/"+branch+"\n" {
		return nil
	}
	is, _, err := r.Head(ctx) // where refs are kept in another way
	if err == nil && is != branch {
		err = errors.New("another branch was checked out")
	}
	return err
}

// indexFor returns the user's index as it is to be after the branch was moved.
func (r *Repo) indexFor(ctx context.Context, s *Store, before []byte, from, to string, off []string) ([]byte, error) {
	changes, err := s.entries(ctx, from, to)
	if err != nil {
		return nil, err
	}
	entries, clean := map[string]File{}, from != "" && r.clean == indexAt(before, from)
	copied := filepath.Join(s.dir, "user-index")
	defer os.Remove(copied)
	_ = os.Remove(copied + ".lock")
	if before != nil {
		if err := os.WriteFile(copied, before, 0o600); err != nil {
			return nil, err
		}
		if !clean {
			entries, err = r.indexEntries(ctx, copied, changes)
		}
		if err != nil {
			return nil, err
		}
	} else {
		_ = os.Remove(copied)
	}
	update := map[string]File{}
	for p, c := range changes {
		if clean || entries[p] == c[0] {
			update[p] = c[1]
		}
	}
	if len(update) == 0 && before != nil {
		return before, nil
	}
	// In the user's own git directory: his index may be split, with its other part there.
	index := func(stdin []byte, args ...string) error {
		_, err := run(ctx, command{dir: r.Top, env: []string{"GIT_INDEX_FILE=" + copied}, config: r.overrides, stdin: bytes.NewReader(stdin), hold: s.held,
			args: append([]string{"update-index"}, args...)})
		return err
	}
	if err := index(s.indexInfo(update), "--replace", "-z", "--index-info"); err != nil {
		return nil, err
	}
	flagged := map[Flag][]string{SkipWorktree: off} // an entry that is replaced has none
	for p, has := range r.flags.of {
		for _, flag := range has {
			flagged[flag] = append(flagged[flag], p)
		}
	}
	for flag, paths := range flagged {
		paths = slices.DeleteFunc(paths, func(p string) bool { return update[p].ID == "" })
		if len(paths) == 0 {
			continue
		}
		if err := index([]byte(strings.Join(paths, "\x00")+"\x00"), "--"+string(flag), "-z", "--stdin"); err != nil {
			return nil, err
		}
	}
	return os.ReadFile(copied)
}

// entries returns what two commits have of the files that differ between them.
func (s *Store) entries(ctx context.Context, from, to string) (map[string][2]File, error) {
	changes := map[string][2]File{}
	if from != "" && s.told.before == from && s.told.after == to {
		for _, d := range s.told.diff {
			if d.From != "" {
				changes[d.From] = [2]File{d.Before, {}}
				d.Before = File{}
			}
			changes[d.Path] = [2]File{d.Before, d.After}
		}
		return changes, nil
	}
	diff, err := compare(ctx, s, cmp.Or(from, s.EmptyTree()), to, everywhere)
	for _, d := range diff {
		changes[d.Path] = [2]File{d.Before, d.After}
	}
	return changes, err
}

// fewPaths are so few, and so short together, that they are named on a command line.
const fewPaths, fewBytes = 100, 8 << 10

// indexEntries lists an index, of which at least some files are wanted. A file that is in the
// middle of a merge has an entry that is no other one's.
func (r *Repo) indexEntries(ctx context.Context, index string, wanted map[string][2]File) (map[string]File, error) {
	args, size := []string{"ls-files", "--stage", "-z", "--"}, 0
	for p := range wanted {
		args = append(args, ":(literal,top)"+p)
		size += len(p)
	}
	if len(wanted) > fewPaths || size > fewBytes {
		args = args[:3]
	}
	out, err := run(ctx, command{dir: r.Top, env: []string{"GIT_INDEX_FILE=" + index}, config: r.overrides, args: args})
	if err != nil {
		return nil, err
	}
	all := map[string]File{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, p, ok := strings.Cut(line, "\t")
		f := strings.Fields(head)
		if !ok || len(f) != 3 {
			continue
		}
		if f[2] != "0" {
			all[p] = File{Mode: "unmerged"}
			continue
		}
		all[p] = File{f[0], f[1]}
	}
	return all, nil
}
