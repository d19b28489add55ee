package filing

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kist/agent/guide"
	"kist/agent/language"
	"kist/agent/recall"
)

// Signs are what a sentence holds that may still matter in a week, whatever it says.
type Signs struct {
	Amount bool // a number that is no date, or money
	Date   bool // a day or a period that is neither today nor tomorrow
	Name   bool // of a person, a firm or a place
	Fact   bool // it has the form of a lasting fact: who somebody is, a rule, a measure
	Topic  bool // it is about what plans are about: money, time, people, risks
}

// all are the signs, in any order.
func (s Signs) all() []bool { return []bool{s.Amount, s.Date, s.Name, s.Fact, s.Topic} }

// factual is how sure a fact must be to be a sign.
const factual = 0.75

// SignsOf looks for them.
func SignsOf(sentence string, now time.Time) Signs {
	toks := language.Tokenize(sentence)
	s := Signs{
		Fact:  slices.ContainsFunc(recall.Extract(sentence, recall.Options{}), func(c recall.Candidate) bool { return c.Confidence >= factual }),
		Topic: slices.ContainsFunc(slices.Collect(maps.Values(guide.Score(sentence))), func(v float64) bool { return v >= guide.Relevant }),
	}
	for i := 0; i < len(toks); {
		if p, n, ok := language.ReadPeriod(toks[i:], now); ok && !(i > 0 && language.StartsInside(toks, i)) {
			s.Date = s.Date || !soon(p, now)
			i += n
			continue
		}
		w := sentence[toks[i].Start:toks[i].End]
		s.Amount = s.Amount || language.Digital(toks[i].Norm) || money(w) || i+1 < len(toks) && language.Count(toks[i].Norm) > 1 && language.Unit(toks[i+1].Norm) > 0
		s.Name = s.Name || i > 0 && toks[i-1].Word && names(w) && !language.Class("<stop>", toks[i].Norm)
		i++
	}
	return s
}

// soon: a period that is over by tomorrow.
func soon(p language.Period, now time.Time) bool {
	return !p.To.IsZero() && p.To.Before(now.AddDate(0, 0, 1))
}

func money(w string) bool { return strings.ContainsAny(w, "$€£¥") }

// names: a capital letter within a sentence, with more letters behind it.
func names(w string) bool {
	r, size := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) && size < len(w)
}
