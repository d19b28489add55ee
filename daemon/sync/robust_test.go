package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/vault"
)

func TestAnIndexLockIsWaitedForAndNeverDeleted(t *testing.T) {
	t.Parallel()
	a, _, _ := pair(t)
	lock := filepath.Join(a.dir, ".git", "index.lock")
	write(t, a.dir, ".git/index.lock", "another git's")
	a.write("x.md", "x\n")
	gone := time.AfterFunc(time.Second, func() { _ = os.Remove(lock) })
	defer gone.Stop()
	a.sync()
	write(t, a.dir, ".git/index.lock", "another git's")
	a.write("y.md", "y\n")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrLocked) {
		t.Errorf("%v, want ErrLocked", err)
	}
	a.wants(".git/index.lock", "another git's")
	a.remove(".git/index.lock")
	a.sync()
	a.clean()
}

// TestTheUsersCommitsGoOn has a user commit all the time while rounds are made. A commit that
// meets a held lock is made again, as he would: none has to wait for long, and none of his or
// kist's changes is lost. How many meet one depends on the machine. KIST_SYNC_COMMITS says how many he makes.
func TestTheUsersCommitsGoOn(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	commits := 40
	if n, err := strconv.Atoi(os.Getenv("KIST_SYNC_COMMITS")); err == nil {
		commits = n
	}
	var met int
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range commits {
			p := fmt.Sprintf("user%d.md", i)
			write(t, a.dir, p, "user\n")
			for _, args := range [][]string{{"add", p}, {"commit", "-qm", p, "--", p}} {
				for tries := 0; ; tries++ {
					cmd := exec.Command("git", args...)
					cmd.Dir = a.dir
					out, err := cmd.CombinedOutput()
					// Added between kist's look at the index and its commit, the file is in that one already.
					if err == nil || args[0] == "commit" && strings.Contains(string(out), "nothing to commit") && a.git("show", "HEAD:"+p) == "user" {
						break
					}
					if met++; tries == 1500 || !strings.Contains(string(out), "lock") { // half a minute: the machine may be busy
						t.Errorf("%v: %s", args, out)
						break
					}
					time.Sleep(20 * time.Millisecond)
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	for i := range commits / 4 {
		write(t, a.dir, fmt.Sprintf("kist%d.md", i), "kist\n")
		if _, err := a.engine.Now(t.Context(), Request{}, nil); err != nil && !errors.Is(err, git.ErrMovedOn) && !errors.Is(err, git.ErrLocked) && !errors.Is(err, git.ErrBehind) {
			t.Error(err)
		}
	}
	wg.Wait()
	t.Logf("%d of the user's commands met a held lock", met)
	a.git("add", "-A")
	if a.git("status", "--porcelain") != "" {
		a.git("commit", "-qm", "the rest")
	}
	settle(a, b)
	same(t, a, b)
	for i := range commits {
		b.wants(fmt.Sprintf("user%d.md", i), "user\n")
	}
	a.clean()
}

func TestLinksModulesFiltersAndLargeFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	other := filepath.Join(t.TempDir(), "other")
	run(t, filepath.Dir(other), "clone", "-q", remote, other)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Symlink(outside, filepath.Join(other, "out.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(other, "folder")); err != nil {
		t.Fatal(err)
	}
	write(t, other, "notes.md", "notes\n")
	run(t, other, "add", ".")
	run(t, other, "commit", "-qm", "links")
	run(t, other, "push", "-q")
	o := b.sync()
	b.wants("notes.md", "notes\n")
	if len(o.Left) != 2 {
		t.Errorf("left alone %q, want the two links", o.Left)
	}
	for _, p := range []string{"out.md", "folder"} {
		if _, err := os.Lstat(filepath.Join(b.dir, p)); err == nil {
			t.Errorf("%s was put into the vault", p)
		}
	}
	b.clean()
	// They aren't taken for deleted by what comes next.
	b.write("more.md", "more\n")
	b.sync()
	run(t, other, "pull", "-q")
	if fi, err := os.Lstat(filepath.Join(other, "out.md")); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone at its maker's: %v", err)
	}

	a.sync()
	a.write(".gitattributes", "*.psd filter=lfs\n")
	a.write("picture.psd", "pointed at\n")
	if err := os.Symlink(outside, filepath.Join(a.dir, "mine.md")); err != nil {
		t.Fatal(err)
	}
	a.write("big.bin", "")
	if err := os.Truncate(filepath.Join(a.dir, "big.bin"), maxFile+1); err != nil {
		t.Fatal(err)
	}
	a.sync()
	if s := a.git("status", "--porcelain"); !strings.Contains(s, "?? picture.psd") || !strings.Contains(s, "?? mine.md") || !strings.Contains(s, "?? big.bin") {
		t.Errorf("the status is %q; want all three left alone", s)
	}
	b.sync()
	b.wants(".gitattributes", "*.psd filter=lfs\n")
}

// TestHostileNamesAreNotWritten has a remote with names that some file system takes for
// git's folder, or for kist's.
func TestHostileNamesAreNotWritten(t *testing.T) {
	t.Parallel()
	for _, p := range []string{".git/config", ".GIT/config", "a/.Git/hooks/pre-commit", "git~1/config", ".g\u200cit/config", ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config",
		".kist/token", ".KIST/token", "a/.kist-01-1.swap.tmp", "../x.md", "a\\..\\b.md", "a//b.md", "/etc/x", "a\nb.md", "a\x00.md", strings.Repeat("x", 300) + ".md", "\xff.md", ""} {
		if names.Handled(p) {
			t.Errorf("%q is handled", p)
		}
	}
	for _, p := range []string{"a.md", ".obsidian/app.json", ".gitignore", ".gitattributes", "projects/boot/project.md", "Ünïcode/ノート.md", "..a.md"} {
		if !names.Handled(p) {
			t.Errorf("%q is not handled", p)
		}
	}
	// One that git lets pass, as the folder of this machine's state, through a whole round.
	_, b, remote := pair(t)
	other := filepath.Join(t.TempDir(), "other")
	run(t, filepath.Dir(other), "clone", "-q", remote, other)
	write(t, other, ".kist/token", "stolen\n")
	write(t, other, "fine.md", "fine\n")
	run(t, other, "add", "-f", ".")
	run(t, other, "commit", "-qm", "state")
	run(t, other, "push", "-q")
	b.sync()
	b.wants("fine.md", "fine\n")
	b.wants(".kist/token", "-")
	b.clean()
	b.sync()
	run(t, other, "pull", "-q")
	if _, err := os.Stat(filepath.Join(other, ".kist", "token")); err != nil {
		t.Error("what is left alone was taken for deleted")
	}
}

func TestARemoteThatTakesNothingIsSaid(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	hook := filepath.Join(remote, "objects")
	if err := os.Chmod(hook, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(hook, 0o700)
	if os.Getuid() == 0 { // who may write anywhere is refused by a rule of the remote
		run(t, remote, "config", "receive.denyDeletes", "true")
		run(t, remote, "config", "core.bare", "false")
		run(t, remote, "config", "receive.denyCurrentBranch", "refuse")
	}
	a.write("x.md", "x\n")
	_, err := a.engine.Now(t.Context(), Request{}, nil)
	if !errors.Is(err, git.ErrRefusedByRemote) && !errors.Is(err, git.ErrDamaged) {
		t.Errorf("%v, want ErrRefusedByRemote", err)
	}
	a.clean()
}

func TestAnotherHistoryIsRefused(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	if err := os.RemoveAll(remote); err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
	other := t.TempDir()
	run(t, other, "init", "-q")
	write(t, other, "strange.md", "strange\n")
	run(t, other, "add", ".")
	run(t, other, "commit", "-qm", "strange")
	run(t, other, "push", "-q", remote, "HEAD:main")
	_, err := a.engine.Now(t.Context(), Request{}, nil)
	if !errors.Is(err, ErrRewritten) && !errors.Is(err, ErrUnrelated) {
		t.Errorf("%v, want ErrRewritten or ErrUnrelated", err)
	}
	a.wants("strange.md", "-")
	a.write("own.md", "own\n")
	if _, err := a.engine.Now(t.Context(), Request{Rewritten: true}, nil); err != nil { // as the hint says
		t.Error(err)
	}
	a.wants("strange.md", "strange\n")
	if got := run(t, remote, "ls-tree", "--name-only", "main", "own.md", "strange.md"); got != "own.md\nstrange.md" {
		t.Errorf("the remote has %q", got)
	}
	a.clean()
}

func TestAnEmptiedRemoteIsFilledAgain(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	if err := os.RemoveAll(remote); err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
	a.write("x.md", "x\n")
	a.sync()
	if got := run(t, remote, "ls-tree", "--name-only", "main", "x.md"); got != "x.md" {
		t.Errorf("the remote has %q", got)
	}
}

// TestABranchThatIsGoneIsNotMadeAgain has the branch renamed on the host, and then deleted: no round makes it again there with all that it
// had, and a setup takes what there is now.
func TestABranchThatIsGoneIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	run(t, remote, "branch", "-m", "main", "notes")
	for _, text := range []string{"x\n", ""} { // with something to send, and without
		if text != "" {
			a.write("x.md", text)
		}
		if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrBranchGone) || !strings.Contains(err.Error(), "it has notes") {
			t.Errorf("%v, want ErrBranchGone with what there is", err)
		}
	}
	if s := run(t, remote, "branch", "--format=%(refname:short)"); s != "notes" {
		t.Errorf("the remote has the branches %q", s)
	}
	a.setUp(remote)
	a.sync()
	if s := run(t, remote, "ls-tree", "--name-only", "notes", "x.md"); s != "x.md" {
		t.Errorf("notes has %q", s)
	}
	run(t, remote, "branch", "other")
	run(t, remote, "branch", "-D", "notes")
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrBranchGone) {
		t.Errorf("%v, want ErrBranchGone", err)
	}
	run(t, remote, "branch", "notes", "other") // it is back
	a.sync()
}

func TestSettingsInAVaultAreRefused(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "amber")
	m.engine = New(Options{Vault: m.vault, Dir: filepath.Join(m.dir, ".kist", "sync")})
	if _, err := m.engine.Setup(t.Context(), Wanted{URL: bare(t)}, nil); !errors.Is(err, ErrKeptApart) {
		t.Errorf("%v, want ErrKeptApart", err)
	}
}

func TestConflictCopiesOfOthersAreKnown(t *testing.T) {
	t.Parallel()
	there := func(p string) bool { return p == "a/plan.md" }
	for p, want := range map[string]string{
		"a/plan.conflict-amber-2026-11-24.md":             "kist",
		"a/plan.conflict-amber-2026-11-24-2.md":           "kist",
		"a/plan (conflict 2026-11-24 101010).md":          "an editor",
		"a/plan.sync-conflict-20261124-101010-ABCDEFG.md": "Syncthing",
		"a/plan (Ann's conflicted copy 2026-11-24).md":    "Dropbox",
		"a/plan (conflicted copy 2026-11-24 101010).md":   "Nextcloud",
		"a/plan 2.md":       "iCloud",
		"a/chapter 2.md":    "",
		"a/plan.md":         "",
		"a/conflict.md":     "",
		"a/plan (draft).md": "",
	} {
		c, ok := copies.Of(p, there)
		if ok != (want != "") || c.From != want || ok && c.Of != "a/plan.md" {
			t.Errorf("%s: %+v, want of %q", p, c, want)
		}
	}
	m := newMachine(t, "amber")
	m.write("plan.md", "ours\n")
	m.write("plan.sync-conflict-20261124-101010-ABCDEFG.md", "theirs\n")
	list, err := m.engine.Conflicts(t.Context())
	if err != nil || len(list) != 1 || list[0].From != "Syncthing" {
		t.Errorf("listed %+v, %v; they count also where sync is off", list, err)
	}
}

// TestManyVanishedFilesAreNotSentAsDeleted empties most of a vault whose daemon watches.
func TestManyVanishedFilesAreNotSentAsDeleted(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	for i := range 80 {
		a.write(fmt.Sprintf("many/n%d.md", i), fmt.Sprintf("n%d\n", i))
	}
	settle(a, b)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.vault.Run(ctx) }()
	defer func() { stop(); <-done }()
	within(t, 20*time.Second, "compared", a.vault.Compared)
	for i := range 70 {
		a.remove(fmt.Sprintf("many/n%d.md", i))
	}
	if _, err := a.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrVanished) {
		t.Errorf("%v, want ErrVanished", err)
	}
	b.sync()
	b.wants("many/n1.md", "n1\n")
	a.vault.AcceptVanished()
	within(t, 20*time.Second, "accepted", func() bool { return a.vault.Vanished() == "" })
	a.sync()
	b.sync()
	b.wants("many/n1.md", "-")
}

// TestWipedStateIsNoDeletion takes away what is disposable: the vault's state, and then
// sync's store. Neither makes a file go or come back.
func TestWipedStateIsNoDeletion(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	settle(a, b)
	b.write("theirs.md", "theirs\n")
	b.remove("img/pic.bin")
	b.sync()
	a.vault.Close()
	if err := os.RemoveAll(filepath.Join(a.dir, ".kist")); err != nil {
		t.Fatal(err)
	}
	a.open()
	a.write("mine.md", "mine\n")
	a.sync()
	if err := os.RemoveAll(filepath.Join(a.state, "git")); err != nil {
		t.Fatal(err)
	}
	b.write("theirs.md", "theirs again\n")
	b.sync()
	settle(a, b)
	same(t, a, b)
	a.wants("theirs.md", "theirs again\n")
	a.wants("mine.md", "mine\n")
	a.wants("img/pic.bin", "-")
	a.clean()
}

// Who set up sync with a wrong address is told of what that left in the folder.
func TestSetupThatFailsTellsOfTheRepository(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "a")
	missing := filepath.Join(t.TempDir(), "missing.git")
	for i, told := range []bool{true, false} {
		_, err := m.engine.Setup(t.Context(), Wanted{URL: missing}, nil)
		if err == nil || strings.Contains(err.Error(), "that was made of the vault's folder stays") != told {
			t.Errorf("attempt %d: %v", i, err)
		}
	}
}

// A setup of another remote that fails says nothing of the one that is set up.
func TestASetupThatFailsIsNoFailureOfAnother(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t)
	a.sync()
	_, err := a.engine.Setup(t.Context(), Wanted{URL: "http://127.0.0.1:1/x.git", Replace: true}, nil)
	var hinted *vault.HintedError
	if !errors.Is(err, git.ErrUnreachable) || !errors.As(err, &hinted) || strings.Contains(hinted.Hint, "by itself") {
		t.Errorf("%v (%v), want ErrUnreachable, without a word of sync trying again", err, hinted)
	}
	if s := a.engine.Status(t.Context()); s.State != Ready || s.URL != remote {
		t.Errorf("the status is %+v", s)
	}
}

// TestConflictCopiesOfOthersAreMerged puts a copy that Syncthing left and its document together; one that
// contradicts stays, with the place told.
func TestConflictCopiesOfOthersAreMerged(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	const name = "list.sync-conflict-20261124-101112-ABCDEFG.md"
	a.write("list.md", "---\nstatus: active\n---\n- [ ] bread\n- [ ] oil\n")
	a.write(name, "---\nstatus: active\n---\n- [x] bread\n- [ ] salt\n")
	if _, err := a.engine.Resolve(t.Context(), name, copies.Merged, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
		t.Fatal(err)
	}
	a.wants(name, "-")
	if text := a.read("list.md"); !strings.Contains(text, "[x] bread") || strings.Contains(text, "[ ] bread") || !strings.Contains(text, "oil") || !strings.Contains(text, "salt") {
		t.Errorf("together they are %q", text)
	}
	a.write(name, "---\nstatus: done\n---\n- [x] bread\n")
	_, err := a.engine.Resolve(t.Context(), name, copies.Merged, vault.Origin{Actor: vault.ActorUser}, false)
	if !errors.Is(err, vault.ErrConflict) || !strings.Contains(err.Error(), "status") || a.read(name) == "-" {
		t.Errorf("a contradiction: %v", err)
	}
}

// TestAWeekWithoutNetwork has two machines that both work for a week on the same documents, and try to sync each day: a round or two bring it all
// together when the network is there again.
func TestAWeekWithoutNetwork(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	const plan = "# Plan\n\n## Amber\n\n- all\n\n## Birch\n\n- all\n"
	a.write("plan.md", plan)
	a.write("inbox/idea.md", "# Idea\n\none\n\ntwo\n\nthree\n")
	settle(a, b)
	if err := os.Rename(remote, remote+".away"); err != nil {
		t.Fatal(err)
	}
	today := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for _, m := range []*machine{a, b} {
		m.now = func() time.Time { return today }
		m.reopen()
	}
	for day := range 7 {
		for m, head := range map[*machine]string{a: "## Amber\n\n", b: "## Birch\n\n"} {
			m.write("plan.md", strings.Replace(m.read("plan.md"), head, fmt.Sprintf("%s- %s %d\n", head, m.name, day), 1))
			m.write(fmt.Sprintf("days/%d-%s.md", day, m.name), fmt.Sprintf("# Day %d of %s\n", day, m.name))
			if _, err := m.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrGone) {
				t.Fatalf("%v, want ErrGone", err)
			}
		}
		today = today.Add(24 * time.Hour)
	}
	a.write("ideas/idea.md", a.read("inbox/idea.md"))
	a.remove("inbox/idea.md")
	b.write("inbox/idea.md", b.read("inbox/idea.md")+"\nfour\n")
	if err := os.Rename(remote+".away", remote); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*machine{a, b, a, b} { // the last one for the log of what came
		m.sync()
	}
	same(t, a, b)
	want := plan
	for day := range 7 {
		for _, m := range []string{"Amber", "Birch"} {
			name := strings.ToLower(m)
			want = strings.Replace(want, "## "+m+"\n\n", fmt.Sprintf("## %s\n\n- %s %d\n", m, name, day), 1)
			a.wants(fmt.Sprintf("days/%d-%s.md", day, name), fmt.Sprintf("# Day %d of %s\n", day, name))
		}
	}
	a.wants("plan.md", want)
	a.wants("inbox/idea.md", "-")
	a.wants("ideas/idea.md", "# Idea\n\none\n\ntwo\n\nthree\n\nfour\n")
	if list, err := a.engine.Conflicts(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("conflicts %v, %v", list, err)
	}
	a.clean()
	b.clean()
}

// TestCopiesOfRecordsAreGathered has Syncthing leave copies of files of the log and of a session, which no operation may change: each is
// listed, and goes by any choice without a record being lost.
func TestCopiesOfRecordsAreGathered(t *testing.T) {
	t.Parallel()
	a := newMachine(t, "amber")
	const mark = ".sync-conflict-20261124-101112-ABCDEFG"
	record := func(id string) string {
		return "---\nid: " + id + "\nevent: completed\nat: 2026-11-24T10:00:00Z\ntype: create\nentity: {type: note, path: " + id + ".md}\nactor: user\nseq: 1\nchanges:\n- path: " + id + ".md\n...\n"
	}
	const one, two, three = "01M8GB4TAXCZ36MY7HA2TAZ4VA", "01M8GB4TAXCZ36MY7HA2TAZ4VB", "01M8GB4TAXCZ36MY7HA2TAZ4VC"
	day, session, lost := "operations/2026/11/24-birch", "sessions/01M8GB4A71FB8JSTT4KPHAGNNR", "operations/2026/11/23-birch"
	for choice, want := range map[copies.Choice]string{copies.Ours: "ours", copies.Theirs: "theirs", copies.Merged: "", copies.Both: ""} {
		write(t, a.dir, day+".yaml", record(one)+record(two))
		write(t, a.dir, day+mark+".yaml", record(one)+record(three))
		write(t, a.dir, lost+mark+".yaml", record(two))
		if want != "" {
			write(t, a.dir, session+".yaml", "title: ours\n")
			write(t, a.dir, session+mark+".yaml", "title: theirs\n")
		}
		a.reopen()
		for _, p := range []string{day, session, lost} {
			if a.read(p+mark+".yaml") == "-" {
				continue
			}
			if !a.lists(p + mark + ".yaml") {
				t.Errorf("%s: the copy isn't listed", p)
			}
			if _, err := a.engine.Resolve(t.Context(), p+mark+".yaml", choice, vault.Origin{Actor: vault.ActorAgent}, false); !errors.Is(err, vault.ErrInvalidPath) {
				t.Errorf("%s, by the agent: %v", p, err)
			}
			if _, err := a.engine.Resolve(t.Context(), p+mark+".yaml", choice, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
				t.Errorf("%s, %s: %v", p, choice, err)
			}
			a.wants(p+mark+".yaml", "-")
		}
		for _, id := range []string{one, two, three} {
			if text := a.read(day + ".yaml"); strings.Count(text, "id: "+id) != 1 {
				t.Errorf("%s: %s is not there once: %s", choice, id, text)
			}
		}
		a.wants(lost+".yaml", record(two))
		if want != "" {
			a.wants(session+".yaml", "title: "+want+"\n")
		}
		a.remove(lost + ".yaml")
	}
}

// TestACopyOfAnotherProgramIsMergedFromItsBase has Syncthing and Dropbox leave copies of documents whose earlier versions git has: what
// either side changed since the version of both is there once, and what either took out is gone.
func TestACopyOfAnotherProgramIsMergedFromItsBase(t *testing.T) {
	t.Parallel()
	a, _, _ := pair(t)
	a.write("boat.md", "# Boat\n\nPaint the hull.\nThe mast is fine.\nSell the oars.\n")
	a.write("list.md", "# List\n\n- one\n- two\n- three\n")
	a.sync()
	a.write("boat.md", "# Boat\n\nPaint the hull.\nThe mast is fine.\nSell the oars.\nMore.\n")
	a.sync()
	later := time.Now().Add(time.Hour)
	const early = "boat.sync-conflict-20200101-101010-ABCDEFG.md" // by a clock that is wrong
	a.write(early, "# Boat\n\nPaint the hull.\nThe mast is fine.\nMore.\nadded\n")
	a.write("boat.md", "# Boat\n\nVarnish the hull.\nThe mast is fine.\nSell the oars.\nMore.\n")
	a.write("new.md", "# New\n\nas of now\n\nand more\n")
	a.write("new 2.md", "# New\n\nas of now\n") // nobody knows which of both is older
	a.sync()
	a.write("list (Ann's conflicted copy "+later.Format("2006-01-02")+").md", "# List\n\n- one\n- two\n- three\n- four\n")
	a.write("list.md", "# List\n\n- two\n- three\n")
	for p, want := range map[string]string{
		"boat.md": "# Boat\n\nVarnish the hull.\nThe mast is fine.\nMore.\nadded\n",
		"list.md": "# List\n\n- two\n- three\n- four\n",
		"new.md":  "# New\n\nas of now\n\nand more\n",
	} {
		if _, err := a.engine.Resolve(t.Context(), p, copies.Merged, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
			t.Error(err)
		}
		a.wants(p, want)
	}
	if o := a.sync(); o.Committed == 0 {
		t.Errorf("afterwards nothing is synced: %+v", o)
	}
}

// TestALockOfAFetchIsWaitedForOrOld has a lock on the reference that a fetch moves: of a fetch that is at
// its end, and of one that was killed long ago.
func TestALockOfAFetchIsWaitedForOrOld(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	settle(a, b)
	lock := filepath.Join("git", "refs", "kist", "remote-new.lock")
	for n, set := range []func(){
		func() {
			gone := time.AfterFunc(400*time.Millisecond, func() { _ = os.Remove(filepath.Join(b.state, lock)) })
			t.Cleanup(func() { gone.Stop() })
		},
		func() {
			old := time.Now().Add(-time.Minute)
			if err := os.Chtimes(filepath.Join(b.state, lock), old, old); err != nil {
				t.Fatal(err)
			}
		},
	} {
		p := fmt.Sprintf("%d.md", n)
		a.write(p, "new\n")
		a.sync()
		write(t, b.state, lock, "")
		set()
		b.sync()
		b.wants(p, "new\n")
	}
}

// TestAStoreThatWasCutOff: a process that was killed while it wrote HEAD of kist's own git
// directory leaves it empty, which git takes for no repository.
func TestAStoreThatWasCutOff(t *testing.T) {
	a, b, _ := pair(t)
	settle(a, b)
	b.vault.Close()
	if err := os.Truncate(filepath.Join(b.state, "git", "HEAD"), 0); err != nil {
		t.Fatal(err)
	}
	b.open()
	b.write("own.md", "birch\n")
	if o, err := b.engine.Now(t.Context(), Request{}, nil); err != nil || o.Committed == 0 {
		t.Errorf("%v (%+v)", err, o)
	}
}
