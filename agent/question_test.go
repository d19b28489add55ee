package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/offline"
	"kist/vault/conversation"
)

// A session of the version before holds a question in words alone. It opens, and the
// answer is read as a new message.
func TestQuestionOfAnOlderSession(t *testing.T) {
	for _, question := range []string{
		`Shall I create a project called "Ark"?`, `Which project do you mean: "Houseboat" or "Atlas"?`, `Shall I add this as a task: "call the bank"?`,
		`Shall I tick off "Caulk the hull"?`, "Shall I do all of that?", "Shall I write that down as a note?",
	} {
		s := newStage(t, boats, offline.New(), agent.Options{})
		id := sessionOf(s.send(t, agent.Message{Text: "hello", Project: "houseboat"}))
		old := "id: " + id + "\ndevice: test\nmode: general\nproject: houseboat\nturns: 1\nopen_question: '" + question + "'\n"
		if err := os.WriteFile(filepath.Join(s.vault.Dir(), "sessions", id+".yaml"), []byte(old), 0o666); err != nil {
			t.Fatal(err)
		}
		before := s.files(t)
		if sess, err := conversation.FindSession(context.Background(), s.vault, id); err != nil || sess.Question.Text != question || sess.Question.Kind != "" {
			t.Errorf("%+v, %v", sess.Question, err)
		}
		talk := transcript(s.send(t, agent.Message{Text: "yes", Session: id}))
		if strings.Contains(talk, "failed") || strings.Contains(talk, "completed") || s.files(t) != before {
			t.Errorf("%s: a yes does something\n%s", question, talk)
		}
		if talk := transcript(s.send(t, agent.Message{Text: "let's talk about Atlas", Session: id})); !strings.Contains(talk, `[now in "atlas"`) {
			t.Errorf("%s: the conversation doesn't go on\n%s", question, talk)
		}
	}
}

// What a language model asks while a project is made counts as the question that its
// instructions suggest, whatever its words; after the draft was shown, as the last one.
func TestQuestionsOfAModelCount(t *testing.T) {
	script := agenttest.NewScript(
		agenttest.Call("update_draft_dimension", `{"name":"Ark","description":"A boat for all."}`), agenttest.Say("Go on."),
		agenttest.Say("Und was wäre ein Erfolg?"), agenttest.Say("Bis wann?"),
		agenttest.Call("show_draft", `{}`), agenttest.Say("Soll es ein Projekt werden?"),
	)
	s := newStage(t, boats, script, agent.Options{Preset: "auto"})
	s.send(t, agent.Message{Text: "I want to build an ark", Mode: "project_create"})
	for i, want := range []string{"clarifying", "clarifying", "finalizing"} {
		s.send(t, agent.Message{Text: "hm"})
		sess := s.session(t)
		if sess.Phase != want || len(sess.Asked) != min(i+1, 2) {
			t.Errorf("%d: %s, asked %v, %+v", i, sess.Phase, sess.Asked, sess.Question)
		}
	}
}

// Of a message of very many questions the first are looked up, and the reply says how many
// are left: each is a search.
func TestManyQuestions(t *testing.T) {
	var b strings.Builder
	for i := range 120 {
		fmt.Fprintf(&b, "What does plank %d of the hull cost? ", i)
	}
	s := newStage(t, boats, offline.New(), agent.Options{Preset: "auto"})
	got := transcript(s.send(t, agent.Message{Text: b.String(), Project: "houseboat"}))
	if n := strings.Count(got, "[call search"); n != 16 || !strings.Contains(got, "Send the other 104 again") || strings.Contains(got, "not carried out") {
		t.Errorf("%d searches: %s", n, got)
	}
	if got = transcript(s.send(t, agent.Message{Text: "What does plank 3 cost? And plank 4?"})); strings.Contains(got, "again, in a message") {
		t.Error(got)
	}
}
