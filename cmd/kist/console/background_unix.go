//go:build unix

package console

import (
	"os/signal"
	"syscall"
)

// stayRunning sees to it that a question in a process that a shell put into the
// background has no answer, rather than stopping the process.
func stayRunning() { signal.Ignore(syscall.SIGTTIN) }
