package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/vault"
)

// watched is a machine whose vault is watched, as a daemon does, and with a branch "plan" that has
// other texts than main: a.md changed, new.md more, and of many/ nothing.
func watched(t *testing.T, synced bool) *machine {
	t.Helper()
	m := &machine{t: t, name: "amber", dir: t.TempDir(), state: t.TempDir()}
	if _, err := vault.Init(m.dir); err != nil {
		t.Fatal(err)
	}
	m.write("a.md", "main\n")
	m.write("b.md", "b\n")
	for n := range 60 {
		m.write(fmt.Sprintf("many/n%d.md", n), fmt.Sprint("n", n, "\n"))
	}
	m.git("init", "-q", "-b", "main")
	m.git("add", "-A")
	m.git("commit", "-qm", "one")
	m.git("checkout", "-qb", "plan")
	m.write("a.md", "plan\n")
	m.write("new.md", "new\n")
	m.git("rm", "-rq", "many")
	m.git("add", "-A")
	m.git("commit", "-qm", "plan")
	m.git("checkout", "-q", "main")
	m.write("b.md", "b\nmain\n")
	m.git("commit", "-qam", "main goes on")
	m.open()
	if synced {
		m.setUp(bare(t))
	}
	m.watch()
	return m
}

// watch has the vault follow what other programs save.
func (m *machine) watch() {
	m.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = m.vault.Run(ctx) }()
	m.t.Cleanup(func() { stop(); <-done })
	within(m.t, 10*time.Second, "compared", m.vault.Compared)
}

// edits are the operations that the vault recorded of other programs.
func (m *machine) edits() (all []string) {
	m.t.Helper()
	if err := m.vault.Record(m.t.Context()); err != nil {
		m.t.Fatal(err)
	}
	ops, err := m.vault.Operations(m.t.Context(), vault.Filter{})
	if err != nil {
		m.t.Fatal(err)
	}
	for _, op := range ops {
		all = append(all, fmt.Sprintf("%s %s %s %s", op.Actor, op.Client, op.Type, op.Entity.Path))
	}
	return all
}

// TestABranchSwitchIsNobodysEdit switches branches under a running vault: what git put there is known,
// and neither logged nor taken for deleted; the user's own edits are recorded as ever.
func TestABranchSwitchIsNobodysEdit(t *testing.T) {
	t.Parallel()
	for _, synced := range []bool{false, true} {
		t.Run(fmt.Sprintf("synced %t", synced), func(t *testing.T) {
			t.Parallel()
			m := watched(t, synced)
			before := len(m.edits())
			for _, to := range [][]string{{"checkout", "-q", "plan"}, {"checkout", "-q", "main"}, {"reset", "-q", "--hard", "HEAD~1"}, {"reset", "-q", "--hard", "ORIG_HEAD"}} {
				m.git(to...)
				if all := m.edits(); len(all) != before {
					t.Fatalf("git %v was recorded: %v", to, all)
				}
				if why := m.vault.Vanished(); why != "" {
					t.Errorf("git %v: %s", to, why)
				}
				if s := m.git("status", "--porcelain"); s != "" {
					t.Errorf("git %v: git status says %q", to, s)
				}
			}
			m.write("a.md", "main\nby hand\n")
			if all := m.edits(); len(all) != before+1 || !strings.HasPrefix(all[0], "editor  update a.md") {
				t.Errorf("recorded of an edit by hand: %v", all)
			}
		})
	}
}

// TestWorkOnAnotherBranchDoesNotBlockTheWayBack edits and commits on a branch that isn't synced: no log of
// it makes the work tree dirty.
func TestWorkOnAnotherBranchDoesNotBlockTheWayBack(t *testing.T) {
	t.Parallel()
	m := watched(t, true)
	before := len(m.edits())
	m.git("checkout", "-q", "-b", "idea")
	m.write("a.md", "an idea\n")
	m.git("commit", "-qam", "idea")
	if all := m.edits(); len(all) != before {
		t.Errorf("recorded: %v", all)
	}
	m.git("checkout", "-q", "main")
	m.wants("a.md", "main\n")
	m.edits()
	m.clean()
	m.sync()
	m.clean()
}

// TestWhatGitPutIsNoExcuseForTheSameText has an operation change what git put there, and somebody put
// git's text back by hand at once: that is an edit.
func TestWhatGitPutIsNoExcuseForTheSameText(t *testing.T) {
	t.Parallel()
	m := watched(t, false)
	m.git("checkout", "-q", "plan")
	before := len(m.edits())
	_, err := m.vault.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
		Type: vault.OpUpdate, Entity: vault.Entity{Type: "note", Path: "a.md"}, Reason: "asked", Changes: []vault.Change{{Path: "a.md", Before: []byte("plan\n"), After: []byte("asked\n")}}}}})
	if err != nil {
		t.Fatal(err)
	}
	m.write("a.md", "plan\n")
	if all := m.edits(); len(all) != before+2 || !strings.HasPrefix(all[0], "editor  update a.md") {
		t.Errorf("recorded: %v", all[:len(all)-before])
	}
}

// TestARenamedBranchIsFollowed renames the synced branch, twice: edits go on being logged and synced. Another
// branch is said at once, before any round has failed.
func TestARenamedBranchIsFollowed(t *testing.T) {
	t.Parallel()
	m := watched(t, true)
	before := len(m.edits())
	m.git("branch", "-m", "trunk")
	m.git("branch", "-m", "stem")
	m.write("a.md", "main\nby hand\n")
	if all := m.edits(); len(all) != before+1 || !strings.HasPrefix(all[0], "editor  update a.md") {
		t.Errorf("recorded on the renamed branch: %v", all)
	}
	if s := m.engine.Status(t.Context()); s.State != Ready {
		t.Errorf("the status is %+v", s)
	}
	if o := m.sync(); o.Pushed != 1 {
		t.Errorf("pushed %d commits", o.Pushed)
	}
	if s := m.engine.Status(t.Context()); s.Local != "stem" || s.Branch != "main" {
		t.Errorf("synced is %s with %s", s.Local, s.Branch)
	}
	m.clean()
	m.git("checkout", "-qb", "idea")
	s := m.engine.Status(t.Context())
	if says := s.Sentence(time.Now()); s.State != Failing || !errors.Is(s.Err, ErrDetached) || !strings.Contains(says, "idea is, while stem is synced") || !strings.Contains(says, "not logged") {
		t.Errorf("the status is %s: %s", s.State, says)
	}
	m.git("checkout", "-q", "stem")
	m.git("branch", "main") // the name is taken again: nobody knows which one is meant
	m.git("branch", "-m", "stem", "other")
	if _, err := m.engine.Now(t.Context(), Request{}, nil); err != nil {
		t.Errorf("a rename of the branch that is synced now: %v", err)
	}
	m.git("branch", "-m", "other", "stem")
	m.git("branch", "other")
	if _, err := m.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrDetached) {
		t.Errorf("%v, want ErrDetached where a branch of the old name is there", err)
	}
}

// TestWhatIsCarriedBackIsRecorded edits on a branch that isn't synced: what git takes along to the synced
// one, uncommitted, is recorded there, and nothing else.
func TestWhatIsCarriedBackIsRecorded(t *testing.T) {
	t.Parallel()
	m := watched(t, true)
	before := len(m.edits())
	m.git("checkout", "-q", "-b", "idea")
	m.write("a.md", "carried\n")
	m.write("b.md", "committed there\n")
	m.write("fresh.md", "fresh\n")
	m.remove("many/n1.md")
	m.git("commit", "-qm", "idea", "b.md")
	if all := m.edits(); len(all) != before {
		t.Errorf("recorded there: %v", all)
	}
	m.git("checkout", "-q", "main")
	all := m.edits()
	all = all[:len(all)-before]
	slices.Sort(all)
	if want := "editor  create fresh.md, editor  delete many/n1.md, editor  update a.md"; strings.Join(all, ", ") != want {
		t.Errorf("recorded here: %q, want %q", all, want)
	}
	m.sync()
	m.clean()
}

// TestWhatGitBringsIsOfSync merges, rebases and cherry-picks: what came is recorded as brought by git, and
// as from outside where it wasn't committed here.
func TestWhatGitBringsIsOfSync(t *testing.T) {
	t.Parallel()
	m := watched(t, false)
	other := t.TempDir()
	run(t, other, "clone", "-q", m.dir, other)
	write(t, other, "b.md", "theirs\nb\nmain\n")
	run(t, other, "commit", "-qam", "theirs")
	before := len(m.edits())
	wants := func(what string, want ...string) {
		t.Helper()
		all := m.edits()
		if got := strings.Join(all[:len(all)-before], ", "); got != strings.Join(want, ", ") {
			t.Errorf("%s: recorded %q, want %q", what, got, want)
		}
		before = len(all)
	}
	m.git("pull", "-q", "--ff-only", other, "main")
	wants("pull", "sync git update b.md")
	if !m.vault.FromOutside(t.Context(), "b.md") || m.vault.FromOutside(t.Context(), "a.md") {
		t.Error("b.md is from outside, and a.md isn't")
	}
	m.git("add", "operations")
	m.git("commit", "-qm", "log")
	m.git("checkout", "-q", "-b", "side", "HEAD~1")
	m.write("side.md", "side\n")
	m.git("add", "side.md")
	m.git("commit", "-qm", "side")
	m.git("checkout", "-q", "main")
	wants("checkout of another branch and back")
	m.git("cherry-pick", "side")
	wants("cherry-pick", "sync git create side.md")
}

// TestWritesWaitForARebase has the user in the middle of a rebase with a conflict: nothing is written or
// recorded, until that is over.
func TestWritesWaitForARebase(t *testing.T) {
	t.Parallel()
	m := watched(t, true)
	before := len(m.edits())
	m.git("checkout", "-q", "-b", "other", "HEAD~1")
	m.write("a.md", "other\n")
	m.git("commit", "-qam", "other")
	if err := m.tries("rebase", "plan"); err == nil {
		t.Fatal("the rebase should stop at a conflict")
	}
	if s := m.engine.Status(t.Context()); s.State != Failing || !errors.Is(s.Err, ErrBusy) || !strings.Contains(s.Err.Error(), "a rebase") {
		t.Errorf("the status is %+v, want the rebase to be named", s)
	}
	apply := func() error {
		_, err := m.vault.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
			Type: vault.OpCreate, Entity: vault.Entity{Type: "note", Path: "made.md"}, Reason: "asked", Changes: []vault.Change{{Path: "made.md", After: []byte("made\n")}}}}})
		return err
	}
	if err := apply(); !errors.Is(err, vault.ErrBusy) || !strings.Contains(err.Error(), "a rebase") {
		t.Errorf("a write in a rebase: %v", err)
	}
	if err := m.vault.AppendRecord(t.Context(), "conversations/2026-11-24-amber.md", nil, []byte("said\n")); !errors.Is(err, vault.ErrBusy) {
		t.Errorf("a record in a rebase: %v", err)
	}
	m.write("a.md", "resolved\n")
	if all := m.edits(); len(all) != before {
		t.Errorf("recorded in the middle of a rebase: %v", all)
	}
	m.git("add", "a.md")
	m.git("-c", "core.editor=true", "rebase", "--continue")
	if all := m.edits(); len(all) != before {
		t.Errorf("recorded of a rebase: %v", all)
	}
	m.git("checkout", "-q", "--detach")
	if err := apply(); !errors.Is(err, vault.ErrBusy) {
		t.Errorf("a write with no branch checked out: %v", err)
	}
	m.git("checkout", "-q", "main")
	if err := apply(); err != nil {
		t.Error(err)
	}
	if why := m.vault.Vanished(); why != "" {
		t.Error(why)
	}
}

// TestAMoveWhileNobodyLooksIsKnown switches the branch while the vault is closed.
func TestAMoveWhileNobodyLooksIsKnown(t *testing.T) {
	t.Parallel()
	m := watched(t, false)
	n := len(m.edits())
	m.vault.Close()
	m.git("checkout", "-q", "plan")
	m.open()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = m.vault.Run(ctx) }()
	defer func() { stop(); <-done }()
	within(t, 10*time.Second, "compared", m.vault.Compared)
	if all := m.edits(); len(all) != n {
		t.Errorf("recorded: %v", all)
	}
	if s := m.git("status", "--porcelain"); s != "" {
		t.Errorf("git status says %q", s)
	}
}

// TestEditsAreRecordedWhereTheBranchIsNotKnown has a HEAD as repositories have it that keep their references
// in tables: it names no branch.
func TestEditsAreRecordedWhereTheBranchIsNotKnown(t *testing.T) {
	t.Parallel()
	m := watched(t, true)
	before := len(m.edits())
	m.write(".git/HEAD", "ref: refs/heads/.invalid\n")
	m.write("a.md", "main\nby hand\n")
	if all := m.edits(); len(all) != before+1 {
		t.Errorf("recorded of an edit by hand: %v", all[:len(all)-before])
	}
}
