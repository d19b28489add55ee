package language

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Match reports how many tokens of toks a pattern takes from the start. Its
// elements are separated by blanks:
//
//	word     that word
//	<class>  a word of that class, see lexicon.go
//	a|b      one of these words or classes
//	*        any word
//	x?       x or nothing, the longer reading first
//	IAM      i am, or we are
//
// Adverbs that change nothing ("really", "just") are passed over, and quoted
// words match only *.
func Match(toks []Token, pattern string) (int, bool) { return MatchAny(toks, pattern) }

// An element is one place of a pattern: the words that fit there.
type element struct {
	words    map[string]bool
	any      bool // every word fits, quoted ones as well
	optional bool
}

func (e element) fits(t Token) bool {
	if e.any {
		return t.Word
	}
	return !t.Quoted && e.words[t.Norm]
}

// compile reads a pattern once, into two where it holds IAM. Patterns are written in
// the code, so that there are only so many of them.
func compile(pattern string) [][]element {
	if done, ok := compiled.Load(pattern); ok {
		return done.([][]element)
	}
	var out [][]element
	if strings.Contains(pattern, "IAM") {
		out = [][]element{elements(strings.ReplaceAll(pattern, "IAM", "i am")), elements(strings.ReplaceAll(pattern, "IAM", "we are"))}
	} else {
		out = [][]element{elements(pattern)}
	}
	compiled.Store(pattern, out)
	return out
}

func elements(pattern string) []element {
	var out []element
	for _, field := range strings.Fields(pattern) {
		e := element{words: map[string]bool{}}
		field, e.optional = strings.CutSuffix(field, "?")
		e.any = field == "*"
		for alt := range strings.SplitSeq(field, "|") {
			if list := classes()[alt]; len(alt) > 2 && alt[0] == '<' {
				maps.Copy(e.words, list)
			} else {
				e.words[alt] = true
			}
		}
		out = append(out, e)
	}
	return out
}

// compiled holds what compile made: it is the same for every caller, and never
// changes what a pattern means.
var compiled sync.Map

func matchFrom(toks []Token, at int, elems []element) (int, bool) {
	if len(elems) == 0 {
		return at, true
	}
	elem := elems[0]
	skipped := at
	for {
		if skipped < len(toks) && elem.fits(toks[skipped]) {
			if n, ok := matchFrom(toks, skipped+1, elems[1:]); ok {
				return n, true
			}
		}
		// Nobody says more than three in a row, and long runs would cost.
		if skipped >= len(toks) || skipped-at >= 3 || !IsFiller(toks[skipped]) {
			break
		}
		skipped++
	}
	if elem.optional {
		return matchFrom(toks, at, elems[1:])
	}
	return 0, false
}

// Fits reports whether a token is one of the words or classes of a place.
func Fits(t Token, elem string) bool { return compile(elem)[0][0].fits(t) }

// IsFiller reports an adverb that changes nothing, which patterns pass over.
func IsFiller(t Token) bool { return !t.Quoted && !t.Named && fillers()[t.Norm] }

var fillers = sync.OnceValue(func() map[string]bool { return classes()["<filler>"] })

// MatchAny returns the longest match of several patterns.
func MatchAny(toks []Token, patterns ...string) (int, bool) {
	best, found := 0, false
	for _, p := range patterns {
		for _, elems := range compile(p) {
			if n, ok := matchFrom(toks, 0, elems); ok && (!found || n > best) {
				best, found = n, true
			}
		}
	}
	return best, found
}

// Begins reports whether the tokens begin with one of some patterns.
func Begins(toks []Token, patterns ...string) bool {
	_, ok := MatchAny(toks, patterns...)
	return ok
}

// Find looks for a pattern anywhere and returns where it starts and ends.
func Find(toks []Token, patterns ...string) (start, end int, ok bool) {
	for i, t := range toks {
		if IsFiller(t) {
			continue
		}
		if n, ok := MatchAny(toks[i:], patterns...); ok && n > 0 {
			return i, i + n, true
		}
	}
	return 0, 0, false
}

// Has reports whether a word of the list or class stands anywhere unquoted.
func Has(toks []Token, elem string) bool {
	if len(toks) == 0 {
		return false
	}
	e := compile(elem)[0][0]
	return slices.ContainsFunc(toks, e.fits)
}
