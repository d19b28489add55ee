package lookup

import (
	"fmt"
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/decided"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// What was told to be decided, turned down or needed, where no section says so: the lines whose
// words say it, the newest first.

// A toldLine is what an inbox says in a line.
type toldLine struct {
	text, path string
	at         int
}

func (l toldLine) quote() string { return fmt.Sprintf("“%s” (%s:%d)", l.text, l.path, l.at) }

// toldOfSign are the lines of documents that say something of that kind, the newest last.
func toldOfSign(kind string, docs []passage.Document) (out []toldLine) {
	for _, d := range docs {
		if !strings.HasSuffix(d.Path, "inbox.md") || d.Said {
			continue
		}
		for i, line := range d.Lines {
			text, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
			if !ok || strings.HasPrefix(text, "[") {
				continue
			}
			_, said, dated := strings.Cut(text, ": ")
			if !dated {
				said = text
			}
			toks := language.Tokenize(said)
			says := answerWords().In(toks, "signs", kind)
			if kind == "decision" {
				says = decided.Says(toks)
			}
			if says && !language.Asks(toks) {
				out = append(out, toldLine{text, d.Path, max(d.From, 1) + i})
			}
		}
	}
	return out
}

// settled tells what was decided or turned down of what a question is about; false: nothing was told,
// or the project's own decisions say it.
func (t *Finder) settled(l lookup, docs []passage.Document, own, search *turn.Want) bool {
	if l.kind != "decision" && l.kind != "rejected" || l.q.Want == passage.Why && l.kind == "decision" {
		return false
	}
	topics := l.topics()
	priced := len(topics) == 0 && passage.Like(l.q.Words, "price")
	of := func(text string) bool {
		return priced && passage.IsMoney(text) || slices.ContainsFunc(language.ContentWords(language.Tokenize(text)), func(w string) bool {
			return slices.ContainsFunc(topics, func(o string) bool { return passage.Like([]string{o}, w) })
		})
	}
	if decided := ownDecided(l, own, of); len(decided) > 0 {
		if priced {
			t.Bullets("Decided in **"+l.in.Name+"**:", decided)
		}
		return priced
	}
	about := priced || len(topics) > 0
	docs = t.withRoot(t.withInboxes(docs, l.in, search), about || l.in == nil)
	if len(t.Calls) > 0 {
		return true
	}
	if own != nil && !about && l.wholly() {
		return sayDecided(t, *l.in, sectionTexts(own, l.kind), docs)
	}
	told := toldOfSign(l.kind, docs)
	if about && l.kind == "decision" {
		told = toldOfThing(told, docs, of)
	}
	if len(told) == 0 {
		return false
	}
	if l.kind == "decision" {
		slices.Reverse(told)
	}
	sayTold(t, l.kind, told[:min(len(told), mostDecided)])
	return true
}

// topics are the words of a question that tell which of what was decided or turned down is asked for.
func (l lookup) topics() []string {
	return slices.DeleteFunc(l.q.Topics(), func(w string) bool {
		return l.names(w) || answerWords().List[w] || answerWords().In(language.Tokenize(w), "kind", l.kind) || answerWords().In(language.Tokenize(w), "signs", l.kind)
	})
}

// wholly: all decisions of a project are asked for.
func (l lookup) wholly() bool {
	return l.kind == "decision" && !slices.ContainsFunc(l.q.Words, func(w string) bool { return !l.names(w) && !answerWords().List[w] })
}

// names: a word is of the name of the project that is asked about.
func (l lookup) names(w string) bool {
	return l.in != nil && slices.ContainsFunc(refer.NameWords(*l.in), func(n string) bool { return language.Alike(w, n) > 0 })
}

// sayDecided tells all that is decided in a project: what is recorded, and what was told in its inbox
// alone. false: nothing is.
func sayDecided(t *Finder, p model.Project, recorded []string, docs []passage.Document) bool {
	lines := slices.Clone(recorded)
	for _, line := range toldOfSign("decision", docs) {
		if _, on := passage.DayIn(line.text, t.Situation.Now); on {
			continue // what somebody will do then
		}
		if line.path == refer.InboxOf(p) && !slices.ContainsFunc(recorded, func(text string) bool {
			_, said, _ := strings.Cut(text, ": ")
			return strings.Contains(strings.ToLower(line.text), strings.ToLower(strings.TrimRight(said, ".")))
		}) {
			lines = append(lines, line.quote())
		}
	}
	t.Bullets(fmt.Sprintf("Decided in **%s** (%s):", p.Name, projectDocument(p)["path"]), turn.LastOf(lines, turn.MaxSpoken))
	return len(lines) > 0
}

// sayTold quotes what was told of a kind.
func sayTold(t *Finder, kind string, told []toldLine) {
	var lines []string
	for i, line := range told {
		t.shown[line.text] = true
		said := line.quote()
		if i > 0 && kind == "decision" {
			said = "before that: " + said
		}
		lines = append(lines, said)
	}
	t.Bullets(answerWords().Said("told", kind), lines)
}

// ownDecided are the decisions of a project that are of what a question asks for.
func ownDecided(l lookup, own *turn.Want, of func(string) bool) []string {
	if l.kind != "decision" || own == nil {
		return nil
	}
	return slices.DeleteFunc(sectionTexts(own, l.kind), func(text string) bool { return !of(text) })
}

// toldOfThing are those lines that are of a thing, or else name somebody who is named beside it.
func toldOfThing(told []toldLine, docs []passage.Document, of func(string) bool) []toldLine {
	named := map[string]bool{}
	if !slices.ContainsFunc(told, func(line toldLine) bool { return of(line.text) }) {
		named = namedBeside(docs, of)
	}
	return slices.DeleteFunc(told, func(line toldLine) bool {
		return !of(line.text) && !slices.ContainsFunc(language.ContentWords(language.Tokenize(line.text)), func(w string) bool { return named[w] })
	})
}

// namedBeside are the names that told lines have beside a topic: of the van quotes those who made
// them, so that "went with Dave" is about the van.
func namedBeside(docs []passage.Document, of func(string) bool) map[string]bool {
	named, elsewhere := map[string]bool{}, map[string]bool{}
	for _, d := range docs {
		for _, line := range d.Lines {
			if text, ok := strings.CutPrefix(line, "- "); ok && strings.HasSuffix(d.Path, "inbox.md") {
				for _, w := range language.ContentWords(language.Tokenize(text)) {
					if of(text) && !language.Digital(w) && !language.Light(w) && !language.Past(w) {
						named[w] = true
					} else if elsewhere[w] && !of(text) {
						delete(named, w) // told of several things
					}
					elsewhere[w] = elsewhere[w] || !of(text)
				}
			}
		}
	}
	return named
}

// withRoot adds the inbox outside of projects, where what is told there may answer.
func (t *Finder) withRoot(docs []passage.Document, may bool) []passage.Document {
	if !may || slices.ContainsFunc(docs, func(d passage.Document) bool { return d.Path == "inbox.md" && d.From <= 1 }) {
		return docs
	}
	if res, ok := t.More("read_document", map[string]any{"path": "inbox.md", "from": 1, "lines": 400}); ok && res.OK {
		docs = slices.DeleteFunc(docs, func(d passage.Document) bool { return d.Path == "inbox.md" })
		docs = append(docs, documentOf(res.Result))
	}
	return docs
}

// Needed tells what was told to be needed, in the project at hand or outside of all, and then does
// something else.
func (t *Finder) Needed(then func()) {
	path := "inbox.md"
	if t.Here != nil {
		path = refer.InboxOf(*t.Here)
	}
	a := t.Act(nil)
	w := a.Want("read_document", map[string]any{"path": path, "from": 1, "lines": 400})
	a.Then = func() {
		var lines []string
		for _, line := range toldOfSign("needed", []passage.Document{documentOf(w.Result.Result)}) {
			lines = append(lines, line.quote())
		}
		t.Bullets(answerWords().Said("told", "needed"), turn.LastOf(lines, mostDecided))
		t.Late(then)
	}
}
