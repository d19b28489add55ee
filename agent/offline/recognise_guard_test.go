package offline

import (
	"fmt"
	"testing"
)

// orders change or take away something. Said so, each is understood.
func orders() map[string]intent {
	return map[string]intent{
		"delete the coffee shop project":                   deleteProject,
		"archive the coffee shop":                          archiveProject,
		"rename the coffee shop to Bean":                   renameProject,
		"merge the recipe app into the coffee shop":        mergeProjects,
		"delete the task order cable":                      deleteTask,
		"forget what I told you about Bo's salary":         forgetMemory,
		"abandon the bakery draft":                         abandonDraft,
		"get rid of the coffee shop project":               deleteProject,
		"move the memory about the cup to the coffee shop": moveMemory,
		"mark the task order cable as done":                completeTask,
	}
}

// TestNothingIsTakenAway: an order that is denied, quoted, told of, asked about or
// supposed is no order.
func TestNothingIsTakenAway(t *testing.T) {
	for order, want := range orders() {
		for _, said := range []string{"%s", "please %s", "could you %s", "I'd like you to %s", "ok, %s please", "if you don't mind, %s"} {
			r := reader{testSituation("fitness-app")}
			if got := leading(r.read(fmt.Sprintf(said, order))); got.intent != want {
				t.Errorf("%q: %s, want %s", fmt.Sprintf(said, order), got.intent, want)
			}
		}
		for _, said := range []string{
			"don't %s", "please do not %s", "never %s", "you should not %s", "I don't want you to %s", "no need to %s", "don't you dare %s", "let's not %s", "there's no reason to %s",
			"\"%s\" is what the sign said", "he said \"%s\"", "Bo told me to %s", "my boss asked me to %s", "she says we should %s", "they want to %s", "the manual suggests to %s",
			"before we %s, let us look at the recipe app", "while you %s, open the recipe app", "after they %s, let us talk about the recipe app", "instead of the recipe app I do not want to %s",
			"if it rains, %s", "unless Bo objects, %s", "once the audit is over, %s", "suppose we %s", "imagine we %s", "if I ever %s, stop me", "when the time comes, %s",
			"would you ever %s?", "why would I %s?", "what happens when I %s?", "should I %s?", "did you %s?", "who would %s?", "is it wise to %s?",
			"yesterday I had to %s", "I almost had to %s", "we might %s one day", "Rita will %s", "nobody would %s", "he keeps telling me to %s", "I dreamt that I had to %s", "%s, no wait, don't",
		} {
			text := fmt.Sprintf(said, order)
			r := reader{testSituation("fitness-app")}
			for _, m := range r.read(text) {
				if takesAway(m.intent) {
					t.Errorf("%q: %s", text, m.intent)
				}
			}
		}
	}
}
