package language

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// EndsSentence reports whether the dot at a byte of a text ends a sentence there. It
// doesn't within numbers and names, behind abbreviations ("ca. 30", "z. B.", "bldg. is")
// and behind the number of a day or a rank ("am 3. Prüfung", "15. Mai").
func EndsSentence(text string, at int) bool {
	after := text[at+1:]
	if next, _ := utf8.DecodeRuneInString(after); IsWordRune(next) {
		return false
	}
	after = strings.TrimLeft(after, " \t\u00a0")
	next, _ := utf8.DecodeRuneInString(after)
	if after == "" || next == '\n' || next == '\r' {
		return true
	}
	before, last := lastWord(text[:at])
	before, lead := lastWord(before)
	switch {
	case last == "":
		return true
	case Digital(last):
		_, who := lastWord(before)
		return lead != "" && beginsAsking(after) || !numbered(lead, last, after) || strings.EqualFold(who+" "+lead, "i am") && unicode.IsUpper(next)
	case len(last) == 1 && unicode.IsUpper(rune(last[0])) && last != "I":
		return false // "J. Berg"
	}
	return !abbreviated(lead, last, after)
}

// beginsAsking: a question follows, rather than what a number counts: "4 of 10. how many left".
func beginsAsking(after string) bool {
	end := strings.IndexAny(after, " \t")
	return end > 0 && In("how|what|when|who|where|which|why", strings.ToLower(after[:end]))
}

// numbered: the dot behind a number belongs to it.
func numbered(lead, last, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	if DayAndMonth(last) {
		return !unicode.IsUpper(next) && !unicode.IsDigit(next) // "19.12. -> 9.1.", "31.12. and then"
	}
	if !IsDigits(last) || len(last) > 2 {
		return false
	}
	return unicode.IsLower(next) && DayNumber(last) > 0 || calendarWord(firstWord(after)) || abbreviations()["ordinal"][strings.ToLower(lead)] && IsWordRune(next)
}

// abbreviated: the dot behind a word shortens it.
func abbreviated(lead, last, after string) bool {
	low := strings.ToLower(last)
	next, _ := utf8.DecodeRuneInString(after)
	kinds := abbreviations()
	switch {
	case len(low) == 1 && unicode.IsLetter(next) && len(firstWord(after)) == 1 && strings.HasPrefix(after[1:], "."):
		return true // "z. B."
	case len(low) == 1 && kinds["within"][low] && !Digital(lead):
		return false // a unit stands behind a number
	}
	return kinds["leads"][low] || kinds["counts"][low] && unicode.IsDigit(next) || kinds["within"][low] && !unicode.IsUpper(next)
}

// lastWord takes the last word off a text; the marks before it are left out.
func lastWord(text string) (rest, word string) {
	text = strings.TrimRight(text, " \t\u00a0")
	at := strings.LastIndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`("'“„‘[,;:`, r) })
	if at < 0 {
		return "", text
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return text[:at], text[at+size:]
}

func firstWord(text string) string {
	if n := strings.IndexFunc(text, func(r rune) bool { return !IsWordRune(r) }); n >= 0 {
		return text[:n]
	}
	return text
}

// calendarWord: a month or a day of the week in either language.
func calendarWord(w string) bool {
	if w = strings.ToLower(w); w == "mai" {
		return true // not "may"
	}
	if english := german()[w]; len(english) == 1 && len(w) > 2 {
		w = english[0]
	}
	return len(w) > 2 && (IsMonth(w) || named("weekday", w) > 0) || In("okt|dez|mär|mrz", w)
}

// abbreviations are those of all languages, by what their dot can be.
var abbreviations = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, name := range []string{"en/abbreviations.txt", "de/abbreviations.txt"} {
		text, _ := files.ReadFile(name) // tests read each
		for kind, words := range Lists(string(text)) {
			if out[kind] == nil {
				out[kind] = map[string]bool{}
			}
			for _, w := range strings.Fields(words) {
				out[kind][w] = true
			}
		}
	}
	return out
})

// FirstSentence is the first sentence of a line, without the mark at its end.
func FirstSentence(line string) string {
	for i, r := range line {
		if In("!|?|;", string(r)) || r == '…' || r == '.' && EndsSentence(line, i) {
			return line[:i]
		}
	}
	return line
}
