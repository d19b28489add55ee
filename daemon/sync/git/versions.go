package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Past is what a file was since a commit.
type Past struct {
	ID     string // of the blob
	Commit string
	At     time.Time
}

// Versions returns what a file of the repository has had up to a commit, newest first, at most n.
func Versions(ctx context.Context, s *Store, commit, path string, n int) (all []Past, err error) {
	out, err := s.git(ctx, nil, "log", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-show-signature", "--no-color", "--no-notes", "--no-ext-diff", "--no-textconv",
		"-n", strconv.Itoa(n), "--format=%x01%H %ct%x03", "--end-of-options", commit, "--", ":(literal,top)"+path)
	for part := range strings.SplitSeq(string(out), "\x01") {
		head, raw, ok := strings.Cut(part, "\x03")
		id, at, _ := strings.Cut(head, " ")
		if !ok {
			continue
		}
		sec, bad := strconv.ParseInt(at, 10, 64)
		if bad != nil {
			return nil, fmt.Errorf("git log: unexpected answer %.80q", part)
		}
		for _, d := range changesOf(raw) {
			if d.After.ID != "" {
				all = append(all, Past{d.After.ID, id, time.Unix(sec, 0)})
			}
		}
	}
	return all, err
}

// Parted returns what a file was where two histories parted, the merge of which brought another file, up to a commit. Nil: no such merge is
// known, or it was no file then.
func Parted(ctx context.Context, s *Store, commit, brought, path string, limit int64) ([]byte, error) {
	out, err := s.line(ctx, "log", "--format=%P", "--no-show-signature", "--no-color", "--no-notes", "--end-of-options", commit, "--", ":(literal,top)"+brought)
	if err != nil {
		return nil, err
	}
	parents := strings.Fields(out[strings.LastIndexByte(out, '\n')+1:])
	if len(parents) != 2 {
		return nil, nil
	}
	base, err := s.MergeBase(ctx, parents[0], parents[1])
	if err != nil || base == "" {
		return nil, err
	}
	id, err := s.named(ctx, base+":"+path)
	if err != nil || id == "" {
		return nil, err
	}
	texts, err := s.Blobs(ctx, []string{id}, limit)
	return texts[id], err
}
