package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A save is a way in which a program saves note.md, with the pauses that it makes.
type save struct {
	name    string
	save    func(t *testing.T, note, text string)
	deletes bool // it is a deletion and a new file
	other   bool // what is saved in the end isn't text
}

// saves are what editors, synchronisers and tools were seen to do.
var saves = []save{
	// In place.
	{name: "in place", save: write},
	{name: "VS Code: truncate, then write", save: func(t *testing.T, note, text string) {
		truncate(t, note, 0)
		time.Sleep(5 * time.Millisecond)
		write(t, note, text)
	}},
	{name: "truncate, a long pause, then write", save: func(t *testing.T, note, text string) {
		truncate(t, note, 0)
		time.Sleep(12 * time.Millisecond)
		write(t, note, text)
	}},
	{name: "Obsidian: write, then set the times", save: func(t *testing.T, note, text string) {
		write(t, note, text)
		touch(t, note)
	}},
	{name: "Notepad: write over it, then cut the end", save: func(t *testing.T, note, text string) {
		put(t, note, os.O_WRONLY, text+"the end of a longer text")
		truncate(t, note, int64(len(text)))
	}},
	{name: "shell: >", save: func(t *testing.T, note, text string) {
		put(t, note, os.O_WRONLY|os.O_TRUNC|os.O_CREATE, text)
	}},
	{name: "shell: >>", save: func(t *testing.T, note, text string) {
		write(t, note, text[:100])
		put(t, note, os.O_WRONLY|os.O_APPEND, text[100:])
	}},
	{name: "cp: truncate and copy", save: func(t *testing.T, note, text string) {
		write(t, filepath.Join(t.TempDir(), "source"), text)
		put(t, note, os.O_WRONLY|os.O_TRUNC, text)
	}},
	{name: "rsync --inplace", save: func(t *testing.T, note, text string) {
		put(t, note, os.O_WRONLY|os.O_CREATE, text)
		truncate(t, note, int64(len(text)))
		touch(t, note)
		chmod(t, note)
	}},
	{name: "in slow chunks", save: func(t *testing.T, note, text string) {
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
	{name: "line ends changed to CRLF", other: true, save: func(t *testing.T, note, text string) {
		write(t, note, strings.ReplaceAll(text, " ", "\n"))
		time.Sleep(30 * time.Millisecond)
		write(t, note, strings.ReplaceAll(text, " ", "\r\n"))
	}},
	{name: "saved by itself every few milliseconds", save: func(t *testing.T, note, text string) {
		for i := range 30 {
			write(t, note, text[:len(text)-30+i+1])
			time.Sleep(5 * time.Millisecond)
		}
	}},
	{name: "saved twice in a row", save: func(t *testing.T, note, text string) {
		write(t, note, "half")
		write(t, note, text)
	}},
	{name: "touch", save: func(t *testing.T, note, text string) {
		write(t, note, text)
		time.Sleep(30 * time.Millisecond)
		touch(t, note)
	}},
	{name: "chmod", save: func(t *testing.T, note, text string) {
		write(t, note, text)
		time.Sleep(30 * time.Millisecond)
		chmod(t, note)
	}},

	// Vim, by 'backupcopy'.
	{name: "vim, backupcopy=no: the old file is the backup", save: func(t *testing.T, note, text string) {
		probe4913(t, note)
		rename(t, note, note+"~")
		write(t, note, text)
		chmod(t, note)
		remove(t, note+"~")
	}},
	{name: "vim, backupcopy=yes: the backup is a copy", save: func(t *testing.T, note, text string) {
		write(t, note+"~", "the old text")
		write(t, note, text)
		chmod(t, note)
		remove(t, note+"~")
	}},
	{name: "vim, backupcopy=auto with a swap file", save: func(t *testing.T, note, text string) {
		swap := filepath.Join(filepath.Dir(note), ".note.md.swp")
		write(t, swap, "b0VIM")
		probe4913(t, note)
		write(t, note+"~", "the old text")
		put(t, note, os.O_WRONLY|os.O_TRUNC, text)
		remove(t, note+"~")
		remove(t, swap)
	}},
	{name: "nano with a backup", save: func(t *testing.T, note, text string) {
		write(t, note+"~", "the old text")
		write(t, note, text)
	}},

	// Emacs.
	{name: "Emacs: lock link, backup by renaming", save: func(t *testing.T, note, text string) {
		lock := beside(note, ".#note.md")
		if err := os.Symlink("ada@host.1", lock); err != nil {
			t.Error(err)
		}
		rename(t, note, note+"~")
		write(t, note, text)
		remove(t, lock)
	}},
	{name: "Emacs: saved by itself, backup by copying", save: func(t *testing.T, note, text string) {
		write(t, beside(note, "#note.md#"), text)
		write(t, note+"~", "the old text")
		write(t, note, text)
		remove(t, beside(note, "#note.md#"))
	}},

	// A temporary file that takes the note's place.
	{name: "a temporary file", save: replacing("note.md.tmp")},
	{name: "Sublime Text: atomic save", save: replacing(".sublime-tmp-1")},
	{name: "GNOME: .goutputstream", save: replacing(".goutputstream-AB12CD")},
	{name: "KDE: QSaveFile", save: replacing("note.md.Xy12Zw")},
	{name: "sed -i", save: replacing("sedXq1Z2w")},
	{name: "rsync", save: replacing(".note.md.aB3dE6")},
	{name: "Syncthing", save: replacing(".syncthing.note.md.tmp")},
	{name: "Dropbox: from its cache", save: func(t *testing.T, note, text string) {
		mkdir(t, beside(note, ".dropbox.cache"))
		replacing(".dropbox.cache/note.md")(t, note, text)
	}},
	{name: "TextEdit: from a folder beside it", save: func(t *testing.T, note, text string) {
		dir := beside(note, "note.md.sb-1a2b3c4d-AbCdEf")
		mkdir(t, dir)
		replacing(filepath.Base(dir)+"/.note.md")(t, note, text)
		remove(t, dir)
	}},
	{name: "LibreOffice: lock, temporary file", save: func(t *testing.T, note, text string) {
		write(t, beside(note, ".~lock.note.md#"), "ada")
		replacing("lu12x.tmp")(t, note, text)
		remove(t, beside(note, ".~lock.note.md#"))
	}},
	{name: "JetBrains: safe write", save: func(t *testing.T, note, text string) {
		write(t, note+"___jb_tmp___", text)
		rename(t, note, note+"___jb_old___")
		rename(t, note+"___jb_tmp___", note)
		remove(t, note+"___jb_old___")
	}},
	{name: "a link to the old file, then a new one", save: func(t *testing.T, note, text string) {
		if err := os.Link(note, note+".bak"); err != nil {
			t.Error(err)
		}
		replacing("note.md.new")(t, note, text)
		remove(t, note+".bak")
	}},
	{name: "mv over it, from a folder of the vault", save: func(t *testing.T, note, text string) {
		write(t, beside(note, "other/new.md"), text)
		time.Sleep(5 * time.Millisecond)
		rename(t, beside(note, "other/new.md"), note)
	}},
	{name: "mv over it, from elsewhere", save: func(t *testing.T, note, text string) {
		source := filepath.Join(t.TempDir(), "new.md")
		write(t, source, text)
		rename(t, source, note)
	}},

	// Removed first.
	{name: "git checkout: unlink, create, write", save: func(t *testing.T, note, text string) {
		remove(t, note)
		time.Sleep(2 * time.Millisecond)
		write(t, note, text)
	}},
	{name: "unzip -o", save: func(t *testing.T, note, text string) {
		remove(t, note)
		put(t, note, os.O_CREATE|os.O_EXCL|os.O_WRONLY, text)
		touch(t, note)
		chmod(t, note)
	}},
	{name: "tar: unlink, create, times", save: func(t *testing.T, note, text string) {
		remove(t, note)
		put(t, note, os.O_CREATE|os.O_EXCL|os.O_WRONLY, text)
		touch(t, note)
	}},
	{name: "perl -i: unlinked while it is open", save: func(t *testing.T, note, text string) {
		old, err := os.Open(note)
		if err != nil {
			t.Fatal(err)
		}
		defer old.Close()
		remove(t, note)
		put(t, note, os.O_CREATE|os.O_WRONLY, text)
	}},
	{name: "removed, a pause, created", save: func(t *testing.T, note, text string) {
		remove(t, note)
		time.Sleep(10 * time.Millisecond)
		write(t, note, text)
	}},
	{name: "git stash: two versions in a row", save: func(t *testing.T, note, text string) {
		for _, version := range []string{"the stashed text", text} {
			remove(t, note)
			write(t, note, version)
		}
	}},
	{name: "moved away and back", save: func(t *testing.T, note, text string) {
		rename(t, note, note+".moved")
		write(t, note+".moved", text)
		rename(t, note+".moved", note)
	}},
	{name: "another case of letters and back", save: func(t *testing.T, note, text string) {
		rename(t, note, beside(note, "Note.md"))
		write(t, beside(note, "Note.md"), text)
		rename(t, beside(note, "Note.md"), note)
	}},
	{name: "another case of letters", other: true, save: func(t *testing.T, note, text string) {
		rename(t, note, beside(note, "Note.md"))
		write(t, beside(note, "Note.md"), text)
	}},
	{name: "created anew", deletes: true, save: func(t *testing.T, note, text string) {
		remove(t, note)
		time.Sleep(250 * time.Millisecond) // a deletion of its own
		write(t, note, text)
	}},
}

func beside(note, name string) string {
	return filepath.Join(filepath.Dir(note), filepath.FromSlash(name))
}

// replacing writes a file of some name and moves it over the note.
func replacing(name string) func(t *testing.T, note, text string) {
	return func(t *testing.T, note, text string) {
		put(t, beside(note, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, text)
		chmod(t, beside(note, name))
		rename(t, beside(note, name), note)
	}
}

// probe4913 is how vim finds out whether it may make files in a folder.
func probe4913(t *testing.T, note string) {
	write(t, beside(note, "4913"), "")
	remove(t, beside(note, "4913"))
}

func put(t *testing.T, file string, flags int, text string) {
	t.Helper()
	f, err := os.OpenFile(file, flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, file string, size int64) {
	t.Helper()
	if err := os.Truncate(file, size); err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, file string) {
	t.Helper()
	then := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(file, then, then); err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, file string) {
	t.Helper()
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
}
