package git

import (
	"context"
	"strings"
)

// A Flag of a file in the user's index has git not look at it: it is as the index says, whatever lies there.
type Flag string

// The flags, as git update-index names them.
const (
	SkipWorktree    Flag = "skip-worktree"
	AssumeUnchanged Flag = "assume-unchanged"
)

// flags are those that an index was seen to have.
type flags struct {
	at string // the index
	of map[string][]Flag
}

// Flags returns the files of the user's index that have flags, by paths below the repository's top. The map must not be changed.
func (r *Repo) Flags(ctx context.Context) (map[string][]Flag, error) {
	index, err := readIndex(r)
	if err != nil {
		return nil, err
	}
	at := indexAt(index, "")
	if r.flags.at == at {
		return r.flags.of, nil
	}
	of := map[string][]Flag{}
	if index != nil {
		out, err := r.git(ctx, nil, "ls-files", "-v", "-z", "--full-name", "--", ":/")
		if err != nil {
			return nil, err
		}
		for line := range strings.SplitSeq(string(out), "\x00") {
			tag, p, ok := strings.Cut(line, " ")
			if !ok {
				continue
			}
			if tag != strings.ToUpper(tag) {
				of[p] = append(of[p], AssumeUnchanged)
			}
			if strings.EqualFold(tag, "S") {
				of[p] = append(of[p], SkipWorktree)
			}
		}
	}
	r.flags = flags{at, of}
	return of, nil
}
