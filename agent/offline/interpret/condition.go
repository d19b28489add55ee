package interpret

import (
	"kist/agent/intent"
	"kist/agent/language"
)

// afterCondition drops "when I'm back," from "when I'm back, remind me to call",
// and what is only courtesy: "if nobody minds I would like to". A real condition is
// noted: what hangs on it isn't to be done now.
func (c *Clause) afterCondition(toks []language.Token) []language.Token {
	n, ok := language.MatchAny(toks, "<condition>", "in case", "as soon|long as", "even if|when|though")
	if !ok {
		return toks
	}
	end := 0
	for i := n; i < len(toks) && i <= 30 && end == 0; i++ {
		if toks[i].Norm != "," || toks[i].Quoted || !language.HasWord(toks[i:]) {
			continue
		}
		end = i
	}
	if end == 0 {
		return toks
	}
	c.supposed = !courtesy(toks[:end]) && language.Class("<hypothesis>", toks[0].Norm) && !beforeGoing(toks)
	return language.SkipOpeners(toks[end:])
}

// hangs: nothing that takes away is done on a condition, and no project is changed
// where one stands anywhere in the clause.
func (c *Clause) hangs(i intent.Name) bool {
	return (restructures(i) || i == intent.Undo) && c.hypothetical() || takesAway(i) && c.supposed
}

// hypothetical: what the clause says hangs on something, before or behind it.
func (c *Clause) hypothetical() bool {
	if c.supposed {
		return true
	}
	for i, t := range c.Toks {
		if i > 0 && !t.Quoted && language.Class("<hypothesis>", t.Norm) && len(c.Toks)-i > 2 && !courtesy(c.Toks[i:]) {
			return true
		}
	}
	return false
}
