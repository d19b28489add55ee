package git

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Move is one time that the user's git took HEAD, and the files with it, from one commit to
// another one, as the reflog tells; a commit is none.
type Move struct {
	From, To string // From is empty where there was no commit
	Why      string // such as "checkout: moving from main to plan"
}

// Switched reports whether git only went from one thing that it keeps to another one, rather
// than adding to a branch.
func (m Move) Switched() bool {
	verb, _, _ := strings.Cut(m.Why, ":")
	return verb == "checkout" || verb == "reset"
}

// A Mark is how much of the reflog was read.
type Mark struct {
	Size int64  `json:"size"`
	Last string `json:"last"` // line before Size
}

// Dir returns the git directory of the work tree that a folder is in, by looking for it and
// without running anything; empty: none.
func Dir(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		at := filepath.Join(dir, ".git")
		fi, err := os.Lstat(at)
		switch {
		case err == nil && fi.IsDir():
			return at
		case err == nil && fi.Mode().IsRegular() && fi.Size() < 8<<10:
			text, err := os.ReadFile(at)
			to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if err != nil || !ok {
				return ""
			}
			if to = filepath.FromSlash(to); !filepath.IsAbs(to) {
				to = filepath.Join(dir, to)
			}
			return filepath.Clean(to)
		case err == nil || !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir):
			return ""
		}
	}
}

// unknownBranch is what HEAD holds in a repository that keeps its references elsewhere (reftable).
const unknownBranch = ".invalid"

// Branch returns the branch that a git directory's HEAD is on, by reading that file; empty: none.
// It is false where the file doesn't tell.
func Branch(dir string) (branch string, known bool) {
	text, err := os.ReadFile(filepath.Join(dir, "HEAD"))
	if err != nil || len(text) > 8<<10 {
		return "", false
	}
	branch, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/heads/")
	if !ok {
		return "", true
	}
	return branch, branch != unknownBranch
}

// Renamed reports whether the branch to is what the user's git renamed the branch from to, of
// which there is none any more. dir is the git directory.
func Renamed(dir, from, to string) bool {
	common := commonOf(dir)
	if from == to || CheckRef(from) != nil || CheckRef(to) != nil || readRef(common, "refs/heads/"+to) == "" || readRef(common, "refs/heads/"+from) != "" {
		return false
	}
	if packed, err := os.ReadFile(filepath.Join(common, "packed-refs")); err == nil && strings.Contains(string(packed), " refs/heads/"+from+"\n") {
		return false
	}
	name := filepath.Join(common, "logs", "refs", "heads", filepath.FromSlash(to))
	fi, err := os.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() {
		return false
	}
	text, _, err := reflog(name, fi.Size())
	if err != nil {
		return false
	}
	at := from // a branch may be renamed more than once
	for line := range strings.Lines(text) {
		_, why, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\tBranch: renamed refs/heads/")
		if was, is, ok := strings.Cut(why, " to refs/heads/"); ok && was == at {
			at = is
		}
	}
	return at == to
}

// maxReflog is how much of a reflog is read, in bytes; of a longer one, its end.
const maxReflog = 16 << 20

// Moves returns what the reflog of a git directory has after a mark, oldest first, with moves that
// follow each other as one, and where it ends. Commits that it says were made here are in made. What
// kist did isn't among the moves. Where the mark isn't found there, nothing is known.
func Moves(dir string, since Mark) (all []Move, made map[string]bool, now Mark) {
	name := filepath.Join(dir, "logs", "HEAD")
	fi, err := os.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() == since.Size {
		return nil, nil, since
	}
	text, size, err := reflog(name, fi.Size())
	if err != nil {
		return nil, nil, since
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	now = Mark{size, lines[len(lines)-1]}
	made = map[string]bool{}
	at := -1
	for i, line := range lines {
		if e, ok := readMove(line); ok && isMade(e.Why) {
			made[e.To] = true
		}
		if line == since.Last {
			at = i
		}
	}
	if at < 0 {
		return nil, made, now
	}
	for _, line := range lines[at+1:] {
		m, ok := readMove(line)
		if !ok || isTyped(m.Why) || m.Why == "kist sync" {
			continue
		}
		if n := len(all); n > 0 && all[n-1].To == m.From && all[n-1].Switched() == m.Switched() {
			all[n-1].To, all[n-1].Why = m.To, m.Why
			continue
		}
		all = append(all, m)
	}
	return all, made, now
}

// reflog returns the complete lines at the end of a reflog, and where they end.
func reflog(name string, size int64) (lines string, end int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	from := max(0, size-maxReflog)
	text := make([]byte, size-from)
	n, err := f.ReadAt(text, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", 0, err
	}
	lines = string(text[:n])
	lines = lines[:strings.LastIndexByte(lines, '\n')+1] // the last one may not be complete yet
	end = from + int64(len(lines))
	if from > 0 {
		_, lines, _ = strings.Cut(lines, "\n")
	}
	return lines, end, nil
}

// isMade reports whether a line of the reflog tells of a commit that was made here, of what was
// here. A merge is one as well, of whose parents not all need be.
func isMade(why string) bool {
	verb, said, _ := strings.Cut(why, ":")
	first, _, _ := strings.Cut(verb, " ")
	switch first {
	case "commit", "revert":
		return true
	case "rebase":
		return !strings.Contains(verb, "start") && !strings.Contains(verb, "finish")
	}
	return (first == "merge" || first == "pull") && strings.Contains(said, "Merge made")
}

// isTyped reports whether the files of a commit were what they are already: git moved none.
func isTyped(why string) bool { return strings.HasPrefix(why, "commit") }

// readMove reads a line such as "<old> <new> Ann <ann@example.org> 1764000000 +0000\tcheckout: moving from a to b".
func readMove(line string) (Move, bool) {
	head, why, ok := strings.Cut(line, "\t")
	f := strings.SplitN(head, " ", 3)
	if !ok || len(f) != 3 || !isID(f[0]) || !isID(f[1]) {
		return Move{}, false
	}
	m := Move{f[0], f[1], why}
	if strings.Trim(m.From, "0") == "" {
		m.From = ""
	}
	return m, true
}

func isID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// Put returns what a move made of files, by their path below the repository's top: the ids of
// their blobs, empty for those that it took away. A reset that stayed where it was may have put any
// file back.
func (r *Repo) Put(ctx context.Context, m Move) (map[string]string, error) {
	put := map[string]string{}
	if m.From == m.To || m.From == "" {
		out, err := r.git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", m.To)
		for line := range strings.SplitSeq(string(out), "\x00") {
			head, path, ok := strings.Cut(line, "\t")
			if f := strings.Fields(head); ok && len(f) == 3 {
				put[path] = f[2]
			}
		}
		return put, err
	}
	out, err := r.git(ctx, nil, "diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--end-of-options", m.From, m.To, "--")
	if err != nil {
		return nil, err
	}
	diff, err := parseRaw(out)
	for _, d := range diff {
		put[d.Path] = d.After.ID
	}
	return put, err
}

// Brought reports whether a move brought commits that aren't among those that were made here.
func (r *Repo) Brought(ctx context.Context, m Move, made map[string]bool) bool {
	args := []string{"rev-list", "-n", "1000", "--end-of-options", m.To}
	if m.From != "" {
		args = append(args, "^"+m.From)
	}
	out, err := r.git(ctx, nil, append(args, "--")...)
	if err != nil {
		return true
	}
	n := 0
	for id := range strings.FieldsSeq(string(out)) {
		if n++; !made[id] {
			return true
		}
	}
	return n == 1000
}
