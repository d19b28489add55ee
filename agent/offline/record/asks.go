package record

import (
	"slices"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
)

// Asks leaves of meanings no questions that are statements by their form and tell enough to be such.
func Asks(meanings []interpret.Meaning) []interpret.Meaning {
	meanings = slices.Clone(meanings)
	for i, m := range meanings {
		if m.Intent == intent.Ask && m.Score < interpret.Likely && m.Clause != nil && !m.Clause.Question && stated(m.Clause) {
			meanings[i] = m.Nothing()
		}
	}
	return meanings
}

// leastTold is how many tokens a statement has at least that may have been read as a question.
const leastTold = 8

// stated: a clause has the form of a statement.
func stated(c *interpret.Clause) bool {
	text := c.Text(c.All)
	return len(c.All) >= leastTold && language.Has(c.All, "<aux>") && extract.Plain(text) && !extract.Inquires(text) && extract.Asked(text) == "" && len(extract.Telling(text)) > 0
}
