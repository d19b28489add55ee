package language

import (
	"slices"
	"strings"
)

// A Template is a pattern with places for what isn't known beforehand: "move {task}
// to {date}". A place takes one or more tokens; everything else is as in [Match].
type Template struct {
	parts []part
	fixed int // how many words it demands
}

// A part is an element of a pattern, or a place.
type part struct {
	element
	place string
}

// NewTemplate reads a template.
func NewTemplate(text string) Template {
	var t Template
	for _, field := range strings.Fields(text) {
		if name, ok := strings.CutPrefix(field, "{"); ok {
			t.parts = append(t.parts, part{place: strings.TrimSuffix(name, "}")})
			continue
		}
		e := elements(field)[0]
		t.parts = append(t.parts, part{element: e})
		if !e.optional {
			t.fixed++
		}
	}
	return t
}

// A Form is a template for what the head of its line says.
type Form struct {
	What string
	Template
}

// Forms reads templates from lines such as "rename: call {note} {to}".
func Forms(text string) (list []Form) {
	for what, line := range Lists(text) {
		list = append(list, Form{what, NewTemplate(line)})
	}
	return list
}

// SkipAsking leaves out words by which somebody asks for what follows: "could you", "I'd like you to".
func SkipAsking(toks []Token) []Token {
	toks = SkipOpeners(toks)
	if n, ok := MatchAny(toks, "can|could|would|will you", "i want|like you? to", "i would like you? to", "let us"); ok {
		toks = SkipOpeners(toks[n:])
	}
	return toks
}

// A Filling is what stands in the places of a template.
type Filling struct {
	Places map[string][]Token
	Words  int // that the template has in common with the text
}

// Fill holds a template against all of toks. Where it can be read in several ways, the
// one with most words in common is taken, and shorter places before longer ones; fits
// says whether a place can hold some tokens.
func (t Template) Fill(toks []Token, fits func(place string, toks []Token) bool) (Filling, bool) {
	f := filler{fits: fits, best: Filling{Words: -1}}
	if t.fixed <= len(toks) && t.within(toks) {
		f.fill(toks, t.parts, 0)
	}
	return f.best, f.best.Words >= 0
}

// within looks whether every word that the template demands is there at all, which
// settles most cases.
func (t Template) within(toks []Token) bool {
	for _, p := range t.parts {
		if p.place == "" && !p.optional && !slices.ContainsFunc(toks, p.fits) {
			return false
		}
	}
	return true
}

type filler struct {
	fits  func(string, []Token) bool
	held  []held
	best  Filling
	steps int
}

type held struct {
	place string
	toks  []Token
}

// maxSteps bounds the work on one template, maxPlace how long a place is that isn't the
// last.
const (
	maxSteps = 2000
	maxPlace = 40
)

func (f *filler) fill(toks []Token, parts []part, words int) {
	if f.steps++; f.steps > maxSteps {
		return
	}
	if len(parts) == 0 {
		if len(toks) == 0 && words > f.best.Words {
			f.best = Filling{map[string][]Token{}, words}
			for _, h := range f.held {
				f.best.Places[h.place] = h.toks
			}
		}
		return
	}
	p := parts[0]
	if p.place != "" {
		from, to := 1, min(len(toks), maxPlace)
		if len(parts) == 1 {
			from, to = max(1, len(toks)), len(toks) // the last one takes all
		}
		for n := from; n <= to; n++ {
			if !f.fits(p.place, toks[:n]) {
				continue
			}
			f.held = append(f.held, held{p.place, toks[:n]})
			f.fill(toks[n:], parts[1:], words)
			f.held = f.held[:len(f.held)-1]
		}
		return
	}
	for skip := 0; skip <= len(toks) && skip <= 3; skip++ {
		if skip < len(toks) && p.fits(toks[skip]) {
			f.fill(toks[skip+1:], parts[1:], words+1)
		}
		if skip == len(toks) || !IsFiller(toks[skip]) {
			break
		}
	}
	if p.optional {
		f.fill(toks, parts[1:], words)
	}
}
