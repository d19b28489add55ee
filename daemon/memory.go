package daemon

import (
	"bufio"
	"bytes"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
)

// memoryUse returns the resident bytes that are no file's, and those of live heap
// objects. Pages of the index's mapped files are left out: the system takes them
// back whenever it likes.
func memoryUse() (anonymous, heap uint64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(samples)
	anonymous = samples[0].Value.Uint64() - samples[1].Value.Uint64()
	heap = samples[2].Value.Uint64()
	if data, err := os.ReadFile("/proc/self/smaps_rollup"); err == nil {
		if n, ok := field(data, "Anonymous:"); ok {
			anonymous = n
		}
	}
	return anonymous, heap
}

// field returns a line's number of kB in bytes.
func field(data []byte, name string) (uint64, bool) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), name); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}
