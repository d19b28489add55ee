package ollama

import (
	"cmp"
	"os"
	"strconv"

	"kist/vault/pattern"
)

const (
	// leastContext is asked for however little memory is free: in less, kist's own rules and
	// tools leave no room to talk.
	leastContext = 4096
	// mostContext is the largest that is chosen unasked: there is room in it for a long
	// conversation, and a machine without a large GPU takes minutes to read more.
	mostContext = 16384
	// share is the part of the free memory that the cache of a window may take: the model's
	// weights have to fit beside it, and what else the user is about to open.
	share = 8
)

var available = pattern.Lazy(`(?m)^MemAvailable:\s+(\d{1,12}) kB$`)

// FreeMemory is how many bytes programs may still take without the system beginning to
// swap; 0: it isn't known, as on systems other than Linux.
func FreeMemory() int64 {
	text, _ := os.ReadFile("/proc/meminfo") // not there: not known
	return readMemory(string(text))
}

func readMemory(meminfo string) int64 {
	found := available().FindStringSubmatch(meminfo)
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseInt(found[1], 10, 64) // the digits fit
	return n << 10
}

// affordable is the largest window, of those whose size doubles from step to step, whose
// cache takes at most its share of so many free bytes.
func affordable(free, perToken int64) int {
	n := int64(leastContext)
	for n < mostContext && 2*n <= free/share/perToken {
		n *= 2
	}
	return int(n)
}

// cacheBytes is how many bytes of memory a token of the window takes; 0: not told. The
// server keeps a key and a value of 16-bit numbers for each head of each layer. Where it
// doesn't tell how many heads share theirs, or that some layers look back less far, this
// is more than it takes.
func (s shown) cacheBytes() int64 {
	const most = 1 << 20 // of each, which is far above any; their product is below 1<<63
	heads := s.number("attention.head_count", most)
	width := s.number("embedding_length", most) / max(heads, 1)
	sharing := cmp.Or(s.number("attention.head_count_kv", most), heads)
	key := cmp.Or(s.number("attention.key_length", most), width)
	value := cmp.Or(s.number("attention.value_length", most), width)
	const bytes = 2
	return s.number("block_count", most) * sharing * (key + value) * bytes
}
