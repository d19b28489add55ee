package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// memory returns, for a process, the resident bytes that are no file's and the most
// that was ever resident, files included.
func memory(pid int) (anonymous, peak uint64, err error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, fmt.Errorf("read memory use: %w", err)
	}
	anonymous, ok1 := statusField(data, "RssAnon:")
	peak, ok2 := statusField(data, "VmHWM:")
	if !ok1 || !ok2 {
		return 0, 0, fmt.Errorf("read memory use: /proc lacks it")
	}
	return anonymous, peak, nil
}

// statusField returns a line's number of kB in bytes.
func statusField(data []byte, name string) (uint64, bool) {
	for line := range bytes.Lines(data) {
		if rest, ok := strings.CutPrefix(string(line), name); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// cpuTime returns the processor time that a process has used, to the nanosecond:
// what /proc tells comes in steps of 10 ms, which is a whole second of an hour that
// is judged by three seconds.
func cpuTime(pid int) (time.Duration, error) {
	const scheduled = 2 // CPUCLOCK_SCHED; the rest is how Linux numbers such a clock
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &ts); err != nil {
		return 0, fmt.Errorf("read processor time: %w", err)
	}
	return time.Duration(ts.Nano()), nil
}

// system describes what the figures depend on.
func system(dir string) (cpu, kernel, fileSystem string) {
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		kernel = unix.ByteSliceToString(name.Sysname[:]) + " " + unix.ByteSliceToString(name.Release[:])
	}
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) == nil {
		fileSystem = map[int64]string{
			unix.EXT4_SUPER_MAGIC: "ext4", unix.TMPFS_MAGIC: "tmpfs", unix.BTRFS_SUPER_MAGIC: "btrfs",
			unix.XFS_SUPER_MAGIC: "xfs", unix.OVERLAYFS_SUPER_MAGIC: "overlay", unix.NFS_SUPER_MAGIC: "nfs",
		}[int64(st.Type)]
	}
	return cpu, kernel, fileSystem
}
