// Package talk puts what happens in a turn of a conversation into lines.
package talk

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	v1 "kist/proto/kist/v1"
)

// Phase says where a guided session is.
func Phase(e *v1.SessionPhase) string {
	words := map[string]string{"gathering_info": "listening", "clarifying": "asking", "finalizing": "nearly done", "completed": "done"}
	if e.Mode == "general" {
		return "session: general"
	}
	return strings.TrimSuffix("session: "+e.Mode+", "+cmp.Or(words[e.Phase], e.Phase), ", ")
}

// Draft says how far a draft is.
func Draft(d *v1.DraftUpdate) string {
	out := fmt.Sprintf("draft %s: %d of 9 dimensions", d.Name, len(d.Covered))
	if n := len(d.FollowUp); n > 0 {
		out += fmt.Sprintf(", %d left open", n)
	}
	if d.Status != "in_progress" {
		out += ", " + d.Status
	}
	return out
}

// Tokens says what a turn has used, and cost where prices are set.
func Tokens(u *v1.Usage) string {
	of := func(n, limit int64) string {
		if limit == 0 {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%d of %d", n, limit)
	}
	text := "tokens: " + of(int64(u.TurnTokens), int64(u.TurnLimit)) + " this turn, " + of(int64(u.DayTokens), int64(u.DayLimit)) + " today"
	if u.MonthLimit > 0 {
		text += ", " + of(u.MonthTokens, u.MonthLimit) + " this month"
	}
	if u.MonthCost == 0 {
		return text
	}
	cost := func(n, limit float64) string {
		if limit == 0 {
			return money(n)
		}
		return money(n) + " of " + money(limit)
	}
	return text + "; cost: " + cost(u.TurnCost, u.TurnCostLimit) + " this turn, " + cost(u.DayCost, u.DayCostLimit) + " today, " + cost(u.MonthCost, u.MonthCostLimit) + " this month"
}

// money shows cents, or as far as it takes to see anything of an amount.
func money(amount float64) string {
	if amount > 0 && amount < 0.01 {
		return fmt.Sprintf("%.2g", amount)
	}
	return fmt.Sprintf("%.2f", amount)
}

// Beside is a line on the small model that may be asked beside an answer; empty: there is none.
func Beside(name string) string {
	if name == "" {
		return ""
	}
	return "beside the answer, " + name + " may be shown what was said: for titles, summaries, facts, questions, or what an audit found\n"
}

// Sum is what the daemon's log calls a request that left the machine: its SHA-256 in hex.
func Sum(body []byte) string { return fmt.Sprintf("%x", sha256.Sum256(body)) }

// Refused are a turn's calls that weren't carried out, by what is said of them. Of many
// only the first few are shown, each once. The zero value is ready.
type Refused map[string]int

// maxRefused is how many different ones are shown.
const maxRefused = 3

// Shows counts one and reports whether it is to be shown.
func (r *Refused) Shows(text string) bool {
	if *r == nil {
		*r = Refused{}
	}
	(*r)[text]++
	return (*r)[text] == 1 && len(*r) <= maxRefused
}

// Rest says how many weren't shown, if any, and begins anew.
func (r *Refused) Rest() string {
	hidden := -min(len(*r), maxRefused)
	for _, n := range *r {
		hidden += n
	}
	*r = nil
	if hidden <= 0 {
		return ""
	}
	return fmt.Sprintf("%d more calls weren't carried out", hidden)
}

// Notice is what the user should know by an event, beside the reply; empty: nothing.
func Notice(ev *v1.SendResponse) string {
	switch e := ev.Event.(type) {
	case *v1.SendResponse_Notice:
		return e.Notice.Text
	case *v1.SendResponse_AnsweredBy:
		return e.AnsweredBy.Degraded
	case *v1.SendResponse_Struck:
		if e.Struck.Thought {
			return "What stands above was thought, and is no part of the answer."
		}
		return "Not so, nothing was changed: “" + e.Struck.Text + "”"
	}
	return ""
}
