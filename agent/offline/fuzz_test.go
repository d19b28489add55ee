package offline

import (
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
	"kist/agent/offline/turn"
)

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"add a task to", "switch to", "let's", "\"'\"", "remind me tomorrow", "I need to , and", "note:", "mark  as done", "don't", "5.12.", "move x to", "project:", "Ünïcödé 日本 \xff\x00", "we decided", "remember", "is", "set a to b", "i am train for", "use of", "back to", "n't", "when is it, and for what reason was it moved", "what is left of 6k", "how much for both"} {
		f.Add(seed, "yes")
	}
	f.Fuzz(func(t *testing.T, text, question string) {
		if len(text) > 300 {
			return
		}
		for _, active := range []string{"-", "coffee-shop"} {
			sit := offlinetest.Situation(active)
			sit.Question = model.Question{Kind: turn.AskBelongs, Args: map[string]string{"text": question}}
			talk := newTalk(model.Request{Situation: sit, Messages: []model.Message{{Role: model.User, Text: text}}})
			talk.work()
			if len(talk.Calls) == 0 && strings.TrimSpace(talk.Reply()) == "" && !talk.Heard {
				t.Errorf("%q: neither a call nor a word", text)
			}
		}
	})
}
