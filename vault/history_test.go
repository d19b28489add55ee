package vault_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/vaulttest"
)

// watched opens a vault that records what is saved outside of it, at once nearly.
func watched(t *testing.T, archive string) *vault.Vault {
	t.Helper()
	v := vaulttest.New(t, archive)
	vault.SetQuiet(v, 150*time.Millisecond)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	return v
}

// edits waits until n operations of editors are in the log and returns them, oldest first.
func edits(t *testing.T, v *vault.Vault, n int) []vault.Operation {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		ops, err := v.Operations(ctx, vault.Filter{Actor: vault.ActorEditor})
		if err != nil {
			t.Fatal(err)
		}
		if len(ops) >= n || time.Now().After(end) {
			slices.Reverse(ops)
			if len(ops) != n {
				t.Fatalf("%d operations of editors, want %d: %+v", len(ops), n, ops)
			}
			return ops
		}
	}
}

func undoOne(t *testing.T, v *vault.Vault, id string) {
	t.Helper()
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: id}, you); err != nil {
		t.Fatal(err)
	}
}

func TestHandEditsAreRecorded(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	changed := strings.Replace(poem, "third", "3rd", 1)
	save(t, v, "a.md", changed)
	op := edits(t, v, 1)[0]
	if op.Status != vault.StatusCompleted || op.Type != vault.OpUpdate || op.Entity.Path != "a.md" || op.Changes[0].After != vault.HashOf([]byte(changed)) {
		t.Errorf("%+v", op)
	}
	full, err := v.Operation(ctx, op.ID)
	if err != nil || !strings.Contains(full.Changes[0].Patch, "+3rd") {
		t.Errorf("%+v, %v", full, err)
	}
	undoOne(t, v, op.ID)
	if diff := cmp.Diff(poem, text(t, v, "a.md")); diff != "" {
		t.Error(diff)
	}
}

func TestBurstsAreOneOperation(t *testing.T) {
	for range 20 {
		if burst(t) {
			return
		}
	}
	t.Error("no burst was one: the machine stood still in each")
}

// burst looks what becomes of ten saves in a row; false: the machine made several bursts of
// them.
func burst(t *testing.T) bool {
	v := watched(t, "-- a.md --\n0\n")
	for i := range 10 {
		start := time.Now()
		save(t, v, "a.md", fmt.Sprintln(i+1))
		time.Sleep(5 * time.Millisecond)
		if time.Since(start) > 50*time.Millisecond {
			return false
		}
	}
	op := edits(t, v, 1)[0]
	time.Sleep(100 * time.Millisecond)
	edits(t, v, 1)
	if op.Changes[0].Before != vault.HashOf([]byte("0\n")) || op.Changes[0].After != vault.HashOf([]byte("10\n")) {
		t.Errorf("%+v", op.Changes)
	}
	return true
}

func TestCreatedDeletedAndMovedByHand(t *testing.T) {
	v := watched(t, "-- a.md --\nthe text of a\n-- notes/n.md --\n---\nid: 01ARZ3NDEKTSV4RRFFQ69G5FAV\n---\nold\n-- z.md --\nz\n")
	file := func(p string) string { return filepath.Join(v.Dir(), p) }
	save(t, v, "new.md", "new\n")
	if err := os.Rename(file("a.md"), file("notes/b.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file("notes/n.md")); err != nil {
		t.Fatal(err)
	}
	save(t, v, "m.md", "---\nid: 01ARZ3NDEKTSV4RRFFQ69G5FAV\n---\nold, moved and edited\n")
	if err := os.Remove(file("z.md")); err != nil {
		t.Fatal(err)
	}
	byPath := map[string]vault.OpType{}
	for _, op := range edits(t, v, 5) {
		byPath[op.Changes[0].From+">"+op.Changes[0].Path+" "+string(op.Type)] = op.Type
	}
	want := map[string]vault.OpType{
		"a.md>notes/b.md move": vault.OpMove, "notes/n.md>m.md move": vault.OpMove, ">m.md update": vault.OpUpdate,
		">new.md create": vault.OpCreate, ">z.md delete": vault.OpDelete,
	}
	if diff := cmp.Diff(want, byPath); diff != "" {
		t.Error(diff)
	}
	undoEverything(t, v)
	want2 := map[string]string{"a.md": "the text of a\n", "notes/n.md": "---\nid: 01ARZ3NDEKTSV4RRFFQ69G5FAV\n---\nold\n", "z.md": "z\n"}
	if diff := cmp.Diff(want2, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// undoEverything takes back all that stands, newest first.
func undoEverything(t *testing.T, v *vault.Vault) {
	t.Helper()
	ops, err := v.Operations(ctx, vault.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(ops, func(a, b vault.Operation) int { return int(b.Seq - a.Seq) })
	for _, op := range ops {
		if op.Status != vault.StatusCompleted && op.Status != vault.StatusSuperseded || op.UndoneBy != "" || op.Undoes != "" {
			continue
		}
		if _, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you); err != nil {
			t.Fatalf("undo %s of %s by %s: %v", op.Type, op.Entity.Path, op.Actor, err)
		}
	}
}

// A save that the watcher hasn't told of yet is recorded before the operation that
// stands on it.
func TestEditsComeBeforeWhatStandsOnThem(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	vault.SetQuiet(v, time.Hour)
	saved := strings.Replace(poem, "first", "1st", 1)
	save(t, v, "a.md", saved)
	op := mustApply(t, v, update("a.md", poem, strings.Replace(poem, "ninth", "9th", 1)))[0]
	edit := edits(t, v, 1)[0]
	if edit.ID > op.ID || edit.Seq >= op.Seq || edit.Changes[0].After != op.Changes[0].Before || edit.Changes[0].Before != vault.HashOf([]byte(poem)) {
		t.Errorf("edit %+v\noperation %+v", edit, op)
	}
}

func TestEditsWhileStopped(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem+"-- b.md --\nb\n")
	mustApply(t, v, update("a.md", poem, poem+"more\n"))
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	save(t, v, "a.md", poem+"more by hand\n")
	save(t, v, "c.md", "c\n")
	v = vaulttest.Open(t, v.Dir())
	vault.SetQuiet(v, time.Millisecond)
	vaulttest.Watch(t, v)
	edits(t, v, 2)
	undoEverything(t, v)
	if diff := cmp.Diff(map[string]string{"a.md": poem, "b.md": "b\n"}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// Without .kist nothing is known, and nothing is made up.
func TestStateIsDisposable(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	op := mustApply(t, v, update("a.md", poem, poem+"more\n"))[0]
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(v.Dir(), ".kist")); err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	vault.SetQuiet(v, time.Millisecond)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	edits(t, v, 0)
	undoOne(t, v, op.ID)
	if diff := cmp.Diff(poem, text(t, v, "a.md")); diff != "" {
		t.Error(diff)
	}
}

// What is known of a document is replaced in one step: the state file is written at any
// moment, and a crash may leave just that.
func TestKnownAtEveryMoment(t *testing.T) {
	const files, rounds = 40, 5
	var archive strings.Builder
	name := func(i int) string { return fmt.Sprintf("n%02d.md", i) }
	for i := range files {
		fmt.Fprintf(&archive, "-- %s --\n%s", name(i), poem)
	}
	v := watched(t, archive.String())
	stop, unknown := make(chan struct{}), make(chan string, 1)
	go func() {
		defer close(unknown)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if p := name(i % files); !vault.Known(v, p) {
				unknown <- p
				return
			}
		}
	}()
	for r := range rounds {
		for i := range files {
			save(t, v, name(i), fmt.Sprintf("%s%d\n", poem, r))
		}
		edits(t, v, (r+1)*files)
	}
	close(stop)
	if p := <-unknown; p != "" {
		t.Errorf("nothing was known of %s while an edit of it became known", p)
	}
}

// An editor that saves a text from before an operation takes it back without
// wanting to: the operation is offered again.
func TestSuperseded(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	op := mustApply(t, v, update("a.md", poem, strings.Replace(poem, "ninth", "9th", 1)))[0]
	stale := strings.Replace(poem, "first", "1st", 1)
	save(t, v, "a.md", stale)
	edits(t, v, 1)
	var again []vault.Operation
	eventually(t, func() bool {
		again, _ = v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
		return len(again) == 1
	})
	lost, err := v.Operation(ctx, op.ID)
	if err != nil || lost.Status != vault.StatusSuperseded {
		t.Errorf("%+v, %v", lost, err)
	}
	if got := text(t, v, "a.md"); got != stale {
		t.Errorf("kist fought the editor: %q", got)
	}
	if _, err := v.Approve(ctx, again[0].ID, again[0].Digest, you); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Replace(stale, "ninth", "9th", 1), text(t, v, "a.md")); diff != "" {
		t.Error(diff)
	}
}

// What was taken back before the save is not missing in it.
func TestUndoneIsNotSuperseded(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	op := mustApply(t, v, update("a.md", poem, strings.Replace(poem, "ninth", "9th", 1)))[0]
	undoOne(t, v, op.ID)
	save(t, v, "a.md", strings.Replace(poem, "first", "1st", 1))
	edits(t, v, 1)
	for _, status := range []vault.Status{vault.StatusSuperseded, vault.StatusProposed} {
		if ops, err := v.Operations(ctx, vault.Filter{Status: status}); err != nil || len(ops) > 0 {
			t.Errorf("%s: %+v, %v", status, ops, err)
		}
	}
}

func TestRevertedByHandIsNotOfferedAgain(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	op := mustApply(t, v, update("a.md", poem, strings.Replace(poem, "ninth", "9th", 1)))[0]
	save(t, v, "a.md", poem)
	edits(t, v, 1)
	done, err := v.Operation(ctx, op.ID)
	if err != nil || done.Status != vault.StatusCompleted {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestLargeEditsKeepOnlyHashes(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	save(t, v, "a.md", strings.Repeat("a line that is new\n", 80_000))
	op := edits(t, v, 1)[0]
	full, err := v.Operation(ctx, op.ID)
	if err != nil || full.Changes[0].Patch != "" || full.Changes[0].Before != vault.HashOf([]byte(poem)) {
		t.Errorf("%+v, %v", full, err)
	}
	if _, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you); !errors.Is(err, vault.ErrNotKept) {
		t.Errorf("undo: %v", err)
	}
}

func TestManyVanishedAreNotDeletions(t *testing.T) {
	t.Parallel() // it waits
	var archive strings.Builder
	for i := range 100 {
		fmt.Fprintf(&archive, "-- d/n%d.md --\ntext %d\n", i, i)
	}
	archive.WriteString("-- stays.md --\nx\n")
	v := watched(t, archive.String())
	away := t.TempDir()
	if err := os.Rename(filepath.Join(v.Dir(), "d"), filepath.Join(away, "d")); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return v.Vanished() != "" })
	edits(t, v, 0)
	if err := os.Rename(filepath.Join(away, "d"), filepath.Join(v.Dir(), "d")); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return v.Vanished() == "" })
	edits(t, v, 0)
	if err := os.RemoveAll(filepath.Join(v.Dir(), "d")); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return v.Vanished() != "" })
	v.AcceptVanished()
	edits(t, v, 100)
	if v.Vanished() != "" {
		t.Error("still vanished")
	}
}

func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within 10 s")
		}
	}
}

// The log knows the texts in between, so that an undo is a three-way merge even
// where the lines around a change are no longer there.
func TestUndoByTheChain(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	op := mustApply(t, v, update("a.md", poem, strings.Replace(poem, "fifth", "5th", 1)))[0]
	now := strings.NewReplacer("third", "3rd", "seventh", "7th").Replace(text(t, v, "a.md"))
	mustApply(t, v, update("a.md", text(t, v, "a.md"), now))
	now = "intro\n" + strings.NewReplacer("second\n", "", "eighth\n", "").Replace(now)
	save(t, v, "a.md", now)
	undoOne(t, v, op.ID)
	if diff := cmp.Diff(strings.Replace(now, "5th", "fifth", 1), text(t, v, "a.md")); diff != "" {
		t.Error(diff)
	}
}

func TestUndoConflictsAndChoices(t *testing.T) {
	for keep, want := range map[vault.Keep]string{
		vault.KeepNow:    strings.NewReplacer("fifth", "five", "ninth", "nine").Replace(poem),
		vault.KeepBefore: strings.NewReplacer("ninth", "nine").Replace(poem),
	} {
		v := watched(t, "-- a.md --\n"+poem)
		op := mustApply(t, v, update("a.md", poem, strings.NewReplacer("fifth", "5th", "first", "1st").Replace(poem)))[0]
		now := strings.NewReplacer("5th", "five", "ninth", "nine").Replace(text(t, v, "a.md"))
		save(t, v, "a.md", now)
		_, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you)
		conflict, ok := errors.AsType[*vault.ConflictError](err)
		if !ok || string(conflict.Now) != now || !strings.Contains(string(conflict.Wanted), "fifth") {
			t.Fatalf("%+v", err)
		}
		if _, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID, Keep: keep}, you); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, text(t, v, "a.md")); diff != "" {
			t.Errorf("%s:\n%s", keep, diff)
		}
	}
}

func TestRedo(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	ops := mustApply(t, v, update("a.md", poem, poem+"more\n"), create("b.md", "b\n"))
	after := vaulttest.Tree(t, v.Dir(), "operations")
	target := vault.UndoTarget{Batch: ops[0].Batch}
	if _, err := v.Redo(ctx, target, you); !errors.Is(err, vault.ErrStatus) {
		t.Errorf("redo of what stands: %v", err)
	}
	for range 3 {
		if _, err := v.Undo(ctx, target, you); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Redo(ctx, target, you); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(after, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
			t.Error(diff)
		}
	}
}

// A file that was moved since is found where it is now.
func TestUndoFollowsMoves(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	op := mustApply(t, v, update("a.md", poem, strings.Replace(poem, "fifth", "5th", 1)))[0]
	if err := os.Rename(filepath.Join(v.Dir(), "a.md"), filepath.Join(v.Dir(), "b.md")); err != nil {
		t.Fatal(err)
	}
	edits(t, v, 1)
	undoOne(t, v, op.ID)
	if diff := cmp.Diff(map[string]string{"b.md": poem}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
	if ops, err := v.Operations(ctx, vault.Filter{Limit: 1}); err != nil || ops[0].Undoes != op.ID || ops[0].Entity.Path != "b.md" {
		t.Errorf("%+v, %v", ops, err) // it says what was changed
	}
}

// Whatever is done by hand and by operations, taking it all back leads to the tree
// as it was, to the byte.
func TestUndoOfEverything(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			undoOfEverything(t, rand.New(rand.NewPCG(seed, 1)))
		})
	}
}

func undoOfEverything(t *testing.T, r *rand.Rand) {
	v := watched(t, "-- a.md --\n"+poem+"-- b.md --\n"+poem+"-- c.md --\nc")
	before := vaulttest.Tree(t, v.Dir(), "operations")
	for i := range 30 {
		names := []string{"a.md", "b.md", "c.md", "d/d.md", "e.md"}
		p := names[r.IntN(len(names))]
		now, err := v.Read(p)
		if err != nil {
			now = nil
		}
		random(t, v, r, p, now, i)
		if r.IntN(8) == 0 {
			time.Sleep(250 * time.Millisecond)
		}
	}
	eventually(t, func() bool { return vaulttest.Recorded(t, v) })
	undoEverything(t, v)
	if diff := cmp.Diff(before, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// random changes the file p, which holds now, in some way.
func random(t *testing.T, v *vault.Vault, r *rand.Rand, p string, now []byte, i int) {
	t.Helper()
	lines := strings.SplitAfter(string(now), "\n")
	at := r.IntN(len(lines))
	changed := strings.Join(slices.Insert(slices.Clone(lines), at, fmt.Sprintf("line %d\n", i)), "")
	switch by := r.IntN(6); {
	case by == 0 && now != nil:
		mustApply(t, v, remove(p, string(now)))
	case by == 1 && now != nil:
		if err := os.Remove(filepath.Join(v.Dir(), p)); err != nil {
			t.Fatal(err)
		}
	case by < 4 && now == nil:
		mustApply(t, v, create(p, changed))
	case by < 4:
		mustApply(t, v, update(p, string(now), changed))
	default:
		if err := os.MkdirAll(filepath.Dir(filepath.Join(v.Dir(), p)), 0o777); err != nil {
			t.Fatal(err)
		}
		save(t, v, p, changed)
	}
}

// A log that was changed by hand, or replaced by git, is read anew.
func TestLogRewritten(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem)
	first := mustApply(t, v, update("a.md", poem, poem+"1\n"))[0]
	second := mustApply(t, v, update("a.md", poem+"1\n", poem+"1\n2\n"))[0]
	logs, err := filepath.Glob(filepath.Join(v.Dir(), "operations/*/*/*.yaml"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	all, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	cut := all[:strings.Index(string(all), second.ID)-len("---\nid: ")]
	if err := os.WriteFile(logs[0], cut, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Operation(ctx, second.ID); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("the second: %v", err)
	}
	// The same length, but another place.
	if err := os.WriteFile(logs[0], append([]byte("# by hand\n"), all...), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first.ID, second.ID} {
		if op, err := v.Operation(ctx, id); err != nil || op.Changes[0].Patch == "" {
			t.Errorf("%+v, %v", op, err)
		}
	}
}

// An editor that makes the very change of an operation, while that is being written,
// leaves the operation with nothing to do for that file. It can be undone all the same.
func TestUndoOfNothing(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+poem+"-- b.md --\nb\n")
	after := strings.Replace(poem, "third", "3rd", 1)
	saved := false
	vault.SetFault(v, func(call string) error {
		if call == "exchange" && !saved {
			saved = true
			save(t, v, "a.md", after)
		}
		return nil
	})
	op := mustApply(t, v, vault.Step{Type: vault.OpUpdate, Entity: vault.Entity{Type: "document", Path: "a.md"}, Changes: []vault.Change{
		{Path: "a.md", Before: []byte(poem), After: []byte(after)}, {Path: "b.md", Before: []byte("b\n"), After: []byte("B\n")},
	}})[0]
	if !saved || op.Changes[0].Before != op.Changes[0].After {
		t.Fatalf("%v %+v", saved, op)
	}
	undoOne(t, v, op.ID)
	if diff := cmp.Diff(map[string]string{"a.md": after, "b.md": "b\n"}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// An editor that puts the text back while an undo is being written has done the undo's
// work. Once the editor's change is taken back, the operation stands and can be undone.
func TestUndoThatAnEditorForestalled(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	after := strings.Replace(poem, "third", "3rd", 1)
	op := mustApply(t, v, update("a.md", poem, after))[0]
	saved := false
	vault.SetFault(v, func(call string) error {
		if call == "exchange" && !saved {
			saved = true
			save(t, v, "a.md", poem)
		}
		return nil
	})
	undo, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you)
	if err != nil || !saved || undo[0].Changes[0].Before != undo[0].Changes[0].After {
		t.Fatalf("%v, %v %+v", err, saved, undo)
	}
	undoOne(t, v, edits(t, v, 1)[0].ID)
	if got := text(t, v, "a.md"); got != after {
		t.Fatalf("without the editor's change the file holds %q", got)
	}
	undoOne(t, v, op.ID)
	if got := text(t, v, "a.md"); got != poem {
		t.Errorf("without the operation the file holds %q", got)
	}
}

// kist moved a file and was killed before it remembered that: the file isn't deleted.
func TestMovedAndKilled(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	save(t, v, "a.md", poem+"more\n")
	edits(t, v, 1)
	state := filepath.Join(v.Dir(), ".kist/state.db")
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	mustApply(t, v, vault.Step{Type: vault.OpMove, Entity: vault.Entity{Type: "document", Path: "b.md"}, Changes: []vault.Change{{Path: "b.md", From: "a.md"}}})
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state, old, 0o600); err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	edits(t, v, 1)
	undoEverything(t, v)
	if diff := cmp.Diff(map[string]string{"a.md": poem}, vaulttest.Tree(t, v.Dir(), "operations")); diff != "" {
		t.Error(diff)
	}
}

// A file came and was recorded, kist was killed before it remembered that, and the
// file went again: the log says so.
func TestGoneBeforeItWasKnown(t *testing.T) {
	v := watched(t, "-- a.md --\n"+poem)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(v.Dir(), ".kist/state.db")
	old, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	vault.SetQuiet(v, 10*time.Millisecond)
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	save(t, v, "b.md", "b\n")
	edits(t, v, 1)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(state, old, 0o600), os.Remove(filepath.Join(v.Dir(), "b.md"))); err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	ops := edits(t, v, 2)
	if ops[1].Type != vault.OpDelete || ops[1].Changes[0].Before != vault.HashOf([]byte("b\n")) {
		t.Errorf("%+v", ops[1])
	}
}

// After a crash that cost what was known, many documents are gone for a while. One
// comes back edited: the edit stands on the operation before the crash.
func TestVanishedWhileBehind(t *testing.T) {
	var archive strings.Builder
	for i := range 100 {
		fmt.Fprintf(&archive, "-- d/n%d.md --\ntext %d\n", i, i)
	}
	v := watched(t, archive.String())
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(v.Dir(), ".kist/state.db")
	old, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	mustApply(t, v, update("d/n1.md", "text 1\n", "better\n"))
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	home, away := filepath.Join(v.Dir(), "d"), filepath.Join(t.TempDir(), "d")
	if err := errors.Join(os.WriteFile(state, old, 0o600), os.Rename(home, away)); err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	vault.SetQuiet(v, 10*time.Millisecond)
	vaulttest.Watch(t, v)
	eventually(t, func() bool { return v.Vanished() != "" })
	if err := errors.Join(os.WriteFile(filepath.Join(away, "n1.md"), []byte("best\n"), 0o666), os.Rename(away, home)); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return v.Vanished() == "" })
	op := edits(t, v, 1)[0]
	if op.Changes[0].Before != vault.HashOf([]byte("better\n")) {
		t.Errorf("the edit doesn't stand on the operation: %+v", op.Changes)
	}
}
