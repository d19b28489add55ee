package recall

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"kist/agent/language"
)

// A Writing is a passage of a project's file.
type Writing struct{ Project, Text string }

// Weights of the words by which it is told where a text belongs.
const (
	properWeight = 2 // a name within the sentence
	wordWeight   = 1
	Belonging    = 2 // from here on it may be told by the words alone
)

// majority is how many times as often as anywhere else a word stands in the passages of the project
// that it speaks for.
const majority = 2

// Weigh is how much of what matters in a text stands in the passages of one project alone or for the
// most part, by project: a word counts one, a name two.
func Weigh(text string, found []Writing) map[string]int { return weigh(text, found, nil) }

// weigh is [Weigh] without words of some stems.
func weigh(text string, found []Writing, but map[string]bool) map[string]int {
	in := map[string]map[string]int{} // in how many passages of a project a word stands
	first := language.Tokenize(text)  // where any word has a capital letter
	name := false                     // and that of a name there is
	for _, w := range found {
		once := map[string]bool{}
		toks := language.Tokenize(w.Text)
		for i, tok := range toks {
			once[language.Stem(possessor(tok.Norm))] = true
			name = name || i > 0 && toks[i-1].Word && len(first) > 0 && possessor(tok.Norm) == possessor(first[0].Norm) && upper(w.Text[tok.Start:]) && upper(text[first[0].Start:])
		}
		for stem := range once {
			if in[stem] == nil {
				in[stem] = map[string]int{}
			}
			in[stem][w.Project]++
		}
	}
	weights := map[string]int{}
	for stem, weight := range matters(text) {
		if but[stem] {
			continue
		}
		if name && stem == language.Stem(possessor(first[0].Norm)) {
			weight = properWeight
		}
		all, most, project := 0, 0, ""
		for p, n := range in[stem] {
			all += n
			if n > most {
				most, project = n, p
			}
		}
		if most > 0 && most >= majority*(all-most) {
			weights[project] += weight
		}
	}
	return weights
}

// shared is the part of what matters in a text that must have been told in a project for the text to
// lead there: who makes a list of an estate names an account as well, which was told of the appeal.
const shared = 1. / 4

// Leads is the project that a text is about by [Weigh]: more of what matters in it was told there than
// elsewhere, and not too small a part of it, but for words that are said of anything; that at hand where as
// much was. Empty if nothing tells. One word may be enough: of 735 messages of 19 conversations that
// hopped between two matters 39 are misplaced so, 136 where two words are asked for, and 353 where one stays
// until the project is named.
func Leads(text, here string, told []Writing) (project string) {
	weights, all := weigh(text, told, common()), 0
	for stem, weight := range matters(text) {
		if !common()[stem] {
			all += weight
		}
	}
	most := weights[here]
	if most > 0 {
		project = here
	}
	for _, w := range told { // in their order: what weighs alike leads nowhere else by chance
		if n := weights[w.Project]; n > most && float64(n) >= shared*float64(all) {
			most, project = n, w.Project
		}
	}
	return project
}

//go:embed common.txt
var commonText string

// common are the stems of the words that are said of anything.
var common = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, words := range language.Lists(commonText) {
		for w := range strings.FieldsSeq(words) {
			out[language.Stem(w)] = true
		}
	}
	return out
})

// matters are the stems of the words of a text that may tell where it belongs, with their
// weights.
func matters(text string) map[string]int {
	out := map[string]int{}
	toks := language.Tokenize(text)
	for i := 0; i < len(toks); i++ {
		if _, n, ok := language.ReadPeriod(toks[i:], anyDay); ok {
			i += n - 1
			continue
		}
		tok := toks[i]
		w := possessor(tok.Norm)
		switch {
		case !tok.Word || utf8.RuneCountInString(w) < 3, !language.Digital(w) && idle(w):
		case i > 0 && toks[i-1].Word && upper(text[tok.Start:]):
			out[language.Stem(w)] = properWeight
		default:
			out[language.Stem(w)] = max(out[language.Stem(w)], wordWeight)
		}
	}
	return out
}

// idle: a word says nothing of what a text is about.
func idle(w string) bool {
	return language.Light(w) || language.Unit(w) > 0 || language.Count(w) > 0 || slices.ContainsFunc([]string{"<stop>", "<pronoun>", "<timeword>", "<verb>", "<taskword>", "<listword>", "<noteword>"}, func(class string) bool { return language.Class(class, w) })
}

// anyDay is a day to read dates by, of which only the place matters.
var anyDay = time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)
