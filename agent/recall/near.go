package recall

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

// stop are words that don't make two facts different.
const stop = `the a an my our your of to in on at by for with and is are was were be been am it its that this there i we have has had do does will called named name please just
 really also very quite now always about around roughly exactly mrs mr ms dr`

// synonym gives words of one meaning one form.
func synonym(s string) string {
	switch s {
	case "favourit", "favorit", "prefer", "lik", "lov", "enjoy", "ador":
		return "prefer"
	case "hat", "dislik", "loath", "detest":
		return "hate"
	case "euro", "eur", "€":
		return "euro"
	case "reply", "respons", "answer":
		return "answer"
	case "kid", "child", "children":
		return "child"
	case "brief", "short", "concis":
		return "short"
	}
	return s
}

// content returns the stems that matter, numbers in one form, sorted; negated
// tells whether the text denies something.
func content(text string) (stems []string, negated bool) {
	for _, w := range words(text) {
		switch {
		case in("not never no nobody none nothing without", w.norm):
			negated = !negated
		case in("longer anymore", w.norm):
		case !in(stop, w.norm):
			stems = append(stems, value(w.norm))
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems), negated
}

// value is a word's stem, or a number without its dress: 50k, 50,000 and €50000
// are one.
func value(w string) string {
	bare := strings.Trim(w, "$€£¥%")
	if bare == "" || bare[0] < '0' || bare[0] > '9' {
		return synonym(language.Stem(w))
	}
	bare = strings.ReplaceAll(bare, ",", "")
	if n, ok := strings.CutSuffix(bare, "k"); ok && !strings.Contains(n, ".") {
		return n + "000"
	}
	return bare
}

func isNumber(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// Near says from 0 to 1 how alike two facts are, by the words that matter (the
// Dice coefficient, numbers counting double). 0.8 and more is the same fact told
// twice. Facts that differ in a number, in a name or in denying it are never
// that near, however alike their words.
func Near(a, b string) float64 {
	x, deniesX := content(a)
	y, deniesY := content(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	weight := func(s string) float64 {
		if isNumber(s) {
			return 2
		}
		return 1
	}
	common, sum := 0.0, 0.0
	for _, s := range x {
		sum += weight(s)
		if slices.Contains(y, s) {
			common += 2 * weight(s)
		}
	}
	for _, s := range y {
		sum += weight(s)
	}
	score := common / sum
	if deniesX != deniesY || differ(x, y, isNumber) || differ(names(a), names(b), func(string) bool { return true }) {
		score = min(score, 0.6)
	}
	return score
}

// differ: each has one of a sort that the other lacks.
func differ(x, y []string, sort func(string) bool) bool {
	lacks := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(s string) bool { return sort(s) && !slices.Contains(b, s) })
	}
	return lacks(x, y) && lacks(y, x)
}

// names are the stems of the words that are names by their capital letter.
func names(text string) []string {
	var out []string
	for _, w := range strings.Fields(line(words(text))) {
		if n, ok := strings.CutPrefix(w, "@"); ok {
			out = append(out, value(n))
		}
	}
	return out
}

// A claim says of one subject one thing.
type claim struct {
	subject string
	value   []string
}

// The forms in which claims are made. Group "s" is the subject, "v" the value,
// "r" words that belong to the subject as well.
var claims = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^(?:(?:we|i) have (?:a|an) )(?P<s>(?:\S+ )?budget)(?P<r>) of (?P<v>.+)$`),
		regexp.MustCompile(`^(?P<v>` + name + `) (?:is|are|will be)(?: now)? (?:my|our|the) (?P<s>(?:\S+ ){0,2}` + roles + `)(?P<r>(?: for .+| at .+)?)$`),
		regexp.MustCompile(`^(?P<v>` + name + `) (?:now )?(?P<s>handles|leads|runs|manages|coordinates|supervises|maintains|is responsible for|is in charge of|takes care of|looks after|does) (?P<r>.+)$`),
		regexp.MustCompile(`^i (?:now )?(?P<s>live|am based|work)(?P<r> (?:in|as|at|for|near))(?: now)? (?P<v>.+)$`),
		regexp.MustCompile(`^(?P<s>call me)(?P<r>) (?P<v>.+)$`),
		regexp.MustCompile(`^(?P<s>i am)(?P<r>) (?P<v>\d+) years old$`),
		regexp.MustCompile(`^(?P<s>i|we)(?: now| always)? (?:prefer|like|want)(?P<v>(?: \S+){1,2}?) (?P<r>answers|replies|responses|summaries|meetings|messages|lists|texts|emails|coffee|tea)$`),
		regexp.MustCompile(`^(?P<s>i|we)(?: now| always)? (?:prefer|like|want) (?P<r>meetings|calls|rehearsals|lessons|appointments|visits|classes|deliveries) (?P<v>(?:before|after|in the|at) .+)$`),
		regexp.MustCompile(`\b(?P<s>use) (?P<v>.+?) (?P<r>(?:for|as) .+)$`),
		regexp.MustCompile(`^(?:the|our|my) (?P<s>(?:\S+ ){0,4}?\S+)(?:'s name)? (?P<r>(?:starts?|ends?|opens?|closes?|begins?|expires?|weighs?|measures?|costs?|has|have)) (?:on |in |at |now )?(?P<v>.+)$`),
		regexp.MustCompile(`^(?:the|our|my) (?P<s>(?:\S+ ){0,4}?\S+?)(?:'s name)?(?P<r>) (?:is called|is named|is now|are now|is on|is in|is at|is|are|was set at|was set to|stays at|remains|will be|has moved to|was moved to|moved to|moves to|went up to|went down to|rose to|fell to|was raised to|was cut to|has been raised to|has been cut to|changed to|has changed to|was changed to) (?:on |in |at |now |the )?(?P<v>.+)$`),
	}
})

// several are roles that more than one person may have: a second one replaces
// nobody.
const several = `sister brother son daughter friend colleague cousin aunt uncle neighbour neighbor niece nephew client customer supplier partner investor sponsor developer designer teacher tenant intern contractor contact stepson stepdaughter`

// Supersedes reports whether newer says of the same subject something else than
// older, so that older no longer holds: another budget, another electrician, a
// taste that has turned. It is conservative: two facts that can both be true are
// left alone, and so is one that only says more.
func Supersedes(newer, older string) bool {
	x, deniesX := content(newer)
	y, deniesY := content(older)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if deniesX != deniesY && len(x) > 1 && slices.Equal(turned(x), turned(y)) {
		return true
	}
	if slices.Contains(x, "hate") != slices.Contains(y, "hate") && slices.Contains(x, "prefer") != slices.Contains(y, "prefer") && slices.Equal(turned(x), turned(y)) {
		return deniesX == deniesY
	}
	a, ok := claimOf(newer)
	b, also := claimOf(older)
	if !ok || !also || a.subject != b.subject || deniesX != deniesY {
		return false
	}
	return differ(a.value, b.value, func(string) bool { return true })
}

// turned drops the words of liking, for "I like" and "I hate" are one subject.
func turned(stems []string) []string {
	return slices.DeleteFunc(slices.Clone(stems), func(s string) bool { return s == "prefer" || s == "hate" || s == "again" })
}

// claimOf reads a fact as a claim; false if it isn't in one of the forms.
func claimOf(text string) (claim, bool) {
	l := strings.TrimRight(line(words(text)), " ")
	for _, re := range claims() {
		m := re.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		group := func(n string) string { return strings.ReplaceAll(m[re.SubexpIndex(n)], "@", "") }
		subject, _ := content(group("s"))
		if len(subject) == 0 { // "I", "we"
			subject = []string{"self"}
		}
		if slices.ContainsFunc(subject, func(s string) bool { return in(several, s) }) {
			return claim{}, false
		}
		rest, _ := content(group("r"))
		val, _ := content(group("v"))
		return claim{strings.Join(subject, " ") + "/" + strings.Join(rest, " "), val}, len(val) > 0
	}
	return claim{}, false
}
