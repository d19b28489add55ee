package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kist/agent/model"
)

// A result is what a tool answered.
type result struct {
	OK         bool           `json:"ok"`
	Status     string         `json:"status"` // of a change: done or proposed
	Error      string         `json:"error"`
	Suggestion string         `json:"suggestion"`
	Result     map[string]any `json:"result"`
}

// A want is a tool call of this turn, with its result once it is there.
type want struct {
	call model.Call
	res  result
	ok   bool
}

// An act is one thing to do: calls that can all be made at once, and what to
// say, or to call next, when their results are there.
type act struct {
	wants []*want
	then  func()
}

// A talk works through one user message. It is built anew for every request of
// a turn and must come to the same calls each time.
type talk struct {
	reader
	text    string   // of the user
	before  string   // what the user said in the turn before
	said    []string // what the user said before, newest first
	results []result
	used    int // results that were handed out
	calls   []model.Call
	number  int // of the next call
	acts    []*act

	here     *model.Project // the active project at this point of the message
	isNew    bool           // a project is created in this message; here is unknown until then
	paras    []string
	question string // asked at the end of the reply
	waits    bool   // something was proposed
	flat     *want  // what is remembered of how the user likes things organised
	meant    string // what an answer stands for, where the answer's own words don't say it
	noting   bool   // what is found is kept as a note
	told     bool   // the limits were part of the answer itself
}

func newTalk(req model.Request) *talk {
	t := &talk{reader: reader{req.Situation}, here: req.Situation.Project}
	last := -1
	for i, m := range req.Messages {
		if m.Role == model.User {
			if last >= 0 {
				t.before = req.Messages[last].Text
				t.said = append(t.said, t.before)
			}
			last = i
		}
	}
	if last < 0 {
		return t
	}
	t.text = req.Messages[last].Text
	slices.Reverse(t.said)
	for _, m := range req.Messages[last+1:] {
		if m.Role != model.ToolRole {
			continue
		}
		var r result
		if err := json.Unmarshal([]byte(m.Text), &r); err != nil {
			r = result{Error: "the tool's answer makes no sense"}
		}
		t.results = append(t.results, r)
	}
	return t
}

// work plans the message and speaks as far as results allow.
func (t *talk) work() {
	if len(t.sit.Settled) > 0 && model.ConsentOf(t.text) == model.NoConsent {
		t.settled() // a choice among what waited
	} else if meanings, done := t.followUp(); done {
		for _, m := range meanings {
			t.handle(m)
		}
	} else if !t.guided() && !t.wishes() && !t.proposing() {
		t.plan(t.read(t.text))
	}
	if len(t.calls) > 0 {
		return // something must be known before anything is planned
	}
	for _, a := range t.acts {
		for _, w := range a.wants {
			t.fetch(w)
		}
	}
	if len(t.calls) > 0 {
		return
	}
	for _, a := range t.acts {
		if a.then != nil {
			a.then()
		}
		if len(t.calls) > 0 {
			return // results are handed out in order: the next one mustn't come before
		}
	}
}

// want plans a call that is made with the others of this step.
func (a *act) want(t *talk, tool string, args map[string]any) *want {
	w := &want{call: t.newCall(tool, args)}
	a.wants = append(a.wants, w)
	return w
}

// more makes a call whose arguments come from earlier results; ok is false
// until it is answered.
func (t *talk) more(tool string, args map[string]any) (result, bool) {
	w := &want{call: t.newCall(tool, args)}
	t.fetch(w)
	return w.res, w.ok
}

func (t *talk) newCall(tool string, args map[string]any) model.Call {
	t.number++
	text, err := json.Marshal(args)
	if err != nil {
		text = []byte("{}") // strings and numbers always marshal
	}
	return model.Call{ID: fmt.Sprintf("call-%d", t.number), Name: tool, Arguments: text}
}

// fetch hands out results in the order of the calls.
func (t *talk) fetch(w *want) {
	if t.used < len(t.results) {
		w.res, w.ok = t.results[t.used], true
		t.used++
		return
	}
	t.calls = append(t.calls, w.call)
}

// pending are the calls that the turn needs answered before it goes on.
func (t *talk) pending() []model.Call { return t.calls }

// say adds a paragraph to the reply.
func (t *talk) say(format string, args ...any) {
	if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" && !slices.Contains(t.paras, text) {
		t.paras = append(t.paras, text)
	}
}

// reply puts the turn's words together. A question stands alone at the end,
// where the next turn finds it.
func (t *talk) reply() string {
	paras := slices.Clone(t.paras)
	if len(t.calls) > 0 {
		paras = append(paras, "I had to stop before everything was done.")
	}
	if t.waits {
		paras = append(paras, "Say **go** and I'll do it, or **no** to drop it.")
	}
	if len(paras) == 0 && t.question == "" {
		paras = append(paras, "I'm here.")
	}
	if t.sit.Turns == 0 && !t.told {
		paras = append(paras, limits)
	}
	if t.question != "" {
		paras = append(paras, t.question)
	}
	return strings.Join(paras, "\n\n")
}

// limits is said once in a session.
const limits = "(No language model is set up: I keep, find and organise things, but I can't draft texts or reason about them.)"

// plan turns what was understood into acts. Clauses that mean nothing to us are
// passed over where another one does.
func (t *talk) plan(meanings []meaning) {
	useful := slices.ContainsFunc(meanings, func(m meaning) bool { return m.intent != none })
	if slices.ContainsFunc(meanings, t.unasked) {
		if _, known := t.likesFlat(); !known {
			return
		}
	}
	chatty := slices.ContainsFunc(meanings, func(m meaning) bool { return substantial(m.intent) })
	for _, m := range meanings {
		if m.intent == none && useful || chatty && !substantial(m.intent) {
			continue
		}
		if p, ok := m.project.one(); ok && m.intent == none && m.about == "elsewhere" {
			t.say("That sounds like **%s**.", p.Name)
			t.question = askSwitch + inQuotes(p.Name) + "?"
			return
		}
		if m.intent == none {
			t.fallback()
			return
		}
		t.handle(m)
	}
	if len(meanings) == 0 {
		t.say("I didn't catch any words in that.")
	}
}

// substantial: a greeting before a command needs no answer of its own, nor does
// "not the boat" before "the shop".
func substantial(i intent) bool { return i != none && i != greet && i != thanks && i != decline }

func (t *talk) handle(m meaning) {
	switch m.intent {
	case none:
		t.fallback()
	case consent:
		t.consented(m)
	case decline:
		t.declined(m)
	case greet, thanks, help:
		t.smalltalk(m.intent)
	case createProject:
		t.create(m)
	case switchTo:
		t.switchTo(m)
	case goBack:
		t.back(m)
	case addTask:
		t.obligation(m)
	case completeTask:
		t.changeTask(m)
	case updateTask:
		t.update(m)
	case addNote:
		t.note(m)
	case addDecision:
		t.decision(m)
	case remember:
		t.memory(m)
	case listProjects:
		t.projects()
	case listTasks:
		t.tasks(m)
	case listMemories:
		t.memories()
	case status:
		t.status(m)
	case ask:
		t.answer(m)
	case unsupported:
		t.cannot(m)
	case renameProject, mergeProjects, archiveProject, deleteProject:
		t.restructure(m)
	case deleteTask:
		t.dropTask(m)
	case undoLast:
		t.undo()
	case forgetMemory, moveMemory:
		t.changeMemory(m)
	case startMode:
		t.begin(m)
	case completeness:
		t.complete(m)
	case listPending:
		t.listWaiting()
	case listChanges:
		t.listChanges(m)
	case openQuestions:
		t.openQuestions(m)
	case whichProject:
		t.whichProject(m)
	case listDrafts:
		t.drafts()
	case abandonDraft:
		t.giveUp(m)
	}
}

func (t *talk) act(then func()) *act {
	a := &act{then: then}
	t.acts = append(t.acts, a)
	return a
}

// The values of results, which are JSON: absent and ill-typed ones are zero.

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func num(m map[string]any, key string) int {
	f, _ := m[key].(float64)
	return int(f)
}

func objects(m map[string]any, key string) []map[string]any {
	list, _ := m[key].([]any)
	var out []map[string]any
	for _, v := range list {
		if o, ok := v.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

func strs(m map[string]any, key string) []string {
	list, _ := m[key].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
