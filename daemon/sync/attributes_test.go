package sync

import (
	"slices"
	"strings"
	"testing"
)

// TestAttributesAreAppendedOnRequest has a user's own .gitattributes: setup says what it lacks, appends that
// only where it was asked to, and changes nothing of what is there; what the user says of such files counts.
func TestAttributesAreAppendedOnRequest(t *testing.T) {
	t.Parallel()
	const own = "*.png binary\r\n*.md merge=union"
	a := newMachine(t, "amber")
	a.write(".gitattributes", own)
	want := []string{"*.canvas merge=kist", "operations/** merge=kist", "sessions/** merge=kist"}
	if lines, err := a.engine.Attributes(); err != nil || !slices.Equal(lines, want) {
		t.Errorf("lacks %q, %v", lines, err)
	}
	remote := bare(t)
	a.setUp(remote)
	a.wants(".gitattributes", own)
	out, err := a.engine.Setup(t.Context(), Wanted{URL: remote, Attributes: true}, nil)
	if err != nil || !slices.Equal(out.Attributes, want) {
		t.Errorf("appended %q, %v", out.Attributes, err)
	}
	a.wants(".gitattributes", own+"\r\n\r\n"+attributesHead+"\r\n*.canvas merge=kist\r\noperations/** merge=kist\r\nsessions/** merge=kist\r\n")
	if lines, err := a.engine.Attributes(); err != nil || len(lines) != 0 {
		t.Errorf("lacks %q, %v", lines, err)
	}
	a.sync()
	a.clean()
}

// TestANewVaultsAttributesAreWhole: kist init writes what setup would append.
func TestANewVaultsAttributesAreWhole(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	if lines, err := a.engine.Attributes(); err != nil || len(lines) != 0 {
		t.Errorf("a new vault lacks %q, %v", lines, err)
	}
}

// TestWhatGitWritesOtherwiseGitWrites has another machine commit files of which its git keeps
// something else than what lies there: by a filter, and in another encoding, by attributes that come with them.
func TestWhatGitWritesOtherwiseGitWrites(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	a.write(".gitattributes", "*.psd filter=lfs\n*.txt working-tree-encoding=UTF-16LE-BOM\n*.md ident\n")
	a.write("picture.psd", "pointed at\n")
	a.write("wide.txt", "\xff\xfew\x00i\x00d\x00e\x00\n\x00")
	a.write("plain.md", "$Id$\n\nplain\n")
	a.git("add", "-A")
	a.git("commit", "-qm", "by hand")
	a.sync()
	if o := b.sync(); len(o.Left) != 0 {
		t.Errorf("left alone %q", o.Left)
	}
	b.wants("picture.psd", "pointed at\n") // no filter of that name is known here
	b.wants("wide.txt", "\xff\xfew\x00i\x00d\x00e\x00\n\x00")
	b.wants("plain.md", "$Id$\n\nplain\n")
	b.clean()
	b.git("rm", "-q", "--cached", "plain.md") // and fills in the id
	b.remove("plain.md")
	b.git("checkout", "-q", "HEAD", "--", "plain.md")
	filled := b.read("plain.md")
	if !strings.HasPrefix(filled, "$Id: ") {
		t.Fatalf("the id is not filled in: %q", filled)
	}
	a.write("wide.txt", "\xff\xfew\x00i\x00d\x00e\x00r\x00\n\x00")
	a.git("commit", "-qam", "wider")
	a.write("plain.md", "$Id$\n\nplain\n\nmore\n")
	a.sync()
	o := b.sync()
	b.wants("wide.txt", "\xff\xfew\x00i\x00d\x00e\x00r\x00\n\x00")
	b.wants("plain.md", strings.TrimSuffix(filled, "\n")+"\n\nmore\n")
	if len(o.Upheld) != 0 || len(o.Left) != 0 {
		t.Errorf("conflicts %q, left alone %q", o.Upheld, o.Left)
	}
	b.write("more.md", "more\n")
	b.sync()
	if text := run(t, remote, "show", "main:wide.txt"); text != "wider" {
		t.Errorf("the remote has %q", text)
	}
	if text := run(t, remote, "show", "main:plain.md"); text != "$Id$\n\nplain\n\nmore" {
		t.Errorf("the remote has %q", text)
	}
}
