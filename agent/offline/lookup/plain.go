package lookup

import (
	"kist/agent/language"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// LookUp says what is written about some words, or that nothing is.
func (t *Finder) LookUp(query, nothing string) {
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
