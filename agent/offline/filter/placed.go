package filter

import (
	"kist/agent/language"
	"kist/agent/offline/queries"
	"kist/agent/offline/where"
)

// Placed reports whether a message asks, and does nothing else, for notes or tasks with a tag
// or in a folder.
func Placed(src string, toks []language.Token) bool {
	place, rest := where.Read(src, language.SkipOpeners(toks))
	if !place.Any() || language.Has(rest, "and|then|but|or|,") {
		return false
	}
	if _, notes := queries.Notes(src, toks); notes {
		return true
	}
	_, asks := language.MatchAny(rest, "which|what|whats|any|anything|everything", "how many", "open|overdue|due? tasks|todos|to-dos")
	return (asks || Verb(rest)) && language.Has(rest, "task|tasks|todos|to-dos|open|due|overdue|unfinished|undone")
}
