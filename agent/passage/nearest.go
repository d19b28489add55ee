package passage

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"kist/agent/language"
)

// What comes nearest to a question where nothing has enough of its words.

const (
	often     = 4    // a word of one in so many lines, and of more than common, tells nothing
	common    = 3    // lines in which any word may stand
	nearTop   = 0.6  // of the best score, so much is still shown
	atLeast   = 0.3  // of what counts of the question it has
	holding   = 1.6  // what a line counts for that holds what is wanted
	measuring = 1.6  // or has a number with the unit that is asked for
	meaning   = 0.6  // or has a word only by its meaning, or as a part
	here      = 1.25 // or stands in the project that is talked about
)

// Nearest are the few lines that have some of a question's words, the rarer the better: first
// those that hold what is wanted, and at equal worth the newest. What shares only a common word
// with it is none.
func (q Question) Nearest(docs []Document) []Quote {
	var all []candidate
	for _, d := range unwritten(docs) {
		if !d.Last {
			all = append(all, q.candidates(d)...)
		}
	}
	worth := q.rarity(all)
	var out []Quote
	for _, c := range all {
		score, own, in, all := 0.0, c.words[:c.own], 0.0, 0.0
		for i, w := range q.Words {
			part := max(inWord(own, w), numbered(own, w))
			if worth[i] > 0 {
				score += worth[i] * part
			}
			if weight := q.weigh(w); weight > weak {
				in, all = in+weight*part, all+weight
			}
		}
		if score == 0 || in < atLeast*all {
			continue
		}
		holds := q.Want == "" || q.holds(c.Text) > lacks
		if holds {
			score *= holding
		} else if q.Only {
			continue
		}
		if q.measured(c.Text) {
			score *= measuring
		}
		if c.doc.Own {
			score *= here
		}
		out = append(out, Quote{Path: c.doc.Path, Line: c.Line, Text: language.Limit(c.Text, 2*Longest), Follow: c.Follow, Day: c.day, Said: c.doc.Said, Holds: holds, Section: c.Section, score: score})
	}
	compare := func(a, b Quote) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.Day, a.Day), cmp.Compare(b.Line, a.Line))
	}
	sort.SliceStable(out, func(i, j int) bool { return compare(out[i], out[j]) < 0 })
	var best []Quote
	for _, c := range out {
		same := slices.ContainsFunc(best, func(o Quote) bool { return within(c.Text, o.Text) || within(o.Text, c.Text) })
		if len(best) < most && c.score >= nearTop*out[0].score && !same {
			best = append(best, c)
		}
	}
	return best
}

// rarity is what each word of a question tells: the more, the fewer lines have it.
func (q Question) rarity(all []candidate) []float64 {
	worth := make([]float64, len(q.Words))
	for i, w := range q.Words {
		n := 0
		for _, c := range all {
			if has(c.words, w) > 0 {
				n++
			}
		}
		if q.weigh(w) > weak && n <= max(common, len(all)/often) {
			worth[i] = q.weigh(w) * math.Log(1+float64(len(all))/float64(1+n))
		}
	}
	return worth
}

// inWord is how well words have w: what only means much the same counts less.
func inWord(words []string, w string) float64 {
	if slices.ContainsFunc(words, func(o string) bool { return language.Base(o) == language.Base(w) }) {
		return 1
	}
	return meaning * has(words, w)
}

// numbered: words have the number that is asked for, with another unit or none: "60" of "60h".
func numbered(words []string, w string) float64 {
	n := strings.TrimRight(w, "abcdefghijklmnopqrstuvwxyz")
	if n == "" || !language.IsDigits(n) || !slices.ContainsFunc(words, func(o string) bool { return strings.TrimRight(o, "abcdefghijklmnopqrstuvwxyz") == n }) {
		return 0
	}
	return 1
}

// measured: a text has a number with the unit that the question asks for.
func (q Question) measured(text string) bool {
	if q.Unit == "" {
		return false
	}
	toks := language.Tokenize(text)
	for i, t := range toks {
		unit := strings.TrimLeft(t.Norm, "0123456789.,")
		if unit == t.Norm {
			continue
		}
		if unit == "" && i+1 < len(toks) {
			unit = toks[i+1].Norm
		}
		if Like([]string{unit}, q.Unit) {
			return true
		}
	}
	return false
}

// unitOf is what a question counts: "how many hours are we at".
func unitOf(toks []language.Token) string {
	if _, n, ok := language.Find(toks, "how many"); ok && n < len(toks) && toks[n].Word && !language.Class("<stop>", toks[n].Norm) {
		return toks[n].Norm
	}
	return ""
}
