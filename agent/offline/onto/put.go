package onto

import (
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
)

// mostLines is how many lines of a note are looked at for how its list is written.
const mostLines = 400

// mostReadings is how many ways to read a message are tried.
const mostReadings = 6

// A place is a note, or a section of it.
type place struct{ path, heading string }

func (p place) String() string {
	if p.heading == "" {
		return p.path
	}
	return p.path + "#" + p.heading
}

// Put does what a message orders to be put onto a list that is there, asks which of several is meant, and offers to begin one
// that was said to be a list. false: it orders no such thing, or something else may be meant.
func Put(t *turn.Turn) bool {
	orders := Read(t.Text)
	orders = orders[:min(len(orders), mostReadings)]
	if slices.ContainsFunc(orders, func(o Order) bool { return ofProject(t, o) }) {
		return false
	}
	for _, o := range orders {
		found, ok := places(t, o)
		switch {
		case !ok:
			return true
		case len(found) == 1:
			putOnto(t, o.Items, found[0])
			return true
		case len(found) > 1:
			ask(t, o.Items, found)
			return true
		}
	}
	for _, o := range orders {
		if o.Sure && o.Of == "" || o.Named && len(orders) == 1 {
			begin(t, o)
			return true
		}
	}
	return false
}

// ofProject: what is put somewhere is put into a project.
func ofProject(t *turn.Turn, o Order) bool {
	return len(refer.Mentioned(language.Tokenize(o.Said), slices.Concat(t.Situation.Projects, t.Situation.Archived))) > 0
}

// places are those that an order may mean; ok is false while a call is still to be answered.
func places(t *turn.Turn, o Order) (found []place, ok bool) {
	for _, name := range o.Names {
		if o.Of != "" {
			res, ok := t.More("read_document", map[string]any{"path": o.Of, "from": 1, "lines": mostLines})
			if !ok {
				return nil, false
			}
			for _, h := range headings(turn.Strs(res.Result, "lines")) {
				if strings.EqualFold(h, name) {
					found = append(found, place{turn.Str(res.Result, "path"), h})
				}
			}
		} else if found, ok = called(t, name); !ok {
			return nil, false
		}
		if len(found) > 0 {
			return found, true
		}
	}
	return nil, true
}

// headings are those of a note, without their marks; what stands in a code block is none.
func headings(lines []string) (out []string) {
	code := false
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if rest := strings.TrimLeft(line, "#"); !code && len(rest) < len(line) && strings.HasPrefix(rest, " ") {
			out = append(out, strings.TrimSpace(rest))
		}
	}
	return out
}

// mostHits is how many hits are looked through for a note or a heading of a name.
const mostHits = 20

// called are the notes, else the headings, that are called by a name.
func called(t *turn.Turn, name string) (found []place, ok bool) {
	res, ok := t.More("read_document", map[string]any{"path": name, "from": 1, "lines": mostLines})
	if !ok {
		return nil, false
	}
	if res.OK {
		return []place{{turn.Str(res.Result, "path"), ""}}, true
	}
	hits, ok := t.More("search", map[string]any{"query": language.Limit(name, 200), "limit": mostHits})
	if !ok {
		return nil, false
	}
	var sections []place
	for _, hit := range turn.Objects(hits.Result, "hits") {
		path, heading := turn.Str(hit, "path"), turn.Str(hit, "heading")
		heading = heading[strings.LastIndex(heading, " > ")+1:]
		heading = strings.TrimSpace(strings.TrimPrefix(heading, "> "))
		base := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
		one, own := place{path, ""}, strings.EqualFold(base, name) || strings.EqualFold(turn.Str(hit, "title"), name)
		switch {
		case language.In("conversation|task|memory|draft", turn.Str(hit, "type")):
		case own && !slices.Contains(found, one):
			found = append(found, one)
		case one.heading == "" && strings.EqualFold(heading, name) && !own:
			sections = append(sections, place{path, heading})
		}
	}
	if len(found) == 0 {
		found = sections
	}
	return found, true
}

// ask asks onto which of several lists something is to be put.
func ask(t *turn.Turn, items []string, among []place) {
	var names []string
	for _, p := range among[:min(len(among), 6)] {
		names = append(names, p.String())
	}
	t.Choose(turn.AskOnto, map[string]string{"items": strings.Join(items, "\n")}, names, nil)
}

// Answered puts it onto the one that was chosen.
func Answered(t *turn.Turn, q model.Question) (done bool) {
	chosen := refer.Pick(strings.TrimSuffix(strings.TrimSpace(t.Text), "."), q.Choices)
	if i := slices.Index(q.Choices, strings.TrimSpace(t.Text)); i >= 0 {
		chosen = []int{i}
	}
	if consent.Read(t.Text) == consent.No || len(chosen) == 0 {
		return false
	}
	for _, i := range chosen {
		path, heading, _ := strings.Cut(q.Choices[i], "#")
		putOnto(t, strings.Split(q.Args["items"], "\n"), place{path, heading})
	}
	return true
}

// putOnto adds items to a list, each as that list has its own.
func putOnto(t *turn.Turn, items []string, at place) {
	res, ok := t.More("read_document", map[string]any{"path": at.path, "from": 1, "lines": mostLines})
	if !ok || t.Failed(&turn.Want{Result: res, Answered: true}) {
		return
	}
	list := listIn(turn.Strs(res.Result, "lines"), at.heading)
	var lines, said, there []string
	for _, item := range items {
		if list.has(item) {
			there = append(there, "“"+item+"”")
		} else {
			said = append(said, "“"+language.Limit(item, 100)+"”")
		}
		line := item
		if list.capital {
			line = language.Capital(line)
		}
		if list.boxes {
			line = asTask(t, line)
		}
		lines = append(lines, "- "+line)
	}
	if len(there) > 0 {
		t.Say("On %s already: %s.", at, strings.Join(there, ", "))
	}
	w := t.NewWant("append_note", map[string]any{"path": at.String(), "text": strings.Join(lines, "\n") + "\n", "reason": turn.AsAsked(false, "add to "+at.String(), strings.Join(items, ", "))})
	if t.Fetch(w); w.Answered && len(said) > 0 {
		t.SpeakChange(w, "Added to "+at.String()+":", "Ready to add to "+at.String()+":", strings.Join(said, ", "))
	}
}

// asTask is what stands behind the bullet of a task: with its box, and the day and the priority that are said.
func asTask(t *turn.Turn, text string) string {
	one := todo.Read(text, language.Tokenize(text), t.Situation.Now)
	if one.Due == "" && one.Priority == "" || one.Title == "" {
		return "[ ] " + text
	}
	line := "[ ] " + one.Title
	for _, f := range [][2]string{{"priority", one.Priority}, {"due", one.Due}} {
		if f[1] != "" {
			line += " [" + f[0] + ":: " + f[1] + "]"
		}
	}
	return line
}

// A list is how the list of a note, or of a section of it, is written.
type list struct {
	items          int
	boxes, capital bool     // each item has a box, the last one begins with a capital
	open           []string // the texts of its items that aren't ticked off
}

// listIn reads the items below a heading, or of the whole note.
func listIn(lines []string, heading string) (l list) {
	inside, boxes := heading == "", 0
	for _, line := range lines {
		if hs := headings([]string{line}); len(hs) == 1 && heading != "" {
			inside = strings.EqualFold(hs[0], heading)
			continue
		}
		text, is := strings.CutPrefix(strings.TrimSpace(line), "- ")
		for _, mark := range []string{"* ", "+ "} {
			if !is {
				text, is = strings.CutPrefix(strings.TrimSpace(line), mark)
			}
		}
		if !is || !inside || text == "" {
			continue
		}
		l.items++
		box := len(text) > 4 && text[0] == '[' && text[2] == ']'
		if box {
			boxes++
			if text[1] != ' ' {
				continue
			}
			text = strings.TrimSpace(text[3:])
		}
		l.capital = text != "" && language.Capital(text) == text
		l.open = append(l.open, text)
	}
	l.boxes = boxes > 0 && boxes == l.items
	return l
}

func (l list) has(item string) bool {
	return slices.ContainsFunc(l.open, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), strings.TrimSpace(item)) })
}

// begin offers to begin a list that isn't there, with what was to be put onto it.
func begin(t *turn.Turn, o Order) {
	name := language.Capital(o.Names[0])
	t.Say("There is no note and no heading called “%s”.", o.Names[0])
	var lines []string
	for _, item := range o.Items {
		lines = append(lines, "- "+item)
	}
	t.Offer(func() {
		w := t.NewWant("create_note", map[string]any{"title": language.Limit(name, 100), "text": strings.Join(lines, "\n") + "\n", "reason": "begin the note “" + name + "” with " + strings.Join(o.Items, ", ")})
		if t.Fetch(w); w.Answered && !t.Failed(w) {
			t.Waits = w.Result.Status == "proposed"
		}
	})
}
