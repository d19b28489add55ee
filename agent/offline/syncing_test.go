package offline

import (
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

func TestQuestionsForSync(t *testing.T) {
	for text, want := range map[string]bool{
		"Is everything synced?":                  true,
		"is everything synced":                   true,
		"How does sync stand?":                   true,
		"hey, how is the sync going?":            true,
		"Are my notes in sync with the laptop?":  true,
		"when did it last sync?":                 true,
		"any sync conflicts?":                    true,
		"Does sync work?":                        true,
		"Ist alles synchronisiert?":              true,
		"Is the sync project finished?":          false,
		"when is the sync meeting with Ann?":     false,
		"the sync of the tide gauge is broken":   false,
		"is everything ready?":                   false,
		"add a task to sync the calendars":       false,
		"everything is synced":                   false,
		"What did we decide about syncing?":      false,
		"should we sync on Friday about paint?":  false,
		"remind me to sync the phone":            false,
		"is the phone synced, and is Bo coming?": false,
	} {
		if got := asksForSync(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestThePartnerAsksHowSyncStands(t *testing.T) {
	_, calls, _ := generate(t, model.Request{Situation: offlinetest.Situation("coffee-shop"), Messages: user("Is everything synced?")})
	if len(calls) != 1 || calls[0].Name != "show_sync" {
		t.Fatalf("calls %v", calls)
	}
	messages := append(user("Is everything synced?"), model.Message{
		Role: model.ToolRole, CallID: calls[0].ID, Tool: "show_sync",
		Text: `{"ok":true,"result":{"state":"failing","sentence":"not syncing: the remote did not answer; it last worked 2 days ago","conflicts":1,"next":"x"}}`,
	})
	text, calls, _ := generate(t, model.Request{Situation: offlinetest.Situation("coffee-shop"), Messages: messages})
	if len(calls) > 0 || !strings.Contains(text, "Sync: not syncing: the remote did not answer; it last worked 2 days ago.") || !strings.Contains(text, "kist sync conflicts") {
		t.Errorf("calls %v, says %q", calls, text)
	}
}
