package conversation_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/vaulttest"
)

func TestSessions(t *testing.T) {
	v := vaulttest.New(t, "")
	older := conversation.Session{ID: v.NewID(), Device: "test", Mode: "general", Created: vaulttest.Now, LastUsed: vaulttest.Now}
	newer := conversation.Session{ID: v.NewID(), Device: "test", Mode: "general", Project: "boat", Stack: []string{"a", "b"}, Question: conversation.Question{Kind: "which", Args: map[string]string{"of": "boat"}, Choices: []string{"a"}, Text: "which?"}, Turns: 3, Created: vaulttest.Now, LastUsed: vaulttest.Now.Add(time.Hour)}
	for _, s := range []conversation.Session{older, newer, newer} {
		if err := conversation.SaveSession(ctx, v, s); err != nil {
			t.Fatal(err)
		}
	}
	got, err := conversation.Sessions(ctx, v)
	if diff := cmp.Diff([]conversation.Session{newer, older}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	save(t, v, "sessions/"+older.ID+".yaml", "{ this is: [not")
	if _, err := conversation.FindSession(ctx, v, older.ID); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("broken file: %v", err)
	}
	if got, _ := conversation.Sessions(ctx, v); len(got) != 1 {
		t.Errorf("%d sessions", len(got))
	}
	for _, id := range []string{"", "../x", "a/b", ".x"} {
		if _, err := conversation.FindSession(ctx, v, id); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if ops, _ := v.Operations(ctx, vault.Filter{}); len(ops) != 0 {
		t.Errorf("records made %d operations", len(ops))
	}
}

func TestTurns(t *testing.T) {
	v := vaulttest.New(t, "-- projects/boat/project.md --\n# Boat\n")
	turns := []conversation.Turn{
		{ID: "01A", Session: "s", Project: "boat", At: vaulttest.Now, User: "hello\n\n> quoted\n<!-- turn x session y at z -->", Reply: "Hi.\n\n## 10:15\n\n> not you\n<!-- operations x -->", Operations: []string{"01X", "01Y"}, Context: []string{"a.md:3", "b c.md:7"}},
		{ID: "01B", Session: "s", Project: "boat", At: vaulttest.Now.Add(time.Minute), User: "again", Reply: "yes"},
		{ID: "01C", Session: "s", Project: "boat", At: vaulttest.Now.Add(24 * time.Hour), User: "next day", Reply: ""},
	}
	for _, turn := range turns {
		p, err := conversation.AppendTurn(ctx, v, turn)
		if err != nil || !strings.HasPrefix(p, "projects/boat/conversations/2026-11-2") {
			t.Fatalf("%s, %v", p, err)
		}
	}
	got, err := conversation.RecentTurns(ctx, v, "boat", 10)
	if diff := cmp.Diff(turns, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, _ = conversation.RecentTurns(ctx, v, "boat", 2); len(got) != 2 || got[1].ID != "01C" {
		t.Errorf("last two: %+v", got)
	}
	p, err := conversation.AppendTurn(ctx, v, conversation.Turn{ID: "01D", Session: "s", Project: "gone", At: vaulttest.Now, User: "x"})
	if err != nil || p != "conversations/2026-11-20-test.md" {
		t.Errorf("turn of a project that is gone: %s, %v", p, err)
	}
}

func TestLogIsReadAfterATearAndAHandEdit(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	mustApply(t, v, update("a.md", "a\n", "b\n"))
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(v.Dir(), "operations/2026/11/20-test.yaml")
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	torn := string(b) + "# a note by hand\n---\nid: 01NEWER\nevent: exploded\nat: 2026-11-20T10:00:00Z\nfuture_field: {a: 1}\n...\n---\nid: 01TORN\nevent: beg"
	if err := os.WriteFile(log, []byte(torn), 0o666); err != nil {
		t.Fatal(err)
	}
	v = vaulttest.Open(t, v.Dir())
	mustApply(t, v, update("a.md", "b\n", "c\n"))
	ops, err := v.Operations(ctx, vault.Filter{Status: vault.StatusCompleted})
	if err != nil || len(ops) != 2 {
		t.Fatalf("%d operations, %v", len(ops), err)
	}
	if ops[0].Seq <= ops[1].Seq {
		t.Errorf("sequence did not go on: %d after %d", ops[0].Seq, ops[1].Seq)
	}
	if _, err := v.Operation(ctx, ops[0].ID); err != nil {
		t.Error(err)
	}
}

// Whatever bytes a document has, its patch comes back from the log as it was.
func TestPatchesOfAwkwardBytes(t *testing.T) {
	for _, after := range []string{"\ttab\n", " lead\n\n\ntrail  \n", "a\r\nb\r\n", "nul\x00\n", "bad \xff utf8\n", "...\n---\nid: x\n", "\u2028sep\u0085\n", "no end", "", "🎉\ufeff\n", "key: |\n  x\n"} {
		v := vaulttest.New(t, "-- a.md --\nbefore\n")
		op := mustApply(t, v, update("a.md", "before\n", after))[0]
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		v2 := vaulttest.Open(t, v.Dir())
		if _, err := v2.Undo(ctx, vault.UndoTarget{ID: op.ID}, you); err != nil {
			t.Errorf("%q: %v", after, err)
		} else if got := text(t, v2, "a.md"); got != "before\n" {
			t.Errorf("%q: undone to %q", after, got)
		}
	}
}

func TestFollowersLearnOfEveryPathOnce(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	start := v.Seq()
	mustApply(t, v, update("a.md", "a\n", "b\n"))
	mustApply(t, v, update("a.md", "b\n", "c\n"), create("b.md", "b\n"))
	changes, seq := v.ChangedSince(start)
	if len(changes) != 2 || changes[0].Path != "a.md" || changes[1].Path != "b.md" || seq != v.Seq() || changes[1].Seq != seq {
		t.Errorf("%+v up to %d of %d", changes, seq, v.Seq())
	}
	if more, _ := v.ChangedSince(seq); len(more) != 0 {
		t.Errorf("more: %+v", more)
	}
}

func TestWatchedSaves(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	vaulttest.Watch(t, v)
	seq := v.Seq()
	save(t, v, "a.md", "by hand\n")
	if err := v.WaitChange(ctx, seq); err != nil {
		t.Fatal(err)
	}
	changes, _ := v.ChangedSince(seq)
	if len(changes) != 1 || changes[0].Path != "a.md" {
		t.Errorf("%+v", changes)
	}
}

// The log is read in full only when somebody asks for it, and newest files first;
// what was undone in another day's file is known all the same.
func TestUndosAcrossDays(t *testing.T) {
	dir := vaulttest.Write(t, "-- a.md --\na\n")
	var first vault.Operation
	for day := range 8 {
		v, err := vault.Open(ctx, dir, vault.Options{Device: "test", Now: func() time.Time { return vaulttest.Now.AddDate(0, 0, day) }})
		if err != nil {
			t.Fatal(err)
		}
		switch day {
		case 0:
			first = mustApply(t, v, update("a.md", "a\n", "b\n"))[0]
		case 7:
			if _, err := v.Undo(ctx, vault.UndoTarget{ID: first.ID}, vault.Origin{Actor: vault.ActorUser}); err != nil {
				t.Fatal(err)
			}
		default:
			mustApply(t, v, create(fmt.Sprintf("day%d.md", day), "x\n"))
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	v := vaulttest.Open(t, dir)
	if op, err := v.Operation(ctx, first.ID); err != nil || op.UndoneBy == "" {
		t.Errorf("undone by %q, %v", op.UndoneBy, err)
	}
	if ops, err := v.Operations(ctx, vault.Filter{}); err != nil || len(ops) != 8 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}

// A session's file that was edited by hand is read or refused, and never written over.
func TestSessionEditedByHand(t *testing.T) {
	v := vaulttest.New(t, "")
	s := conversation.Session{
		ID: "01S", Mode: "general", Draft: "ark", Asked: []string{"people_bonds", "a: b"}, Summary: "so far\nso good",
		Interrupted: &conversation.OpenTurn{ID: "01T", At: vaulttest.Now, Client: "cli", Text: "hello", Project: "boat"},
		Created:     vaulttest.Now, LastUsed: vaulttest.Now,
	}
	if err := conversation.SaveSession(ctx, v, s); err != nil {
		t.Fatal(err)
	}
	got, err := conversation.FindSession(ctx, v, "01S")
	if diff := cmp.Diff(s, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	save(t, v, "sessions/01S.yaml", text(t, v, "sessions/01S.yaml")+"mine: {a: [1]}\n")
	s.Interrupted = nil
	if err := conversation.SaveSession(ctx, v, s); err != nil {
		t.Fatal(err)
	}
	if got := text(t, v, "sessions/01S.yaml"); !strings.Contains(got, "mine:") || strings.Contains(got, "open_turn") {
		t.Errorf("saved as %s", got)
	}
	for _, bad := range []string{"", "null", "[]", "id: 02S\n", "id: 01S\nturns: many\n", "id: 01S\na: *b\n", "\xff", "id: 01S\nopen_turn: [1]\n", "{", "&a [*a]", strings.Repeat("[", 20000), "id: 01S\nx: " + strings.Repeat("y", 2<<20)} {
		save(t, v, "sessions/01S.yaml", bad)
		if _, err := conversation.FindSession(ctx, v, "01S"); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%.20q: read: %v", bad, err)
		}
		if err := conversation.SaveSession(ctx, v, s); !errors.Is(err, vault.ErrInvalid) || text(t, v, "sessions/01S.yaml") != bad {
			t.Errorf("%.20q: written over: %v", bad, err)
		}
		if _, err := conversation.Sessions(ctx, v); err != nil {
			t.Error(err)
		}
	}
}
