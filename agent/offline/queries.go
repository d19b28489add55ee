package offline

import (
	"strings"

	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/queries"
	"kist/agent/offline/refer"
)

// Questions about kist's own doings and about what isn't known yet.

// listChanges tells what kist changed, newest first.
func (t *talk) listChanges() {
	from, to, when := queries.When(t.text, t.sit.Now)
	var lines []string
	more := 0
	for _, ch := range t.sit.Changes {
		if ch.At.Before(from) || !ch.At.Before(to) || when == queries.InSession && ch.Session != t.sit.Session {
			continue
		}
		if len(lines) == maxSpoken {
			more++
			continue
		}
		lines = append(lines, ch.At.In(t.sit.Now.Location()).Format("2 Jan 15:04")+": "+ch.Reason+" ("+ch.Path+")")
	}
	if len(lines) == 0 {
		t.say("I changed nothing%s.", when)
		return
	}
	t.say("What I changed%s:\n- %s", when, strings.Join(lines, "\n- "))
	if more > 0 {
		t.say("And %d more; “kist op list” has them all.", more)
	}
}

// openQuestions tells which dimensions of a project, or of the draft, say nothing yet,
// with a question for the ones that matter most.
func (t *talk) openQuestions(m interpret.Meaning) {
	if d := t.sit.Draft; d != nil && d.Status == "in_progress" && len(m.Project.Found) == 0 {
		missing := map[string]bool{}
		for _, key := range guide.Dimensions() {
			missing[key] = strings.TrimSpace(d.Dimensions[key]) == ""
		}
		t.speakOpen(d.Name, missing)
		return
	}
	t.measured(m, func(result, each map[string]any) {
		missing := map[string]bool{}
		for _, key := range guide.Dimensions() {
			missing[key] = num(each, key) == 0
		}
		t.speakOpen(str(result, "name"), missing)
	})
}

func (t *talk) speakOpen(name string, missing map[string]bool) {
	var lines, others []string
	for _, key := range guide.Dimensions() {
		core := false
		for _, k := range guide.Core() {
			core = core || k == key
		}
		switch q, ok := guide.Ask(guide.State{Name: spoken(name), Seed: t.sit.Session}, key); {
		case !missing[key]:
		case core && ok:
			lines = append(lines, guide.Title(key)+": "+q.Text)
		default:
			others = append(others, guide.Title(key))
		}
	}
	if len(lines)+len(others) == 0 {
		t.say("Each of the nine dimensions of **%s** says something.", name)
		return
	}
	if len(lines) > 0 {
		t.say("Still to find out for **%s**:\n- %s", name, strings.Join(lines, "\n- "))
	}
	if len(others) > 0 {
		t.say("Nothing is written yet on %s; that may be fine.", strings.Join(others, ", "))
	}
}

// whichProject suggests where something belongs.
func (t *talk) whichProject(m interpret.Meaning) {
	text := m.Text
	for _, other := range []string{interpret.Belonging(interpret.ClauseOf(t.text)), t.before} {
		if len(language.ContentWords(language.Tokenize(text))) == 0 {
			text = other
		}
	}
	if text = language.Limit(language.OneLine(text), 1000); text == "" {
		t.say("Which thing do you mean? Say it behind the question.")
		return
	}
	a := t.act(nil)
	w := a.want("suggest_project_for_memory", map[string]any{"content": text})
	a.then = func() {
		if t.failed(w) {
			return
		}
		slug := str(w.res.Result, "project")
		if slug == "" {
			t.spokenOf(text)
			return
		}
		sure, _ := w.res.Result["confidence"].(float64)
		t.say("I'd say **%s** (%.0f%% sure).", refer.NameIn(t.sit.Projects, slug), 100*sure)
	}
}

// spokenOf tells which project has words of something that none is surely about.
func (t *talk) spokenOf(text string) {
	res, ok := t.more("search", map[string]any{"query": language.Limit(text, maxQuery), "limit": 8})
	if !ok {
		return
	}
	for _, hit := range rankHits(objects(res.Result, "hits")) {
		if p, known := refer.BySlug(t.sit.Projects, str(hit, "project")); known && behind(hit) == 0 {
			t.say("I can't tell for sure. **%s** speaks of something like it (%s:%d).", p.Name, str(hit, "path"), num(hit, "line"))
			return
		}
	}
	t.say("I can't tell: no project speaks of that. It may be a new one, or for you alone.")
}

// otherDay reads "no, make that the 8th" as another date for the task that was given
// one just before.
func (t *talk) otherDay() (interpret.Meaning, bool) {
	day, ok := t.DayAlone(t.text)
	if !ok {
		return interpret.Meaning{}, false
	}
	for _, said := range t.said[:min(len(t.said), 5)] {
		if _, again := t.DayAlone(said); again {
			continue // "the 7th, no, the 8th"
		}
		for _, m := range t.Read(said) {
			if m.Intent == intent.UpdateTask && len(m.Titles) > 0 && (m.Change.Due != "" || m.Moved.Set()) {
				m.Change.Due, m.Moved = day, interpret.Moved{Start: m.Moved.Start}
				return m, true
			}
		}
		break
	}
	return interpret.Meaning{}, false
}
