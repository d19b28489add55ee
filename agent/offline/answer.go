package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kist/agent/language"
	"kist/agent/model"
)

// answer looks a question up: in what the project says first, then with a search, in
// the passages of the best documents. Every one is quoted whole, with its place.
func (t *talk) answer(m meaning) {
	if t.forTasks(m) {
		t.tasks(m)
		return
	}
	query, project := m.text, ""
	if p, ok := m.project.one(); ok {
		project = p.Slug
		if rest := withoutName(query, nameWords(p)); rest != "" {
			query = rest
		} else if m.about != "when" && t.kindOf(m) == "" {
			t.brief(p, true) // asked about the project as a whole
			return
		} else {
			query = ""
		}
	}
	if project != "" && m.about == "borrow" {
		t.borrow(m, query)
		return
	}
	in := t.here
	if p, ok := m.project.one(); ok {
		in = &p
	}
	kind := t.kindOf(m)
	if in != nil && kind != "" && kind != "when" && answerWords().wholly(query) {
		t.allOf(kind, query, *in)
		return
	}
	if query == "" {
		t.say("I'm not sure what to look for. %s", hint)
		return
	}
	t.lookUp(m, query, project, kind, in)
}

// lookUp answers from what the project itself says, then from all that a search finds.
func (t *talk) lookUp(m meaning, query, project, kind string, in *model.Project) {
	a := t.act(nil)
	args := map[string]any{"query": language.Limit(query, maxQuery), "limit": 8}
	if project != "" {
		args["project"] = project
	}
	w := a.want(t, "search", args)
	var tasks, own *want
	if m.about == "when" {
		tasks = a.want(t, "list_tasks", map[string]any{"everywhere": true, "status": "all"})
	}
	if in != nil {
		own = a.want(t, "read_document", projectDocument(in.Slug))
	}
	about := strings.Trim(m.name, `"'“”`)
	head := fmt.Sprintf("About “%s” I found:", about)
	a.then = func() {
		if t.failed(w) || t.dueDates(query, tasks) || t.fromProject(own, query, kind, head) || len(t.calls) > 0 {
			return
		}
		if !t.cite(query, kind, w, head) && len(t.calls) == 0 {
			if kind == "decision" && in != nil {
				t.say("No decision in **%s** speaks of “%s”.", in.Name, about)
				t.bullets("Decided:", lastOf(sectionTexts(own, kind), maxSpoken))
				return
			}
			t.say("I found nothing about “%s” in the vault.", about)
		}
		if notice := str(w.res.Result, "notice"); notice != "" && len(t.calls) == 0 {
			t.say("(%s.)", language.Capital(notice))
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
		lines := sectionLike(strs(r.res.Result, "lines"), contentWords(language.Tokenize(query)))
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
		default:
			t.offer(func() { t.keepBorrowed(p.Name, m.name, strings.Join(t.paras[before:], "\n")) })
		}
	}
}

func (t *talk) keepBorrowed(from, what, text string) {
	title := noteTitle(language.Capital(strings.Trim(what, " .")) + " from " + from)
	res, ok := t.more("create_note", map[string]any{"title": title, "text": text + "\n", "reason": asAsked(t.offering, "keep the note", title)})
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
			in = slices.ContainsFunc(contentWords(language.Tokenize(line)), func(h string) bool { return hasWordLike(words, h) })
			continue
		}
		if text := plainLine(line); in && text != "" && i > 0 && len(out) < 10 {
			out = append(out, language.Limit(text, 240))
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
	words := contentWords(language.Tokenize(query))
	var lines []string
	for _, task := range objects(tasks.res.Result, "tasks") {
		if str(task, "due") != "" && len(words) > 0 && covers(contentWords(language.Tokenize(str(task, "title"))), words) {
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
	path   string
	line   int
	text   string
	score  float64
	talk   bool     // only said, or repeated
	follow []string // the list that the text introduces
}

// cite reads the best documents of a search and quotes their best lines. It
// returns false if there are none, or if readings are still to come.
func (t *talk) cite(query, about string, w *want, head string) bool {
	hits := rankHits(objects(w.res.Result, "hits"))
	words := contentWords(language.Tokenize(query))
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
			quotes = append(quotes, quotesOf(hits[i], r.res.Result, words, about)...)
		}
	}
	return t.quote(head, quotes)
}

// quotesOf are the places of a document that have the words. What was only said, what a
// draft held before it became a project, and the welcome count where nothing else does.
func quotesOf(hit, doc map[string]any, words []string, about string) []quote {
	if str(hit, "type") == "conversation" {
		return bestSaid(doc, words)
	}
	quotes := bestPassages(doc, words, about)
	if behind(hit) > 0 {
		for i := range quotes {
			quotes[i].talk = true
		}
	}
	return quotes
}

// quote says the best of some quotes; false: there is none.
func (t *talk) quote(head string, quotes []quote) bool {
	// What was said before in the same words answers nothing.
	quotes = pick(slices.DeleteFunc(quotes, func(q quote) bool { return strings.EqualFold(strings.TrimSpace(q.text), strings.TrimSpace(t.text)) }))
	if len(quotes) == 0 {
		return false
	}
	var lines []string
	for _, q := range quotes {
		line := fmt.Sprintf("“%s” (%s:%d)", q.text, q.path, q.line)
		for _, f := range q.follow {
			line += "\n  - " + language.Limit(f, maxPassage)
		}
		lines = append(lines, line)
	}
	t.say("%s\n- %s", head, strings.Join(lines, "\n- "))
	return true
}

// rankHits puts last what only repeats: conversations, which hold the questions
// themselves, drafts, and the welcome.
func rankHits(hits []map[string]any) []map[string]any {
	slices.SortStableFunc(hits, func(a, b map[string]any) int { return cmp.Compare(behind(a), behind(b)) })
	return hits
}

func behind(hit map[string]any) int {
	switch {
	case str(hit, "path") == "welcome.md":
		return 2
	case str(hit, "type") == "conversation", str(hit, "type") == "draft":
		return 1
	}
	return 0
}

// bestPassages scores the passages of a document by how many of the words they have.
func bestPassages(doc map[string]any, words []string, kind string) []quote {
	path := str(doc, "path")
	title, list := passagesOf(strs(doc, "lines"), num(doc, "from"))
	var out []quote
	for _, p := range list {
		score := overlap(words, p.text+" ", p.section+" "+title)
		if score == 0 {
			continue
		}
		out = append(out, quote{path: path, line: p.line, text: sentencesWith(p.text, words), follow: p.follow, score: score + fitting(kind, p)})
	}
	return out
}

// fitting is how well a passage answers a question of that kind, beside its words.
func fitting(kind string, p passage) float64 {
	score := 0.0
	if answerWords().under(p.section, kind) {
		score = 0.5
	}
	switch {
	case kind == "when" && strings.ContainsAny(p.text, "0123456789"):
		score += 0.2
	case kind == "who" && namesSomebody(p.text):
		score += 0.25
	}
	return score
}

// namesSomebody: there is a capital within a sentence.
func namesSomebody(text string) bool {
	for i, w := range strings.Fields(text) {
		if r := []rune(w)[0]; i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// bestSaid scores the lines of a conversation.
func bestSaid(doc map[string]any, words []string) []quote {
	var out []quote
	for i, line := range strs(doc, "lines") {
		if text := plainLine(line); text != "" && quotable(line) {
			if score := overlap(words, text+" ", ""); score > 0 {
				out = append(out, quote{path: str(doc, "path"), line: num(doc, "from") + i, text: language.Limit(text, 2*maxPassage), score: score - 0.3, talk: true})
			}
		}
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
	line, head := contentWords(language.Tokenize(text)), contentWords(language.Tokenize(above))
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
		same := slices.ContainsFunc(out, func(o quote) bool { return strings.EqualFold(o.text, q.text) || slices.Contains(o.follow, q.text) })
		if !same && len(out) < 3 && q.score >= quotes[0].score-0.34 {
			out = append(out, q)
		}
	}
	return out
}
