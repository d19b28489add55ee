package language

import "strings"

// FindPriority finds words of priority and the span they take.
func FindPriority(toks []Token) (level string, start, end int, ok bool) {
	for _, p := range []struct{ level, patterns string }{
		{"urgent", "with? urgent priority;priority : urgent;urgent;urgently;asap;as soon as possible;p1;this is urgent;it is urgent;right away"},
		{"high", "with|at? high|top priority;high-priority;top-priority;priority : high|1;priority high;important;it is important;this is important;p2"},
		{"medium", "with|at? medium|normal priority;medium-priority;priority : medium|normal;priority medium;p3"},
		{"low", "with|at? low priority;low-priority;priority : low;priority low;p4;no rush;no hurry;whenever"},
	} {
		patterns := strings.Split(p.patterns, ";")
		s, e, found := Find(toks, patterns...)
		if found && s > 0 && Has(toks[max(0, s-3):s], "not|no|less|never|hardly|nicht|kein|keine|weniger") {
			continue // "not so important"
		}
		if found && prioritises(toks, s, e) {
			return p.level, s, e, true
		}
	}
	return "", 0, 0, false
}

// prioritises: words of priority count at either end of what is said; within,
// they describe something ("send the urgent letter").
func prioritises(toks []Token, s, e int) bool {
	if e-s > 1 {
		return true
	}
	after := e == len(toks) || !toks[e].Word
	before := s == 0 || !toks[s-1].Word
	return after || before
}
