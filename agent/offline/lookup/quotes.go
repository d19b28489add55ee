package lookup

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// What was found, in words: whole passages with their places, what took the place of
// what, and what is in no file yet.

// Cite quotes the best passages of what a search found. It returns false if there are
// none, or if readings are still to come.
func (t *Finder) Cite(query string, w *turn.Want, head string) bool {
	docs, ok := t.documents(w, nil)
	return ok && t.quote(passage.Question{Words: language.ContentWords(language.Tokenize(query)), Now: t.Situation.Now}, head, docs)
}

// documents reads the best documents of a search, beside one that was read already;
// false: readings are still to come.
func (t *Finder) documents(w, own *turn.Want) ([]passage.Document, bool) {
	var docs []passage.Document
	seen := map[string]bool{}
	if own != nil && own.Result.OK {
		d := documentOf(own.Result.Result)
		d.Own, seen[d.Path] = true, true
		docs = append(docs, d)
	}
	var reads []*turn.Want
	var hits []map[string]any
	for _, hit := range rankHits(turn.Objects(w.Result.Result, "hits")) {
		path := turn.Str(hit, "path")
		if len(hits) == 4 || seen[path] || path == "welcome.md" && !language.Has(language.Tokenize(t.Text), "kist|help|vault|folder|undo") {
			continue
		}
		seen[path] = true
		// Enough lines before the hit to see which section it is in.
		from := max(1, turn.Num(hit, "line")-150)
		r := t.NewWant("read_document", map[string]any{"path": path, "from": from, "lines": 300})
		t.Fetch(r)
		reads, hits = append(reads, r), append(hits, hit)
	}
	if len(t.Calls) > 0 {
		return nil, false
	}
	for i, r := range reads {
		if !r.Result.OK {
			continue
		}
		d := documentOf(r.Result.Result)
		d.Own = t.Here != nil && turn.Str(hits[i], "project") == t.Here.Slug && behind(hits[i]) == 0
		d.Last = behind(hits[i]) > 0
		if turn.Str(hits[i], "type") == "conversation" {
			d.Said, d.Last, d.Day = true, false, dayOfPath(d.Path)
			for j, line := range d.Lines {
				d.Lines[j] = saidIn(line)
			}
		}
		docs = append(docs, d)
	}
	return docs, true
}

// withInboxes adds the inboxes of the project that is talked of and of that which a search
// finds first: what is asked for may stand there in other words.
func (t *Finder) withInboxes(docs []passage.Document, in *model.Project, search *turn.Want) []passage.Document {
	var of []model.Project
	if in != nil {
		of = append(of, *in)
	}
	if hits := rankHits(turn.Objects(search.Result.Result, "hits")); len(hits) > 0 && turn.Str(hits[0], "project") != "" {
		found := model.Project{Slug: turn.Str(hits[0], "project")}
		for _, p := range t.Situation.Projects {
			if p.Slug == found.Slug {
				found = p
			}
		}
		of = append(of, found)
	}
	for _, p := range of {
		if slices.ContainsFunc(docs, func(d passage.Document) bool { return d.Path == refer.InboxOf(p) }) {
			continue
		}
		if res, ok := t.More("read_document", map[string]any{"path": refer.InboxOf(p), "from": 1, "lines": 400}); ok && res.OK {
			d := documentOf(res.Result)
			d.Own = t.Here != nil && p.Slug == t.Here.Slug
			docs = append(docs, d)
		}
	}
	return docs
}

func documentOf(doc map[string]any) passage.Document {
	return passage.Document{Path: turn.Str(doc, "path"), Lines: turn.Strs(doc, "lines"), From: turn.Num(doc, "from")}
}

// dayOfPath is the day that a conversation's name begins with.
func dayOfPath(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return name[:min(len(name), len(time.DateOnly))]
}

// saidIn is what a line of a conversation has of the user's statements: kist's own words
// would be found again and again, and questions answer nothing.
func saidIn(line string) string {
	text, ok := strings.CutPrefix(line, "> ")
	if !ok {
		return ""
	}
	return statements(text)
}

func statements(text string) string {
	var out []string
	for _, s := range extract.Sentences(text) {
		if s.Kind == extract.Statement && !extract.Inquires(s.Text) {
			out = append(out, s.Text)
		}
	}
	return strings.Join(out, " ")
}

// toldLately is what the user said in this session, the latest first.
func toldLately(said []string, now time.Time) []passage.Document {
	var docs []passage.Document
	for _, each := range said {
		if text := statements(each); text != "" {
			docs = append(docs, passage.Document{Lines: []string{text}, Day: language.ISODay(now), Said: true, Own: true})
		}
	}
	return docs
}

// quote says what answers a question best; false: nothing does.
func (t *Finder) quote(q passage.Question, head string, docs []passage.Document) bool {
	quotes := slices.DeleteFunc(q.Answer(docs), func(c passage.Quote) bool {
		return strings.EqualFold(strings.TrimSpace(c.Text), strings.TrimSpace(t.Text)) // said before in the same words
	})
	if len(quotes) == 0 {
		return false
	}
	if known := t.known; slices.ContainsFunc(quotes, known) {
		if known(quotes[0]) && quotes[0].Holds && q.Want != "" { // it answered the question before as well
			if about, found := strings.CutSuffix(head, " I found:"); found && !t.goesOn {
				t.Say("%s: as above.", about)
			}
			return true
		}
		if quotes = slices.DeleteFunc(quotes, func(c passage.Quote) bool { return c.Before || known(c) }); len(quotes) == 0 {
			if q.Want != "" {
				t.Say("I found nothing that says %s.", answerWords().Said("want", string(q.Want)))
			}
			return true
		}
	}
	if head, quotes = asFar(q, head, quotes); len(quotes) == 0 {
		return false
	}
	t.sayQuotes(q, head, quotes, docs)
	return true
}

// asFar leaves of quotes those that answer a question, with a head that says so; or else what comes
// nearest. None: they have its words only of what stands before them.
func asFar(q passage.Question, head string, quotes []passage.Quote) (string, []passage.Quote) {
	first := quotes[0]
	whole := slices.ContainsFunc(quotes, func(c passage.Quote) bool { return c.Whole && (c.Before || c.Text == first.Text) }) // it, or what it took the place of
	switch {
	case whole && first.Holds:
		return head, quotes
	case !whole && first.Lead != "":
		return "", nil
	}
	if head = nearestHead; !first.Holds {
		head = fmt.Sprintf("I found nothing that says %s. What comes nearest:", answerWords().Said("want", string(q.Want)))
	}
	return head, slices.DeleteFunc(quotes, func(c passage.Quote) bool {
		return c.Text != first.Text && !(c.Holds && (c.Before && q.Want != "" || q.Want == passage.Money))
	})
}

// nearest says what comes nearest to a question that nothing answers; false: nothing does, or
// readings are still to come. What tells something is none, and is kept.
func (t *Finder) nearest(q passage.Question, docs []passage.Document, in *model.Project, search *turn.Want) bool {
	if t.tells() && !t.asks || extract.Orders(t.Text) {
		return false
	}
	docs = t.withRoot(t.withInboxes(docs, in, search), true)
	if len(t.Calls) > 0 {
		return true
	}
	found := q.Nearest(docs)
	quotes := slices.DeleteFunc(slices.Clone(found), t.known)
	if len(quotes) > 0 { // one will do: the others are further away, but for what it has nothing of
		t.Heard = t.Heard || t.tells() // a remark beside the question is kept
		quotes = quotes[:1]
		if also, ok := q.Lacking(quotes[0], docs); ok && !t.known(also) {
			quotes = append(quotes, also)
		}
		t.sayQuotes(q, nearestHead, quotes, docs)
	}
	return len(quotes) > 0 || len(found) > 0 && found[0].Holds && t.goesOn
}

const nearestHead = "I found nothing that says just that. What comes nearest:"

// sayQuotes quotes passages with their places, and what was told since of what the first one names.
func (t *Finder) sayQuotes(q passage.Question, head string, quotes []passage.Quote, docs []passage.Document) {
	if t.around != nil {
		docs = t.around
	}
	if q.Want == "" || !quotes[0].Holds || !quotes[0].Whole {
		quotes = passage.Together(quotes, docs, t.Said)
	}
	later, instead := q.Later(quotes, docs, t.Said)
	later = slices.DeleteFunc(later, t.known)
	if instead = instead && len(later) > 0; instead {
		quotes = append([]passage.Quote{later[0]}, quotes...)
		quotes[1].Before, later = true, later[1:]
	}
	var lines []string
	for i, c := range quotes {
		lines = append(lines, t.quoted(q, c, docs, i == 0))
	}
	for _, c := range later {
		lines = append(lines, "told since: "+t.quoted(q, c, docs, false))
	}
	t.Say("%s\n- %s", head, strings.Join(lines, "\n- "))
}

// quoted is a quote with its place.
func (t *Finder) quoted(q passage.Question, c passage.Quote, docs []passage.Document, first bool) string {
	t.shown[c.Text] = true
	line := fmt.Sprintf("“%s” (%s:%d)", c.Text, c.Path, c.Line)
	if c.Lead != "" && !t.shown[c.Lead] {
		t.shown[c.Lead] = true
		line = "“" + c.Lead + "” " + line
	}
	if c.Said {
		line = onlySaid(c, t.Situation.Now)
	} else if state := stateOf(c, docs); state != "" {
		line = state + line
	}
	if first && q.Want == passage.Count {
		line = daysTo(c, t.Situation.Now) + line
	}
	if c.Before {
		line = "before that: " + line
	}
	for _, f := range c.Follow {
		line += "\n  - " + language.Limit(f, passage.Longest)
	}
	return line
}

// stateOf is what a task's own file says of its state, where its title is quoted.
func stateOf(c passage.Quote, docs []passage.Document) string {
	i := slices.IndexFunc(docs, func(d passage.Document) bool { return d.Path == c.Path })
	if i < 0 || !strings.Contains(c.Path, "/tasks/") {
		return ""
	}
	for _, line := range docs[i].Lines {
		if title, ok := strings.CutPrefix(line, "title: "); ok && strings.Trim(title, `"' `) != c.Text {
			return "" // it is said of more than the task
		}
		if state, ok := strings.CutPrefix(line, "status: "); ok {
			return strings.TrimLeft(answerWords().Said("state", strings.TrimSpace(state))+" ", " ")
		}
	}
	return ""
}

// known: it was quoted in this answer already, alone or with what stands around it.
func (t *Finder) known(c passage.Quote) bool {
	for text := range t.shown {
		if strings.Contains(text, c.Text) || strings.HasPrefix(c.Text, text) || strings.Contains(strings.Join(c.Follow, "\n"), text) {
			return true
		}
	}
	return false
}

// onlySaid tells of what was said.
func onlySaid(c passage.Quote, now time.Time) string {
	when := "a moment ago"
	if c.Day != language.ISODay(now) {
		when = "on " + language.SayDay(c.Day, now)
	} else if c.Path != "" {
		when = "today"
	}
	return fmt.Sprintf("“%s”: you said so %s", strings.TrimRight(c.Text, "."), when)
}

// daysTo says how long it is until the day that a quote names.
func daysTo(c passage.Quote, now time.Time) string {
	day, ok := passage.DateIn(c.Text, now)
	if !ok || day.IsZero() {
		return ""
	}
	days := int(day.Sub(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)).Hours() / 24)
	if days < 0 {
		return fmt.Sprintf("%s ago: ", turn.Plural(-days, "day"))
	}
	weeks := ""
	if days >= 14 {
		weeks = fmt.Sprintf(" (%s)", turn.Plural(days/7, "week"))
	}
	return fmt.Sprintf("%s%s, until %s: ", turn.Plural(days, "day"), weeks, language.SayDay(language.ISODay(day), now))
}

// SpokenOf tells which project has words of something that none is surely about.
func (t *Finder) SpokenOf(text string) {
	res, ok := t.More("search", map[string]any{"query": language.Limit(text, MaxQuery), "limit": 8})
	if !ok {
		return
	}
	for _, hit := range rankHits(turn.Objects(res.Result, "hits")) {
		if p, known := refer.BySlug(t.Situation.Projects, turn.Str(hit, "project")); known && behind(hit) == 0 {
			t.Say("I can't tell for sure. **%s** speaks of something like it (%s:%d).", p.Name, turn.Str(hit, "path"), turn.Num(hit, "line"))
			return
		}
	}
	t.Say("I can't tell: no project speaks of that. It may be a new one, or for you alone.")
}

// MaxQuery is how much of a message is looked for, in characters: what the search
// takes.
const MaxQuery = 400
