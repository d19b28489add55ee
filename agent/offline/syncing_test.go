package offline

import (
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

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

func TestConflictsAreListed(t *testing.T) {
	for result, want := range map[string]string{
		`{"state":"ready","sentence":"syncs with x","conflicts":1,"next":"x","files":["a/b.md"]}`: "- a/b.md",
		`{"state":"ready","sentence":"syncs with x","conflicts":0}`:                               "No file lies here in two versions. Sync: syncs with x.",
	} {
		said := user("list the conflicts")
		_, calls, _ := generate(t, model.Request{Situation: offlinetest.Situation("coffee-shop"), Messages: said})
		if len(calls) != 1 || calls[0].Name != "show_sync" {
			t.Fatalf("calls %v", calls)
		}
		messages := append(said, model.Message{Role: model.ToolRole, CallID: calls[0].ID, Tool: "show_sync", Text: `{"ok":true,"result":` + result + `}`})
		if text, _, _ := generate(t, model.Request{Situation: offlinetest.Situation("coffee-shop"), Messages: messages}); !strings.Contains(text, want) {
			t.Errorf("of %s it says %q", result, text)
		}
	}
}
