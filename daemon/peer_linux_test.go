package daemon

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestPeer: a connection from another user is told from one's own, even where
// the socket is open to all. Only root can pose as another user, so that half
// needs root.
func TestPeer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	const nobody = 65534
	uids := map[int]bool{os.Getuid(): true}
	if os.Getuid() == 0 {
		uids[nobody] = false
		for dir := path; dir != "/"; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o777); err != nil {
				break // beyond our own folders
			}
			if filepath.Dir(dir) == os.TempDir() {
				break
			}
		}
	}
	for uid, want := range uids {
		dialed := make(chan error, 1)
		go func() {
			// The thread is thrown away with the goroutine: its user is another one.
			runtime.LockOSThread()
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
				dialed <- errno
				return
			}
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err == nil {
				err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
			}
			dialed <- err
		}()
		if err := <-dialed; err != nil {
			t.Fatalf("uid %d: %v", uid, err)
		}
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if got := own(c); got != want {
			t.Errorf("uid %d: own is %v", uid, got)
		}
		c.Close()
	}
}
