package intent

import (
	"strconv"
	"strings"
	"time"

	"kist/agent/language"
)

// A glance is what the tokens of a text show, each by itself and beside its neighbours.
// Slots and the places where a text divides are learned from it.
type glance struct {
	toks   []language.Token
	word   []string // with names of projects and numbers masked
	group  []string
	date   []string // whether a date begins at a token, goes on, or neither: b, i, o
	shape  []string
	class  []string // to which classes of the lexicon it belongs
	joined []string // beginning or end of the word
	hits   []mention
	others int // projects named besides the active one
}

// Values of glance.date.
const (
	newDate = "b"
	inDate  = "i"
	noDate  = "o"
)

// glanced are the classes of the lexicon that are looked at.
var glanced = strings.Fields("<det> <pronoun> <wh> <aux> <verb> <addverb> <taskword> <noteword> <projectword> <timeword> <decideverb> <doneword> <finishverb> <deleteverb> <condition> <opener> <filler> <attend> <light> <handled>")

// anyDay is a day to read dates by, of which only the place matters.
var anyDay = time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)

func newGlance(in Input, toks []language.Token) *glance {
	n := len(toks)
	g := &glance{toks: toks, word: make([]string, n), date: make([]string, n), shape: make([]string, n), class: make([]string, n), joined: make([]string, n)}
	g.hits, g.others = mentions(in, language.Norms(toks))
	for i, t := range toks {
		g.word[i] = marked(t.Norm, g.hits[i])
		g.date[i] = noDate
		g.shape[i] = shapeOf(in.Text, t)
		for _, c := range glanced {
			if language.Class(c, t.Norm) {
				g.class[i] += c
			}
		}
		if r := []rune(t.Norm); len(r) > 4 {
			g.joined[i] = string(r[len(r)-3:])
		}
	}
	g.group = grouped(g.word)
	g.dates()
	return g
}

// dates marks every date.
func (g *glance) dates() {
	for at := 0; at < len(g.toks); {
		d, ok := language.FindDate(g.toks[at:], anyDay)
		if !ok || d.End <= d.Start {
			return
		}
		for i := at + d.Start; i < at+d.End; i++ {
			g.date[i] = inDate
		}
		g.date[at+d.Start] = newDate
		at += d.End
	}
}

// shapeOf is what a token looks like in the text.
func shapeOf(src string, t language.Token) string {
	s := ""
	switch first := t.Start < len(src); {
	case first && src[t.Start] >= 'A' && src[t.Start] <= 'Z':
		s = "A"
	case first && src[t.Start] >= '0' && src[t.Start] <= '9':
		s = "0"
	case t.Word:
		s = "a"
	default:
		s = "."
	}
	if t.Quoted {
		s += "q"
	}
	return s
}

// at is a column's value at a place, with marks for what lies before and behind.
func at(column []string, i int) string {
	switch {
	case i < 0:
		return begin
	case i >= len(column):
		return end
	}
	return column[i]
}

// An adder adds a feature: its kind and its parts.
type adder func(kind string, parts ...string)

// token are the features of one token: the words beside it, and what others add. Each of
// leads is put before each kind of them.
func (g *glance) token(i int, leads []string, others ...func(int, adder)) []uint32 {
	e := &extractor{found: make([]uint32, 0, 64*(1+len(leads)))}
	add := func(kind string, parts ...string) {
		for _, lead := range leads {
			e.add(lead+kind, parts...)
		}
	}
	g.beside(i, add)
	for _, more := range others {
		more(i, add)
	}
	return e.sorted()
}

// beside adds a token's words, groups, classes and shapes with those of its neighbours.
func (g *glance) beside(i int, add adder) {
	for d := -3; d <= 3; d++ {
		place := strconv.Itoa(d)
		add("w"+place, at(g.word, i+d))
		add("g"+place, at(g.group, i+d))
		if d >= -2 && d <= 2 {
			add("d"+place, at(g.date, i+d))
			add("s"+place, at(g.shape, i+d))
			add("c"+place, at(g.class, i+d))
			add("j"+place, at(g.joined, i+d))
		}
	}
	for d := -3; d <= 2; d++ {
		place := strconv.Itoa(d)
		add("ww"+place, at(g.word, i+d), at(g.word, i+d+1))
		add("gg"+place, at(g.group, i+d), at(g.group, i+d+1))
		add("cc"+place, at(g.class, i+d), at(g.class, i+d+1))
	}
	for d := -2; d <= 0; d++ {
		add("ggg"+strconv.Itoa(d), at(g.group, i+d), at(g.group, i+d+1), at(g.group, i+d+2))
	}
	add("gap", at(g.word, i-1), at(g.word, i+1))
	add("left", strconv.Itoa(min(i, 4)))
	add("right", strconv.Itoa(min(len(g.toks)-1-i, 4)))
	add("first", at(g.group, 0), at(g.class, i))
}

// keys are what a token's tag and the one before it are paired with.
func (g *glance) keys(i int, lead string) []uint32 {
	return []uint32{hash(1, lead), hash(2, at(g.word, i)), hash(3, at(g.group, i)+lead), hash(4, at(g.date, i)), hash(5, at(g.shape, i)+at(g.shape, i-1)), hash(6, at(g.class, i))}
}
