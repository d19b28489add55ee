package fsys

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// HeldForWriting reports whether a descriptor that may write f's file is open, in this
// process or another, and whether that could be found out at all; f itself must not.
// The kernel grants a read lease only on a file that nobody has open for writing.
func HeldForWriting(f *os.File) (held, known bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return false, false
	}
	var lease error
	err = conn.Control(func(fd uintptr) {
		if _, lease = unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_RDLCK); lease == nil {
			_, lease = unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_UNLCK)
		}
	})
	if err != nil {
		return false, false
	}
	if errors.Is(lease, unix.EAGAIN) || errors.Is(lease, unix.EBUSY) {
		return true, true
	}
	return false, lease == nil
}
