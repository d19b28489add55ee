package recall

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed aside.txt
var asideText string

// aside are the patterns with which somebody turns to another matter, by where they stand.
var aside = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(asideText) {
		if place, pattern, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			out[place] = append(out[place], pattern)
		}
	}
	return out
})

// Turns reports whether a sentence says that it turns to something else: surely, where that is all
// that a part of it says ("different thing: ..."), or likely ("oh and ...", "by the way").
func Turns(sentence string) (sure, likely bool) {
	toks := language.Tokenize(sentence)
	for i := range toks {
		if i > 0 && toks[i-1].Word {
			continue
		}
		n, ok := language.MatchAny(toks[i:], aside()["apart"]...)
		sure = sure || ok && (i+n == len(toks) || !toks[i+n].Word)
	}
	_, _, away := language.Find(toks, aside()["away"]...)
	_, _, likely = language.Find(toks, aside()["within"]...)
	begins := func(place string) bool {
		return language.Begins(toks, aside()[place]...) || language.Begins(language.SkipOpeners(toks), aside()[place]...)
	}
	return sure || away, likely || begins("opens") || begins("alike") && language.Has(toks, "i|we|my|our")
}

// longestAway is how many words name what something has nothing to do with.
const longestAway = 6

// Beside reports whether a message says that what it tells isn't of the project at hand, whose
// name is given: at its head ("nothing to do with the book: ...", "a different matter: ..."), or in
// passing ("..., that has nothing to do with the choir"). rest is the message without those words.
func Beside(text, project string) (rest string, ok bool) {
	toks := language.Tokenize(text)
	if end, ok := elsewhere(toks); ok {
		return text[start(toks, end, text):], true
	}
	_, own := telling(project)
	for i := range toks {
		end, ok := awayAt(toks, i)
		if !ok {
			continue
		}
		head := heads(toks[:i]) && end < len(toks)
		if head && language.Class("<pronoun>", toks[i].Norm) && toks[end].Norm != "but" {
			continue // of what was told before
		}
		if !head && i == 0 || !ofHere(toks[i:end], own) && !(head && toks[i].Norm == "nothing") {
			continue
		}
		if !head {
			return text[:toks[i-1].Start] + text[toks[end-1].End:], true // with the mark before it
		}
		for end < len(toks) && (!toks[end].Word || toks[end].Norm == "but") {
			end++
		}
		return text[start(toks, end, text):], true
	}
	return text, false
}

// heads: nothing is told by what stands before.
func heads(before []language.Token) bool {
	before = language.SkipOpeners(before)
	if n, ok := language.Match(before, "by the way"); ok {
		before = before[n:]
	}
	return !language.HasWord(before)
}

// awayAt is where words end that say with what something has nothing to do, from the i-th on.
func awayAt(toks []language.Token, i int) (end int, ok bool) {
	n, led := language.MatchAny(toks[i:], "that|which|this|it has|is|have|are? nothing to do with", "nothing to do with", "not about|for|concerning", "unrelated|unconnected to|with",
		"separate|independent from|of", "this|that|it is? not for|about", "not? part of")
	if !led || i > 0 && toks[i-1].Word && !heads(toks[:i]) {
		return 0, false
	}
	for end = i + n; end < len(toks) && toks[end].Word && toks[end].Norm != "but"; end++ {
	}
	return end, end > i+n && end-i-n <= longestAway
}

// elsewhere is where what is told begins behind words that only say that it is about something else.
func elsewhere(toks []language.Token) (int, bool) {
	n, ok := language.MatchAny(toks, "a|an? completely|totally|quite|very? different|separate|unrelated matter|subject|topic|story|thing entirely|altogether|completely?",
		"on|to a|an|another different|separate|unrelated? note|matter|subject|topic", "another|something matter|subject|topic|thing|else entirely|altogether|completely", "unrelated|separately")
	if !ok || n+1 >= len(toks) || toks[n].Word || !toks[n+1].Word || toks[n].Norm == "?" {
		return 0, false
	}
	return n + 1, true
}

// start is where a token begins, or a text ends.
func start(toks []language.Token, i int, text string) int {
	if i < len(toks) {
		return toks[i].Start
	}
	return len(text)
}

// ofHere: words mean the project at hand, by a word of its name or as "this".
func ofHere(toks []language.Token, own []nameWord) bool {
	if language.Begins(toks[len(toks)-1:], "this|it|here|project") {
		return true
	}
	return slices.ContainsFunc(toks, func(t language.Token) bool {
		return slices.ContainsFunc(own, func(w nameWord) bool { return w.stem == language.Stem(possessor(t.Norm)) })
	})
}

// HangsOn: a sentence goes on about who or what the one before told of.
func HangsOn(sentence string) bool {
	toks := language.Tokenize(sentence)
	return len(toks) > 0 && language.In("and|also|plus|und|it|its|she|he|they|her|his|their|sie|er", toks[0].Norm)
}
