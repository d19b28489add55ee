package audit

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"kist/agent/language"
	"kist/agent/prose"
)

// A day counts days since 1970; 0: none.
type day int

func dayOf(t time.Time) day {
	if t.Year() < 1971 || t.Year() > 2200 {
		return 0
	}
	return day(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / (24 * 3600))
}

func (d day) time() time.Time { return time.Unix(int64(d)*24*3600, 0).UTC() }

func (d day) String() string { return d.time().Format("2 Jan 2006") }

// parseDay reads a date of the front matter; 0 for anything else.
func parseDay(s string) day {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return dayOf(t)
		}
	}
	return 0
}

// A span is the days that a date in a text may mean: one, a month or a quarter.
type span struct{ from, to day }

func (s span) meets(o span) bool { return s.from <= o.to && o.from <= s.to }

func (s span) String() string {
	if s.from == s.to {
		return s.from.String()
	}
	return s.to.time().Format("January 2006")
}

const (
	monthNames = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
	datePart   = `(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?` + monthNames + `,?\s+\d{4}|` + monthNames + `\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}|(?:(?:the\s+)?end\s+of\s+)?` + monthNames + `\s+\d{4}|q[1-4]\s+\d{4})`
)

var (
	anyDate = language.Pattern(`(?i)\b` + datePart + `\b`)
	numbers = language.Pattern(`\d+`)
	letters = language.Pattern(`[a-z]+`)
)

// parseSpan reads what datePart matches.
func parseSpan(s string) (span, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if d := parseDay(s); d > 0 {
		return span{d, d}, true
	}
	nums, month := numbers().FindAllString(s, -1), time.Month(0)
	for _, w := range letters().FindAllString(s, -1) {
		for m := time.January; m <= time.December; m++ {
			if len(w) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), w[:3]) && month == 0 && w != "the" {
				month = m
			}
		}
	}
	if len(nums) == 0 {
		return span{}, false
	}
	year, err := strconv.Atoi(nums[len(nums)-1])
	if err != nil || year < 1971 || year > 2200 {
		return span{}, false
	}
	first := func(y int, m time.Month) day { return dayOf(time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)) }
	switch {
	case strings.HasPrefix(s, "q"):
		m := time.Month(3*int(nums[0][0]-'1') + 1)
		return span{first(year, m), first(year, m+3) - 1}, true
	case month == 0:
		return span{}, false
	case len(nums) == 1:
		return span{first(year, month), first(year, month+1) - 1}, true
	}
	n, err := strconv.Atoi(nums[0])
	d := first(year, month) + day(n) - 1
	if err != nil || n < 1 || d >= first(year, month+1) {
		return span{}, false
	}
	return span{d, d}, true
}

// An amount is a sum of money; the zero amount is none.
type amount struct {
	value    float64
	currency string // €, $, £ or a code; "" where none is given
}

const amountPart = `(?:(?:€|\$|£|eur|usd|gbp|chf)\s*\d[\d.,' ]{0,15}\d?\s*(?:k|m|thousand|million)?\b|\d[\d.,' ]{0,15}\d?\s*(?:k|m|thousand|million)?\s*(?:€|\$|£|(?:euros?|eur|dollars?|usd|pounds?|gbp|chf|francs?)\b)|\d[\d.,']{0,15}\d?\s*(?:k\b)?)`

var amountIn = language.Pattern(`(?i)^\s*` + amountPart)

// firstAmount reads the amount that a text starts with.
func firstAmount(s string) amount {
	s = strings.ToLower(amountIn().FindString(s))
	if s == "" {
		return amount{}
	}
	var a amount
	for _, names := range []string{"€ eur", "$ dollar usd", "£ pound gbp", "chf franc"} {
		for _, name := range strings.Fields(names) {
			if a.currency == "" && strings.Contains(s, name) {
				a.currency = strings.Fields(names)[0]
			}
		}
	}
	digits := strings.Trim(strings.TrimFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }), " ")
	rest := s[strings.Index(s, digits)+len(digits):]
	digits = strings.NewReplacer(" ", "", "'", "").Replace(digits)
	if i := strings.LastIndexAny(digits, ".,"); i >= 0 && len(digits)-i-1 != 3 { // a decimal mark
		digits = strings.NewReplacer(".", "", ",", "").Replace(digits[:i]) + "." + digits[i+1:]
	} else {
		digits = strings.NewReplacer(".", "", ",", "").Replace(digits)
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return amount{}
	}
	switch rest = strings.TrimSpace(rest); {
	case strings.HasPrefix(rest, "k"), strings.HasPrefix(rest, "thousand"):
		f *= 1e3
	case strings.HasPrefix(rest, "m"):
		f *= 1e6
	}
	a.value = f
	return a
}

// differs says that two amounts can't be the same: another sum in the same money, or
// in money that one of them doesn't name.
func (a amount) differs(b amount) bool {
	return (a.currency == b.currency || a.currency == "" || b.currency == "") && a.value != b.value
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// plain makes a text from a file fit for one line.
func plain(s string) string { return prose.Line(s, maxText) }
