package offline

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
)

// A moved date as it was said, beside an absolute day: by how much, and which one.
type moved struct {
	days, months int  // by which it moves; earlier if negative
	start        bool // it is the start that moves, not the end
	stated       bool // said as news rather than as an order
	unclear      bool // by how much is known, but not in which direction
}

// shifting recognises that something happens on another day than was planned: told to
// kist ("push the launch to 30 June") or as news ("the deadline slipped by two
// weeks", "we're bringing the inspection forward to Monday"). Whether there is such
// a thing with a date is for the files to tell.
func (r *reader) shifting(c *clause) meaning {
	if c.question || c.negated || supposed(c) {
		return meaning{}
	}
	m := r.moves(c)
	if _, decided := language.MatchAny(c.toks, "i|we both|all? have? <decideverb>", "decision :", "i|we have? made"); decided {
		return meaning{} // it is recorded as well, see talk.decision
	}
	if c.frame == obligation {
		m.score = min(m.score, 0.7) // a thing to do, where nothing has that date
	}
	return m
}

// supposed: nothing was moved yet, and maybe never will be.
func supposed(c *clause) bool {
	if language.Has(c.all, "if|unless|whether|thinking|considering|contemplating|pondering|wondering|dreaming|hopefully|suppose|imagine") {
		return true
	}
	ordered := len(c.body) > 0 && language.Fits(c.body[0], "<later>|<sooner>|<shifted>")
	return !ordered && language.Has(c.all, "might|may|could|would|should|not|never|when|almost|nearly|cannot|nobody|or")
}

// moves reads a clause without asking whose words they are.
func (r *reader) moves(c *clause) meaning {
	for i, t := range c.toks {
		if i > 14 {
			break
		}
		if t.Quoted || !language.Class("<later>", t.Norm) && !language.Class("<sooner>", t.Norm) && !language.Class("<shifted>", t.Norm) {
			continue
		}
		what, when, ok := divide(c.toks, i)
		if !ok || len(when) == 0 {
			continue
		}
		m := r.movedTo(c, what, when, t.Norm)
		m.moved.stated = m.moved.stated || len(c.body) == 0 || c.body[0].Start != t.Start || c.body[0].Norm != t.Norm || strings.HasSuffix(t.Norm, "ing")
		if m.score > 0 {
			return m
		}
	}
	return r.newDate(c)
}

// divide takes apart what moves and when to, around the verb at i.
func divide(toks []language.Token, i int) (what, when []language.Token, ok bool) {
	before, after := toks[:i], toks[i+1:]
	if n := len(before); n > 0 && language.In("is|was|are|were|been|got|gets|being|be", before[n-1].Norm) && !strings.HasSuffix(toks[i].Norm, "ing") || moment(after) && !carried(after) {
		// "the inspection was moved to Monday", "the deadline slipped by two weeks"
		for len(before) > 0 && (language.IsFiller(before[len(before)-1]) || language.In("is|was|are|were|been|got|gets|being|be|has|have|had|will|going|to|just|now|also", before[len(before)-1].Norm)) {
			before = before[:len(before)-1]
		}
		return before, after, len(before) > 0
	}
	if n, ok := language.MatchAny(after, "forward|back|off|out|up|ahead"); ok {
		particle := after[:n]
		for j := range after[n:] {
			if moment(after[n+j:]) {
				return after[n : n+j], slices.Concat(particle, after[n+j:]), j > 0
			}
		}
		return nil, nil, false
	}
	for j := range after {
		if j > 0 && moment(after[j:]) {
			return after[:j], after[j:], true
		}
	}
	return nil, nil, false
}

// carried: "back the launch to May", where what moves stands behind the particle.
func carried(toks []language.Token) bool {
	return len(toks) > 2 && language.In("forward|back|off|out|up|ahead", toks[0].Norm) && (language.Class("<det>", toks[1].Norm) || !moment(toks[1:]) && toks[1].Word)
}

// moment: here begins when, or by how much.
func moment(toks []language.Token) bool {
	if len(toks) == 0 || toks[0].Quoted {
		return false
	}
	if _, _, n := amountOf(toks); n > 0 {
		return true
	}
	return language.In("by|to|until|till|from|forward|back|out|off|ahead|onto|into|later|earlier|for", toks[0].Norm)
}

// amountOf reads "two weeks", "a couple of days"; n is how many tokens it takes.
func amountOf(toks []language.Token) (days, months, n int) {
	k := 0
	if m, ok := language.MatchAny(toks, "a? couple of", "another couple of"); ok {
		k, n = 2, m
	} else if m, ok := language.MatchAny(toks, "a|one whole|full|further|more", "another|about|around|roughly|some a?"); ok && m < len(toks) && language.Unit(toks[m].Norm) > 0 {
		k, n = 1, m
	} else if len(toks) > 1 {
		m := 0
		if language.In("about|around|roughly|another|some", toks[0].Norm) {
			m = 1
		}
		k, n = language.Count(toks[m].Norm), m+1
		if n < len(toks) && language.In("more|whole|full|further", toks[n].Norm) {
			n++
		}
	}
	if k == 0 || n >= len(toks) {
		return 0, 0, 0
	}
	switch u := language.Unit(toks[n].Norm); u {
	case 0:
		return 0, 0, 0
	case 30:
		return 0, k, n + 1
	case 365:
		return 0, 12 * k, n + 1
	default:
		return k * u, 0, n + 1
	}
}

// movedTo reads what follows a verb that moves dates.
func (r *reader) movedTo(c *clause, what, when []language.Token, verb string) meaning {
	m := meaning{intent: updateTask, score: 0.88}
	sign := 0
	switch {
	case language.Class("<later>", verb):
		sign = 1
	case language.Class("<sooner>", verb):
		sign = -1
	}
	earlier := false
	for len(when) > 0 && language.In("forward|back|out|off|up|ahead|later|earlier|sooner", when[0].Norm) {
		switch when[0].Norm {
		case "forward", "ahead", "up", "earlier", "sooner":
			sign, earlier = -1, true
		default:
			sign = 1
		}
		when = when[1:]
	}
	// To bring, pull or put something somewhere is to move a thing, not a date.
	if language.In("put|puts|putting", verb) && sign == 1 && !particled(c.toks) || language.Class("<sooner>", verb) && !earlier && !strings.HasPrefix(verb, "advanc") {
		return meaning{}
	}
	if n, ok := language.Match(when, "from"); ok {
		if i, _, found := language.Find(when[n:], "to|until|till"); found {
			when = when[n+i:]
		}
	}
	if len(when) > 0 && language.In("by|for", when[0].Norm) {
		if _, _, n := amountOf(when[1:]); n > 0 {
			when = when[1:]
		}
	}
	if m.title, m.moved.start = r.subjectOf(c, what); m.title == "-" {
		return meaning{}
	}
	if days, months, n := amountOf(when); n > 0 {
		rest := when[n:]
		if len(rest) > 0 && language.In("later|earlier|sooner|back|forward|out|on", rest[0].Norm) {
			sign = 1
			if language.In("earlier|sooner|forward", rest[0].Norm) {
				sign = -1
			}
			rest = rest[1:]
		}
		if !ends(rest) {
			return meaning{}
		}
		m.moved.days, m.moved.months, m.moved.unclear = sign*days, sign*months, sign == 0
		if sign == 0 {
			m.moved.days, m.moved.months = days, months
		}
		return m
	}
	return r.onDay(m, when)
}

// particled: "put off", "put the launch back".
func particled(toks []language.Token) bool { return language.Has(toks, "off|back") }

// onDay reads the day at the start of toks.
func (r *reader) onDay(m meaning, toks []language.Token) meaning {
	d, ok := language.FindDate(upToDate(toks, r.sit.Now), r.sit.Now)
	if !ok || d.Start > 2 || !ends(toks[d.End:]) {
		return meaning{}
	}
	if !all(toks[:d.Start], "to|until|till|onto|into|by|on|the|for|at|is|now") {
		return meaning{}
	}
	m.change.due = language.ISODay(d.Day)
	return m
}

// upToDate cuts a phrase behind the first date in it: findDate takes the last.
func upToDate(toks []language.Token, now time.Time) []language.Token {
	for n := 1; n <= len(toks); n++ {
		if d, ok := language.FindDate(toks[:n], now); ok && d.Start <= 2 {
			for n < len(toks) {
				longer, ok := language.FindDate(toks[:n+1], now)
				if !ok || longer.Start != d.Start || longer.End <= d.End {
					break
				}
				d, n = longer, n+1
			}
			return toks[:n]
		}
	}
	return toks
}

// ends: what follows a date gives a reason or is of another kind; it isn't what the
// sentence is about.
func ends(toks []language.Token) bool {
	toks = language.TrimMarks(toks)
	return len(toks) == 0 || !toks[0].Quoted && language.In("because|since|so|as|due|after|and|instead|now|at|which|that|than|rather|,|(|-|please|then|too|thanks|for|already|again", toks[0].Norm)
}

func all(toks []language.Token, words string) bool {
	for _, t := range toks {
		if !language.In(words, t.Norm) {
			return false
		}
	}
	return true
}

// newDate: "the inspection is on Monday now", "the new deadline is 30 June", "the
// launch will be two weeks later", "we got an extension until May".
func (r *reader) newDate(c *clause) meaning {
	toks := c.toks
	m := meaning{intent: updateTask, score: 0.72, moved: moved{stated: true}}
	if n, ok := language.MatchAny(c.body, "set|change|update|make|put"); ok && c.frame != obligation {
		if i, _, found := language.Find(c.body[n:], "to|on|at|:"); found && i > 0 && language.Has(c.body[n:n+i], "deadline|deadlines|due|date") {
			if title, start := r.subjectOf(c, c.body[n:n+i]); title != "-" {
				return r.onDay(meaning{intent: updateTask, score: 0.84, title: title, moved: moved{start: start}}, c.body[n+i:])
			}
		}
	}
	if n, ok := language.MatchAny(toks, "i|we have? got|received|have a|an|another extension|respite", "they|he|she gave|granted us|me a|an? extension"); ok {
		m.title = ""
		return r.onDay(m, toks[n:])
	}
	i, e, ok := language.Find(toks, "is|are now|instead? on|in|at|by?", "will be|happen|end|start|begin now? on|in|at|by?", "starts|begins|ends now? on|in?", "is|are|will|comes be?", "has|have become", "becomes")
	if !ok || i == 0 || i > 9 {
		return meaning{}
	}
	what, when := toks[:i], toks[i:]
	anew := language.Has(toks, "now|instead|new|longer") || language.Has(what, "new")
	if m.title, m.moved.start = r.subjectOf(c, dropWords(what, "new|now")); m.title == "-" {
		return meaning{}
	}
	m.moved.start = m.moved.start || language.Has(toks[i:e], "start|starts|begin|begins")
	rest := toks[e:]
	if days, months, n := amountOf(rest); n > 0 && n < len(rest) && language.In("later|earlier|sooner", rest[n].Norm) && ends(rest[n+1:]) {
		sign := 1
		if rest[n].Norm != "later" {
			sign = -1
		}
		m.moved.days, m.moved.months = sign*days, sign*months
		return m
	}
	if !anew {
		return meaning{}
	}
	for len(when) > 0 && language.In("is|are|will|be|now|happen|end|start|begin|starts|begins|ends|has|have|become|becomes|comes|instead", when[0].Norm) {
		when = when[1:]
	}
	return r.onDay(m, when)
}

func dropWords(toks []language.Token, words string) []language.Token {
	return slices.DeleteFunc(slices.Clone(toks), func(t language.Token) bool { return !t.Quoted && language.In(words, t.Norm) })
}

// subjectOf spells what has another date now: "" for the project as a whole, "-" for
// what has none ("we moved on to Monday"). start says that it is its beginning.
func (r *reader) subjectOf(c *clause, toks []language.Token) (title string, start bool) {
	toks = language.TrimMarks(toks)
	for len(toks) > 0 && (language.IsFiller(toks[0]) || !toks[0].Word && toks[0].Norm != `"` && toks[0].Norm != "'") {
		toks = toks[1:]
	}
	if len(toks) == 0 || len(toks) > 12 || len(toks) == 1 && language.In("i|we|he|she|they|you|us|me|him|her|them|on|house|up|one", toks[0].Norm) {
		return "-", false
	}
	start = language.Has(toks, "start|starting|beginning|kickoff|kick-off")
	var rest []language.Token
	for _, t := range toks {
		if t.Quoted || t.Word && !language.Class("<dateword>", t.Norm) && !language.In("of|for|by|on", t.Norm) {
			rest = append(rest, t)
		}
	}
	words := contentWords(rest)
	if ref := refer(c, toks, r.sit.Projects); len(ref.found) == 1 && ref.exact && !ref.partial {
		return "", start
	}
	words = slices.DeleteFunc(words, func(w string) bool {
		return language.In("new|old|final|current|planned|we|i|they|he|she|have|has|had", w)
	})
	if len(words) == 0 && !language.Has(toks, "<dateword>") && !language.Has(toks, "this|that") {
		return "-", false
	}
	if len(words) == 1 && language.In("us|me|house|forward", words[0]) {
		return "-", false
	}
	return strings.Join(words, " "), start
}
