package lookup

import (
	"fmt"
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// Nothing says that nothing was done or found for the message, or for the question in it. What only
// tells something is no question that has failed: it is kept, and whoever keeps it says so.
func (t *Finder) Nothing(format string, args ...any) {
	if t.tells() {
		t.Heard = true
		if !t.asks {
			return
		}
	}
	t.Say(format, args...)
}

// tells reports whether the message tells something, which is the same for all of its questions.
func (t *Finder) tells() bool {
	if t.told == nil || t.of != t.Text {
		t.told, t.of = new(len(extract.Telling(t.Text)) > 0), t.Text
	}
	return *t.told
}

// LookUp says what is written about some words, or that nothing is.
func (t *Finder) LookUp(query, nothing string) {
	if strings.TrimSpace(query) == "" {
		t.Nothing("%s", nothing)
		return
	}
	res, ok := t.More("search", map[string]any{"query": language.Limit(query, MaxQuery), "limit": 6})
	if !ok {
		return
	}
	w := &turn.Want{Result: res, Answered: true}
	if res.OK && t.Cite(query, w, "This may belong to it:") || len(t.Calls) > 0 {
		return
	}
	if docs, read := t.documents(w, nil); read && !t.nearest(passage.Ask(query, language.Tokenize(t.Text), t.Situation.Now), docs, t.Here, w) {
		t.Nothing("%s", nothing)
	}
}

// Spoken is where some words are spoken of first, in a document that isn't kist's own record: the slug of
// its project, and the line with its place. ok: it was looked for; no line: nowhere.
func Spoken(t *turn.Turn, words []string) (slug, line string, ok bool) {
	res, ok := t.More("search", map[string]any{"query": language.Limit(strings.Join(words, " "), MaxQuery), "limit": 8})
	for _, hit := range rankHits(turn.Objects(res.Result, "hits")) {
		has := func(w string) bool { return language.Has(language.Tokenize(turn.Str(hit, "excerpt")), w) }
		if behind(hit) == 0 && slices.ContainsFunc(words, has) {
			said, _, _ := strings.Cut(strings.TrimSpace(turn.Str(hit, "excerpt")), "\n")
			return turn.Str(hit, "project"), fmt.Sprintf("“%s” (%s:%d)", language.Limit(PlainLine(said), passage.Longest/2), turn.Str(hit, "path"), turn.Num(hit, "line")), ok
		}
	}
	return "", "", ok
}
