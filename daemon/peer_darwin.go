package daemon

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// own reports whether the process at the other end of a unix socket is ours.
func own(c net.Conn) bool {
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		return false
	}
	var cred *unix.Xucred
	if ctlErr := raw.Control(func(fd uintptr) {
		cred, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	}); ctlErr != nil || err != nil {
		return false
	}
	return int(cred.Uid) == os.Getuid()
}
