package fsys

import (
	"fmt"
	"io/fs"
	"os"
)

// DressAs gives a new text the mode, owner and attributes of the file that it will
// replace. What can't be kept and matters is an error; the edit is then refused.
func DressAs(old *os.File, fi fs.FileInfo) func(*File) error {
	return func(f *File) error {
		mode := fi.Mode().Perm()
		if err := keepOwner(f, fi); err != nil {
			return err
		}
		// After chown, which may take bits away, and before the access list.
		if err := f.chmod(mode); err != nil {
			return err
		}
		return copyAttrs(f, old)
	}
}

// DressedAlike reports whether two files have the same mode and owner.
func DressedAlike(a, b fs.FileInfo) bool {
	uid, gid, _ := owner(a)
	otherUID, otherGID, _ := owner(b)
	return a.Mode().Perm() == b.Mode().Perm() && uid == otherUID && gid == otherGID
}

// keepOwner keeps a file's owner and group. Only root may give a file to somebody
// else, so an edit of another user's file makes it ours. That is taken to be wanted
// where the owner loses nothing by it: as a member of the same group, or as
// anybody, they may still do all that they could (a folder shared by a group). In
// any other case the edit is refused, as it is where the group would change and
// with it who may read or write.
func keepOwner(f *File, fi fs.FileInfo) error {
	uid, gid, ok := owner(fi)
	if !ok {
		return nil
	}
	now, err := f.f.Stat()
	if err != nil {
		return err
	}
	myUID, myGID, _ := owner(now)
	if uid == myUID && gid == myGID {
		return nil
	}
	if f.chown(uid, gid) == nil {
		return nil
	}
	mode := fi.Mode().Perm()
	user, group, others := mode>>6&7, mode>>3&7, mode&7
	if gid != myGID && f.chown(-1, gid) != nil {
		if group != others {
			return fmt.Errorf("%w: its group can't be kept", fs.ErrPermission)
		}
		group = others
	}
	if uid != myUID && group&user != user && others&user != user {
		return fmt.Errorf("%w: it belongs to another user, who would lose it", fs.ErrPermission)
	}
	return nil
}
