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
var slotsOf = sync.OnceValue(func() map[Name]map[string]bool {
	all := map[Name]map[string]bool{}
	for line := range strings.Lines(slotList) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		all[Name(words[0])] = map[string]bool{}
		for _, w := range words[1:] {
			all[Name(words[0])][w] = true
		}
	}
	return all
})

// Tags of tokens: outside of slots, or a slot's name behind its first and later tokens.
const (
	outside = "o"
	first   = "b "
	later   = "i "
)

// Slots finds where the arguments of an intent stand in the tokens of in.Text, or of a
// part of it. Intents without slots have none.
func (r *Reader) Slots(in Input, name Name, toks []language.Token) []Slot {
	if len(slotsOf()[name]) == 0 || len(toks) == 0 {
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
		if name, ok := strings.CutPrefix(tag, first); ok {
			out = append(out, Slot{name, i, i + 1})
		} else if strings.HasPrefix(tag, later) {
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
		if tag == outside {
			return true
		}
		if slot, ok := strings.CutPrefix(tag, later); ok {
			return before == first+slot || before == tag
		}
		return slots[strings.TrimPrefix(tag, first)]
	}
}

// SlotTags are the tags of so many tokens with these slots.
func SlotTags(n int, slots []Slot) []string {
	tags := make([]string, n)
	for i := range tags {
		tags[i] = outside
	}
	for _, s := range slots {
		for i := s.Start; i < s.End; i++ {
			tags[i] = later + s.Name
		}
		tags[s.Start] = first + s.Name
	}
	return tags
}

// Classes of tokens: a part of a text begins there, or goes on.
const (
	Begins = "begins"
	GoesOn = "goes on"
)

// How probable it must be that a part begins where no sentence ends. What is cut wrongly
// does more harm than what is left together; at a conjunction less so.
const (
	divides = 0.5
	joins   = 0.25
)

// Parts finds where the parts of a text begin that each do one thing: numbers of
// tokens, the first always.
func (r *Reader) Parts(in Input, toks []language.Token) []int {
	out := []int{0}
	if len(toks) > maxTagged {
		return out
	}
	begins := slices.Index(r.models.Parts.Classes, Begins)
	for i, features := range PartFeatures(in, toks) {
		least := divides
		if i+1 < len(toks) && !toks[i].Quoted && class("conjunction", toks[i].Norm) {
			least = joins
		}
		if begins >= 0 && i > 0 && linear.Softmax(r.models.Parts.Scores(features), 1)[begins] >= least {
			out = append(out, i)
		}
	}
	return out
}

// PartFeatures are what each token shows of whether a part begins there.
func PartFeatures(in Input, toks []language.Token) [][]uint32 {
	g := newGlance(in, toks)
	out := make([][]uint32, len(toks))
	for i := range toks {
		out[i] = g.token(i, []string{"part "}, g.far, g.sentence)
	}
	return out
}

// SlotNames are the slots that an intent may have.
func SlotNames(name Name) map[string]bool { return slotsOf()[name] }
