package agent_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// guided writes down what happens to session, draft and dimensions.
func guided(events []agent.Event) string {
	var out []string
	for _, e := range events {
		switch e := e.(type) {
		case agent.SessionPhase:
			out = append(out, strings.TrimSpace(e.Mode+" "+e.Phase))
		case agent.DraftUpdate:
			out = append(out, "draft "+e.Slug+" "+e.Status)
		case agent.DimensionUpdate:
			out = append(out, e.Dimension+" in "+e.Path)
		case agent.Notice:
			out = append(out, "notice")
		case agent.Failed:
			out = append(out, "failed: "+e.Err.Error())
		}
	}
	return strings.Join(out, ", ")
}

func wantGuided(t *testing.T, events []agent.Event, want string) {
	t.Helper()
	if got := guided(events); got != want {
		t.Errorf("got %q\nwant %q\n%s", got, want, transcript(events))
	}
}

func TestAProjectIsMadeInPhases(t *testing.T) {
	script := agenttest.NewScript(
		agenttest.Call("update_draft_dimension", `{"name":"Ark","description":"A boat for all."}`), agenttest.Say("Go on."),
		agenttest.Call("update_draft_dimension", `{"dimension":"goals_momentum","text":"Afloat by May.","tasks":["Buy wood"]}`), agenttest.Say("What would make it a success for you, and how would you know?"),
		agenttest.Call("show_draft", `{}`), agenttest.Say("Shall I make it a project?"),
		agenttest.Call("finalize_draft", `{}`), agenttest.Say("There it is."),
		agenttest.Say("Hello again."),
	)
	s := newStage(t, boats, script, agent.Options{Preset: "auto"})
	wantGuided(t, s.send(t, agent.Message{Text: "I want to build an ark", Mode: "project_create"}),
		"project_create gathering_info, draft ark in_progress, draft ark in_progress") // begun, and what was said kept
	events := s.send(t, agent.Message{Text: "by May"})
	if got := guided(events); !strings.HasPrefix(got, "draft ark in_progress, goals_momentum in drafts/ark.md") {
		t.Error(got)
	}
	if sess := s.session(t); sess.Draft != "ark" || sess.Mode != "project_create" {
		t.Errorf("%+v", sess)
	}
	s.send(t, agent.Message{Text: "what do you have?"})
	if sess := s.session(t); sess.Phase != "finalizing" {
		t.Errorf("phase %q", sess.Phase)
	}
	events = s.send(t, agent.Message{Text: "yes"})
	if got := guided(events); !strings.HasPrefix(got, "project_create completed, draft ark completed") {
		t.Error(got)
	}
	if sess := s.session(t); sess.Project != "ark" || sess.Phase != "completed" {
		t.Errorf("%+v", sess)
	}
	if _, err := s.vault.Stat("projects/ark/tasks/buy-wood.md"); err != nil {
		t.Error(err)
	}
	wantGuided(t, s.send(t, agent.Message{Text: "thanks, and now"}), "general")
	if sess := s.session(t); sess.Mode != "general" || sess.Draft != "" || sess.Phase != "" {
		t.Errorf("%+v", sess)
	}
}

func TestADraftIsGivenUp(t *testing.T) {
	script := agenttest.NewScript(agenttest.Call("update_draft_dimension", `{"name":"Ark"}`), agenttest.Say("Begun."), agenttest.Call("abandon_draft", `{}`), agenttest.Say("Given up."))
	s := newStage(t, boats, script, agent.Options{Preset: "auto"})
	s.send(t, agent.Message{Text: "an ark", Mode: "project_create"})
	wantGuided(t, s.send(t, agent.Message{Text: "no, rather not an ark after all"}), "project_create completed, draft ark abandoned")
	if text, err := s.vault.Read("drafts/ark.md"); err != nil || !strings.Contains(string(text), "status: abandoned") {
		t.Errorf("%s, %v", text, err)
	}
}

// The modes about a project go from gathering to clarifying when something is asked,
// to finalizing when something waits or was done; all see their own instructions.
func TestPhasesOfTheOtherModes(t *testing.T) {
	for _, mode := range []string{"project_update", "project_audit", "project_forecast", "task_update"} {
		script := agenttest.NewScript(agenttest.Say("Which task?"), agenttest.Call("create_task", `{"title":"Paint"}`), agenttest.Say("Waits."), agenttest.Say("Good."))
		s := newStage(t, boats, script, agent.Options{})
		wantGuided(t, s.send(t, agent.Message{Text: "it changed", Mode: mode, Project: "houseboat"}), mode+" gathering_info, "+mode+" clarifying")
		wantGuided(t, s.send(t, agent.Message{Text: "the painting"}), mode+" finalizing")
		wantGuided(t, s.send(t, agent.Message{Text: "hm", Mode: "general"}), "general")
		if !strings.Contains(told(script.Requests()[0]), "## This session") || strings.Contains(told(script.Requests()[3]), "## This session") {
			t.Errorf("%s: the instructions don't follow the mode", mode)
		}
		for _, err := range newStage(t, boats, script, agent.Options{}).agent.Send(context.Background(), agent.Message{Text: "x", Mode: mode}) {
			if needs := mode != "task_update"; errors.Is(err, vault.ErrInvalid) != needs {
				t.Errorf("%s without a project: %v", mode, err)
			}
		}
	}
}

func TestDraftThatTheUserBrokeOrRemoved(t *testing.T) {
	begin := func(t *testing.T) (*stage, string) {
		s := newStage(t, boats, agenttest.NewScript(agenttest.Call("update_draft_dimension", `{"name":"Ark"}`), agenttest.Say("Begun."),
			agenttest.Call("update_draft_dimension", `{"dimension":"goals_momentum","text":"Afloat."}`), agenttest.Say("Noted.")), agent.Options{Preset: "auto"})
		s.send(t, agent.Message{Text: "an ark", Mode: "project_create"})
		return s, filepath.Join(s.vault.Dir(), "drafts/ark.md")
	}
	for name, broken := range map[string]string{
		"front matter": "---\nstatus: [\n---\n# Ark\n", "not text": "---\ntype: draft\n---\n\xff\xfe\x00", "empty": "", "completed": "---\nstatus: completed\n---\n# Ark\n",
	} {
		s, path := begin(t)
		if err := os.WriteFile(path, []byte(broken), 0o666); err != nil {
			t.Fatal(err)
		}
		events := s.send(t, agent.Message{Text: "afloat"})
		if strings.Contains(guided(events), "failed") {
			t.Errorf("%s: %s", name, guided(events))
		}
		if text, _ := os.ReadFile(path); name != "empty" && string(text) != broken {
			t.Errorf("%s: the user's text was changed to %q", name, text)
		}
	}
	s, path := begin(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	events := s.send(t, agent.Message{Text: "afloat"})
	if got := guided(events); !strings.HasPrefix(got, "notice") || strings.Contains(got, "failed") {
		t.Error(got)
	}
	if sess := s.session(t); sess.Draft != "" {
		t.Errorf("the session still has the draft %q", sess.Draft)
	}
}

// A project renamed or removed in the editor in mid-session, and in mid-turn.
func TestProjectThatMovesUnderTheConversation(t *testing.T) {
	script := agenttest.NewScript(agenttest.Say("Hi."), agenttest.Call("create_task", `{"title":"Draw"}`), agenttest.Say("Hm."), agenttest.Call("list_tasks", `{}`), agenttest.Say("Hm."))
	s := newStage(t, boats, script, agent.Options{})
	s.send(t, agent.Message{Text: "a", Project: "houseboat"})
	s.send(t, agent.Message{Text: "b", Project: "atlas"})
	root := filepath.Join(s.vault.Dir(), "projects")
	if err := os.Rename(filepath.Join(root, "houseboat"), filepath.Join(root, "barge")); err != nil {
		t.Fatal(err)
	}
	for e, err := range s.agent.Send(context.Background(), agent.Message{Text: "c"}) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := e.(agent.ToolCall); ok {
			_ = os.RemoveAll(filepath.Join(root, "atlas"))
		}
		if f, ok := e.(agent.Failed); ok {
			t.Errorf("failed: %v", f.Err)
		}
	}
	wantOutline(t, s.send(t, agent.Message{Text: "d"}), "notice, text, done ")
	if sess := s.session(t); len(sess.Stack) != 0 || sess.Project != "" {
		t.Errorf("%+v", sess)
	}
	turns, err := conversation.RecentTurns(context.Background(), s.vault, "", 9)
	if err != nil || len(turns) == 0 {
		t.Errorf("the words are lost: %d turns, %v", len(turns), err)
	}
}

// Whatever stands in a session's file, the conversation goes on; keys that kist
// doesn't know stay.
func TestSessionEditedByHand(t *testing.T) {
	long := strings.Repeat("long ", 100_000)
	for name, edit := range map[string]string{
		"unknown mode": "mode: dance\nphase: waltz\n", "system": "mode: system\n", "no phase": "mode: project_create\nphase: nonsense\n", "audit of nothing": "mode: project_audit\nproject: gone\n",
		"no draft": "mode: project_create\ndraft: ../../x\n", "negative": "turns: -7\n", "long": "summary: " + long + "\nopen_question: " + long + "?\nasked: [a, b]\n",
		"stack": "project_stack: [gone, ../x, atlas, atlas]\nproject: ../atlas\n", "tainted": "tainted_turns: [x, y]\n", "future": "last_used: 2999-01-01T00:00:00Z\n",
	} {
		script := agenttest.NewScript(agenttest.Say("Hi."), agenttest.Say("Again."))
		s := newStage(t, boats, script, agent.Options{})
		id := sessionOf(s.send(t, agent.Message{Text: "a"}))
		path := filepath.Join(s.vault.Dir(), "sessions", id+".yaml")
		if err := os.WriteFile(path, []byte("id: "+id+"\ndevice: test\nmine: {a: [1]}\n"+edit), 0o666); err != nil {
			t.Fatal(err)
		}
		events := s.send(t, agent.Message{Text: "b", Session: id})
		if !strings.Contains(outline(events), "text, done") {
			t.Errorf("%s: %s", name, transcript(events))
		}
		if n := len(told(script.Requests()[1])) / 4; n > 4500 {
			t.Errorf("%s: the instructions have %d tokens", name, n)
		}
		if text, _ := os.ReadFile(path); !strings.Contains(string(text), "mine:") {
			t.Errorf("%s: the user's key is gone", name)
		}
	}
}

func TestStart(t *testing.T) {
	ctx := context.Background()
	s := newStage(t, boats+`
-- drafts/ark.md --
---
type: draft
name: Ark
status: in_progress
dimensions_covered: [goals_momentum]
---
# Ark

## Goals & Momentum

Afloat by May.
-- drafts/old.md --
---
type: draft
status: abandoned
---
# Old
`, agenttest.NewScript(), agent.Options{})
	old := s.now.Add(-50 * time.Hour)
	if err := os.Chtimes(filepath.Join(s.vault.Dir(), "drafts/ark.md"), old, old); err != nil {
		t.Fatal(err)
	}
	for _, mode := range model.Modes() {
		open, err := s.agent.Start(ctx, agent.Start{Mode: mode, Project: "atlas"})
		if err != nil || open.Session.Mode != mode || open.Session.Project != "atlas" || open.Text == "" && mode != "general" {
			t.Errorf("%s: %+v, %v", mode, open, err)
		}
		again, err := conversation.FindSession(ctx, s.vault, open.Session.ID)
		if err != nil || again.Mode != mode {
			t.Errorf("%s: saved %+v, %v", mode, again, err)
		}
		_, err = s.agent.Start(ctx, agent.Start{Mode: mode})
		if needs := mode == "project_update" || mode == "project_audit" || mode == "project_forecast"; errors.Is(err, vault.ErrInvalid) != needs {
			t.Errorf("%s without a project: %v", mode, err)
		}
	}
	for _, wrong := range []agent.Start{{Mode: "dance"}, {Project: "gone"}, {Draft: "gone"}, {Draft: "../x"}} {
		if _, err := s.agent.Start(ctx, wrong); !errors.Is(err, vault.ErrInvalid) && !errors.Is(err, vault.ErrNotFound) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	open, err := s.agent.Start(ctx, agent.Start{Mode: "project_create"})
	if err != nil || len(open.Drafts) != 1 || !strings.Contains(open.Text, "Ark") || !strings.Contains(open.Text, "2 days") || !strings.Contains(open.Text, "1") {
		t.Errorf("the offer to go on: %q, %v", open.Text, err)
	}
	if open, err = s.agent.Start(ctx, agent.Start{Draft: "ark"}); err != nil || open.Session.Draft != "ark" || open.Session.Mode != "project_create" {
		t.Errorf("%+v, %v", open, err)
	}
	// An unnamed message goes on with what was begun last.
	if got := sessionOf(s.send(t, agent.Message{Text: "hello"})); got != open.Session.ID {
		t.Errorf("session %s, want %s", got, open.Session.ID)
	}
}

func TestSweepTouchesOnlyWhatIsKists(t *testing.T) {
	ctx := context.Background()
	s := newStage(t, boats, agenttest.NewScript(), agent.Options{})
	make := func(name string) string {
		step, err := entity.PlanCreateDraft(ctx, s.vault, entity.NewDraft{Name: name}, vault.ActorAgent)
		if err == nil {
			_, err = s.vault.Apply(ctx, vault.Batch{Steps: []vault.Step{step}, Origin: vault.Origin{Actor: vault.ActorAgent}})
		}
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(s.vault.Dir(), step.Entity.Path)
	}
	for i := range 3 {
		make(fmt.Sprintf("Ours %d", i))
	}
	mine := make("Mine")
	text, err := os.ReadFile(mine)
	if err == nil {
		err = os.WriteFile(mine, append(text, "my own words\n"...), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	status := func() (out string) {
		all, err := entity.Drafts(ctx, s.vault, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"mine", "ours-0", "ours-1", "ours-2"} {
			for _, d := range all {
				if d.Slug == name {
					out += " " + d.Status
				}
			}
		}
		return strings.TrimSpace(out)
	}
	s.now = s.now.Add(6 * 24 * time.Hour)
	s.agent.Sweep(ctx)
	if got := status(); got != "in_progress in_progress in_progress in_progress" {
		t.Errorf("after six days: %s", got)
	}
	s.now = s.now.Add(2 * 24 * time.Hour)
	for range 2 {
		s.agent.Sweep(ctx)
	}
	if got := status(); got != "in_progress abandoned abandoned abandoned" {
		t.Errorf("after eight days: %s", got)
	}
	if ops, err := s.vault.Operations(ctx, vault.Filter{}); err != nil || len(ops) != 4+3 {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}
