package narration

import (
	"slices"
	"strconv"
	"strings"

	"kist/agent/claims"
	"kist/agent/language"
)

const (
	minWords = 4
	maxWords = 40
	// covered is how much of a sentence has to be in the words of its points, beside words
	// that carry no subject.
	covered = 0.8
)

// holds reports whether points bear a sentence out.
func holds(sentence string, from []Point) bool {
	var said []string
	for _, p := range from {
		said = append(said, p.Text)
	}
	n := len(strings.Fields(sentence))
	switch {
	case n < minWords, n > maxWords, strings.ContainsAny(sentence, "?‹›"), strings.Contains(sentence, ".md"):
		return false
	case language.Has(language.Words(sentence), "i|ich"), !claims.Holds(sentence, said...): // it has done nothing
		return false
	}
	toks := language.Words(sentence)
	if len(toks) == 0 || !counted(sentence, said) || !begins(sentence, toks[0], said) || claims.Covered(subject(sentence, toks), said...) < covered {
		return false
	}
	return agrees(sentence, said)
}

// counted: each number stands in what was said with the thing that it counts: who has read of
// 12 percent doesn't make 12 days of it. Numbers may be words.
// Dates are no such numbers.
func counted(sentence string, said []string) bool {
	known := map[count]bool{}
	for _, text := range said {
		for _, c := range counts(text) {
			known[c], known[count{c.n, ""}] = true, true
		}
	}
	return !slices.ContainsFunc(counts(sentence), func(c count) bool { return !known[c] })
}

// A count is a number and the stem of what follows it; empty: that counts nothing.
type count struct {
	n  int
	of string
}

func counts(text string) (out []count) {
	toks := language.Words(claims.Undated(text))
	for i, t := range toks {
		n, err := strconv.Atoi(t.Norm)
		if err != nil {
			if n = language.Count(t.Norm); n < 2 {
				continue
			}
		}
		of := ""
		if i+1 < len(toks) {
			switch next := toks[i+1]; {
			case next.Norm == "%" || next.Norm == "percent":
				of = "%"
			case next.Word && !language.Class("<stop>", next.Norm) && !language.IsMonth(next.Norm) && !language.Digital(next.Norm):
				of = language.Stem(next.Norm)
			}
		}
		out = append(out, count{n, of})
	}
	return out
}

// begins: the word that a sentence begins with, whose capital says nothing, is no name that
// isn't known.
func begins(sentence string, first language.Token, said []string) bool {
	return language.Class("<stop>", first.Norm) || language.Count(first.Norm) > 1 || claims.Holds("the "+sentence[first.Start:first.End], said...) ||
		len(first.Norm) > 3 && claims.Covered(first.Norm, said...) == 1
}

// subject is what of a sentence is about something.
func subject(sentence string, toks []language.Token) string {
	var words []string
	for _, t := range toks {
		if !language.Class("<stop>", t.Norm) && language.Count(t.Norm) < 2 {
			words = append(words, sentence[t.Start:t.End])
		}
	}
	return strings.Join(words, " ")
}

// agrees: a sentence denies something if that does which says the most of it, and only
// then. Of what says as much of it, one is enough.
func agrees(sentence string, said []string) bool {
	best, fits := 0.0, false
	for _, text := range said {
		for _, each := range sentences(text) {
			share := claims.Covered(sentence, each)
			switch same := denies(sentence) == denies(each); {
			case share > best:
				best, fits = share, same
			case share == best:
				fits = fits || same
			}
		}
	}
	return fits
}

// denies: a text says that something isn't so.
func denies(text string) bool {
	return slices.ContainsFunc(language.Words(text), func(t language.Token) bool {
		return language.In("not|no|never|none|nobody|nothing|without|neither|nor|nicht|nichts|nie|niemand|kein|keine|keinen|keiner|keines|ohne|weder", t.Norm)
	})
}

// sentences cuts a point into what it says, one after the other.
func sentences(text string) (out []string) {
	for text = strings.TrimSpace(text); text != ""; {
		end := len(text)
		for i := range text {
			if strings.IndexByte(".!?;", text[i]) >= 0 && (i+1 == len(text) || text[i+1] == ' ') && (text[i] != '.' || language.EndsSentence(text, i)) {
				end = i + 1
				break
			}
		}
		out = append(out, text[:end])
		text = strings.TrimSpace(text[end:])
	}
	return out
}
