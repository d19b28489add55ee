package record

import (
	"slices"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/recall"
)

// Finish ticks off the tasks that the clauses of a message plainly say were done, and returns
// what else they mean. ok is false while a call is still to be answered.
func Finish(t *Keeper, meanings []interpret.Meaning) (rest []interpret.Meaning, ok bool) {
	if !slices.ContainsFunc(meanings, mayFinish) {
		return meanings, true
	}
	home, ok := openTasks(t, map[string]any{})
	if !ok {
		return nil, false
	}
	for _, m := range meanings {
		if !mayFinish(m) {
			rest = append(rest, m)
			continue
		}
		done, several, ok := finished(t, m.Clause.Text(m.Clause.All), home)
		if !ok {
			return nil, false
		}
		if len(done)+len(several) == 0 {
			done = refer.FinishedBack(m.Clause.Text(m.Clause.All), m.Clause.Before()+"\n"+t.Before, home)
		}
		complete := interpret.Meaning{Intent: intent.CompleteTask, Clause: m.Clause}
		if nthDone(m.Clause) {
			complete.Score, complete.Project = 1, refer.Reference{Empty: true}
			rest = append(rest, complete)
			continue
		}
		done = t.untouched(complete, done)
		t.ChangeEach(complete, done)
		switch m = beside(m, done); {
		case len(done) > 0 && len(m.Titles) == 0:
			t.Heard = true // what else it tells the engine keeps
		case len(done) == 0 && len(several) > 0 && m.Intent == intent.None:
			t.AskWhichTask(complete, several)
			t.Heard = true
		default:
			rest = append(rest, m)
		}
	}
	if _, _, ordered := extract.PointsOff(t.Text); ordered && len(t.touched) > 0 { // that was it
		rest = slices.DeleteFunc(rest, func(m interpret.Meaning) bool {
			return m.Intent == intent.CompleteTask && (m.Points || ticksIt(m.Clause))
		})
	}
	return rest, true
}

// mayFinish: a clause stands, and has words for what was done.
func mayFinish(m interpret.Meaning) bool {
	of := []intent.Name{intent.None, intent.Decline, intent.CompleteTask, intent.UpdateTask}
	return slices.Contains(of, m.Intent) && m.Clause != nil && len(m.Clause.All) > 0 && m.Clause.Stands() && m.Change.Status == "" && refer.MayFinish(m.Clause.All)
}

// nthDone: a clause says no more than that one is done, by its place in a list: "the second one is
// done".
func nthDone(c *interpret.Clause) bool {
	i, end, ok := language.Find(c.All, "<aux> <doneword>", "<doneword>")
	return ok && end == len(c.All) && i < 4 && refer.Nth(c.All[:i]) > 0
}

// beside is what a meaning says of other tasks than those that were done.
func beside(m interpret.Meaning, done []map[string]any) interpret.Meaning {
	if len(done) == 0 {
		return m
	}
	m.Titles = slices.DeleteFunc(slices.Clone(m.Titles), func(title string) bool {
		return slices.ContainsFunc(done, func(task map[string]any) bool { return refer.Shared(title, turn.Str(task, "title")) > 0 })
	})
	return m
}

// openTasks are the tasks that aren't done, of the project at hand if it isn't said otherwise.
func openTasks(t *Keeper, args map[string]any) ([]map[string]any, bool) {
	if t.Here == nil {
		args["everywhere"] = true
	}
	res, ok := t.More("list_tasks", args)
	return turn.Objects(res.Result, "tasks"), ok
}

// finished are the tasks which a text says were done: of those at home, and where it tells of
// more, of those of no project or one that it names. What was told before isn't done again: it
// was taken back since.
func finished(t *Keeper, text string, home []map[string]any) (done, several []map[string]any, ok bool) {
	done, several, left := refer.Finished(text, home)
	if left > 0 && t.Here != nil && len(several) == 0 {
		all, ok := openTasks(t, map[string]any{"everywhere": true})
		if !ok {
			return nil, nil, false
		}
		named := func(p model.Project) bool { return recall.Names(text, p.Name) }
		away := slices.DeleteFunc(slices.Clone(all), func(task map[string]any) bool {
			slug := turn.Str(task, "project")
			return slug == t.Here.Slug || slug != "" && !slices.ContainsFunc(t.Situation.Projects, func(p model.Project) bool { return p.Slug == slug && named(p) })
		})
		more, _, _ := refer.Finished(text, away)
		done = append(done, more...)
	}
	return slices.DeleteFunc(done, func(task map[string]any) bool {
		one := []map[string]any{task}
		return slices.ContainsFunc(t.Said, func(before string) bool {
			did, _, _ := refer.Finished(before, one)
			return len(did) > 0
		})
	}), several, true
}
