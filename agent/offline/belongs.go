package offline

import (
	"slices"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/away"
)

// moveTask is no label of the model's: it is read from where a task and a project stand.
const moveTask intent.Name = "move_task"

// belongsAway is what a clause may say of a task: that it belongs to the project with which
// the clause ends. Whether there is such a task the files tell. p is how probable it is
// that something is to be moved or changed.
func belongsAway(r *reader, c *clause, best meaning, p float64) (meaning, bool) {
	may := []intent.Name{intent.None, intent.Switch, intent.Decline, intent.MoveMemory, intent.UpdateTask, intent.AddTask}
	if !slices.Contains(may, best.intent) || c.negated || c.supposed || c.question && !polite(c.all) {
		return meaning{}, false
	}
	for _, to := range r.scope().Mentions(c.src, c.all) {
		if _, one := to.Ref.One(); !one || slices.ContainsFunc(c.all[to.End:], away.Tells) {
			continue
		}
		w, ok := away.Read(c.all[:to.Start])
		if !ok {
			continue
		}
		m := meaning{intent: moveTask, score: max(p, likely), project: to.Ref, points: w.Points}
		if !w.Points {
			m.titles = []string{language.Spell(c.src, w.Title)}
		}
		sure := w.Moves || w.Leads && (w.Points || p >= evident || best.about == "elsewhere")
		return m, sure && (best.intent != intent.AddTask || w.Points || w.Moves && w.Closed)
	}
	return meaning{}, false
}
