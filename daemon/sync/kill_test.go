package sync

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kist/daemon/sync/copies"
	"kist/vault"
)

// killedAt, in the environment of this test's own binary, has it sync a vault and kill itself
// at a step: DIR, STATE and the number of the step.
const killedAt = "KIST_TEST_SYNC_KILL"

// TestVictimOfAKill is the process that is killed; alone it does nothing.
func TestVictimOfAKill(t *testing.T) {
	args := strings.Split(os.Getenv(killedAt), "\n")
	if len(args) != 3 {
		return
	}
	v, err := vault.Open(context.Background(), args[0], vault.Options{Device: filepath.Base(args[0])})
	if err != nil {
		t.Fatal(err)
	}
	at, err := strconv.Atoi(args[2])
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Vault: v, Dir: args[1], Step: func(string) {
		if at--; at == 0 {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				_ = self.Kill()
			}
			select {}
		}
	}})
	if _, err := e.Now(context.Background(), Request{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
}

// kill syncs a machine in a process of its own that is killed at a step, and reports
// whether it was: false, it came to its end before.
func (m *machine) kill(step int) bool {
	m.t.Helper()
	m.vault.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictimOfAKill$")
	cmd.Env = append(os.Environ(), killedAt+"="+strings.Join([]string{m.dir, m.state, strconv.Itoa(step)}, "\n"))
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.Exited() {
		m.t.Fatalf("%s: %v: %s", m.name, err, out)
	}
	m.sound()
	m.open()
	return err != nil
}

// long asks for the long form of the tests here: kills at every step, and histories by the
// thousand (KIST_SYNC_LONG=1000 go test -timeout 10h ./daemon/sync).
func long() int {
	n, _ := strconv.Atoi(os.Getenv("KIST_SYNC_LONG"))
	return n
}

// TestAKillAtAnyStepIsFinishedByTheNextRound kills a sync that commits, merges (with a
// conflict, a move, a deletion, records), and pushes, at its steps one after another; in the
// short form at every fifth.
func TestAKillAtAnyStepIsFinishedByTheNextRound(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	text := func(n string) string { return strings.Repeat("line "+n+"\n", 20) }
	const most = 60
	for step := range most {
		n := strconv.Itoa(step)
		a.write("moves-"+n+".md", text(n))
		a.write("goes-"+n+".md", "goes "+n+"\n")
	}
	a.write("note.md", "---\nstatus: white\n---\n")
	settle(a, b)
	stride, killed, step := 5, true, 1
	if long() > 0 {
		stride = 1
	}
	for ; killed && !t.Failed() && step < most; step += stride {
		n := strconv.Itoa(step)
		red, blue := "---\nstatus: red "+n+"\n---\n", "---\nstatus: blue "+n+"\n---\n"
		a.write("note.md", red)
		a.remove("moves-" + n + ".md")
		a.write("at/moves-"+n+".md", text(n))
		a.remove("goes-" + n + ".md")
		a.write("data.csv", "a,b\n"+n+",1\n")
		a.sync()
		b.write("note.md", blue)
		b.write("own-"+n+".md", "own\n")
		killed = b.kill(step)
		b.sync()
		b.clean()
		a.sync()
		b.sync()
		same(t, a, b)
		b.wants("note.md", blue)
		b.wants("own-"+n+".md", "own\n")
		b.wants("goes-"+n+".md", "-")
		b.wants("moves-"+n+".md", "-")
		b.wants("at/moves-"+n+".md", text(n))
		b.wants("data.csv", "a,b\n"+n+",1\n")
		b.listed(red, 1)
	}
	if step < 10 || killed {
		t.Errorf("the last kill was at step %d, killed %t: it should go on to the end of a sync", step, killed)
	}
}

// listed fails unless so many listed conflict copies hold a text.
func (m *machine) listed(text string, want int) {
	m.t.Helper()
	list, err := m.engine.Conflicts(context.Background())
	if err != nil {
		m.t.Fatal(err)
	}
	got := 0
	for _, c := range list {
		if m.read(c.Path) == text {
			got++
		}
	}
	if got != want {
		m.t.Errorf("%s: %d conflict copies hold %q, want %d", m.name, got, text, want)
	}
}

// breaksOff makes a round that ends at a step, after others.
func (m *machine) breaksOff(steps ...string) {
	m.t.Helper()
	at, step := "", steps[len(steps)-1]
	m.step = func(name string) {
		if at = name; name == steps[0] {
			if steps = steps[1:]; len(steps) == 0 {
				panic(killed{})
			}
		}
	}
	m.reopen()
	func() {
		defer func() { _ = recover() }()
		m.sync()
	}()
	if at != step {
		m.t.Errorf("%s: the round ended at %q", m.name, at)
	}
	m.step = nil
	m.reopen()
}

// TestAFileThatIsEditedWhereAFolderIsToComeStays has a round broken off before the files are put in place, and a file edited then which was to
// give way to a folder of its name: the edit stays, and what was to come lies beside it.
func TestAFileThatIsEditedWhereAFolderIsToComeStays(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{".md", ".canvas"} { // a document, and a file that is none
		a, b, _ := pair(t)
		file := "board" + ending
		b.write(file, "one\n")
		settle(b, a)
		b.remove(file)
		b.write(file+"/in"+ending, "one\n")
		b.sync()
		a.breaksOff("journal")
		a.write(file, "one\n\nedited\n")
		settle(a, b)
		same(t, a, b)
		found := map[string]bool{}
		for p, text := range a.files() {
			found[text] = found[text] || p == file || strings.Contains(p, copies.Mark)
			if strings.Contains(p, copies.Mark) && !a.lists(p) {
				t.Errorf("%s is not listed", p)
			}
		}
		if !found["one\n"] || !found["one\n\nedited\n"] {
			t.Errorf("%s: the edit or what was to come is nowhere: %q", file, a.files())
		}
		a.clean()
	}
}

// TestWhatIsMovedWhileAMergeIsBrokenOffMovesOn has a round broken off before the files are put in place, and a document renamed then which the
// merge was to change: the change comes under the new name, and the old one doesn't come back.
func TestWhatIsMovedWhileAMergeIsBrokenOffMovesOn(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("note.md", "# Note\n\none\n\ntwo\n\nthree\n")
	settle(a, b)
	b.write("note.md", "# Note\n\none\n\ntwo\n\nthree\n\nfour\n")
	b.sync()
	a.breaksOff("journal")
	a.write("moved.md", a.read("note.md"))
	a.remove("note.md")
	settle(a, b)
	same(t, a, b)
	a.wants("note.md", "-")
	a.wants("moved.md", "# Note\n\none\n\ntwo\n\nthree\n\nfour\n")
	a.clean()
}

// TestWhatAMergeWasToMoveMovesOn has a merge broken off that was to move a note, and the user move that note to another place then, or into a
// folder of its name, and change it there.
func TestWhatAMergeWasToMoveMovesOn(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{"moved.md": "deep/moved.md", "note.md/in.md": "note.md/in.md"} {
		a, b, _ := pair(t)
		const old = "# Note\n\none\n\ntwo\n\nthree\n"
		a.write("note.md", old)
		settle(a, b)
		b.write("deep/note.md", old)
		b.remove("note.md")
		b.sync()
		a.breaksOff("rest")
		a.remove("note.md")
		a.write(to, old+"\nfour\n")
		settle(a, b)
		same(t, a, b)
		a.wants("deep/note.md", "-")
		a.wants(want, old+"\nfour\n")
		a.listed(old, 0)
		a.clean()
	}
}

// TestWhatIsMovedInTheMiddleOfAMergeMovesOn has a round broken off when some documents, or all, are in place, and one moved then and another
// one deleted which the merge changes: what was seen of it counts, and nothing stands twice.
func TestWhatIsMovedInTheMiddleOfAMergeMovesOn(t *testing.T) {
	t.Parallel()
	for step, gone := range map[string]string{"batch": "# Gone\n\none\n\ntwo\n", "advance": "-"} { // before it was changed, and since
		a, b, _ := pair(t)
		a.write("goes.md", "# Goes\n")
		a.write("note.md", "# Note\n\none\n\ntwo\n\nthree\n")
		a.write("gone.md", "# Gone\n\none\n")
		settle(a, b)
		b.remove("goes.md")
		b.write("note.md", "# Note\n\none\n\ntwo\n\nthree\n\nfour\n")
		b.write("gone.md", "# Gone\n\none\n\ntwo\n")
		b.sync()
		a.now = func() time.Time { return time.Now().Add(-48 * time.Hour) } // somebody set the clock
		a.breaksOff(step)
		a.wants("goes.md", "-")
		a.write("moved.md", a.read("note.md"))
		a.remove("note.md")
		a.remove("gone.md")
		settle(a, b)
		same(t, a, b)
		a.wants("note.md", "-")
		a.wants("moved.md", "# Note\n\none\n\ntwo\n\nthree\n\nfour\n")
		a.wants("gone.md", gone)
		a.clean()
	}
}

// TestWhatAMergeHasMovedIsChangedYet has a round broken off when a document is moved that is to be changed as well, and moved on then by the
// user, or not: it is changed where it is, and has no conflict copy.
func TestWhatAMergeHasMovedIsChangedYet(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"deep/note.md", "deep/on.md"} {
		a, b, _ := pair(t)
		const old = "# Note\n\none\n\ntwo\n\nthree\n"
		a.write("moves.md", old)
		settle(a, b)
		b.write("deep/note.md", old)
		b.remove("moves.md")
		b.sync()
		b.write("deep/note.md", old+"\nfour\n")
		b.sync()
		a.breaksOff("batch")
		a.wants("deep/note.md", old)
		if at != "deep/note.md" {
			a.write(at, old)
			a.remove("deep/note.md")
		}
		settle(a, b)
		same(t, a, b)
		a.wants(at, old+"\nfour\n")
		for p := range a.files() {
			if isNote(p) && p != at && strings.Contains(a.read(p), "three") && p != "note.md" {
				t.Errorf("%s is there as well, or beside it", p)
			}
			if strings.Contains(p, copies.Mark) {
				t.Errorf("%s lies beside it", p)
			}
		}
		a.clean()
	}
}

// TestWhatAMergeHasPutInPlaceIsChangedByTheUser has a round broken off when all documents are in place, and the user move a section then that
// came: it is there once.
func TestWhatAMergeHasPutInPlaceIsChangedByTheUser(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const top, came, rest = "# Note\n\none\n\n", "## Came\n\ntwo\n\n", "## Rest\n\nthree\n\n"
	a.write("note.md", top+rest)
	settle(a, b)
	b.write("note.md", top+came+rest)
	b.sync()
	a.breaksOff("advance")
	a.write("note.md", top+rest+came)
	settle(a, b)
	same(t, a, b)
	a.wants("note.md", top+rest+came)
	a.clean()
}

// TestWhatAMergeHasPutInPlaceIsMovedByTheUsersCommit has a round broken off when all documents are in place, and the user change a new one,
// commit it, and move it: it is one document.
func TestWhatAMergeHasPutInPlaceIsMovedByTheUsersCommit(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const text = "# Note\n\none\n\ntwo\n\nthree\n\nfour\n\nfive\n"
	b.write("new.md", text)
	b.sync()
	a.breaksOff("advance")
	a.write("new.md", strings.Replace(text, "one", "One", 1))
	a.git("add", "-A")
	a.git("commit", "-qm", "by hand")
	a.write("deep/moved.md", a.read("new.md"))
	a.remove("new.md")
	b.write("new.md", text+"\nsix\n")
	b.sync()
	settle(a, b)
	same(t, a, b)
	a.wants("new.md", "-")
	a.wants("deep/moved.md", strings.Replace(text, "one", "One", 1)+"\nsix\n")
	a.clean()
}

// TestWhatAMergeHasMovedAndTheUserCommitsIsOneDocument has a round broken off when all documents are in place, one of which others moved and wrote
// anew, and the user commit all that he finds, after he changed it, or not: the document stands where they moved it, with what each changed.
func TestWhatAMergeHasMovedAndTheUserCommitsIsOneDocument(t *testing.T) {
	t.Parallel()
	for _, edit := range [][2]string{{"", ""}, {"", "\nmore\n"}, {"status: b\n", "\nmore\n"}} { // before the merge, and after it
		a, b, _ := pair(t)
		old, anew := strings.Repeat("old ", 40)+"\n", strings.Repeat("new ", 40)+"\n"
		a.write("note.md", "---\nstatus: a\n---\n"+old)
		settle(a, b)
		b.write("note.md", "---\nstatus: a\n---\n"+anew)
		b.sync()
		b.write("deep/note.md", b.read("note.md"))
		b.remove("note.md")
		b.sync()
		if edit[0] != "" {
			a.write("note.md", "---\n"+edit[0]+"---\n"+old)
		}
		a.breaksOff("journal", "advance")
		a.wants("note.md", "-")
		a.write("deep/note.md", a.read("deep/note.md")+edit[1])
		a.git("add", "-A")
		a.git("commit", "-qm", "by hand")
		settle(a, b)
		same(t, a, b)
		a.wants("note.md", "-")
		a.wants("deep/note.md", "---\n"+cmp.Or(edit[0], "status: a\n")+"---\n"+anew+edit[1])
		a.clean()
	}
}

// TestANewNoteWhereAMergeMovedOneFromIsAnother has a round broken off when all documents are in place, one of which others moved and wrote
// anew, and the user write another note where it was and commit that: the moved one stays as it is.
func TestANewNoteWhereAMergeMovedOneFromIsAnother(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	anew := "---\nstatus: a\n---\n" + strings.Repeat("new ", 40) + "\n"
	a.write("note.md", "---\nstatus: a\n---\n"+strings.Repeat("old ", 40)+"\n")
	settle(a, b)
	b.write("note.md", anew)
	b.sync()
	b.write("deep/note.md", anew)
	b.remove("note.md")
	b.sync()
	a.breaksOff("journal", "advance")
	a.wants("note.md", "-")
	a.write("note.md", "# Another\n\nof the user's own\n")
	a.git("add", "-A")
	a.git("commit", "-qm", "by hand")
	settle(a, b)
	same(t, a, b)
	a.wants("deep/note.md", anew)
	if text := a.read("note.md"); !strings.Contains(text, "of the user's own") {
		t.Errorf("the new note is %q", text)
	}
	a.clean()
}

// TestWhatMakesRoomIsntDeletedByTheUsersCommit has a round broken off when a changed document has made room for a folder of its name, and
// the user commit all that he finds then: his change is in the document that comes into the folder.
func TestWhatMakesRoomIsntDeletedByTheUsersCommit(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const old = "# Note\n\none\n\ntwo\n\nthree\n"
	a.write("room.md", old)
	settle(a, b)
	b.remove("room.md")
	b.write("room.md/in.md", old)
	b.sync()
	a.write("room.md", old+"\nfour\n")
	a.breaksOff("batch")
	if _, there := a.files()["room.md"]; there {
		t.Fatal("it is still there: the round was broken off too early")
	}
	a.git("add", "-A")
	a.git("commit", "-qm", "by hand")
	settle(a, b)
	same(t, a, b)
	a.wants("room.md/in.md", old+"\nfour\n")
	a.clean()
}

// TestWhatAMergeTookAwayStaysAway has a round killed when its merge is the branch's commit and the journal is there still, also where the
// user commits on top of it: what others deleted or moved doesn't come back.
func TestWhatAMergeTookAwayStaysAway(t *testing.T) {
	t.Parallel()
	for _, commits := range []bool{false, true} {
		a, b, _ := pair(t)
		a.write("goes.md", "# Goes\n\none\n")
		a.write("moves.md", "# Moves\n\none\n\ntwo\n")
		settle(a, b)
		b.remove("goes.md")
		b.write("deep/moves.md", b.read("moves.md"))
		b.remove("moves.md")
		b.sync()
		a.write("own.md", "own\n")
		a.breaksOff("advanced")
		if commits {
			a.write("own.md", "own, by hand\n")
			a.git("commit", "-qam", "by hand")
		}
		settle(a, b)
		same(t, a, b)
		a.wants("goes.md", "-")
		a.wants("moves.md", "-")
		a.wants("deep/moves.md", "# Moves\n\none\n\ntwo\n")
		a.clean()
	}
}

// TestKillsAtAnyMoment kills a sync at random moments, in the middle of git's own commands too: the
// repository is never damaged, nothing is left that stands in the way, and the next round ends well.
// KIST_SYNC_KILLS says how often; some times else. KIST_SYNC_SEED has other moments.
func TestKillsAtAnyMoment(t *testing.T) {
	t.Parallel()
	kills, err := strconv.Atoi(os.Getenv("KIST_SYNC_KILLS"))
	if err != nil {
		kills = 3
	}
	a, b, remote := pair(t)
	settle(a, b)
	seed := uint64(1)
	_, _ = fmt.Sscan(os.Getenv("KIST_SYNC_SEED"), &seed) // without one it stays
	random := rand.New(rand.NewPCG(seed, 7))
	whole, killed := 300*time.Millisecond, 0
	for n := 1; n <= kills && !t.Failed(); n++ {
		a.write("note.md", fmt.Sprintf("# Note\n\none %d\n\ntwo\n\nthree\n", n))
		a.write(fmt.Sprintf("a/n%d.md", n%40), fmt.Sprintf("from amber %d\n", n))
		a.sync()
		b.write("own.md", fmt.Sprintf("birch %d\n", n))
		b.write(fmt.Sprintf("b/n%d.md", n%40), fmt.Sprintf("from birch %d\n", n))
		b.vault.Close()
		begun := time.Now()
		cmd := exec.Command(os.Args[0], "-test.run=^TestVictimOfAKill$")
		cmd.Env = append(os.Environ(), killedAt+"="+strings.Join([]string{b.dir, b.state, "0"}, "\n"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(whole))), func() { _ = cmd.Process.Kill() })
		if cmd.Wait() != nil {
			killed++
			whole += whole / 20 // until some come to their end: all that a sync does is to be met
		} else {
			whole = time.Since(begun)
		}
		timer.Stop()
		b.open()
		if n%20 == 0 || n == kills {
			b.sound()
			t.Logf("%d of %d syncs were killed", killed, n)
		}
		if o, err := b.engine.Now(t.Context(), Request{}, nil); err != nil {
			t.Fatalf("after kill %d: %v (%+v)", n, err, o)
		}
		if s := b.git("status", "--porcelain"); s != "" {
			t.Errorf("after kill %d: git status says %q", n, s)
		}
		if _, err := os.Lstat(filepath.Join(b.dir, ".git", "index.lock")); err == nil {
			t.Errorf("after kill %d an index.lock is left", n)
		}
	}
	settle(a, b)
	same(t, a, b)
	b.wants("own.md", fmt.Sprintf("birch %d\n", kills))
	a.wants("note.md", fmt.Sprintf("# Note\n\none %d\n\ntwo\n\nthree\n", kills))
	a.clean()
	b.clean()
	run(t, remote, "fsck", "--strict", "--no-dangling", "--no-progress")
}
