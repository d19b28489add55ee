package sync

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/daemon/sync/copies"
	"kist/vault"
)

// sent is what the remote has.
func (m *machine) sent(remote string) map[string]bool {
	m.t.Helper()
	all := map[string]bool{}
	for _, p := range nonEmpty(run(m.t, remote, "ls-tree", "-r", "--name-only", "main")) {
		all[p] = true
	}
	return all
}

// TestWhatIsLeftOutIsNotSent leaves out a folder and conflict copies; what another machine's kist.yaml no
// longer asks for stays left out here, until sync is set up again.
func TestWhatIsLeftOutIsNotSent(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	a.leaveOut = []string{"private/", "*.conflict-*"}
	a.reopen()
	remote := bare(t)
	a.write("private/diary.md", "mine\n")
	a.write("open.md", "open\n")
	a.write("open.conflict-birch-2026-11-24.md", "theirs\n")
	a.write("~$open.md", "an editor's\n")
	a.setUp(remote)
	check := func(diary bool) {
		t.Helper()
		has := a.sent(remote)
		if !has["open.md"] || has["private/diary.md"] != diary || has["open.conflict-birch-2026-11-24.md"] != diary || has["~$open.md"] {
			t.Errorf("the remote has %v", has)
		}
	}
	check(false)
	a.leaveOut = nil // as after a pull that changed kist.yaml
	a.reopen()
	a.write("private/more.md", "more\n")
	a.sync()
	check(false)
	a.setUp(remote) // the user's word
	check(true)
	a.leaveOut = []string{"private/"}
	a.reopen()
	a.write("private/diary.md", "changed\n")
	a.sync()
	if got := run(t, remote, "show", "main:private/diary.md"); got != "mine" {
		t.Errorf("what was sent before is %q now", got)
	}
}

// TestNothingSaysWhatIsLeftOut edits a document that is left out, by hand and by operations, before and after sync is set up and while
// the vault is open: no file, commit or message that is sent has a word of it, and its operations are undone as others are.
func TestNothingSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	a.write("private/diary.md", "SECRET0\n")
	a.leaveOut = []string{"private/"} // from now on, without a restart
	remote := bare(t)
	a.watch()
	noticed := func(p, text string) {
		t.Helper()
		a.write(p, text)
		if err := a.vault.Record(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	noticed("private/diary.md", "SECRET1\n")
	if logs, err := filepath.Glob(filepath.Join(a.dir, "operations/*/*/*")); err != nil || len(logs) != 1 || !strings.HasSuffix(logs[0], ".unsent.yaml") {
		t.Errorf("the log is %q, %v; want a file that isn't sent alone", logs, err)
	}
	a.setUp(remote)
	edit := func(p, before, after string) vault.Operation {
		t.Helper()
		ops, err := a.vault.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
			Type: vault.OpUpdate, Reason: "SECRET reason", Changes: []vault.Change{{Path: p, Before: []byte(before), After: []byte(after)}},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		return ops[0]
	}
	op := edit("private/diary.md", "SECRET1\n", "SECRET2\n")
	a.write("open.md", "open\n")
	a.sync()
	a.reopen()
	a.watch()
	noticed("private/diary.md", "SECRET2\nSECRET3\n")
	a.sync()
	if found := run(t, remote, "log", "--all", "-p", "--format=%B", "-G", "SECRET|diary"); found != "" {
		t.Errorf("the remote has %s", found)
	}
	if log := run(t, remote, "log", "--all", "--format=%B"); strings.Contains(log, "SECRET") || strings.Contains(log, "diary") || !a.sent(remote)["open.md"] {
		t.Errorf("the messages are %s", log)
	}
	if _, err := a.vault.Undo(t.Context(), vault.UndoTarget{ID: op.ID}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		t.Error(err)
	}
	a.wants("private/diary.md", "SECRET1\nSECRET3\n")
	a.sync()
	if found := run(t, remote, "log", "--all", "-p", "--format=%B", "-G", "SECRET"); found != "" {
		t.Errorf("the remote has %s", found)
	}
}

// TestABareRepositoryInTheVaultIsNotSent has one beside the notes, with its hooks and objects.
// TestWhatWasLoggedBeforeAPatternIsCounted: before sync is set up it is said how many operations on what is left out would be
// sent, and no longer where the log is left out.
func TestWhatWasLoggedBeforeAPatternIsCounted(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	create := func(p string) {
		t.Helper()
		if _, err := a.vault.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
			Type: vault.OpCreate, Changes: []vault.Change{{Path: p, After: []byte("text\n")}},
		}}}); err != nil {
			t.Fatal(err)
		}
	}
	create("private/a.md")
	create("private/b.md")
	create("open.md")
	for _, c := range []struct {
		patterns []string
		want     int
	}{{nil, 0}, {[]string{"private/"}, 2}, {[]string{"private/", "operations/"}, 0}, {[]string{"*.pdf"}, 0}} {
		if a.leaveOut = c.patterns; c.want > 0 {
			create("private/later.md") // it is logged where nothing is sent
		}
		st := a.engine.Status(t.Context())
		if st.Logged != c.want || strings.Contains(st.Hint(), "2 operations") != (c.want > 0) {
			t.Errorf("%q: %d, %q; want %d operations", c.patterns, st.Logged, st.Hint(), c.want)
		}
	}
}

func TestABareRepositoryInTheVaultIsNotSent(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.git("init", "-q", "--bare", "stick/notes.git")
	a.write("stick/notes.git/hooks/post-update", "#!/bin/sh\n")
	a.write("stick/notes.md", "of the stick\n")
	a.write("head/HEAD", "no repository\n")
	a.sync()
	sent := a.sent(remote)
	if !sent["stick/notes.md"] || !sent["head/HEAD"] {
		t.Errorf("sent is %v, and should have notes.md and HEAD", sent)
	}
	for p := range sent {
		if strings.HasPrefix(p, "stick/notes.git/") {
			t.Errorf("%s was sent", p)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "stick", "notes.git", "HEAD")); err != nil {
		t.Error(err)
	}
}

func (m *machine) reopen() {
	m.t.Helper()
	m.vault.Close()
	m.open()
}

// TestAFileThatWasJustEmptiedIsNotSentEmpty: many editors truncate a file before they write it.
func TestAFileThatWasJustEmptiedIsNotSentEmpty(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	remote := bare(t)
	a.write("note.md", "text\n")
	a.setUp(remote)
	a.write("note.md", "")
	a.sync()
	if got := run(t, remote, "show", "main:note.md"); got != "text" {
		t.Errorf("the remote has %q", got)
	}
	long := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(a.dir, "note.md"), long, long); err != nil {
		t.Fatal(err)
	}
	a.sync()
	if got := run(t, remote, "show", "main:note.md"); got != "" {
		t.Errorf("the remote has %q", got)
	}
	if left := a.sent(remote); !slices.Contains(nonEmpty(run(t, remote, "ls-tree", "--name-only", "main")), "note.md") {
		t.Errorf("the remote has %v", left)
	}
}

// TestWhatIsTooLargeIsSaid has files that are above the limit, made here and grown later, which aren't sent: each is told in the result, the status and,
// once, in the news, until it is left out or smaller.
func TestWhatIsTooLargeIsSaid(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.large = 64 << 10
	a.reopen()
	clip := strings.Repeat("x", 3<<20)
	a.write("media/clip.mp4", clip)
	o := a.sync()
	if len(o.Unsent) != 1 || o.Unsent[0] != (Unsent{Path: "media/clip.mp4", Size: 3 << 20}) || a.sent(remote)["media/clip.mp4"] {
		t.Errorf("%+v, want the clip to stay and be told", o)
	}
	if first, second := a.engine.News(), a.engine.News(); !strings.Contains(first, "media/clip.mp4 (3 MB) is too large") || !strings.Contains(first, "git lfs track") || second != "" {
		t.Errorf("the news are %q, then %q", first, second)
	}
	a.reopen() // what the settings keep is told as well, and is no news
	if s := a.engine.Status(t.Context()); s.State != Ready || len(s.Unsent) != 1 || !strings.Contains(s.Sentence(time.Now()), "media/clip.mp4 (3 MB) is too large to be sent") {
		t.Errorf("the status is %+v", s)
	}
	a.write("img/pic.bin", strings.Repeat("y", 65<<10)) // which was sent before it grew
	if o := a.sync(); len(o.Unsent) != 2 {
		t.Errorf("%+v, want the picture to be told, too", o)
	}
	if news := a.engine.News(); !strings.Contains(news, "img/pic.bin") || strings.Contains(news, "clip") {
		t.Errorf("the news are %q", news)
	}
	a.write(".gitignore", "/media/\n")
	a.write("img/pic.bin", "small\n")
	if o := a.sync(); len(o.Unsent) != 0 {
		t.Errorf("%+v is told, and nothing is too large any more", o.Unsent)
	}
	if s := a.engine.Status(t.Context()); len(s.Unsent) != 0 {
		t.Errorf("the status has %+v", s.Unsent)
	}
}

// TestNothingIsSentWhileNobodyKnowsWhatIsLeftOut: the file that says so can't be read.
func TestNothingIsSentWhileNobodyKnowsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.leaveOutErr = errors.New("kist.yaml: line 1: what is that")
	a.write("new.md", "new\n")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrLeaveOut) || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("%v, want ErrLeaveOut with what is wrong", err)
	}
	if s := a.engine.Status(t.Context()); s.State != Failing || !errors.Is(s.Err, ErrLeaveOut) || a.sent(remote)["new.md"] {
		t.Errorf("the status is %+v", s)
	}
	a.leaveOutErr = nil
	if a.sync(); !a.sent(remote)["new.md"] {
		t.Error("it isn't sent afterwards")
	}
}

// TestCopiesThatAreLeftOutStayHere: both machines have the copy of what contradicts, of which no commit has any, list it and settle it, each for itself;
// also where the one that merges is killed at any step.
func TestCopiesThatAreLeftOutStayHere(t *testing.T) {
	t.Parallel()
	for _, kill := range []string{"no kill", "journal", "beside"} {
		t.Run(kill, func(t *testing.T) {
			a, b, remote := pair(t)
			for _, m := range []*machine{a, b} {
				m.leaveOut = []string{"*.conflict-*"}
			}
			a.write("clash.md", "# Clash\n\nold words\n")
			settle(a, b)
			a.write("clash.md", "# Clash\n\nnew words of the first\n")
			b.write("clash.md", "# Clash\n\nother text by the second\n")
			b.sync()
			if kill != "no kill" {
				a.breaksOff(kill)
			}
			a.sync()
			settle(b, a)
			list, err := a.engine.Conflicts(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("%v, %v; want one conflict", list, err)
			}
			name := list[0].Path
			for _, m := range []*machine{a, b} {
				m.wants("clash.md", "# Clash\n\nnew words of the first\n")
				m.wants(name, "# Clash\n\nother text by the second\n")
				if !m.lists(name) || !strings.Contains(name, ".conflict-"+b.name+"-") {
					t.Errorf("%s doesn't list %s", m.name, name)
				}
			}
			if b.engine.News() == "" {
				t.Error("the machine whose text lies beside isn't told")
			}
			if found := run(t, remote, "log", "--all", "-m", "--format=", "--name-only", "--", "*conflict-*"); found != "" {
				t.Errorf("the remote has %s", found)
			}
			if _, err := b.engine.Resolve(t.Context(), name, copies.Theirs, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
				t.Fatal(err)
			}
			settle(b, a)
			a.wants("clash.md", "# Clash\n\nother text by the second\n")
			b.wants(name, "-")
			a.sound()
		})
	}
}

// TestARepositoryInTheVaultIsSaid has a folder with a repository of its own, which is told until it is left out.
func TestARepositoryInTheVaultIsSaid(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.git("init", "-q", "Code")
	a.write("Code/readme.md", "code\n")
	if o := a.sync(); len(o.Unsent) != 1 || o.Unsent[0] != (Unsent{Path: "Code/"}) || a.sent(remote)["Code/readme.md"] {
		t.Errorf("%+v, want the folder to stay and be told", o)
	}
	if news := a.engine.News(); !strings.Contains(news, "Code/ isn't sent: it is a git repository of its own") || strings.Contains(news, "100 MB") {
		t.Errorf("the news are %q", news)
	}
	if s := a.engine.Status(t.Context()); !strings.Contains(s.Sentence(time.Now()), "Code/ isn't sent") || !strings.Contains(s.Hint(), ".gitignore") {
		t.Errorf("the status is %+v", s)
	}
	a.leaveOut = []string{"Code/"}
	if o := a.sync(); len(o.Unsent) != 0 {
		t.Errorf("%+v is told, and was left out", o.Unsent)
	}
}
