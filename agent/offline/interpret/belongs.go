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
	if !mayMove(c, best) {
		return Meaning{}, false
	}
	for _, to := range r.Scope().Mentions(c.Src, c.All) {
		if _, one := to.Ref.One(); !one || !endsWith(c, c.All[to.End:]) {
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
		return m, sure && (w.Points || best.Intent != intent.MergeProjects && (best.Intent != intent.AddTask || w.Moves && w.Closed))
	}
	return Meaning{}, false
}

// mayMove: what a clause means doesn't keep it from saying that something belongs elsewhere.
func mayMove(c *Clause, best Meaning) bool {
	may := []intent.Name{intent.None, intent.Switch, intent.Decline, intent.MoveMemory, intent.UpdateTask, intent.AddTask}
	undoes := best.Intent == intent.Undo && away.Orders(language.Tokenize(c.Src)) // "that's the barn, undo and put it there"
	puts := best.Intent == intent.MergeProjects && language.Has(c.All, "put")     // "put that into the barn"
	return (undoes || puts || slices.Contains(may, best.Intent)) && !c.supposed && (!c.Question || polite(c.All))
}

// endsWith: what stands behind the project's name tells of nothing else, but where it doesn't
// belong: "... in the barn, not here".
func endsWith(c *Clause, behind []language.Token) bool {
	return language.Begins(behind, "not|instead|rather") || !c.Negated && !slices.ContainsFunc(behind, away.Tells)
}

// goesThere: it is clear that the speaker wants to go to the project, and takes nothing along:
// "back to the bakery".
func goesThere(c *Clause, best Meaning) bool {
	return best.Intent == intent.Switch && best.Score >= surely && !language.Has(c.All, "move|shift|transfer|put|verschieb|verschiebe|schieb|schiebe")
}
