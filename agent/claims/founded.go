package claims

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/vault/pattern"
)

// month names, by the number of the month, in English and German.
var months = []string{"jan", "feb", "mar|mär|maer", "apr", "may|mai", "jun", "jul", "aug", "sep", "oct|okt", "nov", "dec|dez"}

var (
	monthWord = `(jan|feb|mar|mär|maer|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*\.?`
	isoDate   = pattern.Lazy(`\b(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::[\d.]+)?(?:Z|[+-]\d{2}:\d{2})?)?`)
	dayMonth  = pattern.Lazy(`(?i)\b(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?` + monthWord + `(?:,?\s+(\d{4})\b)?`)
	monthDay  = pattern.Lazy(`(?i)\b` + monthWord + `\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4})\b)?`)
	numeral   = pattern.Lazy(`\d+(?:[.,' \x{202f}\x{00a0}]\d{3})*(?:[.,]\d+)?`)
	unit      = pattern.Lazy(`(?i)^\s?(?:%|percent|prozent|€|\$|£|euros?|dollars?|pounds?|days?|weeks?|months?|years?|hours?|tagen?|wochen?|monaten?|jahren?|stunden?)`)
	currency  = pattern.Lazy(`(?i)(?:€|\$|£|eur|usd|gbp|chf)\s?$`)
	citedLine = pattern.Lazy(`\.md:\d+`)
)

// Unfounded returns the dates and figures of a text that stand in none of what it is about,
// as the text has them, each once, at most five. Figures are amounts with a unit or a sign of
// a currency, and numbers from 100; what is less may well have been counted. A date is
// founded by one of the same day and month, however either is written.
func Unfounded(text string, evidence ...string) []string {
	days, figures := map[string]bool{}, map[string]bool{}
	for _, e := range evidence {
		for _, d := range dates(&e) {
			days[d.value] = true
		}
		for _, m := range numeral().FindAllString(e, -1) {
			figures[plain(m)] = true
		}
	}
	var out []string
	miss := func(said string) {
		if said = strings.Trim(said, " .,"); len(out) < 5 && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	text = citedLine().ReplaceAllString(text, ".md")
	for _, d := range dates(&text) {
		if !days[d.value] {
			miss(d.said)
		}
	}
	for _, at := range numeral().FindAllStringIndex(text, -1) {
		said := text[at[0]:at[1]]
		behind, before := unit().FindString(text[at[1]:min(len(text), at[1]+16)]), currency().FindString(text[max(0, at[0]-8):at[0]])
		if value, err := strconv.ParseFloat(plain(said), 64); err != nil || figures[plain(said)] || behind+before == "" && value < 100 {
			continue
		}
		miss(before + said + behind)
	}
	return out
}

// Undated is a text without its dates.
func Undated(text string) string {
	dates(&text)
	return text
}

type date struct{ said, value string }

// dates takes the dates out of a text, in its order of ways to write one. Their value is
// month and day.
func dates(text *string) (out []date) {
	take := func(re *regexp.Regexp, month, day int) {
		*text = re.ReplaceAllStringFunc(*text, func(said string) string {
			m := re.FindStringSubmatch(said)
			n := slices.IndexFunc(months, func(names string) bool {
				return slices.Contains(strings.Split(names, "|"), strings.ToLower(m[month]))
			}) + 1
			if n == 0 {
				n, _ = strconv.Atoi(m[month])
			}
			d, _ := strconv.Atoi(m[day])
			out = append(out, date{said, strconv.Itoa(n) + "-" + strconv.Itoa(d)})
			return " "
		})
	}
	take(isoDate(), 2, 3)
	take(dayMonth(), 2, 1)
	take(monthDay(), 1, 2)
	return out
}

// plain is a number without what parts its thousands, with a point for its decimals, and
// without zeros that say nothing.
func plain(s string) string {
	s = strings.NewReplacer("'", "", " ", "", "\u202f", "", "\u00a0", "").Replace(s)
	if i := strings.LastIndexAny(s, ".,"); i >= 0 {
		whole, rest := strings.NewReplacer(".", "", ",", "").Replace(s[:i]), s[i+1:]
		if len(rest) == 3 && whole != "0" {
			s = whole + rest // 4,200 and 4.200
		} else {
			s = whole + "." + rest
		}
	}
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s = strings.TrimLeft(s, "0"); s == "" || s[0] == '.' {
		s = "0" + s
	}
	return s
}

var word = pattern.Lazy(`[\p{L}\p{N}][\p{L}\p{N}'’-]*`)

// Holds reports whether all dates, figures and names of a text stand in what it is about. A
// name is a word with a capital letter that doesn't begin a sentence. It is for texts that a
// model makes of others, where what is not in them can only be made up.
func Holds(text string, evidence ...string) bool {
	days, known := map[string]bool{}, map[string]bool{}
	for _, e := range evidence {
		for _, d := range dates(&e) {
			days[d.value] = true
		}
		for _, w := range word().FindAllString(e, -1) {
			known[strings.ToLower(w)] = true
		}
		for _, m := range numeral().FindAllString(e, -1) {
			known[plain(m)] = true
		}
	}
	for _, d := range dates(&text) {
		if !days[d.value] {
			return false
		}
	}
	for _, m := range numeral().FindAllString(text, -1) {
		if !known[plain(m)] {
			return false
		}
	}
	for _, at := range word().FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		first, _ := utf8.DecodeRuneInString(w)
		begins := strings.TrimRight(text[:at[0]], " \"“'(*-") // nothing, or the end of a sentence
		if unicode.IsUpper(first) && begins != "" && !strings.ContainsAny(begins[len(begins)-1:], ".!?:;") && !known[strings.ToLower(w)] && !known[strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))] && w != "I" {
			return false
		}
	}
	return true
}

var letters = pattern.Lazy(`[\p{L}\p{M}][\p{L}\p{M}'’]*`)

// stemLetters is by how many of its first letters a word is known again.
const stemLetters = 5

// stems are the beginnings of a text's words with more than three letters, case folded.
func stems(text string) (out []string) {
	for _, w := range letters().FindAllString(text, -1) {
		stem := []rune(strings.ToLower(strings.NewReplacer("'", "", "’", "").Replace(w)))
		if len(stem) > 3 {
			out = append(out, string(stem[:min(len(stem), stemLetters)]))
		}
	}
	return out
}

// Covered is how much of a text, from 0 to 1, is said in words of what it is about: of its
// words with more than three letters those that begin as one there does, by five letters or
// the four that a word has. It is 1 for a text without such words. What is asserted with a
// word of its own, such as "refuses", isn't covered; a "not" is too short to be seen.
func Covered(text string, evidence ...string) float64 {
	var known []string
	for _, e := range evidence {
		known = append(known, stems(e)...)
	}
	words, found := stems(text), 0
	for _, w := range words {
		if slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(w, k) || strings.HasPrefix(k, w) }) {
			found++
		}
	}
	if len(words) == 0 {
		return 1
	}
	return float64(found) / float64(len(words))
}
