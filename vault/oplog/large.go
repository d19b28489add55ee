package oplog

import (
	"bytes"
	"sync"
	"weak"
)

// leastLarge is from how many bytes on what the log has of an operation is remembered: those of
// hundreds of files, of each of which it is asked for.
const leastLarge = 16 << 10

// A large remembers what was read last of large texts, until memory is wanted back: else each of
// a thousand files that an operation changed has all of it read anew.
type large[T any] struct {
	mu   sync.Mutex
	read [8]weak.Pointer[known[T]]
	next int
}

type known[T any] struct {
	text []byte
	is   T
}

// of is what decode makes of a text; it must not be changed.
func (l *large[T]) of(text []byte, decode func([]byte) (*T, error)) (*T, error) {
	if len(text) < leastLarge {
		return decode(text)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.read {
		if k := p.Value(); k != nil && bytes.Equal(k.text, text) {
			return &k.is, nil
		}
	}
	is, err := decode(text)
	if err != nil {
		return nil, err
	}
	k := &known[T]{bytes.Clone(text), *is}
	l.read[l.next], l.next = weak.Make(k), (l.next+1)%len(l.read)
	return &k.is, nil
}
