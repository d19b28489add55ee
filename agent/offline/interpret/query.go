package interpret

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
	"kist/agent/offline/queries"
)

// Questions about kist's own doings, and what is read without the trained model.

// Belonging is the thing of which somebody asks where it belongs: what is quoted or stands
// behind a colon, else what the question says beside that.
func Belonging(c *Clause) string {
	toks := language.TrimMarks(language.SkipOpeners(c.Toks))
	for i, t := range toks {
		if t.Norm == ":" && i+1 < len(toks) {
			return strings.TrimSpace(language.Spell(c.Src, toks[i+1:]))
		}
	}
	var quoted, words []string
	for _, t := range toks {
		switch {
		case t.Quoted && t.Word:
			quoted = append(quoted, t.Norm)
		case t.Word && !queries.Words().List[t.Norm] && !language.Class("<stop>", t.Norm):
			words = append(words, strings.TrimSuffix(t.Norm, "'s"))
		}
	}
	if len(quoted) > 0 {
		words = quoted
	}
	return strings.Join(words, " ")
}

// DayAlone is the day that a message names, where it says nothing else.
func (r *Reader) DayAlone(text string) (string, bool) {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(text)))
	if len(toks) == 0 || len(toks) > 10 {
		return "", false
	}
	d, ok := language.FindDay(toks, r.sit.Now)
	if !ok {
		return "", false
	}
	for i, tok := range toks {
		if (i < d.Start || i >= d.End) && tok.Word && !language.In("no|wait|sorry|make|it|that|i|meant|mean|rather|better|say|actually|to|on|for|of|the|set|change|move|again|should|be|is|due|please|instead|then|until|by|let|us|not|sooner|later|than|one", tok.Norm) {
			return "", false
		}
	}
	return language.ISODay(d.Day), true
}

// delay/en.txt holds the words of a question what a delay would do.
//
//go:embed delay/en.txt
var delayText string

var delayWords = sync.OnceValue(func() manner.Table { return manner.Read(delayText) })

// ReadDelay reads "what if the painting is two weeks late?": the words of the task, and
// by how many days. A plain statement is news, and no such question.
func ReadDelay(toks []language.Token) (title string, days int) {
	words := delayWords()
	toks = language.SkipOpeners(toks)
	asked := words.Is(toks, "ask")
	if asked == 0 || len(toks) > maxCommand {
		return "", 0
	}
	late := false
	var rest []string
	for toks = toks[asked:]; len(toks) > 0; {
		n := 1
		k := language.Count(toks[0].Norm)
		switch {
		case !toks[0].Word:
		case len(toks) > 1 && k > 0 && language.Unit(toks[1].Norm) > 0:
			days, n = k*language.Unit(toks[1].Norm), 2
		case !toks[0].Quoted && words.Is(toks, "late") > 0:
			late, n = true, words.Is(toks, "late")
		case toks[0].Quoted || !words.List[toks[0].Norm] && !language.IsFiller(toks[0]):
			rest = append(rest, toks[0].Norm)
		}
		toks = toks[n:]
	}
	if !late || days == 0 {
		return "", 0
	}
	return strings.Join(rest, " "), days
}

// IsFinished reports whether a message says that this was all.
func IsFinished(text string) bool {
	toks := language.TrimMarks(language.Tokenize(text))
	n, ok := language.MatchAny(toks, "that is|was all|it|everything *? *?", "no? nothing else|more *?", "i am done|finished", "we are done|finished", "done|finished", "no that is|was all|it|everything")
	return ok && n == len(toks)
}
