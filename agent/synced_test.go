package agent_test

import (
	"context"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/offline"
	"kist/agent/tool"
)

// How sync stands is said when asked, and what it has to tell ends a turn, once.
func TestSyncIsToldOf(t *testing.T) {
	news := []string{"", "Sync: note.md was changed in two places.", ""}
	s := newStage(t, boats, offline.New(), agent.Options{
		Sync: func(context.Context) tool.Sync {
			return tool.Sync{State: "ready", Sentence: "syncs with /mnt/stick; it last worked just now", Conflicts: 1}
		},
		Tip: func(bool) (text string) { text, news = news[0], news[1:]; return text },
	})
	if got := replyOf(s.send(t, agent.Message{Text: "Is everything synced?"})); !strings.Contains(got, "Sync: syncs with /mnt/stick; it last worked just now.") {
		t.Errorf("says %q", got)
	}
	for n, want := range []int{1, 0} {
		told := 0
		for _, e := range s.send(t, agent.Message{Text: "thanks"}) {
			if n, ok := e.(agent.Notice); ok && strings.Contains(n.Text, "note.md") {
				told++
			}
		}
		if told != want {
			t.Errorf("turn %d tells of it %d times", n, told)
		}
	}
}
