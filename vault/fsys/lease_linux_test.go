package fsys_test

import (
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Who adds to a file waits for the lease that somebody has of it, as who looks whether it is
// written does for a moment.
func TestAppendWaitsForALease(t *testing.T) {
	d, _ := disk(t, "")
	put(t, d, "a", "one\n")
	fd, err := unix.Open(filepath.Join(d.Root.Name(), "a"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		t.Skipf("this file system has no leases: %v", err)
	}
	time.AfterFunc(20*time.Millisecond, func() { unix.Close(fd) })
	if err := d.AppendSynced("a", []byte("two\n")); err != nil {
		t.Fatal(err)
	}
	holds(t, d, "a", "one\ntwo\n")
}
