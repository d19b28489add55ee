package filing

import (
	"slices"

	"kist/agent/language"
	"kist/agent/recall"
)

// What is told in one project may be about another one, which it names: "and Emily has
// found a flat", while the roof is talked about.

// byPlace sorts sentences by the project they are about, in their order; here is where
// those belong that name no other. One that hangs on the one before goes with it.
func (t *Turn) byPlace(sentences []string, here string) (places []string, of map[string][]string) {
	of = map[string][]string{}
	last := here
	for _, s := range sentences {
		place, named := t.placeOf(s, here)
		if named && heads(s) {
			here = place // and for what follows
		}
		if !named && hangsOn(s) {
			place = last
		}
		last = place
		if len(of[place]) == 0 {
			places = append(places, place)
		}
		of[place] = append(of[place], s)
	}
	return places, of
}

// maxHead is within how many words a mark ends what heads a sentence.
const maxHead = 6

// heads: a sentence says first what it is about: "Cottage news: the roof is on".
func heads(s string) bool {
	toks := language.Tokenize(s)
	return slices.ContainsFunc(toks[:min(len(toks), maxHead)], func(t language.Token) bool { return t.Norm == ":" && !t.Quoted })
}

// hangsOn: a sentence goes on about who or what the one before told of.
func hangsOn(s string) bool {
	toks := language.Tokenize(s)
	return len(toks) > 0 && language.In("and|also|plus|und|she|he|they|her|his|their|sie|er", toks[0].Norm)
}

// placeOf is the project that a sentence names, where that is one alone and not the one
// at hand. named: it names one.
func (t *Turn) placeOf(sentence, here string) (slug string, named bool) {
	var hit []string
	for _, p := range t.Projects {
		if recall.Names(sentence, p.Name) {
			hit = append(hit, p.Slug)
		}
	}
	if slices.Contains(hit, here) {
		return here, true
	}
	if len(hit) != 1 {
		return here, false
	}
	if p, ok := t.Named(hit[0]); !ok || p.Status == "archived" {
		return here, false
	}
	return hit[0], true
}
