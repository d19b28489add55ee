package vault_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/vaulttest"
)

const heldText = "# Log\n\nkist: no\n\nfiller\n\nfiller\n\nthe end\n"

// A holder is a program that opened a document before kist wrote it, and goes on.
type holder struct {
	t *testing.T
	*os.File
}

func hold(t *testing.T, v *vault.Vault, p string) holder {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(v.Dir(), p), os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return holder{t, f}
}

func (h holder) add(line string) {
	h.t.Helper()
	if _, err := h.WriteString(line + "\n"); err != nil {
		h.t.Fatal(err)
	}
}

// say changes the line that is kist's.
func say(t *testing.T, v *vault.Vault, p, word string) {
	t.Helper()
	now, err := v.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(now), "kist: ")
	end := i + strings.IndexByte(string(now[i:]), '\n')
	mustApply(t, v, update(p, string(now), string(now[:i])+"kist: "+word+string(now[end:])))
}

// until waits for something that comes by itself; how long it may take is no promise.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it doesn't come: %s", what)
		}
	}
}

func holds(v *vault.Vault, p string, lines ...string) bool {
	text, err := v.Read(p)
	for _, line := range lines {
		if err != nil || !strings.Contains(string(text), line+"\n") {
			return false
		}
	}
	return err == nil
}

// settled closes the holder's file and waits until nothing of it is left.
func (h holder) settled(v *vault.Vault) {
	h.t.Helper()
	h.Close()
	until(h.t, "the displaced file goes", func() bool { return len(temps(h.t, v.Dir())) == 0 })
	until(h.t, "nothing is held", func() bool { return len(v.Settling().Held) == 0 })
}

func temps(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && strings.HasPrefix(d.Name(), ".kist-") {
			found = append(found, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func copies(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*(conflict *"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What a program writes after kist exchanged the file that it has open, and then
// closes it, is in the document.
func TestLateWriteIsMerged(t *testing.T) {
	t.Parallel() // it waits
	v := vaulttest.New(t, "-- a.md --\n"+heldText)
	h := hold(t, v, "a.md")
	say(t, v, "a.md", "yes")
	h.add("late")
	h.settled(v)
	if text, _ := v.Read("a.md"); string(text) != strings.Replace(heldText, "no", "yes", 1)+"late\n" {
		t.Errorf("a.md holds %q", text)
	}
	if found := copies(t, v.Dir()); len(found) > 0 {
		t.Errorf("copies: %q", found)
	}
}

// A program that keeps a file open for hours and writes into it now and then loses no
// line, and each is in the document while it still has the file open, also after more
// operations. Neither copies nor displaced files add up.
func TestEachLateWriteIsMergedAtOnce(t *testing.T) {
	t.Parallel() // it waits
	v := vaulttest.New(t, "-- a.md --\n"+heldText)
	h := hold(t, v, "a.md")
	say(t, v, "a.md", "1")
	for i, line := range []string{"one", "two", "three"} {
		h.add(line)
		until(t, line, func() bool { return holds(v, "a.md", line) })
		until(t, "it is told", func() bool {
			s := v.Settling()
			return len(s.Held) == 1 && s.Held[0].Path == "a.md" && s.Held[0].Saves == i+1
		})
		if v.WaitSettled(ctx, time.Hour) { // which doesn't wait for the program
			t.Error("nothing is said to be left")
		}
		say(t, v, "a.md", line)
	}
	until(t, "one displaced file", func() bool { return len(temps(t, v.Dir())) == 1 })
	h.settled(v)
	if text, _ := v.Read("a.md"); string(text) != strings.Replace(heldText, "no", "three", 1)+"one\ntwo\nthree\n" {
		t.Errorf("a.md holds %q", text)
	}
	if found := copies(t, v.Dir()); len(found) > 0 {
		t.Errorf("copies: %q", found)
	}
	ops, err := v.Operations(ctx, vault.Filter{Actor: vault.ActorEditor})
	if err != nil || len(ops) != 3 {
		t.Errorf("%d operations of the program, %v", len(ops), err)
	}
}

// A program that writes its whole text over and over, from its own old buffer, changes
// what it changed and takes nothing of kist's back.
func TestLateRewriteKeepsTheOperation(t *testing.T) {
	t.Parallel() // it waits
	v := vaulttest.New(t, "-- a.md --\n"+heldText)
	h := hold(t, v, "a.md")
	say(t, v, "a.md", "yes")
	for _, word := range []string{"first", "second"} {
		if err := h.Truncate(0); err != nil {
			t.Fatal(err)
		}
		h.add(strings.TrimSuffix(strings.Replace(heldText, "the end", word, 1), "\n"))
		until(t, word, func() bool { return holds(v, "a.md", word, "kist: yes") })
	}
	h.settled(v)
	want := strings.Replace(strings.Replace(heldText, "no", "yes", 1), "the end", "second", 1)
	if text, _ := v.Read("a.md"); string(text) != want {
		t.Errorf("a.md holds %q", text)
	}
}

// Where late writes don't fit, they are in one conflict copy, however many come.
func TestLateWritesThatDontFitAreInOneCopy(t *testing.T) {
	t.Parallel() // it waits
	for name, spoil := range map[string]func(t *testing.T, v *vault.Vault){
		"other lines stand there": func(t *testing.T, v *vault.Vault) {
			now, _ := v.Read("a.md")
			mustApply(t, v, update("a.md", string(now), string(now)+"of kist\n"))
		},
		"the document is gone": func(t *testing.T, v *vault.Vault) {
			now, _ := v.Read("a.md")
			mustApply(t, v, remove("a.md", string(now)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, "-- a.md --\n"+heldText)
			h := hold(t, v, "a.md")
			say(t, v, "a.md", "yes")
			spoil(t, v)
			h.add("one")
			until(t, "a copy", func() bool { return len(copies(t, v.Dir())) == 1 })
			name := filepath.Base(copies(t, v.Dir())[0])
			h.add("two")
			h.settled(v)
			if !holds(v, name, "one", "two") {
				t.Error("a line is lost")
			}
			if found := copies(t, v.Dir()); len(found) != 1 {
				t.Errorf("copies: %q", found)
			}
			if s := v.Settling(); len(s.Copies) != 1 || s.Copies[0] != name {
				t.Errorf("told: %+v", s)
			}
		})
	}
}

// A program that holds a file open goes on while kist is stopped and started again:
// what it wrote is merged once, neither lost nor doubled, and no copy is made.
func TestLateWritesOverRestarts(t *testing.T) {
	t.Parallel() // it waits
	v := vaulttest.New(t, "-- a.md --\n"+heldText)
	open := func() {
		t.Helper()
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		v = vaulttest.Open(t, v.Dir())
		vaulttest.Watch(t, v)
		vaulttest.Compared(t, v)
		if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
			t.Fatal(err)
		}
	}
	open()
	h := hold(t, v, "a.md")
	say(t, v, "a.md", "yes")
	h.add("one")
	until(t, "one", func() bool { return holds(v, "a.md", "one") })
	open()
	until(t, "the program is known again", func() bool { return len(v.Settling().Held) == 1 })
	h.add("two")
	until(t, "two", func() bool { return holds(v, "a.md", "two") })
	h.add("three") // right before the stop, and
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	h.add("four") // while nobody looks
	h.Close()
	open()
	h.settled(v)
	if text, _ := v.Read("a.md"); string(text) != strings.Replace(heldText, "no", "yes", 1)+"one\ntwo\nthree\nfour\n" {
		t.Errorf("a.md holds %q", text)
	}
	if found := copies(t, v.Dir()); len(found) > 0 {
		t.Errorf("copies: %q", found)
	}
}

// A program that writes without end into a file that kist displaced doesn't fill the
// memory: what is too large to be merged becomes a conflict copy without being read.
func TestHugeLateWriteIsACopy(t *testing.T) {
	t.Parallel() // it waits
	v := vaulttest.New(t, "-- a.md --\n"+heldText)
	h := hold(t, v, "a.md")
	say(t, v, "a.md", "yes")
	if err := h.Truncate(8 << 30); err != nil { // sparse
		t.Fatal(err)
	}
	until(t, "a copy", func() bool { return len(copies(t, v.Dir())) == 1 })
	h.settled(v)
	if !holds(v, "a.md", "kist: yes") {
		t.Error("the document was changed")
	}
}

// A folder that is moved by hand, with a displaced file in it, takes the late writes
// along.
func TestLateWritesInAMovedFolder(t *testing.T) {
	t.Parallel() // it waits
	v := vaulttest.New(t, "-- notes/a.md --\n"+heldText)
	h := hold(t, v, "notes/a.md")
	say(t, v, "notes/a.md", "yes")
	if err := os.Rename(filepath.Join(v.Dir(), "notes"), filepath.Join(v.Dir(), "old")); err != nil {
		t.Fatal(err)
	}
	h.add("late")
	h.Close()
	until(t, "the watch gives up", func() bool { return v.WaitSettled(ctx, time.Hour) })
	if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
		t.Fatal(err)
	}
	h.settled(v)
	found := copies(t, filepath.Join(v.Dir(), "old"))
	if holds(v, "old/a.md", "late", "kist: yes") {
		return
	}
	if len(found) != 1 || !holds(v, "old/"+filepath.Base(found[0]), "late") {
		t.Errorf("the late line is neither in the document nor in %q", found)
	}
}

// While an operation waits for a program to close its file, operations on others are
// carried out; only where the program opened it a moment ago they wait too.
func TestWaitingForAProgramStallsNobodyElse(t *testing.T) {
	const wait = "wait until closed"
	other := func(t *testing.T, v *vault.Vault) <-chan error {
		done := make(chan error, 1)
		go func() {
			_, err := v.Apply(ctx, batch(update("b.md", "b\n", "B\n")))
			done <- err
		}()
		return done
	}
	carriedOut := func(t *testing.T, done <-chan error, what string) {
		t.Helper()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s is stalled", what)
		}
	}
	t.Run("open before", func(t *testing.T) {
		v := vaulttest.New(t, "-- a.md --\n"+heldText+"-- b.md --\nb\n")
		vault.SetCloseLimit(v, time.Hour)
		h := hold(t, v, "a.md")
		waits := make(chan bool)
		vault.SetFault(v, func(call string) error {
			if strings.HasPrefix(call, wait) {
				waits <- true
			}
			return nil
		})
		first := make(chan error, 1)
		go func() {
			_, err := v.Apply(ctx, batch(update("a.md", heldText, "kist: yes\n"+heldText)))
			first <- err
		}()
		<-waits
		carriedOut(t, other(t, v), "the other operation")
		select {
		case err := <-first:
			t.Fatalf("it did not wait: %v", err)
		default:
		}
		h.Close()
		carriedOut(t, first, "the first operation")
	})
	t.Run("opened meanwhile", func(t *testing.T) {
		v := vaulttest.New(t, "-- a.md --\n"+heldText+"-- b.md --\nb\n")
		vault.SetCloseLimit(v, time.Hour)
		var second <-chan error
		var h holder
		waits := make(chan bool, 1)
		vault.SetFault(v, func(call string) error {
			switch {
			case strings.HasPrefix(call, "exchange") && h.File == nil:
				h = hold(t, v, "a.md")
			case strings.HasPrefix(call, wait) && second == nil:
				second = other(t, v)
				waits <- true
			}
			return nil
		})
		first := make(chan error, 1)
		go func() {
			_, err := v.Apply(ctx, batch(update("a.md", heldText, "kist: yes\n"+heldText)))
			first <- err
		}()
		<-waits
		// It may be in the middle of a save, whoever else wants to write.
		select {
		case err := <-first:
			t.Errorf("it did not wait: %v", err)
		case <-time.After(200 * time.Millisecond):
		}
		h.Close()
		carriedOut(t, first, "the first operation")
		carriedOut(t, second, "the other operation")
		h.settled(v)
	})
}
