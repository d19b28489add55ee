package vault_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/vaulttest"
)

// hammerTime is how long each kind of editor saves; KIST_HAMMER makes it longer.
func hammerTime() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("KIST_HAMMER")); err == nil {
		return d
	}
	return 700 * time.Millisecond
}

var editorLine = regexp.MustCompile(`(?m)^editor: \d+$`)

// An editor saves as fast as it can while operations change another part of the
// same file. After each save it must find that save again: in the file, or in a
// conflict copy.
func TestNoEditorSaveIsLost(t *testing.T) {
	for name, saveAs := range vaulttest.Savers {
		t.Run(name, func(t *testing.T) {
			lost, saves, ops := hammer(t, saveAs, func(v *vault.Vault, p string) error {
				now, err := v.Read(p)
				if err != nil {
					return err
				}
				after := []byte(strings.Replace(string(now), "kist: ", "kist: +", 1))
				_, err = v.Apply(ctx, batch(vault.Step{Type: vault.OpUpdate, Entity: vault.Entity{Type: "document", Path: p},
					Changes: []vault.Change{{Path: p, Before: now, After: after}}}))
				return err
			})
			t.Logf("%d saves against %d operations", saves, ops)
			if lost > 0 {
				t.Errorf("%d of %d saves lost", lost, saves)
			}
			if ops == 0 || saves < 10 {
				t.Errorf("%d saves, %d operations: too few to mean anything", saves, ops)
			}
		})
	}
}

// The test of the test: compare the file's text with the base, then rename over
// it. This is what most programs do, and it loses saves.
func TestCheckThenRenameLosesSaves(t *testing.T) {
	for range 5 {
		lost, saves, _ := hammer(t, vaulttest.Savers["rename"], func(v *vault.Vault, p string) error {
			file := filepath.Join(v.Dir(), p)
			base, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			after := strings.Replace(string(base), "kist: ", "kist: +", 1)
			if err := os.WriteFile(file+".new", []byte(after), 0o666); err != nil {
				return err
			}
			if now, err := os.ReadFile(file); err != nil || string(now) != string(base) {
				return errors.New("changed")
			}
			time.Sleep(200 * time.Microsecond) // a slow disk's worth of a gap
			return os.Rename(file+".new", file)
		})
		if lost > 0 {
			t.Logf("check-then-rename lost %d of %d saves", lost, saves)
			return
		}
	}
	t.Error("the naive way lost nothing: this test can't tell good from bad")
}

func hammer(t *testing.T, saveAs func(string, []byte) error, operate func(*vault.Vault, string) error) (lost, saves, ops int) {
	t.Helper()
	original := "editor: 0\n" + strings.Repeat("\nfiller\n", 5) + "\nkist: \n"
	v := vaulttest.New(t, "-- a.md --\n"+original)
	file := filepath.Join(v.Dir(), "a.md")
	stop := make(chan struct{})
	var operating sync.WaitGroup
	var done atomic.Int64
	operating.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if operate(v, "a.md") == nil {
				done.Add(1)
			}
		}
	})
	// On a busy machine it takes longer until both sides got their turns, and the
	// editor gives the other more and more room.
	start, pace := time.Now(), 300*time.Microsecond
	for late := false; !late || (done.Load() == 0 || saves < 10) && time.Since(start) < 20*hammerTime(); late = time.Since(start) > hammerTime() {
		if late {
			pace = max(10*time.Millisecond, time.Since(start)/40)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if saves > 0 && !strings.Contains(string(text), editing(saves)) {
			if !found(v.Dir(), saves) {
				lost++
			}
			if text, err = os.ReadFile(file); err != nil {
				continue
			}
		}
		if !editorLine.Match(text) {
			// The save is on its way back from a displaced file, or in a conflict
			// copy: an editor would not go on from an empty buffer.
			time.Sleep(time.Millisecond)
			if !found(v.Dir(), saves) {
				lost++
			}
			if text, err = os.ReadFile(file); err != nil || !editorLine.Match(text) {
				text = []byte(original)
			}
		}
		saves++
		text = editorLine.ReplaceAll(text, fmt.Appendf(nil, "editor: %d", saves))
		// Keep the file small: operations add to their line.
		text = []byte(regexp.MustCompile(`\++`).ReplaceAllString(string(text), "+"))
		if err := saveAs(file, text); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(saves%5) * pace)
	}
	close(stop)
	operating.Wait()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if !found(v.Dir(), saves) {
		lost++
	}
	return lost, saves, int(done.Load())
}

func editing(n int) string { return fmt.Sprintf("editor: %d\n", n) }

// found reports whether save n is in the file or in a conflict copy, at once or
// after the 100 ms in which a displaced file is looked at again.
func found(dir string, n int) bool {
	for range 60 {
		names, _ := filepath.Glob(filepath.Join(dir, "a*.md"))
		for _, name := range names {
			if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), editing(n)) {
				return true
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
