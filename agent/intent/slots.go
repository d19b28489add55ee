package intent

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/intent/linear"
	"kist/agent/language"
)

// A Slot is a place in a text where an argument stands: tokens from Start to before End.
type Slot struct {
	Name       string // one of those that slots.txt gives the intent
	Start, End int
}

//go:embed slots.txt
var slotList string

// slotsOf are the slots of each intent.
var slotsOf = sync.OnceValue(func() map[Name][]string {
	all := map[Name][]string{}
	for name, slots := range lists(slotList) {
		all[Name(name)] = slots
	}
	return all
})

// Tags of tokens: outside of slots, or a slot's name behind its first and later tokens.
const (
	Outside = "o"
	First   = "b "
	Later   = "i "
)

// Slots finds where the arguments of an intent stand in the tokens of in.Text, or of a
// part of it. Intents without slots have none.
func (r *Reader) Slots(in Input, name Name, toks []language.Token) []Slot {
	if !HasSlots(name) || len(toks) == 0 {
		return nil
	}
	toks = toks[:min(len(toks), maxTagged)]
	return slotsIn(r.models.Slots.Tag(SlotSequence(in, name, toks), MaySlot(name)))
}

// maxTagged is how many tokens are looked at: more are pasted.
const maxTagged = 300

// slotsIn reads tags.
func slotsIn(tags []string) []Slot {
	var out []Slot
	for i, tag := range tags {
		if name, ok := strings.CutPrefix(tag, First); ok {
			out = append(out, Slot{name, i, i + 1})
		} else if strings.HasPrefix(tag, Later) {
			out[len(out)-1].End = i + 1
		}
	}
	return out
}

// SlotSequence is what the tagger of slots sees.
func SlotSequence(in Input, name Name, toks []language.Token) linear.Sequence {
	g := newGlance(in, toks)
	var s linear.Sequence
	for i := range toks {
		s.Features = append(s.Features, g.token(i, []string{"", string(name) + " "}, g.around))
		s.Keys = append(s.Keys, g.keys(i, string(name)))
	}
	return s
}

// MaySlot says which tags an intent allows.
func MaySlot(name Name) linear.May {
	slots := slotsOf()[name]
	return func(before, tag string) bool {
		if tag == Outside {
			return true
		}
		if slot, ok := strings.CutPrefix(tag, Later); ok {
			return before == First+slot || before == tag
		}
		return slices.Contains(slots, strings.TrimPrefix(tag, First))
	}
}

// HasSlots reports whether an intent has arguments.
func HasSlots(name Name) bool { return len(slotsOf()[name]) > 0 }
