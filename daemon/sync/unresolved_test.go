package sync

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"kist/vault"
)

// A halfFile is a file with git's conflict markers, as they come, and what a person makes of it.
type halfFile struct{ what, path, half, whole string }

func halfFiles() []halfFile {
	side := func(mine, base, theirs string) string { // diff3 where there is a base
		if base != "" {
			base = "||||||| 1a2b3c4\n" + base
		}
		return "<<<<<<< HEAD\n" + mine + base + "=======\n" + theirs + ">>>>>>> 5d6e7f8 (Paint)\n"
	}
	long := func(text string) string {
		return strings.NewReplacer("<<<<<<<", strings.Repeat("<", 15), "=======", strings.Repeat("=", 15), ">>>>>>>", strings.Repeat(">", 15)).Replace(text)
	}
	record := func(id string) string {
		return "---\nid: " + id + "\nevent: completed\nat: 2026-11-24T10:00:00Z\ntype: create\nentity:\n  type: note\n  path: x.md\nactor: user\n...\n"
	}
	paint := side("red\n", "", "blue\n")
	return []halfFile{
		{"a merge by hand", "merge.md", "# Hull\n\n" + paint + "\nend\n", "# Hull\n\nred\n\nend\n"},
		{"a rebase", "rebase.md", "<<<<<<< 5d6e7f8\nred\n=======\nblue\n>>>>>>> 1a2b3c4 (Paint it)\n", "blue\n"},
		{"a cherry-pick", "pick.md", "<<<<<<< HEAD\n=======\nblue\n>>>>>>> 1a2b3c4... Paint it\n", "blue\n"},
		{"stash pop", "stash.md", "<<<<<<< Updated upstream\nred\n=======\n>>>>>>> Stashed changes\n", "red\n"},
		{"diff3", "diff3.md", side("red\n", "white\n", "blue\n"), "red\n"},
		{"zdiff3", "zdiff3.md", "same\n" + side("red\n", "white\nsame\n", "blue\n") + "same\n", "same\nred\nsame\n"},
		{"a base that was merged", "base.md", side("red\n", long(paint), "blue\n"), "red\n"},
		{"conflict-marker-size", "long.md", "# Hull\n\n" + long(paint), "# Hull\n\nblue\n"},
		{"CRLF", "crlf.md", crlf("# Hull\n\n" + paint), crlf("# Hull\n\nred\n")},
		{"front matter", "front.md", "---\nid: hull\n" + side("status: open\n", "", "status: done\n") + "---\n# Hull\n", "---\nid: hull\nstatus: done\n---\n# Hull\n"},
		{"all of a file", "all.md", side("---\nid: a\n---\n# A\n", "", "---\nid: b\n---\n# B\n"), "---\nid: a\n---\n# A\n"},
		{"a list of tasks", "tasks.md", "- [ ] sand\n" + side("- [x] paint\n", "", "- [ ] paint red\n") + "- [ ] sail\n", "- [ ] sand\n- [x] paint red\n- [ ] sail\n"},
		{"a table", "table.md", "| a | b |\n|---|---|\n" + side("| 1 | 2 |\n", "", "| 1 | 3 |\n"), "| a | b |\n|---|---|\n| 1 | 3 |\n"},
		{"a part of a code block", "code.md", "```\nx\n<<<<<<< HEAD\ny\n```\n=======\nz\n```\n>>>>>>> other\n", "```\nx\ny\n```\n"},
		{"YAML", "boats.yaml", "hull:\n" + side("  colour: red\n", "", "  colour: blue\n"), "hull:\n  colour: red\n"},
		{"a canvas", "plan.canvas", "{\n" + side("\"nodes\": []\n", "", "\"edges\": []\n") + "}\n", "{\n\"nodes\": []\n}\n"},
		{"the operation log", "operations/2026/11/24-cedar.yaml", side(record("01KAV3Q5T9A1B2C3D4E5F6G7H8"), "", record("01KAV3Q5T9A1B2C3D4E5F6G7H9")), record("01KAV3Q5T9A1B2C3D4E5F6G7H8") + record("01KAV3Q5T9A1B2C3D4E5F6G7H9")},
	}
}

// changes has somebody change a document.
func (m *machine) changes(by vault.Actor, p, before, after string) error {
	c := vault.Change{Path: p, After: []byte(after)}
	if before != "-" {
		c.Before = []byte(before)
	}
	_, err := m.vault.Apply(m.t.Context(), vault.Batch{Origin: vault.Origin{Actor: by}, Steps: []vault.Step{{Type: vault.OpUpdate, Changes: []vault.Change{c}}}})
	return err
}

// TestWhatIsHalfMergedStaysAsItIs has files with git's conflict markers of all kinds: they aren't sent, the agent doesn't write into them, and that
// is said, while all else is sent, brought and written. What a person made of them is like any other edit.
func TestWhatIsHalfMergedStaysAsItIs(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	all := halfFiles()
	for _, f := range all {
		a.write(f.path, f.half)
	}
	a.write("about-git.md", "So it looks:\n\n```\n"+all[0].half+"```\n")
	b.write("theirs.md", "theirs\n")
	b.sync()
	o := a.sync()
	if s := a.engine.Status(t.Context()); len(o.Unsent) != len(all) || !strings.Contains(s.Sentence(time.Now()), "17 files aren't sent: all.md (it has git's conflict markers) and others") || s.Hint() == "" {
		t.Errorf("not sent %v; the status says %q, %q", o.Unsent, s.Sentence(time.Now()), s.Hint())
	}
	sent := run(t, remote, "ls-tree", "-r", "--name-only", "main")
	for _, f := range all {
		if a.wants(f.path, f.half); strings.Contains("\n"+sent+"\n", "\n"+f.path+"\n") {
			t.Errorf("%s: it was sent", f.what)
		}
		if err := a.changes(vault.ActorAgent, f.path, f.half, f.half+"more\n"); strings.HasSuffix(f.path, ".md") && (!errors.Is(err, vault.ErrProtected) || !strings.Contains(err.Error(), f.path+" has git's conflict markers")) {
			t.Errorf("%s: the agent's change: %v", f.what, err)
		}
	}
	for _, id := range []string{"01KAV3Q5T9A1B2C3D4E5F6G7H8", "01KAV3Q5T9A1B2C3D4E5F6G7H9"} {
		if _, err := a.vault.Operation(t.Context(), id); err != nil {
			t.Errorf("of a log in which both sides stand: %v", err)
		}
	}
	a.wants("theirs.md", "theirs\n")
	if err := a.changes(vault.ActorAgent, "theirs.md", "theirs\n", "theirs\nand mine\n"); err != nil {
		t.Error(err)
	}
	for i, f := range all {
		if i%2 > 0 || !strings.HasSuffix(f.path, ".md") {
			a.write(f.path, f.whole)
		} else if err := a.changes(vault.ActorUser, f.path, f.half, f.whole); err != nil {
			t.Errorf("%s: a person's change: %v", f.what, err)
		}
	}
	settle(a, b)
	same(t, a, b)
	for _, f := range all {
		b.wants(f.path, f.whole)
	}
	b.wants("about-git.md", a.read("about-git.md"))
	if err := a.changes(vault.ActorAgent, "merge.md", all[0].whole, all[0].whole+"more\n"); err != nil {
		t.Error(err)
	}
	if s := a.engine.Status(t.Context()); len(s.Unsent) > 0 {
		t.Errorf("still not sent: %v", s.Unsent)
	}
	a.sync()
	a.clean()
}

// TestMarkersThatWereCommitted has plain git push a file with markers: it comes as it is, and what a person makes of it here is one text with
// what was changed elsewhere in it.
func TestMarkersThatWereCommitted(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	dir := plainClone(t, remote)
	half := "# Hull\n\n" + "<<<<<<< HEAD\nred\n=======\nblue\n>>>>>>> other\n" + "\nThe mast is fine.\n\nThe end.\n"
	write(t, dir, "hull.md", half)
	run(t, dir, "add", ".")
	run(t, dir, "commit", "-qm", "half")
	run(t, dir, "push", "-q")
	settle(a, b)
	a.wants("hull.md", half)
	if err := a.changes(vault.ActorAgent, "hull.md", half, half+"more\n"); !errors.Is(err, vault.ErrProtected) {
		t.Errorf("the agent's change: %v", err)
	}
	a.write("hull.md", "# Hull\n\nred\n\nThe mast is fine.\n\nThe end.\n")
	a.sync()
	b.write("hull.md", strings.Replace(half, "fine", "broken", 1))
	b.write("other.md", "other\n")
	if _, err := b.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "hull.md (it has git's conflict markers)") {
		t.Errorf("%v, want ErrHeld with what is the matter", err)
	}
	b.wants("hull.md", strings.Replace(half, "fine", "broken", 1))
	b.write("hull.md", "# Hull\n\nred\n\nThe mast is broken.\n\nThe end.\n")
	settle(b, a)
	same(t, a, b)
	a.wants("hull.md", "# Hull\n\nred\n\nThe mast is broken.\n\nThe end.\n")
	a.wants("other.md", "other\n")
}

// TestWhatGitIsInTheMiddleOf begins, by git itself, what a person ends later: until then nothing is sent, brought or written, which is said with its
// name, what is there can be read, and afterwards all goes on.
func TestWhatGitIsInTheMiddleOf(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write(".git/info/attributes", "* merge\n") // git's own, with markers
	commit := func(text string) {
		a.write("note.md", text)
		a.git("commit", "-qam", "of "+text)
	}
	a.git("branch", "early")
	commit("mine\n")
	a.git("branch", "mine")
	commit("mine, again\n")
	a.git("checkout", "-q", "-b", "side", "early")
	commit("theirs\n")
	commit("theirs, again\n")
	patch := a.git("format-patch", "-1", "--stdout", "side~1")
	a.git("checkout", "-q", "main")
	settle(a, b)
	for i, c := range []struct {
		begin, end, says string
	}{
		{"merge side", "merge --abort", "a merge"},
		{"rebase side", "rebase --abort", "a rebase"},
		{"rebase --apply side", "rebase --abort", "a rebase"},
		{"cherry-pick side", "cherry-pick --abort", "a cherry-pick"},
		{"cherry-pick side~1 side", "cherry-pick --abort", "a cherry-pick"},
		{"revert --no-edit mine", "revert --abort", "a revert"},
		{"bisect start", "bisect reset", "a bisect"},
		{"am -3 patch", "am --abort", "applying mails"},
		{"checkout -q --detach", "checkout -q main", "while main is synced"},
	} {
		a.write(".git/patch", patch+"\n")
		_ = a.tries(strings.Fields(strings.Replace(c.begin, " patch", " .git/patch", 1))...)
		is, head := a.read("note.md"), a.git("rev-parse", "HEAD")
		_, err := a.engine.Now(t.Context(), Request{}, nil)
		if s := a.engine.Status(t.Context()); !errors.Is(err, ErrBusy) && !errors.Is(err, ErrDetached) || s.State != Failing || !strings.Contains(s.Sentence(time.Now()), c.says) {
			t.Errorf("git %s: %v; the status says %q", c.begin, err, s.Sentence(time.Now()))
		}
		for _, by := range []vault.Actor{vault.ActorAgent, vault.ActorUser} {
			if err := a.changes(by, "new.md", "-", "new\n"); !errors.Is(err, vault.ErrBusy) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("git %s: a write: %v", c.begin, err)
			}
		}
		if text, err := a.vault.Read("note.md"); err != nil || string(text) != is {
			t.Errorf("git %s: read %v", c.begin, err)
		}
		if a.wants("note.md", is); a.git("rev-parse", "HEAD") != head {
			t.Errorf("git %s: HEAD was moved", c.begin)
		}
		a.git(strings.Fields(c.end)...)
		text := fmt.Sprintf("after %d\n", i)
		if err := a.changes(vault.ActorAgent, "note.md", a.read("note.md"), a.read("note.md")+text); err != nil {
			t.Errorf("git %s: %v", c.end, err)
		}
		a.sync() // and the next one begins at what is clean
	}
	settle(a, b)
	b.wants("note.md", a.read("note.md"))
	same(t, a, b)
	a.clean()
}

// TestWhatAStashLeft pops a stash onto something else: the file stays as git left it, in its index too, and once the user took it out of that.
func TestWhatAStashLeft(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write(".git/info/attributes", "* merge\n")
	a.write("note.md", "mine\n")
	a.git("stash", "-q")
	a.write("note.md", "ours\n")
	a.sync()
	if err := a.tries("stash", "pop"); err == nil {
		t.Fatal("the stash should meet something else")
	}
	half := a.read("note.md")
	for _, status := range []string{"UU note.md", "M note.md"} {
		a.write("other.md", status)
		a.sync()
		b.sync()
		if a.wants("note.md", half); a.git("status", "--porcelain") != status {
			t.Errorf("the status is %q, want %q", a.git("status", "--porcelain"), status)
		}
		b.wants("note.md", "ours\n")
		b.wants("other.md", status)
		a.git("reset", "-q")
	}
	a.write("note.md", "ours and mine\n")
	settle(a, b)
	b.wants("note.md", "ours and mine\n")
	a.clean()
}
