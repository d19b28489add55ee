package agent

import (
	"fmt"
	"time"

	"kist/agent/model"
)

// A Budget limits what a model may cost, in tokens in and out together. Zero is no
// limit, which is what a model that costs nothing should get.
type Budget struct {
	Turn int // of one turn
	Day  int // of one day in the local calendar, on this machine
}

// spend counts the tokens of a request. Where a model doesn't say, they are
// estimated; one that says that it needs none costs nothing.
func (t *turn) spend(req model.Request, said model.Message, usage *model.Usage) {
	estimated := usage == nil
	if estimated {
		usage = &model.Usage{Input: tokens(t.prompted) + tokensOf(req), Output: tokens(said.Text)}
		for _, c := range said.Calls {
			usage.Output += tokens(c.Name + string(c.Arguments))
		}
	}
	n := max(0, usage.Input) + max(0, usage.Output)
	if n == 0 {
		return
	}
	t.spent += n
	today, err := t.vault.AddTokens(t.now().Format(time.DateOnly), n)
	if err != nil {
		t.log.Warn("tokens not counted", "err", err)
	}
	if estimated && t.budget == (Budget{}) {
		return
	}
	t.emit(Usage{Input: usage.Input, Output: usage.Output, Turn: t.spent, TurnLimit: t.budget.Turn, Today: today, TodayLimit: t.budget.Day})
}

// broke says why no further request may be made; empty: it may.
func (t *turn) broke() string {
	if t.budget.Turn > 0 && t.spent >= t.budget.Turn {
		return fmt.Sprintf("Stopped: this turn has used %d tokens, and its limit is %d.", t.spent, t.budget.Turn)
	}
	if t.budget.Day > 0 {
		if today := t.vault.Tokens(t.now().Format(time.DateOnly)); today >= t.budget.Day {
			return fmt.Sprintf("Stopped: %d tokens were used today, and the limit of a day is %d.", today, t.budget.Day)
		}
	}
	return ""
}

// tokensOf estimates what a request costs to read, but for its instructions.
func tokensOf(req model.Request) int {
	n := 0
	for _, m := range req.Messages {
		n += tokens(m.Text)
		for _, c := range m.Calls {
			n += tokens(c.Name + string(c.Arguments))
		}
	}
	for _, t := range req.Tools {
		n += tokens(t.Description) + len(t.Schema)/4
	}
	return n
}
