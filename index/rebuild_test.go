package index

import (
	"context"
	"errors"
	"kist/index/store"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// Searches during a rebuild always find everything, and saves are found too.
func TestRebuildWhileSearching(t *testing.T) {
	f := start(t, many("a", 300))
	vaulttest.Watch(t, f.vault)
	ctx, cancel := context.WithCancel(t.Context())
	var searchers sync.WaitGroup
	for range 2 {
		searchers.Go(func() {
			for ctx.Err() == nil {
				res, err := f.index.Search(t.Context(), Query{Text: "needle", Limit: 1})
				if err != nil || res.Total < 300 || res.Total > 301 {
					t.Errorf("got %+v, %v", res, err)
					return
				}
			}
		})
	}
	var last Progress
	saved := false
	for range 3 {
		err := f.index.Rebuild(t.Context(), func(p Progress) {
			last = p
			if !saved {
				saved = true
				f.write("a/saved.md", "needle saved")
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if last.Total < 300 || last.Done != last.Total {
			t.Errorf("progress %+v", last)
		}
	}
	f.eventually("saved", "a/saved.md")
	cancel()
	searchers.Wait()
	f.wait()
	assertHolds(t, f.index, f.vault)
	stores, _ := filepath.Glob(filepath.Join(f.vault.Dir(), ".kist/index", store.Prefix+"*"))
	if len(stores) != 1 {
		t.Errorf("stores %q", stores)
	}
}

func TestRebuildSurvivesRestartAndCancel(t *testing.T) {
	v := vaulttest.New(t, small)
	old(t, v)
	session(t, v, func(f *fixture) {
		ctx, cancel := context.WithCancel(t.Context())
		if err := f.index.Rebuild(ctx, func(Progress) { cancel() }); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		f.finds("sourdough", "notes/bread.md")
		if s := f.index.Status(); s.State != Ready {
			t.Errorf("status %+v", s)
		}
		if err := f.index.Rebuild(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		f.finds("sourdough", "notes/bread.md")
		// What a crash in the middle of a rebuild leaves is cleared away on opening.
		if err := os.Mkdir(filepath.Join(v.Dir(), ".kist/index", store.Prefix+"crashed"), 0o700); err != nil {
			t.Fatal(err)
		}
	})
	reads := session(t, v, func(f *fixture) { f.finds("sourdough", "notes/bread.md") })
	if len(reads) != 0 {
		t.Errorf("read %q", reads)
	}
	if _, err := os.Stat(filepath.Join(v.Dir(), ".kist/index", store.Prefix+"crashed")); err == nil {
		t.Error("the crashed rebuild's store is still there")
	}
}

func TestWait(t *testing.T) {
	v := vaulttest.New(t, small)
	x := open(t, v)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := x.Wait(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("before Run: %v", err)
	}
	if s := x.Status(); s.State != Starting {
		t.Errorf("status %+v", s)
	}
	stop := run(t, x)
	if err := x.Wait(t.Context(), 0); err != nil {
		t.Error(err)
	}
	if err := x.Run(t.Context()); !errors.Is(err, ErrRunning) {
		t.Errorf("second Run: %v", err)
	}
	if err := x.Wait(t.Context(), v.Seq()+1000); err != nil { // beyond the vault's newest
		t.Error(err)
	}
	stop()
	blocked := make(chan error, 1)
	if _, err := v.Apply(t.Context(), create("notes/marker.md", 0, "x")); err != nil {
		t.Fatal(err)
	}
	go func() { blocked <- x.Wait(t.Context(), 0) }() // for a change that nobody indexes
	time.Sleep(time.Millisecond)
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	if err := <-blocked; !errors.Is(err, ErrClosed) {
		t.Errorf("closed while waiting: %v", err)
	}
	if err := x.Wait(t.Context(), 0); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	if _, err := x.Search(t.Context(), Query{Text: "x"}); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	if err := x.Rebuild(t.Context(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// Read your writes: after Wait a change made through the vault is found, and the
// receipt never says that more is indexed than is.
func TestFreshness(t *testing.T) {
	f := start(t, small)
	for i := range 20 {
		word := "marker" + string(rune('a'+i)) + "x"
		ops, err := f.vault.Apply(t.Context(), create("notes/marker.md", i, word))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.index.Wait(t.Context(), ops[0].Seq); err != nil {
			t.Fatal(err)
		}
		f.finds(word, "notes/marker.md")
		if fr := f.index.Freshness(); fr.Indexed < ops[0].Seq || fr.Vault < fr.Indexed {
			t.Errorf("freshness %+v, operation %d", fr, ops[0].Seq)
		}
	}
	f.wait()
	if fr := f.index.Freshness(); fr.Pending != 0 || fr.Indexed != fr.Vault || fr.Failed != 0 {
		t.Errorf("freshness %+v", fr)
	}
}
