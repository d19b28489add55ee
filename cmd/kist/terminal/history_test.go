package terminal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHistoryIsKeptAndPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "v.history")
	h, err := openHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []string{"one", "two", "two", " ", "three\nlines"} {
		h.Add(l)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("mode %v", mode)
	}
	again, err := openHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range again.Len() {
		got = append(got, again.At(i))
	}
	if diff := cmp.Diff([]string{"three lines", "two", "one"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestHistoryWithoutAPlace(t *testing.T) {
	h, err := openHistory("")
	if err != nil {
		t.Fatal(err)
	}
	h.Add("one")
	if h.Len() != 1 || h.At(0) != "one" {
		t.Errorf("%d lines", h.Len())
	}
}
