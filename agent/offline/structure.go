package offline

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/model"
)

// Questions that the structure of a project answers: its sections, and those of the
// projects that it is linked to.

// answer/en.txt holds what questions are about.
//
//go:embed answer/en.txt
var answerText string

var answerWords = sync.OnceValue(func() filterTable { return readManners(answerText) })

// headings are the words of headings under which a project says what a question of that
// kind asks, as a pattern.
func (f filterTable) headings(kind string) string {
	for _, m := range f.manners {
		if m.kind == "heads" && m.value == kind {
			return strings.ReplaceAll(strings.Join(m.patterns, ""), " ", "|")
		}
	}
	return ""
}

// under reports whether a heading is one under which such questions are answered.
func (f filterTable) under(heading, kind string) bool {
	heads := f.headings(kind)
	return heads != "" && language.Has(language.Tokenize(heading), heads)
}

// wholly: a question of some kind says nothing else.
func (f filterTable) wholly(query string) bool {
	return !slices.ContainsFunc(strings.Fields(query), func(w string) bool { return !f.list[w] })
}

// kindOf is what a question is about.
func (t *talk) kindOf(m meaning) string {
	if m.about == "when" || m.about == "decision" || m.clause == nil {
		return m.about
	}
	words := answerWords()
	for i := range m.clause.toks {
		for _, manner := range words.manners {
			if manner.kind != "kind" {
				continue
			}
			if _, ok := language.MatchAny(m.clause.toks[i:], manner.patterns...); ok {
				return manner.value
			}
		}
	}
	return m.about
}

func projectDocument(slug string) map[string]any {
	return map[string]any{"path": "projects/" + slug + "/project.md", "from": 1, "lines": 400}
}

// sure is the score from which a project's own words answer and nothing else is looked
// for: all words of the question stand there.
const sure = 1

// linkedLine is where front matter names another project.
var linkedLine = regexp.MustCompile(`projects/([a-z0-9-]+)(?:/|["'\s]*$)`)

// maxLinked is how many linked projects are looked at.
const maxLinked = 3

// fromProject answers with what the project's document says, or that of a linked one;
// false: it says nothing that has all words, or readings are still to come.
func (t *talk) fromProject(own *want, query, kind, head string) bool {
	words := contentWords(language.Tokenize(query))
	if own == nil || !own.res.OK || len(words) == 0 {
		return false
	}
	if t.quoteSure(own.res.Result, words, kind, head) {
		return true
	}
	for _, slug := range linkedIn(own.res.Result) {
		res, ok := t.more("read_document", projectDocument(slug))
		if !ok {
			return false
		}
		if res.OK && t.quoteSure(res.Result, words, kind, head) {
			return true
		}
	}
	return false
}

func (t *talk) quoteSure(doc map[string]any, words []string, kind, head string) bool {
	quotes := bestPassages(doc, words, kind)
	return slices.ContainsFunc(quotes, func(q quote) bool { return q.score >= sure }) && t.quote(head, quotes)
}

// linkedIn are the projects that a document's front matter links to.
func linkedIn(doc map[string]any) []string {
	var slugs []string
	lines := strs(doc, "lines")
	for i, line := range lines {
		if i > 0 && line == "---" {
			break
		}
		if m := linkedLine.FindStringSubmatch(line); m != nil && len(slugs) < maxLinked && !slices.Contains(slugs, m[1]) && !strings.Contains(str(doc, "path"), "/"+m[1]+"/") {
			slugs = append(slugs, m[1])
		}
	}
	return slugs
}

// allOf tells all that a project says of one kind: its decisions, who takes part. Where
// its document has no such section, a search may know.
func (t *talk) allOf(kind, query string, p model.Project) {
	if kind == "decision" {
		t.decisions(p.Slug, p.Name)
		return
	}
	a := t.act(nil)
	w := a.want(t, "read_document", projectDocument(p.Slug))
	a.then = func() {
		if t.failed(w) {
			return
		}
		texts := sectionTexts(w, kind)
		if len(texts) == 0 && query != "" {
			res, ok := t.more("search", map[string]any{"query": language.Limit(query, maxQuery), "limit": 8})
			if !ok || res.OK && t.cite(query, kind, &want{res: res, ok: true}, "About “"+query+"” I found:") || len(t.calls) > 0 {
				return
			}
		}
		if len(texts) == 0 {
			t.say("**%s** says nothing on that yet.", p.Name)
			return
		}
		t.say("**%s** says (%s):\n- %s", p.Name, str(w.res.Result, "path"), strings.Join(texts[:min(len(texts), maxSpoken)], "\n- "))
	}
}

// sectionTexts are the passages of a project's document that answer questions of that
// kind.
func sectionTexts(own *want, kind string) []string {
	var out []string
	_, list := passagesOf(strs(own.res.Result, "lines"), 1)
	for _, p := range list {
		if answerWords().under(p.section, kind) {
			out = append(out, language.Limit(p.text, 2*maxPassage))
		}
	}
	return out
}
