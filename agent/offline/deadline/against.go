package deadline

import (
	"time"

	"kist/agent/language"
)

// A Gap is how far a day lies from another, which was named before or by what happens then:
// "the day before", "two weeks before the wedding".
type Gap struct {
	From, To int              // the tokens that say so
	Days     int              // negative: before it
	Of       []language.Token // what happens on the other day; none: it was named before
}

// Against finds a gap in words.
func Against(toks []language.Token) (Gap, bool) {
	i, n, ok := language.Find(toks, "the|a|one|two|three|four|five|six|ten|several? day|days|night|evening|week|weeks before|beforehand|earlier|after|afterwards|later")
	if !ok || i > 0 && language.In("by|until|in|within|for", toks[i-1].Norm) {
		return Gap{}, false
	}
	g := Gap{From: i, To: n, Days: max(1, language.Count(toks[i].Norm))}
	if language.In("week|weeks", toks[n-2].Norm) {
		g.Days *= 7
	}
	behind := toks[n:]
	switch word := toks[n-1].Norm; {
	case !language.In("after|afterwards|later", word):
		g.Days = -g.Days
	}
	if language.Begins(behind, "<det> *") {
		for g.To < len(toks) && toks[g.To].Word && toks[g.To].Norm != "to" {
			g.To++
		}
		g.Of = toks[n:g.To]
	} else if len(behind) > 0 && behind[0].Word && !language.In("to|and|then", behind[0].Norm) && !language.Begins(behind, "<subject>") {
		return Gap{}, false // "the day before yesterday"
	}
	return g, true
}

// Day is the day that lies so far from the one that a text names last, if it is about what
// happens then; false: it names none that is still to come.
func (g Gap) Day(said string, now time.Time) (string, bool) {
	toks := language.Tokenize(said)
	d, ok := language.FindDay(toks, now)
	if !ok || !language.Covers(language.ContentWords(toks), language.ContentWords(g.Of)) {
		return "", false
	}
	if day := language.ISODay(d.Day.AddDate(0, 0, g.Days)); day >= language.ISODay(now) {
		return day, true
	}
	return "", false
}
