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

// A summand is a thing with the price that was found for it.
type summand struct {
	name  string
	price passage.Price
	quote passage.Quote
	why   string // it isn't counted; "": it is
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
		q.Want = passage.Money
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
	if len(sum.Things) == 0 {
		all := passage.Figures(q, docs)
		if sum.Spent || len(all) == 0 {
			t.tell(sum, all, otherwise)
			return
		}
		t.Bullets("I don't add these up: which of them belong together isn't written. The figures:", t.figureLines(all))
		t.Say("Name the things (“the one, the other and the third together”), and I add up theirs.")
		return
	}
	var list []summand
	for _, each := range sum.Things {
		q.Words = each.Words
		list = append(list, summandOf(q, each.Name, docs, list))
	}
	if !slices.ContainsFunc(list, func(s summand) bool { return s.why == "" }) {
		t.Late(otherwise)
		return
	}
	if of := list[0].quote; sum.Of == 0 && !sum.Left && !slices.ContainsFunc(list, func(s summand) bool { return s.quote.Text != of.Text }) {
		if n := len(passage.Together(of.Text, q.Now)); n == len(list) || n > 0 && sum.With {
			t.Say("- %s", strings.TrimPrefix(cited(of), ": "))
			t.sumWithin(of.Text)
			return
		}
	}
	t.saySum(sum, q, list, docs)
}

// summandOf finds what a thing costs.
func summandOf(q passage.Question, name string, docs []passage.Document, before []summand) summand {
	quotes := q.Answer(docs)
	price, quote, ok := q.PriceAmong(quotes)
	s := summand{name: name, price: price, quote: quote}
	switch {
	case quote.Text == "" && len(quotes) > 0:
		s.quote, s.why = quotes[0], "no figure that is surely its own"
	case quote.Text == "":
		s.why = "nothing found"
	case !ok:
		s.why = "no one figure"
	case price.Per != "" && price.Times == 0:
		s.why = sayPrice(price) + ", and not how many"
	case slices.ContainsFunc(before, func(o summand) bool { return o.why == "" && o.quote.Text == quote.Text && o.price == price }):
		s.why = "in the same figure as another"
	}
	return s
}

// saySum shows what counts and what doesn't, and does the arithmetic.
func (t *Finder) saySum(sum passage.Sum, q passage.Question, list []summand, docs []passage.Document) {
	var lines, others, terms []string
	var currencies []string
	total := 0.0
	for _, s := range list {
		if s.why != "" {
			others = append(others, fmt.Sprintf("%s: %s%s", s.name, s.why, cited(s.quote)))
			continue
		}
		term, value := figureOf(s.price.Value), s.price.Value
		if s.price.Times > 0 {
			term, value = fmt.Sprintf("%d × %s", s.price.Times, term), value*float64(s.price.Times)
		}
		if c := s.price.Currency; c != "" && !slices.Contains(currencies, c) {
			currencies = append(currencies, c)
		}
		total += value
		terms = append(terms, term)
		line := s.name + ": " + term
		if s.price.Net {
			line += " (and tax on top, which isn't counted)"
		}
		lines = append(lines, line+cited(s.quote))
	}
	if len(lines) > 0 {
		t.Say("- %s", strings.Join(lines, "\n- "))
	}
	if len(others) > 0 {
		t.Say("Not counted:\n- %s", strings.Join(others, "\n- "))
	}
	from := sum.Of
	if from == 0 && sum.Left {
		if budget := budgetOf(passage.Figures(q, docs)); budget != nil {
			from = budget.Value
			t.Say("There is %s%s.", figureOf(from), cited(budget.Quote))
		} else {
			defer t.Say("I found no figure of what there is to take it from; “what is left of 5,000 after ...” names it.")
		}
	}
	switch {
	case len(currencies) > 1:
		t.Say("I don't add up %s.", strings.Join(currencies, " and "))
	case len(terms) == 1 && from == 0 && list[0].price.Times == 0, len(terms) == 1 && total == from: // which is what there is
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
