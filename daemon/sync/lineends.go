package sync

import (
	"bytes"
	"context"
	"path"

	"kist/daemon/sync/git"
)

// Line ends: where git gives texts CRLF in the work tree (by attributes, or core.autocrlf) and LF in
// its commits, what a commit has isn't what belongs on the disk.

// lineEnds gives arrivals the line ends that belong on the disk: those that the file has there, or, of
// a new one, those that git would give it.
func (r *round) lineEnds(ctx context.Context, arrivals []arrival) error {
	var paths []string
	for _, a := range arrivals {
		paths = append(paths, path.Join(r.repo.Prefix, a.path))
	}
	if len(paths) == 0 || !r.store.Converts(paths) {
		return nil
	}
	ends, err := r.store.LineEnds(ctx, paths)
	if err != nil {
		return err
	}
	for i := range arrivals {
		a := &arrivals[i]
		at := a.path
		if a.from != "" {
			at = a.from
		}
		now, err := r.now(at)
		if err != nil {
			now = nil // who writes it will tell
		}
		how := ends[paths[i]]
		switch {
		case now != nil && onlyCRLF(now):
			how = git.CRLFInText
		case now != nil && bytes.Contains(now, []byte("\n")):
			continue // it has others here, and keeps them
		}
		a.before, a.after = git.WithCRLF(a.before, how), git.WithCRLF(a.after, how)
	}
	return nil
}

// onlyCRLF reports whether a text has line ends, and all of them are CRLF.
func onlyCRLF(text []byte) bool {
	n := bytes.Count(text, []byte("\n"))
	return n > 0 && n == bytes.Count(text, []byte("\r\n"))
}
