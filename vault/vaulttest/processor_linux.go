package vaulttest

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Processor is the processor time that a process has had, to the nanosecond.
func Processor(b testing.TB, pid int) time.Duration {
	b.Helper()
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &ts); err != nil { // how Linux numbers such a clock
		b.Fatal(err)
	}
	return time.Duration(ts.Nano())
}
