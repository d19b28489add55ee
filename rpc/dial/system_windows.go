package dial

import (
	"io/fs"
	"os"
	"syscall"
)

// checkOwner accepts every folder: the temporary folder is the user's own here,
// and mode bits say nothing.
func checkOwner(string, fs.FileInfo) error { return nil }

// detachedProcess is DETACHED_PROCESS: no console, so none that could close.
const detachedProcess = 0x8

func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}

// Alive reports whether a process of that number still runs.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
