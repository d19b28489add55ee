/*
Package order reads by what a list is to be ordered, "due desc, title", in the words of AIP-132,
and makes texts that sort so.
*/
package order

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrOrder is returned for what no list can be ordered by.
var ErrOrder = errors.New("not an order")

// A Key is one field of an order.
type Key struct {
	Name string
	Down bool // the largest first
}

// Parse reads fields of the names given, by comma, each with asc or desc behind it or neither.
// An empty text is no order. It returns ErrOrder.
func Parse(text string, names ...string) (keys []Key, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for _, field := range strings.Split(text, ",") {
		words := strings.Fields(field)
		if len(words) == 0 || len(words) > 2 || !slices.Contains(names, words[0]) || len(words) == 2 && words[1] != "asc" && words[1] != "desc" {
			return nil, fmt.Errorf("%w: can't be ordered by %q, but by %s, each with desc behind it or not", ErrOrder, strings.TrimSpace(field), strings.Join(names, ", "))
		}
		keys = append(keys, Key{Name: words[0], Down: len(words) == 2 && words[1] == "desc"})
	}
	return keys, nil
}

// Append adds a value so that texts sort as the values do; down: the other way round. What has
// no value comes last, either way round.
func Append(b []byte, value string, down bool) []byte {
	if value == "" {
		return append(b, '1')
	}
	b = append(b, '0')
	start := len(b)
	b = append(append(b, value...), 0)
	for i := start; down && i < len(b); i++ {
		b[i] = ^b[i]
	}
	return b
}

// Time is a time as a value that sorts; empty: there is none.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	var b [12]byte // to write it out took most of a list's time
	binary.BigEndian.PutUint64(b[:], uint64(t.Unix())^1<<63)
	binary.BigEndian.PutUint32(b[8:], uint32(t.Nanosecond()))
	return string(b[:])
}
