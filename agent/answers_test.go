package agent_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/claims"
	"kist/agent/model"
	"kist/vault/conversation"
	"kist/vault/vaulttest"
)

// What goes back to a model is what every server takes: arguments that are an object, ids
// that are unique in the request, names of letters, whatever it had sent.
func TestCallsGoBackInOrder(t *testing.T) {
	call := func(id, name, args string) model.Event {
		return model.Event{Call: &model.Call{ID: id, Name: name, Arguments: json.RawMessage(args)}}
	}
	script := agenttest.NewScript(
		agenttest.Step{Events: []model.Event{
			call("a", "list_projects", `{}`), call("a", "list_projects", `{}`), call("", "create_task", `{"title":`), call("b", "wh\x00at is this?", `[1]`),
			call(strings.Repeat("x", 100), "list_projects", `null`),
		}},
		agenttest.Step{Events: []model.Event{call("a", "list_projects", `{}`), call("call-1", "list_projects", ``)}},
		agenttest.Say("Done."),
	)
	s := newStage(t, boats, script, agent.Options{})
	s.send(t, agent.Message{Text: "what is there?"})
	requests := script.Requests()
	ids, results := map[string]bool{}, map[string]int{}
	for _, m := range requests[len(requests)-1].Messages {
		for _, c := range m.Calls {
			var object map[string]any
			if err := json.Unmarshal(c.Arguments, &object); err != nil || object == nil {
				t.Errorf("%s goes back with %s", c.Name, c.Arguments)
			}
			if c.ID == "" || len(c.ID) > 40 || ids[c.ID] {
				t.Errorf("id %q", c.ID)
			}
			if strings.ContainsAny(c.Name, "\x00 ?") {
				t.Errorf("name %q", c.Name)
			}
			ids[c.ID] = true
		}
		if m.Role == model.ToolRole {
			results[m.CallID]++
		}
	}
	if len(ids) != 7 || len(results) != 7 {
		t.Errorf("%d calls, %d results", len(ids), len(results))
	}
	for id, n := range results {
		if n != 1 || !ids[id] {
			t.Errorf("%d results of %q", n, id)
		}
	}
}

// Calls that make sense in between are no reason to end a turn, nor are many wrong ones in
// one step: the model has to hear of them first.
func TestWrongCallsEndATurnOnlyInARow(t *testing.T) {
	wrong := agenttest.Call("no_tool", `{}`, "no_tool", `{}`, "no_tool", `{}`, "no_tool", `{}`, "no_tool", `{}`, "no_tool", `{}`)
	right := func(query string) agenttest.Step {
		return agenttest.Call("no_tool", `{}`, "search", `{"query":"`+query+`"}`)
	}
	script := agenttest.NewScript(wrong, wrong, right("a"), wrong, wrong, right("b"), agenttest.Say("There you are."))
	s := newStage(t, boats, script, agent.Options{})
	if got := outline(s.send(t, agent.Message{Text: "look"})); !strings.HasSuffix(got, "text, done ") {
		t.Error(got)
	}
}

// How an answer ended is said where the user has to know, and what was thought is kept nowhere.
func TestEndsOfAnswers(t *testing.T) {
	for _, c := range []struct {
		step agenttest.Step
		want string // in the events
	}{
		{agenttest.Step{Stop: model.Refused}, "declined to answer"},
		{agenttest.Step{Stop: model.Filtered}, "kept the answer back"},
		{agenttest.Step{Events: []model.Event{{Thinking: "secret thoughts"}, {Text: "Fine."}}}, "Fine."},
	} {
		script := agenttest.NewScript(c.step)
		s := newStage(t, boats, script, agent.Options{})
		events := slices.DeleteFunc(s.send(t, agent.Message{Text: "well?"}), func(e agent.Event) bool {
			_, thinks := e.(agent.Thinking)
			return thinks
		})
		got, said := fmt.Sprintf("%+v", events), ""
		for _, e := range events {
			if e, ok := e.(agent.TextDelta); ok {
				said += e.Text
			}
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, "secret") || said == "" {
			t.Errorf("%+v: %s", c.step, got)
		}
		s.send(t, agent.Message{Text: "and then?"})
		if kept, next := fmt.Sprint(vaulttest.Tree(t, s.root)), fmt.Sprintf("%+v", script.Requests()[1].Messages); strings.Contains(kept+next, "secret") || !strings.Contains(next, "and then?") {
			t.Errorf("%+v: thoughts are kept: %s\n%s", c.step, next, kept)
		}
	}
}

// Words that came to the limit of an answer are gone on with, once in a turn, as one text.
func TestCutWords(t *testing.T) {
	half := func(text string) agenttest.Step {
		return agenttest.Step{Events: []model.Event{{Text: text}}, Stop: model.Length}
	}
	for _, c := range []struct {
		script *agenttest.Script
		want   string
	}{
		{agenttest.NewScript(half("Half a lo"), agenttest.Say("af is left.")), "Half a loaf is left."},
		{agenttest.NewScript(half("Half a lo"), half("af is le"), agenttest.Say("never asked")), "Half a loaf is le\n(The answer was cut off: it reached the model's limit.)"},
		{agenttest.NewScript(half(strings.Repeat("Half. ", 6)), agenttest.Say("never asked")), strings.Repeat("Half. ", 6) + "\n(The answer was cut off: it reached the model's limit.)"},
		{agenttest.NewScript(half("Half a lo"), agenttest.Step{}), "Half a lo\n(The answer was cut off: it reached the model's limit.)"},
	} {
		s := newStage(t, boats, c.script, agent.Options{})
		got := ""
		for _, e := range s.send(t, agent.Message{Text: "what is left?"}) {
			switch e := e.(type) {
			case agent.TextDelta:
				got += e.Text
			case agent.Notice:
				got += "\n(" + e.Text + ")"
			}
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// lastReply is what the conversation has of the last turn.
func lastReply(t *testing.T, s *stage) string {
	t.Helper()
	turns, err := conversation.RecentTurns(t.Context(), s.vault, "", 1)
	if err != nil || len(turns) != 1 {
		t.Fatal(turns, err)
	}
	return turns[0].Reply
}

// A model that is asked once more and says the same again has said it once.
func TestSaysTheSameAgain(t *testing.T) {
	s := newStage(t, boats, agenttest.NewScript(agenttest.Say("É carvalho."), agenttest.Say("É carvalho.")), agent.Options{})
	s.send(t, agent.Message{Text: "Add a task: oil the deck"})
	if said := lastReply(t, s); strings.Count(said, "carvalho") != 1 {
		t.Errorf("%q", said)
	}
}

// A claim that nobody asked for, in a language in which claims aren't known, is told of as what
// can't be checked, once in a while, and a plain answer isn't.
func TestClaimsThatNobodyCanCheck(t *testing.T) {
	says := agenttest.Say("É da luz. Também criei uma tarefa para o renovar.")
	s := newStage(t, boats, agenttest.NewScript(agenttest.Say("É da luz que vem do mar."), says, says), agent.Options{})
	for i, told := range []bool{false, true, false} {
		s.send(t, agent.Message{Text: "Porque é que o verniz descasca?"})
		if said := lastReply(t, s); strings.Contains(said, claims.Unchecked) != told {
			t.Errorf("%d: %q", i, said)
		}
	}
}

// An answer whose stream ends without saying so was cut off: what it said so far isn't
// taken for all of it.
func TestAnswerCutOff(t *testing.T) {
	script := agenttest.NewScript(agenttest.Step{Events: []model.Event{{Text: "It is due on the"}}, CutOff: true})
	s := newStage(t, boats, script, agent.Options{})
	if got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "when is it due?"})); !strings.Contains(got, "the answer was cut off") {
		t.Error(got)
	}
}

// What a model says in several steps doesn't run together.
func TestStepsAreParted(t *testing.T) {
	look := agenttest.Call("list_projects", `{}`)
	look.Events = append([]model.Event{{Text: "I'll look."}}, look.Events...)
	script := agenttest.NewScript(look, look, agenttest.Say("You have two."))
	s := newStage(t, boats, script, agent.Options{})
	var text strings.Builder
	for _, e := range s.send(t, agent.Message{Text: "what is there?"}) {
		if d, ok := e.(agent.TextDelta); ok {
			text.WriteString(d.Text)
		}
	}
	if got := text.String(); got != "I'll look.\n\nI'll look.\n\nYou have two." {
		t.Errorf("%q", got)
	}
}

// A model that says nothing is asked once more, and then the user is told.
func TestEmptyAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		steps []agenttest.Step
		want  string
	}{
		"once":       {[]agenttest.Step{agenttest.Say(" \n"), agenttest.Say("Two.")}, "Two."},
		"thinking":   {[]agenttest.Step{{Events: []model.Event{{Thinking: "hm"}}}, agenttest.Say("Two.")}, "Two."},
		"for ever":   {[]agenttest.Step{{}, {}, {}}, "The model gave no answer."},
		"after work": {[]agenttest.Step{agenttest.Call("list_projects", `{}`), {}, agenttest.Say("Two.")}, "Two."},
	} {
		script := agenttest.NewScript(c.steps...)
		s := newStage(t, boats, script, agent.Options{})
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "how many?"}))
		if !strings.Contains(got, c.want) || strings.Contains(got, "I see.") || len(script.Requests()) > 3 {
			t.Errorf("%s: %d requests: %s", name, len(script.Requests()), got)
		}
	}
}

// A model that says what it hasn't done is asked for it once; after that the user is told.
func TestFalseClaims(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []agenttest.Step
		files bool // the task is there
		told  bool
	}{
		{"it does it then", []agenttest.Step{agenttest.Say("I've added the task."), agenttest.Call("create_task", `{"title":"Weld","project":"houseboat"}`), agenttest.Say("Now it is there.")}, true, false},
		{"it takes it back", []agenttest.Step{agenttest.Say("I've added the task."), agenttest.Say("Nothing was changed. Which project is it for?")}, false, false},
		{"it insists", []agenttest.Step{agenttest.Say("I've added the task."), agenttest.Say("I have added it.")}, false, true},
		{"it did it", []agenttest.Step{agenttest.Call("create_task", `{"title":"Weld","project":"houseboat"}`), agenttest.Say("I've added the task.")}, true, false},
	} {
		script := agenttest.NewScript(c.steps...)
		s := newStage(t, boats, script, agent.Options{Preset: "auto"})
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "let's weld", Project: "houseboat"}))
		if len(script.Requests()) != len(c.steps) {
			t.Errorf("%s: %d requests", c.name, len(script.Requests()))
		}
		if strings.Contains(got, "{Text:Nothing was changed in this turn.}") != c.told || strings.Contains(s.files(t), "weld.md") != c.files {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// What was asked for and not done is said, in whatever words and language the model claims it,
// once, and so is what it says beside what was done. Talk and answers are left alone.
func TestClaimsOfAnyLanguage(t *testing.T) {
	const unchanged = "Nothing was changed in this turn."
	create := agenttest.Call("create_task", `{"title":"Weld the hull","project":"houseboat"}`)
	for _, c := range []struct {
		message string
		steps   []agenttest.Step
		told    string // empty: nothing is
		asked   int
	}{
		{"Add a task to weld the hull", []agenttest.Step{agenttest.Say("Task created: Weld the hull"), agenttest.Say("Consider it done.")}, unchanged, 2},
		{"Add a task to weld the hull", []agenttest.Step{agenttest.Say("He añadido la tarea."), create, agenttest.Say("Ya está.")}, "", 3},
		{"Añade una tarea: soldar el casco mañana", []agenttest.Step{agenttest.Say("La tarea está creada."), agenttest.Say("Hecho.")}, "", 2}, // it is kept as it was said, which is an operation
		{"Renombra el proyecto del barco a Arca", []agenttest.Step{agenttest.Say("Listo. ¿Algo más?")}, unchanged, 1},
		{"Add a task to weld the hull", []agenttest.Step{agenttest.Say("Which project is it for?")}, unchanged, 1},
		{"Rename the houseboat project to Ark", []agenttest.Step{agenttest.Call("list_projects", `{}`), agenttest.Say("Omdøbt til Ark.")}, unchanged, 2},
		{"Add a task to weld the hull", []agenttest.Step{create, agenttest.Say("Created „Weld the hull“ and „Paint the deck“.")}, "Neither done nor read here: “Paint the deck”.", 2},
		{"Add a task to weld the hull", []agenttest.Step{create, agenttest.Say("Task created: “Weld the hull”.")}, "", 2},
		{"Why is the sky blue?", []agenttest.Step{agenttest.Say("“Air scatters blue” says the book, on 3 May.")}, "", 1},
		{"Hello there", []agenttest.Step{agenttest.Say("Hello!")}, "", 1},
	} {
		script := agenttest.NewScript(c.steps...)
		s := newStage(t, boats, script, agent.Options{Preset: "auto"})
		var told []string
		for _, e := range s.send(t, agent.Message{Text: c.message, Project: "houseboat"}) {
			if e, ok := e.(agent.Notice); ok {
				told = append(told, e.Text)
			}
		}
		if strings.Join(told, "|") != c.told || len(script.Requests()) != c.asked {
			t.Errorf("%q: told %q after %d requests, want %q after %d", c.message, told, len(script.Requests()), c.told, c.asked)
		}
	}
}

// A call that is to be refused isn't carried out, though it is a good one; the model hears why.
func TestRefusedCall(t *testing.T) {
	call := model.Call{Name: "create_task", Arguments: []byte(`{"title":"Weld","project":"houseboat"}`), Refuse: "it stands among words"}
	script := agenttest.NewScript(agenttest.Step{Events: []model.Event{{Text: "Like so: "}, {Call: &call}}}, agenttest.Say("That is an example."))
	s := newStage(t, boats, script, agent.Options{Preset: "auto"})
	s.send(t, agent.Message{Text: "how does a call of yours look?", Project: "houseboat"})
	if strings.Contains(s.files(t), "weld.md") {
		t.Error("it was carried out")
	}
	if all := script.Requests(); len(all) != 2 || !strings.Contains(all[1].Messages[len(all[1].Messages)-1].Text, "among words") {
		t.Errorf("it isn't told why: %d requests", len(all))
	}
}

// A go means what was spoken of before: the tools for that are still on offer.
func TestGoOffersWhatWasMeant(t *testing.T) {
	script := agenttest.NewScript(agenttest.Say("To what name?"), agenttest.Say("Fine."))
	s := newStage(t, boats, script, agent.Options{})
	s.send(t, agent.Message{Text: "let us rename this to Ark", Project: "houseboat"})
	s.send(t, agent.Message{Text: "do it"})
	for i, req := range script.Requests() {
		if !slices.ContainsFunc(req.Tools, func(t model.Tool) bool { return t.Name == "rename_project" }) {
			t.Errorf("request %d doesn't offer rename_project", i)
		}
	}
}

// What the user's policy never allows isn't offered to a model.
func TestForbiddenToolsArentOffered(t *testing.T) {
	script := agenttest.NewScript(agenttest.Say("Fine."))
	s := newStage(t, boats, script, agent.Options{Tools: map[string]string{"create_note": "never"}})
	s.send(t, agent.Message{Text: "note that the hull is dry", Project: "houseboat"})
	req := script.Requests()[0]
	if hasTool(req, "create_note") || !hasTool(req, "create_task") {
		t.Errorf("create_note is on offer (%t), or create_task isn't (%t)", hasTool(req, "create_note"), hasTool(req, "create_task"))
	}
}

// A call that only looks wrong runs, and goes back to the model and to clients as it was
// understood.
func TestMendedCalls(t *testing.T) {
	fenced := "```json\n{\"title\":\"Weld\",\"project\":\"houseboat\",\"due\":null}\n```"
	script := agenttest.NewScript(agenttest.Call("create_task", fenced), agenttest.Say("It waits."))
	s := newStage(t, boats, script, agent.Options{Preset: "auto"})
	for _, e := range s.send(t, agent.Message{Text: "weld", Project: "houseboat"}) {
		if c, ok := e.(agent.ToolCall); ok && (c.Error != "" || !strings.HasPrefix(string(c.Arguments), "{")) {
			t.Errorf("%+v", c)
		}
	}
	messages := script.Requests()[1].Messages
	if got := string(messages[len(messages)-2].Calls[0].Arguments); !strings.Contains(got, `"title":"Weld"`) || !strings.Contains(s.files(t), "weld.md") {
		t.Errorf("it goes back as %s", got)
	}
}

// What a model cites without having seen it is said.
func TestCitations(t *testing.T) {
	script := agenttest.NewScript(agenttest.Say("It is oak: projects/houseboat/notes/made-up.md:3."),
		agenttest.Call("read_document", `{"path":"projects/houseboat/project.md"}`), agenttest.Say("So says projects/houseboat/project.md:1."), agenttest.Say("As I said: projects/houseboat/project.md:1."))
	s := newStage(t, boats, script, agent.Options{})
	for n, want := range []bool{true, false, false} {
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "what is the deck made of?", Project: "houseboat"}))
		if strings.Contains(got, "Cited, but not there: projects/houseboat/notes/made-up.md.") != want {
			t.Errorf("turn %d: %s", n, got)
		}
	}
}

// A line that a model cites beyond the end of what it read is said, and none that is there.
func TestCitedLines(t *testing.T) {
	script := agenttest.NewScript(agenttest.Call("read_document", `{"path":"projects/houseboat/project.md"}`), agenttest.Say("See projects/houseboat/project.md:7 and projects/houseboat/project.md:8."))
	s := newStage(t, boats, script, agent.Options{})
	got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "what is the deck made of?", Project: "houseboat"}))
	if !strings.Contains(got, "Cited, but there is no such line: projects/houseboat/project.md:8.") {
		t.Error(got)
	}
}

// So is a line of a part that wasn't read of a document, and none of what was, by reading, by a
// search or in what was said before.
func TestCitedParts(t *testing.T) {
	script := agenttest.NewScript(agenttest.Call("read_document", `{"path":"projects/houseboat/notes/long.md","from":211,"lines":5}`),
		agenttest.Say("See projects/houseboat/notes/long.md:211, projects/houseboat/notes/long.md:215, projects/houseboat/notes/long.md:216, projects/houseboat/notes/long.md:555 and projects/houseboat/notes/long.md:900."),
		agenttest.Call("read_document", `{"path":"projects/houseboat/notes/long.md","from":100,"lines":5}`),
		agenttest.Say("You said projects/houseboat/notes/long.md:300, see projects/houseboat/notes/long.md:102, not projects/houseboat/notes/long.md:99."))
	s := newStage(t, boats+"\n-- projects/houseboat/notes/long.md --\n"+strings.Repeat("A line of the log.\n", 600), script, agent.Options{})
	for _, c := range [][2]string{{"what does the log say?", "long.md:216, projects/houseboat/notes/long.md:555."}, {"and projects/houseboat/notes/long.md:300?", "long.md:99."}} {
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: c[0], Project: "houseboat"}))
		if !strings.Contains(got, "Cited, but not among the lines that were read: projects/houseboat/notes/"+c[1]) {
			t.Error(got)
		}
	}
}

// What is told of a reply is told too where the turn is stopped, after its last step or
// because the model goes in circles.
func TestStoppedMisgivings(t *testing.T) {
	list := func(n int) agenttest.Step {
		step := agenttest.Call("list_tasks", fmt.Sprintf(`{"project":"atlas","limit":%d}`, n))
		step.Events = append([]model.Event{{Text: "I've added the task. See projects/houseboat/notes/made-up.md:3. "}}, step.Events...)
		return step
	}
	many := agenttest.Answer(func() func(model.Request) agenttest.Step {
		n := 0
		return func(model.Request) agenttest.Step { n++; return list(n) }
	}())
	same := agenttest.Answer(func(model.Request) agenttest.Step { return list(1) })
	for why, script := range map[string]*agenttest.Script{"Stopped after ": many, "Stopped: the model went on": same} {
		s := newStage(t, boats, script, agent.Options{})
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "what is the deck made of?", Project: "houseboat"}))
		for _, want := range []string{why, "Nothing was changed in this turn.", "Cited, but not there: projects/houseboat/notes/made-up.md."} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%q is told %d times: %s", want, strings.Count(got, want), got)
			}
		}
	}
}

// A turn that is stopped says that what it proposed waits, and not that nothing came of it.
func TestStoppedProposal(t *testing.T) {
	remove := agenttest.Call("delete_project", `{"project":"houseboat","reason":"it is sold"}`)
	for n, script := range []*agenttest.Script{
		agenttest.NewScript(remove, remove, remove, remove, remove),
		agenttest.Answer(func(model.Request) agenttest.Step { return agenttest.Call("sell_project", `{}`) }),
	} {
		s := newStage(t, boats, script, agent.Options{})
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "delete the houseboat", Project: "houseboat"}))
		if proposed := n == 0; strings.Contains(got, "Nothing of them was carried out") == proposed || strings.Contains(got, "what it proposed waits for your approval") != proposed || strings.Contains(got, "Proposed: ") != proposed {
			t.Error(got)
		}
	}
}

// What is told of a reply is told too where it says that something was changed, and nothing was.
func TestMadeUpForecast(t *testing.T) {
	made := agenttest.Say("It is 73% complete and will cost 9,750 euro. I have updated the plan. See projects/atlas/project.md:1.")
	s := newStage(t, boats, agenttest.NewScript(made, made), agent.Options{})
	got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "how will it go?", Project: "houseboat", Mode: "project_forecast"}))
	for _, want := range []string{"Nothing was changed in this turn", "Not in what was looked at: 73%, 9,750 euro.", "Cited, but not looked at: projects/atlas/project.md."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q isn't told: %s", want, got)
		}
	}
}

// Figures that a report doesn't have are said where a model tells of one.
func TestFigures(t *testing.T) {
	script := agenttest.NewScript(agenttest.Call("audit", `{"project":"houseboat"}`), agenttest.Say("It lacks a budget; the welding alone costs 7,350 euros, and on 9 June it is done."),
		agenttest.Call("audit", `{"project":"houseboat"}`), agenttest.Say("It lacks a budget, and you have 2,000 euros until 3 May."),
		agenttest.Say("Boats cost 90,000 euros."))
	s := newStage(t, boats, script, agent.Options{})
	for n, want := range []string{"Not in what was looked at: 9 June, 7,350 euros.", "", ""} {
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "what is missing, with my 2,000 euros, until May 3rd?", Project: "houseboat"}))
		if strings.Contains(got, "Not in what was looked at") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("turn %d: %s", n, got)
		}
	}
}

// What a model calls a deletion doesn't stand in for it where the user is asked.
func TestDeedIsNamed(t *testing.T) {
	script := agenttest.NewScript(agenttest.Call("delete_project", `{"project":"houseboat","reason":"add the task \"Buy milk\""}`), agenttest.Say("Say go."))
	s := newStage(t, boats, script, agent.Options{})
	got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: "add buy milk to my tasks, and delete nothing", Project: "houseboat"}))
	if !strings.Contains(got, "Proposed: delete project projects/houseboat") {
		t.Error(got)
	}
}

// An undo that the message doesn't speak of waits for the user's word.
func TestUnaskedUndo(t *testing.T) {
	for text, waits := range map[string]bool{"what about the sauna?": true, "undo that": false} {
		script := agenttest.NewScript(agenttest.Call("remember", `{"content":"The user likes birch","scope":"user"}`), agenttest.Say("Noted."),
			agenttest.Call("undo", `{"last":1}`), agenttest.Say("So."))
		s := newStage(t, boats, script, agent.Options{})
		s.send(t, agent.Message{Text: "I like birch"})
		got := fmt.Sprintf("%+v", s.send(t, agent.Message{Text: text}))
		if strings.Contains(got, "Proposed:") != waits {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// A model that makes the same call again and again changes one thing, is shown nothing twice,
// and is stopped. What looks may look again where something has changed since.
func TestRepeatedCalls(t *testing.T) {
	task := func(n int) (calls []string) {
		for range n {
			calls = append(calls, "create_task", `{"title":"Buy varnish"}`)
		}
		return calls
	}
	list := []string{"list_tasks", `{"project":"atlas"}`}
	same := agenttest.Call("list_tasks", ` {"project" : "atlas"}`)
	script := agenttest.NewScript(
		agenttest.Call(slices.Concat(list, task(8), list)...), agenttest.Call(task(1)...), agenttest.Call(slices.Concat(list, task(1))...), same,
		agenttest.Say("not reached"),
	)
	s := newStage(t, boats, script, agent.Options{Preset: "auto"})
	events := s.send(t, agent.Message{Text: "a task for the varnish, please", Project: "atlas"})
	if got := outline(events); strings.Count(got, "create_task") != 1 || strings.Count(got, "list_tasks") != 2 || strings.Contains(got, "refused") || !strings.Contains(got, "notice") {
		t.Error(got)
	}
	if tasks, _ := filepath.Glob(filepath.Join(s.vault.Dir(), "projects/atlas/tasks/*.md")); len(tasks) != 1 {
		t.Errorf("%v", tasks)
	}
	if got := fmt.Sprint(lastResult(t, script)); !strings.Contains(got, "already done in this turn") {
		t.Error(got)
	}
}

// A model that makes the same call again hears that it is done, and is asked for words; the turn
// says what was done, and not that nothing was.
func TestSameCallAgain(t *testing.T) {
	create := agenttest.Call("create_task", `{"title":"Weld the hull","project":"houseboat","due":"2026-12-04"}`)
	for name, stubborn := range map[string]bool{"it says so then": false, "it goes on": true} {
		script := agenttest.Answer(func(req model.Request) agenttest.Step {
			if req.Choice == model.None && !stubborn {
				return agenttest.Say("Done.")
			}
			return create
		})
		s := newStage(t, boats, script, agent.Options{Preset: "auto"})
		events := s.send(t, agent.Message{Text: "Add a task to weld the hull by 4 December", Project: "houseboat"})
		got := fmt.Sprintf("%+v", events)
		requests := script.Requests()
		if len(requests) != 3 || requests[2].Choice != model.None || !strings.Contains(requests[2].Messages[len(requests[2].Messages)-1].Text, "already done") {
			t.Errorf("%s: %d requests", name, len(requests))
		}
		if strings.Contains(got, "nothing") || strings.Contains(got, "Nothing") || strings.Contains(got, "Error:t") || strings.Contains(got, "It is done; the model only") != stubborn || strings.Count(s.files(t), "weld-the-hull") != 1 {
			t.Errorf("%s: %s", name, got)
		}
	}
}
