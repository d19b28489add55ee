package interpret

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/away"
)

// MoveTask is no label of the model's: it is read from where a task and a project stand.
const MoveTask intent.Name = "move_task"

// belongsAway is what a clause may say of a task: that it belongs to the project with which
// the clause ends. Whether there is such a task the files tell. p is how probable it is
// that something is to be moved or changed.
func belongsAway(r *Reader, c *Clause, best Meaning, p float64) (Meaning, bool) {
	may := []intent.Name{intent.None, intent.Switch, intent.Decline, intent.MoveMemory, intent.UpdateTask, intent.AddTask}
	if !slices.Contains(may, best.Intent) || c.Negated || c.supposed || c.Question && !polite(c.All) {
		return Meaning{}, false
	}
	for _, to := range r.Scope().Mentions(c.Src, c.All) {
		if _, one := to.Ref.One(); !one || slices.ContainsFunc(c.All[to.End:], away.Tells) {
			continue
		}
		w, ok := away.Read(c.All[:to.Start])
		if !ok || goesThere(c, best) {
			continue
		}
		m := Meaning{Intent: MoveTask, Score: max(p, Likely), Project: to.Ref, Points: w.Points}
		if !w.Points {
			m.Titles = []string{language.Spell(c.Src, w.Title)}
		}
		sure := w.Moves || w.Leads && (w.Points || p >= evident || best.About == "elsewhere")
		return m, sure && (best.Intent != intent.AddTask || w.Points || w.Moves && w.Closed)
	}
	return Meaning{}, false
}

// goesThere: it is clear that the speaker wants to go to the project, and takes nothing along:
// "back to the bakery".
func goesThere(c *Clause, best Meaning) bool {
	return best.Intent == intent.Switch && best.Score >= surely && !language.Has(c.All, "move|shift|transfer|put|verschieb|verschiebe|schieb|schiebe")
}
