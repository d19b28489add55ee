package offline

import (
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
)

// create makes a project, or asks whether to.
func (t *talk) create(m interpret.Meaning) {
	if m.Name == "" {
		t.ask(askFirst, map[string]string{"text": t.text})
		return
	}
	if p, ok := refer.ByName(t.sit.Projects, m.Name); ok {
		if t.here != nil && t.here.Slug == p.Slug {
			t.say("We're in **%s** already.", p.Name)
			return
		}
		t.say("There is a project **%s** already.", p.Name)
		t.enter(p)
		return
	}
	if unasked(m) {
		if flat, _ := t.likesFlat(); flat {
			t.say("I start no project for that, since you like it flat. Say “create a project” if it should be one.")
			return
		}
	}
	if !m.Sure {
		t.say("That could become a project of its own.")
		t.ask(askCreate, map[string]string{"name": m.Name, "text": orWord(m.Text, t.text)})
		return
	}
	t.here, t.isNew = nil, true
	a := t.act(nil)
	w := a.want("create_project", map[string]any{"name": language.Limit(m.Name, 100), "description": t.description(m), "reason": "start the project " + language.Limit(m.Name, 100) + ": " + why(m)})
	a.then = func() {
		switch {
		case t.failed(w):
		case w.res.Status == "proposed":
			t.waits = true
			t.say("I'd start a project **%s**.", m.Name)
		default:
			because := ": " + why(m)
			if why(m) == byWish {
				because = ""
			}
			t.say("I've started a project **%s**%s. We're in it now; just tell me what there is to do or to remember.", m.Name, because)
		}
	}
}

const byWish = "you asked for it"

// why explains a new project in the words of the occasion.
func why(m interpret.Meaning) string {
	if m.Clause == nil || m.Text != "" || language.Has(m.Clause.Toks, "<projectword>") {
		return byWish
	}
	return "it's a plan of its own that will take more than one conversation"
}

// description is what the user said about it, which is more faithful than any
// rewording.
func (t *talk) description(m interpret.Meaning) string {
	text := t.text
	if m.Text != "" {
		text = m.Text // said in the turn before
	}
	text = strings.TrimSpace(text)
	if len(strings.Fields(text)) < 4 {
		return ""
	}
	return language.Limit(text, 1500)
}

// switchTo goes to the project that is meant, or asks which one it is.
func (t *talk) switchTo(m interpret.Meaning) {
	if len(m.Project.Found) > 1 {
		t.which(m.Project.Found)
		return
	}
	p, ok := m.Project.One()
	if !ok {
		t.unknown(m.Project)
		return
	}
	if t.here != nil && t.here.Slug == p.Slug {
		t.say("We're in **%s** already.", p.Name)
		t.brief(p, false)
		return
	}
	if m.About == "exists" {
		t.say("That fits the project **%s**, which you have already.", p.Name)
	}
	t.enter(p)
}

// enter switches and gives the briefing.
func (t *talk) enter(p model.Project) {
	a := t.act(nil)
	w := a.want("switch_project", map[string]any{"project": p.Slug})
	show := a.want("show_project", map[string]any{"project": p.Slug})
	t.here, t.isNew = &p, false
	a.then = func() {
		if t.failed(w) {
			return
		}
		t.say("We're in **%s** now.", p.Name)
		t.speakBrief(show)
	}
}

// brief tells where a project stands without going there.
func (t *talk) brief(p model.Project, announce bool) {
	a := t.act(nil)
	show := a.want("show_project", map[string]any{"project": p.Slug})
	a.then = func() {
		if announce {
			t.say("**%s** (%s)", p.Name, p.Status)
		}
		t.speakBrief(show)
	}
}

func (t *talk) speakBrief(w *want) {
	if t.failed(w) {
		return
	}
	r := w.res.Result
	if last, ok := r["last_talked"].(map[string]any); ok {
		if at, err := time.Parse(time.RFC3339, str(last, "at")); err == nil {
			t.say("Last talked about %s: “%s”", ago(at, t.sit.Now), language.Limit(language.OneLine(str(last, "about")), 120))
		}
	}
	about := str(r, "summary")
	if about == "" {
		about = str(r, "description")
	}
	if about != "" {
		t.say("%s", language.Limit(language.OneLine(about), 300))
	}
	t.bullets("Decided:", lastOf(strs(r, "decisions"), 5))
	t.bullets("Next steps:", strs(r, "next_steps"))
	tasks := objects(r, "open_tasks")
	open, done := num(r, "open_count"), num(r, "done_count")
	switch {
	case len(tasks) > 0:
		var lines []string
		for _, task := range tasks {
			lines = append(lines, t.taskLine(task))
		}
		t.say("Open tasks (%d, %d done):\n- %s", max(open, len(tasks)), done, strings.Join(lines, "\n- "))
	case done > 0:
		t.say("No open tasks, %d done.", done)
	default:
		t.say("No tasks yet.")
	}
}

// which asks which of several projects is meant.
func (t *talk) which(found []model.Project) {
	args, names := amongProjects(found, map[string]string{"text": t.text})
	t.choose(askWhich, args, names, nil)
}

// unknown answers the name of a project that doesn't exist.
func (t *talk) unknown(ref refer.Reference) {
	if t.stored(ref) {
		return
	}
	name := language.TitleCase(ref.Phrase)
	name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(name, " Project"), " project"))
	if name == "" {
		t.say("Which project do you mean?")
		t.projects()
		return
	}
	t.say("I know no project “%s”.%s", name, nearest(t.sit.Projects, ref.Phrase))
	t.ask(askCreate, map[string]string{"name": name})
}

// nearest suggests projects whose names come near; nothing is ever done to one
// of them on that ground.
func nearest(projects []model.Project, phrase string) string {
	words := language.ContentWords(language.Tokenize(phrase))
	var near []string
	for _, p := range projects {
		for _, w := range words {
			for _, n := range refer.NameWords(p) {
				if language.Alike(w, n) > 0 || len(w) > 3 && strings.HasPrefix(n, w[:3]) {
					near = append(near, p.Name)
				}
			}
		}
	}
	if len(near) == 0 {
		return ""
	}
	return " Did you mean " + near[0] + "?"
}

// back returns to the project before.
func (t *talk) back(m interpret.Meaning) {
	if len(t.sit.Stack) == 0 && t.here == nil {
		t.say("There is nothing to go back to: we're outside any project.")
		return
	}
	a := t.act(nil)
	var to *model.Project
	if n := len(t.sit.Stack); n > 0 {
		to = &t.sit.Stack[n-1]
	}
	w := a.want("go_back", map[string]any{})
	var show *want
	if to != nil {
		show = a.want("show_project", map[string]any{"project": to.Slug})
	}
	t.here = to
	a.then = func() {
		if t.failed(w) {
			return
		}
		if m.Project.Phrase != "" {
			t.say("There is no project “%s”; I went back to where we were before.", m.Project.Phrase)
		}
		if to == nil {
			t.say("We're outside any project now.")
			return
		}
		t.say("Back in **%s**.", to.Name)
		t.speakBrief(show)
	}
}

// status tells where a project stands.
func (t *talk) status(m interpret.Meaning) {
	switch {
	case len(m.Project.Found) > 1:
		t.which(m.Project.Found)
	case len(m.Project.Found) == 1:
		t.brief(m.Project.Found[0], true)
	case m.Project.Named && m.Project.Phrase != "":
		t.unknown(m.Project)
	case t.here != nil:
		t.brief(*t.here, true)
	default:
		t.say("We're outside any project.")
		t.projects()
	}
}

// projects lists them all.
func (t *talk) projects() {
	a := t.act(nil)
	w := a.want("list_projects", map[string]any{})
	a.then = func() {
		if t.failed(w) {
			return
		}
		var lines []string
		for _, p := range objects(w.res.Result, "projects") {
			line := "**" + str(p, "name") + "**"
			if s := str(p, "status"); s != "active" && s != "" {
				line += " (" + s + ")"
			}
			if n := num(p, "open_tasks"); n > 0 {
				line += ", " + plural(n, "open task")
			}
			if t.here != nil && t.here.Slug == str(p, "slug") {
				line += ", where we are"
			}
			lines = append(lines, line)
		}
		if len(lines) == 0 {
			t.say("There are no projects yet. Tell me what you're up to and I'll start one.")
			return
		}
		t.say("Your projects:\n- %s", strings.Join(lines, "\n- "))
		if n := num(w.res.Result, "count"); n > len(lines) {
			t.say("And %d more.", n-len(lines))
		}
		t.offerArchiving()
	}
}
