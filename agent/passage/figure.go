package passage

import (
	"cmp"
	"slices"

	"kist/agent/language"
)

// A Role is what an amount of money is, by the words that stand beside it.
type Role string

// The roles.
const (
	Costs    Role = "cost"     // what something costs, paid or not
	Quoted   Role = "quoted"   // somebody offers it for that
	Paid     Role = "paid"     // it is gone
	Budgeted Role = "budget"   // there is so much
	Received Role = "received" // it came in, or back
)

// Why a figure doesn't count.
const (
	Replaced = "replaced" // a later word took its place
	Within   = "within"   // it is a part of another
	OneOf    = "one of"   // of several offers, and nobody said which is taken
	Declined = "declined" // another offer was taken
	Each     = "each"     // for one of something, and nothing says of how many
)

// A Figure is an amount of money in a sentence.
type Figure struct {
	Price
	Quote
	Role    Role
	Taken   bool     // of an offer: somebody said so
	Subject []string // words for what it is the price of
	Why     string   // it doesn't count; empty: it does

	part   bool // of a price: a deposit
	rights bool // it only puts the amount before it right
	news   bool
	weak   bool // nothing but the words before it says that it is money
	sure   bool // the words say that it is money
}

// Total is what a figure comes to.
func (f Figure) Total() float64 {
	if f.Times > 0 {
		return f.Value * float64(f.Times)
	}
	return f.Value
}

// Of reports whether a figure is the price of a thing.
func (f Figure) Of(thing []string) bool {
	return shares(f.Subject, thing) || shares(wordsIn(f.Text), thing)
}

// Figures are the amounts of money in documents, in their order: each with what it is, and those
// that don't count with the reason. The documents stand in the order in which they were written,
// as far as that is known.
func Figures(q Question, docs []Document) []Figure {
	q.beside = saidBeside(docs)
	var out []Figure
	var all []candidate
	seen := map[string]bool{}
	for _, d := range unwritten(docs) {
		if d.Last {
			continue
		}
		for _, c := range q.candidates(d) {
			if text := bare(c.Text); !seen[text] {
				seen[text] = true
				all = append(all, c)
				out = append(out, q.figuresIn(c)...)
			}
		}
	}
	out = replaced(out)
	out = surely(out)
	offers(out, all)
	for i := range out {
		if f := &out[i]; f.Why == "" && f.Per != "" && f.Times == 0 {
			if f.Times = q.countOf(f, all); f.Times == 0 {
				f.Why = Each
			}
		}
	}
	for i := range out {
		if f := &out[i]; f.part && slices.ContainsFunc(out, func(o Figure) bool {
			return !o.part && o.Why == "" && (o.Role == Costs || o.Role == Quoted || o.Role == Paid) && shares(f.Subject, o.Subject)
		}) {
			f.Why = Within
		}
	}
	return out
}

// surely leaves out the figures that may be no money: who writes currencies means a number by one
// without.
func surely(all []Figure) []Figure {
	written := 0
	for _, f := range all {
		if f.Currency != "" {
			written++
		}
	}
	return slices.DeleteFunc(all, func(f Figure) bool { return !f.sure || f.weak && written > 1 })
}

// figuresIn are the amounts of one sentence.
func (q Question) figuresIn(c candidate) (out []Figure) {
	text := priced(c.Text)
	toks := language.Tokenize(text)
	prices := Prices(c.Text, q.Now)
	currency := slices.ContainsFunc(prices, func(p Price) bool { return p.Currency != "" })
	for _, p := range prices {
		if p.end < len(toks) && language.Class("<aux>", toks[p.end].Norm) && p.Currency == "" {
			continue // "28 have said yes"
		}
		f := Figure{Price: p, Quote: Quote{Path: c.doc.Path, Line: c.Line, Text: c.Text, Day: c.day, Said: c.doc.Said, Holds: true}}
		parts := clausesOf(toks)
		at := slices.IndexFunc(parts, func(part [2]int) bool { return p.at >= part[0] && p.at < part[1] })
		f.Role, f.sure = roleOf(toks, parts, at)
		f.part = oneOf(toks[parts[at][0]:parts[at][1]], words().roles["part"])
		f.Subject = subjectOf(toks, parts, at)
		f.rights = rights(text, c.prev)
		f.news = isNews(c.Text)
		if len(f.Subject) == 0 && c.goesOn {
			f.Subject = c.words[c.own:]
		}
		strong := p.at > 0 && listed("priced", toks[p.at-1].Norm) && p.Value >= 5*least
		f.weak = strong && !(f.sure || currency || p.Per != "" || oneOf(toks, words().roles["money"]))
		f.sure = f.sure || currency || p.Per != "" || strong || oneOf(toks, words().roles["money"])
		if p.Per == "each" && p.Times == 0 {
			f.Times = numberIn(toks, p)
		}
		out = append(out, f)
	}
	return out
}

// clausesOf are the parts of a sentence between marks and conjunctions, as [from, to).
func clausesOf(toks []language.Token) (out [][2]int) {
	from := 0
	for i := 0; i <= len(toks); i++ {
		if i < len(toks) && !language.In(",|;|:|(|)|-|–|—|.|!", toks[i].Norm) && (!listed("turns", toks[i].Norm) || i+1 < len(toks) && toks[i+1].Norm == "far") {
			continue
		}
		to := min(i+1, len(toks))
		if i == len(toks) || i > from {
			out = append(out, [2]int{from, to})
			from = to
		}
	}
	if from < len(toks) || len(out) == 0 {
		out = append(out, [2]int{from, len(toks)})
	}
	return out
}

func oneOf(toks []language.Token, patterns []string) bool {
	_, _, ok := language.Find(toks, patterns...)
	return ok
}

// roleOf is what an amount is by its own part of the sentence, by the parts before that, or by the
// one behind. sure: words say so.
func roleOf(toks []language.Token, parts [][2]int, at int) (Role, bool) {
	first := max(0, at-2)
	if toks[parts[0][1]-1].Norm == ":" {
		first = 0 // "quotes: Ann 40, Ben 50, Cleo 60"
	}
	for i := at; i >= first; i-- {
		part := toks[parts[i][0]:parts[i][1]]
		if role, ok := roleIn(part); ok && (role != Costs || i < at || slices.ContainsFunc(part, namesThing)) {
			return role, role != Costs
		}
	}
	if at+1 < len(parts) {
		if role, ok := roleIn(toks[parts[at+1][0]:parts[at+1][1]]); ok {
			return role, role != Costs
		}
	}
	return Costs, false
}

// roleIn is the first role of which words of a part tell.
func roleIn(toks []language.Token) (Role, bool) {
	for _, role := range []Role{"owed", Budgeted, Received, Quoted, Paid, Costs} {
		if oneOf(toks, words().roles[string(role)]) {
			if role == "owed" {
				role = Costs
			}
			return role, true
		}
	}
	return Costs, false
}

// subjectOf are the words for what an amount is the price of: of its own part of the sentence, else
// of those before it, else of those behind.
func subjectOf(toks []language.Token, parts [][2]int, at int) []string {
	order := []int{at}
	for i := at - 1; i >= 0; i-- {
		order = append(order, i)
	}
	for i := at + 1; i < len(parts); i++ {
		order = append(order, i)
	}
	for _, i := range order {
		var out []string
		for _, t := range toks[parts[i][0]:parts[i][1]] {
			if w := t.Norm; namesThing(t) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// namesThing: a word may name what is paid for.
func namesThing(t language.Token) bool {
	w := t.Norm
	for _, list := range []string{"weak", "measure", "collective", "priced", "question", "unthing", "noplace"} {
		if listed(list, w) {
			return false
		}
	}
	return t.Word && !figure().MatchString(w) && !language.Class("<stop>", w) && !language.Class("<aux>", w) && len(language.ContentWords([]language.Token{t})) > 0
}

// shares: two lists have a word in common.
func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return Like(b, w) })
}

// covers: all words of a are among b.
func covers(b, a []string) bool {
	return !slices.ContainsFunc(a, func(w string) bool { return !Like(b, w) })
}

// replaced marks the figures of which a later one took the place, and makes of that what they were.
func replaced(all []Figure) []Figure {
	for j := range all {
		b, next := &all[j], true
		for i := j - 1; i >= 0; i-- {
			a := &all[i]
			if !a.sure {
				continue
			}
			if a.Why != "" || !overtakes(*b, *a, next) {
				next = false
				continue
			}
			a.Why, b.sure = Replaced, true
			if b.rights || len(b.Subject) == 0 {
				b.Subject = a.Subject
			}
			if b.Role == Costs && (a.Role == Budgeted || a.Role == Received || b.rights) {
				b.Role = a.Role
			}
			if b.rights {
				b.Per, b.part = cmp.Or(b.Per, a.Per), a.part
				b.Times = cmp.Or(b.Times, a.Times)
			}
			break
		}
	}
	return all
}

// overtakes: figure b, told after a, says what a is now. next: no other stands between them.
func overtakes(b, a Figure, next bool) bool {
	if a.Text == b.Text && a.Line == b.Line {
		return false
	}
	if deniesValue(b, a.Value) {
		return true // "240, not 220"
	}
	if b.rights {
		return next && a.Path == b.Path
	}
	same := covers(a.Subject, b.Subject) && covers(b.Subject, a.Subject)
	switch {
	case a.Role == Budgeted && b.Role == Budgeted:
		return same
	case a.part != b.part, (a.Role == Received) != (b.Role == Received), b.Role == Budgeted, a.Role == Budgeted && b.Role != Costs, !shares(a.Subject, b.Subject):
		return false
	}
	return same && b.news && !(a.Role == Paid && b.Role == Paid) || supersedes(b, a, same)
}

// supersedes: of two figures for the same thing, or for one within the other, the later holds.
func supersedes(b, a Figure, same bool) bool {
	within := covers(a.Subject, b.Subject) || covers(b.Subject, a.Subject)
	switch {
	case a.Role == Paid && b.Role == Paid: // twice
		return same && b.news && oneOf(language.Tokenize(b.Text), words().instead)
	case a.Role == Paid:
		return false
	case b.Role == Paid:
		return within && !b.part
	}
	return b.news && within || same
}

// deniesValue: a figure's sentence says that it isn't that amount.
func deniesValue(b Figure, v float64) bool {
	toks := language.Tokenize(b.Text)
	for i, t := range toks {
		if i != b.at && sameFigure(t.Norm, v) && over(toks, i) {
			return true
		}
	}
	return false
}

// sameFigure: a word is a number of that value.
func sameFigure(w string, v float64) bool {
	m := figure().FindStringSubmatch(w)
	return m != nil && valueOf(m) == v
}

// offers tells the offers for one thing apart: which was taken, or that nobody said which.
func offers(all []Figure, lines []candidate) {
	for i := range all {
		all[i].Taken = all[i].Role == Quoted && isTaken(all[i], Figure{}, lines)
	}
	for j := range all {
		for i := range j {
			a, b := &all[i], &all[j]
			if !(a.Role == Quoted && b.Role == Quoted || ofKinds(*a, *b)) || a.Why == Replaced || b.Why == Replaced || a.Text == b.Text && !alternatives(*a, *b) {
				continue
			}
			if a.Text != b.Text && !shares(a.Subject, b.Subject) && !oneOf(language.Tokenize(b.Text), words().roles["other"]) {
				continue
			}
			switch x, y := isTaken(*a, *b, lines), isTaken(*b, *a, lines); {
			case x && !y:
				b.Why = Declined
			case y && !x:
				a.Why = Declined
			default:
				a.Why, b.Why = OneOf, OneOf
			}
		}
	}
}

// alternatives: two offers of one sentence are for the same: "Dave 280, Shiftit 340", "61 for 1 month,
// 118 for 3".
func alternatives(a, b Figure) bool {
	toks := language.Tokenize(priced(a.Text))
	period := func(f Figure) bool {
		return f.end+1 < len(toks) && language.In("for|per", toks[f.end].Norm) && numeral(toks[f.end+1].Norm) > 0
	}
	return ofKinds(a, b) || language.Has(toks, "quotes|offers|estimates|bids|tenders|or|either") || period(a) && period(b)
}

// ofKinds: two amounts are for one of the same measure, of one kind or the other.
func ofKinds(a, b Figure) bool {
	return a.Text == b.Text && a.Per != "" && a.Per != "each" && a.Per == b.Per && language.Unit(a.Per) == 0 && !lasting(a.Per)
}

// isTaken: a line says that the first of two offers is taken.
func isTaken(f, other Figure, lines []candidate) bool {
	own := slices.DeleteFunc(slices.Clone(f.Subject), func(w string) bool { return Like(other.Subject, w) })
	return slices.ContainsFunc(lines, func(c candidate) bool {
		return c.Text != f.Text && c.Text != other.Text && shares(own, c.words[:c.own]) && oneOf(language.Tokenize(c.Text), words().roles["taken"])
	})
}

// numberIn is the one number of a sentence that says of how many an amount for each is: "480 each,
// need 2". 0: there is none.
func numberIn(toks []language.Token, p Price) int {
	n := 0
	for i, t := range toks {
		k := numeral(t.Norm)
		if k < 2 || i >= p.at && i < p.end {
			continue
		}
		if i > 0 && oneOf(toks[max(0, i-2):i], words().roles["needed"]) || i+1 < len(toks) && language.In("of|x|×", toks[i+1].Norm) {
			n = k
		}
	}
	return n
}

// countOf is how many there are of what an amount is for one of, by the newest line that says so.
// 0: none does, or it is for a time.
func (q Question) countOf(f *Figure, all []candidate) int {
	unit := []string{f.Per}
	switch {
	case f.Per == "each":
		unit = f.Subject
	case language.Unit(f.Per) > 0 || lasting(f.Per):
		return 0
	}
	found, gone := []int(nil), map[int]bool{}
	for _, c := range all {
		said := priced(c.Text)
		toks := language.Tokenize(said)
		days, prices := daysIn(toks, said, q.Now), Prices(c.Text, q.Now)
		for i, t := range toks {
			k := numeral(t.Norm)
			if k < 2 || days[i] || slices.ContainsFunc(prices, func(p Price) bool { return p.at == i }) {
				continue
			}
			if over(toks, i) {
				gone[k] = true
				continue
			}
			behind := toks[i+1 : min(len(toks), i+3)]
			if slices.ContainsFunc(behind, func(b language.Token) bool { return Like(unit, b.Norm) }) {
				found = append(found, k)
			}
		}
	}
	found = slices.DeleteFunc(found, func(k int) bool { return gone[k] })
	if len(found) == 0 {
		return 0
	}
	return found[len(found)-1]
}
