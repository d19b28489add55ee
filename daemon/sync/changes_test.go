package sync

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/vault"
	"kist/vault/entity"
)

// rarer makes one of the changes that are larger than a line: of sections, whole documents
// and folders, of what is made twice, and by a git of the user's own.
func (h *history) rarer(m *machine, p, text string) {
	switch h.rand.IntN(mostly(11, 13)) {
	case 0:
		h.log(m, "moves a section of %s to its end", p)
		m.write(p, sectionLast(text, h.rand.IntN(3)))
	case 1:
		by := h.log(m, "adds a section to %s", p)
		m.write(p, strings.Replace(text, "## Tasks\n", "## "+h.word(by)+"\n\n"+h.word(by)+" is new.\n\n## Tasks\n", 1))
		if !strings.Contains(text, "## Tasks\n") {
			h.taken(2)
		}
	case 2:
		by := h.log(m, "adds a tag to %s", p)
		m.write(p, strings.Replace(text, "]\n---\n", ", "+h.word(by)+"]\n---\n", 1))
		if !strings.Contains(text, "]\n---\n") {
			h.taken(1)
		}
	case 3:
		by := h.log(m, "writes %s anew", p)
		h.forget(text)
		m.write(p, h.document(by))
	case 4:
		to := []string{"notes", "new", "deep/er"}[h.rand.IntN(3)]
		h.moveFolder(m, path.Dir(p), to)
	case 5:
		h.log(m, "saves %s with other line ends", p)
		m.write(p, strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n"))
	case 6:
		h.createProject(m)
	case 7:
		h.log(m, "commits by hand")
		_ = m.tries(h.everything()...)
		_ = m.tries("commit", "-qm", "by hand")
	case 8:
		if in := path.Join(p, "in.md"); path.Dir(p) != "." && !strings.Contains(p, copies.Mark) {
			h.log(m, "moves %s to %s", p, in)
			m.remove(p)
			m.write(in, text)
		}
	case 9:
		by := h.log(m, "draws on board.canvas")
		h.forget(m.read("board.canvas"))
		m.write("board.canvas", `{"nodes":[{"id":"`+h.word(by)+`"}]}`)
	default:
		h.log(m, "pulls by hand")
		// Whatever isn't committed git's own merge --abort takes back, in a file that it couldn't merge.
		_ = m.tries(h.everything()...)
		_ = m.tries("commit", "-qm", "before a pull")
		if m.tries("pull", "-q", "--no-rebase", "--no-edit") != nil {
			_ = os.Remove(filepath.Join(git.Dir(m.dir), "index.lock")) // git 2.39 dies of some conflicts (a BUG in merge-ort), and its user takes that away
			if m.tries("merge", "--abort") != nil {                    // a file that it has moved out of a folder's way may be in its own
				_ = m.tries("reset", "-q", "--hard")
			}
		}
	}
}

// everything is how a user adds all that he has, but for what he has kist leave out: what is sent of that is his to settle.
func (h *history) everything() []string {
	all := []string{"add", "-A"}
	if h.stay {
		all = append(all, "--", ".", ":!*"+copies.Mark+"*")
	}
	return all
}

// taken takes the last words back, which were written nowhere.
func (h *history) taken(n int) {
	for i := range n {
		delete(h.written, wordOf(h.words-i))
	}
}

// sectionLast moves a section of the second level, the nth, behind all others.
func sectionLast(text string, nth int) string {
	parts := strings.Split(text, "\n## ")
	if len(parts) < 3 {
		return text
	}
	at := 1 + nth%(len(parts)-1)
	moved := parts[at]
	rest := append(slices.Delete(slices.Clone(parts), at, at+1), strings.TrimSuffix(moved, "\n"))
	rest[len(rest)-2] = strings.TrimSuffix(rest[len(rest)-2], "\n") + "\n"
	return strings.Join(rest, "\n## ") + "\n"
}

// moveFolder moves the documents of a folder to another one, where nothing is in their way.
func (h *history) moveFolder(m *machine, from, to string) {
	h.log(m, "moves all of %s to %s", from, to)
	for p, text := range m.files() {
		at := path.Join(to, path.Base(p))
		if path.Dir(p) == from && from != to && strings.HasSuffix(p, ".md") && !strings.Contains(p, ".conflict-") && m.read(at) == "-" {
			h.name(at, text)
			m.write(at, text)
			m.remove(p)
		}
	}
}

// createProject makes a project that another machine may have made as well.
func (h *history) createProject(m *machine) {
	name := []string{"Houseboat", "Choir"}[h.rand.IntN(2)]
	by := h.log(m, "creates the project %s", name)
	step, err := entity.PlanCreateProject(m.vault, entity.NewProject{Name: name, Description: h.word(by)}, vault.ActorUser)
	if err != nil {
		h.taken(1) // it is there
		return
	}
	ops, err := m.vault.Apply(h.t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{step}})
	if err != nil {
		h.t.Fatalf("%s: %v", by, err)
	}
	h.ops = append(h.ops, ops[0].ID)
}
