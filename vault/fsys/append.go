package fsys

import (
	"errors"
	"io"
	"io/fs"
	"path"
)

// AppendSynced adds text at the end of a file, creating it and its folders, and makes
// it durable. A line that a crash cut off is closed first. On an error the file is cut
// back to what it was.
func (d Disk) AppendSynced(p string, text []byte) error {
	dir := path.Dir(p)
	if err := d.MakeFolders(dir); err != nil {
		return err
	}
	fi, statErr := d.Root.Lstat(p)
	if statErr == nil && !fi.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: p, Err: ErrNotRegular} // a link would be followed, a pipe waited for
	}
	f, err := d.openAppend(p)
	if err != nil {
		return err
	}
	if statErr != nil {
		// First the name, then the text: a failure from here on can be cut off.
		err = d.SyncFolderAt(dir)
	}
	if err == nil {
		err = f.append(text)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	// It is on the disk already, whatever closing says.
	_ = f.Close()
	return nil
}

func (f *File) append(text []byte) error {
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
	err = f.Write(text)
	if err == nil {
		err = f.sync()
	}
	if err != nil {
		return errors.Join(err, f.truncate(size))
	}
	return nil
}
