package sync

import (
	"testing"

	"kist/daemon/sync/driven"
)

// TestTheCopyOfAnAbortedMergeIsNotSent has git's driver make a copy in a merge that is aborted and in one that is finished: both stay and are listed,
// and that of the second one is sent.
func TestTheCopyOfAnAbortedMergeIsNotSent(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.write("note.md", "base\n")
	a.sync()
	a.git("checkout", "-q", "-b", "other")
	a.write("note.md", "theirs\n")
	a.git("commit", "-qam", "theirs")
	a.git("checkout", "-q", "main")
	a.write("note.md", "ours\n")
	a.git("commit", "-qam", "ours")
	conflict := func(name, text string) string {
		t.Helper()
		if a.tries("merge", "other") == nil {
			t.Fatal("git merges it")
		}
		p := "note.conflict-" + name + "-2026-11-27.md"
		a.write(p, text)
		if err := driven.Note(a.dir, p, []byte(text)); err != nil {
			t.Fatal(err)
		}
		return p
	}
	aborted := conflict("vm", "theirs\n")
	a.git("merge", "--abort")
	edited := "note.conflict-vm-2026-11-26.md" // since then it is the user's
	a.write(edited, "theirs\n")
	if err := driven.Note(a.dir, edited, []byte("before\n")); err != nil {
		t.Fatal(err)
	}
	a.write("new.md", "new\n")
	a.sync()
	finished := conflict("vm2", "theirs\n")
	a.write("note.md", "ours\n")
	a.git("commit", "-qam", "merged")
	for range 2 {
		a.sync()
		sent := a.sent(remote)
		if sent[aborted] || !sent[finished] || !sent[edited] || !sent["new.md"] {
			t.Errorf("sent is %v", sent)
		}
	}
	a.wants(aborted, "theirs\n")
	if !a.lists(aborted) || !a.lists(finished) {
		t.Error("a copy isn't listed")
	}
}
