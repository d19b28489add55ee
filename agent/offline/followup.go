package offline

import (
	"slices"
	"strings"

	"kist/agent/guide"
	"kist/agent/model"
)

// The questions that kist asks and understands the answers to. A session keeps
// a question as text, so that it survives a restart and another machine; the
// names in it are read back from between the quotation marks.
const (
	askCreate   = "Shall I create a project called "
	askWhich    = "Which project do you mean: "
	askInto     = "Which of them takes in the other: "
	askBelongs  = "Which project does this belong to: "
	askTask     = "Shall I add this as a task: "
	askKeepNote = "Shall I write that down as a note?"
	askSwitch   = "Shall we switch to "
	askMean     = "Did you mean the task "
	askNote     = "Shall I keep this as a note in "
)

// inQuotes makes text safe between the quotation marks of a question.
func inQuotes(s string) string {
	return `"` + limit(strings.NewReplacer(`"`, "'", "\n", " ").Replace(s), 300) + `"`
}

// quotedIn returns what stands between quotation marks.
func quotedIn(s string) []string {
	var out []string
	parts := strings.Split(s, `"`)
	for i := 1; i < len(parts); i += 2 {
		out = append(out, parts[i])
	}
	return out
}

// offerAnswered deals with the answer to the offer to write down a plan or a note.
func (t *talk) offerAnswered() bool {
	if t.sit.Question == guide.AskPlan && len(t.sit.Settled) == 0 {
		switch model.ConsentOf(t.text) {
		case model.Yes, model.Go:
			if p, ok := t.planOf(t.before); ok || len(t.calls) > 0 {
				if ok {
					t.carryOut(p)
				}
				return true
			}
		case model.No:
			t.say("All right, nothing was written.")
			return true
		}
	}
	if t.sit.Question == askKeepNote && len(t.sit.Settled) == 0 {
		switch model.ConsentOf(t.text) {
		case model.Yes, model.Go:
			t.note(meaning{intent: addNote, text: strings.TrimSpace(t.before), project: reference{empty: true}})
			return true
		case model.No:
			t.say("All right.")
			return true
		}
	}
	return false
}

// followUp reads the message as an answer to what was asked last. done says
// that the whole message was that answer.
func (t *talk) followUp() (meanings []meaning, done bool) {
	if t.offerAnswered() {
		return nil, true
	}
	if t.optionTaken() || t.ticksTaken() {
		return nil, true
	}
	if m, ok := t.otherDay(); ok {
		return []meaning{m}, true
	}
	names := quotedIn(t.sit.Question)
	if len(names) == 0 {
		return nil, false
	}
	said := model.ConsentOf(t.text)
	yes := said == model.Yes || said == model.Go
	q := t.sit.Question
	ours := slices.ContainsFunc([]string{askCreate, askWhich, askInto, askBelongs, askTask, askSwitch, askMean, askNote},
		func(ask string) bool { return strings.HasPrefix(q, ask) })
	if !ours {
		return nil, false
	}
	if said == model.No {
		if len(t.sit.Settled) > 0 {
			return nil, false
		}
		t.say("All right.")
		return nil, true
	}
	c := &clause{src: t.text, toks: tokenize(t.text)}
	if yes {
		if meanings, done = t.agreed(q, names, c); done {
			return meanings, true
		}
	}
	switch {
	case strings.HasPrefix(q, askInto):
		return nil, t.mergeChosen(names)
	case strings.HasPrefix(q, askWhich), strings.HasPrefix(q, askBelongs):
		return t.choice(q, names, c)
	}
	return nil, false
}

// agreed is what a yes to a question about a name means.
func (t *talk) agreed(q string, names []string, c *clause) (meanings []meaning, done bool) {
	switch {
	case strings.HasPrefix(q, askCreate):
		return []meaning{{intent: createProject, score: 1, sure: true, name: names[0], text: t.occasion(), clause: c}}, true
	case strings.HasPrefix(q, askSwitch):
		ref := refer(&clause{src: names[0]}, tokenize(names[0]), t.sit.Projects)
		return []meaning{{intent: switchTo, score: 1, project: ref, clause: c}}, true
	case strings.HasPrefix(q, askMean):
		meanings := t.again(t.before, reference{empty: true}, "")
		for i := range meanings {
			if meanings[i].intent == completeTask || meanings[i].intent == updateTask || meanings[i].intent == deleteTask {
				meanings[i].title = names[0]
			}
		}
		return meanings, true
	case strings.HasPrefix(q, askNote):
		t.noting = true
		return t.again(t.before, reference{empty: true}, ""), true
	case strings.HasPrefix(q, askTask):
		t.meant = "add a task to " + names[0]
		return t.again(names[0], reference{empty: true}, addTask), true
	}
	return nil, false
}

// choice is what the answer to a question means that names several projects.
func (t *talk) choice(q string, names []string, c *clause) (meanings []meaning, done bool) {
	ref, ok := t.chosen(c)
	if i := pickFrom(t.text, names); !ok && len(i) == 1 { // "the second one"
		if p, known := t.existing(names[i[0]]); known && strings.HasPrefix(q, askWhich) {
			ref, ok = reference{found: []model.Project{p}, exact: true}, true
		}
	}
	if !ok {
		return nil, false
	}
	if strings.HasPrefix(q, askWhich) {
		if m, also := t.meantWith(ref.found[0]); also {
			return []meaning{m}, true
		}
		return []meaning{{intent: switchTo, score: 1, project: ref, clause: c}}, true
	}
	return t.again(names[0], ref, ""), true
}

// occasion is what made kist ask about a new project: the user's words if they
// described one, or else nothing.
func (t *talk) occasion() string {
	for _, m := range t.read(t.before) {
		if m.intent == createProject {
			return t.before
		}
	}
	return "-"
}

// chosen reads a short answer that names a project, such as "the boat" or
// "put it in the coffee shop".
func (t *talk) chosen(c *clause) (reference, bool) {
	toks := skipOpeners(c.toks)
	if len(toks) > 9 {
		return reference{}, false
	}
	if n, ok := matchAny(toks, "<addverb>|it|that|this it|that|this? is|belongs|goes? to|in|into|for|with|under", "to|in|into|for|with|under", "i mean|meant", "it is"); ok {
		toks = toks[n:]
	}
	ref := refer(c, toks, t.sit.Projects)
	_, one := ref.one()
	return ref, one
}

// again reads an earlier message once more, now that the project is known.
func (t *talk) again(text string, project reference, as intent) []meaning {
	meanings := t.read(text)
	for i := range meanings {
		m := &meanings[i]
		if m.intent == none && as == "" {
			continue
		}
		if m.intent == none && as == addTask {
			c := m.clause
			*m = meaning{intent: addTask, score: 1, clause: c, todos: []todo{readTodo(c.src, c.body, t.sit.Now)}, project: reference{empty: true}}
		}
		if !project.empty {
			m.project = project
		}
	}
	return meanings
}

// consented answers a go, yes or no that was about proposals, which the engine
// has carried out or rejected by now, or about nothing.
func (t *talk) consented(m meaning) {
	said := model.ConsentOf(m.clause.src)
	if len(t.sit.Settled) == 0 {
		switch {
		case said == model.No:
			t.say("All right.")
		case said == model.Yes:
			t.say("Good.")
		default:
			t.say("Nothing is waiting for your go.")
		}
		return
	}
	t.settled()
}

// bullets says a list under a line; one item stands on the line itself.
func (t *talk) bullets(head string, items []string) {
	switch len(items) {
	case 0:
	case 1:
		t.say("%s %s", head, items[0])
	default:
		t.say("%s\n- %s", head, strings.Join(items, "\n- "))
	}
}

// declined answers a "don't".
func (t *talk) declined(m meaning) {
	if t.here != nil {
		t.say("Okay, I won't. We stay in **%s**.", t.here.Name)
		return
	}
	t.say("Okay, I won't.")
}
