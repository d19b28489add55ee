package interpret

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
)

// That a task isn't wanted any more is mostly said of it, and not ordered: "the one about
// the tent can go", "the form and the cups aren't tasks". The trained model knows little of
// that; whether there is such a task the files tell, and it is only proposed.

// gone is what a clause says of a task that isn't wanted, or what it means otherwise.
func gone(c *Clause, best Meaning) Meaning {
	may := []intent.Name{intent.None, intent.Decline, intent.ListTasks, intent.UpdateTask, intent.DeleteTask}
	if !slices.Contains(may, best.Intent) || best.Intent == intent.UpdateTask && best.Score >= Likely || best.Intent == intent.DeleteTask && len(best.Titles) > 0 || c.Question || c.supposed || len(c.All) > maxCommand {
		return best
	}
	toks, i, n, ok := goneThing(afterMends(c.All))
	if !ok || i == 0 || n < len(toks) && language.In("to|in|into|on|onto|under|over|up|there|through|ahead|out|with|for", toks[n].Norm) && toks[n-1].Norm == "go" {
		return best
	}
	m := Meaning{Intent: intent.DeleteTask, Score: max(best.Score, Likely), Clause: c, Titles: language.Quotations(c.Src, toks[:i])}
	m.Project.Empty = true
	if title := language.Spell(c.Src, toks[:i]); len(m.Titles) == 0 && !Pointing(title) {
		m.Titles = []string{title}
	} else if len(m.Titles) == 0 {
		m = ofBefore(c, m)
	}
	return orElse(m, best)
}
