package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// answer looks a question up: search first, then the lines of the best
// documents that have the words. Every line is quoted with its place.
func (t *talk) answer(m meaning) {
	query, project := m.text, ""
	if p, ok := m.project.one(); ok {
		project = p.Slug
		if rest := withoutName(query, nameWords(p)); rest != "" {
			query = rest
		} else if m.about != "when" {
			t.brief(p, true) // asked about the project as a whole
			return
		}
	}
	if project != "" && m.about == "borrow" {
		t.borrow(m, query)
		return
	}
	if query == "" {
		if m.about == "decision" && t.here != nil {
			t.decisions(t.here.Slug, t.here.Name)
			return
		}
		t.say("I'm not sure what to look for. %s", hint)
		return
	}
	a := t.act(nil)
	args := map[string]any{"query": limit(query, maxQuery), "limit": 8}
	if project != "" {
		args["project"] = project
	}
	w := a.want(t, "search", args)
	var tasks *want
	if m.about == "when" {
		tasks = a.want(t, "list_tasks", map[string]any{"everywhere": true, "status": "all"})
	}
	a.then = func() {
		if t.failed(w) {
			return
		}
		found := t.dueDates(query, tasks)
		about := strings.Trim(m.name, `"'“”`)
		if found {
			return
		}
		if !t.cite(query, m.about, w, fmt.Sprintf("About “%s” I found:", about)) && len(t.calls) == 0 {
			t.say("I found nothing about “%s” in the vault.", about)
		}
		if notice := str(w.res.Result, "notice"); notice != "" && len(t.calls) == 0 {
			t.say("(%s.)", capital(notice))
		}
	}
}

// decisions lists what was decided in a project.
func (t *talk) decisions(slug, name string) {
	a := t.act(nil)
	w := a.want(t, "show_project", map[string]any{"project": slug})
	a.then = func() {
		if t.failed(w) {
			return
		}
		list := strs(w.res.Result, "decisions")
		if len(list) == 0 {
			t.say("There are no decisions recorded in **%s** yet.", name)
			return
		}
		t.say("Decided in **%s** (%s):\n- %s", name, str(w.res.Result, "path"), strings.Join(list, "\n- "))
	}
}

// borrow looks up in another project what is to be used here: a whole section, if one
// has that heading, else the lines that have the words.
func (t *talk) borrow(m meaning, query string) {
	p, _ := m.project.one()
	a := t.act(nil)
	r := a.want(t, "read_document", map[string]any{"path": "projects/" + p.Slug + "/project.md", "from": 1, "lines": 400})
	w := a.want(t, "search", map[string]any{"query": query, "limit": 8, "project": p.Slug})
	a.then = func() {
		lines := sectionLike(strs(r.res.Result, "lines"), contentWords(tokenize(query)))
		before := len(t.paras)
		if len(lines) > 0 {
			t.say("From **%s** (%s):\n- %s", p.Name, str(r.res.Result, "path"), strings.Join(lines, "\n- "))
		} else if t.failed(w) || !t.cite(query, "borrow", w, "From **"+p.Name+"**:") {
			if len(t.calls) == 0 {
				t.say("I found nothing about “%s” in **%s**.", m.name, p.Name)
			}
			return
		}
		switch {
		case len(t.calls) > 0 || t.here == nil || t.here.Slug == p.Slug:
		case t.noting:
			t.keepBorrowed(p.Name, m.name, strings.Join(t.paras[before:], "\n"))
		default:
			t.question = askNote + inQuotes(t.here.Name) + "?"
		}
	}
}

func (t *talk) keepBorrowed(from, what, text string) {
	t.paras = nil
	title := noteTitle(capital(strings.Trim(what, " .")) + " from " + from)
	res, ok := t.more("create_note", map[string]any{"title": title, "text": text + "\n", "reason": asAsked("keep the note", title)})
	if !ok {
		return
	}
	switch w := (&want{res: res, ok: true}); {
	case t.failed(w):
	case res.Status == "proposed":
		t.proposed("Ready to write down in "+bold(nameOf(t.here), "")+":", []string{"“" + title + "”"}, nil)
	default:
		t.say("Written down in %s (%s).", bold(nameOf(t.here), "your vault"), str(res.Result, "path"))
	}
}

// sectionLike returns the lines of the first section whose heading has one of the
// words.
func sectionLike(lines []string, words []string) []string {
	var out []string
	in := false
	for i, line := range lines {
		if strings.HasPrefix(line, "## ") {
			if in {
				break
			}
			in = slices.ContainsFunc(contentWords(tokenize(line)), func(h string) bool { return hasWordLike(words, h) })
			continue
		}
		if text := plainLine(line); in && text != "" && i > 0 && len(out) < 10 {
			out = append(out, limit(text, 240))
		}
	}
	return out
}

// withoutName drops a project's name from a query within that project.
func withoutName(query string, name []string) string {
	var rest []string
	for _, w := range strings.Fields(query) {
		if !slices.ContainsFunc(name, func(n string) bool { return same(w, n) > 0 }) {
			rest = append(rest, w)
		}
	}
	return strings.Join(rest, " ")
}

// dueDates answers a "when" from the tasks.
func (t *talk) dueDates(query string, tasks *want) bool {
	if tasks == nil || !tasks.res.OK {
		return false
	}
	words := contentWords(tokenize(query))
	var lines []string
	for _, task := range objects(tasks.res.Result, "tasks") {
		if str(task, "due") != "" && len(words) > 0 && covers(contentWords(tokenize(str(task, "title"))), words) {
			lines = append(lines, t.taskLine(task)+" ("+str(task, "task")+")")
		}
	}
	if len(lines) == 0 {
		return false
	}
	t.say("- %s", strings.Join(lines[:min(len(lines), 5)], "\n- "))
	return true
}

// A quote is a line of a document that answers.
type quote struct {
	path  string
	line  int
	text  string
	score float64
	talk  bool // said in a conversation
}

// cite reads the best documents of a search and quotes their best lines. It
// returns false if there are none, or if readings are still to come.
func (t *talk) cite(query, about string, w *want, head string) bool {
	hits := rankHits(objects(w.res.Result, "hits"))
	words := contentWords(tokenize(query))
	if len(hits) == 0 || len(words) == 0 {
		return false
	}
	var reads []*want
	for _, hit := range hits[:min(len(hits), 4)] {
		// Enough lines before the hit to see which section it is in.
		from := max(1, num(hit, "line")-150)
		r := &want{call: t.newCall("read_document", map[string]any{"path": str(hit, "path"), "from": from, "lines": 300})}
		t.fetch(r)
		reads = append(reads, r)
	}
	if len(t.calls) > 0 {
		return false
	}
	var quotes []quote
	for i, r := range reads {
		if r.res.OK {
			quotes = append(quotes, bestLines(r.res.Result, words, about, str(hits[i], "type") == "conversation")...)
		}
	}
	quotes = pick(quotes)
	if len(quotes) == 0 {
		return false
	}
	var lines []string
	for _, q := range quotes {
		lines = append(lines, fmt.Sprintf("“%s” (%s:%d)", q.text, q.path, q.line))
	}
	t.say("%s\n- %s", head, strings.Join(lines, "\n- "))
	return true
}

// rankHits puts conversations last: they hold the questions themselves.
func rankHits(hits []map[string]any) []map[string]any {
	slices.SortStableFunc(hits, func(a, b map[string]any) int {
		return cmp.Compare(isConversation(a), isConversation(b))
	})
	return hits
}

func isConversation(hit map[string]any) int {
	if str(hit, "type") == "conversation" {
		return 1
	}
	return 0
}

// bestLines scores the lines of a document by how many of the words they have.
func bestLines(doc map[string]any, words []string, about string, talk bool) []quote {
	path, from, lines := str(doc, "path"), num(doc, "from"), strs(doc, "lines")
	var out []quote
	section, title := "", ""
	front := from == 1 && len(lines) > 0 && lines[0] == "---"
	for i, line := range lines {
		if front {
			if i > 0 && line == "---" {
				front = false
			}
			if value, ok := strings.CutPrefix(line, "title:"); ok {
				title = value
			}
			if name, ok := strings.CutPrefix(line, "name:"); ok {
				title = name
			}
			if !strings.HasPrefix(line, "title:") && !strings.HasPrefix(line, "due:") {
				continue // the rest is for programs
			}
		}
		if strings.HasPrefix(line, "#") {
			section = strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
			continue
		}
		text := plainLine(line)
		if text == "" || talk && !quotable(line) {
			continue
		}
		score := overlap(words, text+" ", section+" "+title)
		if score == 0 {
			continue
		}
		if about == "decision" && strings.Contains(section, "decision") {
			score += 0.5
		}
		if about == "when" && strings.ContainsAny(text, "0123456789") {
			score += 0.2
		}
		if talk {
			score -= 0.3
		}
		out = append(out, quote{path, from + i, limit(text, 240), score, talk})
	}
	return out
}

// quotable: of a conversation only what the user stated. Questions answer
// nothing, and kist's own words would be found again and again.
func quotable(line string) bool {
	return strings.HasPrefix(line, "> ") && !strings.HasSuffix(strings.TrimSpace(line), "?")
}

// overlap is the share of words that stand in a line; what is in the heading or
// title above it counts half, but not alone.
func overlap(words []string, text, above string) float64 {
	line, head := contentWords(tokenize(text)), contentWords(tokenize(above))
	sum, inLine := 0.0, 0
	for _, w := range words {
		switch {
		case hasWordLike(line, w):
			sum++
			inLine++
		case hasWordLike(head, w):
			sum += 0.5
		}
	}
	share := sum / float64(len(words))
	if inLine == 0 && !(share >= 0.5 && len(words) == 1) || share < 0.5 {
		return 0
	}
	return share
}

func hasWordLike(words []string, w string) bool {
	return slices.ContainsFunc(words, func(other string) bool { return same(w, other) >= 0.8 || irregular(w) == irregular(other) })
}

// plainLine drops the Markdown at the start of a line.
func plainLine(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"title: ", "> ", "- [ ] ", "- [x] ", "- ", "* ", "+ "} {
		line = strings.TrimPrefix(line, mark)
	}
	return strings.TrimSpace(line)
}

// pick takes the best three quotes, one of each text. What was only said counts
// where nothing is written down.
func pick(quotes []quote) []quote {
	if slices.ContainsFunc(quotes, func(q quote) bool { return !q.talk }) {
		quotes = slices.DeleteFunc(quotes, func(q quote) bool { return q.talk })
	}
	slices.SortStableFunc(quotes, func(a, b quote) int { return cmp.Compare(b.score, a.score) })
	var out []quote
	for _, q := range quotes {
		same := slices.ContainsFunc(out, func(o quote) bool { return strings.EqualFold(o.text, q.text) })
		if !same && len(out) < 3 && q.score >= quotes[0].score-0.34 {
			out = append(out, q)
		}
	}
	return out
}
