package oplog

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
)

// What was read of a large text last is read once, and another text is another one.
func TestLarge(t *testing.T) {
	var l large[int]
	reads, fault := 0, error(nil)
	decode := func(text []byte) (*int, error) {
		reads++
		n := int(text[len(text)-1])
		return &n, fault
	}
	text := bytes.Repeat([]byte{1}, leastLarge)
	of := func(text []byte, want, read int) *int {
		t.Helper()
		n, err := l.of(text, decode)
		if !errors.Is(err, fault) || err == nil && *n != want || reads != read {
			t.Errorf("%v, %v after %d reads, want %d after %d", n, err, reads, want, read)
		}
		return n
	}
	one := of(text, 1, 1)
	of(bytes.Clone(text), 1, 1)
	other := bytes.Clone(text)
	other[leastLarge-1] = 2
	of(other, 2, 2)
	text[leastLarge-1] = 3 // the caller's buffer is its own
	of(text, 3, 3)
	of([]byte{4}, 4, 4)
	of([]byte{4}, 4, 5)
	other[0], fault = 9, errors.New("torn")
	of(other, 0, 6)
	fault = nil
	of(other, 2, 7)
	runtime.KeepAlive(one)
}
