package sync

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/vault/merge/semantic"
)

// The operation log is only ever added to: what was in it once stays, whatever a git makes of its files, as a revert does of the commit
// of an operation. It stays on the disk, or comes back there, and the next commit has it again.

// isLog reports whether a file of the vault is one of the log's, and no conflict copy of one, which goes once it is put together.
func isLog(r *round, p string) bool {
	_, copied := copies.Of(p, func(string) bool { return true })
	return !copied && strings.HasPrefix(p, r.vault.Layout().Operations+"/") && strings.HasSuffix(p, ".yaml")
}

// withAll returns what a file of the log has with all that it had before; nil: no file.
func withAll(p string, before, now []byte) []byte {
	if now == nil || bytes.HasPrefix(now, before) {
		return now
	}
	if all := semantic.Merge(nil, before, now, semantic.Options{Path: p}); all.Clean() {
		return all.Text
	}
	return now
}

// wholeLog brings back what the log had at the commits that were the last ones known here, and has no more at head.
func wholeLog(ctx context.Context, r *round, head string) error {
	for _, was := range []string{r.settings.Commit, git.Last(r.store)} {
		if was == "" || was == head || head == "" || !r.store.Has(ctx, was) {
			continue
		}
		diff, err := r.store.Diff(ctx, was, head)
		if err != nil {
			return err
		}
		for _, d := range diff {
			if d.From != "" {
				d.Path = d.From
			}
			p, ok := r.below(d.Path)
			if !ok || !isLog(r, p) || !isFile(d.Before) {
				continue
			}
			texts, err := r.store.Blobs(ctx, []string{d.Before.ID}, r.largest)
			if err != nil {
				return err
			}
			if err := keepAll(ctx, r, p, texts[d.Before.ID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepAll has a file of the log have all that it had.
func keepAll(ctx context.Context, r *round, p string, had []byte) error {
	err := r.vault.WriteRecord(ctx, p, func(now []byte) ([]byte, error) {
		all := had
		if now != nil {
			all = withAll(p, had, now)
		}
		if bytes.Equal(all, now) {
			return nil, errAsItIs
		}
		r.log.Info("sync: the log has again what a git took out of it", "file", p)
		return all, nil
	})
	if errors.Is(err, errAsItIs) {
		return nil
	}
	return err
}
