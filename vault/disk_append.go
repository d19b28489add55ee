package vault

import (
	"errors"
	"fmt"
	"io"
	"path"
)

// appendFile adds text at the end of a file of kist's own, creating it, and makes
// it durable. A line that a crash cut off is closed first. On an error the file is
// cut back to what it was: half a record, or a whole one that the caller was told
// is not there, must not come to light later.
func (v *Vault) appendFile(p string, text []byte) error {
	if _, err := v.lstat(p); errors.Is(err, ErrNotDownloaded) {
		return err // else there would be two files of that name
	}
	if err := v.disk().appendSynced(p, text); err != nil {
		return fmt.Errorf("%s: %w", p, bareError(err))
	}
	return nil
}

func (d disk) appendSynced(p string, text []byte) error {
	dir := path.Dir(p)
	if err := d.makeFolders(dir); err != nil {
		return err
	}
	_, statErr := d.root.Lstat(p)
	f, err := d.openAppend(p)
	if err != nil {
		return err
	}
	if statErr != nil {
		// First the name, then the text: a failure from here on can be cut off.
		err = d.syncFolderAt(dir)
	}
	if err == nil {
		err = f.append(text)
	}
	if err != nil {
		return errors.Join(err, f.close())
	}
	// It is on the disk already, whatever closing says.
	_ = f.close()
	return nil
}

func (f *diskFile) append(text []byte) error {
	size, err := f.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size > 0 {
		last := make([]byte, 1)
		if _, err := f.f.ReadAt(last, size-1); err == nil && last[0] != '\n' {
			text = append([]byte("\n"), text...)
		}
	}
	err = f.write(text)
	if err == nil {
		err = f.sync()
	}
	if err != nil {
		return errors.Join(err, f.truncate(size))
	}
	return nil
}
