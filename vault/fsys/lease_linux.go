package fsys

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// HeldOpen reports whether any other descriptor for f's file is open, in this
// process or another, and whether that could be found out at all. The kernel
// grants a write lease only on a file that nobody else has open.
func HeldOpen(f *os.File) (held, known bool) { return leased(f, unix.F_WRLCK) }

// HeldForWriting is HeldOpen for descriptors that may write; f itself must not. A
// read lease is granted on what nobody has open for writing.
func HeldForWriting(f *os.File) (held, known bool) { return leased(f, unix.F_RDLCK) }

func leased(f *os.File, kind int) (held, known bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return false, false
	}
	var lease error
	err = conn.Control(func(fd uintptr) {
		if _, lease = unix.FcntlInt(fd, unix.F_SETLEASE, kind); lease == nil {
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
