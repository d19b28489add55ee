package lookup

import (
	"cmp"
	_ "embed"
	"path"
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

func inboxOf(p model.Project) string {
	if dir, name := path.Split(p.Path); p.Path != "" && name != "project.md" {
		return dir + "inbox.md"
	}
	return "projects/" + p.Slug + "/notes/inbox.md"
}

// allOf tells all that a project says of one kind: its decisions, who takes part. Where
// its document has no such section, a search may know.
func (t *Finder) allOf(kind, query string, p model.Project) {
	if kind == "decision" {
		t.decisions(p.Slug, p.Name)
		return
	}
	a := t.Act(nil)
	w := a.Want("read_document", projectDocument(p))
	inbox := a.Want("read_document", map[string]any{"path": inboxOf(p), "from": 1, "lines": 400})
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
		if len(texts) == 0 && query != "" {
			res, ok := t.More("search", map[string]any{"query": language.Limit(query, MaxQuery), "limit": 8})
			if !ok || res.OK && t.Cite(query, &turn.Want{Result: res, Answered: true}, "About “"+query+"” I found:") || len(t.Calls) > 0 {
				return
			}
		}
		if len(texts) == 0 {
			t.Say("**%s** says nothing on that yet.", p.Name)
			return
		}
		t.Say("**%s** says (%s):\n- %s", p.Name, turn.Str(w.Result.Result, "path"), strings.Join(texts[:min(len(texts), turn.MaxSpoken)], "\n- "))
	}
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
