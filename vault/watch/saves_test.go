package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Ways in which programs save note.md, with the pauses that they make.
var saves = []struct {
	name string
	save func(t *testing.T, note, text string)
}{
	{"in place", write},
	{"atomic temporary file", func(t *testing.T, note, text string) {
		write(t, note+".tmp", text)
		rename(t, note+".tmp", note)
	}},
	{"vim with a backup by renaming", func(t *testing.T, note, text string) {
		dir := filepath.Dir(note)
		write(t, filepath.Join(dir, "4913"), "")
		remove(t, filepath.Join(dir, "4913"))
		rename(t, note, note+"~")
		write(t, note, text)
		remove(t, note+"~")
	}},
	{"vim with a backup by copying", func(t *testing.T, note, text string) {
		write(t, note+"~", "old")
		write(t, note, text)
		if err := os.Chmod(note, 0o640); err != nil {
			t.Error(err)
		}
		remove(t, note+"~")
	}},
	{"VS Code: truncate, then write", func(t *testing.T, note, text string) {
		if err := os.Truncate(note, 0); err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Millisecond)
		write(t, note, text)
	}},
	{"Emacs: lock link, backup, new file", func(t *testing.T, note, text string) {
		lock := filepath.Join(filepath.Dir(note), ".#note.md")
		if err := os.Symlink("ada@host.1", lock); err != nil {
			t.Error(err)
		}
		rename(t, note, note+"~")
		write(t, note, text)
		remove(t, lock)
	}},
	{"JetBrains safe write", func(t *testing.T, note, text string) {
		write(t, note+"___jb_tmp___", text)
		rename(t, note, note+"___jb_old___")
		rename(t, note+"___jb_tmp___", note)
		remove(t, note+"___jb_old___")
	}},
	{"sed -i", func(t *testing.T, note, text string) {
		tmp := filepath.Join(filepath.Dir(note), "sedXq1Z2w")
		write(t, tmp, text)
		rename(t, tmp, note)
	}},
	{"git checkout: unlink, create, write", func(t *testing.T, note, text string) {
		remove(t, note)
		time.Sleep(2 * time.Millisecond)
		write(t, note, text)
	}},
	{"in slow chunks", func(t *testing.T, note, text string) {
		f, err := os.Create(note)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for chunk := range slices.Chunk([]byte(text), len(text)/8) {
			if _, err := f.Write(chunk); err != nil {
				t.Error(err)
			}
			time.Sleep(12 * time.Millisecond)
		}
	}},
	{"created anew", func(t *testing.T, note, text string) {
		remove(t, note)
		time.Sleep(100 * time.Millisecond) // a deletion of its own
		write(t, note, text)
	}},
}

func TestSaves(t *testing.T) {
	for _, how := range saves {
		t.Run(how.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			note := filepath.Join(root, "note.md")
			write(t, note, "the old text")
			m := follow(t, root, Options{})
			text := strings.Repeat("the new text ", 100)
			how.save(t, note, text)
			v := m.settled()
			if len(v.rescans) > 0 {
				t.Errorf("rescans %q for one save", v.rescans)
			}
			// Nothing is read while the file is half saved.
			seen := v.history["note.md"]
			if slices.Contains(seen, "") || (slices.Contains(seen, "-") && how.name != "created anew") {
				t.Errorf("the file was read while it was empty or missing: %q", seen)
			}
			if how.name == "created anew" && !slices.Contains(seen, "-") {
				t.Errorf("the deletion was not reported: %q", seen)
			}
		})
	}
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
