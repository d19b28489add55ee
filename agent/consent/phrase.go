package consent

import (
	"slices"
	"sort"
	"strings"
	"sync"
)

// A phrase is a line of a class of phrases in words.txt, compiled.
type phrase []slot

// A slot is one word of a phrase.
type slot struct {
	words    map[string]bool
	optional bool
}

// match calls then with what is left behind each way to read the phrase at the start of
// toks, until one of them leads somewhere. Fillers may stand within a phrase, marks of
// punctuation may not.
func (p phrase) match(toks []token, begun bool, then func(rest []token) bool) bool {
	if len(p) == 0 {
		return begun && then(toks)
	}
	if len(toks) > 0 && (!begun || !toks[0].cut) {
		if p[0].words[toks[0].word] && p[1:].match(toks[1:], true, then) {
			return true
		}
		if begun && is("filler", toks[0].word) && p.match(toks[1:], true, then) {
			return true
		}
	}
	return p[0].optional && p[1:].match(toks, begun, then)
}

// phrases are the classes of phrases, by name without "phrases".
var phrases = sync.OnceValue(func() map[string][]phrase {
	out := map[string][]phrase{}
	for class, lines := range lists() {
		name, ok := strings.CutSuffix(class, " phrases")
		if !ok {
			continue
		}
		for _, line := range lines {
			out[name] = append(out[name], compile(line))
		}
		// The longest first, so that "go ahead" isn't read as "go".
		sort.SliceStable(out[name], func(i, j int) bool { return len(out[name][i]) > len(out[name][j]) })
	}
	return out
})

// compile reads a line: a|b is either, <name> a word of that class, and what ends in ?
// may be missing.
func compile(line string) phrase {
	var out phrase
	for _, part := range classesWhole(line) {
		part, optional := strings.CutSuffix(part, "?")
		s := slot{words: map[string]bool{}, optional: optional}
		for w := range strings.SplitSeq(part, "|") {
			words := []string{w}
			if strings.HasPrefix(w, "<") {
				words = lists()[strings.Trim(w, "<>")]
			}
			for _, each := range words {
				s.words[each] = true
			}
		}
		out = append(out, s)
	}
	return out
}

// classesWhole cuts a line at its spaces, those in the name of a class aside.
func classesWhole(line string) []string {
	depth := 0
	return strings.FieldsFunc(line, func(r rune) bool {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		}
		return r == ' ' && depth == 0
	})
}

// wholly reports whether words are one phrase of a class.
func wholly(class string, words []string) bool {
	var toks []token
	for _, w := range words {
		toks = append(toks, token{word: w})
	}
	return slices.ContainsFunc(phrases()[class], func(p phrase) bool {
		return p.match(toks, false, func(rest []token) bool { return len(rest) == 0 })
	})
}
