package lookup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/passage"
)

// What several prices come to. Every line that counts is shown with its figure, and what
// can't be counted is named.

// most of the things of a sum, and of figures that are shown.
const (
	mostThings  = 8
	mostFigures = 8
)

// A summand is a thing with the prices that were found for it.
type summand struct {
	name    string
	figures []passage.Figure
	quote   passage.Quote
	why     string // it isn't counted; "": it is
}

// addUp answers what things cost together, or what they leave of an amount. false: that
// isn't asked.
func (t *Finder) addUp(m interpret.Meaning, in *model.Project, otherwise func()) bool {
	sum, ok := sumOf(m)
	if p, named := m.Project.One(); named {
		in = &p
		sum.Things = slices.DeleteFunc(sum.Things, func(each passage.Thing) bool {
			return WithoutName(strings.Join(each.Words, " "), refer.NameWords(p)) == ""
		})
	}
	if len(sum.Things) > 0 {
		t.things = sum.Things
	} else if ok && sum.Left {
		sum.Things = t.things // of the question before, in the same message
	}
	if !ok || in == nil && len(sum.Things) < 2 || len(sum.Things) == 1 && sum.Of == 0 && !sum.Left || len(sum.Things) > mostThings {
		return false
	}
	t.allLines(m, in, func(q passage.Question, docs []passage.Document) {
		if len(sum.Things) > 0 {
			q.Want = passage.Money
		}
		t.total(sum, q, docs, otherwise)
	})
	return true
}

// sumOf is the sum that a question asks for.
func sumOf(m interpret.Meaning) (passage.Sum, bool) {
	switch {
	case m.Clause == nil:
		return passage.Sum{}, false
	case len(m.Clause.All) == 0:
		return passage.ReadSum(m.Clause.Src, m.Clause.Toks)
	}
	return passage.ReadSum(m.Clause.Src, m.Clause.All) // "what's" is an opener too
}

// total finds the prices and adds them up.
func (t *Finder) total(sum passage.Sum, q passage.Question, docs []passage.Document, otherwise func()) {
	all := passage.Figures(q, docs)
	if len(sum.Things) == 0 {
		if sum.Spent || sum.In || len(all) == 0 {
			t.tell(sum, all, otherwise)
			return
		}
		t.Bullets("I don't add these up: which of them belong together isn't written. The figures:", t.figureLines(all))
		t.Say("Name the things (“the one, the other and the third together”), and I add up theirs.")
		return
	}
	budget := budgetOf(all)
	var list []summand
	for _, each := range sum.Things {
		if sum.Left && budget != nil && budget.Of(each.Words) && len(passage.PricesOf(each.Words, all)) == 0 {
			continue // it's what is there
		}
		list = append(list, summandOf(q, each, all, docs, list))
	}
	counted := figuresOf(list)
	switch {
	case len(counted) > 0:
	case sum.Left && budget != nil:
		t.saySum(sum, list, all)
		return
	default:
		t.Late(otherwise)
		return
	}
	of := counted[0].Quote
	if sum.Of == 0 && !sum.Left && !slices.ContainsFunc(counted, func(f passage.Figure) bool { return f.Text != of.Text }) {
		if n := len(passage.Together(of.Text, q.Now)); n == len(list) || n > 0 && sum.With {
			t.Say("- %s", strings.TrimPrefix(t.cited(of), ": "))
			t.sumWithin(of.Text)
			return
		}
	}
	t.saySum(sum, list, all)
}

func figuresOf(list []summand) (out []passage.Figure) {
	for _, s := range list {
		if s.why == "" {
			out = append(out, s.figures...)
		}
	}
	return out
}

// summandOf finds what a thing costs.
func summandOf(q passage.Question, of passage.Thing, all []passage.Figure, docs []passage.Document, before []summand) summand {
	s := summand{name: of.Name, figures: passage.PricesOf(of.Words, all)}
	if len(s.figures) == 0 {
		q.Words = of.Words
		if quotes := q.Answer(docs); len(quotes) > 0 {
			s.quote, s.why = quotes[0], "no figure that is surely its own"
		} else {
			s.why = "nothing found"
		}
		return s
	}
	first := s.figures[0]
	s.quote = first.Quote
	switch {
	case first.Why == passage.Each:
		s.why = sayPrice(first.Price) + ", and not how many"
	case first.Why != "":
		s.why = answerWords().Said("why", first.Why)
	case slices.ContainsFunc(figuresOf(before), func(o passage.Figure) bool { return o.Text == first.Text && o.Price == first.Price }):
		s.why = "in the same figure as another"
	}
	return s
}

// saySum shows what counts and what doesn't, and does the arithmetic.
func (t *Finder) saySum(sum passage.Sum, list []summand, all []passage.Figure) {
	var lines, others, terms []string
	for _, s := range list {
		if s.why != "" {
			others = append(others, fmt.Sprintf("%s: %s%s", s.name, s.why, t.cited(s.quote)))
			continue
		}
		for i, line := range t.figureLines(s.figures) {
			terms = append(terms, term(s.figures[i]))
			lines = append(lines, s.name+": "+line)
		}
	}
	if len(lines) > 0 {
		t.Say("- %s", strings.Join(lines, "\n- "))
	}
	if len(others) > 0 {
		t.Say("Not counted:\n- %s", strings.Join(others, "\n- "))
	}
	from := sum.Of
	if from == 0 && sum.Left {
		in := cameIn(all)
		if budget := budgetOf(all); budget != nil {
			from = budget.Value
			t.Say("There is %s%s.", figureOf(from), t.cited(budget.Quote))
		} else if from, _ = worth(in); from > 0 {
			t.Bullets("There is:", t.figureLines(in))
		} else {
			defer t.Say("I found no figure of what there is to take it from; “what is left of 5,000 after ...” names it.")
		}
	}
	counted := figuresOf(list)
	total, currencies := worth(counted)
	switch doubt := passage.Doubt(counted); {
	case doubt == passage.Currencies:
		t.Say("I don't add up %s.", strings.Join(currencies, " and "))
	case doubt != "":
		t.Say("I don't add these up: %s.", answerWords().Said("doubt", doubt))
	case len(terms) == 0:
	case len(terms) == 1 && from == 0 && counted[0].Times == 0, len(terms) == 1 && total == from: // which is what there is
	default:
		plain := arithmetic(terms, total, 0, strings.Join(currencies, "")) + "." // said of the question before
		t.Paras = slices.DeleteFunc(t.Paras, func(p string) bool { return p == plain })
		t.Say("%s.", arithmetic(terms, total, from, strings.Join(currencies, "")))
	}
}

// sumWithin adds up what one sentence says comes on top of each other.
func (t *Finder) sumWithin(text string) bool {
	var terms []string
	total, of := 0.0, passage.Price{}
	for i, p := range passage.Together(text, t.Situation.Now) {
		if i == 0 {
			of = p
		}
		terms, total = append(terms, figureOf(p.Value)), total+p.Value
	}
	if len(terms) == 0 {
		return false
	}
	per := ""
	if of.Per != "" {
		per = " " + strings.TrimSpace(strings.TrimPrefix(sayPrice(of), figureOf(of.Value)))
	}
	t.Say("%s%s.", arithmetic(terms, total, 0, of.Currency), per)
	return true
}

// arithmetic is a sum, and what it leaves of an amount.
func arithmetic(terms []string, total, from float64, currency string) string {
	out := strings.Join(terms, " + ")
	if len(terms) > 1 || strings.Contains(out, "×") {
		out += " = " + figureOf(total)
	}
	out = strings.TrimSpace(out + " " + currency)
	switch {
	case from == 0:
		return out
	case total > from:
		return fmt.Sprintf("%s; that is %s more than %s", out, figureOf(total-from), figureOf(from))
	}
	return fmt.Sprintf("%s; of %s that leaves %s", out, figureOf(from), figureOf(from-total))
}

// cited is a quote behind what is said of it.
func cited(c passage.Quote) string {
	if c.Text == "" {
		return ""
	}
	return fmt.Sprintf(": “%s” (%s:%d)", c.Text, c.Path, c.Line)
}

// sayPrice is a price for one of something.
func sayPrice(p passage.Price) string {
	if p.Per == "each" {
		return figureOf(p.Value) + " each"
	}
	return figureOf(p.Value) + " a " + p.Per
}

// figureOf writes an amount as the user does: "4,200", "112.40".
func figureOf(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	whole, cents, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if cents != "00" {
		whole += "." + cents
	}
	return whole
}
