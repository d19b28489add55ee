package language

import (
	_ "embed"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// period.txt holds the words and the ways to say a time.
//
//go:embed period.txt
var periodText string

// A rule is one way to say a time. Its level is 1 if it holds no other, 2 if it does,
// 3 if it is a preposition's.
type rule struct {
	name  string
	n     int
	level int
	parts []part
}

// A grammar is what period.txt holds: words by place, and the rules.
type grammar struct {
	words  map[string]map[string]int
	rules  map[string][]*rule // by what they can begin with, digits are "0"
	spoken map[string]string  // long names of days and months in both languages, to mend slips
}

const prepositions = "until|before|after|from|on|range"

var periods = sync.OnceValue(func() *grammar {
	g := &grammar{map[string]map[string]int{"rank": {}}, map[string][]*rule{"0": nil}, map[string]string{}}
	var rules []*rule
	for line := range strings.SplitSeq(periodText, "\n") {
		head, body, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		name, arg, _ := strings.Cut(head, " ")
		n, _ := strconv.Atoi(arg) // no number is 0
		if place, ok := strings.CutPrefix(name, "{"); ok {
			g.learn(strings.TrimSuffix(place, "}"), n, strings.Fields(body))
			continue
		}
		for pattern := range strings.SplitSeq(body, ";") {
			rules = append(rules, newRule(name, n, pattern))
		}
	}
	for _, f := range feasts() {
		for w := range elements(f.pattern)[0].words {
			g.learn("feast", 1, []string{w})
		}
	}
	sort.SliceStable(rules, func(i, j int) bool { return rules[i].level > rules[j].level })
	for _, r := range rules {
		for _, p := range r.parts {
			for w := range p.words {
				g.rules[w] = nil
			}
		}
	}
	for w := range g.rules {
		g.rules[w] = slices.DeleteFunc(slices.Clone(rules), func(r *rule) bool { return !g.begins(r, w) })
	}
	for w, english := range german() {
		if len(english) == 1 && len(w) >= 6 && g.spoken[english[0]] != "" {
			g.spoken[w] = english[0]
		}
	}
	return g
})

func newRule(name string, n int, pattern string) *rule {
	r := &rule{name: name, n: n, level: 1, parts: NewTemplate(pattern).parts}
	if In(prepositions, name) {
		r.level = 3
	} else if strings.Contains(pattern, "{span}") || strings.Contains(pattern, "{date}") {
		r.level = 2
	}
	return r
}

// learn takes words of a place; the last of a number is its rank.
func (g *grammar) learn(place string, n int, words []string) {
	if g.words[place] == nil {
		g.words[place] = map[string]int{}
	}
	for i, w := range words {
		g.rules[w] = nil
		if place == "count" && i == len(words)-1 {
			g.words["rank"][w] = n
			continue
		}
		g.words[place][w] = n
		if In("weekday|month|day", place) && len(w) >= 6 {
			g.spoken[w] = w
		}
	}
}

// begins reports whether a rule can begin with a word.
func (g *grammar) begins(r *rule, w string) bool {
	for _, p := range r.parts {
		place, optional := strings.CutSuffix(p.place, "?")
		switch {
		case p.words[w] || In("span|date", place) || g.words[place][w] != 0:
			return true
		case In("n|dom|ord|th|nth|numeric|year|clock", place) && (Digital(w) || g.words["count"][w]+g.words["rank"][w]+g.words["few"][w] > 0):
			return true
		case !optional && !p.optional:
			return false
		}
	}
	return false
}

// named is the number of a word in a place, 0 where it isn't one.
func named(place, w string) int { return periods().words[place][w] }

// mended corrects slips in the long names of days and months: "febuary". A letter may be
// wrong in eight; "sundae" shows why the first and the last must be right.
func mended(toks []Token) []Token {
	copied := false
	for i, t := range toks {
		if t.Norm == "to" && t.End-t.Start == 1 && i+1 < len(toks) && named("month", toks[i+1].Norm) > 0 {
			toks = slices.Clone(toks)
			toks[i].Norm = "2" // "on 2 June"
		}
		if len(t.Norm) < 5 || !t.Word || t.Quoted || Digital(t.Norm) || known(t.Norm) {
			continue
		}
		w := slip2(t.Norm)
		if w == "" || w == t.Norm {
			continue
		}
		if !copied {
			toks, copied = slices.Clone(toks), true
		}
		toks[i].Norm = w
	}
	return toks
}

func slip2(w string) string {
	g := periods()
	if right := g.spoken[w]; right != "" {
		return right
	}
	for right, norm := range g.spoken {
		if w[0] != right[0] {
			continue
		}
		if rest, ok := strings.CutPrefix(w, right); ok {
			if english := german()[rest]; len(english) == 1 && (named("part", english[0]) > 0 || rest == "morgen") {
				return norm // "Dienstagabend"
			}
		}
		if w[len(w)-1] == right[len(right)-1] && (slipped(w, right) || len(right) >= 8 && (doubled(w, right) || OneApart(squeeze(w), squeeze(right)))) {
			return norm
		}
	}
	return ""
}

// A reader reads times in tokens.
type reader struct {
	toks  []Token
	today time.Time
	done  map[[2]int]reading // by position and level
}

func newReader(toks []Token, now time.Time) reader {
	return reader{mended(toks), dayOf(now), map[[2]int]reading{}}
}

// A reading is a time that stands in text.
type reading struct {
	Period
	day  time.Time // what somebody means by it who says when a thing is due
	rule *rule
	of   *reading // the time that it is a part of, or that a preposition leads
	runs int      // the unit of days that it is, if it runs now
	core int      // the position at which that begins
	end  int
}

// values are what the places of a pattern hold.
type values struct {
	n           map[string]int
	day         time.Time // of {numeric}, {date}
	feast       feast
	span, first *reading
}

func (r reader) norm(at int) string {
	if at < 0 || at >= len(r.toks) || r.toks[at].Quoted {
		return ""
	}
	return r.toks[at].Norm
}

// read takes the longest time at a position; end 0: there is none.
func (r reader) read(at, level int, names string) (best reading) {
	first := r.norm(at)
	g := periods()
	if g.words["never"][first] > 0 || !r.promising(at) {
		return reading{}
	}
	if Digital(first) && g.rules[first] == nil {
		first = "0"
	}
	if p, ok := r.done[[2]int{at, level}]; ok && names == "" {
		return p
	}
	for _, rule := range g.rules[first] {
		if rule.level > level || rule.name == "time" || names != "" && !In(names, rule.name) {
			continue
		}
		v := values{n: map[string]int{}}
		end, ok := r.match(rule, at, rule.parts, &v, 0)
		if !ok || end <= best.end {
			continue
		}
		if p, ok := r.build(rule, v); ok {
			p.rule, p.of, p.core, p.end = rule, v.span, at, end
			if v.span != nil && rule.level == 3 && rule.name != "range" {
				p.core = v.n["at"]
			}
			best = p
		}
	}
	if names == "" {
		r.done[[2]int{at, level}] = best
	}
	return best
}

// promising: behind the small words comes one that times are made of. It settles most
// cases.
func (r reader) promising(at int) bool {
	w := r.norm(at)
	for next := at; Class("<stop>", w) && named("month", w) == 0 && next < at+4; w = r.norm(next) {
		next++
	}
	return Digital(w) || periods().rules[w] != nil || fillers()[w]
}

// match holds a rule's parts against the tokens. Adverbs that change nothing are passed
// over, but not before the first.
func (r reader) match(how *rule, at int, parts []part, v *values, skipped int) (int, bool) {
	if len(parts) == 0 {
		return at, true
	}
	place, optional := strings.CutSuffix(parts[0].place, "?")
	if at < len(r.toks) && !r.toks[at].Quoted {
		next := at
		switch {
		case place != "":
			next = r.take(how, place, at, v)
		case parts[0].fits(r.toks[at]):
			next++
		}
		if next > at {
			if end, ok := r.match(how, next, parts[1:], v, 0); ok {
				return end, true
			}
		}
		if len(parts) < len(how.parts) && skipped < 3 && IsFiller(r.toks[at]) {
			if end, ok := r.match(how, at+1, parts, v, skipped+1); ok && end > at+1 {
				return end, true
			}
		}
	}
	if optional || parts[0].optional {
		return r.match(how, at, parts[1:], v, skipped)
	}
	return at, false
}

// take reads what a place stands for, and returns the position behind it.
func (r reader) take(how *rule, place string, at int, v *values) int {
	w := r.norm(at)
	n, next := named(place, w), at+1
	switch place {
	case "span":
		s := r.read(at, how.level-1, "")
		if s.end > at {
			v.n["at"], v.first, v.span = at, v.span, &s
		}
		return s.end
	case "date":
		s := r.read(at, 1, "date|dom|numeric")
		v.day = s.day
		return s.end
	case "numeric":
		v.day, next = numericDate(r.toks[at:], r.today)
		return at + next
	case "feast":
		v.feast, next = r.feast(at)
		return at + next
	case "n":
		n, next = r.number(at)
	case "dom", "ord", "th":
		n, next = r.dayNumber(at, place)
	case "year":
		n, next = r.year(at)
	case "clock":
		if Digital(w) || Count(w) > 0 {
			n = 1
		}
	}
	if n == 0 {
		return at
	}
	v.n[place] = n
	return next
}

// number reads how many halves: "two", "a couple of", "one and a half".
func (r reader) number(at int) (n, next int) {
	if In("a|an", r.norm(at)) && named("few", r.norm(at+1)) > 0 {
		at++
	}
	if n = named("few", r.norm(at)); n > 0 {
		for at++; In("of|a|an", r.norm(at)); at++ {
		}
		return n, at
	}
	n = Count(r.norm(at))
	if joined := Count(r.norm(at) + "-" + r.norm(at+1)); joined > 0 {
		n, at = joined, at+1
	}
	if n *= 2; n > 0 && r.norm(at+1) == "and" && r.norm(at+2) == "a" && r.norm(at+3) == "half" {
		return n + 1, at + 4
	}
	return n, at + 1
}

// dayNumber reads "5", "5th", "fifth", "twenty third"; ranks alone for "ord", in digits
// for "th".
func (r reader) dayNumber(at int, place string) (n, next int) {
	w := r.norm(at)
	n, next = DayNumber(w), at+1
	if joined := named("rank", w+"-"+r.norm(at+1)); joined > 0 {
		return joined, at + 2
	}
	if place != "dom" && IsDigits(w) || place == "th" && !Digital(w) {
		return 0, at
	}
	return n, next
}

// year reads "2027", ", 2027" and "next year".
func (r reader) year(at int) (n, next int) {
	for In(",|of", r.norm(at)) {
		at++
	}
	if w := r.norm(at); len(w) == 4 && number(w) >= 1900 && number(w) < 2200 {
		return number(w), at + 1
	}
	if r.norm(at+1) == "year" {
		switch r.norm(at) {
		case "this":
			return r.today.Year(), at + 2
		case "next":
			return r.today.Year() + 1, at + 2
		}
	}
	return 0, at
}

// feast reads a day that has a name, if it isn't of another's: "the Christmas party".
func (r reader) feast(at int) (best feast, most int) {
	for _, f := range feasts() {
		if n, ok := Match(r.toks[at:], f.pattern); ok && n > most {
			best, most = f, n
		}
	}
	if next := at + most; most > 0 && next < len(r.toks) && !germanWord(r.toks[at]) {
		if t := r.toks[next]; t.Word && !Class("<stop>", t.Norm) && !Digital(t.Norm) {
			return best, 0
		}
	}
	return best, most
}

// germanWord: it stands there in other letters than it is read.
func germanWord(t Token) bool { return len(t.Norm) != t.End-t.Start }
