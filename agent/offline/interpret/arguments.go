package interpret

import (
	"kist/agent/intent"
	"kist/agent/language"
)

// An argument is what stands in a slot of a clause.
type argument struct {
	slot string // see agent/intent/slots.txt
	toks []language.Token
}

type arguments []argument

// arguments finds what an intent is about, in the order of the words.
func (r *Reader) arguments(c *Clause, name intent.Name) arguments {
	var out arguments
	for _, s := range r.model().Slots(r.Input(c.Src), name, c.All) {
		for s.Name == "task" && s.Start > 0 && language.Digital(c.All[s.Start-1].Norm) && (len(out) == 0 || c.All[s.Start-1].Start >= out[len(out)-1].end()) {
			s.Start-- // "28 inch tubes"
		}
		if toks := language.TrimMarks(c.All[s.Start:s.End]); language.HasWord(toks) {
			out = append(out, argument{s.Name, toks})
		}
	}
	return out
}

// end is where it ends, in bytes.
func (a argument) end() int { return a.toks[len(a.toks)-1].End }

// first is what stands in the first of a kind of slots; nil: there is none.
func (a arguments) first(slot string) []language.Token {
	for _, each := range a {
		if each.slot == slot {
			return each.toks
		}
	}
	return nil
}

// every is what stands in each slot of a kind.
func (a arguments) every(slot string) [][]language.Token {
	var out [][]language.Token
	for _, each := range a {
		if each.slot == slot {
			out = append(out, each.toks)
		}
	}
	return out
}

// from is all of a clause from the first token of a slot to the last one of that kind.
func (a arguments) from(c *Clause, slot string) []language.Token {
	all := a.every(slot)
	if len(all) == 0 {
		return nil
	}
	end := all[len(all)-1]
	return c.spanned(all[0][0].Start, end[len(end)-1].Start)
}
