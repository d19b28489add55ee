package daemon

import (
	"net"
	"os"
	"syscall"
)

// own reports whether the process at the other end of a unix socket is ours.
func own(c net.Conn) bool {
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		return false
	}
	var cred *syscall.Ucred
	if ctlErr := raw.Control(func(fd uintptr) {
		cred, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); ctlErr != nil || err != nil {
		return false
	}
	return int(cred.Uid) == os.Getuid()
}
