package rank

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kist/index/page"
)

func TestRecentIsBounded(t *testing.T) {
	var r recent
	text := []byte(strings.Repeat("x", 100<<10))
	for i := range 1000 {
		r.put(&page.File{Path: fmt.Sprint(i % 500), Raw: text})
	}
	r.put(&page.File{Path: "book", Raw: make([]byte, recentFile+1)})
	if r.bytes > recentBytes || r.order.Len() != len(r.items) || r.bytes != len(r.items)*(len(text)+recentCost) {
		t.Errorf("%d bytes, %d and %d items", r.bytes, r.order.Len(), len(r.items))
	}
	if r.get("499") == nil || r.get("0") != nil || r.get("book") != nil {
		t.Error("it doesn't keep the newest of a usual length")
	}
}

// TestLowerASCII: letters beyond ASCII stay as they are.
func TestLowerASCII(t *testing.T) {
	text := make([]byte, 0, 3*256)
	for i := range 3 * 256 {
		text = append(text, byte(i*7))
	}
	want := bytes.Clone(text)
	for i, b := range want {
		if b >= 'A' && b <= 'Z' {
			want[i] += 'a' - 'A'
		}
	}
	for n := range 20 {
		out := make([]byte, len(text)-n)
		if lowerASCII(out, text[n:]); !bytes.Equal(out, want[n:]) {
			t.Fatalf("from %d on: %q", n, out)
		}
	}
}
