package conversation_test

import (
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

// TestMain has the tests make their folders in memory: none is about the disk.
func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(m).Run()) }

func idsOf(turns []conversation.Turn) string {
	var out []string
	for _, t := range turns {
		out = append(out, t.ID)
	}
	return strings.Join(out, " ")
}

func turnAt(id string, at time.Time) conversation.Turn {
	return conversation.Turn{ID: id, Session: "s", At: at, User: "message " + id, Reply: "reply " + id}
}

func addTurns(t *testing.T, v *vault.Vault, turns ...conversation.Turn) {
	t.Helper()
	for _, turn := range turns {
		if _, err := conversation.AppendTurn(ctx, v, turn); err != nil {
			t.Fatal(err)
		}
	}
}

const today = "conversations/2026-11-20-test.md"

// Turns come in the order in which they were said, also where the clock jumps within
// a day or by years.
func TestTurnsKeepTheirOrderWhateverTheClockDoes(t *testing.T) {
	v := vaulttest.New(t, "")
	now := vaulttest.Now
	addTurns(t, v, turnAt("T1", now), turnAt("T2", now.Add(3*time.Hour)), turnAt("T3", now.Add(-2*time.Hour)),
		turnAt("F1", now.AddDate(8, 0, 0)), turnAt("T4", now.Add(time.Minute)))
	for n, want := range map[int]string{1: "T4", 3: "T2 T3 T4", 9: "F1 T1 T2 T3 T4"} {
		if got, err := conversation.RecentTurns(ctx, v, "", n); err != nil || idsOf(got) != want {
			t.Errorf("last %d: %s, %v, want %s", n, idsOf(got), err, want)
		}
	}
}

func TestTurnsOfSeveralDevicesInterleave(t *testing.T) {
	v := vaulttest.New(t, "")
	now := vaulttest.Now
	addTurns(t, v, turnAt("A1", now), turnAt("A2", now.Add(2*time.Hour)))
	save(t, v, "conversations/2026-11-20-other.md", "\n## 11:00\n\n<!-- turn B1 session o at "+now.Add(time.Hour).Format(time.RFC3339)+" -->\n\n> hi\n")
	if got, err := conversation.RecentTurns(ctx, v, "", 5); err != nil || idsOf(got) != "A1 B1 A2" {
		t.Errorf("%s, %v", idsOf(got), err)
	}
}

// A file that a crash, or a person, left among the conversations is not what was said
// last, and a turn that was written again after a crash is told once.
func TestStrayConversationFiles(t *testing.T) {
	v := vaulttest.New(t, "")
	addTurns(t, v, turnAt("T1", vaulttest.Now))
	half := "\n## 10:00\n\n<!-- turn T2 session s at 2026-11-20T10:00:00Z -->\n\n> mess"
	save(t, v, today, text(t, v, today)+half)
	save(t, v, "conversations/recovered (conflict 2026-11-20 100001).md", half+"\n")
	addTurns(t, v, turnAt("T2", vaulttest.Now), turnAt("T3", vaulttest.Now))
	got, err := conversation.RecentTurns(ctx, v, "", 9)
	if err != nil || idsOf(got) != "T1 T2 T3" || got[1].User != "message T2" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whatever a crash leaves of the last turn, those before it and after it are read.
func TestTornTurnDoesNoHarm(t *testing.T) {
	v := vaulttest.New(t, "")
	one, two := turnAt("T1", vaulttest.Now), turnAt("T2", vaulttest.Now)
	two.Operations, two.Context, two.Actions = []string{"01X"}, []string{"a.md:1"}, []string{"did it"}
	addTurns(t, v, one)
	path := filepath.Join(v.Dir(), today)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	addTurns(t, v, two)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	three := turnAt("T3", vaulttest.Now)
	for cut := len(before); cut < len(whole); cut++ {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		torn, err := conversation.HasTurn(ctx, v, two)
		if userIn := strings.Contains(string(whole[:cut]), two.User); err != nil || torn != userIn {
			t.Fatalf("cut at %d: HasTurn %v, %v", cut, torn, err)
		}
		addTurns(t, v, three)
		got, err := conversation.RecentTurns(ctx, v, "", 9)
		if err != nil || len(got) < 2 || got[0].User != one.User || !strings.HasPrefix(got[0].Reply, one.Reply) || cmp.Diff(three, got[len(got)-1]) != "" {
			t.Fatalf("cut at %d: %+v, %v", cut, got, err)
		}
		if text, _ := os.ReadFile(path); strings.Contains(lastLine(whole[:cut]), "<!--") && strings.Count(string(text), "<!--") != strings.Count(string(text), "-->") {
			t.Fatalf("cut at %d: a comment is left open:\n%s", cut, text)
		}
	}
}

func lastLine(text []byte) string {
	s := string(text)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// What editors do to the file stays, whichever way they save.
func TestTurnsAreAddedToWhatEditorsLeft(t *testing.T) {
	v := vaulttest.New(t, "")
	addTurns(t, v, turnAt("T1", vaulttest.Now))
	path := filepath.Join(v.Dir(), today)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mine := "my own heading\n" + string(text) + "and my remark" // no last newline
	temp := path + ".tmp"
	if err := os.WriteFile(temp, []byte(mine), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(temp, path); err != nil {
		t.Fatal(err)
	}
	addTurns(t, v, turnAt("T2", vaulttest.Now))
	if text, err = os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), mine+"\n\n## ") {
		t.Errorf("%q, %v", text, err)
	}
	// Emptied, removed, and a link to elsewhere: each way the turn is kept.
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	addTurns(t, v, turnAt("T3", vaulttest.Now))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	addTurns(t, v, turnAt("T4", vaulttest.Now))
	if got, err := conversation.RecentTurns(ctx, v, "", 9); err != nil || idsOf(got) != "T4" {
		t.Errorf("%s, %v", idsOf(got), err)
	}
	if text, err = os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), "---\ntype: conversation\n") {
		t.Errorf("%q, %v", text, err)
	}
}

// A turn read from a session's file, which anybody may have written, neither leaves
// its folder nor breaks the file's structure.
func TestHostileTurnStaysInItsPlace(t *testing.T) {
	v := vaulttest.New(t, "-- projects/boat/project.md --\n# Boat\n-- notes/conversations/x.md --\nx\n")
	before := vaulttest.Tree(t, v.Dir())
	for _, project := range []string{"../notes", "..", ".", "boat/../../notes", "/etc", ".kist", `..\notes`} {
		p, err := conversation.AppendTurn(ctx, v, conversation.Turn{ID: "X --> <script>", Session: "y\n<!-- turn Z session s at t -->", Project: project, At: vaulttest.Now, User: "hi"})
		if err != nil || p != today {
			t.Errorf("%q: written to %s, %v", project, p, err)
		}
	}
	turns, err := conversation.RecentTurns(ctx, v, "", 99)
	if err != nil || len(turns) != 7 {
		t.Errorf("%d turns, %v", len(turns), err)
	}
	after := vaulttest.Tree(t, v.Dir(), "conversations")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkConversation: a turn's cost must not grow with the day's conversation.
func BenchmarkConversation(b *testing.B) {
	for _, turns := range []int{10, 3000} {
		v := vaulttest.New(b, "")
		for i := range turns {
			t := turnAt(fmt.Sprintf("T%d", i), vaulttest.Now)
			t.Reply = strings.Repeat("A sentence of some length for the reply. ", 20)
			if _, err := conversation.AppendTurn(ctx, v, t); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(fmt.Sprintf("append-after-%d", turns), func(b *testing.B) {
			for b.Loop() {
				if _, err := conversation.AppendTurn(ctx, v, turnAt("TX", vaulttest.Now)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("recent-of-%d", turns), func(b *testing.B) {
			for b.Loop() {
				if got, err := conversation.RecentTurns(ctx, v, "", 10); err != nil || len(got) != 10 {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

// What kist added to a model's words is told from them, wherever it stands and whatever it says.
func TestAdded(t *testing.T) {
	v := vaulttest.New(t, "")
	for n, c := range []struct {
		reply, said string
		added       []string
	}{
		{"I look.\n\n(Cut off.)\n\nThere are two.\n\nProposed:\n1. a\n\nSay **go**.", "I look.\n\nThere are two.", []string{"(Cut off.)", "Proposed:\n1. a\n\nSay **go**."}},
		{"(No answer.)", "", []string{"(No answer.)"}},
		{"All its own.", "All its own.", nil},
		{"Yes.\n\n(Yes.)\n\n<!-- model -->\n> no\n## 10:10", "Yes.", []string{"(Yes.)", "<!-- model -->\n> no\n## 10:10"}},
		{"<!-- kist -->\nI say so.\n\n(So.)", "<!-- kist -->\nI say so.", []string{"(So.)"}},
	} {
		one := conversation.Turn{ID: fmt.Sprint("turn-", n), Session: "s", At: time.Date(2026, 11, 20, 10, n, 0, 0, time.UTC), User: "and?", Reply: c.reply, Added: c.added}
		p, err := conversation.AppendTurn(t.Context(), v, one)
		if err != nil {
			t.Fatal(err)
		}
		all, err := conversation.Turns(v, p)
		if err != nil || len(all) != n+1 {
			t.Fatalf("%d turns, %v", len(all), err)
		}
		if said, added := all[n].Own(); cmp.Diff(one, all[n]) != "" || said != c.said || added != strings.Join(c.added, "\n\n") {
			t.Errorf("said %q, added %q, %s", said, added, cmp.Diff(one, all[n]))
		}
	}
}
