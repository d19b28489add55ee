//go:build unix

package control

import "syscall"

const (
	nonblock = syscall.O_NONBLOCK
	nofollow = syscall.O_NOFOLLOW
)

// LockFlags are for whoever must open a lock file by itself: opening never waits, and
// follows no link. What was opened is still to be looked at.
const LockFlags = nonblock | nofollow
