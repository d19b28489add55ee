package intent

import (
	"slices"
	"strconv"
	"strings"

	"kist/agent/language"
)

// most tokens that are looked at. What somebody wants stands at the beginning of a long
// text, and what stands behind is text.
const most = 60

// Features are hashes of what a message shows: runs of words and of letters, its shape
// and the situation. Names of projects, numbers and dates are masked, so that what is
// learned about one holds for all; the words are looked at once more as they stand,
// because names are made of ordinary ones.
func Features(in Input) []uint32 {
	e := &extractor{found: make([]uint32, 0, 1024)}
	toks := cut(in.Text)
	g, tokens := newGlance(in, toks), language.Norms(toks)
	masked := mask(tokens, g.hits)
	e.runs(naming{"1", "2", "3", "gap", "place ", "start"}, masked)
	e.pairs("bare", mask(tokens, make([]mention, len(tokens))))
	e.runs(naming{"group", "group", "group", "group gap", "group ", "group start"}, grouped(masked))
	e.kinds(g)
	e.letters(masked)
	e.shape(masked, g.others)
	e.situation(in, masked, g.others)
	e.beside("before", words(last(in.Before)))
	e.beside("after", words(in.After[:min(len(in.After), nearby)]))
	return e.sorted()
}

// mask puts marks in the place of names, numbers and dates.
func mask(tokens []string, hits []mention) []string {
	out := make([]string, 0, len(tokens))
	for i, w := range tokens {
		m := marked(w, hits[i])
		if m != w && len(out) > 0 && out[len(out)-1] == m {
			continue
		}
		out = append(out, m)
	}
	return out
}

// marked is a word, or the mark that stands for words of its kind.
func marked(w string, h mention) string {
	switch {
	case h.active && h.other:
		return eitherName
	case h.active:
		return activeName
	case h.other:
		return otherName
	case w != "" && w[0] >= '0' && w[0] <= '9':
		return "<number>"
	case class("day", w):
		return "<day>"
	case class("month", w) && w != "may":
		return "<month>"
	}
	return w
}

// An extractor collects features, some of them more than once.
type extractor struct{ found []uint32 }

// add hashes a kind of feature and its parts (FNV-1a).
func (e *extractor) add(kind string, parts ...string) {
	h := hash(2166136261, kind)
	for _, p := range parts {
		h = hash(h*16777619, p)
	}
	e.found = append(e.found, h)
}

// sorted are the features that were found, each once.
func (e *extractor) sorted() []uint32 {
	slices.Sort(e.found)
	return slices.Compact(e.found)
}

func hash(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// Words that begin and end each text.
const (
	begin = "^"
	end   = "$"
)

// A naming is what the features of runs are called, so that those of words and those of
// groups don't meet.
type naming struct{ one, two, three, gap, place, start string }

// runs adds runs of one to three words, pairs around a gap, the first words with their
// places, and the first word with each that follows.
func (e *extractor) runs(as naming, masked []string) {
	w := append(append([]string{begin}, masked...), end)
	for i := range w {
		e.add(as.one, w[i])
		if i+1 < len(w) {
			e.add(as.two, w[i:i+2]...)
		}
		if i+2 < len(w) {
			e.add(as.three, w[i:i+3]...)
			e.add(as.gap, w[i], w[i+2])
		}
		if i < 4 {
			e.add(as.place+strconv.Itoa(i), w[i])
		}
		if i > 2 && i < 14 {
			e.add(as.start, w[1], w[i])
		}
	}
}

// kinds adds runs of what the words are, and the first verb with how the text begins.
func (e *extractor) kinds(g *glance) {
	k := append(append([]string{begin}, g.kinds()...), end)
	for i := range k {
		for n := 1; n <= 4 && i+n <= len(k); n++ {
			e.add("kind", k[i:i+n]...)
		}
		if i+2 < len(k) {
			e.add("kind gap", k[i], k[i+2])
		}
		if i < 4 {
			e.add("kind "+strconv.Itoa(i), k[i])
		}
	}
	for i := range min(len(g.toks), 8) {
		if strings.Contains(g.class[i], "verb") || ending(g.word[i]) == "ed" {
			e.add("verb", g.kind(i), k[1])
			e.add("verb", g.word[i], k[1])
			break
		}
	}
}

// pairs adds words, and each with the one before it.
func (e *extractor) pairs(kind string, words []string) {
	last := begin
	for _, w := range words {
		e.add(kind, w)
		e.add(kind, last, w)
		last = w
	}
}

// letters adds runs of three to five letters within words, which hold when a word is
// bent or misspelt.
func (e *extractor) letters(masked []string) {
	for _, w := range masked {
		if w[0] == '<' {
			continue
		}
		runes := []rune(begin + w + end)
		for n := 3; n <= 5; n++ {
			for i := 0; i+n <= len(runes); i++ {
				e.add("letters", string(runes[i:i+n]))
			}
		}
	}
}

// shape adds what is to be seen from afar.
func (e *extractor) shape(masked []string, others int) {
	question := len(masked) > 0 && masked[len(masked)-1] == "?"
	e.add("question", strconv.FormatBool(question), strconv.Itoa(min(others, 2)))
	if question {
		e.add("question", masked[0])
	}
	e.add("others", strconv.Itoa(min(others, 3)))
	e.add("length", strconv.Itoa(min(len(masked), 8)))
	e.add("longer", strconv.Itoa(min(len(masked)/4, 6)))
	for _, mark := range []string{":", `"`, ",", "\n"} {
		if slices.Contains(masked, mark) {
			e.add("holds", mark)
		}
	}
}

// nearby is how much is looked at of what stands before a part of a message and behind
// it, in bytes.
const nearby = 80

// last is the end of a text.
func last(text string) string { return text[max(0, len(text)-nearby):] }

// beside adds the groups of what stands before a part of a message, or behind it.
func (e *extractor) beside(kind string, tokens []string) {
	if len(tokens) == 0 {
		return
	}
	e.add(kind)
	e.pairs(kind, grouped(tokens))
}

// situation adds what is known besides the words, with the words that it may bend.
func (e *extractor) situation(in Input, masked []string, others int) {
	open := "project " + strconv.FormatBool(in.Project != "")
	e.add(open)
	for _, w := range masked {
		e.add(open, w)
	}
	for _, s := range []struct {
		name string
		is   bool
	}{{"waiting", in.Waiting}, {"asked", in.Asked}, {"guided", in.Guided}} {
		if s.is && len(masked) > 0 {
			e.add(s.name)
			e.add(s.name, masked[0])
			e.add(s.name, strconv.Itoa(min(len(masked), 6)))
		}
	}
}
