package language

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Period is a stretch of days, both ends within it. A zero end is open.
type Period struct {
	From, To time.Time
}

// IsZero: it bounds nothing.
func (p Period) IsZero() bool { return p.From.IsZero() && p.To.IsZero() }

// Within is what two periods have in common.
func (p Period) Within(o Period) Period {
	if p.From.Before(o.From) {
		p.From = o.From
	}
	if p.To.IsZero() || !o.To.IsZero() && o.To.Before(p.To) {
		p.To = o.To
	}
	return p
}

// period.txt holds the words, one thing a line.
//
//go:embed period.txt
var periodText string

// A manner is a line of period.txt.
type manner struct {
	name     string
	n        int
	patterns []string
}

var manners = sync.OnceValue(func() []manner {
	var out []manner
	for line := range strings.SplitSeq(periodText, "\n") {
		head, patterns, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		name, number, _ := strings.Cut(head, " ")
		n, _ := strconv.Atoi(number) // no number is 0
		out = append(out, manner{name, n, strings.Split(strings.TrimSpace(patterns), ";")})
	}
	return out
})

// said matches the line of that name at the start of toks.
func said(toks []Token, name string) (int, bool) {
	for _, m := range manners() {
		if m.name == name {
			return strictAny(toks, m.patterns)
		}
	}
	return 0, false
}

func strictAny(toks []Token, patterns []string) (int, bool) {
	if len(toks) == 0 || IsFiller(toks[0]) {
		return 0, false
	}
	return MatchAny(toks, patterns...)
}

// ReadPeriod reads a period or a bound at the start of toks and returns how many
// tokens it takes: "next week" (Monday to Sunday), "by Friday" (until then, that day
// too), "before 5 December", "the next 7 days" (today too), "in December", "between
// Monday and Friday", "on Friday" (that day).
func ReadPeriod(toks []Token, now time.Time) (Period, int, bool) {
	if len(toks) == 0 || toks[0].Quoted {
		return Period{}, 0, false
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	if p, n, ok := bounded(toks, today); ok {
		return p, n, true
	}
	best, most := Period{}, 0
	if n, ok := said(toks, "on"); ok {
		if p, k, ok := plainPeriod(toks[n:], today, true); ok {
			best, most = p, n+k
		}
	}
	if p, n, ok := plainPeriod(toks, today, false); ok && n > most {
		best, most = p, n
	}
	return best, most, most > 0
}

// bounded reads what has an open end, and what has two that are named.
func bounded(toks []Token, today time.Time) (Period, int, bool) {
	if n, ok := said(toks, "between"); ok {
		if p, k, ok := fromTo(toks[n:], "and", today); ok {
			return p, n + k, true
		}
	}
	for _, name := range []string{"until", "before", "after", "from"} {
		n, ok := said(toks, name)
		if !ok {
			continue
		}
		if name == "from" {
			if p, k, ok := fromTo(toks[n:], "to", today); ok {
				return p, n + k, true
			}
		}
		p, k, ok := plainPeriod(toks[n:], today, true)
		if !ok {
			continue
		}
		return bound(name, p), n + k, true
	}
	return Period{}, 0, false
}

// bound opens an end of a period.
func bound(name string, p Period) Period {
	switch name {
	case "until":
		return Period{To: p.To}
	case "before":
		return Period{To: p.From.AddDate(0, 0, -1)}
	case "after":
		return Period{From: p.To.AddDate(0, 0, 1)}
	}
	return Period{From: p.From}
}

// fromTo reads "1 to 15 December", "Monday and Friday".
func fromTo(toks []Token, between string, today time.Time) (Period, int, bool) {
	n, day := bareDay(toks) // its month comes later
	k, joined := said(toks[min(n, len(toks)):], between)
	a := Period{}
	if day == 0 || !joined {
		var ok bool
		if a, n, ok = plainPeriod(toks, today, true); !ok {
			return Period{}, 0, false
		}
		if k, joined = said(toks[n:], between); !joined {
			return Period{}, 0, false
		}
		day = 0
	}
	b, l, ok := plainPeriod(toks[n+k:], today, true)
	if !ok {
		return Period{}, 0, false
	}
	if day > 0 {
		if a.From, ok = valid(b.To.Year(), b.To.Month(), day); !ok {
			return Period{}, 0, false
		}
	}
	if b.To.Before(a.From) {
		b.To = b.To.AddDate(0, 0, 7) // "from Monday to Friday", said on a Wednesday
	}
	return Period{From: a.From, To: b.To}, n + k + l, !b.To.Before(a.From)
}

// bareDay reads the number of a day without its month.
func bareDay(toks []Token) (n, day int) {
	if len(toks) > 1 && toks[0].Norm == "the" {
		n = 1
	}
	if n >= len(toks) {
		return 0, 0
	}
	return n + 1, DayNumber(toks[n].Norm)
}

// plainPeriod reads a period without a bound before it. led: a preposition is, so
// that "March" is a month.
func plainPeriod(toks []Token, today time.Time, led bool) (Period, int, bool) {
	if len(toks) == 0 || toks[0].Quoted {
		return Period{}, 0, false
	}
	best, most := Period{}, 0
	for _, read := range []func([]Token, time.Time) (Period, int, bool){namedPeriod, counted, quarterOf, singleDay} {
		if p, n, ok := read(toks, today); ok && n > most {
			best, most = p, n
		}
	}
	if p, n, ok := monthPeriod(toks, today, led); ok && n >= most {
		best, most = p, n
	}
	return best, most, most > 0
}

// counted reads "the next 7 days", "in two weeks" and "the last three days".
func counted(toks []Token, today time.Time) (Period, int, bool) {
	for _, name := range []string{"ahead", "within", "back"} {
		n, ok := said(toks, name)
		if !ok {
			continue
		}
		if n < len(toks) && In("a|about|around", toks[n].Norm) && n+2 < len(toks) && Unit(toks[n+1].Norm) == 0 {
			n++
		}
		if n >= len(toks) {
			continue
		}
		k, used := countAt(toks[n:])
		if used == 0 || n+used >= len(toks) {
			continue
		}
		unit := Unit(toks[n+used].Norm)
		if k == 0 || unit == 0 {
			continue
		}
		if name == "back" {
			return Period{From: after(today, -k, unit), To: today}, n + used + 1, true
		}
		return Period{From: today, To: after(today, k, unit)}, n + used + 1, true
	}
	return Period{}, 0, false
}

// countAt reads a number at the start of toks, or "few".
func countAt(toks []Token) (number, used int) {
	for _, m := range manners() {
		if m.name != "few" {
			continue
		}
		if n, ok := strictAny(toks, m.patterns); ok {
			return m.n, n
		}
	}
	if k := Count(Numeral(toks[0].Norm)); k > 0 && toks[0].Word {
		return k, 1
	}
	if k := Count(toks[0].Norm); k > 0 {
		return k, 1
	}
	return 0, 0
}

func after(day time.Time, k, unit int) time.Time {
	switch unit {
	case 30:
		return day.AddDate(0, k, 0)
	case 365:
		return day.AddDate(k, 0, 0)
	}
	return day.AddDate(0, 0, k*unit)
}

// namedPeriod reads the units of period.txt.
func namedPeriod(toks []Token, today time.Time) (Period, int, bool) {
	best, most := Period{}, 0
	for _, m := range manners() {
		p, ok := m.period(today)
		if !ok {
			continue
		}
		if n, ok := strictAny(toks, m.patterns); ok && n > most {
			best, most = p, n
		}
	}
	return best, most, most > 0
}

func (m manner) period(today time.Time) (Period, bool) {
	monday := EndOfWeek(today).AddDate(0, 0, -6+7*m.n)
	first := func(months int, start time.Month) Period {
		from := time.Date(today.Year(), start, 1, 0, 0, 0, 0, time.UTC)
		return Period{from, from.AddDate(0, months, -1)}
	}
	switch m.name {
	case "week":
		return Period{monday, monday.AddDate(0, 0, 6)}, true
	case "weekend":
		return Period{monday.AddDate(0, 0, 5), monday.AddDate(0, 0, 6)}, true
	case "month":
		return first(1, today.Month()+time.Month(m.n)), true
	case "quarter":
		return first(3, time.Month((int(today.Month())-1)/3*3+1+3*m.n)), true
	case "year":
		return first(12, time.Month(1+12*m.n)), true
	case "day":
		return Period{today.AddDate(0, 0, m.n), today.AddDate(0, 0, m.n)}, true
	case "days":
		if m.n < 0 {
			return Period{today.AddDate(0, 0, m.n), today}, true
		}
		return Period{today, today.AddDate(0, 0, m.n)}, true
	}
	return Period{}, false
}

// quarterOf reads "Q1" and "Q1 2027".
func quarterOf(toks []Token, today time.Time) (Period, int, bool) {
	if q := toks[0].Norm; len(q) != 2 || q[0] != 'q' {
		return Period{}, 0, false
	}
	day, n, ok := periodEnd(toks, today)
	return Period{time.Date(day.Year(), day.Month()-2, 1, 0, 0, 0, 0, time.UTC), day}, n, ok
}

// monthPeriod reads "December", "early May 2027" and "2027".
func monthPeriod(toks []Token, today time.Time, led bool) (Period, int, bool) {
	part, at := "", 0
	for _, name := range []string{"early", "middle", "late"} {
		if n, ok := said(toks, name); ok && n > at {
			part, at = name, n
		}
	}
	if at >= len(toks) {
		return Period{}, 0, false
	}
	if y := number(toks[at].Norm); led && part == "" && y >= 1990 && y < 2200 && len(toks[at].Norm) == 4 {
		return Period{time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC)}, at + 1, true
	}
	m, ok := monthOf(toks[at].Norm)
	if !ok || !led && part == "" && In("may|march|mar|jan|dec", toks[at].Norm) {
		return Period{}, 0, false
	}
	if at+1 < len(toks) && DayNumber(toks[at+1].Norm) > 0 {
		return Period{}, 0, false // "December 5"
	}
	last, n, ok := withYear(toks, at+1, 0, m, today)
	from := time.Date(last.Year(), last.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch part {
	case "early":
		last = from.AddDate(0, 0, 9)
	case "middle":
		from, last = from.AddDate(0, 0, 10), from.AddDate(0, 0, 19)
	case "late":
		from = from.AddDate(0, 0, 20)
	}
	return Period{from, last}, n, ok
}

// singleDay reads one day: "Friday", "5 December", "the 15th", "Friday, 4 December".
func singleDay(toks []Token, today time.Time) (Period, int, bool) {
	day, n, ok := parseDate(toks, today)
	if n == 1 && In("may|march|mar", toks[0].Norm) {
		ok = false // verbs, more often
	}
	if _, weekday := weekdayOf(toks[0].Norm); weekday && ok && n < len(toks) {
		at := n
		if toks[at].Norm == "," && at+1 < len(toks) {
			at++
		}
		if exact, k, dated := MonthDate(toks[at:], today); dated && exact.Weekday() == day.Weekday() {
			return Period{exact, exact}, at + k, true
		}
	}
	return Period{day, day}, n, ok
}
