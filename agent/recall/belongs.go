package recall

import (
	"slices"
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
	belonging    = 2 // from here on it does
)

// Belongs is the project that a text told in another one belongs to, by what is written:
// it has a name, or two words that matter, which stand in the passages found of that one
// project alone, and none that the passages of the project at hand have.
func Belongs(text string, found []Writing, here string) (project string, ok bool) {
	has := map[string]map[string]bool{} // words by project
	first := language.Tokenize(text)    // where any word has a capital letter
	name := false                       // and that of a name there is
	for _, w := range found {
		if has[w.Project] == nil {
			has[w.Project] = map[string]bool{}
		}
		toks := language.Tokenize(w.Text)
		for i, tok := range toks {
			has[w.Project][language.Stem(possessor(tok.Norm))] = true
			name = name || i > 0 && toks[i-1].Word && len(first) > 0 && possessor(tok.Norm) == possessor(first[0].Norm) && upper(w.Text[tok.Start:]) && upper(text[first[0].Start:])
		}
	}
	score := map[string]int{}
	for stem, weight := range matters(text) {
		if name && stem == language.Stem(possessor(first[0].Norm)) {
			weight = properWeight
		}
		if has[here][stem] {
			return "", false
		}
		var in []string
		for p := range has {
			if has[p][stem] {
				in = append(in, p)
			}
		}
		if len(in) == 1 {
			score[in[0]] += weight
		}
	}
	for p, n := range score {
		project, ok = p, n >= belonging && len(score) == 1
	}
	return project, ok
}

// Shares reports whether a text has a word that matters which is written in one project alone.
func Shares(text string, found []Writing, project string) bool {
	in, out := map[string]bool{}, map[string]bool{}
	for _, w := range found {
		for _, tok := range language.Tokenize(w.Text) {
			if stem := language.Stem(possessor(tok.Norm)); w.Project == project {
				in[stem] = true
			} else {
				out[stem] = true
			}
		}
	}
	for stem := range matters(text) {
		if in[stem] && !out[stem] {
			return true
		}
	}
	return false
}

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
	return language.Light(w) || language.Unit(w) > 0 || language.Count(w) > 0 || slices.ContainsFunc([]string{"<stop>", "<pronoun>", "<timeword>", "<verb>"}, func(class string) bool { return language.Class(class, w) })
}

// anyDay is a day to read dates by, of which only the place matters.
var anyDay = time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)
