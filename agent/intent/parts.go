package intent

import (
	"math"
	"slices"
	"strings"

	"kist/agent/intent/linear"
	"kist/agent/language"
)

// Classes of tokens: a part of a text begins there, or goes on.
const (
	Begins = "begins"
	GoesOn = "goes on"
)

// How a sentence is cut, chosen by leaving sets out.
const (
	cuttable = 0.12 // how probable a cut must be to be tried
	evident  = 0.9  // what is more probable is one
	tried    = 4    // cuts of a sentence at most, the most probable
	readable = 2.0  // how much it counts that parts are read surely, against where cuts are probable
	eager    = 1.0  // added to the log odds of each cut
)

// Parts finds where the parts of a text begin that each do one thing: numbers of tokens,
// rising, among them the sentences, which are given and begin with 0. A sentence is cut
// where that is probable and where its parts are then read most surely: of all ways to cut
// it the one with the highest sum of both is taken.
func (r *Reader) Parts(in Input, toks []language.Token, sentences []int) []int {
	begins := slices.Index(r.models.Parts.Classes, Begins)
	if len(toks) > maxTagged || begins < 0 {
		return sentences
	}
	odds := make([]float64, len(toks))
	for i, features := range PartFeatures(in, toks) {
		odds[i] = linear.Softmax(r.models.Parts.Scores(features), 1)[begins]
	}
	var out []int
	for i, from := range sentences {
		to := len(toks)
		if i+1 < len(sentences) {
			to = sentences[i+1]
		}
		out = append(out, r.cut(in, toks, odds, from, to)...)
	}
	return out
}

// cut returns where the parts of the sentence from one token to another begin.
func (r *Reader) cut(in Input, toks []language.Token, odds []float64, from, to int) []int {
	places := append(append([]int{from}, likeliest(odds, from+1, to)...), to)
	if len(places) == 2 {
		return places[:1]
	}
	best, back := make([]float64, len(places)), make([]int, len(places))
	for b := 1; b < len(places); b++ {
		best[b] = math.Inf(-1)
		for a := b - 1; a >= 0; a-- {
			score := best[a] + readable*math.Log(r.sureness(in, toks[places[a]:places[b]]))
			if a > 0 {
				score += math.Log(odds[places[a]]/(1-odds[places[a]])) + eager
			}
			if score > best[b] {
				best[b], back[b] = score, a
			}
			if a > 0 && odds[places[a]] >= evident {
				break // no part reaches across
			}
		}
	}
	var out []int
	for b := len(places) - 1; b > 0; b = back[b] {
		out = append(out, places[back[b]])
	}
	slices.Reverse(out)
	return out
}

// likeliest are the places at which a cut is most probable, rising.
func likeliest(odds []float64, from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		if odds[i] >= cuttable {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		if odds[a] > odds[b] {
			return -1
		}
		return 1
	})
	out = out[:min(len(out), tried)]
	slices.Sort(out)
	return out
}

// sureness is how probable the best reading of a part is.
func (r *Reader) sureness(in Input, part []language.Token) float64 {
	part = language.TrimMarks(part)
	if len(part) == 0 {
		return 1
	}
	return r.Read(in.Of(part))[0].P
}

// Of is the input for a part of a text, which some of its tokens are.
func (in Input) Of(part []language.Token) Input {
	start, end := part[0].Start, part[len(part)-1].End
	before, after := in.Text[:start], in.Text[end:]
	in.Text = in.Text[start:end]
	if strings.HasPrefix(strings.TrimSpace(after), "?") {
		in.Text += "?"
	}
	in.Before, in.After = before, after
	return in
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
