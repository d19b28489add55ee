package rank

import (
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
