package queries

import "testing"

func TestQuestionsForSync(t *testing.T) {
	for text, want := range map[string]bool{
		"when did you last sync?":                           true,
		"are there any conflicts?":                          true,
		"What conflicts do I have?":                         true,
		"list the conflicts":                                true,
		"show me the conflicting files":                     true,
		"Gibt es Konflikte?":                                true,
		"what conflicts are there in the plan of the boat?": false,
		"add a task to list the conflicts":                  false,
		"there are conflicts":                               false,
		"Does the conflict with Ann still matter?":          false,
		"list the \"conflicts\" tasks":                      false,
		"Is everything synced?":                             true,
		"is everything synced":                              true,
		"How does sync stand?":                              true,
		"hey, how is the sync going?":                       true,
		"Are my notes in sync with the laptop?":             true,
		"when did it last sync?":                            true,
		"any sync conflicts?":                               true,
		"Does sync work?":                                   true,
		"Ist alles synchronisiert?":                         true,
		"Is the sync project finished?":                     false,
		"when is the sync meeting with Ann?":                false,
		"the sync of the tide gauge is broken":              false,
		"is everything ready?":                              false,
		"add a task to sync the calendars":                  false,
		"everything is synced":                              false,
		"What did we decide about syncing?":                 false,
		"should we sync on Friday about paint?":             false,
		"remind me to sync the phone":                       false,
		"is the phone synced, and is Bo coming?":            false,
	} {
		if got, _ := OfSync(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
