package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// A patience says how often a daemon looks whether it is still the vault's, which
// takes a few stats, and how long the folder may be away, as on a disk that is
// mounted again, before it counts as gone for good.
type patience struct{ every, gone time.Duration }

// orphanEvery wakes an idle daemon oftener than anything else does: 720 times an hour.
const orphanEvery = 5 * time.Second

func usualPatience() patience { return patience{every: orphanEvery, gone: 30 * time.Second} }

// errOrphaned ends a daemon that has nothing to serve any more. It is not a
// failure.
var errOrphaned = errors.New("orphaned")

// watchOrphan returns errOrphaned once the lock file is no longer the locked one
// or the folder is gone for good. On the way it renews what may be deleted: the
// token, and a socket that was swept out of a temporary folder.
func (d *daemon) watchOrphan(ctx context.Context) error {
	tick := time.NewTicker(d.patience.every)
	defer tick.Stop()
	var missing time.Time // since when the folder is away
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if _, err := os.Stat(d.paths.Vault); errors.Is(err, fs.ErrNotExist) {
			if missing.IsZero() {
				missing = time.Now()
				d.log.Warn("the vault's folder is gone", "path", d.paths.Vault)
			}
			if time.Since(missing) >= d.patience.gone {
				d.log.Warn("stopping: the vault's folder did not come back", "path", d.paths.Vault)
				return errOrphaned
			}
			continue
		}
		missing = time.Time{}
		if d.lock.lost() {
			d.log.Warn("stopping: the lock file was deleted or replaced, so this process no longer owns the vault", "path", d.paths.Lock)
			return errOrphaned
		}
		if err := d.token.keep(); err != nil {
			d.log.Warn("the token is gone and can't be written", "error", err)
		}
		if err := d.keepSocket(ctx); err != nil {
			d.log.Warn("the socket is gone and can't be made again", "error", err)
		}
	}
}
