package intent

import (
	"strconv"
	"strings"
)

// ending is what a word's form shows: that something happened, goes on, is of many.
func ending(w string) string {
	for _, e := range []string{"ing", "ed", "ly", "en", "s"} {
		if len(w) > len(e)+2 && strings.HasSuffix(w, e) {
			return e
		}
	}
	return ""
}

// kind is what a token is, whatever word it is: a date, a name, a number, a mark, a
// class of the lexicon, a group, or else no more than a form.
func (g *glance) kind(i int) string {
	switch {
	case i < 0:
		return begin
	case i >= len(g.toks):
		return end
	case g.date[i] != noDate:
		return "<date>" + g.date[i]
	case g.word[i][0] == '<' || !g.toks[i].Word:
		return g.word[i]
	case g.class[i] != "":
		return g.class[i] + ending(g.word[i])
	case g.group[i][0] == '<':
		return g.group[i] + ending(g.word[i])
	}
	return "?" + ending(g.word[i])
}

// kinds are those of all tokens, one for each date.
func (g *glance) kinds() []string {
	var out []string
	for i := range g.toks {
		if g.date[i] != inDate {
			out = append(out, g.kind(i))
		}
	}
	return out
}

// verbal reports whether a token may be what somebody does.
func (g *glance) verbal(i int) bool {
	c := g.class[i]
	return strings.Contains(c, "verb") || strings.Contains(c, "aux") || ending(g.word[i]) == "ed" || g.group[i] == "<must>" || g.group[i] == "<did>"
}

// around adds the kinds of a token and its neighbours, and runs of them.
func (g *glance) around(i int, add adder) {
	for d := -3; d <= 3; d++ {
		add("k"+strconv.Itoa(d), g.kind(i+d))
	}
	for d := -3; d <= 1; d++ {
		place := strconv.Itoa(d)
		add("kkk"+place, g.kind(i+d), g.kind(i+d+1), g.kind(i+d+2))
		if d > -3 {
			add("kk"+place, g.kind(i+d), g.kind(i+d+1))
		}
	}
}

// How many tokens are looked at before one, and behind it.
const (
	leftward  = 12
	rightward = 5
)

// far adds the groups before a token and behind it, and how far back the last verb is.
func (g *glance) far(i int, add adder) {
	verb := ""
	for j := max(0, i-leftward); j < i; j++ {
		if w := g.group[j]; w[0] == '<' {
			add("l", w)
			add("l", w, g.class[i], g.date[i])
		}
		if strings.Contains(g.class[j], "verb") || ending(g.word[j]) == "ed" {
			verb = strconv.Itoa(min(i-j, 6))
		}
	}
	add("lv", verb, g.class[i])
	add("lf", at(g.group, 0), at(g.group, 1), at(g.group, i))
	add("lg", at(g.group, 0), at(g.word, i-1))
	for j := i + 1; j <= min(i+rightward, len(g.toks)-1); j++ {
		if w := g.group[j]; w[0] == '<' {
			add("r", w)
		}
	}
}

// sentence adds where a token stands between two marks, and whether verbs stand before
// it there and behind it.
func (g *glance) sentence(i int, add adder) {
	from, to := i, i
	for from > 0 && g.toks[from-1].Word {
		from--
	}
	for to < len(g.toks) && g.toks[to].Word {
		to++
	}
	before, behind := g.verbs(from, i), g.verbs(i, to)
	add("hv", before, behind, at(g.class, i))
	add("hv", before, behind, at(g.word, i))
	add("hv", before, g.verbs(i, min(to, i+4)), at(g.word, i-1))
	add("hd", strconv.Itoa(min(i-from, 8)), strconv.Itoa(min(to-i, 8)))
	add("hp", at(g.word, from-1), at(g.word, i), strconv.Itoa(min(i-from, 3)))
	add("he", at(g.word, to), strconv.Itoa(min(to-i, 3)))
	add("hf", at(g.group, from), at(g.group, min(from+1, len(g.toks)-1)), at(g.group, i))
	for d := -1; d <= 0; d++ {
		add("hh", at(g.class, i+d), at(g.class, i+d+1), at(g.class, i+d+2))
	}
}

// verbs counts what may be one: none, one, or more.
func (g *glance) verbs(from, to int) string {
	n := 0
	for i := from; i < to; i++ {
		if g.verbal(i) {
			n++
		}
	}
	return strconv.Itoa(min(n, 2))
}
