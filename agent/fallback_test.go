package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/private"
	"kist/agent/route"
)

// TestFallbackSeesNothingPrivate: one that isn't on this machine takes over only from a model that has
// done nothing yet, by a request of its own. Whatever the first one was shown or did in the turn, in a
// private project or moved out of it, the other gets nothing of it, then or in a later turn.
func TestFallbackSeesNothingPrivate(t *testing.T) {
	const archive = "-- journal/varnish.md --\n# Varnish\n\nThe varnish is in the cellar, CANARY.\n" +
		"-- notes/tin.md --\n# Varnish tin\n\nThe varnish tin is in the attic, OPEN.\n" +
		"-- memories/v.md --\n---\ntype: memory\nscope: user\nprivate: true\n---\n\nThe varnish costs CANARY.\n" +
		"-- projects/boat/project.md --\n---\ntype: project\nname: Boat\nstatus: active\ncreated_by: agent\n---\n" +
		"-- projects/divorce/project.md --\n---\ntype: project\nname: Divorce\nstatus: active\nprivate: true\n---\n\nCANARY\n"
	marks := private.Marks{Folders: []string{"journal"}}
	read := agenttest.Call("read_document", `{"path":"journal/varnish.md"}`)
	out := agenttest.Call("switch_project", `{"project":"boat"}`)
	broken := agenttest.Break("no route")
	for name, steps := range map[string][]agenttest.Step{
		"at once":           {broken},
		"after reading":     {read, broken},
		"moved out":         {out, broken},
		"read, moved out":   {read, out, broken},
		"said nothing":      {read, out, {}, {}},
		"led nowhere":       {out, agenttest.Call("x", `{}`), agenttest.Call("y", `{}`), agenttest.Call("z", `{}`)},
		"said it, moved":    {out, agenttest.Say("The varnish is in the cellar, CANARY, and that is all there is to say.")},
		"in the middle":     {agenttest.Step{Events: []model.Event{{Text: "It is CANARY"}}, Err: fmt.Errorf("no route")}},
		"thinks, then dies": {agenttest.Step{Events: []model.Event{{Thinking: "CANARY"}}, Err: fmt.Errorf("no route")}},
	} {
		for _, project := range []string{"boat", "divorce"} {
			t.Run(name+" in "+project, func(t *testing.T) {
				t.Parallel()
				var sent []string
				there := agenttest.Answer(func(req model.Request) agenttest.Step {
					rules, messages := req.Prompt()
					sent = append(sent, fmt.Sprint(rules, messages))
					return agenttest.Say("It is in the attic, as your note on the tin says.")
				})
				router := route.New(offline.New())
				s := newStage(t, archive, agenttest.NewScript(agenttest.Say("The CANARY is known to me, from what I was told of the varnish.")), agent.Options{})
				s.agent = s.newAgent(t, agenttest.NewScript(agenttest.Say("CANARY, of all things, is what the varnish costs.")), agent.Options{Now: s.agentNow, Private: private.Fixed(marks)})
				s.send(t, agent.Message{Text: "what does the varnish cost me, and why?", Project: "divorce"})
				first := agenttest.NewScript(steps...)
				router.Use(first, false, away{there})
				s.agent = s.newAgent(t, router, agent.Options{Now: s.agentNow, Private: private.Fixed(marks)})
				said := "where did I put the varnish, and why there of all places?"
				if project == "divorce" {
					said = "where did I put the varnish, and does CANARY know?"
				}
				got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: said, Project: project}))
				took := len(steps) == 1 && name != "in the middle"
				if answers := strings.Contains(got, "so script answers.") && strings.Contains(got, "in the attic"); answers != (took && project == "boat") || answers != (len(sent) > 0) {
					t.Errorf("%d requests to the other: %s", len(sent), got)
				}
				if kept := strings.Contains(got, "the project Divorce is private, so I do what I can without them."); kept != (took && project == "divorce") {
					t.Error(got)
				}
				if prompts := fmt.Sprint(promptOf(first)); !strings.Contains(prompts, "CANARY") {
					t.Error("the first was shown nothing private: ", prompts)
				}
				// The next messages are the other one's from the start.
				router.Use(agenttest.NewScript(broken), false, away{there})
				s.send(t, agent.Message{Text: "and where is the tin of the varnish itself?", Project: "boat"})
				s.send(t, agent.Message{Text: "what else is up there, would you say?"})
				if len(sent) < 2 {
					t.Errorf("%d requests", len(sent))
				}
				for i, text := range sent {
					if at := strings.Index(text, "CANARY"); at >= 0 {
						t.Errorf("request %d: ...%s", i, text[max(0, at-300):])
					}
				}
				if len(sent) > 0 && !strings.Contains(sent[0], "OPEN") {
					t.Errorf("what isn't private isn't there: %s", sent[0])
				}
			})
		}
	}
}

// promptOf is what a model was sent first.
func promptOf(s *agenttest.Script) string {
	for _, req := range s.Requests() {
		rules, messages := req.Prompt()
		return fmt.Sprint(rules, messages)
	}
	return ""
}
