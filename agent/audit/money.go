package audit

import (
	"fmt"
	"kist/agent/language"
	"slices"
	"strings"
)

var (
	budgetLine = language.Pattern(`(?i)^[\W_]*(?:(?:the|our|my|total|overall|whole|project|entire|we have|i have|there is|with)\s+(?:a\s+)?)*budget\b[\W_]*(?:(?:is|of|about|around|roughly|at most|up to|max(?:imum)?|limit|total|stays|at)\s+)*[\W_]{0,3}?(` + amountPart + `)`)
	partOrUnit = language.Pattern(`^\s*(?:%|\p{L})`)
	noBudget   = language.Pattern(`(?i)\b(?:(?:no|zero) budget(?:[.,;!]|$|\s+(?:for|at all|this))|without (?:a|any) budget\b|budget\s*(?:is|:|=)\s*(?:0|zero|none|nil|nothing)\b)`)
	purchase   = language.Pattern(`(?i)^[\W_]*(?:buy|purchase|hire|rent|pay for|pay the|subscribe to)\s+(\p{L}+)`)
)

// checkMoney holds the amounts against each other and against what is to be bought.
func (m *material) checkMoney() {
	budget, ok := m.checkBudgets()
	m.checkPurchases()
	if !ok {
		return
	}
	m.praise("There is a budget in numbers.", budget.at)
	total, at := 0.0, []Evidence(nil)
	for _, t := range m.tasks {
		if t.cost.value > 0 && t.Status != "cancelled" && (t.cost.currency == budget.value.currency || t.cost.currency == "") {
			total += t.cost.value
			_, where := t.file.key("cost", "price")
			at = append(at, where)
		}
	}
	m.checkCosts(budget)
	if total > budget.value.value && len(at) > 0 {
		m.add(Finding{Feasibility, 7, "The tasks cost more than the budget", fmt.Sprintf("%g in tasks, %g in the budget.", total, budget.value.value),
			append([]Evidence{budget.at}, at[:min(len(at), maxEvidence-1)]...), "What can be left out, or who pays the rest?"})
	}
}

// checkCosts adds up what the page says that things cost.
func (m *material) checkCosts(budget claim[amount]) {
	total, at := 0.0, []Evidence(nil)
	for _, l := range m.project.lines {
		if l.under(isPast) || change().MatchString(l.text) || notEach().MatchString(l.text) {
			continue
		}
		for _, match := range costsIn().FindAllStringSubmatch(l.text, -1) {
			if a := firstAmount(match[1]); a.value > 0 && a.currency == budget.value.currency {
				total += a.value
				if where := m.project.say(l); where != budget.at && !slices.Contains(at, where) {
					at = append(at, where)
				}
			}
		}
	}
	if total > budget.value.value {
		m.add(Finding{Feasibility, 7, "What is named costs more than the budget", fmt.Sprintf("%g in costs, %g in the budget.", total, budget.value.value),
			append([]Evidence{budget.at}, at[:min(len(at), maxEvidence-1)]...), "What can be left out, or who pays the rest?"})
	}
}

var (
	costsIn = language.Pattern(`(?i)\bcosts\s+(?:us\s+|me\s+)?(?:(?:about|around|roughly|nearly|at least|over|some|another)\s+)?(` + amountPart + `)`)
	// What is no item of its own: a sum, a thing that was decided against, a rate.
	notEach = language.Pattern(`(?i)\b(?:total|altogether|overall|sum|in all|everything|instead|if|would|could|per|each|a (?:day|week|month|year)|saves?|too much|not)\b`)
)

// checkBudgets finds two sums for the one budget; it returns the first.
func (m *material) checkBudgets() (first claim[amount], ok bool) {
	if text, at := m.project.key("budget"); firstAmount(text).value > 0 {
		first, ok = claim[amount]{"budget", firstAmount(text), at}, true
	}
	for _, f := range m.files {
		if f != m.project && !f.task {
			continue
		}
		for _, l := range f.lines {
			if !l.has("budget") || l.under(isPast) || change().MatchString(l.text) {
				continue
			}
			match := budgetLine().FindStringSubmatchIndex(l.text)
			if match == nil {
				continue
			}
			a := firstAmount(l.text[match[2]:match[3]])
			switch {
			case a.value == 0 || partOrUnit().MatchString(l.text[match[3]:]) && (a.currency == "" || strings.HasPrefix(strings.TrimSpace(l.text[match[3]:]), "for ")):
				// "40 hours", "20 %", "900 euros for the sails": not the budget in money.
			case !ok:
				first, ok = claim[amount]{"budget", a, f.say(l)}, true
			case f != m.project && l.box == 0 && !strings.Contains(strings.ToLower(l.text), "project") && !strings.Contains(strings.ToLower(l.text), "total"):
				// A task's own budget is a part of the whole.
			case first.value.differs(a):
				m.add(Finding{Consistency, 7, "Two different budgets", fmt.Sprintf("%g and %g.", first.value.value, a.value), []Evidence{first.at, f.say(l)}, "Which one holds? Correct the other."})
				return first, ok
			}
		}
	}
	return first, ok
}

// checkPurchases finds things to buy in a project without money.
func (m *material) checkPurchases() {
	var none Evidence
	for _, l := range m.project.lines {
		if l.has("budget") && noBudget().MatchString(l.text) && !l.under(isPast) && !change().MatchString(l.text) {
			none = m.project.say(l)
			break
		}
	}
	if none.Path == "" {
		return
	}
	at := []Evidence{none}
	for _, t := range m.tasks {
		match := purchase().FindStringSubmatch(t.Title)
		if t.open() && match != nil && !named("time", "in", "into", "order", "attention", "price", "nothing")(fold(match[1])) {
			at = append(at, t.at)
		}
	}
	if n := len(at) - 1; n > 0 {
		at = at[:min(len(at), maxEvidence)]
		m.add(Finding{Consistency, 6, fmt.Sprintf("No budget, but %s to pay for", count(n, "task")), "", at, "Who pays? Or can it be borrowed?"})
	}
}
