package vault

import (
	"errors"
	"fmt"

	"kist/vault/fsys"
)

// disk is the one way in which this package changes the file system. A test holds it
// to that.
func (v *Vault) disk() fsys.Disk {
	return fsys.Disk{Root: v.root, Fault: v.fault, Lost: v.lostWrite}
}

// lostWrite is called after a failed fsync. The kernel may have dropped the pages
// while a second fsync reports success, so there is no retry: the vault becomes
// read-only until it is opened again.
func (v *Vault) lostWrite(err error) {
	v.setReadOnly("the disk did not take a write: " + errText(err) + "; check the disk, then start kist again")
}

// appendFile adds text at the end of a file of kist's own, creating it, and makes
// it durable. A line that a crash cut off is closed first. On an error the file is
// cut back to what it was: half a record, or a whole one that the caller was told
// is not there, must not come to light later.
func (v *Vault) appendFile(p string, text []byte) error {
	if _, err := v.lstat(p); errors.Is(err, ErrNotDownloaded) {
		return err // else there would be two files of that name
	}
	if err := v.disk().AppendSynced(p, text); err != nil {
		return fmt.Errorf("%s: %w", p, fsys.BareError(err))
	}
	return nil
}
