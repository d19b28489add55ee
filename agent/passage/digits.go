package passage

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Amounts that are spelt out, "thirty-two pounds fifty", or written with the coins behind the
// currency, "4 euro 50", are read like any other.

const moneyNames = `(pounds?|quid|euros?|dollars?|bucks|francs?)`

var spelling = sync.OnceValue(func() (s struct {
	values                     map[string]int
	money, spelt, named, coins *regexp.Regexp
}) {
	s.values = map[string]int{"hundred": 100, "thousand": 1000, "a": 1}
	var names []string
	for i, w := range strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		s.values[w], names = i+1, append(names, w)
	}
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		s.values[w], names = 20+10*i, append(names, w)
	}
	word := `(?:` + strings.Join(names, "|") + `|hundred|thousand)`
	s.money = regexp.MustCompile(`(?i)\b` + moneyNames + `\b|[£€$]`)
	s.spelt = regexp.MustCompile(`(?i)(\bthe )?\b((?:a )?` + word + `(?:[ -](?:and )?` + word + `)*)\b`)
	s.named = regexp.MustCompile(`(?i)\bthe (` + word + `(?:[ -](?:and )?` + word + `)* ` + moneyNames + `)\b`)
	s.coins = regexp.MustCompile(`(?i)\b(\d+) ` + moneyNames + ` (\d\d)\b([^.,\d%]|$)`)
	return s
})

// inDigits writes the amounts of a sentence that speaks of money in digits. "The sixty" was named
// before.
func inDigits(text string) string {
	s := spelling()
	if !s.money.MatchString(text) {
		return text
	}
	text = s.spelt.ReplaceAllStringFunc(s.named.ReplaceAllString(text, "$1"), func(found string) string {
		if strings.HasPrefix(strings.ToLower(found), "the ") {
			return found
		}
		total, part := 0, 0
		for _, w := range strings.FieldsFunc(strings.ToLower(found), func(r rune) bool { return r == ' ' || r == '-' }) {
			switch v := s.values[w]; {
			case w == "thousand":
				total, part = (total+max(part, 1))*v, 0
			case w == "hundred":
				part = max(part, 1) * v
			default:
				part += v
			}
		}
		return strconv.Itoa(total + part)
	})
	return s.coins.ReplaceAllString(text, "$1.$3 $2$4")
}

// priced is a line without the day before it, with its amounts in digits.
func priced(text string) string {
	text, _ = undated(text)
	return inDigits(text)
}
