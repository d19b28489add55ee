package recall

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"kist/agent/language"
)

// A statement is one clause of a message that could be a fact.
type statement struct {
	start, end int
	text       string // verbatim, without openers and the final mark
	ws         []word
	line       string // its words, lower case, names marked by "@"
	told       bool   // "remember that ...": the user asked for it
}

const (
	maxBytes      = 64 << 10 // beyond this, a message is a document, not talk
	maxStatements = 300
)

var (
	sentenceEnd = language.Pattern(`[.!?…]+["'”’)]*(?:\s+|$)|[\n;]+`)
	newClause   = language.Pattern(`,?\s+(?:and|but)\s+(?:(?:I|my|My|we|our|the|The)\s|I['’])|,\s+(?:by the way|btw|you know|fyi|though|thanks|please)$`)
	fence       = language.Pattern("(?s)```.*?(?:```|$)") // code isn't talk
	listMark    = language.Pattern(`^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+|#+\s+)`)
	openers     = language.Pattern(`(?i)^(?:(?:by the way|btw|fyi|for the record|also|oh|ok|okay|so|well|and|but|yes|yeah|right|hi|hello|hey|um|actually|just so you know|for your information|as you know|you know|anyway|honestly|note that|please note that|kist)\b[,:]?\s+)+`)
	asked       = language.Pattern(`(?i)^(?:please\s+)?(?:(?:remember|bear in mind|keep in mind|don['’]?t forget|never forget|know|you should know|i want you to know|it['’]s good to know)(?:\s+that\b|\s*[:,])\s*|remember\s+(?:my|our|i|we|the)\b)`)
)

// statements cuts a message into clauses; questions are left out already.
func statements(text string) []statement {
	if n := maxBytes; len(text) > n {
		for !utf8.RuneStart(text[n]) && n > maxBytes-utf8.UTFMax {
			n--
		}
		text = text[:n]
	}
	text = fence().ReplaceAllStringFunc(text, func(code string) string { return strings.Repeat("\n", len(code)) })
	var out []statement
	at := 0
	ends := append(sentenceEnd().FindAllStringIndex(text, -1), []int{len(text), len(text)})
	for _, e := range ends {
		if e[0] < at || goesOn(text, e[0]) {
			continue
		}
		question := strings.Contains(text[e[0]:e[1]], "?")
		if !question && len(out) < maxStatements {
			out = append(out, clauses(text, at, e[0])...)
		}
		at = e[1]
	}
	return out
}

// goesOn: "Mrs. Haas", "J. Berg" and "e.g. oak" go on after the dot.
func goesOn(text string, at int) bool {
	return at < len(text) && text[at] == '.' && !strings.HasPrefix(text[at:], "..") && !language.EndsSentence(text, at)
}

// clauses cuts a sentence where a new subject begins.
func clauses(text string, start, end int) []statement {
	var out []statement
	for _, at := range newClause().FindAllStringIndex(text[start:end], -1) {
		if len(strings.Fields(text[start:start+at[0]])) < 3 {
			continue // "the boat and the kitchen"
		}
		if s, ok := newStatement(text, start, start+at[0]); ok {
			out = append(out, s)
		}
		joined := text[start+at[0] : start+at[1]]
		rest := strings.TrimLeft(joined, ", \t")
		if _, after, ok := strings.Cut(rest, " "); ok && (strings.HasPrefix(rest, "and") || strings.HasPrefix(rest, "but")) {
			if s, ok := newStatement(text, start+at[1]-len(after), end); ok {
				out = append(out, s)
			}
		}
		return out // one cut is enough: run-ons aren't worth the risk
	}
	if s, ok := newStatement(text, start, end); ok {
		out = append(out, s)
	}
	return out
}

func newStatement(text string, start, end int) (statement, bool) {
	s := statement{start: start, end: end}
	skip := func(re *regexp.Regexp) bool {
		n := len(re.FindString(text[s.start:s.end]))
		s.start += n
		return n > 0
	}
	trim := func() {
		s.start += len(text[s.start:s.end]) - len(strings.TrimLeft(text[s.start:s.end], " \t\r,-–—"))
		s.end = s.start + len(strings.TrimRight(text[s.start:s.end], " \t\r,.!…–—"))
	}
	skip(listMark())
	trim()
	skip(openers())
	trim()
	if m := asked().FindString(text[s.start:s.end]); m != "" {
		s.told = true
		// "remember my electrician is Bo" keeps its subject.
		if w := strings.LastIndexAny(m, " "); !strings.ContainsAny(m, ":,") && !strings.HasSuffix(strings.ToLower(strings.TrimSpace(m)), "that") {
			m = m[:w+1]
		}
		s.start += len(m)
		skip(openers())
	}
	trim()
	s.text = text[s.start:s.end]
	s.ws = words(s.text)
	s.line = line(s.ws)
	return s, len(s.ws) >= 2 && len(s.ws) <= 60
}

// line joins the words of a statement; those with a capital letter that aren't
// ordinary words at its beginning are marked as names.
func line(ws []word) string {
	out := norms(ws)
	for i, w := range ws {
		if w.upper && (i > 0 && !in(neverNames, w.norm) || i == 0 && !in(neverNames, w.norm) && !in(startWords, w.norm)) {
			out[i] = "@" + out[i]
		}
	}
	return strings.Join(out, " ")
}

const (
	neverNames = `i monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
 january february march april may june july august september october november december am is are will would have`
	startWords = `the a an my our your his her their its this that these those it we he she they you there here no nobody nothing none not never always please
 everything everyone everybody every each all some any most many few one two three from now on call keep make use only if when since
 because while maybe perhaps what who where why how which usually often sometimes max maximum min minimum total budget deadline
 answer reply write speak send do don let note remember decision constraint mrs mr ms dr
 to in on at by for with without from of as about before after during under over above below between into than then furthermore however also
 both either neither such same other another more less high low here again instead although though once until whether how while i`
)
