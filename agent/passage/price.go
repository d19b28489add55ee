package passage

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"kist/agent/language"
	"kist/vault/pattern"
)

// A Price is a price that a sentence names.
type Price struct {
	Value    float64
	Currency string // "" where none is written
	Per      string // what it is for one of: "each", "day"; "": for all
	at, end  int    // tokens
}

// figure is a number that may be a price, with what may be written on it.
var figure = pattern.Lazy(`^(\d{1,3}(?:[.,']\d{3})+|\d+)(?:[.,](\d{1,2}))?(k|p)?$`)

// least is what a number without a currency or a word for a price must be, to be one.
const least = 20

// Prices are the prices in a sentence, without those that it says hold no longer or were
// not taken. A number with a unit, a day, a time, a telephone number is none, nor what counts
// things: "forty chairs".
func Prices(text string, now time.Time) []Price {
	text = priced(text)
	toks := language.Tokenize(text)
	taken := daysIn(toks, text, now)
	var out []Price
	for i, t := range toks {
		m := amount(t)
		if m == nil {
			continue
		}
		a, led := priceAt(toks, i, m), isLed(toks, i)
		switch {
		case taken[i] && a.Currency+a.Per == "" && !hasPriceBefore(toks, i, m[2]), m[3] == "p", over(toks, i), between(toks, i), ofSomebody(toks, i, a):
		case a.Currency != "" || a.Per != "" && a.Value > 0 || led && !counted(toks, i), a.Value >= least && !counted(toks, i) && !year(toks, i):
			out = append(out, a)
		}
	}
	return out
}

// amount are the parts of a figure that may be an amount; nil: it is none, as a telephone's digits.
func amount(t language.Token) []string {
	m := figure().FindStringSubmatch(t.Norm)
	if m == nil || t.Norm[0] == '0' && len(m[1]) > 1 || len(m[1]) > 6 && strings.Trim(m[1], "0123456789") == "" {
		return nil
	}
	return m
}

// priceAt is the price that the i-th token may be, with the parts of its figure.
func priceAt(toks []language.Token, i int, figure []string) Price {
	a := Price{Value: valueOf(figure), at: i}
	a.Currency, a.end = currencyAt(toks, i)
	a.Per, a.end = perAt(toks, a.end)
	return a
}

// ofSomebody: a number is an age, or what somebody or something weighs.
func ofSomebody(toks []language.Token, i int, a Price) bool {
	if a.Currency == "" {
		return i > 1 && language.In("am|is|are|was|turns|turned|aged", toks[i-1].Norm) && language.In("i|he|she|who|we|they", toks[i-2].Norm) && a.Per == ""
	}
	return toks[a.end-1].Norm == "pounds" && slices.ContainsFunc(toks, func(t language.Token) bool { return listed("weighing", t.Norm) })
}

// isLed: a word that stands before prices does before the i-th, which isn't of how many another is:
// "118 for 3".
func isLed(toks []language.Token, i int) bool {
	return i > 0 && listed("priced", toks[i-1].Norm) && !(i > 1 && figure().MatchString(toks[i-2].Norm))
}

// hasPriceBefore: the word before says that it is a price, though it looks like a time: "paid 12.30".
func hasPriceBefore(toks []language.Token, i int, coins string) bool {
	return coins != "" && i > 0 && language.In("paid|pay|cost|costs|bill|fee|price|rent|deposit", toks[i-1].Norm)
}

// valueOf is the number that is written: "4,200", "2.150,50", "6k".
func valueOf(m []string) float64 {
	digits := strings.NewReplacer(".", "", ",", "", "'", "").Replace(m[1])
	if m[2] != "" {
		digits += "." + m[2]
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0
	}
	if m[3] == "k" {
		v *= 1000
	}
	return v
}

// daysIn are the tokens of days and times.
func daysIn(toks []language.Token, text string, now time.Time) map[int]bool {
	taken := map[int]bool{}
	for from := 0; from < len(toks); {
		_, n, ok := language.ReadPeriod(toks[from:], now)
		if !ok {
			from++
			continue
		}
		for i := range n {
			taken[from+i] = n > 1 || language.DayAndMonth(toks[from].Norm)
		}
		from += n
	}
	for _, span := range clock().FindAllStringIndex(text, -1) {
		for i, t := range toks {
			taken[i] = taken[i] || t.Start >= span[0] && t.End <= span[1]
		}
	}
	return taken
}

// currencyAt is the currency before or behind a number, and where the amount ends.
func currencyAt(toks []language.Token, i int) (string, int) {
	for name, words := range words().currencies {
		if i+1 < len(toks) && slices.Contains(words, toks[i+1].Norm) {
			return name, i + 2
		}
		if i > 0 && slices.Contains(words, toks[i-1].Norm) && !slices.Contains(words, "p") {
			return name, i + 1
		}
	}
	return "", i + 1
}

// perAt reads what an amount is for one of.
func perAt(toks []language.Token, at int) (string, int) {
	switch {
	case at < len(toks) && listed("each", toks[at].Norm):
		return "each", at + 1
	case at+1 < len(toks) && listed("per", toks[at].Norm) && toks[at+1].Word && !(at+2 < len(toks) && language.In("ago|later|before|earlier", toks[at+2].Norm)):
		return toks[at+1].Norm, at + 2
	}
	return "", at
}

// over: another value stands for it, or it wasn't taken.
func over(toks []language.Token, i int) bool {
	for n := 1; n <= 4 && i-n >= 0; n++ {
		if k, ok := language.MatchAny(toks[i-n:], words().instead...); ok && k <= n && k >= n-1 && (k == n || language.Class("<det>", toks[i-1].Norm) || !toks[i-1].Word) {
			return true
		}
	}
	if i == 0 || !listed("was", toks[i-1].Norm) {
		return false
	}
	return toks[i-1].Norm != "from" || language.Has(toks[i+1:], "to|auf")
}

// between: a number is an end of a range, or stands in a row of digits as a telephone's does.
func between(toks []language.Token, i int) bool {
	is := func(at int, words string) bool { return at >= 0 && at < len(toks) && language.In(words, toks[at].Norm) }
	digits := func(at int) bool { return at >= 0 && at < len(toks) && figure().MatchString(toks[at].Norm) }
	switch {
	case is(i-1, "between|zwischen") || is(i-3, "between|zwischen"), digits(i - 1):
		return true
	case digits(i-2) && is(i-1, "to|-|–|or|bis|oder"):
		return !is(i-3, "from|von")
	}
	return digits(i+2) && is(i+1, "to|-|–|or|bis|oder")
}

// counted: the number says how many there are of what stands behind it.
func counted(toks []language.Token, i int) bool {
	if i > 0 && listed("numbered", toks[i-1].Norm) {
		return true
	}
	if i+1 >= len(toks) || !toks[i+1].Word {
		return i+1 < len(toks) && toks[i+1].Norm == "%"
	}
	next := toks[i+1].Norm
	if next == "of" {
		return i+2 < len(toks) && listed("back", toks[i+2].Norm)
	}
	return language.Digital(next) || len(language.ContentWords(toks[i+1:i+2])) > 0 && !language.Class("<stop>", next) && !language.Class("<aux>", next) && !listed("behind", next)
}

// year: a number without marks may be one.
func year(toks []language.Token, i int) bool {
	w := toks[i].Norm
	return len(w) == 4 && language.IsDigits(w) && (w[:2] == "19" || w[:2] == "20") && i > 0 && language.In("in|since|from|by|until|till|of|for|before|after|seit|bis", toks[i-1].Norm)
}

// PriceOf is the price of a thing in a sentence: the one that is said to be for it, or that
// stands beside it. n is how many these are; of more than one none is the price.
func PriceOf(text string, thing []string, now time.Time) (p Price, n int) {
	all := Prices(text, now)
	text = priced(text)
	toks := language.Tokenize(text)
	for _, each := range all {
		if besides(toks, each, thing, all) {
			p = each
			n++
		}
	}
	return p, n
}

// besides: an amount is said to be "for" the thing, or the thing stands before it with no
// other amount between, in the same part of the sentence or in the one before, if the
// amount's own part names nothing else: "the board is gone, that's another 980".
func besides(toks []language.Token, a Price, thing []string, all []Price) bool {
	yes, said := isFor(toks[a.end:], thing)
	if yes || said && len(all) > 1 {
		return yes
	}
	first := !said && len(all) == 1 && leads(toks, thing)
	parts, other := 0, false
	for i := a.at - 1; i >= 0; i-- {
		i = unbracketed(toks, i)
		t := toks[i]
		ends := language.In(",|;|.|:|!|?", t.Norm)
		switch {
		case slices.ContainsFunc(all, func(o Price) bool { return o.at == i }):
			return false
		case Like(thing, t.Norm):
			return true
		case ends && i+1 < len(toks) && listed("turns", toks[i+1].Norm): // ", and" is one
		case ends, listed("turns", t.Norm):
			if parts++; parts > 1 || other {
				return first && parts > 1
			}
		default:
			other = other || parts == 0 && topical(toks[i:i+1]) && !listed("priced", t.Norm) && !listed("back", t.Norm)
		}
	}
	return false
}

// unbracketed is where a bracket opens that closes at i, or i.
func unbracketed(toks []language.Token, i int) int {
	if toks[i].Norm == ")" {
		for i > 0 && toks[i].Norm != "(" {
			i--
		}
	}
	return i
}

// leads: the thing is what a sentence speaks of first.
func leads(toks []language.Token, thing []string) bool {
	i := slices.IndexFunc(toks, func(t language.Token) bool { return topical([]language.Token{t}) })
	return i >= 0 && Like(thing, toks[i].Norm)
}

// isFor: what follows an amount says that it is for the thing, or that it is for something.
func isFor(behind []language.Token, thing []string) (yes, said bool) {
	if len(behind) == 0 || !listed("for", behind[0].Norm) {
		return false, false
	}
	for i := 1; i < min(len(behind), 6) && behind[i].Word; i++ {
		if Like(thing, behind[i].Norm) {
			return true, true
		}
		if topical(behind[i : i+1]) {
			said = true
		}
	}
	return false, said
}
