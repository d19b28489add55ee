package lookup

import (
	"kist/agent/language"
	"kist/agent/offline/turn"
)

// LookUp says what is written about some words, or that nothing is.
func (t *Finder) LookUp(query, nothing string) {
	res, ok := t.More("search", map[string]any{"query": language.Limit(query, MaxQuery), "limit": 6})
	if !ok || res.OK && t.Cite(query, &turn.Want{Result: res, Answered: true}, "This may belong to it:") || len(t.Calls) > 0 {
		return
	}
	t.Nothing("%s", nothing)
}
