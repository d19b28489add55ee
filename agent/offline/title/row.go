package title

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
)

// A pointer is where a title says what is to be done to by pointing at it: "find both of them".
type pointer struct {
	from, to int    // bytes of the title
	verb     string // what is to be done
	pronoun  string // "it", "them", "him", "her", or missing
	count    int    // of how many things, where that is said
}

// many are the ways to point to several things by their number, or to all of them.
var many = []string{"both of? them|these|those?", "all|the two|three|four|five|six", "all|each of them|these|those", "all two|three|four|five|six of them|these|those", "them both|all", "these|those"}

// pointsToMany is how a title points to several things, and which of its tokens do.
func pointsToMany(toks []language.Token) (from, to, count int, ok bool) {
	for i := 1; i < min(len(toks), 4); i++ {
		n, found := language.MatchAny(toks[i:], many...)
		head := toks[:i]
		if i > 1 && language.Class("<person>", toks[i-1].Norm) {
			head = toks[:i-1] // "send him both"
		}
		if !found || !onlyVerbs(head) || !endsThing(toks[i+n:]) {
			continue
		}
		for _, t := range toks[i : i+n] {
			count = max(count, language.Count(t.Norm))
		}
		if language.Has(toks[i:i+n], "both") {
			count = 2
		}
		return i, i + n, count, true
	}
	return 0, 0, 0, false
}

// A row is several things that a sentence names one after the other: "the folders, the lamps
// and a rug".
type row struct {
	text  string
	count int
}

// rows are those of a sentence.
func rows(src string) []row {
	var out []row
	toks := language.Tokenize(src)
	for i := 1; i < len(toks)-1; i++ {
		if toks[i].Quoted || !language.In("and|und", toks[i].Norm) {
			continue
		}
		end := thingEnd(src, toks, i+1)
		from, count, ok := rowStart(toks, i)
		if !ok || end == i+1 || Does(toks[i+1]) {
			continue
		}
		told := end < len(toks) && (language.Class("<aux>", toks[end].Norm) || language.Past(toks[end].Norm))
		if told && from > 0 && toks[from-1].Word && !language.Class("<opener>", toks[from-1].Norm) {
			continue // "I rang Bo and the bus is booked"
		}
		text := language.Span(src, toks[from:end])
		if from == 0 && !language.IsCapital(src, toks[i+1]) {
			text = language.Uncapital(text)
		}
		out = append(out, row{text, count})
	}
	return out
}

// rowStart is where the row begins of which the last thing stands behind the i-th token, and
// how many it names; false: it isn't clear.
func rowStart(toks []language.Token, i int) (from, count int, ok bool) {
	from, count = i, 1
	for at := i; ; {
		if !toks[at-1].Word && toks[at-1].Norm == "," {
			at-- // "the lamps, and a rug"
		}
		start := thingStart(toks[:at])
		if _, _, when := language.ReadPeriod(toks[start:at], time.Time{}); when {
			return from, count, count > 1 // "on Friday, a plan and a list"
		}
		if start == at || count > 1 && counted(toks[from]) && !counted(toks[start]) {
			return 0, 0, false
		}
		from, count = start, count+1
		if at = start; at == 0 || toks[at-1].Norm != "," {
			return from, count, true
		}
	}
}

// counted: a thing is named with an article or a number.
func counted(t language.Token) bool {
	return language.Class("<det>", t.Norm) || language.Count(t.Norm) > 0
}

// thingEnd is the end of the thing that is named from the i-th token on.
func thingEnd(src string, toks []language.Token, i int) int {
	end := i + length(src, toks[i:])
	if end > i && end+1 < len(toks) && toks[end].Norm == "of" {
		if n := length(src, toks[end+1:]); n > 0 {
			return end + 1 + n
		}
	}
	return end
}

// thingStart is where the thing begins that some tokens end with; len(toks): with none, or
// it isn't clear.
func thingStart(toks []language.Token) int {
	end := len(toks)
	i := end
	for i > max(0, end-longestThing) && goesBack(toks[i-1], i == end) {
		if i--; language.Class("<det>", toks[i].Norm) {
			break
		}
		if i < end-1 && plural(toks[i].Norm) {
			return end // "the band lacks mikes"
		}
	}
	subject := i
	for subject > 0 && language.IsFiller(toks[subject-1]) {
		subject--
	}
	if i < end-1 && subject > 0 && language.Class("<subject>", toks[subject-1].Norm) {
		i++ // "we still lack glue"
	}
	if i < end && i > 1 && toks[i-1].Norm == "of" { // "a copy of the passports"
		if start := thingStart(toks[:i-1]); start < i-1 && counted(toks[start]) {
			return start
		}
	}
	return i
}

// longestThing is within how many words a thing is named.
const longestThing = 6

// goesBack: what a thing is called may begin with a word, or earlier; last: it ends with that.
func goesBack(t language.Token, last bool) bool {
	switch {
	case !t.Word, t.Quoted, language.Class("<aux>", t.Norm), language.Class("<opener>", t.Norm), language.Class("<subject>", t.Norm):
		return false
	case language.Class("<det>", t.Norm):
		return !last
	case last:
		return !language.Class("<behindpointed>", t.Norm) && !language.Class("<pronoun>", t.Norm) && !language.Class("<person>", t.Norm)
	}
	return !language.Class("<stop>", t.Norm) && !language.Class("<other>", t.Norm) && !Does(t) && !language.Past(t.Norm)
}

// rowBefore is the one row of a sentence that a pointer can mean: where people are to be
// called, it is rather those who are named beside it.
func (p pointer) rowBefore(sentence string) (string, bool) {
	all := rows(sentence)
	if len(all) != 1 || p.pronoun != "them" || p.count > 0 && p.count != all[0].count {
		return "", false
	}
	beside := slices.ContainsFunc(things(sentence), func(t thing) bool {
		return t.plural && !strings.Contains(strings.ToLower(all[0].text), strings.ToLower(t.text))
	})
	return all[0].text, p.count > 0 || !beside || !language.Class("<reachverb>", p.verb)
}

// Parts are the titles of tasks into which one that names several things can be taken apart,
// each with the verb that stands before the first: "book the hall and the choir".
func Parts(title string) []string {
	var out []string
	var verb []language.Token
	for i, part := range language.Listed(language.Tokenize(title)) {
		switch {
		case i == 0 && Does(part[0]) && len(part) > 1:
			verb = part[:1]
		case !Does(part[0]):
			part = slices.Concat(verb, part)
		}
		out = append(out, language.Capital(language.Spell(title, part)))
	}
	return out
}
