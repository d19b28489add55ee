package agent_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/vault/vaulttest"
)

// kept is what documents hold and proposals would put there, conversations aside.
func (s *stage) kept(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(s.proposed(t))
	for name, file := range vaulttest.Tree(t, s.vault.Dir()) {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "conversations/") {
			b.WriteString(file + "\n")
		}
	}
	return plain(b.String())
}

// What is only looked up, taken as a name, or told before there is a draft is kept all
// the same.
func TestToldIsKept(t *testing.T) {
	const told = "The tent stands behind the mill"
	nods := func() model.Model {
		return agenttest.NewScript(agenttest.Say("I see."), agenttest.Say("I see."), agenttest.Say("I see."))
	}
	for name, test := range map[string]struct {
		model    model.Model
		start    agent.Message
		messages []string
		want     string
	}{
		"looked up": {
			agenttest.NewScript(agenttest.Call("show_project", `{}`), agenttest.Say("It goes well.")), agent.Message{Project: "houseboat"},
			[]string{"The permit has to be in by 3 March"}, "The permit has to be in by 3 March",
		},
		"no draft":                {nods(), agent.Message{Mode: "project_create"}, []string{told + "."}, told},
		"no draft, another topic": {offline.New(), agent.Message{Mode: "project_create"}, []string{told + ".", "switch to the houseboat"}, told},
		"a no to the name":        {offline.New(), agent.Message{Mode: "project_create"}, []string{told + ".", "no", "call it Otter"}, told},
		"as a name":               {offline.New(), agent.Message{Mode: "project_create"}, []string{told + ".", "Fog and gulls at six in the morning.", "call it Otter"}, "Fog and gulls at six in the morning"},
		"a model's name": {
			agenttest.NewScript(agenttest.Call("update_draft_dimension", `{"name":"Fog and gulls at six in the morning"}`), agenttest.Say("I see."),
				agenttest.Call("update_draft_dimension", `{"name":"Otter"}`), agenttest.Say("Done.")),
			agent.Message{Mode: "project_create"}, []string{"Fog and gulls at six in the morning.", "call it Otter"}, "Fog and gulls at six in the morning",
		},
		"another thing of that day": {
			agenttest.NewScript(agenttest.Call("create_task", `{"title":"Book the tent","due":"2026-11-27"}`), agenttest.Say("Noted.")),
			agent.Message{Project: "atlas"}, []string{"The deadline for the tent is 27 November. Book the tent."}, "The deadline for the tent is 27 November",
		},
		"half of it is a task": {
			agenttest.NewScript(agenttest.Call("create_task", `{"title":"Sell the old lorry"}`), agenttest.Say("Noted.")),
			agent.Message{Project: "atlas"}, []string{"The deadline for the old lorry is the end of May."}, "The deadline for the old lorry is the end of May",
		},
		"a draft of that name":         {offline.New(), agent.Message{Mode: "project_create"}, []string{told + ".", "@new", "The bees are gone from the garden."}, "The bees are gone from the garden"},
		"an order nobody follows":      {nods(), agent.Message{}, []string{"Bring forty chairs, a ramp and the blue paint."}, "Bring forty chairs, a ramp and the blue paint"},
		"quoted":                       {nods(), agent.Message{Mode: "project_update", Project: "houseboat"}, []string{`"Make it boring" is what the client asked for on Monday.`}, `"Make it boring" is what the client asked for on Monday`},
		"an order among others":        {nods(), agent.Message{Mode: "project_update", Project: "houseboat"}, []string{"Give it to Bo on Friday. The hall is free."}, "Give it to Bo on Friday"},
		"the same word before a colon": {offline.New(), agent.Message{Mode: "project_update", Project: "houseboat"}, []string{"money: the budget is 4,000 euros for the refit", "money: my aunt gives us 300 euros more", "go"}, "money: the budget is 4,000 euros for the refit"},
		"one among small words":        {agenttest.NewScript(agenttest.Call("start_session", `{"mode":"general"}`), agenttest.Say("I see.")), agent.Message{Project: "atlas"}, []string{"Audit: seven boxes stand behind the mill. Crates. Paint."}, "Audit: seven boxes stand behind the mill"},
		"a session left behind":        {offline.New(), agent.Message{Project: "atlas"}, []string{"the crates are for the houseboat maybe", "@new", "what is due this week?"}, "the crates are for the houseboat maybe"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, boats, test.model, agent.Options{Seed: "told"})
			msg := test.start
			var talk strings.Builder
			for _, text := range test.messages {
				if text == "@new" {
					msg = agent.Message{Session: "new", Mode: test.start.Mode}
					continue
				}
				msg.Text = text
				talk.WriteString("> " + text + "\n" + transcript(s.send(t, msg)) + "\n")
				msg = agent.Message{}
			}
			refused := strings.Contains(talk.String(), "Not written down: “"+strings.TrimRight(test.want, "."))
			if got := s.kept(t); !strings.Contains(got, plain(test.want)) && !refused {
				t.Errorf("%q stands nowhere:\n%s", test.want, talk.String())
			}
		})
	}
}

// failing is a model whose server is gone.
type failing struct{}

func (failing) Name() string { return "failing" }

func (failing) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) { yield(model.Event{}, errors.New("connection refused")) }
}

// A model that fails loses nothing of what was said.
func TestToldToAFailingModel(t *testing.T) {
	s := newStage(t, boats, failing{}, agent.Options{})
	s.send(t, agent.Message{Text: "Bo has a van. Ines paints the hall. The landlord wants two months up front."})
	if got := s.kept(t); !strings.Contains(got, "ines paints the hall") {
		t.Errorf("kept: %s", got)
	}
}

// What still waited for an answer in a session that nobody went on with is offered in the
// next one, once.
func TestLeftoversAreOfferedOnce(t *testing.T) {
	asks := agenttest.NewScript(agenttest.Say("Which project is that for?"), agenttest.Say("Nothing is due."), agenttest.Say("Nothing."))
	s := newStage(t, boats, asks, agent.Options{})
	s.send(t, agent.Message{Text: "Bo lends us the tent for the party.", Project: "atlas"})
	if strings.Contains(s.kept(t), "lends us the tent") {
		t.Fatal("it was kept before the answer")
	}
	first := transcript(s.send(t, agent.Message{Session: "new", Text: "what is due?"}))
	if !strings.Contains(first, "in the inbox of Atlas") || !strings.Contains(s.kept(t), "bo lends us the tent") {
		t.Errorf("not offered:\n%s", first)
	}
	if again := transcript(s.send(t, agent.Message{Session: "new", Text: "what is due?"})); strings.Contains(again, "inbox") {
		t.Errorf("offered again:\n%s", again)
	}
}
