package offline

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
)

// A want is a tool call of this turn, with its result once it is there.
type want struct {
	call model.Call
	res  result
	ok   bool
}

// An act is one thing to do: calls that can all be made at once, and what to
// say, or to call next, when their results are there.
type act struct {
	turn  *turn
	wants []*want
	then  func()
}

// A turn is the answer to one user message, as far as it has come. It is built anew for
// every request and must come to the same calls each time.
type turn struct {
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
	offering bool            // what is called now is only offered: the user decides
	told     bool            // the limits were part of the answer itself
	heard    bool            // the message only tells something: no answer of its own is due
}

// newTurn begins the answer to the last message of a request.
func newTurn(req model.Request) *turn {
	t := &turn{Reader: interpret.NewReader(req.Situation, nil), sit: req.Situation, here: req.Situation.Project, results: map[string]result{}, made: map[string]int{}}
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

// run makes the calls that were planned, or speaks as far as their results allow.
func (t *turn) run() {
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

// want plans a call that is made with the others of this step.
func (a *act) want(tool string, args map[string]any) *want {
	w := a.turn.newWant(tool, args)
	a.wants = append(a.wants, w)
	return w
}

// more makes a call whose arguments come from earlier results; ok is false
// until it is answered.
func (t *turn) more(tool string, args map[string]any) (result, bool) {
	w := t.newWant(tool, args)
	t.fetch(w)
	return w.res, w.ok
}

// newWant is a call that isn't made or planned yet.
func (t *turn) newWant(tool string, args map[string]any) *want {
	return &want{call: t.newCall(tool, args)}
}

func (t *turn) newCall(tool string, args map[string]any) model.Call {
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
func (t *turn) fetch(w *want) {
	if w.res, w.ok = t.results[w.call.ID]; !w.ok && !slices.ContainsFunc(t.calls, func(c model.Call) bool { return c.ID == w.call.ID }) {
		t.calls = append(t.calls, w.call)
	}
}

// offer does what only the user can decide on: its calls become proposals, which the
// engine shows and carries out on a yes.
func (t *turn) offer(do func()) {
	t.offering = true
	t.late(do)
	t.offering = false
}

// say adds a paragraph to the reply.
func (t *turn) say(format string, args ...any) {
	if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" && !slices.Contains(t.paras, text) {
		t.paras = append(t.paras, text)
	}
}

// reply puts the turn's words together. A question stands alone at the end,
// where the next turn finds it.
func (t *turn) reply() string {
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

func (t *turn) act(then func()) *act {
	a := &act{turn: t, then: then}
	t.acts = append(t.acts, a)
	return a
}

// late lets something that plans calls of its own happen among results that are
// there already.
func (t *turn) late(do func()) {
	if do == nil {
		return
	}
	n := len(t.acts)
	do()
	for _, a := range t.acts[n:] {
		for _, w := range a.wants {
			t.fetch(w)
		}
		if len(t.calls) > 0 {
			break
		}
		if a.then != nil {
			a.then()
		}
	}
	t.acts = t.acts[:n]
}

// failed tells of a call that had no effect. Of an offer nobody asked for, nothing is
// told.
func (t *turn) failed(w *want) bool {
	if w.res.OK {
		return false
	}
	if t.offering {
		return true
	}
	msg := w.res.Error
	if w.res.Suggestion != "" {
		msg += "; " + w.res.Suggestion
	}
	t.say("That didn't work: %s.", strings.TrimRight(msg, "."))
	return true
}

// bullets says a list under a line; one item stands on the line itself.
func (t *turn) bullets(head string, items []string) {
	switch len(items) {
	case 0:
	case 1:
		t.say("%s %s", head, items[0])
	default:
		t.say("%s\n- %s", head, strings.Join(items, "\n- "))
	}
}

// proposed says what waits, and why it does. Of what is only offered the engine says it
// all.
func (t *turn) proposed(head string, lines []string, place map[string]any) {
	if len(lines) == 0 {
		return
	}
	t.waits = true
	if t.offering {
		return
	}
	t.bullets(head, lines)
	switch {
	case place["project"] != nil && t.here != nil:
		t.say("I ask first because we're in **%s**.", t.here.Name)
	case t.here != nil && t.here.CreatedBy != "agent":
		t.say("I ask first because you made this project yourself.")
	}
}

// speakChange tells what became of a change.
func (t *turn) speakChange(w *want, did, ready, line string) {
	switch {
	case t.failed(w):
	case w.res.Status == "proposed":
		t.proposed(ready, []string{line}, nil)
	default:
		t.say("%s %s", did, line)
	}
}

// unplanned is an act of which who asked for it makes the calls.
func (t *turn) unplanned() *act { return &act{turn: t} }
