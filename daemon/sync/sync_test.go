package sync

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/vault"
)

func same(t *testing.T, a, b *machine) {
	t.Helper()
	x, y := a.files(), b.files()
	if !maps.Equal(x, y) {
		for p := range x {
			if x[p] != y[p] {
				t.Errorf("%s: %.300q on %s, %.300q on %s", p, x[p], a.name, y[p], b.name)
			}
		}
		for p := range y {
			if _, ok := x[p]; !ok {
				t.Errorf("%s is only on %s", p, b.name)
			}
		}
	}
}

func TestSetupSendsAVaultAndJoinsAnother(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	b.wants("note.md", "# Note\n\none\n\ntwo\n\nthree\n")
	b.wants("img/pic.bin", "\x00\x01binary")
	settle(a, b)
	same(t, a, b)
	a.clean()
	b.clean()
	if driver := b.git("config", "merge.kist.driver"); !strings.HasSuffix(strings.TrimSpace(driver), "kist merge %O %A %B %P") {
		t.Errorf("git's driver is %q", driver)
	}
	if url := b.git("config", "remote.origin.url"); url == "" {
		t.Error("plain git doesn't know the remote")
	}
}

func TestChangesOfEachReachTheOther(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("note.md", "# Note\n\nONE\n\ntwo\n\nthree\n")
	a.write("new/deep/file.md", "new\n")
	b.write("note.md", "# Note\n\none\n\ntwo\n\nTHREE\n")
	b.remove("img/pic.bin")
	settle(a, b)
	for _, m := range []*machine{a, b} {
		m.wants("note.md", "# Note\n\nONE\n\ntwo\n\nTHREE\n")
		m.wants("new/deep/file.md", "new\n")
		m.wants("img/pic.bin", "-")
		m.clean()
	}
	same(t, a, b)
}

func TestWhatContradictsIsKeptBesideAndListed(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("note.md", "# Note\n\nred\n\ntwo\n\nthree\n")
	b.write("note.md", "# Note\n\nblue\n\ntwo\n\nthree\n")
	a.sync()
	o := b.sync()
	if len(o.Upheld) != 1 || o.Upheld[0] != "note.md" {
		t.Fatalf("conflicts %q, want note.md", o.Upheld)
	}
	b.wants("note.md", "# Note\n\nblue\n\ntwo\n\nthree\n")
	if first, second := b.engine.News(), b.engine.News(); !strings.Contains(first, "note.md") || second != "" {
		t.Errorf("the news are %q, then %q", first, second)
	}
	if o := a.sync(); len(o.Yielded) != 1 || o.Yielded[0] != "note.md" {
		t.Errorf("%+v, want amber to hear that its version lies beside note.md", o)
	}
	if first, second := a.engine.News(), a.engine.News(); !strings.Contains(first, "note.md") || !strings.Contains(first, "yours lies beside it") || second != "" {
		t.Errorf("the news are %q, then %q", first, second)
	}
	list, err := b.engine.Conflicts(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("listed %v, %v", list, err)
	}
	if c := list[0]; c.Of != "note.md" || c.From != "kist" || !strings.HasPrefix(c.Path, "note.conflict-amber-") {
		t.Errorf("the conflict is %+v", c)
	}
	b.wants(list[0].Path, "# Note\n\nred\n\ntwo\n\nthree\n")
	settle(a, b)
	same(t, a, b)
	ops, err := a.engine.Resolve(t.Context(), "note.md", copies.Theirs, vault.Origin{Actor: vault.ActorUser}, true)
	if err != nil || len(ops) != 2 {
		t.Fatal(ops, err)
	}
	a.wants("note.md", "# Note\n\nblue\n\ntwo\n\nthree\n") // until both are approved
	if _, err := a.vault.ApproveAll(t.Context(), []vault.Approval{{ID: ops[0].ID, Digest: ops[0].Digest}, {ID: ops[1].ID, Digest: ops[1].Digest}}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		t.Fatal(err)
	}
	a.wants("note.md", "# Note\n\nred\n\ntwo\n\nthree\n")
	settle(a, b)
	same(t, a, b)
	if list, err := b.engine.Conflicts(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("still listed: %v, %v", list, err)
	}
	b.clean()
}

// What Obsidian has open is each machine's own matter, and nobody's conflict, also where git has it.
func TestTheStateOfAProgramIsNoConflict(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const open, graph = ".obsidian/workspace.json", ".obsidian/graph.json"
	a.write(open, "{}")
	a.write(graph, "{}")
	settle(a, b)
	if _, err := os.Stat(filepath.Join(b.vault.Dir(), open)); err == nil {
		t.Error("it was sent")
	}
	a.git("add", "-f", open)
	a.git("commit", "-qm", "x")
	settle(a, b)
	b.wants(open, "{}")
	a.write(open, `{"active": "a"}`)
	b.write(open, `{"active": "b"}`)
	a.write(graph, `{"zoom": 1, "groups": ["red"]}`)
	b.write(graph, `{"zoom": 2}`)
	settle(a, b)
	same(t, a, b)
	if got := a.read(graph); !strings.Contains(got, `"groups": ["red"]`) || !strings.Contains(got, "zoom") {
		t.Errorf("the graph's settings are %s", got)
	}
	if list, err := b.engine.Conflicts(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// Files that aren't documents can't be merged by meaning: one of two is kept beside the other, listed, and chosen.
func TestContradictionsOfOtherFilesAreListed(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	files := []string{".obsidian/app.json", "board.canvas", "data/list.txt", "pic.png"}
	for _, f := range files {
		a.write(f, "first\n")
	}
	settle(a, b)
	for _, f := range files {
		a.write(f, "red\n\x00")
		b.write(f, "blue\n\x00")
	}
	settle(a, b)
	same(t, a, b)
	for _, m := range []*machine{a, b} {
		list, err := m.engine.Conflicts(t.Context())
		if err != nil || len(list) != len(files) {
			t.Fatalf("%s: listed %v, %v; want one of each of %q", m.name, list, err, files)
		}
		for i, c := range list {
			if c.Of != files[i] || m.read(c.Path) != "red\n\x00" {
				t.Errorf("listed %+v with %q, want the copy of %s", c, m.read(c.Path), files[i])
			}
		}
	}
	for _, f := range files {
		c, _ := a.engine.find(t.Context(), f)
		if ours, theirs, err := a.engine.Texts(t.Context(), c); err != nil || string(ours) == string(theirs) {
			t.Errorf("%s: %q and %q, %v", f, ours, theirs, err)
		}
		if _, err := a.engine.Resolve(t.Context(), f, copies.Theirs, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
			t.Fatal(f, err)
		}
		a.wants(f, "red\n\x00")
	}
	settle(a, b)
	same(t, a, b)
	list, err := b.engine.Conflicts(t.Context())
	if err != nil || len(list) != 0 {
		t.Errorf("still listed: %v, %v", list, err)
	}
	if news := a.engine.News() + b.engine.News(); news != "" {
		t.Errorf("told of what is settled: %s", news)
	}
	b.clean()
}

// What is a file here and a folder there: the file goes aside, with what was written in it.
func TestAFileMeetsAFolder(t *testing.T) {
	t.Parallel()
	for name, sides := range map[string][2]bool{"edited where it was": {true, false}, "from the other side": {false, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b, _ := pair(t)
			a.write("thing", "file\n")
			a.write("w.md", "w one two three\nlong\n")
			a.write("x.md", "x\n")
			settle(a, b)
			a.remove("thing")
			a.write("thing/in.md", "in\n")
			a.write("plan.md/in.md", "in\n")
			a.remove("x.md")
			a.write("x.md/y.md", "y\n")
			b.write("thing", "file\nprecious 1\n")
			b.remove("w.md")
			b.write("plan.md", "w one two three\nlong\nprecious 2\n")
			b.write("x.md", "x\nprecious 3\n")
			if sides[1] {
				b.sync()
			}
			a.sync()
			settle(b, a)
			same(t, a, b)
			var all strings.Builder
			for p, text := range a.files() {
				if !strings.HasPrefix(p, "operations/") {
					all.WriteString(text)
				}
			}
			for i := 1; i < 4; i++ {
				if what := fmt.Sprint("precious ", i); !strings.Contains(all.String(), what) {
					t.Errorf("%q is lost", what)
				}
			}
			for _, p := range []string{"thing/in.md", "plan.md/in.md", "x.md/y.md"} {
				a.wants(p, strings.TrimSuffix(filepath.Base(p), ".md")+"\n")
			}
			list, err := a.engine.Conflicts(t.Context())
			if err != nil || len(list) != 3 {
				t.Errorf("listed %v, %v; want three", list, err)
			}
			for i, c := range list { // beside a folder there is nothing to put it into
				choice := []Choice{copies.Both, copies.Theirs, copies.Ours}[i]
				if _, err := a.engine.Resolve(t.Context(), c.Path, choice, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
					t.Errorf("%s, %s: %v", c.Path, choice, err)
				}
			}
			if list, err := a.engine.Conflicts(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("listed %v, %v after each was resolved", list, err)
			}
			settle(a, b)
			same(t, a, b)
			a.clean()
			b.clean()
		})
	}
}

// TestWhatAMergeBringsIsAllThatTheIndexReads has documents be changed, moved, deleted, and come, in a vault of more, whose watcher sees what the
// merge writes: followers are told of those paths alone, and never to compare all.
func TestWhatAMergeBringsIsAllThatTheIndexReads(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	for n := range 30 {
		a.write(fmt.Sprintf("notes/n%d.md", n), fmt.Sprintf("# Note %d\n\none of many\n", n))
	}
	settle(a, b)
	b.watch()
	b.write("notes/n0.md", b.read("notes/n0.md")+"\nof birch\n")
	if err := b.vault.Record(t.Context()); err != nil {
		t.Fatal(err)
	}
	since := b.vault.Seq()
	a.write("notes/n1.md", "# Note 1\n\nchanged\n")
	a.write("deep/n2.md", a.read("notes/n2.md"))
	a.remove("notes/n2.md")
	a.remove("notes/n3.md")
	a.write("new.md", "# New\n")
	a.write("conversations/2026-11-24-amber.md", "# 2026-11-24\n")
	settle(a, b)
	if err := b.vault.Record(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, a, b)
	changes, _ := b.vault.ChangedSince(since)
	told := map[string]bool{}
	for _, c := range changes {
		told[c.Path] = told[c.Path] || !strings.HasPrefix(c.Path, "operations/")
	}
	want := map[string]bool{"notes/n1.md": true, "deep/n2.md": true, "notes/n2.md": true, "notes/n3.md": true, "new.md": true, "conversations/2026-11-24-amber.md": true}
	if maps.DeleteFunc(told, func(_ string, document bool) bool { return !document }); !maps.Equal(told, want) {
		t.Errorf("followers are told of %v, want %v", told, want)
	}
}

// A file becomes a folder of its name with the same text in it, and the other way round.
func TestFilesBecomeFolders(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	text := "# Note\n\none\n\ntwo\n\nthree\n"
	a.write("notes/n.md", text)
	a.write("notes/m.md/in.md", text+"of m\n")
	a.write("notes/l.md", text+"of l\n")
	settle(a, b)
	a.remove("notes/n.md")
	a.write("notes/n.md/in.md", text)
	a.remove("notes/m.md/in.md")
	a.remove("notes/m.md")
	a.write("notes/m.md", text+"of m\n")
	a.remove("notes/l.md")
	a.write("notes/k.md", text+"of l\n")
	a.write("notes/l.md/in.md", "in\n")
	settle(a, b)
	same(t, a, b)
	b.wants("notes/n.md/in.md", text)
	b.wants("notes/m.md", text+"of m\n")
	b.wants("notes/k.md", text+"of l\n")
	b.wants("notes/l.md/in.md", "in\n")
	b.clean()
}

func TestAnEditWinsOverADeletion(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("x.md", "x\n")
	a.write("y.md", "y\n")
	a.sync()
	b.sync()
	a.remove("x.md")
	b.write("x.md", "x edited\n")
	a.write("y.md", "y edited\n")
	b.remove("y.md")
	settle(a, b)
	a.wants("x.md", "x edited\n")
	a.wants("y.md", "y edited\n")
	same(t, a, b)
}

func TestRenamesAreFollowed(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	long := strings.Repeat("a line of text that stays\n", 20)
	a.write("plan.md", "# Plan\n"+long)
	a.write("other.md", "# Other\n"+long+"end\n")
	a.sync()
	b.sync()
	a.remove("plan.md")
	a.write("moved/plan.md", "# Plan\n"+long)
	b.write("plan.md", "# Plan\n"+long+"added\n")
	b.remove("other.md")
	b.write("renamed.md", "# Other\n"+long+"end\n")
	a.write("other.md", "# Another\n"+long+"end\n")
	settle(a, b)
	same(t, a, b)
	a.wants("plan.md", "-")
	a.wants("moved/plan.md", "# Plan\n"+long+"added\n")
	a.wants("other.md", "-")
	a.wants("renamed.md", "# Another\n"+long+"end\n")
}

func TestAnIncomingChangeIsAnOperationThatCanBeUndone(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("note.md", "# Note\n\nbetter\n\ntwo\n\nthree\n")
	a.sync()
	b.sync()
	ops, err := b.vault.Operations(t.Context(), vault.Filter{Actor: vault.ActorSync})
	if err != nil || len(ops) != 1 {
		t.Fatalf("operations %v, %v", ops, err)
	}
	if commit := a.git("log", "-1", "--format=%h", "--", "note.md"); !strings.Contains(ops[0].Reason, commit) || !strings.Contains(ops[0].Reason, "Ann") {
		t.Errorf("the reason is %q; want the author and commit %s", ops[0].Reason, commit)
	}
	if !b.vault.FromOutside(t.Context(), "note.md") {
		t.Error("what came in doesn't count as from outside")
	}
	if _, err := b.vault.Undo(t.Context(), vault.UndoTarget{ID: ops[0].ID}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		t.Fatal(err)
	}
	b.wants("note.md", "# Note\n\none\n\ntwo\n\nthree\n")
}

func TestOnlyTheUsersOwnDevicesAreNotFromOutside(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	if err := b.engine.Own(t.Context(), "amber", true); err != nil {
		t.Fatal(err)
	}
	a.write("note.md", "own\n")
	a.sync()
	b.sync()
	if b.vault.FromOutside(t.Context(), "note.md") {
		t.Error("what the user's own device made counts as from outside")
	}
	a.write("foreign.md", "foreign\n")
	a.git("add", ".")
	a.git("commit", "-qm", "by plain git")
	a.sync()
	b.sync()
	if !b.vault.FromOutside(t.Context(), "foreign.md") {
		t.Error("what came without a device doesn't count as from outside")
	}
}

// TestWhatOnlyAMergeSaysIsItsOwn has somebody solve a merge of plain git by hand, with lines and a file that neither side had, before the
// user's own device goes on: they are the merge's, and what both sides merge to by themselves is theirs.
func TestWhatOnlyAMergeSaysIsItsOwn(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	if err := b.engine.Own(t.Context(), "amber", true); err != nil {
		t.Fatal(err)
	}
	a.write("clean.md", "# Clean\n\none\n\ntwo\n\nthree\n")
	settle(a, b)
	bob := filepath.Join(t.TempDir(), "bob")
	run(t, filepath.Dir(bob), "clone", "-q", remote, bob)
	run(t, bob, "config", "user.name", "Bob")
	write(t, bob, "bobs.md", "of Bob\n")
	write(t, bob, "clean.md", "# Clean\n\nONE\n\ntwo\n\nthree\n")
	run(t, bob, "add", "-A")
	run(t, bob, "commit", "-qm", "Bob's part")
	a.write("amber.md", "of amber\n")
	a.write("clean.md", "# Clean\n\none\n\ntwo\n\nTHREE\n")
	a.sync()
	run(t, bob, "pull", "-q", "--no-rebase", "--no-commit")
	write(t, bob, "note.md", "# Note\n\none\n\nonly the merge says this\n\nthree\n")
	write(t, bob, "tab\tand \u00e9.md", "only the merge has this\n")
	run(t, bob, "add", "-A")
	run(t, bob, "commit", "-qm", "Bob's merge")
	run(t, bob, "push", "-q")
	a.sync()
	a.write("amber.md", "of amber, later\n")
	a.sync()
	b.sync()
	for p, want := range map[string]string{"note.md": "Bob's merge", "tab\tand \u00e9.md": "Bob's merge", "bobs.md": "Bob's part"} {
		ops, err := b.vault.Operations(t.Context(), vault.Filter{Entity: p, Actor: vault.ActorSync})
		if err != nil || len(ops) == 0 || !strings.Contains(ops[0].Reason, "from Bob: "+want) {
			t.Errorf("%q: %d operations, %v; want %q of Bob: %+v", p, len(ops), err, want, ops)
		}
		if len(ops) > 0 && ops[0].Client == vault.OwnDevice {
			t.Errorf("%q counts as the user's own", p)
		}
	}
	ops, err := b.vault.Operations(t.Context(), vault.Filter{Entity: "clean.md", Actor: vault.ActorSync})
	if err != nil || len(ops) == 0 || strings.Contains(ops[0].Reason, "Bob's merge") {
		t.Errorf("what the merge only joined: %v, %+v", err, ops)
	}
}

func TestCommitsAreMadeFromOperations(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	settle(a, b)
	before, err := a.vault.Read("note.md")
	if err != nil {
		t.Fatal(err)
	}
	ops, err := a.vault.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
		Type: vault.OpUpdate, Entity: vault.Entity{Type: "note", Path: "note.md"}, Reason: "you said so", Changes: []vault.Change{{Path: "note.md", Before: before, After: []byte("said\n")}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	a.sync()
	message := a.git("log", "-1", "--format=%B")
	for _, want := range []string{"Update note.md: you said so\n", "Kist-Operation: " + ops[0].ID, "Kist-Device: amber"} {
		if !strings.Contains(message, want) {
			t.Errorf("the message %q lacks %q", message, want)
		}
	}
	if author := a.git("log", "-1", "--format=%an"); author != "Ann" {
		t.Errorf("the author is %s", author)
	}
}

// TestWhatIsFlaggedInTheIndexStays has files whose edits are of this machine alone, by flags in git's index, and one that the user keeps off his
// work tree: none is committed, the flags stay, and what comes for an edited one waits for the user.
func TestWhatIsFlaggedInTheIndexStays(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	for _, p := range []string{"skipped.md", "assumed.md", "away.md", "same.md"} {
		a.write(p, "# Shared\n")
	}
	settle(a, b)
	a.git("update-index", "--skip-worktree", "skipped.md", "away.md")
	a.git("update-index", "--assume-unchanged", "assumed.md", "same.md")
	a.write("skipped.md", "# Of this machine\n")
	a.write("assumed.md", "# Of this machine\n")
	a.remove("away.md")
	flagged := func() string {
		return strings.Join(nonEmpty(a.git("ls-files", "-v", "skipped.md", "assumed.md", "away.md", "same.md")), " ")
	}
	was := flagged()
	a.write("free.md", "free\n")
	a.sync()
	b.sync()
	b.wants("free.md", "free\n")
	for _, p := range []string{"skipped.md", "assumed.md", "away.md"} {
		b.wants(p, "# Shared\n")
	}
	for n := range 2 { // what isn't edited takes what comes, and is flagged still
		for _, p := range []string{"away.md", "same.md"} {
			b.write(p, fmt.Sprintf("# Theirs %d\n", n))
		}
		b.sync()
		a.write(fmt.Sprintf("more%d.md", n), "more\n")
		a.sync()
		a.wants("same.md", fmt.Sprintf("# Theirs %d\n", n))
		a.wants("away.md", "-")
		a.clean()
		if now := flagged(); now != was {
			t.Errorf("flagged is %q, and was %q", now, was)
		}
	}
	b.write("skipped.md", "# Theirs\n")
	b.sync()
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "skip-worktree") {
		t.Errorf("%v, want ErrHeld on skipped.md", err)
	}
	a.wants("skipped.md", "# Of this machine\n")
}

func TestWhatTheUserStagedOrIgnoredStays(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("staged.md", "staged\n")
	a.git("add", "staged.md")
	a.write("note.md", "# staged part\n")
	a.git("add", "note.md")
	a.write("note.md", "# and more\n")
	a.write(".git/info/exclude", "secret.md\n")
	a.write("secret.md", "secret\n")
	a.write("free.md", "free\n")
	was := a.git("status", "--porcelain", "--", "staged.md", "note.md")
	a.sync()
	if now := a.git("status", "--porcelain", "--", "staged.md", "note.md"); now != was {
		t.Errorf("the status was %q and is %q", was, now)
	}
	if staged := a.git("diff", "--cached", "--", "note.md"); !strings.Contains(staged, "+# staged part") {
		t.Errorf("what was staged is %q", staged)
	}
	b.sync()
	b.wants("free.md", "free\n")
	b.wants("staged.md", "-")
	b.wants("secret.md", "-")
	// What comes for a staged file waits for the user.
	b.write("note.md", "# theirs\n")
	b.sync()
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "note.md") {
		t.Errorf("%v, want ErrHeld on note.md", err)
	}
	a.git("commit", "-qm", "mine", "-a")
	settle(a, b)
	a.remove("secret.md")
	same(t, a, b)
}

func TestTheUserInTheMiddleOfSomethingIsLeftAlone(t *testing.T) {
	t.Parallel()
	a, _, _ := pair(t)
	a.write("x.md", "x\n")
	head := a.read(".git/refs/heads/main")
	for _, what := range []string{"MERGE_HEAD", "rebase-merge", "CHERRY_PICK_HEAD", "BISECT_LOG", "rebase-apply", "REVERT_HEAD"} {
		a.write(".git/"+what, "0000\n")
		if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrBusy) {
			t.Errorf("%s: %v, want ErrBusy", what, err)
		}
		a.wants(".git/refs/heads/main", head)
		a.remove(".git/" + what)
	}
	a.git("checkout", "-q", "--detach")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrDetached) {
		t.Errorf("%v, want ErrDetached", err)
	}
	a.git("checkout", "-q", "-b", "other")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrDetached) {
		t.Errorf("on another branch: %v, want ErrDetached", err)
	}
	a.git("checkout", "-q", "main")
	a.sync()
}

func TestARewrittenRemoteStopsAndIsMergedOnRequest(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	a.write("kept.md", "kept\n")
	a.sync()
	b.sync()
	other := filepath.Join(t.TempDir(), "other")
	run(t, filepath.Dir(other), "clone", "-q", remote, other)
	run(t, other, "reset", "-q", "--hard", "HEAD~1")
	write(t, other, "forced.md", "forced\n")
	run(t, other, "add", ".")
	run(t, other, "commit", "-qm", "forced")
	run(t, other, "push", "-q", "--force")
	if _, err := b.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrRewritten) {
		t.Fatalf("%v, want ErrRewritten", err)
	}
	b.wants("kept.md", "kept\n")
	b.wants("forced.md", "-")
	if _, err := b.engine.Now(t.Context(), Request{Rewritten: true}, nil); err != nil {
		t.Fatal(err)
	}
	b.wants("kept.md", "kept\n")
	b.wants("forced.md", "forced\n")
	b.clean()
}

func TestARemoteThatIsGoneIsSaidAndComesBack(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	if err := os.Rename(remote, remote+".away"); err != nil {
		t.Fatal(err)
	}
	a.write("x.md", "x\n")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrGone) {
		t.Errorf("%v, want ErrGone", err)
	}
	if s := a.engine.Status(t.Context()); s.State != Failing || s.Failing.IsZero() || s.Synced.IsZero() {
		t.Errorf("the status is %+v", s)
	}
	if err := os.Rename(remote+".away", remote); err != nil {
		t.Fatal(err)
	}
	a.sync()
	b.sync()
	b.wants("x.md", "x\n")
}

func TestAFolderOfALargerRepositoryCommitsOnlyItself(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	top := t.TempDir()
	write(t, top, "code/main.c", "int main;\n")
	run(t, top, "init", "-q")
	run(t, top, "add", ".")
	run(t, top, "commit", "-qm", "code")
	m := &machine{t: t, name: "amber", dir: filepath.Join(top, "notes"), state: filepath.Join(t.TempDir(), "state")}
	if _, err := vault.Init(m.dir); err != nil {
		t.Fatal(err)
	}
	m.open()
	write(t, top, "code/main.c", "edited\n")
	m.write("n.md", "n\n")
	m.setUp(remote)
	if s := run(t, top, "status", "--porcelain"); s != "M code/main.c" {
		t.Errorf("the status is %q; want the code alone, edited", s)
	}
	other := filepath.Join(t.TempDir(), "other")
	run(t, filepath.Dir(other), "clone", "-q", remote, other)
	write(t, other, "notes/n.md", "n edited\n")
	write(t, other, "code/new.c", "new\n")
	run(t, other, "add", ".")
	run(t, other, "commit", "-qm", "both")
	run(t, other, "push", "-q")
	m.sync()
	m.wants("n.md", "n edited\n")
}
