package filing

import (
	"testing"
	"time"

	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// plainTurn is one of plain talk in a project called Bakery.
func plainTurn() *Turn {
	return &Turn{Mode: general, Project: "bakery", Told: "bakery", Named: func(slug string) (entity.Project, bool) {
		return entity.Project{Slug: slug, Name: "Bakery"}, slug == "bakery"
	}}
}

// Words to kist are told from news, also where they hold names and dates.
func TestWish(t *testing.T) {
	turn := plainTurn()
	for s, want := range map[string]bool{
		"No, I didn't say it's in progress":     true,
		"Ok back to the thesis":                 true,
		"call it Silver Wedding":                true,
		"Undo that, Lea rang":                   true,
		"Make it a project of its own please":   true,
		"Rename it to Silver wedding, please":   true,
		"Mach daraus bitte ein eigenes Projekt": true,
		`The title of the ticket task is cut off weirdly, call it "Book the tickets" please`: true,

		"The landlord wants 1,800 a month and a deposit of 3,600":           false,
		"they turned the permit down":                                       false,
		"So we're pushing the opening back two weeks, to Saturday 27 March": false,
		"The deadline for the tent is 27 November":                          false,
		"I talked to the bank on Thursday":                                  false,
		"Remember that Sabine is my editor":                                 false,
		"No, the phone call is done, I have rung them!":                     false,
	} {
		if wish, got := turn.wish(s); got != want {
			t.Errorf("%q: a wish (%s): %v", s, wish, got)
		}
	}
}

// What orders something needn't stand in what became of it; what is to be done must.
func TestFramed(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	const task = "add the task “Buy floor oil”, as you asked\n# Buy floor oil\ndue: 2026-11-27\n"
	for s, want := range map[string]bool{
		"And then remind me to buy floor oil by Friday": true,
		"also put floor oil on the list please":         true,
		"new task: buy floor oil":                       true,
		"please note: buy floor oil":                    true,
		"And then remind me to buy floor oil by Monday": false, // another day
		"remind me to buy floor oil and varnish":        false,
		"open the oil":                                  false, // says little beside the verb
		"Bo wants the floor oil":                        false,
	} {
		if got := framed(s, task, now) || covered(s, task, now); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// What a reply quotes isn't named once more.
func TestQuotedIn(t *testing.T) {
	said := quotations("I see.\nI did nothing about “hmac check is part of the webhook”: I'm not sure what you want there.")
	for s, want := range map[string]bool{
		"hmac check is part of the webhook task.":                     true,
		"no, that's garbled.":                                         false,
		"In the third week of May we fill in all the forms, and hmac": false,
	} {
		if got := quotedIn(said, s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
	turn := plainTurn()
	turn.Reply = "I did nothing about “no, that's garbled”: I'm not sure what you want there."
	if rest := turn.regretted([]string{"no, that's garbled.", "The landlord wants 1,800 a month"}); len(rest) != 1 {
		t.Errorf("left of what the reply regrets: %q", rest)
	}
}

// A turn whose reply speaks of its one wish needn't name it; a nod isn't enough, nor is a
// reply to the other half of a message.
func TestWishesAreNamed(t *testing.T) {
	for _, test := range []struct {
		text, reply string
		told        []string
		unmet       int
	}{
		{"Make it a project of its own please", "I see.", []string{"Make it a project of its own please"}, 1},
		{"Make it a project of its own please", "What shall the project be called?", []string{"Make it a project of its own please"}, 0},
		{"The oven came. Make it a project of its own please.", "Good, the oven is here.", []string{"The oven came.", "Make it a project of its own please."}, 1},
		{"The oven came. Don't delete it.", "Good, the oven is here.", []string{"Don't delete it."}, 0},
		{"The title of the oven task is cut off, call it Oven please", "I see.", []string{"The title of the oven task is cut off, call it Oven please"}, 1},
	} {
		turn := plainTurn()
		turn.Text, turn.Reply, turn.Vault = test.text, test.reply, vaulttest.New(t, "-- note.md --\n# Note\n")
		if rest, unmet := turn.wishes(t.Context(), test.told); len(unmet) != test.unmet || len(rest)+max(1, len(unmet)) < len(test.told) {
			t.Errorf("%q, %q: told %q, unmet %q", test.text, test.reply, rest, unmet)
		}
	}
}
