package lookup

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/manner"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// Questions that the structure of a project answers: its sections, and those of the
// projects that it is linked to.

// answer/en.txt holds what questions are about.
//
//go:embed answer/en.txt
var answerText string

var answerWords = sync.OnceValue(func() manner.Table { return manner.Read(answerText) })

// kindOf is what a question is about.
func (t *Finder) kindOf(m interpret.Meaning) string {
	if m.About == "when" || m.About == "decision" || m.Clause == nil {
		return m.About
	}
	words := answerWords()
	for _, kind := range []string{"rejected", "decision"} { // "who is out?" isn't for somebody
		if words.In(m.Clause.Toks, "kind", kind) {
			return kind
		}
	}
	for i := range m.Clause.Toks {
		for _, each := range words.Manners {
			if each.Kind != "kind" {
				continue
			}
			if _, ok := language.MatchAny(m.Clause.Toks[i:], each.Patterns...); ok {
				return each.Value
			}
		}
	}
	return m.About
}

func projectDocument(p model.Project) map[string]any {
	return map[string]any{"path": cmp.Or(p.Path, "projects/"+p.Slug+"/project.md"), "from": 1, "lines": 400}
}

// allOf tells all that a project says of one kind: its decisions, who takes part, what could go
// wrong; in its document, its memories, and what was told. Where nothing does, a search may
// know, or something else is done; nil: it says so.
func (t *Finder) allOf(kind, query string, p model.Project, otherwise func()) {
	if kind == "decision" {
		t.decisions(p)
		return
	}
	a := t.Act(nil)
	w := a.Want("read_document", projectDocument(p))
	inbox := a.Want("read_document", map[string]any{"path": refer.InboxOf(p), "from": 1, "lines": 400})
	kept := a.Want("list_memories", map[string]any{"project": p.Slug})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		texts := sectionTexts(w, kind)
		later := toldLately(t.Said, t.Situation.Now)
		if inbox.Result.OK {
			later = append(later, documentOf(inbox.Result.Result))
		}
		for i, text := range texts {
			texts[i] = withLater(text, kind, p, later, t.Situation.Now)
		}
		told := toldOf(kind, p, strings.Join(texts, "\n"), w, inbox, kept)
		if len(texts)+len(told) == 0 && query != "" && otherwise == nil {
			res, ok := t.More("search", map[string]any{"query": language.Limit(query, MaxQuery), "limit": 8})
			if !ok || res.OK && t.Cite(query, &turn.Want{Result: res, Answered: true}, "About “"+query+"” I found:") || len(t.Calls) > 0 {
				return
			}
		}
		switch {
		case len(texts)+len(told) > 0:
		case otherwise != nil:
			t.Late(otherwise)
			return
		default:
			t.Nothing("**%s** says nothing on that yet.", p.Name)
			return
		}
		if len(texts) > 0 {
			t.Say("**%s** says (%s):\n- %s", p.Name, turn.Str(w.Result.Result, "path"), strings.Join(texts[:min(len(texts), turn.MaxSpoken)], "\n- "))
		}
		if len(told) > 0 {
			t.Say("Told in **%s**:\n- %s", p.Name, strings.Join(turn.LastOf(told, turn.MaxSpoken), "\n- "))
		}
	}
}

// Everyone tells who is who: what names somebody and says what they are or do, in the project at hand
// and outside of any, told or remembered. false: it isn't asked.
func (t *Finder) Everyone(m interpret.Meaning) bool {
	if m.Clause == nil || !answerWords().In(m.Clause.All, "kind", "everyone") {
		return false
	}
	places := []map[string]any{{}}
	in := t.Here
	if p, named := m.Project.One(); named {
		in = &p
	}
	if in != nil {
		places = append(places, map[string]any{"project": in.Slug})
	}
	a := t.Act(nil)
	var wants []*turn.Want
	for _, place := range places {
		wants = append(wants, a.Want("list_memories", place))
		told := maps.Clone(place)
		told["told"] = true
		wants = append(wants, a.Want("list_memories", told))
	}
	a.Then = func() {
		var lines []string
		for _, w := range wants {
			for _, each := range slices.Concat(turn.Objects(w.Result.Result, "memories"), turn.Objects(w.Result.Result, "told")) {
				text, path := turn.Str(each, "content"), turn.Str(each, "path")
				if line := fmt.Sprintf("“%s” (%s)", text, path); passage.TellsWho(text) && !strings.HasPrefix(text, "[") && !slices.Contains(lines, line) {
					lines = append(lines, line)
				}
			}
		}
		if len(lines) == 0 {
			t.Nothing("Nobody's part was told.")
			return
		}
		t.Bullets(answerWords().Said("told", "everyone"), turn.LastOf(lines, turn.MaxSpoken))
	}
	return true
}

// AsksRisks: a question is for what could go wrong.
func (t *Finder) AsksRisks(m interpret.Meaning) bool {
	return m.Clause.Question && t.kindOf(m) == "risk"
}

// Risks tells what was told that could go wrong in a project, or does something else.
func (t *Finder) Risks(p model.Project, otherwise func()) { t.allOf("risk", "", p, otherwise) }

// toldOf are the sentences of a project's description, inbox and memories that are of one kind,
// with their places. What was said already isn't said again.
func toldOf(kind string, p model.Project, said string, own, inbox, kept *turn.Want) []string {
	var out []string
	add := func(text, place string) {
		for _, s := range passage.Sentences(text) {
			if tellsOf(kind, s, p) && !strings.Contains(said, strings.TrimRight(s, ".")) {
				out = append(out, fmt.Sprintf("“%s” (%s)", language.Limit(s, passage.Longest), place))
			}
		}
	}
	for _, w := range []*turn.Want{own, inbox} {
		path := turn.Str(w.Result.Result, "path")
		_, list := passage.Read(turn.Strs(w.Result.Result, "lines"), 1)
		for _, each := range list {
			if !answerWords().Under(each.Section, "decision") {
				add(each.Text, fmt.Sprintf("%s:%d", path, each.Line))
			}
		}
	}
	for _, memory := range turn.Objects(kept.Result.Result, "memories") {
		if turn.Str(memory, "project") == p.Slug {
			add(turn.Str(memory, "content"), turn.Str(memory, "path"))
		}
	}
	return out
}

// tellsOf: a sentence is of one kind.
func tellsOf(kind, text string, p model.Project) bool {
	switch kind {
	case "who":
		return passage.NamesSomebody(text, refer.NameWords(p))
	case "budget":
		return passage.IsMoney(text)
	case "risk":
		return answerWords().In(language.Tokenize(text), "signs", kind)
	}
	return false
}

// withLater is what a project's document says, with what took its place since.
func withLater(text, kind string, p model.Project, later []passage.Document, now time.Time) string {
	q := passage.Question{Want: passage.Who, Words: language.ContentWords(language.Tokenize(text)), Names: refer.NameWords(p), Now: now}
	if kind == "budget" {
		q.Want = passage.Money
	}
	newer, ok := q.Newer(text, later)
	if !ok {
		return text
	}
	if newer.Said {
		return onlySaid(newer, now) + "; before that: " + text
	}
	return newer.Text + " (" + newer.Path + "); before that: " + text
}

// sectionTexts are the passages of a project's document that answer questions of that
// kind.
func sectionTexts(own *turn.Want, kind string) []string {
	var out []string
	_, list := passage.Read(turn.Strs(own.Result.Result, "lines"), 1)
	for _, p := range list {
		if answerWords().Under(p.Section, kind) {
			out = append(out, language.Limit(p.Text, 2*passage.Longest))
		}
	}
	return out
}

// Begins are the words with which a project's document begins to tell what it is.
func Begins(lines []string) []string {
	if _, list := passage.Read(lines, 1); len(list) > 0 {
		return language.ContentWords(language.Tokenize(passage.Sentences(list[0].Text)[0]))
	}
	return nil
}
