package turn

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
)

// A Want is a tool call of this turn, with its result once it is there.
type Want struct {
	call     model.Call
	Result   Result
	Answered bool
}

// An Act is one thing to do: calls that can all be made at once, and what to
// say, or to call next, when their results are there.
type Act struct {
	turn  *Turn
	wants []*Want
	Then  func()
}

// A Turn is the answer to one user message, as far as it has come. It is built anew for
// every request and must come to the same calls each time.
type Turn struct {
	interpret.Reader
	Situation model.Situation
	Text      string            // of the user
	Before    string            // what the user said in the turn before
	Said      []string          // what the user said before, newest first
	results   map[string]Result // by the ids of the calls
	Calls     []model.Call
	made      map[string]int // how often a call was made, by tool and arguments
	changes   int            // calls that change something, so far
	acts      []*Act

	Here     *model.Project // the active project at this point of the message
	Beside   bool           // the message said that it isn't of the active project
	IsNew    bool           // a project is created in this message; here is unknown until then
	Paras    []string
	Question *model.Question // asked at the end of the reply
	Waits    bool            // something was proposed
	Offering bool            // what is called now is only offered: the user decides
	Told     bool            // the limits were part of the answer itself
	Heard    bool            // the message only tells something: no answer of its own is due
}

// New begins the answer to the last message of a request.
func New(req model.Request) *Turn {
	t := &Turn{Reader: interpret.NewReader(req.Situation, nil), Situation: req.Situation, Here: req.Situation.Project, results: map[string]Result{}, made: map[string]int{}}
	last := -1
	for i, m := range req.Messages {
		if m.Role == model.User {
			if last >= 0 {
				t.Before = req.Messages[last].Text
				t.Said = append(t.Said, t.Before)
			}
			last = i
		}
	}
	if last < 0 {
		return t
	}
	t.Text = req.Messages[last].Text
	slices.Reverse(t.Said)
	for _, m := range req.Messages[last+1:] {
		if m.Role != model.ToolRole {
			continue
		}
		var r Result
		if err := json.Unmarshal([]byte(m.Text), &r); err != nil {
			r = Result{Error: "the tool's answer makes no sense"}
		}
		t.results[m.CallID] = r
	}
	return t
}

// NoProject stands for none where one is at hand.
const NoProject = "-"

// Elsewhere is where a clause of the message belongs that isn't about the project at hand: another
// one's slug, or [NoProject].
func (t *Turn) Elsewhere(c *interpret.Clause) (slug string, ok bool) {
	if c == nil || t.IsNew || t.Here != t.Situation.Project {
		return "", false
	}
	text := strings.TrimSpace(c.Text(c.All))
	for _, s := range slices.Sorted(maps.Keys(t.Situation.Elsewhere)) {
		if text != "" && strings.Contains(s, text) {
			return t.Situation.Elsewhere[s], true
		}
	}
	return "", false
}

// Run makes the calls that were planned, or speaks as far as their results allow.
func (t *Turn) Run() {
	for _, a := range t.acts {
		for _, w := range a.wants {
			t.Fetch(w)
		}
	}
	if len(t.Calls) > 0 {
		return
	}
	for _, a := range t.acts {
		if a.Then != nil {
			a.Then()
		}
		if len(t.Calls) > 0 {
			return // what comes next may depend on it
		}
	}
}

// Want plans a call that is made with the others of this step.
func (a *Act) Want(tool string, args map[string]any) *Want {
	w := a.turn.NewWant(tool, args)
	a.wants = append(a.wants, w)
	return w
}

// More makes a call whose arguments come from earlier results; ok is false
// until it is answered.
func (t *Turn) More(tool string, args map[string]any) (Result, bool) {
	w := t.NewWant(tool, args)
	t.Fetch(w)
	return w.Result, w.Answered
}

// NewWant is a call that isn't made or planned yet.
func (t *Turn) NewWant(tool string, args map[string]any) *Want {
	return &Want{call: t.newCall(tool, args)}
}

func (t *Turn) newCall(tool string, args map[string]any) model.Call {
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
	return model.Call{ID: fmt.Sprintf("%s-%d", id, n), Name: tool, Arguments: text, Propose: t.Offering, Quiet: tool == "read_document"}
}

// looks reports whether a tool only reads: asked the same twice with nothing done in
// between, it answers once.
func looks(tool string) bool {
	verb, _, _ := strings.Cut(tool, "_")
	return language.In("list|show|search|read", verb)
}

// Fetch takes a call's result, or has the call made. Its id tells which result is its
// own: it follows from what is called, and so is the same each time a talk is built.
func (t *Turn) Fetch(w *Want) {
	if w.Result, w.Answered = t.results[w.call.ID]; !w.Answered && !slices.ContainsFunc(t.Calls, func(c model.Call) bool { return c.ID == w.call.ID }) {
		t.Calls = append(t.Calls, w.call)
	}
}

// Offer does what only the user can decide on: its calls become proposals, which the
// engine shows and carries out on a yes.
func (t *Turn) Offer(do func()) {
	t.Offering = true
	t.Late(do)
	t.Offering = false
}

// Say adds a paragraph to the reply.
func (t *Turn) Say(format string, args ...any) {
	if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" && !slices.Contains(t.Paras, text) {
		t.Paras = append(t.Paras, text)
	}
}

// Reply puts the turn's words together. A question stands alone at the end,
// where the next turn finds it.
func (t *Turn) Reply() string {
	paras := slices.Clone(t.Paras)
	if len(t.Calls) > 0 {
		paras = append(paras, "I had to stop before everything was done.")
	}
	if t.Waits { // the engine asks for a go behind this, and one question is enough
		t.Question = nil
	}
	if len(paras) == 0 && t.Question == nil && !t.Waits && !t.Heard {
		paras = append(paras, "I'm here.")
	}
	if aside := t.Aside(); aside != "" {
		paras = append(paras, aside)
	}
	if t.Question != nil {
		paras = append(paras, t.Question.Text)
	}
	return strings.Join(paras, "\n\n")
}

// Aside is the paragraph of the reply that isn't an answer: where a language model is set up
// later, it isn't that one's.
func (t *Turn) Aside() string {
	if t.Situation.Turns == 0 && !t.Told && !t.Situation.Beside {
		return limits
	}
	return ""
}

// limits is said once in a session.
const limits = "(No language model is set up: I keep, find and organise things, but I can't draft texts or reason about them.)"

// Act plans something to do; then is called when the results of its calls are there.
func (t *Turn) Act(then func()) *Act {
	a := &Act{turn: t, Then: then}
	t.acts = append(t.acts, a)
	return a
}

// Late lets something that plans calls of its own happen among results that are
// there already.
func (t *Turn) Late(do func()) {
	if do == nil {
		return
	}
	n := len(t.acts)
	do()
	for _, a := range t.acts[n:] {
		for _, w := range a.wants {
			t.Fetch(w)
		}
		if len(t.Calls) > 0 {
			break
		}
		if a.Then != nil {
			a.Then()
		}
	}
	t.acts = t.acts[:n]
}

// Failed tells of a call that had no effect. Of an offer nobody asked for, nothing is
// told.
func (t *Turn) Failed(w *Want) bool {
	if w.Result.OK {
		return false
	}
	if t.Offering {
		return true
	}
	msg := strings.TrimPrefix(w.Result.Error, "invalid argument: ")
	if w.Result.Suggestion != "" {
		msg += "; " + w.Result.Suggestion
	}
	t.Say("That didn't work: %s.", strings.TrimRight(msg, "."))
	return true
}

// Already says of a call for what is so that it is; false: something was to be done.
func (t *Turn) Already(w *Want, line string) bool {
	so, _ := w.Result.Result["already"].(bool)
	if so {
		t.Say("%s", line)
	}
	return so
}

// Bullets says a list under a line; one item stands on the line itself.
func (t *Turn) Bullets(head string, items []string) {
	switch len(items) {
	case 0:
	case 1:
		t.Say("%s %s", head, items[0])
	default:
		t.Say("%s\n- %s", head, strings.Join(items, "\n- "))
	}
}

// Proposed says what waits, and why it does. Of what is only offered the engine says it
// all.
func (t *Turn) Proposed(head string, lines []string, place map[string]any) {
	if len(lines) == 0 {
		return
	}
	t.Waits = true
	if t.Offering {
		return
	}
	t.Bullets(head, lines)
	switch {
	case place["project"] != nil && t.Here != nil:
		t.Say("I ask first because we're in **%s**.", t.Here.Name)
	case t.Here != nil && t.Here.CreatedBy != "agent":
		t.Say("I ask first because you made this project yourself.")
	}
}

// SpeakChange tells what became of a change.
func (t *Turn) SpeakChange(w *Want, did, ready, line string) {
	switch {
	case t.Failed(w):
	case w.Result.Status == "proposed":
		t.Proposed(ready, []string{line}, nil)
	default:
		t.Say("%s %s", did, line)
	}
}

// Unplanned is an act of which who asked for it makes the calls.
func (t *Turn) Unplanned() *Act { return &Act{turn: t} }
