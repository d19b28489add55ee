package claims

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClaims(t *testing.T) {
	for text, want := range map[string]bool{
		"I've added the task “Call the welder”.":                  true,
		"Sure! I have now created a project for you.":             true,
		"The note has been saved.":                                true,
		"I’ve gone ahead and renamed it.":                         true,
		"Ich habe die Aufgabe für morgen angelegt.":               true,
		"Die Notiz wurde gespeichert.":                            true,
		"I haven't added anything.":                               false,
		"Nothing has been changed.":                               false,
		"Shall I have it added?":                                  false,
		"Once I have added it, we can go on.":                     false,
		"You could add a task.":                                   false,
		"The hull is done, and the deck was oiled on Friday.":     false,
		"Ich habe nichts gelöscht.":                               false,
		"Soll ich die Aufgabe anlegen?":                           false,
		"The welder comes on Friday, as you noted in welder.md:3": false,
		"J'ai supprimé la tâche.":                                 true,
		"La note a bien été ajoutée.":                             true,
		"Je n'ai rien supprimé.":                                  false,
		"The fence was painted on Friday.":                        false,
		"La clôture a été changée vendredi.":                      false,
		"":                                                        false,
	} {
		if got := len(Sentences(text)) > 0; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestUnread(t *testing.T) {
	known := func(path string) bool { return path == "notes/ink.md" || path == "my notes/old ink.md" }
	text := "See notes/ink.md:3 and (my notes/old ink.md:12), as `notes/paper.md:4` and notes/paper.md:9 say; not notes/x.md or 12:30."
	if diff := cmp.Diff([]string{"notes/paper.md"}, Unread(text, known)); diff != "" {
		t.Error(diff)
	}
}

func TestBeyond(t *testing.T) {
	asked := map[string]int{}
	lines := func(path string) int {
		asked[path]++
		n, ok := map[string]int{"notes/ink.md": 12, "my notes/old ink.md": 3, "empty.md": 0}[path]
		if !ok {
			return -1
		}
		return n
	}
	text := "See notes/ink.md:12 and notes/ink.md:13, (my notes/old ink.md:4), notes/ink.md:13 again, `empty.md:1`, notes/ink.md:0, notes/paper.md:900, notes/ink.md:99999999999999999999 and 12:30."
	want := []string{"notes/ink.md:13", "my notes/old ink.md:4", "empty.md:1", "notes/ink.md:0", "notes/ink.md:99999999999999999999"}
	if diff := cmp.Diff(want, Beyond(text, lines)); diff != "" {
		t.Error(diff)
	}
	if asked["notes/ink.md"] != 1 {
		t.Errorf("it was read %d times", asked["notes/ink.md"])
	}
	if got := Beyond(strings.Repeat("a.md:5 b.md:6 c.md:7 d.md:8 e.md:9 f.md:10 ", 2), func(string) int { return 1 }); len(got) != 5 {
		t.Errorf("%q", got)
	}
}

// The sentences that claim something are told as they stand, and no others.
func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"Sure! I've added “Buy milk.” It is due on Friday.":           "I've added “Buy milk.”",
		"I have saved it to notes/a.b.md now. See there.\nWhat else?": "I have saved it to notes/a.b.md now.",
		"I haven't added it. Shall I say that I added it?":            "",
		"**I've renamed it.** So.":                                    "**I've renamed it.**",
		"I've added it":                                               "I've added it",
		"The hull is dry.":                                            "",
	} {
		if got := strings.Join(Sentences(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
