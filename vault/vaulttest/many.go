package vaulttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ManyName is what the note of a number is called in the vault of [Many].
func ManyName(i int) string {
	return []string{"Note", "Boat", "Garden", "Letter", "Bread"}[i%5] + " " + fmt.Sprint(i)
}

// Many writes notes into a folder, 5 of 12 with an open task, a tenth as many projects with a
// task each, and Hub.md, to whose heading "Part" [ManyLinks] of the notes link.
func Many(b testing.TB, dir string, files int) {
	b.Helper()
	write := func(p, text string) {
		file := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	write("Hub.md", "# Hub\n\n## Part\n")
	for i := range files {
		name := ManyName(i)
		text := fmt.Sprintf("---\ntags: [t%d]\n---\n# %s\n\nSee [[%s]] and [[%s]].\n\n%s", i%500, name, ManyName(i*7%files), ManyName(i*31%files),
			strings.Repeat("Some words of a note that says little of anything.\n\n", 20))
		if i%12 < 5 {
			text += fmt.Sprintf("- [ ] Do thing %d 📅 2026-12-%02d ⏫ #home\n", i, 1+i%28)
		}
		if i < ManyLinks {
			text += "\n[[Hub#Part|there]]\n"
		}
		write(fmt.Sprintf("Folder %d/%s.md", i%40, name), text)
	}
	for i := range files / 10 {
		p := fmt.Sprintf("projects/project-%d", i)
		write(p+"/project.md", fmt.Sprintf("---\ntype: project\nname: Undertaking %d\nstatus: active\n---\n# Undertaking %d\n\nAbout harbour %d.\n", i, i, i))
		write(p+"/tasks/do.md", fmt.Sprintf("---\ntype: task\ntitle: Do %d\nstatus: todo\n---\n", i))
	}
}

// ManyLinks is how many links there are to the heading of Hub.md in the vault of [Many].
const ManyLinks = 1000
