package vault_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"kist/vault"
	"kist/vault/merge"
	"kist/vault/vaulttest"
)

// devices are copies of one vault that are watched on two machines.
func devices(t *testing.T, archive string) (a, b *vault.Vault) {
	t.Helper()
	open := func(device string) *vault.Vault {
		v, err := vault.Open(ctx, vaulttest.Write(t, archive), vault.Options{Device: device})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := v.Close(); err != nil {
				t.Error(err)
			}
		})
		vault.SetQuiet(v, 150*time.Millisecond)
		vaulttest.Watch(t, v)
		vaulttest.Compared(t, v)
		return v
	}
	return open("anna"), open("bert")
}

// pull brings what one device has to another, as git does: all documents, and its log.
func pull(t *testing.T, to, from *vault.Vault) {
	t.Helper()
	there := map[string]bool{}
	err := filepath.WalkDir(from.Dir(), func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from.Dir(), p)
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), ".kist-"):
			return nil // kist's own for a moment, which isn't pulled
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to.Dir(), rel), 0o777)
		}
		there[rel] = true
		text, err := os.ReadFile(p)
		if was, readErr := os.ReadFile(filepath.Join(to.Dir(), rel)); err == nil && (readErr != nil || string(was) != string(text)) {
			err = os.WriteFile(filepath.Join(to.Dir(), rel), text, 0o666)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for rel := range vaulttest.Tree(t, to.Dir(), "operations") {
		if !there[rel] {
			if err := os.Remove(filepath.Join(to.Dir(), rel)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := to.Record(ctx); err != nil {
		t.Fatal(err)
	}
}

// logOf is what a device has logged.
func logOf(t *testing.T, v *vault.Vault) string {
	t.Helper()
	var b strings.Builder
	for p, text := range vaulttest.Tree(t, v.Dir()) {
		if strings.HasSuffix(p, "-"+v.Device()+".yaml") {
			b.WriteString(text)
		}
	}
	return b.String()
}

// What a pull brought was logged where it was done: here it is noted once, as sync, and
// the text before it, and any before that, can be had back.
func TestWhatAPullBringsIsLoggedOnce(t *testing.T) {
	a, b := devices(t, "-- a.md --\n"+poem+"-- gone.md --\nx\n-- old.md --\nto be moved\n")
	save(t, a, "a.md", strings.Replace(poem, "third", "3rd", 1))
	if err := a.Record(ctx); err != nil {
		t.Fatal(err)
	}
	op := mustApply(t, a, update("a.md", text(t, a, "a.md"), strings.Replace(text(t, a, "a.md"), "first", "1st", 1)), remove("gone.md", "x\n"), create("new.md", "new\n"))[0]
	if err := os.Rename(filepath.Join(a.Dir(), "old.md"), filepath.Join(a.Dir(), "moved.md")); err != nil {
		t.Fatal(err)
	}
	if err := a.Record(ctx); err != nil {
		t.Fatal(err)
	}
	pull(t, b, a)
	log := logOf(t, b)
	if n := strings.Count(log, "actor: sync\n"); n != 4 || strings.Contains(log, "actor: editor") || strings.Contains(log, "patch") {
		t.Errorf("%d records of a pull of four documents, the log:\n%s", n, log)
	}
	if !b.FromOutside(ctx, "a.md") || a.FromOutside(ctx, "a.md") {
		t.Error("what a pull brought is not from elsewhere, or what was written here is")
	}
	// Back and forth: nothing is logged twice, and each goes on from the other's text.
	save(t, b, "a.md", strings.Replace(text(t, b, "a.md"), "ninth", "9th", 1))
	if err := b.Record(ctx); err != nil {
		t.Fatal(err)
	}
	pull(t, a, b)
	pull(t, b, a)
	pull(t, a, b)
	if n := strings.Count(logOf(t, a), "actor: sync\n"); n != 1 {
		t.Errorf("the other device's log has %d records of a pull of one document", n)
	}
	if n := strings.Count(logOf(t, b), "actor: sync\n"); n != 4 {
		t.Errorf("%d records of pulls after more of them", n)
	}
	// The list is in the order of the chain, and every one can be taken back here.
	ops, err := b.Operations(ctx, vault.Filter{Entity: "a.md"})
	if err != nil || len(ops) != 5 {
		t.Fatalf("%d operations, %v", len(ops), err)
	}
	undoOne(t, b, op.ID)
	if got, want := text(t, b, "a.md"), strings.NewReplacer("third", "3rd", "ninth", "9th").Replace(poem); got != want {
		t.Errorf("after undoing what the other device did: %q", got)
	}
	i := slices.IndexFunc(ops, func(op vault.Operation) bool { return op.Actor == vault.ActorSync && op.Seq < ops[0].Seq })
	if i < 0 {
		t.Fatalf("no pull in %+v", ops)
	}
}

func TestAPullIsTakenBack(t *testing.T) {
	a, b := devices(t, "-- a.md --\n"+poem)
	was := poem
	for _, edit := range [][2]string{{"third", "3rd"}, {"fourth", "4th"}} {
		was = strings.Replace(was, edit[0], edit[1], 1)
		save(t, a, "a.md", was)
		if err := a.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	pull(t, b, a)
	ops, err := b.Operations(ctx, vault.Filter{Actor: vault.ActorSync})
	if err != nil || len(ops) != 1 {
		t.Fatalf("%+v, %v", ops, err)
	}
	full, err := b.Operation(ctx, ops[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if shown := vault.WithContext(b, full).Changes[0].Patch; shown != merge.Diff("a.md", []byte(poem), []byte(was)) {
		t.Errorf("shown as %q", shown)
	}
	undoOne(t, b, ops[0].ID)
	if got := text(t, b, "a.md"); got != poem {
		t.Errorf("%q", got)
	}
}

// A log that another device wrote while its clock was years ahead neither makes the ids
// here come from then, nor stays before all that is done from now on.
func TestAClockThatIsAheadElsewhere(t *testing.T) {
	ahead := time.Now().AddDate(50, 0, 0)
	id := ulid.MustNew(ulid.Timestamp(ahead), ulid.DefaultEntropy()).String()
	at := ahead.UTC().Format(time.RFC3339)
	v, _ := devices(t, "-- a.md --\n"+poem+"-- operations/2026/11/20-clara.yaml --\n---\nid: "+id+
		"\nevent: completed\nat: "+at+"\ntype: update\nentity: {type: note, path: b.md}\nactor: user\nseq: 7000\n...\n")
	if _, err := v.Operations(ctx, vault.Filter{}); err != nil {
		t.Fatal(err)
	}
	now := poem
	var done []string
	for _, line := range []string{"first", "second", "third"} {
		next := strings.Replace(now, line, strings.ToUpper(line), 1)
		done = append(done, mustApply(t, v, update("a.md", now, next))[0].ID)
		now = next
	}
	ops, err := v.Operations(ctx, vault.Filter{Limit: 2})
	if err != nil || len(ops) != 2 || ops[0].ID != done[2] || ops[1].ID != done[1] || ops[0].Seq > 7000 {
		t.Errorf("the newest are %+v, %v", ops, err)
	}
	if u, err := ulid.ParseStrict(done[2]); err != nil || time.Until(ulid.Time(u.Time())) > time.Hour {
		t.Errorf("id %s", done[2])
	}
	if ops, err = v.Operations(ctx, vault.Filter{}); err != nil || len(ops) != 4 || ops[3].ID != id {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}

// A proposal that two devices approve, before either hears of the other, was done once;
// that one was rejected elsewhere doesn't make it undone here.
func TestApprovedOnTwoDevices(t *testing.T) {
	a, b := devices(t, "-- a.md --\n"+poem+"-- b.md --\nb\n")
	var ops []vault.Operation
	for _, s := range []vault.Step{update("a.md", poem, strings.Replace(poem, "third", "3rd", 1)), update("b.md", "b\n", "c\n")} {
		op, err := a.Propose(ctx, batch(s))
		if err != nil {
			t.Fatal(err)
		}
		ops = append(ops, op...)
	}
	pull(t, b, a)
	for _, v := range []*vault.Vault{b, a} {
		if _, err := v.Approve(ctx, ops[0].ID, ops[0].Digest, you); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Approve(ctx, ops[1].ID, ops[1].Digest, you); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Reject(ctx, ops[1].ID, "no", you); err != nil {
		t.Fatal(err)
	}
	own := map[string]vault.Seq{}
	for _, v := range []*vault.Vault{a, b} {
		op, err := v.Operation(ctx, ops[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		own[v.Device()] = op.Seq
	}
	pull(t, b, a)
	pull(t, a, b)
	for _, v := range []*vault.Vault{a, b} {
		for i, want := range ops {
			op, err := v.Operation(ctx, want.ID)
			if err != nil || op.Status != vault.StatusCompleted || i == 0 && op.Seq != own[v.Device()] {
				t.Errorf("%s: %+v, %v", v.Device(), op, err)
			}
		}
		if all, err := v.Operations(ctx, vault.Filter{Entity: "a.md"}); err != nil || len(all) != 1 {
			t.Errorf("%s: %d operations on a document that was changed once, %v", v.Device(), len(all), err)
		}
		if n := strings.Count(logOf(t, v), "id: "+ops[0].ID+"\nevent: completed"); n != 1 {
			t.Errorf("%s: completed %d times", v.Device(), n)
		}
	}
	undoOne(t, b, ops[0].ID)
	undoOne(t, a, ops[1].ID)
	if text(t, b, "a.md") != poem || text(t, a, "b.md") != "b\n" {
		t.Error("it was not undone")
	}
}

// What another device has begun, or approved, is not done yet, and is its own to end.
func TestBegunElsewhere(t *testing.T) {
	a, b := devices(t, "-- a.md --\n"+poem)
	op, err := a.Propose(ctx, batch(update("a.md", poem, strings.Replace(poem, "third", "3rd", 1))))
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range []vault.Status{vault.StatusApproved, vault.StatusBegun} {
		log := "operations/2026/11/20-anna.yaml"
		if err := os.MkdirAll(filepath.Join(b.Dir(), filepath.Dir(log)), 0o777); err != nil {
			t.Fatal(err)
		}
		save(t, b, log, logOf(t, a)+"---\nid: "+op[0].ID+"\nevent: "+string(event)+"\nat: 2027-01-01T00:00:00Z\n...\n")
		if err := b.Record(ctx); err != nil {
			t.Fatal(err)
		}
		is, err := b.Operation(ctx, op[0].ID)
		if err != nil || is.Status != event {
			t.Errorf("%s: %+v, %v", event, is, err)
		}
		if _, err := b.Undo(ctx, vault.UndoTarget{ID: op[0].ID}, you); err == nil {
			t.Errorf("%s: undone before it was done", event)
		}
		if err := os.Remove(filepath.Join(b.Dir(), log)); err != nil {
			t.Fatal(err)
		}
		if err := b.Record(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if text(t, b, "a.md") != poem {
		t.Error("it was done here")
	}
}
