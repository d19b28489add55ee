package passage

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"kist/agent/language"
	"kist/vault/pattern"
)

// A Want is the kind of thing that a question asks for; empty: none in particular.
type Want string

// The kinds.
const (
	Count  Want = "count" // how many days it is until a date
	Time   Want = "time"  // of the day
	When   Want = "when"
	Where  Want = "where"
	Who    Want = "who"
	Person Want = "person" // who or what somebody is
	Long   Want = "long"   // a duration
	Amount Want = "amount"
	Money  Want = "money"
	Why    Want = "why"    // a reason, which may stand there without a word for it
	Number Want = "number" // by which somebody is reached
)

// wantOf reads what a question wants, and which of its words only say so.
func wantOf(toks []language.Token) (Want, map[string]bool) {
	taken := map[string]bool{}
	for _, w := range words().wants {
		start, end, ok := language.Find(toks, w.patterns...)
		if !ok {
			continue
		}
		if w.want == Person && end < len(toks) && strings.HasSuffix(toks[end].Norm, "ing") {
			w.want = Who // "who is doing the tiles"
		}
		for _, t := range toks[start:end] {
			if listed("weak", t.Norm) || listed("measure", t.Norm) || listed("reached", t.Norm) {
				taken[t.Norm] = true
			}
		}
		return w.want, taken
	}
	return "", taken
}

// dayAhead is the day on which something was recorded, before what was.
var dayAhead = pattern.Lazy(`^(\d{4}-\d{2}-\d{2}):?\s+`)

// undated is a text without the day on which it was recorded, and that day.
func undated(text string) (string, string) {
	if m := dayAhead().FindStringSubmatch(text); m != nil {
		return text[len(m[0]):], m[1]
	}
	return text, ""
}

// How well a text holds what is wanted.
const (
	lacks = iota
	vague // it says when, but names no day; the day, but not the time
	exact
)

// holds reports whether a text has what the question wants.
func (q Question) holds(text string) int {
	text, _ = undated(text)
	ok, now := true, q.Now
	switch q.Want {
	case When, Count:
		return dated(text, now)
	case Number:
		if ok = telephone().MatchString(text); !ok && counts(text, now) && len(Prices(text, now)) == 0 {
			return vague // a house number
		}
	case Time:
		if !clock().MatchString(text) {
			return min(dated(text, now), vague)
		}
	case Where:
		ok = follows("at", text)
	case Person, Who:
		return q.somebody(text)
	case Why:
		_, _, ok = language.Find(language.Tokenize(text), words().reason...)
		if !ok {
			return vague
		}
	case Amount:
		ok = counts(text, now)
	case Money:
		if ok = money().MatchString(text) || len(Prices(text, now)) > 0; !ok && counts(text, now) {
			return vague
		}
	case Long:
		ok = lasts(language.Tokenize(text))
	}
	if !ok {
		return lacks
	}
	return exact
}

// NamesSomebody: a text names a person or a firm, besides some words.
func NamesSomebody(text string, besides []string) bool {
	text, _ = undated(text)
	return names(text, besides)
}

// TellsWho: a text says of somebody whom it names who that is, or what they do. Where names can't be
// told by their letters, a few words do.
func TellsWho(text string) bool {
	text, _ = undated(text)
	toks := language.Tokenize(text)
	if text == strings.ToLower(text) {
		return len(toks) <= 8 && language.Begins(toks, "*? *? is|are|does|do|runs|= *") && !language.Has(toks[:1], "<subject>|<wh>|<aux>|this|that|there")
	}
	named := func(t language.Token) bool {
		return t.Word && language.IsCapital(text, t) && !listed("noplace", t.Norm) && !language.Class("<stop>", t.Norm) && !language.Class("<subject>", t.Norm) && !firstPerson(t.Norm)
	}
	for i := range toks[:max(0, len(toks)-1)] {
		next := toks[i+1:]
		if named(next[0]) && (i > 0 && language.In("called|named|is", toks[i].Norm) || listed("body", toks[i].Norm)) {
			return true
		}
		for len(next) > 1 && (named(next[0]) || next[0].Norm == ",") {
			next = next[1:]
		}
		if named(toks[i]) && does(next) {
			return true
		}
	}
	return false
}

// does: words say of whom stands before them who that is, or what they do.
func does(toks []language.Token) bool {
	return language.Begins(toks, "who|whose", "does|runs|handles|leads|plays|drives|teaches|looks *", "is|are|was the|my|our|his|her|a|an") ||
		len(toks) > 1 && language.Begins(toks, "is|are|was *") && strings.HasSuffix(toks[1].Norm, "ing")
}

// IsMoney: a text names an amount of money.
func IsMoney(text string) bool {
	text, _ = undated(text)
	return money().MatchString(text)
}

// somebody reports whether somebody is named in a text besides whom the question names. Of
// who somebody is it may tell otherwise.
func (q Question) somebody(text string) int {
	switch {
	case names(text, q.besides(text)):
	case q.Want == Person:
		return vague
	case text != strings.ToLower(text):
		return lacks
	case !follows("agent", text): // names can't be told by their letters
		return vague
	}
	return exact
}

func dated(text string, now time.Time) int {
	day, ok := DateIn(text, now)
	switch {
	case !ok && weekday().MatchString(text):
		return exact // "he says Friday now"
	case !ok:
		return lacks
	case day.IsZero(), language.ISODay(day) == language.ISODay(now): // "I met him today" tells when it was said
		return vague
	}
	return exact
}

// weekday is the name of one, which may stand for a day without a word before it.
var weekday = pattern.Lazy(`(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)

// telephone is a row of digits as a telephone's, or an address to write to.
var telephone = pattern.Lazy(`(?:\+|\b0)\d[\d /()-]{4,}\d\b|\b\d{3,5}[ /-]\d{3,}\b|\b\d{6,}\b|\S@\S+\.\p{L}`)

// besides are the words of a question that don't answer who somebody is, where a text
// hasn't all of them: "who is the lady at the Marienhof" asks for no Marienhof.
func (q Question) besides(text string) []string {
	if words := wordsIn(text); slices.ContainsFunc(q.Words, func(w string) bool { return has(words, w) == 0 }) {
		return q.Words
	}
	return nil
}

// lasts: a number stands before a unit of time.
func lasts(toks []language.Token) bool {
	for i := range toks[:max(0, len(toks)-1)] {
		unit := toks[i+1].Norm
		if language.Count(toks[i].Norm) == 0 && !language.Digital(toks[i].Norm) {
			if k := language.Numeral(toks[i].Norm); k == "" {
				continue
			}
		}
		if language.Unit(unit) > 0 || lasting(unit) {
			return true
		}
	}
	return false
}

// money is an amount of it.
var money = pattern.Lazy(`(?i)[€$£¥]|\b\d[\d.,]*k? ?(?:euros?|eur|pounds?|gbp|dollars?|usd|cents?|pence|francs?|chf|crowns?|kroner|kronor|bucks|quid|yen)\b|\b(?:free|for nothing)\b`)

func lasting(w string) bool {
	return language.In("second|seconds|hour|hours|minute|minutes|night|nights|year|years|metre|metres|meter|meters|m|km|cm|feet|foot|inch|inches|mile|miles|pages|lengths", w)
}

// clock is a time of the day.
var clock = pattern.Lazy(`(?i)\b\d{1,2}[:.]\d{2}\b|\b\d{1,2} ?(?:am|pm|o'clock|uhr)\b|\bat (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b|\b(?:noon|midday|midnight)\b`)

var (
	monthDay = pattern.Lazy(`(?i)\b(?:in|by|since|until|before|after|of|from|end|mid|early|late) (january|february|march|april|may|june|july|august|september|october|november|december)\b`)
	season   = pattern.Lazy(`(?i)\b(?:in|by|since|until|before|after|next|this) (?:the )?(spring|summer|autumn|winter|easter|christmas)\b|\b(?:20\d\d)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:first|last|second|third) (?:mon|tues|wednes|thurs|fri|satur|sun)day of\b`)
)

// DateIn is the day that a text names; zero with true: it says when without naming a day.
func DateIn(text string, now time.Time) (time.Time, bool) {
	if d, ok := language.FindDay(language.Tokenize(text), now); ok {
		return d.Day, true
	}
	return time.Time{}, monthDay().MatchString(text) || season().MatchString(text)
}

// DayIn is the first day that a text names; of one that was recorded, as of the day on which.
func DayIn(text string, now time.Time) (time.Time, bool) {
	text, recorded := undated(text)
	if at, err := time.Parse(time.DateOnly, recorded); err == nil {
		now = at
	}
	d, ok := language.FindDay(language.Tokenize(text), now)
	return d.Day, ok
}

// counts: there is a number that belongs to no date.
func counts(text string, now time.Time) bool {
	toks := language.Tokenize(clock().ReplaceAllString(telephone().ReplaceAllString(text, ""), ""))
	for range 5 {
		d, ok := language.FindDay(toks, now)
		if !ok {
			break
		}
		toks = language.Cut(toks, d.Start, d.End)
	}
	for i, t := range toks {
		if tens, _, ok := strings.Cut(t.Norm, "-"); ok && language.Count(tens) > 1 { // "twenty-two"
			return true
		}
		if language.Digital(t.Norm) && !clock().MatchString(t.Norm) || language.Count(t.Norm) > 1 && i+1 < len(toks) && toks[i+1].Word {
			return true
		}
	}
	return false
}

// names: there is somebody in it, or a firm: a capital within a sentence, or a word for a
// person, besides some words.
func names(text string, besides []string) bool {
	starts := true
	for i, w := range strings.Fields(text) {
		r := []rune(strings.TrimLeft(w, `"'“‘(*_`))
		low := strings.ToLower(strings.Trim(w, `.,;:!?"'“”‘’()*_`))
		switch {
		case len(r) == 0 || len(besides) > 0 && has(besides, strings.TrimSuffix(low, "'s")) > 0:
		case listed("body", strings.TrimSuffix(low, "'s")):
			return true
		case unicode.IsUpper(r[0]) && (!starts || i == 0 && proper(text)) && len(low) > 1 && !listed("noplace", low) && !language.Class("<stop>", low) && !firstPerson(low):
			return true
		}
		starts = strings.ContainsAny(w[len(w)-1:], ".!?") && len(r) > 4
	}
	return false
}

// firstPerson: "I'd", "I've", which are written large and name nobody.
func firstPerson(w string) bool {
	return strings.HasPrefix(w, "i'") || strings.HasPrefix(w, "i’")
}

// doer is a word that begins a text and does something: "Tariq rebuilds the truck".
var doer = pattern.Lazy(`^\p{Lu}\p{Ll}+,? (?:\p{Ll}+s|from|and|in|at|of|the|my|our)\b`)

// proper: the first word may be a name.
func proper(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return doer().MatchString(text) && !listed("weak", strings.ToLower(first)) && !language.Class("<stop>", strings.ToLower(first))
}

// follows: behind a word of a list stands what may be a name: "at the yard", "done by bert".
func follows(list, text string) bool {
	toks := language.Tokenize(text)
	for i := range toks[:max(0, len(toks)-1)] {
		next := toks[i+1].Norm
		if listed(list, toks[i].Norm) && !listed("noplace", next) && !language.Digital(next) {
			return true
		}
	}
	return false
}

// HasNumber: a text has a number by which somebody is reached.
func HasNumber(text string) bool {
	text, _ = undated(text)
	return telephone().MatchString(text)
}
