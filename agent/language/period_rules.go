package language

import (
	_ "embed"
	"maps"
	"slices"
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

// A grammar is what period.txt holds: words by place, and rules by the word that they
// can begin with; "0" stands for digits.
type grammar struct {
	words  map[string]map[string]int
	rules  map[string][]*rule
	spoken map[string]string // long names of days and months in both languages, to mend slips
}

const prepositions = "until|before|after|from|on|range"

var grammarOnce = sync.OnceValue(func() *grammar {
	g := &grammar{words: map[string]map[string]int{"rank": {}}, rules: map[string][]*rule{}, spoken: map[string]string{}}
	var levels [4][]*rule
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
			r := &rule{name: name, n: n, level: 1, parts: NewTemplate(pattern).parts}
			if In(prepositions, name) {
				r.level = 3
			} else if strings.Contains(pattern, "{span}") || strings.Contains(pattern, "{date}") {
				r.level = 2
			}
			levels[r.level] = append(levels[r.level], r)
		}
	}
	for _, rules := range levels {
		g.add(rules)
	}
	for w, english := range german() {
		if len(english) == 1 && len(w) >= 6 && g.spoken[english[0]] != "" {
			g.spoken[w] = english[0]
		}
	}
	return g
})

// learn takes words of a place; the last of a number is its rank.
func (g *grammar) learn(place string, n int, words []string) {
	if g.words[place] == nil {
		g.words[place] = map[string]int{}
	}
	for i, w := range words {
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

// add files rules under the words that they can begin with. Those that begin with a
// time begin with whatever the rules before them do.
func (g *grammar) add(rules []*rule) {
	known := slices.Collect(maps.Keys(g.rules))
	for _, r := range rules {
		begins := map[string]bool{}
		for _, p := range r.parts {
			place, optional := strings.CutSuffix(p.place, "?")
			maps.Copy(begins, p.words)
			for _, w := range g.begins(place, known) {
				begins[w] = true
			}
			if !p.optional && !optional {
				break
			}
		}
		for w := range begins {
			g.rules[w] = append(g.rules[w], r)
		}
	}
}

func (g *grammar) begins(place string, known []string) []string {
	words := slices.Collect(maps.Keys(g.words[place]))
	switch place {
	case "span", "date":
		return known
	case "n":
		return slices.AppendSeq(slices.AppendSeq([]string{"0"}, maps.Keys(g.words["few"])), maps.Keys(g.words["count"]))
	case "dom", "ord":
		return slices.AppendSeq(slices.AppendSeq([]string{"0"}, maps.Keys(g.words["count"])), maps.Keys(g.words["rank"]))
	case "th", "numeric", "year", "clock", "nth":
		return append(words, "0")
	case "feast":
		for _, f := range feasts() {
			for _, e := range elements(f.pattern) {
				words = slices.AppendSeq(words, maps.Keys(e.words))
			}
		}
	}
	return words
}

// named is the number of a word in a place, 0 where it isn't one.
func named(place, w string) int { return grammarOnce().words[place][w] }

// mended corrects slips in the long names of days and months: "wendsday". One letter
// may be wrong in six, two in eight; "sundae" shows why the first and last must be right.
func mended(toks []Token) []Token {
	copied := false
	for i, t := range toks {
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
	g := grammarOnce()
	if right := g.spoken[w]; right != "" {
		return right
	}
	for right, norm := range g.spoken {
		if w[0] != right[0] {
			continue
		}
		if rest, ok := strings.CutPrefix(w, right); ok {
			if english := german()[rest]; len(english) == 1 && named("part", english[0]) > 0 {
				return norm // "Dienstagabend"
			}
		}
		if w[len(w)-1] == right[len(right)-1] && (slipped(w, right) || len(right) >= 8 && edits(w, right, 2)) {
			return norm
		}
	}
	return ""
}

// edits reports whether so many letters wrong, missing, added or swapped make b of a.
func edits(a, b string, most int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if a == b {
		return true
	}
	if most == 0 || len(a)-len(b) > most || len(b)-len(a) > most {
		return false
	}
	cut := func(s string) string { return s[min(1, len(s)):] }
	return edits(cut(a), b, most-1) || edits(a, cut(b), most-1) || edits(cut(a), cut(b), most-1) ||
		len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && edits(a[2:], b[2:], most-1)
}

// A reader reads times in tokens.
type reader struct {
	toks  []Token
	today time.Time
}

// A reading is a time that stands in text.
type reading struct {
	Period
	day  time.Time // what somebody means by it who says when a thing is due
	rule *rule
	of   *reading // the time that it is a part of, or that a preposition leads
	core int      // the position at which that begins
	end  int
}

// values are what the places of a pattern hold.
type values struct {
	n           map[string]int
	day         time.Time // of {numeric}, {date}, {feast}
	span, first *reading
}

func (v values) with(place string, n int) values {
	v.n = maps.Clone(v.n)
	if v.n == nil {
		v.n = map[string]int{}
	}
	v.n[place] = n
	return v
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
	if Digital(first) {
		if named("never", first) > 0 {
			return reading{}
		}
		first = "0"
	}
	for _, rule := range grammarOnce().rules[first] {
		if rule.level > level || rule.name == "time" || names != "" && !In(names, rule.name) {
			continue
		}
		end, v, ok := r.match(rule, at, rule.parts, values{}, 0)
		if !ok || end < best.end || end == best.end && end > 0 && rule.level == best.rule.level {
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
	return best
}

// match holds a rule's parts against the tokens. Adverbs that change nothing are passed
// over, but not before the first.
func (r reader) match(how *rule, at int, parts []part, v values, skipped int) (int, values, bool) {
	if len(parts) == 0 {
		return at, v, true
	}
	place, optional := strings.CutSuffix(parts[0].place, "?")
	if at < len(r.toks) && !r.toks[at].Quoted {
		next, w := at, v
		switch {
		case place != "":
			next, w = r.take(how, place, at, v)
		case parts[0].fits(r.toks[at]):
			next++
		}
		if next > at {
			if end, got, ok := r.match(how, next, parts[1:], w, 0); ok {
				return end, got, true
			}
		}
		if len(parts) < len(how.parts) && skipped < 3 && IsFiller(r.toks[at]) {
			if end, got, ok := r.match(how, at+1, parts, v, skipped+1); ok && end > at+1 {
				return end, got, true
			}
		}
	}
	if optional || parts[0].optional {
		return r.match(how, at, parts[1:], v, skipped)
	}
	return at, v, false
}

// take reads what a place stands for, and returns the position behind it.
func (r reader) take(how *rule, place string, at int, v values) (int, values) {
	w := r.norm(at)
	n, next := named(place, w), at+1
	switch place {
	case "span":
		s := r.read(at, how.level-1, "")
		if s.end > at {
			v = v.with("at", at)
			v.first, v.span = v.span, &s
		}
		return s.end, v
	case "date":
		s := r.read(at, 1, "date|dom|numeric")
		v.day = s.day
		return s.end, v
	case "numeric":
		v.day, next = numericDate(r.toks[at:], r.today)
		return at + next, v
	case "feast":
		v.day, next = r.feast(at)
		return at + next, v
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
		return at, v
	}
	return next, v.with(place, n)
}

// number reads how many halves: "two", "a couple of", "one and a half".
func (r reader) number(at int) (halves, next int) {
	if In("a|an", r.norm(at)) && (named("few", r.norm(at+1)) > 0 || r.norm(at+1) == "good") {
		at++
	}
	if n := named("few", r.norm(at)); n > 0 {
		for at++; In("of|a|an", r.norm(at)); at++ {
		}
		return n, at
	}
	n := Count(r.norm(at))
	if at++; n >= 20 && n%10 == 0 && !IsDigits(r.norm(at-1)) && In("one|two|three|four|five|six|seven|eight|nine", r.norm(at)) {
		n += Count(r.norm(at))
		at++
	}
	n *= 2
	if n > 0 && r.norm(at) == "and" && r.norm(at+1) == "a" && r.norm(at+2) == "half" {
		return n + 1, at + 3
	}
	return n, at
}

// dayNumber reads "5", "5th", "fifth", "twenty third"; ranks alone for "ord", in digits
// for "th".
func (r reader) dayNumber(at int, place string) (n, next int) {
	w := r.norm(at)
	n, next = DayNumber(w), at+1
	if tens, ones := named("count", w), named("rank", r.norm(at+1)); tens >= 20 && ones > 0 && ones < 10 {
		return tens + ones, at + 2
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
func (r reader) feast(at int) (time.Time, int) {
	day, most := time.Time{}, 0
	for _, f := range feasts() {
		n, ok := Match(r.toks[at:], f.pattern)
		if !ok || n <= most {
			continue
		}
		day, most = f.in(r.today.Year()), n
		if day.Before(r.today) {
			day = f.in(r.today.Year() + 1)
		}
	}
	if next := at + most; most > 0 && next < len(r.toks) && !germanWord(r.toks[at]) {
		if t := r.toks[next]; t.Word && !Class("<stop>", t.Norm) && !Digital(t.Norm) {
			return time.Time{}, 0
		}
	}
	return day, most
}

// germanWord: it stands there in other letters than it is read.
func germanWord(t Token) bool { return len(t.Norm) != t.End-t.Start }
