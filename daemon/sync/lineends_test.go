package sync

import (
	"strings"
	"testing"
)

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// TestLineEndsThatGitConverts has attributes ask for CRLF: what comes is written with it, what is here
// otherwise keeps its own, and edits on both sides are one text.
func TestLineEndsThatGitConverts(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write(".gitattributes", "*.md text=auto eol=crlf\n*.bin binary\n")
	settle(a, b)
	a.write("text.md", crlf("# Note\n\none\n\ntwo\n\nthree\n"))
	a.write("unix.md", "one\n\ntwo\n")
	a.write("data.bin", "\x00one\ntwo\n")
	settle(a, b)
	b.wants("text.md", crlf("# Note\n\none\n\ntwo\n\nthree\n"))
	b.wants("unix.md", crlf("one\n\ntwo\n"))
	b.wants("data.bin", "\x00one\ntwo\n")
	if text := b.git("cat-file", "-p", "HEAD:text.md"); strings.Contains(text, "\r") {
		t.Errorf("committed %q", text)
	}
	a.write("text.md", crlf("# Note\n\nONE\n\ntwo\n\nthree\n"))
	a.write("unix.md", "one\n\nTWO\n")
	b.write("text.md", crlf("# Note\n\none\n\ntwo\n\nTHREE\n"))
	b.write("unix.md", crlf("ONE\n\ntwo\n"))
	settle(a, b)
	for _, m := range []*machine{a, b} {
		m.wants("text.md", crlf("# Note\n\nONE\n\ntwo\n\nTHREE\n"))
		m.clean()
		if list, err := m.engine.Conflicts(t.Context()); err != nil || len(list) > 0 {
			t.Errorf("%s: conflicts %v, %v", m.name, list, err)
		}
	}
	a.wants("unix.md", "ONE\n\nTWO\n") // it has LF here
	b.wants("unix.md", crlf("ONE\n\nTWO\n"))
}

// TestLineEndsOfOneMachine has one machine's git convert line ends (core.autocrlf), and the other's not.
func TestLineEndsOfOneMachine(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.write(".gitattributes", "# kist's own says -text\n")
	a.write("note.md", "# Note\n\none\n\ntwo\n")
	a.sync()
	c := &machine{t: t, name: "cedar", dir: t.TempDir(), state: t.TempDir()}
	run(t, c.dir, "clone", "-q", "-c", "core.autocrlf=true", remote, ".")
	c.open()
	c.wants("note.md", crlf("# Note\n\none\n\ntwo\n"))
	c.setUp(remote)
	was := run(t, remote, "rev-parse", "main:note.md")
	c.sync()
	if now := run(t, remote, "rev-parse", "main:note.md"); now != was {
		t.Error("other line ends were sent")
	}
	c.write("note.md", crlf("# Note\n\none\n\nTWO\n"))
	a.write("note.md", "# Note\n\nONE\n\ntwo\n")
	a.write("new.md", "new\n")
	settle(a, c)
	a.wants("note.md", "# Note\n\nONE\n\nTWO\n")
	c.wants("note.md", crlf("# Note\n\nONE\n\nTWO\n"))
	c.wants("new.md", crlf("new\n"))
	a.clean()
	c.clean()
}
