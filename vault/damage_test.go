package vault_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// Each page of the state file in turn is zeroed or has a byte changed: the first opening,
// and the first command of any kind, work as if nothing had been.
func TestDamagedState(t *testing.T) {
	const notes = 60
	v := vaulttest.New(t, "-- n.md --\n# N\n\ntext\n")
	for i := range notes {
		note(t, v, fmt.Sprint("Note ", i))
	}
	dir, file := v.Dir(), filepath.Join(v.Dir(), ".kist", "state.db")
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for name, damage := range map[string]func(page []byte){
		"zeros":    func(b []byte) { clear(b) },
		"one byte": func(b []byte) { b[len(b)/2] ^= 0x55 },
	} {
		for at := 0; at+page <= len(good); at += page {
			bad := bytes.Clone(good)
			damage(bad[at : at+page])
			if bytes.Count(good[at:at+page], []byte{0}) == page {
				continue // not in use
			}
			if err := os.WriteFile(file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			v, err := vault.Open(t.Context(), dir, vault.Options{Now: vaulttest.Clock(), Device: "test"})
			if err != nil {
				t.Errorf("%s in page %d: %v", name, at/page, err)
				continue
			}
			if ops, err := v.Operations(t.Context(), vault.Filter{Limit: 10 * notes}); err != nil || len(ops) < notes {
				t.Errorf("%s in page %d: %d operations, %v", name, at/page, len(ops), err)
			}
			note(t, v, fmt.Sprint("After ", name, at))
			if err := v.Close(); err != nil {
				t.Errorf("%s in page %d: %v", name, at/page, err)
			}
		}
	}
}

func note(t *testing.T, v *vault.Vault, title string) {
	t.Helper()
	step, err := entity.PlanCreateNote(t.Context(), v, entity.NewNote{Title: title}, vault.ActorUser)
	if err == nil {
		_, err = v.Apply(t.Context(), vault.Batch{Origin: you, Steps: []vault.Step{step}})
	}
	if err != nil {
		t.Errorf("%s: %v", title, err)
	}
}

// A folder that kist has never been in is served on a full disk too, and leaves no half of
// a file there.
func TestNoRoomAtTheFirstStart(t *testing.T) {
	dir := vaulttest.Write(t, "-- n.md --\n# N\n")
	if err := os.RemoveAll(filepath.Join(dir, ".kist")); err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(t.Context(), dir, vault.Options{Device: "test", Fault: func(call string) error {
		if call == "write" || call == "open state" {
			return syscall.ENOSPC
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if why := v.ReadOnly(); !strings.Contains(why, "no space left") {
		t.Errorf("read-only: %q", why)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".kist/.gitignore")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty .gitignore is there: %v", err)
	}
}

// A vault on a full disk can be read from the first opening on, and says why it can't be
// written.
func TestNoRoomForState(t *testing.T) {
	v := vaulttest.New(t, "-- n.md --\n# N\n\ntext\n")
	note(t, v, "Before")
	dir := v.Dir()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, ".kist", "state.db")); err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(t.Context(), dir, vault.Options{Device: "test", Fault: func(call string) error {
		if call == "open state" {
			return syscall.ENOSPC
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if why := v.ReadOnly(); !strings.Contains(why, "no space left") {
		t.Errorf("read-only: %q", why)
	}
	if ops, err := v.Operations(t.Context(), vault.Filter{}); err != nil || len(ops) != 1 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
	if text, err := v.Read("n.md"); err != nil || len(text) == 0 {
		t.Errorf("%q, %v", text, err)
	}
	step, err := entity.PlanCreateNote(t.Context(), v, entity.NewNote{Title: "After"}, vault.ActorUser)
	if err == nil {
		_, err = v.Apply(t.Context(), vault.Batch{Origin: you, Steps: []vault.Step{step}})
	}
	if !errors.Is(err, vault.ErrReadOnly) {
		t.Errorf("a write: %v", err)
	}
}
