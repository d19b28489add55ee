package offline

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
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
	interpret.Reader
	sit     model.Situation
	text    string            // of the user
	before  string            // what the user said in the turn before
	said    []string          // what the user said before, newest first
	results map[string]result // by the ids of the calls
	calls   []model.Call
	made    map[string]int // how often a call was made, by tool and arguments
	changes int            // calls that change something, so far
	acts    []*act

	here     *model.Project // the active project at this point of the message
	isNew    bool           // a project is created in this message; here is unknown until then
	paras    []string
	question *model.Question // asked at the end of the reply
	waits    bool            // something was proposed
	flat     *want           // what is remembered of how the user likes things organised
	meant    string          // what an answer stands for, where the answer's own words don't say it
	offering bool            // what is called now is only offered: the user decides
	lesson   *intent.Example // what an answer has taught of a message before
	touched  map[string]bool // what is done to which task, in this turn
	told     bool            // the limits were part of the answer itself
	heard    bool            // the message only tells something: no answer of its own is due
}

func newTalk(req model.Request) *talk {
	t := &talk{Reader: interpret.NewReader(req.Situation, nil), sit: req.Situation, here: req.Situation.Project, results: map[string]result{}, made: map[string]int{}}
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
		t.results[m.CallID] = r
	}
	return t
}

// work plans the message and speaks as far as results allow.
func (t *talk) work() {
	t.understand()
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
			return // what comes next may depend on it
		}
	}
}

// understand decides what the message is: a word on what waited, an answer to what was
// asked, part of a guided session, or something new.
func (t *talk) understand() {
	if len(t.sit.Settled) > 0 { // the engine carried it out, or dropped it
		t.settled()
		if t.sit.Mode == "project_update" {
			t.goOn()
		}
		if t.text = consent.Rest(t.text); t.text == "" {
			return
		}
	}
	if n := len(t.sit.Aside); n > 0 && consent.Doubts(t.text) {
		t.say("All right, nothing is done. %s; “what is waiting?” shows it.", language.Capital(plural(n, "proposal")+" put aside"))
		return
	}
	if meanings, done := t.followUp(); done {
		for _, m := range meanings {
			t.handle(m)
		}
		return
	}
	if m, ok := t.NamedUndo(t.text); ok {
		t.handle(m)
		return
	}
	if m, ok := t.NamedList(t.text); ok {
		t.handle(m)
		return
	}
	if !t.whatIfLate() && !t.guided() && !t.wishes() && !t.proposing() {
		t.plan(t.Read(t.text))
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
	text, err := json.Marshal(args)
	if err != nil {
		text = []byte("{}") // strings and numbers always marshal
	}
	sum := fnv.New32a()
	sum.Write(text) // a hash never fails to write
	id := fmt.Sprintf("%s-%08x", tool, sum.Sum32())
	n := t.changes
	if !looks(tool) {
		t.changes++
		t.made[id]++
		n = t.made[id]
	}
	return model.Call{ID: fmt.Sprintf("%s-%d", id, n), Name: tool, Arguments: text, Propose: t.offering}
}

// looks reports whether a tool only reads: asked the same twice with nothing done in
// between, it answers once.
func looks(tool string) bool {
	verb, _, _ := strings.Cut(tool, "_")
	return language.In("list|show|search|read", verb)
}

// fetch takes a call's result, or has the call made. Its id tells which result is its
// own: it follows from what is called, and so is the same each time a talk is built.
func (t *talk) fetch(w *want) {
	if w.res, w.ok = t.results[w.call.ID]; !w.ok && !slices.ContainsFunc(t.calls, func(c model.Call) bool { return c.ID == w.call.ID }) {
		t.calls = append(t.calls, w.call)
	}
}

// offer does what only the user can decide on: its calls become proposals, which the
// engine shows and carries out on a yes.
func (t *talk) offer(do func()) {
	t.offering = true
	t.late(do)
	t.offering = false
}

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
	if t.waits { // the engine asks for a go behind this, and one question is enough
		t.question = nil
	}
	if len(paras) == 0 && t.question == nil && !t.waits && !t.heard {
		paras = append(paras, "I'm here.")
	}
	if t.sit.Turns == 0 && !t.told {
		paras = append(paras, limits)
	}
	if t.question != nil {
		paras = append(paras, t.question.Text)
	}
	return strings.Join(paras, "\n\n")
}

// limits is said once in a session.
const limits = "(No language model is set up: I keep, find and organise things, but I can't draft texts or reason about them.)"

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
