package interpret

import (
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
	"kist/agent/offline/takeback"
)

// takenBackInWords is what a clause wants taken back in other words than undo, or has decided
// anew: "change of plan, one runner after all". All of that is kept.
func takenBackInWords(c *Clause, sit refer.Scope, archived refer.Scope) (Meaning, bool) {
	m := Meaning{Intent: intent.Undo, Score: 1, Clause: c, Project: refer.Reference{Empty: true}}
	if c.supposed || c.Question && !polite(language.SkipOpeners(c.All)) {
		return m, false
	}
	if takeback.OfPart(c.All) {
		m.Intent, m.About = intent.Unsupported, "part"
		return m, true
	}
	names := func(toks []language.Token) bool {
		return len(refer.Mentioned(toks, sit.Projects))+len(refer.Mentioned(toks, archived.Projects)) > 0
	}
	args, ok := takeback.Wanted(c.All, names)
	if m.Undo = args; ok {
		return m, true
	}
	toks := language.SkipOpeners(c.All)
	n := takeback.Anew(toks)
	m.Intent, m.Text = intent.AddDecision, language.Capital(language.Limit(c.Text(toks), maxText))
	return m, n > 0 && len(language.ContentWords(toks[n:])) > 1
}
