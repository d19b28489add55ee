package index

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScanIsEnough: a word that is in nearly every file isn't looked for in all of
// them, says so and gives the same documents each time; what stands together is found in
// any.
func TestScanIsEnough(t *testing.T) {
	const scanEnough = 500
	var files strings.Builder
	files.WriteString("-- old.md --\nTo be or not to be\n")
	for i := range scanEnough + 100 {
		fmt.Fprintf(&files, "-- n/%03d.md --\nnot the best to be had or the like %s\n", i, strings.Repeat("x ", i%7))
	}
	f := start(t, files.String())
	first := f.search("the")
	if first.Total != scanEnough || !first.Partial {
		t.Fatalf("%d documents, partial %v", first.Total, first.Partial)
	}
	for range 5 {
		again := f.search("the")
		if diff := cmp.Diff(paths(first), paths(again)); diff != "" {
			t.Fatal(diff)
		}
	}
	if res := f.search("to be or not to be"); res.Hits[0].Path != "old.md" {
		t.Fatalf("%s comes first", res.Hits[0].Path)
	}
}
