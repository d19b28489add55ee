package operation

import (
	"strings"

	"kist/agent/offline/queries"
	"kist/agent/offline/turn"
)

// ListChanges tells what kist changed, newest first.
func (t *Log) ListChanges() {
	from, to, when := queries.When(t.Text, t.Situation.Now)
	var lines []string
	more := 0
	for _, ch := range t.Situation.Changes {
		if ch.At.Before(from) || !ch.At.Before(to) || when == queries.InSession && ch.Session != t.Situation.Session {
			continue
		}
		if len(lines) == turn.MaxSpoken {
			more++
			continue
		}
		lines = append(lines, ch.At.In(t.Situation.Now.Location()).Format("2 Jan 15:04")+": "+ch.Reason+" ("+ch.Path+")")
	}
	if len(lines) == 0 {
		t.Say("I changed nothing%s.", when)
		return
	}
	t.Say("What I changed%s:\n- %s", when, strings.Join(lines, "\n- "))
	if more > 0 {
		t.Say("And %d more; “kist op list” has them all.", more)
	}
}
