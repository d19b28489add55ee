package passage

import (
	"cmp"
	"slices"
	"strings"

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
	Promised = "promised" // it hasn't come in yet
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
	bare   bool // a number behind a thing, which may be its price
	loose  bool // it is news, and nothing tells of what
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
			if strings.HasPrefix(c.Text, "Said before:") {
				continue // which is written in its own place
			}
			if text := bare(c.Text); !seen[text] {
				seen[text] = true
				all = append(all, c)
				out = append(out, q.figuresIn(c)...)
			}
		}
	}
	out = q.surely(replaced(surelyBare(alsoIn(out))))
	paidSince(out, all)
	offers(out, all)
	for i := range out {
		if f := &out[i]; f.Why == "" && f.Per != "" && f.Times == 0 {
			if f.Times = q.countOf(f, all); f.Times == 0 {
				f.Why = Each
			}
		}
	}
	partsWithin(out)
	return out
}

// partsWithin marks what is a part of another figure.
func partsWithin(all []Figure) {
	for i := range all {
		f := &all[i]
		if f.part && !f.ofAny(all) {
			f.Subject = append(f.Subject, lastCost(all[:i], f.Path)...)
		}
		if f.part && slices.ContainsFunc(all, func(o Figure) bool {
			return !o.part && o.Why == "" && (o.Role == Costs || o.Role == Quoted || o.Role == Paid) && shares(f.Subject, o.Subject)
		}) {
			f.Why = Within
		}
	}
}

// paidSince makes of what something costs what was paid, where a later line says so without an amount.
func paidSince(all []Figure, lines []candidate) {
	for _, c := range lines {
		toks := language.Tokenize(c.Text)
		role, _ := roleIn(toks)
		if role != Paid || !language.Has(toks, "paid|bought|prepaid") || slices.ContainsFunc(all, func(f Figure) bool { return f.Text == c.Text }) {
			continue
		}
		of := -1
		for i, f := range all {
			if f.Why == "" && (f.Role == Costs || f.Role == Quoted) && shares(f.Subject, c.words[:c.own]) {
				if of >= 0 {
					of = -1
					break
				}
				of = i
			}
		}
		if of >= 0 && !all[of].part {
			all[of].Role = Paid
		}
	}
}

// alsoIn makes what comes on top of what came in the same: "wages, 1,240, plus holiday pay".
func alsoIn(all []Figure) []Figure {
	for i := range all {
		f := &all[i]
		for _, o := range all[:i] {
			toks := language.Tokenize(o.Text)
			if at, n, ok := language.Find(toks, words().ontop...); ok && o.Role == Received && f.Role == Costs && at > o.at && len(f.Subject) > 0 && covers(wordsIn(language.Spell(o.Text, toks[n:])), f.Subject) {
				f.Role, f.sure = Received, true
			}
		}
	}
	return all
}

// ofAny: another figure is of the same thing.
func (f Figure) ofAny(all []Figure) bool {
	return slices.ContainsFunc(all, func(o Figure) bool { return !o.part && shares(o.Subject, f.Subject) })
}

// lastCost is of what the last figure of a document is that counts: a deposit that names nothing is a
// part of that.
func lastCost(before []Figure, path string) []string {
	for _, o := range slices.Backward(before) {
		if o.Why == "" && !o.part && o.Path == path && (o.Role == Costs || o.Role == Quoted) {
			return o.Subject
		}
	}
	return nil
}

// surelyBare takes a number behind a thing for its price where others are, and nobody writes
// currencies.
func surelyBare(all []Figure) []Figure {
	if slices.ContainsFunc(all, func(f Figure) bool { return f.Currency != "" }) || !slices.ContainsFunc(all, func(f Figure) bool { return f.sure }) {
		return all
	}
	for i := range all {
		all[i].sure = all[i].sure || all[i].bare
	}
	return all
}

// Doubts are the reasons why figures aren't to be added up.
const (
	Currencies = "currencies" // they are of several
	Loose      = "loose"      // one of them may have taken the place of another
	Twice      = "twice"      // two of them may be for the same
	InWords    = "in words"   // an amount stands beside them that isn't read
)

// Doubt is why figures that count aren't to be added up; empty: they are.
func Doubt(list []Figure) string {
	currency := ""
	for i, f := range list {
		if f.Currency != "" && currency != "" && f.Currency != currency {
			return Currencies
		}
		currency = cmp.Or(f.Currency, currency)
		if f.loose && len(list) > 1 {
			return Loose
		}
		if slices.ContainsFunc(language.Tokenize(priced(f.Text)), func(t language.Token) bool { return listed("inwords", t.Norm) }) {
			return InWords
		}
		for _, o := range list[:i] {
			if twice(o, f) {
				return Twice
			}
		}
	}
	return ""
}

// twice: two figures may be for the same, as an estimate and its bill are.
func twice(a, b Figure) bool {
	switch {
	case a.Text == b.Text, a.part, b.part, a.Role == Received, a.Role == Paid && b.Role == Paid, len(a.Subject) == 0, len(b.Subject) == 0:
		return false
	case (a.Role == Quoted) != (b.Role == Quoted):
		return b.Of(a.Subject)
	}
	return covers(a.Subject, b.Subject) || covers(b.Subject, a.Subject)
}

// surely leaves out the figures that may be no money: who writes currencies means a number by one
// without. Where things are named of which the price is asked for, the numbers beside them are it.
func (q Question) surely(all []Figure) []Figure {
	written := 0
	for _, f := range all {
		if f.Currency != "" {
			written++
		}
	}
	return slices.DeleteFunc(all, func(f Figure) bool { return !f.sure && (q.Want != Money || written > 0) || f.weak && written > 1 })
}

// figuresIn are the amounts of one sentence.
func (q Question) figuresIn(c candidate) (out []Figure) {
	toks := language.Tokenize(priced(c.Text))
	prices := Prices(c.Text, q.Now)
	currency := slices.ContainsFunc(prices, func(p Price) bool { return p.Currency != "" })
	for _, p := range prices {
		if p.end < len(toks) && language.Class("<aux>", toks[p.end].Norm) && p.Currency == "" || countsOther(toks, p, prices) {
			continue // "28 have said yes"
		}
		f := Figure{Price: p, Quote: Quote{Path: c.doc.Path, Line: c.Line, Text: c.Text, Day: c.day, Said: c.doc.Said, Holds: true}}
		f.read(q, c, toks)
		f.beSure(toks, currency)
		if p.Per == "each" && p.Times == 0 {
			f.Times = numberIn(toks, p)
		}
		out = append(out, f)
	}
	return out
}

// read reads what a figure is, and of what, by the words of its sentence.
func (f *Figure) read(q Question, c candidate, toks []language.Token) {
	parts := clausesOf(toks)
	at := slices.IndexFunc(parts, func(part [2]int) bool { return f.at >= part[0] && f.at < part[1] })
	f.Role, f.sure = roleOf(toks, parts, at)
	f.part = oneOf(toks[parts[at][0]:parts[at][1]], words().roles["part"]) || f.end < len(toks) && toks[f.end].Norm == "down"
	f.Subject = subjectOf(toks, parts, at)
	if f.Role == Costs && !f.sure && c.prev != "" && len(Prices(c.prev, q.Now)) == 0 {
		if role, ok := roleIn(language.Tokenize(c.prev)); ok && role == Received {
			f.Role, f.sure = role, true // "They owe me money. 1,240, I think"
		}
	}
	if f.Role == Received && oneOf(toks, words().roles["promised"]) {
		f.Why = Promised
	}
	f.rights, f.news = rights(priced(c.Text), c.prev), isNews(c.Text)
	ahead := toks[max(0, f.at-4):f.at]
	f.loose = f.news && f.Role != Received && f.Role != Budgeted && language.Has(ahead, "it|that|this|they") && !slices.ContainsFunc(ahead, namesThing)
	if len(f.Subject) == 0 && c.goesOn {
		f.Subject = c.words[c.own:]
	}
}

// beSure tells by the words beside a figure whether it is money. currency: one is written in its sentence.
func (f *Figure) beSure(toks []language.Token, currency bool) {
	said := currency || f.Per != "" || oneOf(toks, words().roles["money"])
	strong := f.at > 0 && listed("priced", toks[f.at-1].Norm) && f.Value >= 5*least
	f.weak = strong && !f.sure && !said
	f.bare = f.Value >= 5*least && f.at > 0 && namesThing(toks[f.at-1]) && (f.end == len(toks) || !toks[f.end].Word)
	f.sure = f.sure || said || strong
}

// countsOther: a number only says of how many another price is: "we need 25, they're 6.50 each".
func countsOther(toks []language.Token, p Price, prices []Price) bool {
	return p.Currency == "" && slices.ContainsFunc(prices, func(o Price) bool {
		return o.at != p.at && o.Per == "each" && (o.Times == 0 && float64(numberIn(toks, o)) == p.Value || float64(o.Times) == p.Value)
	})
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

// clauseAt is the part of a sentence in which a token stands.
func clauseAt(toks []language.Token, at int) []language.Token {
	for _, part := range clausesOf(toks) {
		if at >= part[0] && at < part[1] {
			return toks[part[0]:part[1]]
		}
	}
	return nil
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
	for _, role := range []Role{"credit", "owed", Budgeted, Received, Quoted, Paid, Costs} {
		if oneOf(toks, words().roles[string(role)]) {
			switch role {
			case "owed":
				role = Costs
			case "credit":
				role = Received
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
	for i := at + 1; i < len(parts) && !oneOf(toks[parts[i][0]:parts[i][1]], words().ontop); i++ {
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
		if b.loose {
			if n := overtakesNamed(b, all[:j]); n > 0 {
				b.loose = n > 1
				continue
			}
		}
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
			b.loose = false
			break
		}
	}
	return all
}

// overtakesNamed: what "it" costs now is what the one earlier figure says that has a word of the
// sentence: "Les rang, it's 2,250 now", of Les's quote. It returns how many have one.
func overtakesNamed(b *Figure, before []Figure) (n int) {
	of := -1
	for i, a := range before {
		if !a.sure || a.Why != "" || a.Role == Received || a.Role == Budgeted {
			continue
		}
		if shares(sentenceWords(a.Text), sentenceWords(b.Text)) {
			of = i
			n++
		}
	}
	if n == 1 {
		before[of].Why, b.Subject = Replaced, append(b.Subject, before[of].Subject...)
	}
	return n
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
	within := covers(a.Subject, b.Subject) || covers(b.Subject, a.Subject) || covers(wordsIn(a.Text), b.Subject)
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
			if a.Why == Replaced || b.Why == Replaced || !rivals(*a, *b) {
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

// rivals: two figures are for the same, of which one is to be taken.
func rivals(a, b Figure) bool {
	offered := a.Role == Quoted && b.Role == Quoted || ofKinds(a, b)
	if a.Text == b.Text {
		return (offered || a.Role == Costs && b.Role == Costs) && alternatives(a, b)
	}
	return offered && (shares(a.Subject, b.Subject) || oneOf(language.Tokenize(b.Text), words().roles["other"]))
}

// alternatives: two offers of one sentence are for the same: "Dave 280, Shiftit 340", "61 for 1 month,
// 118 for 3".
func alternatives(a, b Figure) bool {
	toks := language.Tokenize(priced(a.Text))
	period := func(f Figure) bool {
		return f.end+1 < len(toks) && language.In("for|per", toks[f.end].Norm) && numeral(toks[f.end+1].Norm) > 0
	}
	would := func(f Figure) bool { return oneOf(clauseAt(toks, f.at), words().roles["would"]) }
	return ofKinds(a, b) || would(a) != would(b) || language.Has(toks, "quotes|offers|estimates|bids|tenders|or|either") || period(a) && period(b)
}

// ofKinds: two amounts are for one of the same measure, of one kind or the other.
func ofKinds(a, b Figure) bool {
	return a.Text == b.Text && a.Per != "" && a.Per != "each" && a.Per == b.Per && language.Unit(a.Per) == 0 && !lasting(a.Per)
}

// isTaken: a line says that the first of two offers is taken.
func isTaken(f, other Figure, lines []candidate) bool {
	own := slices.DeleteFunc(slices.Clone(f.Subject), func(w string) bool { return Like(other.Subject, w) })
	return slices.ContainsFunc(lines, func(c candidate) bool {
		toks := language.Tokenize(c.Text)
		if i, _, ok := language.Find(toks, words().instead...); ok {
			toks = toks[:i] // "replace it rather than repair it"
		}
		return c.Text != f.Text && c.Text != other.Text && (oneOf(toks, words().roles["taken"]) || strings.HasPrefix(c.Section, "decision")) && slices.ContainsFunc(language.ContentWords(toks), func(w string) bool { return has(own, w) > 0 })
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
