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
	kin       = 0.5  // or has only one of the same family
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
	worth, weight := q.rarity(all), make([]float64, len(q.Words))
	for i, w := range q.Words {
		if weight[i] = q.weigh(w); !slices.ContainsFunc(all, func(c candidate) bool { return near(c.words, w) > 0 }) {
			weight[i] /= 2 // what no line has says less of them
		}
	}
	var out []Quote
	for _, c := range all {
		score, holds := q.nearness(c, worth, weight), q.Want == "" || q.holds(c.Text) > lacks
		if score == 0 || !holds && q.Only {
			continue
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

// Lacking is the line that comes nearest to what a quote has nothing of: of a question that names two
// things and asks whether something is so, each may be told of by itself.
func (q Question) Lacking(of Quote, docs []Document) (Quote, bool) {
	have := sentenceWords(of.Text)
	rest := q
	rest.Words = slices.DeleteFunc(slices.Clone(q.Words), func(w string) bool { return q.weigh(w) <= weak || near(have, w) > 0 || numbered(have, w) > 0 })
	if !q.Whether || len(rest.Words) == 0 || len(rest.Words) == len(q.Words) {
		return Quote{}, false
	}
	for _, c := range rest.Nearest(docs) {
		if !within(c.Text, of.Text) && !within(of.Text, c.Text) {
			return c, true
		}
	}
	return Quote{}, false
}

// nearness is how much of a question a line has: none where it has too little.
func (q Question) nearness(c candidate, worth, weight []float64) float64 {
	score, own, in, all := 0.0, c.words[:c.own], 0.0, 0.0
	for i, w := range q.Words {
		part := max(inWord(own, w), numbered(own, w), kin*near(own, w))
		score += worth[i] * part
		if q.weigh(w) > weak {
			in, all = in+weight[i]*part, all+weight[i]
		}
	}
	if in < atLeast*all {
		return 0
	}
	if q.Want == "" || q.holds(c.Text) > lacks {
		score *= holding
	}
	if q.measured(c.Text) {
		score *= measuring
	}
	if c.doc.Own {
		score *= here
	}
	return score
}

// rarity is what each word of a question tells: the more, the fewer lines have it.
func (q Question) rarity(all []candidate) []float64 {
	worth := make([]float64, len(q.Words))
	for i, w := range q.Words {
		n := 0
		for _, c := range all {
			if near(c.words, w) > 0 {
				n++
			}
		}
		if q.weigh(w) > weak && n <= max(common, len(all)/often) {
			worth[i] = q.weigh(w) * math.Log(1+float64(len(all))/float64(1+n))
		}
	}
	return worth
}

// near is how well words have w, or one of its family: "outstanding" of "owes".
func near(words []string, w string) float64 {
	of := families(w)
	if has(words, w) > 0 || len(of) > 0 && slices.ContainsFunc(words, func(o string) bool {
		return slices.ContainsFunc(families(o), func(n int) bool { return slices.Contains(of, n) })
	}) {
		return 1
	}
	return 0
}

// families are those that a word is of.
func families(w string) []int { return words().families[language.Base(w)] }

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
