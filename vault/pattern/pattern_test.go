package pattern_test

import (
	"testing"

	"kist/vault/pattern"
)

func TestLazy(t *testing.T) {
	boat := pattern.Lazy(`^b(oa)t$`)
	if m := boat().FindStringSubmatch("boat"); len(m) != 2 || m[1] != "oa" {
		t.Errorf("found %q", m)
	}
	if first, again := boat(), boat(); first != again {
		t.Error("it is compiled at each call")
	}
	broken := pattern.Lazy(`(`) // nothing is compiled here
	defer func() {
		if recover() == nil {
			t.Error("what is no expression was compiled")
		}
	}()
	broken()
}
