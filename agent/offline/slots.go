package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kist/agent/model"
)

// priorityOf finds words of priority and the span they take.
func priorityOf(toks []token) (level string, start, end int, ok bool) {
	for _, p := range []struct{ level, patterns string }{
		{"urgent", "with? urgent priority;priority : urgent;urgent;urgently;asap;as soon as possible;p1;this is urgent;it is urgent;right away"},
		{"high", "with|at? high|top priority;high-priority;top-priority;priority : high|1;priority high;important;it is important;this is important;p2"},
		{"medium", "with|at? medium|normal priority;medium-priority;priority : medium|normal;priority medium;p3"},
		{"low", "with|at? low priority;low-priority;priority : low;priority low;p4;no rush;no hurry;whenever"},
	} {
		patterns := strings.Split(p.patterns, ";")
		s, e, found := find(toks, patterns...)
		if found && prioritises(toks, s, e) {
			return p.level, s, e, true
		}
	}
	return "", 0, 0, false
}

// prioritises: words of priority count at either end of what is said; within,
// they describe something ("send the urgent letter").
func prioritises(toks []token, s, e int) bool {
	if e-s > 1 {
		return true
	}
	after := e == len(toks) || !toks[e].word
	before := s == 0 || !toks[s-1].word
	return after || before
}

// cut returns the tokens without a span and the marks left around it.
func cut(toks []token, start, end int) []token {
	for start > 0 && !toks[start-1].word && in(",|(|-|:|!", toks[start-1].norm) {
		start--
	}
	for end < len(toks) && !toks[end].word && in(",|)|!", toks[end].norm) {
		end++
	}
	return slices.Concat(toks[:start], toks[end:])
}

// spell writes tokens the way the user did, with the white space between them
// as it was, even where some have been cut out.
func spell(src string, toks []token) string {
	toks = trimMarks(toks)
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.start == toks[i-1].start {
			continue // the second half of a contraction
		}
		if i > 0 && t.gap {
			b.WriteByte(' ')
		}
		b.WriteString(src[t.start:t.end])
	}
	return strings.TrimSpace(b.String())
}

// unwrap drops quotation marks around a whole text.
func unwrap(s string) string {
	s = strings.TrimSpace(s)
	for _, pair := range []string{`""`, "''", "“”", "‘’", "„“", "«»", "``"} {
		open, size := utf8.DecodeRuneInString(pair)
		shut, _ := utf8.DecodeLastRuneInString(pair)
		if strings.HasPrefix(s, string(open)) && strings.HasSuffix(s, string(shut)) && len(s) >= 2*size {
			inner := s[size : len(s)-utf8.RuneLen(shut)]
			if !strings.ContainsRune(inner, open) && !strings.ContainsRune(inner, shut) {
				return strings.TrimSpace(inner)
			}
		}
	}
	return s
}

// capital makes the first letter upper case.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// A todo is one thing to do, with what was said about it.
type todo struct {
	title    string
	due      string // YYYY-MM-DD
	priority string
}

// readTodo takes date and priority out of a phrase; the rest is the title.
func readTodo(src string, toks []token, now time.Time) todo {
	var t todo
	toks = trimMarks(toks)
	if level, s, e, ok := priorityOf(toks); ok {
		t.priority = level
		toks = trimMarks(cut(toks, s, e))
	}
	if d, ok := findDate(toks, now); ok {
		t.due = isoDay(d.day)
		if d.due || d.start == 0 {
			toks = trimMarks(cut(toks, d.start, d.end))
		}
	}
	for len(toks) > 0 && !toks[len(toks)-1].quoted && in("due|by|on|and|with|for|then|please|too|also|it|is", toks[len(toks)-1].norm) {
		if in("it|is|for|on|with", toks[len(toks)-1].norm) && t.due == "" && t.priority == "" {
			break
		}
		toks = trimMarks(toks[:len(toks)-1])
	}
	for len(toks) > 0 && !toks[0].quoted && (in("to|that|and|then|also", toks[0].norm) || isFiller(toks[0])) {
		toks = trimMarks(toks[1:])
	}
	t.title = capital(limit(unwrap(strings.TrimRight(spell(src, toks), " ,;.!")), 200))
	return t
}

// limit shortens text to n runes at a word's end.
func limit(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := string(r[:n-1])
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
		head = head[:i]
	}
	return strings.TrimSpace(head) + "…"
}

// placeOf looks for the project that a command names at its end ("add X to the
// houseboat"), and returns the tokens without that phrase. Only a whole name
// counts, or a long and telling part of one: in "go to the shop" the shop is
// not the Coffee Shop.
func placeOf(c *clause, toks []token, projects []model.Project) (reference, []token) {
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].quoted || !in("to|for|in|on|under|into", toks[i].norm) || i+1 == len(toks) {
			continue
		}
		r := refer(c, toks[i+1:], projects)
		if r.partial || len(contentWords(toks[i+1:])) == 0 {
			continue
		}
		if len(r.found) > 0 && (r.exact || r.named || telling(toks[i+1:], r.found)) {
			return r, trimMarks(toks[:i])
		}
		if r.named && in("to|in|under|into", toks[i].norm) && len(toks)-i <= 6 && toks[len(toks)-1].norm == "project" {
			return r, trimMarks(toks[:i]) // a project that doesn't exist
		}
	}
	return reference{empty: true}, toks
}

// telling: "the houseboat" for the project Houseboat Renovation.
func telling(toks []token, found []model.Project) bool {
	toks = trimPhrase(toks)
	if len(found) != 1 || len(toks) != 2 || !in("the|my|our", toks[0].norm) {
		return false
	}
	name := nameWords(found[0])
	return len(name) > 0 && len(name[0]) >= 7 && same(toks[1].norm, name[0]) == 1
}
