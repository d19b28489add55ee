package interpret

import (
	"slices"

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
	for _, s := range r.dated(c, name, r.model().Slots(r.Input(c.Src), name, c.All)) {
		for s.Name == "task" && s.Start > 0 && language.Digital(c.All[s.Start-1].Norm) && (len(out) == 0 || c.All[s.Start-1].Start >= out[len(out)-1].end()) {
			s.Start-- // "28 inch tubes"
		}
		s.Start, s.End = language.Widened(c.All, s.Start, s.End)
		if name == intent.AddTask && s.Name == "task" {
			for i := s.Start; i <= s.End; i++ {
				s.End = max(s.End, language.Bracketed(c.All, i))
			}
			if n := len(out) - 1; n >= 0 && out[n].slot == "task" && c.All[s.Start].Start <= out[n].toks[len(out[n].toks)-1].Start {
				continue // it stands in the brackets behind the one before
			}
		}
		if toks := language.TrimMarks(c.All[s.Start:s.End]); language.HasWord(toks) {
			out = append(out, argument{s.Name, toks})
		}
	}
	if outer := slices.DeleteFunc(slices.Clone(out), func(a argument) bool {
		return name == intent.AddTask && a.slot == "task" && language.InBrackets(c.All, a.toks[0])
	}); outer.first("task") != nil {
		return outer // "gazebos (borrow?), a PA"
	}
	return out
}

// dated gives a German time between English words, which the trained model doesn't know for
// one, a slot of its own: "send the Exposé bis nächsten Freitag".
func (r *Reader) dated(c *Clause, name intent.Name, slots []intent.Slot) []intent.Slot {
	if name != intent.AddTask && name != intent.UpdateTask {
		return slots
	}
	d, ok := language.FindDay(c.All, r.sit.Now)
	if known, had := language.FindDate(c.All, r.sit.Now); !ok || had && known == d {
		return slots
	}
	due := intent.Slot{Name: "due", Start: d.Start, End: d.End}
	var out []intent.Slot
	placed := false
	for _, s := range slots {
		if s.End > d.Start && s.Start < d.End {
			if s.Start < d.Start {
				out = append(out, intent.Slot{Name: s.Name, Start: s.Start, End: d.Start})
			}
			if !placed {
				out, placed = append(out, due), true
			}
			if s.End > d.End && s.Name != "due" {
				out = append(out, intent.Slot{Name: s.Name, Start: d.End, End: s.End})
			}
			continue
		}
		out = append(out, s)
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
	return language.Between(c.All, all[0][0].Start, end[len(end)-1].Start)
}
