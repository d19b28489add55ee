//go:build !linux

package bench

import (
	"errors"
	"runtime"
	"time"
)

var errNoProc = errors.New("this is measured on Linux only")

func memory(int) (anonymous, peak uint64, err error) { return 0, 0, errNoProc }

func cpuTime(int) (time.Duration, error) { return 0, errNoProc }

func system(string) (cpu, kernel, fileSystem string) { return runtime.GOARCH, runtime.GOOS, "" }
