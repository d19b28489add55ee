package sync

import (
	"path/filepath"
	"strings"
	"testing"
)

// moveAll moves all files of a folder.
func (m *machine) moveAll(from, to string) {
	m.t.Helper()
	for p, text := range m.files() {
		if rest, ok := strings.CutPrefix(p, from+"/"); ok {
			m.write(to+"/"+rest, text)
			m.remove(p)
		}
	}
}

// TestARenamedFolderTakesWhatOthersPutThere has one machine rename a folder while the other puts something into it, by the
// old name. Each case is made both ways round, all of them at once: in folders of their own, with texts of their own (CASE stands for its name).
func TestARenamedFolderTakesWhatOthersPutThere(t *testing.T) {
	t.Parallel()
	const note, plans, shed, tools = "# Note\n\none\n\ntwo of CASE\n", "# Plans\n\nbeds and paths of CASE\n", "# Shed\n\nroof and floor of CASE\n", "# Tools\n\nspade and hoe of CASE\n"
	cases := []struct {
		name       string
		one, other func(m *machine)
		want       map[string]string
	}{
		{"a new file", func(m *machine) { m.moveAll("garden", "yard") }, func(m *machine) { m.write("garden/new.md", "new\n") }, map[string]string{"yard/new.md": "new\n", "garden/new.md": "-"}},
		{"a new folder in it", func(m *machine) { m.moveAll("garden", "yard") }, func(m *machine) { m.write("garden/deep/er/new.md", "new\n") }, map[string]string{"yard/deep/er/new.md": "new\n"}},
		{"a picture", func(m *machine) { m.moveAll("garden", "yard") }, func(m *machine) { m.write("garden/new.png", "\x00new") }, map[string]string{"yard/new.png": "\x00new"}},
		{"a folder above", func(m *machine) { m.moveAll("garden", "home/garden") }, func(m *machine) { m.write("garden/beds/new.md", "new\n") }, map[string]string{"home/garden/beds/new.md": "new\n"}},
		{"moved into it", func(m *machine) { m.moveAll("garden", "yard") }, func(m *machine) {
			m.write("garden/note.md", m.read("note.md"))
			m.remove("note.md")
		}, map[string]string{"yard/note.md": note, "garden/note.md": "-", "note.md": "-"}},
		{"a file in it got another name", func(m *machine) { m.moveAll("garden", "yard") }, func(m *machine) {
			m.write("garden/ideas.md", m.read("garden/plans.md"))
			m.remove("garden/plans.md")
		}, map[string]string{"yard/ideas.md": plans, "yard/plans.md": "-", "garden/ideas.md": "-"}},
		{"that name is taken there", func(m *machine) {
			m.moveAll("garden", "yard")
			m.write("yard/ideas.md", "other\n")
		}, func(m *machine) {
			m.write("garden/ideas.md", m.read("garden/plans.md"))
			m.remove("garden/plans.md")
		}, map[string]string{"yard/ideas.md": "other\n"}},
		{"most went to one", func(m *machine) {
			m.moveAll("garden/beds", "yard/beds")
			m.write("yard/plans.md", plans)
			m.write("attic/shed.md", shed)
			m.remove("garden/plans.md")
			m.remove("garden/shed.md")
		}, func(m *machine) { m.write("garden/new.md", "new\n") }, map[string]string{"yard/new.md": "new\n"}},
		{"half went to each", func(m *machine) {
			m.moveAll("garden/beds", "beds")
			m.write("yard/plans.md", plans)
			m.write("attic/shed.md", shed)
			m.remove("garden/plans.md")
			m.remove("garden/shed.md")
		}, func(m *machine) { m.write("garden/new.md", "new\n") }, map[string]string{"garden/new.md": "new\n"}},
		{"still in use", func(m *machine) {
			m.write("yard/plans.md", plans)
			m.remove("garden/plans.md")
		}, func(m *machine) { m.write("garden/new.md", "new\n") }, map[string]string{"garden/new.md": "new\n", "yard/plans.md": plans}},
		{"emptied into one that was there", func(m *machine) {
			m.moveAll("garden", "kept")
		}, func(m *machine) { m.write("garden/new.md", "new\n") }, map[string]string{"garden/new.md": "new\n"}},
		{"the name is taken there", func(m *machine) {
			m.moveAll("garden", "yard")
			m.write("yard/new.md", "other\n")
		}, func(m *machine) { m.write("garden/new.md", "new\n") }, map[string]string{"garden/new.md": "new\n", "yard/new.md": "other\n"}},
		{"the last note of an inbox", func(m *machine) { m.moveAll("inbox", "2026") }, func(m *machine) { m.write("inbox/i4.md", "new\n") }, map[string]string{"inbox/i4.md": "new\n", "2026/i4.md": "-"}},
		{"its own note", func(m *machine) { m.moveAll("boat", "ship") }, func(m *machine) { m.write("boat/new.md", "new\n") }, map[string]string{"ship/new.md": "new\n", "boat/new.md": "-"}},
		{"both gave it another name", func(m *machine) { m.moveAll("garden", "yard") }, func(m *machine) {
			m.moveAll("garden", "plot")
			m.write("plot/new.md", "new\n")
		}, map[string]string{"plot/new.md": "new\n"}},
	}
	for _, turned := range []bool{false, true} {
		a, b, _ := pair(t)
		in := func(m *machine, name string) *machine {
			return &machine{t: t, name: m.name + ", " + name, dir: filepath.Join(m.dir, name)}
		}
		mark := func(m *machine, name string) {
			for p, text := range m.files() {
				m.write(p, strings.ReplaceAll(text, "CASE", name))
			}
		}
		for _, c := range cases {
			m := in(a, c.name)
			for p, text := range map[string]string{"note.md": note, "garden/plans.md": plans, "garden/shed.md": shed, "garden/beds/tools.md": tools, "kept/old.md": "old\n",
				"inbox/i3.md": "# Idea\n\nthree of CASE\n", "boat/Boat.md": "# Boat\n\nsails of CASE\n"} {
				m.write(p, text)
			}
			mark(m, c.name)
		}
		settle(a, b)
		for _, c := range cases {
			c.one(in(a, c.name))
			c.other(in(b, c.name))
			mark(in(a, c.name), c.name)
			mark(in(b, c.name), c.name)
		}
		if turned {
			b.sync()
		}
		settle(a, b)
		same(t, a, b)
		for _, m := range []*machine{a, b} {
			for _, c := range cases {
				for p, want := range c.want {
					in(m, c.name).wants(p, strings.ReplaceAll(want, "CASE", c.name))
				}
			}
			m.clean()
		}
	}
}
