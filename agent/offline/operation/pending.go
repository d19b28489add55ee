package operation

import (
	"kist/agent/consent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// Proposals: what became of them, and what still waits.

// Settled tells what this message approved and rejected, and what it left waiting.
func (t *Log) Settled() {
	var done, dropped, failed []string
	for _, o := range t.Situation.Settled {
		switch {
		case o.Error != "":
			failed = append(failed, o.Reason+" ("+o.Error+")")
		case o.Rejected:
			dropped = append(dropped, o.Reason)
		default:
			done = append(done, o.Reason)
		}
	}
	t.Bullets("Done:", done)
	t.Bullets("Dropped:", dropped)
	t.Bullets("This could not be done:", failed)
	if n := len(t.Situation.Aside); n > 0 {
		t.Say("%s left as it was; “what is waiting?” shows it.", language.Capital(turn.Plural(n, "proposal")))
	}
}

// ListWaiting tells what waits for a word. What only adds something the engine offers
// again behind this.
func (t *Log) ListWaiting() {
	a := t.Act(nil)
	w := a.Want("list_waiting", map[string]any{})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		if turn.Num(w.Result.Result, "count") == 0 {
			t.Say("Nothing is waiting for your go.")
		}
		var named []string
		for _, op := range turn.Objects(w.Result.Result, "waiting") {
			if adds, _ := op["adds"].(bool); !adds {
				named = append(named, turn.Str(op, "what")+" ("+turn.Str(op, "operation")+")")
			}
		}
		t.Bullets("Waiting for a word of its own, such as “approve” with its id:", named)
		var elsewhere []string
		for _, op := range turn.Objects(w.Result.Result, "elsewhere") {
			elsewhere = append(elsewhere, turn.Str(op, "what")+" ("+turn.Str(op, "operation")+")")
		}
		t.Bullets("Of no conversation, for `kist op approve` with its id:", elsewhere)
		t.Waits = len(named) < turn.Num(w.Result.Result, "count")
	}
}

// Consented answers a go, yes or no that was about proposals, which the engine
// has carried out or rejected by now, or about nothing.
func (t *Log) Consented(m interpret.Meaning) {
	said := consent.Read(m.Clause.Src)
	if len(t.Situation.Settled) == 0 {
		switch {
		case said == consent.No:
			t.Say("All right.")
		case said == consent.Yes:
			t.Say("Good.")
		default:
			t.NothingToDo()
		}
		return
	}
	t.Settled()
}

// NothingToDo answers a go that had nothing to carry out.
func (t *Log) NothingToDo() {
	if len(t.Situation.Waiting) > 0 {
		t.Say("I showed nothing just now that a go could mean. %s from before; “what is waiting?” shows it.", language.Capital(turn.Plural(len(t.Situation.Waiting), "proposal")))
		return
	}
	t.Say("Nothing is waiting for your go.")
}
