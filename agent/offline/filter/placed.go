package filter

import (
	"time"

	"kist/agent/language"
	"kist/agent/offline/queries"
	"kist/agent/offline/where"
)

// Named reports whether a message speaks of tasks and begins with a word for showing, or
// begins with the word for them and says nothing but what narrows a list: "tasks created
// last week".
func Named(src string, toks []language.Token, now time.Time) bool {
	if !language.Has(toks, "tasks|todos|to-dos") {
		return false
	}
	if table().Is(toks, "verb") > 0 {
		return true
	}
	f := Read(src, toks, nil, now)
	return language.Begins(toks, "tasks|todos|to-dos") && f.Narrows() && len(f.Text)+len(f.Loose)+len(f.Unknown) == 0 && !language.Has(toks, "<aux>")
}

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
	return (asks || table().Is(rest, "verb") > 0) && language.Has(rest, "task|tasks|todos|to-dos|open|due|overdue|unfinished|undone")
}

// Dates reports whether a message asks for all that has a day: "show me all dates until May".
func Dates(toks []language.Token) bool {
	toks = language.SkipOpeners(toks)
	return table().Is(toks, "dates") > 0 && !language.Has(toks, "and|then|but")
}
