package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

// A dozen files are each made durable, and their folder once.
func TestFoldersAreSyncedOnce(t *testing.T) {
	v := vaulttest.New(t, "-- other.md --\nother\n")
	mustApply(t, v, dozen("", "x\n")...)
	before := vaulttest.Tree(t, v.Dir(), "operations")
	var files, folders atomic.Int32
	vault.SetFault(v, func(call string) error {
		switch call {
		case "fsync":
			files.Add(1)
		case "fsync folder":
			folders.Add(1)
		}
		return nil
	})
	op := mustApply(t, v, dozen("x\n", "X\n")...)[0]
	if files.Load() < 12 || folders.Load() > 2 { // the log's own may be among them
		t.Errorf("%d files and %d folders were made durable", files.Load(), folders.Load())
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{Batch: op.Batch}, you); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// What programs do to files whose new text is written already counts: a mode that is
// set, a save, and a save that contradicts.
func TestChangedBeforeItsTurn(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(p string) error
		want string
		mode os.FileMode
	}{
		"mode":     {func(p string) error { return os.Chmod(p, 0o600) }, "one\ntwo\nTHREE\n", 0o600},
		"save":     {func(p string) error { return os.WriteFile(p, []byte("ONE\ntwo\nthree\n"), 0o666) }, "ONE\ntwo\nTHREE\n", 0o644},
		"conflict": {func(p string) error { return os.WriteFile(p, []byte("one\ntwo\n3\n"), 0o666) }, "one\ntwo\n3\n", 0o644},
		"another one": {func(p string) error {
			return errors.Join(os.WriteFile(p+"~", []byte("ONE\ntwo\nthree\n"), 0o640), os.Rename(p+"~", p))
		}, "ONE\ntwo\nTHREE\n", 0o640},
	} {
		t.Run(name, func(t *testing.T) {
			const before, after = "one\ntwo\nthree\n", "one\ntwo\nTHREE\n"
			v := vaulttest.New(t, "-- other.md --\nother\n")
			mustApply(t, v, dozen("", before)...)
			last := filepath.Join(v.Dir(), "drafts/many/11.md")
			if err := os.Chmod(last, 0o644); err != nil {
				t.Fatal(err)
			}
			var done atomic.Bool
			vault.SetFault(v, func(call string) error {
				if call == "exchange" && !done.Swap(true) {
					return c.do(last)
				}
				return nil
			})
			_, err := v.Apply(ctx, batch(dozen(before, after)...))
			if (name == "conflict") != errors.Is(err, vault.ErrConflict) {
				t.Error(err)
			}
			fi, err := os.Stat(last)
			if got := text(t, v, "drafts/many/11.md"); err != nil || got != c.want || fi.Mode() != c.mode {
				t.Errorf("%q %v, %v", got, fi.Mode(), err)
			}
			first := map[bool]string{true: before, false: after}[name == "conflict"]
			if got := text(t, v, "drafts/many/00.md"); got != first {
				t.Errorf("the first file holds %q", got)
			}
			if err := v.Close(); err != nil {
				t.Error(err)
			}
			noTemps(t, v.Dir())
		})
	}
}
