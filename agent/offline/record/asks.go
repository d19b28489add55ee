package record

import (
	"slices"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
)

// Asks leaves of meanings no questions that are statements by their form and tell enough to be such,
// and no tasks that are questions for them: "what do I have to send by Friday, we did the photos".
func Asks(meanings []interpret.Meaning) []interpret.Meaning {
	meanings = slices.Clone(meanings)
	for i, m := range meanings {
		if m.Intent == intent.Ask && m.Score < interpret.Likely && m.Clause != nil && !m.Clause.Question && stated(m.Clause) {
			meanings[i] = m.Nothing()
		}
		if m.Intent == intent.AddTask && m.Clause != nil && language.Begins(language.SkipOpeners(m.Clause.All), "what|which *? do|did|must|should i|we") {
			meanings[i] = interpret.Meaning{Intent: intent.ListTasks, Score: m.Score, Clause: m.Clause, Project: refer.Reference{Empty: true}}
		}
		if m.Intent == intent.AddTask && m.Clause != nil && language.Begins(language.SkipOpeners(m.Clause.All), "when|where|how|why|who do|did|must|should i|we") {
			meanings[i] = LookedFor(m)
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
