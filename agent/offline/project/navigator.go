package project

import (
	"path"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// A Navigator is a turn in which projects are made, entered, told of and changed whole.
type Navigator struct {
	*turn.Turn
	Lost  bool       // it goes to a project that isn't there, and what follows with it
	About string     // what the project is about that was offered to be begun
	flat  *turn.Want // what is remembered of how the user likes things organised
}

// New returns the navigator of a turn.
func New(t *turn.Turn) *Navigator { return &Navigator{Turn: t} }

// Adopt makes a note a project where it lies; false: there is no such note, and the message may
// mean something else. sure: it means a note.
func (t *Navigator) Adopt(note string, sure bool) bool {
	file := note + ".md"
	if i := slices.IndexFunc(t.Situation.Projects, func(p model.Project) bool {
		return strings.EqualFold(p.Path, file) || strings.EqualFold(path.Base(p.Path), file)
	}); i >= 0 {
		t.Say("**%s** is a project already.", t.Situation.Projects[i].Name)
		t.enter(t.Situation.Projects[i])
		return true
	}
	if !sure {
		res, ok := t.More("read_document", map[string]any{"path": file, "from": 1, "lines": 1})
		if ok && !res.OK {
			return false
		}
	}
	t.Here, t.IsNew = nil, true
	a := t.Act(nil)
	w := a.Want("create_project", map[string]any{"name": language.Limit(file, 100), "reason": "make the note " + language.Limit(note, 100) + " a project where it lies: you asked for it"})
	a.Then = func() { t.adopted(w, note) }
	return true
}

// adopted tells what became of a note that was to be a project.
func (t *Navigator) adopted(w *turn.Want, note string) {
	switch {
	case t.Failed(w):
	case w.Result.Status == "proposed":
		t.Waits = true
		t.Say("I'd make **%s** a project where it lies.", note)
	default:
		t.Say("**%s** is a project now, where it lies: `%s`. We're in it.", turn.Str(w.Result.Result, "name"), turn.Str(w.Result.Result, "note"))
	}
}

// Create makes a project, or asks whether to.
func (t *Navigator) Create(m interpret.Meaning) {
	from, asked := t.Here, map[string]string{"text": turn.OrWord(m.Text, t.Text)}
	if m.Apart {
		m = t.WithWords(m, asked)
	}
	asked["name"] = m.Name
	if m.Name == "" {
		t.Ask(turn.AskFirst, asked)
		return
	}
	if p, ok := refer.ByName(t.Situation.Projects, m.Name); ok {
		if t.Here != nil && t.Here.Slug == p.Slug {
			t.Say("We're in **%s** already.", p.Name)
			return
		}
		t.Say("There is a project **%s** already.", p.Name)
		t.enter(p)
		return
	}
	if t.isHere(m) {
		t.Restructure(interpret.Meaning{Intent: intent.RenameProject, Name: m.Name, Project: refer.Exactly(*t.Here), Clause: m.Clause})
		return
	}
	if Unasked(m) {
		if flat, _ := t.LikesFlat(); flat {
			t.Say("I start no project for that, since you like it flat. Say “create a project” if it should be one.")
			return
		}
	}
	if !m.Sure {
		t.Say("That could become a project of its own.")
		asked["on"] = "yes" // it isn't of the project at hand, nor is what hangs on it
		if m.Apart {
			asked["on"] = "apart" // nor what is told next
		}
		t.Ask(turn.AskCreate, asked)
		return
	}
	about := m.Name + " " + t.About
	if m.Points {
		about += " " + m.Text
	}
	bring, known := t.along(about, t.description(m))
	if !known {
		return
	}
	t.Here, t.IsNew = nil, true
	a := t.Act(nil)
	args := map[string]any{"name": language.Limit(m.Name, 100), "description": describedAs(t, m), "reason": "start the project " + language.Limit(m.Name, 100) + ": " + why(m)}
	if len(bring) > 0 {
		args["bring"] = strings.Join(bring, "\n")
		args["reason"] = args["reason"].(string) + ", with " + counted(bring) + " from the inbox"
	}
	w := a.Want("create_project", args)
	a.Then = func() {
		switch {
		case t.Failed(w):
		case w.Result.Status == "proposed":
			t.Waits = true
			t.Say("I'd start a project **%s**.", m.Name)
		case turn.Str(w.Result.Result, "note") != "":
			t.adopted(w, m.Name)
		default:
			because := ": " + why(m)
			if why(m) == byWish {
				because = ""
			}
			t.Say("I've started a project **%s**%s. We're in it now; just tell me what there is to do or to remember.", m.Name, because)
			if brought := turn.Strs(w.Result.Result, "brought"); len(brought) > 0 {
				t.Say("Moved into it from the inbox: %s, as you told them.", counted(brought))
			}
			t.leftBehind(from, turn.Str(w.Result.Result, "project"), m.Text)
		}
	}
}

// describedAs is what a new project's page says; nothing where the message is but the order for a
// note that is there.
func describedAs(t *Navigator, m interpret.Meaning) string {
	said := t.description(m)
	if strings.Contains(m.Name, "/") && m.Clause != nil && strings.HasPrefix(said, m.Clause.Text(m.Clause.All)) && len(said) < len(m.Clause.Src)+2 {
		return ""
	}
	return said
}

// isHere: what is to be made has been made already, of what was told of it, and only gets its
// name now.
func (t *Navigator) isHere(m interpret.Meaning) bool {
	if t.Here == nil || t.Here.CreatedBy != "agent" || m.Clause == nil || language.Has(m.Clause.All, "another|separate|separately|second|own|other|different|else") {
		return false
	}
	known := language.ContentWords(language.Tokenize(t.Here.Name + " " + t.Here.Description))
	return m.Given && language.Covers(known, language.ContentWords(language.Tokenize(m.Name)))
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
func (t *Navigator) description(m interpret.Meaning) string {
	text := t.Text
	if m.Text != "" {
		text = m.Text // said in the turn before
	}
	text = strings.TrimSpace(text)
	if len(strings.Fields(text)) < 4 || onlyNames(text, m.Name) {
		return ""
	}
	return language.Limit(text, 1500)
}

// onlyNames: a text says no more than that there is to be a project of that name.
func onlyNames(text, name string) bool {
	own := language.ContentWords(language.Tokenize(name))
	return !slices.ContainsFunc(language.ContentWords(language.Tokenize(text)), func(w string) bool {
		return !slices.Contains(own, w) && !language.Class("<projectword>", w) && !language.Class("<addverb>", w) && !language.In("start|begin|create|make|set|open|call|called|name|named|titled|new|another|please|would|could|can|you|kind|like", w)
	})
}

// Switch goes to the project that is meant, or asks which one it is.
func (t *Navigator) Switch(m interpret.Meaning) {
	p, ok := m.Project.One()
	if !ok && !m.Project.Told {
		if p, ok = t.lastOf(m.Project.Found); ok {
			t.Say("You may mean another one; I take it that it's the one we were in last.")
		}
	}
	switch {
	case ok:
	case len(m.Project.Found) > 1:
		t.Which(m.Project.Found)
		return
	default:
		t.Unknown(m.Project)
		return
	}
	if t.Here != nil && t.Here.Slug == p.Slug {
		t.Say("We're in **%s** already.", p.Name)
		t.Brief(p, false)
		return
	}
	if m.About == "exists" {
		t.Say("That fits the project **%s**, which you have already.", p.Name)
	}
	t.enter(p)
}

// lastOf is that of several projects in which the conversation was last.
func (t *Navigator) lastOf(among []model.Project) (model.Project, bool) {
	for _, p := range slices.Backward(t.Situation.Stack) {
		if slices.ContainsFunc(among, func(o model.Project) bool { return o.Slug == p.Slug }) {
			return p, true
		}
	}
	return model.Project{}, false
}

// enter switches and gives the briefing.
func (t *Navigator) enter(p model.Project) {
	a := t.Act(nil)
	w := a.Want("switch_project", map[string]any{"project": p.Slug})
	show := a.Want("show_project", map[string]any{"project": p.Slug})
	t.Here, t.IsNew = &p, false
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Say("We're in **%s** now.", p.Name)
		t.speakReturn(show)
	}
}

// Brief tells where a project stands without going there.
func (t *Navigator) Brief(p model.Project, announce bool) {
	a := t.Act(nil)
	show := a.Want("show_project", map[string]any{"project": p.Slug})
	inbox := a.Want("read_document", map[string]any{"path": refer.InboxOf(p), "from": 1, "lines": 400})
	a.Then = func() {
		if announce {
			t.Say("**%s** (%s)", p.Name, p.Status)
		}
		t.speakBrief(show)
		t.Bullets("Told of late:", turn.LastOf(toldIn(inbox), mostTold))
	}
}

// mostTold are the lines of an inbox that are shown of where a project stands.
const mostTold = 4

// speakReturn tells where a project stands to somebody who comes to it: all of it, or what
// there is to do where they spoke of it just now.
func (t *Navigator) speakReturn(w *turn.Want) {
	if _, _, fresh := t.lastTalked(w); w.Result.OK && fresh {
		t.speakTasks(w.Result.Result)
		return
	}
	t.speakBrief(w)
}

// lastTalked is when a project was last talked about, zero for never, what was said then, and
// whether the session has it fresh in mind.
func (t *Navigator) lastTalked(w *turn.Want) (at time.Time, about string, fresh bool) {
	last, _ := w.Result.Result["last_talked"].(map[string]any)
	at, err := time.Parse(time.RFC3339, turn.Str(last, "at"))
	if err != nil {
		return time.Time{}, "", false
	}
	return at, turn.Str(last, "about"), t.Situation.Turns > 0 && t.Situation.Now.Sub(at) < time.Hour
}

func (t *Navigator) speakBrief(w *turn.Want) {
	if t.Failed(w) {
		return
	}
	r := w.Result.Result
	if at, about, fresh := t.lastTalked(w); !at.IsZero() && !fresh {
		t.Say("Last talked about %s: “%s”", turn.Ago(at, t.Situation.Now), language.Limit(language.OneLine(about), 120))
	}
	about := turn.Str(r, "summary")
	if about == "" {
		about = turn.Str(r, "description")
	}
	if about != "" {
		t.Say("%s", language.Limit(language.OneLine(about), 300))
	}
	t.Bullets("Decided:", turn.LastOf(turn.Strs(r, "decisions"), 5))
	t.Bullets("Next steps:", turn.Strs(r, "next_steps"))
	t.speakTasks(r)
}

// speakTasks lists what is open in a project.
func (t *Navigator) speakTasks(r map[string]any) {
	tasks := turn.Objects(r, "open_tasks")
	open, done := turn.Num(r, "open_count"), turn.Num(r, "done_count")
	switch {
	case len(tasks) > 0:
		var lines []string
		for _, task := range tasks {
			lines = append(lines, t.TaskLine(task))
		}
		t.Say("Open tasks (%d, %d done):\n- %s", max(open, len(tasks)), done, strings.Join(lines, "\n- "))
	case done > 0:
		t.Say("No open tasks, %d done.", done)
	default:
		t.Say("No tasks yet.")
	}
}

// Which asks which of several projects is meant.
func (t *Navigator) Which(found []model.Project) {
	args, names := amongProjects(found, map[string]string{"text": t.Text})
	t.Choose(turn.AskWhich, args, names, nil)
}

// Unknown answers the name of a project that doesn't exist.
func (t *Navigator) Unknown(ref refer.Reference) {
	if t.stored(ref) {
		return
	}
	if near := nearest(t.Situation.Projects, ref.Phrase); near != "" || ref.Phrase == "" {
		t.notThere(ref, near)
		return
	}
	res, ok := t.More("search", map[string]any{"query": language.Limit(ref.Phrase, 200), "limit": 12})
	if !ok {
		return
	}
	switch found := t.speakingOf(ref.Phrase, turn.Objects(res.Result, "hits")); {
	case len(found) == 0:
		t.notThere(ref, "")
	case len(found) > 1:
		t.Which(found)
	default:
		t.Say("No project is called “%s”; I take it that you mean the one that speaks of it.", language.OneLine(ref.Phrase))
		t.Switch(interpret.Meaning{Project: refer.Exactly(found[0])})
	}
}

// speakingOf are the projects in whose files a search found most of what a phrase says.
func (t *Navigator) speakingOf(phrase string, hits []map[string]any) []model.Project {
	projects := slices.Clone(t.Situation.Projects)
	for i, p := range projects {
		for _, hit := range hits {
			if turn.Str(hit, "project") == p.Slug && turn.Str(hit, "type") != "conversation" {
				projects[i].Description += "\n" + turn.Str(hit, "excerpt")
			}
		}
	}
	return refer.About(language.Tokenize(phrase), projects)
}

// notThere says that there is no such project, and asks whether there is to be one.
func (t *Navigator) notThere(ref refer.Reference, near string) {
	name := language.TitleCase(language.Spell(ref.Phrase, language.Drop(language.Tokenize(ref.Phrase), "thing|stuff|business|things")))
	name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(name, " Project"), " project"))
	if name == "" {
		t.Say("Which project do you mean?")
		t.ListProjects()
		return
	}
	t.Say("I know no project “%s”.%s", name, near)
	asked := map[string]string{"name": name}
	if near == "" {
		asked["on"] = "away" // what is told with it and next belongs there, and not to where we are
		if rest := besides(t.Text, ref.Phrase); rest != "" {
			asked["text"] = rest
		}
	}
	t.Ask(turn.AskCreate, asked)
	t.Lost = true
}

// besides is what a message says beside the sentence with a phrase.
func besides(text, phrase string) string {
	var out []string
	for _, s := range extract.Sentences(text) {
		if !strings.Contains(s.Text, phrase) {
			out = append(out, s.Text)
		}
	}
	return strings.Join(out, " ")
}

// missing says of a project that is to be changed that there is none of that name.
func (t *Navigator) missing(m interpret.Meaning) {
	ref := m.Project
	if m.Intent != intent.RenameProject {
		t.Unknown(ref)
		return
	}
	all := slices.Concat(t.Situation.Projects, t.Situation.Archived)
	t.Say("I know no project “%s”, so nothing is renamed.%s", language.Limit(language.OneLine(ref.Phrase), 100), nearest(all, ref.Phrase))
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

// Back returns to the project before.
func (t *Navigator) Back(m interpret.Meaning) {
	if len(t.Situation.Stack) == 0 && t.Here == nil {
		t.Say("There is nothing to go back to: we're outside any project.")
		return
	}
	a := t.Act(nil)
	var to *model.Project
	if n := len(t.Situation.Stack); n > 0 {
		to = &t.Situation.Stack[n-1]
	}
	w := a.Want("go_back", map[string]any{})
	var show *turn.Want
	if to != nil {
		show = a.Want("show_project", map[string]any{"project": to.Slug})
	}
	t.Here = to
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		if m.Project.Phrase != "" {
			t.Say("There is no project “%s”; I went back to where we were before.", m.Project.Phrase)
		}
		if to == nil {
			t.Say("We're outside any project now.")
			return
		}
		t.Say("Back in **%s**.", to.Name)
		t.speakReturn(show)
	}
}

// Status tells where a project stands.
func (t *Navigator) Status(m interpret.Meaning) {
	switch {
	case len(m.Project.Found) > 1:
		t.Which(m.Project.Found)
	case len(m.Project.Found) == 1:
		t.Brief(m.Project.Found[0], true)
	case m.Project.Named && m.Project.Phrase != "":
		t.Unknown(m.Project)
	case m.Clause != nil && language.Has(m.Clause.All, "both|two|beiden|beide"):
		for _, p := range t.LastTwo() {
			t.Brief(p, true)
		}
	case t.Here != nil:
		t.Brief(*t.Here, true)
	case len(t.Situation.Projects) == 0:
		t.overview()
	default:
		t.Say("We're outside any project.")
		t.ListProjects()
	}
}

// overview tells how things stand where there are no projects: what there is to do, and what was
// told last.
func (t *Navigator) overview() {
	a := t.Act(nil)
	tasks, inbox := a.Want("list_tasks", map[string]any{"everywhere": true}), a.Want("read_document", map[string]any{"path": "inbox.md", "from": 1, "lines": 400})
	a.Then = func() {
		var lines []string
		for _, task := range turn.Objects(tasks.Result.Result, "tasks") {
			lines = append(lines, t.TaskLine(task))
		}
		told := toldIn(inbox)
		if len(lines)+len(told) == 0 {
			t.Say("There are no projects yet. Tell me what you're up to and I'll start one.")
		}
		t.Bullets("To do:", lines[:min(len(lines), turn.MaxSpoken)])
		t.Bullets("Told of late:", turn.LastOf(told, 2*mostTold))
	}
}

// toldIn are the lines of an inbox that tell something.
func toldIn(inbox *turn.Want) (told []string) {
	for _, line := range turn.Strs(inbox.Result.Result, "lines") {
		if text, ok := strings.CutPrefix(line, "- "); ok && !strings.HasPrefix(text, "[") {
			told = append(told, language.Limit(text, 200))
		}
	}
	return told
}

// LastTwo are the two projects that there are, or that were talked of last.
func (t *Navigator) LastTwo() []model.Project {
	if len(t.Situation.Projects) == 2 {
		return t.Situation.Projects
	}
	var out []model.Project
	if t.Here != nil {
		out = append(out, *t.Here)
	}
	for _, p := range slices.Backward(t.Situation.Stack) {
		if len(out) < 2 && !slices.ContainsFunc(out, func(o model.Project) bool { return o.Slug == p.Slug }) {
			out = append(out, p)
		}
	}
	return out
}

// ListProjects lists them all.
func (t *Navigator) ListProjects() {
	a := t.Act(nil)
	w := a.Want("list_projects", map[string]any{})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		var lines []string
		for _, p := range turn.Objects(w.Result.Result, "projects") {
			name := turn.Str(p, "name")
			if known, ok := refer.BySlug(t.Situation.Projects, turn.Str(p, "slug")); ok {
				name = refer.Apart(t.Situation.Projects, known)
			}
			line := "**" + name + "**"
			if s := turn.Str(p, "status"); s != "active" && s != "" {
				line += " (" + s + ")"
			}
			if n := turn.Num(p, "open_tasks"); n > 0 {
				line += ", " + turn.Plural(n, "open task")
			}
			if t.Here != nil && t.Here.Slug == turn.Str(p, "slug") {
				line += ", where we are"
			}
			lines = append(lines, line)
		}
		if len(lines) == 0 {
			t.Say("There are no projects yet. Tell me what you're up to and I'll start one.")
			return
		}
		t.Say("Your projects:\n- %s", strings.Join(lines, "\n- "))
		if n := turn.Num(w.Result.Result, "count"); n > len(lines) {
			t.Say("And %d more.", n-len(lines))
		}
		t.OfferArchiving()
	}
}

// OfferArchiving names the projects in which nothing has happened for months. The
// engine tells of them once a session.
func (t *Navigator) OfferArchiving() {
	var names []string
	for _, p := range t.Situation.Idle {
		names = append(names, "**"+p.Name+"**")
	}
	if len(names) > 0 {
		t.Say("Nothing has happened in %s for three months. “Archive %s” would put it away.", strings.Join(names, " and "), t.Situation.Idle[0].Name)
	}
}

// amongProjects are the arguments of a question about several projects, and their names.
func amongProjects(found []model.Project, args map[string]string) (map[string]string, []string) {
	var names []string
	for i, p := range found[:min(len(found), 6)] {
		args[turn.Nth("slug", i)] = p.Slug
		name := refer.Apart(found, p)
		if before, ok := strings.CutSuffix(name, ")"); ok && name != p.Name && p.Path != "" {
			name = before + ", " + p.Path + ")"
		}
		names = append(names, name)
	}
	return args, names
}
