//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// detach gives git a session of its own: without a terminal to ask on, and so that it is
// ended with all that it started.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
