package interpret

import (
	"strings"

	"kist/agent/language"
)

// Changed is the whole sentence of a decision that goes on with what took its place: "we said Bo
// gets the piano, but Elke's son needs it, so he'll have it". Its first half alone would say
// the contrary.
func (m Meaning) Changed() (string, bool) {
	c := m.Clause
	if c == nil || len(c.All) == 0 {
		return "", false
	}
	behind := c.Src[c.end():]
	toks := language.TrimMarks(language.Tokenize(behind))
	if len(toks) == 0 || !language.Begins(toks, "but|though|aber|doch") || strings.ContainsAny(behind[:toks[0].Start], ".!?\n;") {
		return "", false
	}
	list := sentences(behind, language.Tokenize(behind))
	if len(list) == 0 {
		return "", false
	}
	all := language.Tokenize(behind)[list[0].from:list[0].to]
	return language.Capital(strings.TrimSpace(c.Src[c.All[0].Start : c.end()+all[len(all)-1].End])), true
}
