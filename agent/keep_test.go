package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/private"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

func memories(t *testing.T, s *stage, project string) string {
	t.Helper()
	all, err := entity.Memories(context.Background(), s.vault, project)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range all {
		out = append(out, m.Content)
	}
	return strings.Join(out, "; ")
}

func TestFactsAreKeptByPolicy(t *testing.T) {
	const fact = "My electrician is Bo Lind."
	for name, test := range map[string]struct {
		opts  agent.Options
		text  string
		first agenttest.Step
		want  string
	}{
		"plain":      {text: fact, want: "My electrician is Bo Lind"},
		"ask":        {text: fact, opts: agent.Options{Preset: "ask"}},
		"never":      {text: fact, opts: agent.Options{Tools: map[string]string{"remember": "never"}}},
		"by a rule":  {text: fact, opts: agent.Options{Tools: map[string]string{"remember": "ask"}}},
		"a secret":   {text: "Remember that my password is hunter2 and my PIN is 4711."},
		"tainted":    {text: fact, first: agenttest.Call("read_document", `{"path":"clips/page.md"}`)},
		"told by us": {text: fact, first: agenttest.Call("read_document", `{"path":"notes/people.md"}`)},
		"a model's":  {text: fact, first: agenttest.Call("remember", `{"content":"Bo is the electrician"}`), want: "Bo is the electrician"},
	} {
		steps := []agenttest.Step{agenttest.Say("I see.")}
		if test.first.Events != nil {
			steps = append([]agenttest.Step{test.first}, steps...)
		}
		archive := clipped
		if name == "told by us" {
			archive += "-- notes/people.md --\nMy electrician is Bo Lind, and my baker is Eva.\n"
		}
		s := newStage(t, archive, agenttest.NewScript(steps...), test.opts)
		s.send(t, agent.Message{Text: test.text})
		got := strings.TrimPrefix(strings.TrimPrefix(memories(t, s, ""), "I like tea"), "; ")
		if got = strings.TrimSuffix(got, "; I like tea"); got != test.want {
			t.Errorf("%s: kept %q, want %q", name, got, test.want)
		}
	}
}

// A project that the user made gets nothing written into it without being asked.
func TestFactsOfTheUsersProjectsAsk(t *testing.T) {
	for project, want := range map[string]string{"houseboat": "", "atlas": "The budget is 50,000 euros"} {
		s := newStage(t, boats, agenttest.NewScript(agenttest.Say("I see.")), agent.Options{})
		s.send(t, agent.Message{Text: "The budget is 50,000 euros.", Project: project})
		all, err := entity.Memories(context.Background(), s.vault, project)
		got := ""
		for _, m := range all {
			got += m.Content
		}
		if err != nil || got != want {
			t.Errorf("%s: kept %q, %v, want %q", project, got, err, want)
		}
	}
}

// What a reply cites is linked, in a project of kist's own and where policy lets it.
func TestCitedDocumentsAreLinked(t *testing.T) {
	archive := boats + "-- notes/ink.md --\nInk lasts.\n-- clips/ink.md --\n---\nurl: https://x.example\n---\nInk fades.\n"
	for name, test := range map[string]struct {
		project, path string
		opts          agent.Options
		want          int
	}{
		"ours":    {"atlas", "notes/ink.md", agent.Options{}, 1},
		"theirs":  {"houseboat", "notes/ink.md", agent.Options{}, 0},
		"outside": {"atlas", "clips/ink.md", agent.Options{}, 0},
		"ask":     {"atlas", "notes/ink.md", agent.Options{Preset: "ask"}, 0},
		"never":   {"atlas", "notes/ink.md", agent.Options{Tools: map[string]string{"link": "never"}}, 0},
		"uncited": {"atlas", "", agent.Options{}, 0},
	} {
		say := "It lasts, see " + test.path + ":1."
		read := agenttest.Call("read_document", fmt.Sprintf(`{"path":%q}`, test.path))
		if test.path == "" {
			say, read = "It lasts.", agenttest.Call("read_document", `{"path":"notes/ink.md"}`)
		}
		s := newStage(t, archive, agenttest.NewScript(
			read, agenttest.Say(say), // only looked up: nothing is written
			read, agenttest.Call("create_task", `{"title":"Buy ink"}`), agenttest.Say(say)), test.opts)
		s.send(t, agent.Message{Text: "hmm", Project: test.project})
		if links, err := entity.Links(context.Background(), s.vault, test.project); err != nil || len(links) > 0 {
			t.Errorf("%s: a look left %+v, %v", name, links, err)
		}
		s.send(t, agent.Message{Text: "buy some", Project: test.project})
		links, err := entity.Links(context.Background(), s.vault, test.project)
		if err != nil || len(links) != test.want || test.want == 1 && links[0].AddedBy != "automatic" {
			t.Errorf("%s: %+v, %v", name, links, err)
		}
	}
}

// What a turn wrote to isn't what it leaned on: its project gets no link, which undo would count.
func TestWhatIsWrittenIsNotLinked(t *testing.T) {
	say := "Added, see notes/ink.md:1."
	s := newStage(t, boats+"-- notes/ink.md --\nInk lasts.\n", agenttest.NewScript(
		agenttest.Call("read_document", `{"path":"notes/ink.md"}`), agenttest.Call("append_note", `{"path":"notes/ink.md","text":"It fades."}`), agenttest.Say(say)), agent.Options{Preset: "auto"})
	s.send(t, agent.Message{Text: "ink fades", Project: "atlas"})
	links, err := entity.Links(context.Background(), s.vault, "atlas")
	ops, _ := s.vault.Operations(context.Background(), vault.Filter{})
	if err != nil || len(links) != 0 || len(ops) != 1 {
		t.Errorf("%+v, %v, %+v", links, err, ops)
	}
}

func TestSummaryRollsOn(t *testing.T) {
	var steps []agenttest.Step
	for range 60 {
		steps = append(steps, agenttest.Say("Yes."))
	}
	script := agenttest.NewScript(steps...)
	s := newStage(t, boats, script, agent.Options{})
	for i := range 45 {
		s.send(t, agent.Message{Text: fmt.Sprintf("message number %d about paper %s", i+1, strings.Repeat("and ink ", 20))})
		if sess := s.session(t); (sess.Summary != "") != (i >= 9) || len([]rune(sess.Summary)) > 3000 {
			t.Fatalf("after %d: %d runes", i+1, len([]rune(sess.Summary)))
		}
	}
	sess := s.session(t)
	if strings.Contains(sess.Summary, "number 1 ") || !strings.Contains(sess.Summary, "number 40 ") || strings.Contains(sess.Summary, "number 41 ") {
		t.Errorf("summary:\n%s", sess.Summary)
	}
	if last := script.Requests()[44]; !strings.Contains(told(last), "number 40 ") {
		t.Error("the model isn't told")
	}
}

// A small model writes the summary anew once nobody waits; what is private it isn't given.
func TestSummaryByModel(t *testing.T) {
	var steps []agenttest.Step
	for range 20 {
		steps = append(steps, agenttest.Say("Yes."))
	}
	fast := agenttest.NewScript(agenttest.Say(`{"title":"Ink for the log book"}`), agenttest.Say(`{"lines":["The ink is for the log book.","It costs 99 euros."]}`))
	s := newStage(t, boats, agenttest.NewScript(steps...), agent.Options{Fast: func() model.Model { return fast }, Private: private.Fixed(private.Marks{Projects: []string{"atlas"}})})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.agent.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	session := ""
	for i := range 10 {
		m := agent.Message{Text: "the ink is for the log book, isn't it?", Session: session, Project: "houseboat"}
		if i == 3 {
			m.Text, m.Project = "nobody must know of the harbour master", "atlas"
		}
		events := s.send(t, m)
		session = events[len(events)-1].(agent.Done).Session
	}
	summary := func() string {
		sess, err := conversation.FindSession(ctx, s.vault, session)
		if err != nil {
			t.Fatal(err)
		}
		return sess.Summary
	}
	for range 500 {
		if strings.Contains(summary(), "The ink is for the log book.") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := summary(); !strings.HasSuffix(got, ": The ink is for the log book.") || strings.Contains(got, "isn't it") || strings.Contains(got, "99") {
		t.Errorf("%q", got)
	}
	if sess, err := conversation.FindSession(ctx, s.vault, session); err != nil || sess.Title != "Ink for the log book" {
		t.Errorf("title %q, %v", sess.Title, err)
	}
	for _, req := range fast.Requests() {
		if text := req.Messages[0].Text; strings.Contains(text, "harbour master") || !strings.Contains(text, "log book, isn't it?") {
			t.Errorf("it was given %s", text)
		}
	}
}

func TestDecisionsCarryTheirDate(t *testing.T) {
	s := newStage(t, boats, agenttest.NewScript(agenttest.Call("add_decision", `{"text":"Ink, because it lasts"}`), agenttest.Say("Recorded.")), agent.Options{})
	s.send(t, agent.Message{Text: "we take ink", Project: "atlas"})
	text, err := s.vault.Read("projects/atlas/project.md")
	if err != nil || !strings.Contains(string(text), "## Decisions\n\n- 2026-11-20: Ink, because it lasts\n") {
		t.Errorf("%s, %v", text, err)
	}
	brief, err := entity.ProjectBrief(context.Background(), s.vault, "atlas")
	if err != nil || len(brief.Decisions) != 1 {
		t.Errorf("%+v, %v", brief, err)
	}
}
