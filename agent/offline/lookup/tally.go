package lookup

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// What everything comes to, what is paid of it, and what that leaves: by all lines that have an
// amount. Each is shown, and those that don't count with the reason.

// mostRead bounds the memories and tasks that are read for their amounts.
const mostRead = 20

// Sums answers what all comes to that a question asks for, of the project that it names, or of the
// one at hand. false: it doesn't ask that.
func (t *Finder) Sums(m interpret.Meaning, otherwise func()) bool {
	if t.left(m, otherwise) {
		return true
	}
	sum, ok := sumOf(m)
	if !ok || !sum.All || sum.With || m.Clause == nil {
		return false
	}
	in := t.Here
	if p, named := m.Project.One(); named {
		in = &p
	}
	if in != nil {
		sum.Things = slices.DeleteFunc(sum.Things, func(each passage.Thing) bool {
			return WithoutName(strings.Join(each.Words, " "), refer.NameWords(*in)) == ""
		})
	}
	if len(sum.Things) > 1 || sum.Of > 0 {
		return false
	}
	t.allLines(m, in, func(q passage.Question, docs []passage.Document) { t.tell(sum, passage.Figures(q, docs), otherwise) })
	return true
}

// left answers how many of something are left. false: it isn't asked.
func (t *Finder) left(m interpret.Meaning, otherwise func()) bool {
	if m.Clause == nil {
		return false
	}
	thing, ok := passage.ReadLeft(m.Clause.All)
	if !ok || language.Has(m.Clause.All, "<taskword>|tasks|todos|days|weeks|months|hours|projects") {
		return false
	}
	in := t.Here
	if p, named := m.Project.One(); named {
		in = &p
	}
	t.allLines(m, in, func(q passage.Question, docs []passage.Document) {
		r, known := passage.Remains(q, thing, docs)
		switch {
		case !known:
			t.Late(otherwise)
		case r.Said.Text != "":
			t.Say("**%d**%s", r.Left, t.cited(r.Said.Quote))
		case r.Of.Text == r.Have.Text:
			t.Say("%d − %d = **%d**%s", r.Of.N, r.Have.N, r.Left, t.cited(r.Of.Quote))
		default:
			t.Say("%d − %d = **%d**\n- %d%s\n- %d%s", r.Of.N, r.Have.N, r.Left, r.Of.N, t.cited(r.Of.Quote), r.Have.N, t.cited(r.Have.Quote))
		}
	})
	return true
}

// allLines reads all lines of a project, or of what belongs to none.
func (t *Finder) allLines(m interpret.Meaning, in *model.Project, then func(passage.Question, []passage.Document)) {
	a := t.Act(nil)
	var first []*turn.Want
	memories, query, inbox := map[string]any{}, map[string]any{"query": language.Limit(m.Text+" paid cost budget", MaxQuery), "limit": 8}, "inbox.md"
	var names []string
	var tasks *turn.Want
	if in != nil {
		memories["project"], query["project"], inbox, names = in.Slug, in.Slug, refer.InboxOf(*in), refer.NameWords(*in)
		first = append(first, a.Want("read_document", projectDocument(*in)))
		tasks = a.Want("list_tasks", map[string]any{"project": in.Slug, "status": "all"})
	}
	kept, found := a.Want("list_memories", memories), a.Want("search", query)
	box := a.Want("read_document", map[string]any{"path": inbox, "from": 1, "lines": 400})
	a.Then = func() {
		var paths []string
		if tasks != nil {
			paths = append(paths, withDigits(tasks, "tasks", "title", "task")...)
		}
		paths = append(paths, withDigits(kept, "memories", "content", "path")...)
		for _, hit := range turn.Objects(found.Result.Result, "hits") {
			if kind := turn.Str(hit, "type"); kind != "conversation" && kind != "draft" && kind != "session" && (in == nil) == (turn.Str(hit, "project") == "") && turn.Str(hit, "path") != "welcome.md" && turn.Str(hit, "excluded") == "" {
				paths = append(paths, turn.Str(hit, "path"))
			}
		}
		reads := slices.Clone(first)
		var seen []string
		for _, path := range paths {
			if path == inbox || in != nil && path == turn.Str(first[0].Result.Result, "path") || slices.Contains(seen, path) || len(seen) == mostRead {
				continue
			}
			seen = append(seen, path)
			w := t.NewWant("read_document", map[string]any{"path": path, "from": 1, "lines": 400})
			t.Fetch(w)
			reads = append(reads, w)
		}
		if len(t.Calls) > 0 {
			return
		}
		var docs []passage.Document
		for _, w := range append(reads, box) {
			if w.Result.OK {
				docs = append(docs, documentOf(w.Result.Result))
			}
		}
		told := toldLately(append([]string{strings.Join(extract.Telling(t.Text), " ")}, t.Said...), t.Situation.Now)
		slices.Reverse(told)
		then(passage.Question{Now: t.Situation.Now, Names: names}, append(docs, told...))
	}
}

// withDigits are the paths of those things of a list that have a number in their words.
func withDigits(w *turn.Want, list, words, path string) (out []string) {
	for _, each := range turn.Objects(w.Result.Result, list) {
		if at := turn.Str(each, path); strings.HasSuffix(at, ".md") && strings.ContainsFunc(turn.Str(each, words), unicode.IsDigit) {
			out = append(out, at)
		}
	}
	return out
}

// tell says what figures come to.
func (t *Finder) tell(sum passage.Sum, all []passage.Figure, otherwise func()) {
	budget := budgetOf(all)
	all = ofLast(sum, t.Before, ofThing(sum, all))
	if sum.Mean {
		t.mean(all)
		return
	}
	paid, other, not := sorted(all)
	other = withoutOffers(sum, other)
	if sum.In || sum.That && !sum.Spent && len(paid)+len(other) == 0 && len(not) > 0 {
		t.comeIn(all, otherwise)
		return
	}
	switch {
	case len(paid)+len(other)+len(not) == 0 && (budget == nil || !sum.Left):
		if len(sum.Things) == 1 {
			t.Late(otherwise)
			return
		}
		t.Nothing("I found no amounts here.")
	case sum.Left && len(sum.Things) == 1 && budget == nil:
		t.toPay(paid, other, not)
	case sum.Left && len(sum.Things) == 0:
		t.leaves(budget, paid, other, not)
	case sum.Spent:
		t.spent(paid, other, not)
	default:
		t.comeTo("All that I have figures for:", append(paid, other...))
		t.notCounted(not)
	}
}

// ofLast are the figures of what was told last, where a question points to it.
func ofLast(sum passage.Sum, before string, all []passage.Figure) []passage.Figure {
	last := slices.DeleteFunc(slices.Clone(all), func(f passage.Figure) bool {
		_, text, _ := strings.Cut(f.Text, ": ")
		return !strings.Contains(before, text) && !strings.Contains(before, f.Text)
	})
	if !sum.That || len(sum.Things) > 0 || len(last) < 2 {
		return all
	}
	return last
}

// cameIn are the figures of what is there.
func cameIn(all []passage.Figure) []passage.Figure {
	return slices.DeleteFunc(slices.Clone(all), func(f passage.Figure) bool { return f.Role != passage.Received || f.Why != "" })
}

// comeIn says what came in, or is owed to somebody.
func (t *Finder) comeIn(all []passage.Figure, otherwise func()) {
	in := slices.DeleteFunc(slices.Clone(all), func(f passage.Figure) bool { return f.Role != passage.Received || f.Why == passage.Replaced })
	if len(in) == 0 {
		t.Late(otherwise)
		return
	}
	t.comeTo("All that I have figures for:", cameIn(in))
	t.notCounted(slices.DeleteFunc(in, func(f passage.Figure) bool { return f.Why == "" }))
}

// toPay says what is still to be paid of what a thing costs.
func (t *Finder) toPay(paid, other, not []passage.Figure) {
	due, currencies := worth(other)
	gone, _ := worth(paid)
	if len(other) != 1 || len(paid) == 0 || len(currencies) > 1 || passage.Doubt(slices.Concat(other, paid)) == passage.InWords {
		t.comeTo("What it costs:", other)
		t.spent(paid, nil, nil)
		t.notCounted(not)
		return
	}
	t.Say("%s − %s = **%s**%s", figureOf(due), figureOf(gone), minus(due-gone), currencyOf(currencies))
	t.Bullets("It costs:", t.figureLines(other))
	t.Bullets("Paid:", t.figureLines(paid))
	t.notCounted(not)
}

// budgetOf is the newest figure of what there is to spend; nil: there is none.
func budgetOf(all []passage.Figure) (budget *passage.Figure) {
	for i := range all {
		if f := &all[i]; f.Role == passage.Budgeted && f.Why == "" && (budget == nil || budget.Text != f.Text || f.Value > budget.Value) {
			budget = f // "11,500, with a reserve of 1,000"
		}
	}
	return budget
}

// ofThing are the figures of the one thing that a question names. Where all there is is asked for, and
// none is of it, they are all of it.
func ofThing(sum passage.Sum, all []passage.Figure) []passage.Figure {
	if len(sum.Things) != 1 {
		return all
	}
	of := slices.DeleteFunc(slices.Clone(all), func(f passage.Figure) bool { return f.Role == passage.Budgeted || !f.Of(sum.Things[0].Words) })
	if len(of) == 0 && sum.Everything {
		return all
	}
	return of
}

// withoutOffers leaves out what was only offered, where it is known what was taken, or where what
// somebody is bound to is asked for.
func withoutOffers(sum passage.Sum, list []passage.Figure) []passage.Figure {
	if !sum.Bound && !slices.ContainsFunc(list, func(f passage.Figure) bool { return f.Taken }) {
		return list
	}
	return slices.DeleteFunc(list, func(f passage.Figure) bool { return f.Role == passage.Quoted && !f.Taken })
}

// mean says what figures are on average, offers included.
func (t *Finder) mean(all []passage.Figure) {
	all = slices.DeleteFunc(slices.Clone(all), func(f passage.Figure) bool {
		return f.Why == passage.Replaced || f.Role == passage.Budgeted || f.Role == passage.Received
	})
	total, currencies := worth(all)
	if len(all) < 2 || len(currencies) > 1 {
		t.Nothing("I found no amounts here of which to tell the average.")
		return
	}
	t.Say("%s / %d = **%s**%s on average\n- %s", figureOf(total), len(all), figureOf(total/float64(len(all))), currencyOf(currencies), strings.Join(t.figureLines(all), "\n- "))
}

// sorted are the figures that are paid, the others that count, and those that don't, which nobody
// has replaced.
func sorted(all []passage.Figure) (paid, other, not []passage.Figure) {
	for _, f := range all {
		switch {
		case f.Why == passage.Replaced, f.Why == passage.Declined, f.Role == passage.Budgeted:
		case f.Role == passage.Paid && (f.Why == "" || f.Why == passage.Within):
			paid = append(paid, f)
		case f.Why != "", f.Role == passage.Received:
			not = append(not, f)
		default:
			other = append(other, f)
		}
	}
	return paid, other, not
}

// spent says what is paid, and what isn't said to be.
func (t *Finder) spent(paid, other, not []passage.Figure) {
	for i := range paid {
		paid[i].Why = "" // a deposit is gone, whatever it is a part of
	}
	if len(paid) == 0 {
		t.Say("Nothing here says that it is paid.")
	} else {
		t.comeTo("Paid:", paid)
	}
	if list := append(other, slices.DeleteFunc(not, func(f passage.Figure) bool {
		return f.Role == passage.Quoted || f.Role == passage.Received
	})...); len(list) > 0 {
		t.Bullets("Not said to be paid:", t.figureLines(list))
	}
}

// leaves says what of the budget is left.
func (t *Finder) leaves(budget *passage.Figure, paid, other, not []passage.Figure) {
	if budget == nil {
		t.Say("I found no figure of how much there is to spend.")
		t.comeTo("What I have figures for:", append(paid, other...))
		t.notCounted(not)
		return
	}
	total, currencies := worth(slices.Concat([]passage.Figure{*budget}, paid, other))
	gone, _ := worth(paid)
	total -= budget.Value
	if len(currencies) > 1 {
		t.Say("I don't add up %s.", strings.Join(currencies, " and "))
	} else if doubt := passage.Doubt(slices.Concat(paid, other)); doubt != "" {
		t.Say("I don't take these from each other: %s.", answerWords().Said("doubt", doubt))
	} else {
		left := fmt.Sprintf("Of %s%s", figureOf(budget.Value), currencyOf(currencies))
		if len(paid) > 0 {
			left += fmt.Sprintf(", %s is paid: that leaves **%s**", figureOf(gone), minus(budget.Value-gone))
		} else {
			left += ", nothing is said to be paid"
		}
		if len(other) > 0 {
			left += fmt.Sprintf("; with all that is known to cost something, %s, it leaves **%s**", figureOf(total), minus(budget.Value-total))
		}
		t.Say("%s.", left)
	}
	t.Bullets("There is:", []string{strings.TrimPrefix(t.cited(budget.Quote), ": ")})
	t.Bullets("Paid:", t.figureLines(paid))
	t.Bullets("Not said to be paid:", t.figureLines(other))
	t.notCounted(not)
}

// minus is an amount that may be less than nothing.
func minus(v float64) string {
	if v < 0 {
		return "-" + figureOf(-v)
	}
	return figureOf(v)
}

// comeTo says the sum of some figures, and each with its line.
func (t *Finder) comeTo(head string, list []passage.Figure) {
	counted := slices.DeleteFunc(slices.Clone(list), func(f passage.Figure) bool {
		return f.Why == passage.Within && slices.ContainsFunc(list, func(o passage.Figure) bool { return o.Why == "" && o.Of(f.Subject) })
	})
	total, currencies := worth(counted)
	var terms []string
	for _, f := range counted {
		terms = append(terms, term(f))
	}
	switch {
	case len(list) == 0:
		return
	case len(currencies) > 1:
		head += " (I don't add up " + strings.Join(currencies, " and ") + ")"
	case passage.Doubt(counted) != "":
		head = "I don't add these up: " + answerWords().Said("doubt", passage.Doubt(counted)) + "."
	case len(terms) == 1 && counted[0].Times == 0:
		head += " **" + figureOf(total) + "**" + currencyOf(currencies)
	default:
		head += " " + strings.Join(terms, " + ") + " = **" + figureOf(total) + "**" + currencyOf(currencies)
	}
	t.Say("%s\n- %s", head, strings.Join(t.figureLines(list), "\n- "))
}

// worth is what figures come to, and in which currencies they are.
func worth(list []passage.Figure) (total float64, currencies []string) {
	for _, f := range list {
		total += f.Total()
		if f.Currency != "" && !slices.Contains(currencies, f.Currency) {
			currencies = append(currencies, f.Currency)
		}
	}
	return total, currencies
}

func currencyOf(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return " " + all[0]
}

func term(f passage.Figure) string {
	if f.Times > 0 {
		return fmt.Sprintf("%d × %s", f.Times, figureOf(f.Value))
	}
	if f.Per != "" {
		return sayPrice(f.Price)
	}
	return figureOf(f.Value)
}

func (t *Finder) figureLines(list []passage.Figure) (lines []string) {
	for _, f := range list[:min(len(list), mostFigures)] {
		line := term(f)
		if f.Why == passage.Within {
			line += " (" + answerWords().Said("why", f.Why) + ")"
		}
		if f.Net {
			line += " (and tax on top, which isn't counted)"
		}
		lines = append(lines, line+t.cited(f.Quote))
	}
	if more := len(list) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// notCounted names the figures that don't count, and why.
func (t *Finder) notCounted(list []passage.Figure) {
	var lines []string
	for _, f := range list {
		why := answerWords().Said("why", f.Why)
		if f.Role == passage.Received && f.Why == "" {
			why = answerWords().Said("why", "received")
		}
		if f.Why == passage.Each {
			lines = append(lines, sayPrice(f.Price)+", and not how many"+t.cited(f.Quote))
			continue
		}
		lines = append(lines, term(f)+" ("+why+")"+t.cited(f.Quote))
	}
	t.Bullets("Not counted:", lines[:min(len(lines), mostFigures)])
}

// cited is a quote behind what is said of it, which may be written nowhere.
func (t *Finder) cited(c passage.Quote) string {
	if c.Said {
		return ": " + onlySaid(c, t.Situation.Now)
	}
	return cited(c)
}
