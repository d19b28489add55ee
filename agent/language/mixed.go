package language

import (
	"slices"
	"time"
)

// FindDay is FindDate also of a German time between English words, which the features of
// agent/intent don't know: they were learned without. A day is of the month right before it: "in
// January, Saturday the 9th".
func FindDay(toks []Token, now time.Time) (DateSpan, bool) {
	d, ok := FindDate(mixed(toks), now)
	if ok {
		d = ofMonth(toks, d, now)
	}
	return d, ok
}

// ofMonth is a day that is named by its number, in the month that stands right before it.
func ofMonth(toks []Token, d DateSpan, now time.Time) DateSpan {
	n := 0
	for _, t := range toks[d.Start:d.End] {
		if named("month", t.Norm) > 0 {
			return d
		}
		n = max(n, DayNumber(t.Norm))
	}
	i := d.Start - 1
	for i > 0 && In(",|on|the", toks[i].Norm) {
		i--
	}
	if n == 0 || i < 1 || toks[i-1].Norm != "in" || named("month", toks[i].Norm) == 0 {
		return d
	}
	day := time.Date(now.Year(), time.Month(named("month", toks[i].Norm)), n, 0, 0, 0, 0, time.UTC)
	if ISODay(day) < ISODay(now) {
		day = day.AddDate(1, 0, 0)
	}
	if day.Day() == n {
		d.Day, d.Start = day, i-1
	}
	return d
}

// mixed reads a German time between English words as an English one: "send the Exposé
// bis nächsten Freitag". Of a text that is German as a whole all words were read so.
func mixed(toks []Token) []Token {
	copied := false
	for i := range toks {
		day, ok := inEnglish(toks[i])
		if !ok || named("weekday", day)+named("month", day)+named("whole", day) == 0 {
			continue
		}
		from := i
		if i > 1 && toks[i-1].Norm == "." && IsDigits(toks[i-2].Norm) {
			from = i - 2 // "am 3. Dezember"
		}
		first := from
		for first > 0 && leadsTime(toks, first-1) {
			first--
		}
		if first == from {
			continue
		}
		if !copied {
			toks, copied = slices.Clone(toks), true
		}
		toks[i].Norm = day
		for k := first; k < from; k++ {
			toks[k].Norm, _ = inEnglish(toks[k])
		}
		if from < i {
			toks[i-1].Norm = "of" // "3 of december"
		}
	}
	return toks
}

// leadsTime: a German word that stands before a time, and is no English one.
func leadsTime(toks []Token, i int) bool {
	w, ok := inEnglish(toks[i])
	if !ok || known(toks[i].Norm) && toks[i].Norm != "am" || i > 0 && In("i|i'm", toks[i-1].Norm) {
		return false
	}
	return In("next|coming|next-but-one|last|this|end|early|mid|by|on|in|from|the|before|after|since", w)
}

// inEnglish is what a German word says, or begins to say: "am" is "on the".
func inEnglish(t Token) (string, bool) {
	words := german()[t.Norm]
	if len(words) == 0 || t.Quoted || !t.Word {
		return "", false
	}
	return words[0], len(words) == 1 || In("am|im|vom|zum", t.Norm)
}
