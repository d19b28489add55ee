package offline

import "kist/agent/language"

// Proposals: what became of them, and what still waits.

// settled tells what this message approved and rejected, and what it left waiting.
func (t *talk) settled() {
	var done, dropped, failed []string
	for _, o := range t.sit.Settled {
		switch {
		case o.Error != "":
			failed = append(failed, o.Reason+" ("+o.Error+")")
		case o.Rejected:
			dropped = append(dropped, o.Reason)
		default:
			done = append(done, o.Reason)
		}
	}
	t.bullets("Done:", done)
	t.bullets("Dropped:", dropped)
	t.bullets("This could not be done:", failed)
	if n := len(t.sit.Aside); n > 0 {
		t.say("%s left as it was; “what is waiting?” shows it.", language.Capital(plural(n, "proposal")))
	}
}

// listWaiting tells what waits for a word. What only adds something the engine offers
// again behind this.
func (t *talk) listWaiting() {
	if len(t.sit.Waiting) == 0 {
		t.say("Nothing is waiting for your go.")
		return
	}
	a := t.act(nil)
	w := a.want("list_waiting", map[string]any{})
	a.then = func() {
		if t.failed(w) {
			return
		}
		var named []string
		for _, op := range objects(w.res.Result, "waiting") {
			if adds, _ := op["adds"].(bool); !adds {
				named = append(named, str(op, "what")+" ("+str(op, "operation")+")")
			}
		}
		t.bullets("Waiting for a word of its own, such as “approve” with its id:", named)
		t.waits = len(named) < num(w.res.Result, "count")
	}
}
