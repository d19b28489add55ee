package vault_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

// The disk takes nothing for a while: it is full, over quota, or mounted read-only
// anew. Each write says so and changes nothing, reading goes on, what an editor saved
// meanwhile (it may have had room of its own) is recorded later, and all of it goes on
// by itself, without a restart.
func TestDiskThatTakesNothingForAWhile(t *testing.T) {
	calls := []string{"create", "open", "write half", "mkdir", "exchange", "rename", "rename new", "link", "unlink"}
	for _, errno := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS} {
		t.Run(errno.Error(), func(t *testing.T) {
			t.Parallel()
			v, bad := watchedDisk(t, "-- a.md --\na\n-- b.md --\nb\n", func(call string) error {
				if slices.Contains(calls, call) {
					return errno
				}
				return nil
			})
			bad.Store(true)
			before := vaulttest.Tree(t, v.Dir(), "operations")
			for range 3 {
				for _, step := range []vault.Step{update("a.md", "a\n", "A\n"), create("projects/x/c.md", "c\n"), remove("a.md", "a\n"), move("a.md", "d.md")} {
					if _, err := v.Apply(ctx, batch(step)); !errors.Is(err, errno) {
						t.Errorf("%s: %v", step.Type, err)
					}
				}
			}
			if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
				t.Error(diff)
			}
			save(t, v, "b.md", "saved meanwhile\n")
			if err := v.Record(ctx); err != nil {
				t.Error(err)
			}
			edits(t, v, 0)
			if why := v.ReadOnly(); why != "" {
				t.Errorf("read-only until a restart: %s", why)
			}
			bad.Store(false)
			mustApply(t, v, update("a.md", "a\n", "A\n"))
			if op := edits(t, v, 1)[0]; op.Entity.Path != "b.md" || op.Changes[0].Before != vault.HashOf([]byte("b\n")) {
				t.Errorf("%+v", op)
			}
		})
	}
}

// watchedDisk is watched with a fault function that counts while bad is true.
func watchedDisk(t *testing.T, archive string, fault func(call string) error) (v *vault.Vault, bad *atomic.Bool) {
	t.Helper()
	bad = &atomic.Bool{}
	v, err := vault.Open(ctx, vaulttest.Write(t, archive), vault.Options{Now: vaulttest.Clock(), Device: "test", Fault: func(call string) error {
		if bad.Load() {
			return fault(call)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	vault.SetQuiet(v, 150*time.Millisecond)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	return v, bad
}

// The vault's folder goes away and comes back, as with a disk that is unplugged. That
// deletes nothing; what was edited elsewhere meanwhile is an edit.
func TestTheFolderGoesAwayAndComesBack(t *testing.T) {
	t.Parallel() // it waits
	var archive strings.Builder
	for i := range 10 {
		fmt.Fprintf(&archive, "-- n%d.md --\n%d\n", i, i)
	}
	outer := t.TempDir()
	dir, away := filepath.Join(outer, "vault"), filepath.Join(outer, "away")
	if err := os.Rename(vaulttest.Write(t, archive.String()), dir); err != nil {
		t.Fatal(err)
	}
	v := vaulttest.Open(t, dir)
	vault.SetQuiet(v, 150*time.Millisecond)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return strings.HasPrefix(v.Watcher(), "stopped") })
	if err := os.WriteFile(filepath.Join(away, "n3.md"), []byte("edited\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return v.Watcher() == "watching" })
	if op := edits(t, v, 1)[0]; op.Type != vault.OpUpdate || op.Entity.Path != "n3.md" {
		t.Errorf("%+v", op)
	}
	if why := v.Vanished(); why != "" {
		t.Error(why)
	}
	mustApply(t, v, update("n4.md", "4\n", "four\n"))
}
