package lookup

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// A Finder is a turn in which questions are answered from what the files say.
type Finder struct {
	*turn.Turn
	brief  func(p model.Project, announce bool) // tells where a project stands
	about  []string                             // what the last question of this message is about
	named  string                               // and that as it was said
	goesOn bool                                 // the one at hand goes on about it
	shown  map[string]bool                      // what was quoted
	around []passage.Document                   // where what was told since may stand

	asks bool   // what is at hand is a question in so many words
	of   string // a text
	told *bool  // it tells something; nil: that isn't known yet
}

// New returns the finder of a turn. brief tells where a project stands.
func New(t *turn.Turn, brief func(p model.Project, announce bool)) *Finder {
	return &Finder{Turn: t, brief: brief, shown: map[string]bool{}}
}

// Find looks a question up, or each of those that are asked in one. Where nothing is found
// it does something else; nil: it says so.
func (t *Finder) Find(m interpret.Meaning, otherwise func()) {
	if m.Clause == nil {
		t.find(m, otherwise)
		return
	}
	t.asks = t.asks || outright(t.Text, m.Clause)
	t.each(m, otherwise)
}

// outright: a clause is a sentence of the message that asks in so many words. Behind others "who does
// the teas" only tells of somebody.
func outright(message string, c *interpret.Clause) bool {
	text := c.Text(c.All)
	return slices.ContainsFunc(passage.Sentences(message), func(s string) bool {
		i := strings.Index(s, text)
		return i >= 0 && (strings.HasSuffix(s, "?") && language.Has(c.All, "<wh>|<aux>|any|anything") || i == 0 && language.Asks(c.All) && extract.Inquires(s))
	})
}

// each looks up every question that is asked in one.
func (t *Finder) each(m interpret.Meaning, otherwise func()) {
	halves := passage.Halves(m.Clause.Toks)
	if len(halves) == 1 {
		t.find(m, otherwise)
		return
	}
	for _, toks := range halves {
		half := m
		half.Clause = &interpret.Clause{Src: m.Clause.Src, Toks: toks, Body: toks, All: toks, Question: m.Clause.Question}
		half.About, half.Text, half.Name = "", language.Topic(toks), interpret.Span(half.Clause, toks)
		t.find(half, nil)
	}
}

// find looks one question up: in what the project says first, then with a search, in
// the passages of the best documents. What answers is quoted with its place.
func (t *Finder) find(m interpret.Meaning, otherwise func()) {
	query, project := m.Text, ""
	if p, ok := m.Project.One(); ok {
		project = p.Slug
		if rest := WithoutName(query, refer.NameWords(p)); rest != "" {
			query = rest
		} else if m.About != "when" && t.kindOf(m) == "" {
			t.brief(p, true) // asked about the project as a whole
			return
		} else if m.About != "when" || t.kindOf(m) != "when" {
			query = ""
		}
	}
	carried := t.carried(m)
	query = strings.TrimSpace(query + " " + strings.Join(carried, " "))
	if project != "" && m.About == "borrow" {
		t.borrow(m, query)
		return
	}
	in := t.Here
	if p, ok := m.Project.One(); ok {
		in = &p
	}
	kind := t.kindOf(m)
	if in != nil && kind != "" && kind != "when" && answerWords().Wholly(query) {
		var instead func()
		if kind == "budget" && query != "" { // any amount may be it
			instead = func() { t.ask(m, query, project, kind, carried, in, otherwise) }
		}
		t.allOf(kind, query, *in, instead)
		return
	}
	if query == "" {
		query = t.untold(&m, in)
	}
	if query != "" {
		t.ask(m, query, project, kind, carried, in, otherwise)
	}
}

// untold is what a question is about that names no thing: the one that was asked about before,
// "and how many is it now?". Empty: it is answered, of the project as a whole, or can't be.
func (t *Finder) untold(m *interpret.Meaning, in *model.Project) string {
	if m.About == "when" && in != nil {
		t.dueOfProject(*in)
		return ""
	}
	if m.Name = cmp.Or(thingOf(m.Clause), t.topicBefore()); m.Name == "" {
		t.Act(func() {
			if len(t.Paras) == 0 && !t.toldBefore() { // and no other part of it was answered
				t.Nothing("I'm not sure what to look for. %s", turn.Hint)
			}
		})
	}
	return m.Name
}

// thingOf is a thing that a question names in a word that mostly says nothing: "the conclusion".
func thingOf(c *interpret.Clause) string {
	if c == nil {
		return ""
	}
	for i, tok := range c.Toks {
		if i > 0 && language.In("the|my|our|your|his|her|their", c.Toks[i-1].Norm) && tok.Word && len(tok.Norm) > 4 && !language.Class("<timeword>", tok.Norm) && !language.In("other|others|first|second|third|whole|project", tok.Norm) {
			return tok.Norm
		}
	}
	return ""
}

// ask looks up the words of a question.
func (t *Finder) ask(m interpret.Meaning, query, project, kind string, carried []string, in *model.Project, otherwise func()) {
	q := Asking(t.Situation, t.Here, query, kind, m)
	if len(q.Words) == 0 && query == m.Name {
		q.Words = strings.Fields(query)
	}
	about := aboutWhat(m, q)
	switch {
	case len(carried) == 0:
		t.about, t.named = q.Topics(), about
	case about == "" || passage.Ask(m.Text, m.Clause.Toks, t.Situation.Now).Vague():
		about = t.named
	default:
		q.Since = carried
	}
	t.lookUp(lookup{m, q, query, about, project, kind, in, len(carried) > 0}, otherwise)
}

// topicBefore is what the last question before this message was about.
func (t *Finder) topicBefore() string {
	for _, said := range t.Said[:min(len(t.Said), 3)] {
		if toks := language.Tokenize(said); strings.HasSuffix(strings.TrimSpace(said), "?") || language.Asks(toks) {
			return language.Topic(language.SkipOpeners(toks))
		}
	}
	return ""
}

// A lookup is a question with what to look for, and where.
type lookup struct {
	m                           interpret.Meaning
	q                           passage.Question
	query, about, project, kind string
	in                          *model.Project
	goesOn                      bool // about what the question before names
}

// carried are the words of the question before, in the same message, that one goes on
// about: "who's Marta, and when can I ring her".
func (t *Finder) carried(m interpret.Meaning) []string {
	if m.Clause == nil || len(t.about) == 0 {
		return nil
	}
	if q := passage.Ask(m.Text, m.Clause.Toks, t.Situation.Now); passage.Back(m.Clause.Toks) || len(q.Topics()) == 0 {
		return slices.DeleteFunc(slices.Clone(t.about), func(w string) bool { return slices.Contains(q.Words, w) })
	}
	return nil
}

// lookUp answers from the project's own document, what a search finds, and what was said.
func (t *Finder) lookUp(l lookup, otherwise func()) {
	m, q, in := l.m, l.q, l.in
	a := t.Act(nil)
	args := map[string]any{"query": language.Limit(l.query, MaxQuery), "limit": 8}
	if l.project != "" {
		args["project"] = l.project
	}
	q.Only = otherwise != nil
	w := a.Want("search", args)
	var tasks, own *turn.Want
	if q.Want == passage.When || m.About == "when" {
		tasks = a.Want("list_tasks", map[string]any{"everywhere": true, "status": "all"})
	}
	if in != nil {
		own = a.Want("read_document", projectDocument(*in))
	}
	a.Then = func() {
		if w.Answered && !w.Result.OK && otherwise != nil {
			t.Late(otherwise)
			return
		}
		if t.Failed(w) {
			return
		}
		t.goesOn = l.goesOn
		docs, ok := t.documents(w, own)
		if ok && q.Want != "" {
			docs = t.withInboxes(docs, in, w)
		}
		docs = append(toldLately(t.Said, t.Situation.Now), docs...)
		if ok {
			t.around = t.withRoot(t.withInboxes(docs, in, w), true)
		}
		head, before := "About “"+l.about+"” I found:", len(t.Paras)
		switch {
		case !ok || len(t.Calls) > 0 || dueDates(t, q, l.query, t.around, tasks):
			return
		case t.dueOf(q, docs, tasks), t.settled(l, docs, own, w), t.decidedBeside(l, q, docs, own), t.quote(q, head, decisionsOf(q, own)):
		case t.quote(ofHere(q), head, ownOf(docs)), t.quote(ofAll(q), head, ownOf(docs)), t.quote(q, head, ofSubject(q, docs)):
		case otherwise != nil:
			t.Late(otherwise)
		default:
			t.unanswered(l, q, docs, own, w)
		}
		if len(t.Calls) == 0 {
			t.newest(l, own, before)
			t.qualify(m, q.Answer(docs), turn.Str(w.Result.Result, "notice"))
		}
	}
}

// decisionsOf are the decisions of a project where a question for a day may be answered by one: they
// come before what was only told.
func decisionsOf(q passage.Question, own *turn.Want) []passage.Document {
	if own == nil || q.Want != passage.When {
		return nil
	}
	d := documentOf(own.Result.Result)
	d.Own = true
	lines, within := make([]string, len(d.Lines)), false
	for i, line := range d.Lines {
		if strings.HasPrefix(line, "#") {
			within = answerWords().Under(strings.TrimLeft(line, "# "), "decision")
		}
		if within {
			lines[i] = line
		}
	}
	d.Lines = lines
	docs := []passage.Document{d}
	if best := q.Answer(docs); len(best) == 0 || !best[0].Holds {
		return nil
	}
	return docs
}

// unanswered says what there is where nothing answers: what was decided, what comes nearest.
func (t *Finder) unanswered(l lookup, q passage.Question, docs []passage.Document, own, search *turn.Want) {
	switch {
	case l.kind == "decision" && l.in != nil:
		t.Say("No decision in **%s** speaks of “%s”.", l.in.Name, l.about)
	case l.goesOn && q.Want == passage.Why && len(t.Paras) > 0: // what was found says as much
	case t.nearest(q, docs, l.in, search), t.toldLast(l), q.Nameless() && t.toldBefore(), q.Want == "" && t.contents(l.about):
	default:
		said := cmp.Or(answerWords().Said("want", string(q.Want)), "just that")
		if places := spokenOf(q, docs); places != "" {
			t.Nothing("I found nothing that says %s. “%s” is spoken of in %s.", said, l.about, places)
			return
		}
		if (l.goesOn || len(q.Topics()) == 0) && q.Want != "" && len(t.Paras) > 0 { // of what was answered before it
			t.Nothing("I found nothing that says %s.", said)
			return
		}
		t.Nothing("I found nothing about “%s” in the vault.", l.about)
	}
}

// spokenOf names the first line of each document that has all that a question is about.
func spokenOf(q passage.Question, docs []passage.Document) string {
	topics := q.Topics()
	var places []string
	for _, d := range docs {
		i := slices.IndexFunc(d.Lines, func(line string) bool {
			return len(topics) > 0 && !slices.ContainsFunc(topics, func(w string) bool { return !language.Has(language.Tokenize(line), w) })
		})
		if i >= 0 && d.Path != "" {
			places = append(places, fmt.Sprintf("%s:%d", d.Path, d.From+i))
		}
	}
	return strings.Join(places, ", ")
}

// toldLast says what was told last, where a question asks with a word that only points, as what was told
// does: "when is she back?"; or of the thing that it names in a word that no file is searched for.
func (t *Finder) toldLast(l lookup) bool {
	told, thing := toldLately(t.Said, t.Situation.Now), thingOf(l.m.Clause)
	if thing != "" && thing == l.query {
		told = slices.DeleteFunc(told, func(d passage.Document) bool { return !language.Has(language.Tokenize(d.Lines[0]), thing) })
	} else if thing != "" || l.m.Clause == nil || !t.asks || !passage.Back(l.m.Clause.Toks) || len(told) > 0 && !passage.Back(language.Tokenize(told[0].Lines[0])) {
		return false
	}
	if len(told) == 0 {
		return false
	}
	t.Say("I found nothing more about “%s”. What you told me last: “%s”", l.about, language.Limit(told[0].Lines[0], passage.Longest))
	return true
}

// toldBefore says what the message before told, where a question names nothing that anything is told of:
// "so how much is that"; false: it told nothing, or whoever asks tells something as well.
func (t *Finder) toldBefore() bool {
	told := strings.Join(extract.Telling(t.Before), " ")
	if told == "" || t.tells() {
		return false
	}
	t.Say("I found nothing that says just that. What you told me last: “%s”", language.Limit(told, passage.Longest))
	return true
}

// newest says before an answer which later decision may have turned those that it quotes.
func (t *Finder) newest(l lookup, own *turn.Want, before int) {
	if own == nil || l.kind != "decision" {
		return
	}
	last := -1
	decided := sectionTexts(own, "decision")
	for i, text := range decided {
		if t.shown[text] {
			last = i
		}
	}
	turned := slices.DeleteFunc(decided[last+1:], func(text string) bool {
		return last < 0 || !answerWords().In(language.Tokenize(text), "signs", "turned")
	})
	if len(turned) > 0 {
		t.Paras = slices.Insert(t.Paras, before, "Decided later than what follows: “"+strings.Join(turned, "”, “")+"”")
	}
}

// decidedBeside answers what was decided where a question names no more than the project, and only other
// lines have its words.
func (t *Finder) decidedBeside(l lookup, q passage.Question, docs []passage.Document, own *turn.Want) bool {
	other := func(w string) bool { return !slices.Contains(refer.NameWords(*l.in), w) }
	if l.kind != "decision" || l.in == nil || q.Want == passage.Why || slices.ContainsFunc(q.Words, other) {
		return false
	}
	decided := sectionTexts(own, "decision")
	if best := q.Answer(docs); len(decided) == 0 || len(best) > 0 && (q.Under(best[0].Section) || best[0].Said) || len(best) == 0 {
		return false
	}
	t.Bullets("Decided in **"+l.in.Name+"**:", turn.LastOf(decided, mostDecided))
	return true
}

// mostDecided are shown where none has the words of a question.
const mostDecided = 3

// qualify says what an answer lacks: a sum, or what the search has not seen.
func (t *Finder) qualify(m interpret.Meaning, best []passage.Quote, notice string) {
	if _, sum := sumOf(m); sum && len(best) > 0 {
		t.Say("I don't add up: the figures are as they were written.")
	}
	if notice != "" {
		t.Say("(%s.)", language.Capital(notice))
	}
}

// ofHere is a question that says little: it is about the project that is talked about.
func ofHere(q passage.Question) passage.Question {
	if !q.Vague() || len(q.Names) == 0 {
		return passage.Question{}
	}
	q.Only = true
	return q
}

// ofSubject are the documents that may answer: a question that names nothing is of the
// project that is talked about.
func ofSubject(q passage.Question, docs []passage.Document) []passage.Document {
	if own := ownOf(docs); q.Vague() && len(q.Names) > 0 && len(own) > 0 {
		return own
	}
	return docs
}

func ownOf(docs []passage.Document) []passage.Document {
	return slices.DeleteFunc(slices.Clone(docs), func(d passage.Document) bool { return !d.Own })
}

// ofAll is a question that says little, such as "when does it start?", as one for the
// project as a whole.
func ofAll(q passage.Question) passage.Question {
	if !q.Vague() || q.Want == "" || q.Want == passage.Who || q.Want == passage.Person {
		return passage.Question{}
	}
	q.Words, q.Names = append(q.Words, q.Names...), nil
	return q
}

// aboutWhat is what a question is about, as the user wrote it.
func aboutWhat(m interpret.Meaning, q passage.Question) string {
	if m.Clause != nil && len(q.Words) > 0 {
		first, last := -1, -1
		for i, tok := range m.Clause.Toks {
			switch w := strings.TrimSuffix(tok.Norm, "'s"); {
			case !slices.Contains(q.Words, w):
				continue
			case first < 0:
				first = i
			}
			last = i
		}
		if first >= 0 {
			return language.Limit(strings.Trim(language.Spell(m.Clause.Src, m.Clause.Toks[first:last+1]), `"'“”`), 80)
		}
	}
	return strings.Trim(m.Name, `"'“”`)
}

// Asking is what a question looks for.
func Asking(sit model.Situation, here *model.Project, query, kind string, m interpret.Meaning) passage.Question {
	var toks []language.Token
	if m.Clause != nil {
		toks = m.Clause.Toks
	}
	q := passage.Ask(query, toks, sit.Now)
	q.Dated = kind == "decision"
	if here != nil {
		q.Names = refer.NameWords(*here)
	}
	if len(toks) > 0 && q.Want == "" && kind == "" && (language.Class("<aux>", toks[0].Norm) || language.Has(toks, "we|us")) {
		kind = "decision" // "are we taking the piano?"
	}
	q.Under = func(section string) bool { return answerWords().Under(section, kind) }
	return q
}

// decisions lists what was decided in a project.
func (t *Finder) decisions(p model.Project) {
	a := t.Act(nil)
	w := a.Want("show_project", map[string]any{"project": p.Slug})
	inbox := a.Want("read_document", map[string]any{"path": refer.InboxOf(p), "from": 1, "lines": 400})
	a.Then = func() {
		if !t.Failed(w) && !sayDecided(t, p, turn.Strs(w.Result.Result, "decisions"), []passage.Document{documentOf(inbox.Result.Result)}) {
			t.Say("There are no decisions recorded in **%s** yet.", p.Name)
		}
	}
}

// WithoutName drops a project's name from a query within that project.
func WithoutName(query string, name []string) string {
	var rest []string
	for _, w := range strings.Fields(query) {
		if !slices.ContainsFunc(name, func(n string) bool { return language.Alike(w, n) > 0 }) {
			rest = append(rest, w)
		}
	}
	return strings.Join(rest, " ")
}

// rankHits puts last what the user excluded, and what only repeats: conversations, which hold the
// questions themselves, drafts, and the welcome.
func rankHits(hits []map[string]any) []map[string]any {
	sort.SliceStable(hits, func(i, j int) bool { return behind(hits[i]) < behind(hits[j]) })
	return hits
}

func behind(hit map[string]any) int {
	switch {
	case turn.Str(hit, "path") == "welcome.md":
		return 2
	case turn.Str(hit, "type") == "conversation", turn.Str(hit, "type") == "draft", turn.Str(hit, "excluded") != "":
		return 1
	}
	return 0
}

// PlainLine drops the Markdown at the start of a line.
func PlainLine(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"title: ", "> ", "- [ ] ", "- [x] ", "- ", "* ", "+ "} {
		line = strings.TrimPrefix(line, mark)
	}
	return strings.TrimSpace(line)
}
