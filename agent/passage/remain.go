package passage

import (
	"slices"

	"kist/agent/language"
)

// How many of something are left, by what lines say of how many there are to be, and how many there
// are.

// A Counted is a number of things that a line names.
type Counted struct {
	N int
	Quote
}

// A Remainder is how many of a thing are left. Of is zero where a line says so itself.
type Remainder struct {
	Left     int
	Of, Have Counted
	Said     Counted
}

// ReadLeft reads a question for how many of something are left, and what of. false: it asks for
// none, or for money.
func ReadLeft(toks []language.Token) (thing []string, ok bool) {
	_, n, many := language.Find(toks, "how many")
	if !many || !oneOf(toks, words().roles["lacking"]) {
		return nil, false
	}
	for _, t := range toks[n:] {
		if namesThing(t) && !language.In("left|missing|outstanding|remaining|remain", t.Norm) {
			thing = append(thing, t.Norm)
		}
	}
	return thing, len(thing) > 0
}

// Remains is how many of a thing are left by what documents say, the newest word first. false: they
// don't say.
func Remains(q Question, thing []string, docs []Document) (Remainder, bool) {
	q.beside = saidBeside(docs)
	var r Remainder
	var about []string // the words of the lines that count
	seen := map[string]bool{}
	behind := 0 // lines since one of the thing
	for _, d := range unwritten(docs) {
		behind = 2
		for _, c := range q.candidates(d) {
			if d.Last || seen[bare(c.Text)] {
				continue
			}
			seen[bare(c.Text)] = true
			own := shares(c.words[:c.own], thing[:1])
			if behind++; own {
				behind = 0
			}
			said := saidIn(c.Text)
			n := len(shared(said, about))
			if oneOf(language.Tokenize(c.Text), words().roles["sofar"]) {
				n++ // "so that's 31"
			}
			goesOn := len(about) > 0 && (behind == 1 && len(namesIn(c.Text)) == 0 || n > 1)
			if (own || goesOn) && r.count(c, q) {
				about = append(about, said...)
			}
		}
	}
	switch {
	case r.Said.Text != "":
		r.Left, r.Of, r.Have = r.Said.N, Counted{}, Counted{}
	case r.Of.Text == "" || r.Have.Text == "" || r.Have.N > r.Of.N:
		return r, false
	default:
		r.Left = r.Of.N - r.Have.N
	}
	return r, true
}

// saidIn are the words of a text but for those of every sentence.
func saidIn(text string) (out []string) {
	text, _ = undated(text)
	for _, t := range language.Tokenize(text) {
		if t.Word && len(t.Norm) > 2 && !language.Class("<det>", t.Norm) && !language.Class("<aux>", t.Norm) && !language.Class("<pronoun>", t.Norm) && !listed("at", t.Norm) && !listed("turns", t.Norm) && !language.In("far|now|that|this|more|for", t.Norm) {
			out = append(out, t.Norm)
		}
	}
	return out
}

// namesIn are the words of a text that name things.
func namesIn(text string) (out []string) {
	text, _ = undated(text)
	for _, t := range language.Tokenize(text) {
		if namesThing(t) {
			out = append(out, t.Norm)
		}
	}
	return out
}

// shared are the words of a list that another has as well.
func shared(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { return !slices.Contains(b, w) || language.Digital(w) })
}

// count takes the numbers of a sentence. false: it has none that count.
func (r *Remainder) count(c candidate, q Question) (found bool) {
	text, _ := undated(c.Text)
	toks := language.Tokenize(text)
	days, prices, parts := daysIn(toks, text, q.Now), Prices(c.Text, q.Now), clausesOf(toks)
	for i, t := range toks {
		n := numeral(t.Norm)
		if n < 2 || days[i] || over(toks, i) || slices.ContainsFunc(prices, func(p Price) bool { return p.at == i && p.Currency+p.Per != "" }) || i+1 < len(toks) && toks[i+1].Norm == "more" {
			continue
		}
		of := Counted{n, Quote{Path: c.doc.Path, Line: c.Line, Text: c.Text, Day: c.day, Said: c.doc.Said}}
		at := slices.IndexFunc(parts, func(p [2]int) bool { return i >= p[0] && i < p[1] })
		switch role := countRole(toks, parts, at, i); role {
		case "lacking":
			r.Said = of
		case "of":
			r.Of, r.Said = of, Counted{}
		case "have":
			r.Have, r.Said = of, Counted{}
		default:
			continue
		}
		found = true
	}
	return found
}

// countRole is what a number is: how many there are to be, or are, or are left; by its own part of
// the sentence, or the one before.
func countRole(toks []language.Token, parts [][2]int, at, i int) string {
	if i > 0 && toks[i-1].Norm == "of" && i > 1 && numeral(toks[i-2].Norm) > 0 {
		return "of" // "9 of 14"
	}
	if i+2 < len(toks) && toks[i+1].Norm == "of" && numeral(toks[i+2].Norm) > 0 {
		return "have"
	}
	for k := at; k >= max(0, at-1); k-- {
		part := toks[parts[k][0]:parts[k][1]]
		for _, role := range []string{"lacking", "of", "have"} {
			if oneOf(part, words().roles[role]) {
				return role
			}
		}
	}
	return ""
}

// numeral is the number that a word is; 0: none, or a large one.
func numeral(w string) int {
	if m := figure().FindStringSubmatch(w); m != nil && m[2]+m[3] == "" && len(w) < 6 {
		return int(valueOf(m))
	}
	return language.Count(w)
}
