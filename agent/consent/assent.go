package consent

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// An assent is read as a row of phrases of known kinds, one behind the other and with
// not one word beside them: an interjection, an imperative, a permission, an approval, a
// reason. So what a doubt, a condition or another wish is made of needs no list.

// An assent is a message that agrees to what was shown, or to what of it fits.
type assent struct {
	reply Reply // Yes, Go, or Other for a message that is none
	// needs are what has to be true of what was shown: "one" is said of a single
	// proposal, "all" of several, the others are kinds of change, as in "ja, löschen".
	needs []string
}

// kinds are the classes of phrases that name the very change: an order by its verb, and
// the reasons for a deletion.
var kinds = []string{"gone", "save", "archive", "rename", "move", "merge"}

// assentTo reads a whole message as an assent.
func assentTo(text string) assent {
	toks := tokens(text)
	strange := slices.ContainsFunc(toks, func(t token) bool { return !vocabulary()[t.word] })
	because := slices.ContainsFunc(toks, func(t token) bool { return is("cause", t.word) })
	if strange && !because {
		return assent{} // most messages, at once
	}
	row := row{dead: map[int]bool{}}
	if len(toks) == 0 || is("link", toks[len(toks)-1].word) || !row.read(toks) {
		return assent{}
	}
	return row.assent()
}

// A token is a word of an assent, or a symbol such as a raised thumb.
type token struct {
	word string
	cut  bool // a mark of punctuation stands before it
}

func tokens(text string) []token {
	var out []token
	var word []byte // the last token's: one may be as long as a message
	end := func() {
		if len(word) > 0 {
			out[len(out)-1].word = string(word)
			word = word[:0]
		}
	}
	cut, gap := false, true
	for _, r := range contracted.Replace(strings.ToLower(text)) {
		switch {
		case r == '\'', r == '+', unicode.IsLetter(r), unicode.IsDigit(r):
			if gap {
				end()
				out = append(out, token{cut: cut})
			}
			word = utf8.AppendRune(word, r)
			cut, gap = false, false
		case unicode.Is(unicode.Sk, r), unicode.Is(unicode.M, r), unicode.Is(unicode.Cf, r):
			// shades and joints of symbols
		case unicode.IsSymbol(r):
			end()
			out = append(out, token{word: string(r), cut: cut})
			cut, gap = false, true
		default:
			cut, gap = cut || r != ' ' && r != '-', true
		}
	}
	end()
	return out
}

// A row is the phrases that a message was read as.
type row struct {
	kinds []string
	dead  map[int]bool // from here, by what is left, nothing leads to the end
}

// read reads the whole of toks as phrases, the longest first.
func (w *row) read(toks []token) bool {
	if len(toks) == 0 {
		return true
	}
	if w.dead[len(toks)] {
		return false
	}
	for _, class := range phraseKinds() {
		for _, p := range phrases()[class] {
			if p.match(toks, false, func(rest []token) bool { return w.then(class, rest) }) {
				return true
			}
		}
	}
	for _, class := range []string{"yes", "vague", "thanks", "filler", "link"} {
		if is(class, toks[0].word) && w.then(class, toks[1:]) {
			return true
		}
	}
	if rest, ok := subclause(toks); ok && w.then("subclause", rest) {
		return true
	}
	w.dead[len(toks)] = true
	return false
}

func (w *row) then(class string, rest []token) bool {
	w.kinds = append(w.kinds, class)
	if w.read(rest) {
		return true
	}
	w.kinds = w.kinds[:len(w.kinds)-1]
	return false
}

// subclause skips a reason in any words, "because the tenant has moved out", up to the next mark,
// if none of them hesitates, denies, asks or wishes for something.
func subclause(toks []token) ([]token, bool) {
	if !is("cause", toks[0].word) {
		return nil, false
	}
	n := 1
	for n < len(toks) && !toks[n].cut {
		w := toks[n].word
		if is("unsure", w) || is("no", w) || is("cause", w) || strings.HasSuffix(w, "n't") || strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
			return nil, false
		}
		n++
	}
	return toks[n:], n > 2
}

// assent sums the row up. A reason or what is only polite agrees to nothing, and beside
// a mere "ok" it may mean anything.
func (w *row) assent() assent {
	has := func(classes ...string) bool {
		return slices.ContainsFunc(classes, func(c string) bool { return slices.Contains(w.kinds, c) })
	}
	var a assent
	for _, kind := range kinds {
		if has(kind) {
			a.needs = append(a.needs, kind)
		}
	}
	if len(a.needs) > 0 && has("all") {
		a.needs = append(a.needs, "all") // "delete everything" is more than one task
	}
	orders := has(append([]string{"go"}, kinds...)...)
	clear := orders || has("yes", "agree")
	if has("gonereason") {
		a.needs = append(a.needs, "gonereason")
	}
	if has("one") {
		a.needs = append(a.needs, "one")
	}
	switch {
	case !clear && (!has("vague") || has("thanks", "polite", "gonereason", "subclause")):
		return assent{}
	case orders:
		a.reply = Go
	default:
		a.reply = Yes
	}
	return a
}

// fits reports whether an assent that names a change is said of what was offered.
func (a assent) fits(offered []Proposal, waiting []Waiting) bool {
	for _, need := range a.needs {
		if need == "one" && len(offered) != 1 || need == "all" && len(offered) == 1 {
			return false
		}
		for i, reason := range reasons(offered, waiting) {
			if !meant(need, offered[i], reason) {
				return false
			}
		}
	}
	return len(offered) > 0
}

// meant: a need is true of one proposal. What is saved is whatever takes nothing away.
func meant(need string, p Proposal, reason string) bool {
	said := fields(reason)
	switch need {
	case "one", "all":
		return true
	case "save":
		return !p.Removes
	}
	return p.Removes && len(said) > 0 && is(need+" reasons", said[0])
}

// phraseKinds are the classes of phrases of an assent, in the order in which they are tried.
func phraseKinds() []string {
	return append([]string{"go", "agree", "vague", "polite", "gonereason", "backing", "all", "one"}, kinds...)
}

// vocabulary holds every word of an assent, subclauses aside.
var vocabulary = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, class := range []string{"yes", "vague", "thanks", "filler", "link"} {
		for _, w := range lists()[class] {
			out[w] = true
		}
	}
	for _, kind := range phraseKinds() {
		for _, p := range phrases()[kind] {
			for _, s := range p {
				for w := range s.words {
					out[w] = true
				}
			}
		}
	}
	return out
})
