package agent_test

import (
	"context"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/private"
	"kist/vault"
)

// quoting is a small model that takes words for a fact, whatever it is shown.
func quoting(quotes ...string) *agenttest.Script {
	return agenttest.Answer(func(model.Request) agenttest.Step {
		return agenttest.Say(`{"facts":[{"quote":"` + strings.Join(quotes, `"},{"quote":"`) + `"}]}`)
	})
}

func proposals(t *testing.T, s *stage) string {
	t.Helper()
	ops, err := s.vault.Operations(context.Background(), vault.Filter{Status: vault.StatusProposed})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, op := range ops {
		out = append(out, op.Reason)
	}
	return strings.Join(out, "; ")
}

// What a small model finds in a message is proposed behind the turn, in the user's words, and
// shown by the next reply; only a go writes it.
func TestGleanedFacts(t *testing.T) {
	const said = "Aunt Ruth's cat sleeps in the boiler room."
	const want = "remember “Aunt Ruth's cat sleeps in the boiler room”"
	for name, tc := range map[string]struct {
		text  string
		fast  *agenttest.Script
		first agenttest.Step
		opts  agent.Options
		want  string
		asked bool
	}{
		"good":             {text: said, fast: quoting("cat sleeps in the boiler room"), want: want, asked: true},
		"a liar":           {text: said, fast: quoting("Charles owes Ruth 4,200 euros", "I like tea and it is green"), asked: true},
		"the reply's":      {text: said, fast: quoting("a shed by the mill is a find"), asked: true},
		"bad JSON":         {text: said, fast: agenttest.NewScript(agenttest.Say(`{"facts":[`)), asked: true},
		"nothing to find":  {text: "Maybe she likes it. Is that so?", fast: quoting("Maybe she likes it")},
		"an auto vault":    {text: said, fast: quoting("cat sleeps in the boiler room"), opts: agent.Options{Preset: "auto"}, want: want, asked: true},
		"never remembered": {text: said, fast: quoting("cat sleeps in the boiler room"), opts: agent.Options{Tools: map[string]string{"remember": "never"}}, asked: true},
		"tainted":          {text: said, fast: quoting("cat sleeps in the boiler room"), first: agenttest.Call("read_document", `{"path":"clips/page.md"}`)},
		"kept by a model":  {text: said, fast: quoting("cat sleeps in the boiler room"), first: agenttest.Call("remember", `{"content":"Ruth's cat has a room"}`)},
		"private":          {text: said, fast: quoting("cat sleeps in the boiler room"), first: agenttest.Call("read_document", `{"path":"notes/diary.md"}`), opts: agent.Options{Private: private.Fixed(private.Marks{Folders: []string{"notes"}})}},
	} {
		t.Run(name, func(t *testing.T) {
			steps := []agenttest.Step{agenttest.Say("I see, a shed by the mill is a find, as far as I can tell.")}
			if tc.first.Events != nil {
				steps = append([]agenttest.Step{tc.first}, steps...)
			}
			steps = append(steps, agenttest.Say("So it is."), agenttest.Say("Good."))
			tc.opts.Fast = func() model.Model { return behind{tc.fast} }
			s := newStage(t, clipped+"-- notes/diary.md --\nIt rained.\n", agenttest.NewScript(steps...), tc.opts)
			wait := working(t, s, tc.fast)
			before := memories(t, s, "")
			s.send(t, agent.Message{Session: "new", Text: tc.text})
			kept := memories(t, s, "")
			if tc.asked {
				wait(1)
			} else {
				s.send(t, agent.Message{Text: "Is that so?"})
				if n := len(tc.fast.Requests()); n > 0 {
					t.Errorf("%d requests", n)
				}
			}
			if got := proposals(t, s); !strings.Contains(got, tc.want) || tc.want == "" && strings.Contains(got, "remember") {
				t.Fatalf("proposed: %q, want %q", got, tc.want)
			}
			if after := memories(t, s, ""); after != kept || name != "kept by a model" && after != before {
				t.Errorf("remembered without a word: %q", after)
			}
			if tc.want == "" {
				return
			}
			if shown := transcript(s.send(t, agent.Message{Text: "Is that so?"})); !strings.Contains(shown, "Proposed: "+want) {
				t.Errorf("not shown:\n%s", shown)
			}
			s.send(t, agent.Message{Text: "go"})
			if after := memories(t, s, ""); !strings.Contains(after, "Aunt Ruth's cat sleeps in the boiler room") {
				t.Errorf("a go remembers %q", after)
			}
		})
	}
}
