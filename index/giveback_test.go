package index

import (
	"sync/atomic"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// Memory is given back after a build and after vectors were learned, and not after
// what changes from day to day.
func TestGiveBack(t *testing.T) {
	f := &fixture{T: t, vault: vaulttest.New(t, topical(buildingFrom))}
	f.index = open(t, f.vault)
	var given atomic.Int32
	f.index.release = func() { given.Add(1) }
	stop := f.follow()
	f.waitVectors()
	for deadline := time.Now().Add(10 * time.Second); given.Load() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no memory was given back after a build")
		}
	}
	stop()
	before := given.Load()
	x := f.index
	x.giveBack() // what is left, if it ended in between
	if now := given.Load(); now > before+1 {
		t.Errorf("given back %d times", now)
	}
	before = given.Load()
	if err := x.publish(t.Context(), x.current, []string{"boat/000.md", "bread/001.md"}, func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if x.giveBack(); given.Load() != before {
		t.Error("memory is given back after a save")
	}
}
