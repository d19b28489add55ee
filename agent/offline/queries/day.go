package queries

import (
	"slices"
	"time"

	"kist/agent/language"
)

// DayAlone is the day that a message names, where it says nothing else: "no, the 8th", "not by
// Friday, Monday is early enough".
func DayAlone(text string, now time.Time) (string, bool) {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(text)))
	if len(toks) == 0 || len(toks) > 12 {
		return "", false
	}
	if comma := slices.IndexFunc(toks, func(t language.Token) bool { return t.Norm == "," }); comma > 0 && language.Begins(toks, "not|never until|by|before|on|till?", "it|that does|need not have|need? to? be") {
		toks = toks[comma+1:] // what stands before is denied
	}
	d, ok := language.FindDay(toks, now)
	if !ok {
		return "", false
	}
	for i, tok := range toks {
		if (i < d.Start || i >= d.End) && tok.Word && !language.In(besideDay, tok.Norm) {
			return "", false
		}
	}
	return language.ISODay(d.Day), true
}

// besideDay are words beside a day that say no more than that it is that one.
const besideDay = "no|wait|sorry|make|it|that|i|meant|mean|rather|better|say|actually|to|on|for|of|the|set|change|move|again|should|be|is|due|please|instead|then|until|by|let|us|not|sooner|later|than|one|early|enough|will|do|fine|ok|okay|works|soon|good|also|too|reicht|genügt|passt|geht|spätestens|erst"
