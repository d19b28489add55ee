package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSaves(t *testing.T) {
	all := slices.Concat(saves, savesHere)
	names := make(map[string]bool)
	for _, how := range all {
		names[how.name] = true
		t.Run(how.name, func(t *testing.T) {
			t.Parallel()
			// Between two calls of an editor a starved machine may pause for longer than
			// any settle time. Read half saved again and again, it is no such pause.
			half := ""
			for range 4 {
				if half = saveOnce(t, how); half == "" {
					return
				}
			}
			t.Error(half)
		})
	}
	if len(names) < 40 || len(names) != len(all) {
		t.Errorf("%d ways to save, %d of them different, want 40 at least", len(all), len(names))
	}
	t.Logf("%d ways to save", len(names))
}

// saveOnce saves a note in one way, and returns what was read of it half saved.
func saveOnce(t *testing.T, how save) (half string) {
	root := t.TempDir()
	note := filepath.Join(root, "note.md")
	write(t, note, "the old text")
	mkdir(t, filepath.Join(root, "other"))
	opts := withCookies(t, root)
	opts.Settle = 60 * time.Millisecond // a busy machine makes the pauses longer
	m := follow(t, root, opts)
	text := strings.Repeat("the new text ", 100)
	how.save(t, note, text)
	m.barrier()
	v := m.now()
	if diff := cmp.Diff(disk(t, root), v.files); diff != "" {
		t.Errorf("after the barrier the events don't add up to the disk (-disk +seen):\n%s", diff)
	}
	if len(v.rescans) > 0 {
		t.Errorf("rescans %q for one save", v.rescans)
	}
	if !how.other && v.files["note.md"] != text {
		t.Errorf("the text in the end is %q", v.files["note.md"])
	}
	if how.deletes && !slices.Contains(v.history["note.md"], "-") {
		t.Errorf("the deletion was not reported: %q", v.history["note.md"])
	}
	for path, seen := range v.history {
		_, there := v.files[path]
		if slices.Contains(seen, "") || (there && slices.Contains(seen, "-") && !how.deletes) {
			half = fmt.Sprintf("%s was read while it was empty or missing: %q", path, seen)
		}
	}
	return half
}

func TestEmptyFileIsReportedInTheEnd(t *testing.T) {
	root := t.TempDir()
	note := filepath.Join(root, "note.md")
	write(t, note, "text")
	m := follow(t, root, Options{})
	write(t, note, "")
	m.settled()
}

func TestDelete(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "note.md"), "text")
	mkdir(t, filepath.Join(root, "folder", "below"))
	write(t, filepath.Join(root, "folder", "below", "other.md"), "text")
	m := follow(t, root, Options{})
	remove(t, filepath.Join(root, "note.md"))
	if err := os.RemoveAll(filepath.Join(root, "folder")); err != nil {
		t.Fatal(err)
	}
	if v := m.settled(); removedEmpty && len(v.rescans) > 0 {
		t.Errorf("rescans %q for a removed folder, whose files were all reported", v.rescans)
	}
}

func TestBurst(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	m := follow(t, root, Options{})
	for i := range 2000 {
		write(t, filepath.Join(root, "note"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+".md"), "text")
	}
	v := m.settled()
	if len(v.rescans) > 0 || len(v.files) != 2000 {
		t.Errorf("%d files seen, want 2000; rescans %q, want none", len(v.files), v.rescans)
	}
	t.Logf("2,000 files in %d events", v.events)
}

func TestIgnored(t *testing.T) {
	root := t.TempDir()
	mkdir(t, filepath.Join(root, ".kist"))
	m := follow(t, root, Options{})
	mkdir(t, filepath.Join(root, ".git", "objects"))
	for _, name := range []string{".kist/x.md", ".git/objects/x.md", ".kist-1.tmp", "picture.png"} {
		write(t, filepath.Join(root, name), "text")
	}
	write(t, filepath.Join(root, "note.md"), "text")
	if v := m.settled(); len(v.history) != 1 {
		t.Errorf("paths reported: %v, want note.md alone", v.history)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	m := follow(t, root, Options{})
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	mkdir(t, filepath.Join(root, "folder"))
	if err := os.Symlink(outside, filepath.Join(root, "folder", "link")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(outside, "secret.md"), "text")
	write(t, filepath.Join(root, "folder", "note.md"), "text")
	if v := m.settled(); len(v.history) != 1 {
		t.Errorf("paths reported: %v, want folder/note.md alone", v.history)
	}
}

// A save must be searchable within 5 ms, so its event can't wait for quiet.
func BenchmarkSaveToEvent(b *testing.B) {
	root := b.TempDir()
	note := filepath.Join(root, "note.md")
	seen := make(chan struct{}, 100)
	w := New(root, Options{Ignore: markdown})
	done := make(chan error, 1)
	go func() { done <- w.Run(b.Context(), func(Event) { seen <- struct{}{} }) }()
	<-w.Ready()
	for i := 0; b.Loop(); i++ {
		if err := os.WriteFile(note, []byte("text"), 0o600); err != nil {
			b.Fatal(err)
		}
		<-seen
		b.StopTimer()
		time.Sleep(45 * time.Millisecond) // what follows is held: let it pass
		for len(seen) > 0 {
			<-seen
		}
		b.StartTimer()
	}
}

// A consumer that takes longer than Settle must not make a file look deleted that
// came back meanwhile and is being saved once more: the events are in the queue.
func TestSlowConsumerSeesNoFalseDeletion(t *testing.T) {
	t.Parallel()
	for range 10 {
		seen, starved := slowConsumer(t)
		switch {
		case seen != "" && !starved:
			t.Fatal(seen)
		case seen == "":
			return
		}
	}
	t.Error("this process stood still for a while in each of ten attempts: nothing can be said")
}

// stillness measures, until it is asked, how long this process stood still at most.
func stillness() (longest func() time.Duration) {
	stop, result := make(chan struct{}), make(chan time.Duration)
	go func() {
		var most time.Duration
		for last := time.Now(); ; {
			select {
			case <-stop:
				result <- most
				return
			case <-time.After(time.Millisecond):
			}
			now := time.Now()
			most, last = max(most, now.Sub(last)), now
		}
	}()
	return func() time.Duration {
		close(stop)
		return <-result
	}
}

// slowConsumer returns what was seen of a file while it was away, and whether this
// process stood still meanwhile, as on a starved machine.
func slowConsumer(t *testing.T) (seen string, starved bool) {
	root := t.TempDir()
	note := filepath.Join(root, "note.md")
	write(t, note, "text")
	opts := withCookies(t, root)
	opts.Settle = 150 * time.Millisecond
	m := follow(t, root, opts)
	still := stillness()
	for i := range 4 {
		m.mu.Lock() // the consumer stands still at the next event
		remove(t, note)
		time.Sleep(3 * time.Millisecond) // this is heard of
		write(t, filepath.Join(root, "other.md"), "text")
		time.Sleep(165 * time.Millisecond)
		write(t, note, "text")
		remove(t, note) // saved again: it was never away for long
		time.Sleep(2 * time.Millisecond)
		m.mu.Unlock()
		time.Sleep(8 * time.Millisecond)
		write(t, note, "text")
		m.barrier()
		if history := m.now().history["note.md"]; slices.Contains(history, "-") {
			longest := still()
			return fmt.Sprintf("round %d: read while it was missing: %q (stood still for %v)", i, history, longest), longest > 10*time.Millisecond
		}
		time.Sleep(160 * time.Millisecond)
	}
	still()
	return "", false
}
