package record

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/filter"
	"kist/agent/offline/turn"
)

// mostDays is about how many days somebody can ask so that what was told of them is shown.
const mostDays = 62

// toldOf are the lines told, in a project and outside of any, that name a day of those for which
// tasks are listed: an appointment is no task, and is on that day all the same. ok is false while
// calls are still to be answered.
func toldOf(t *Keeper, in *model.Project, args map[string]any) (lines []string, ok bool) {
	to, err := time.Parse(time.DateOnly, turn.Str(args, "due_to"))
	from, began := time.Parse(time.DateOnly, turn.Str(args, "due_from"))
	if began != nil {
		from = t.Situation.Now.Truncate(24 * time.Hour)
	}
	if err != nil || args["text"] != nil || args["date"] != nil || to.Sub(from) > mostDays*24*time.Hour {
		return nil, true
	}
	places := []map[string]any{{"told": true}}
	if in != nil {
		places = append(places, map[string]any{"told": true, "project": in.Slug})
	}
	for _, place := range places {
		res, ok := t.More("list_memories", place)
		if !ok {
			return nil, false
		}
		for _, each := range turn.Objects(res.Result, "told") {
			day, line, dated := strings.Cut(turn.Str(each, "content"), ": ")
			if at, err := time.Parse(time.DateOnly, day); dated && err == nil {
				if on := named(line, at, language.ISODay(from), language.ISODay(to)); on != "" {
					lines = append(lines, on+language.Limit(line, 200))
				}
			}
		}
	}
	slices.Sort(lines) // the nearest day first
	for i, line := range lines {
		lines[i] = line[len(time.DateOnly):]
	}
	return lines[:min(len(lines), turn.MaxSpoken)], true
}

// elsewhere are the tasks of a time outside of the project at hand, where a question names the time
// alone: who asks what is due next week means all of it. ok is false while calls are still to be
// answered.
func elsewhere(t *Keeper, place func(map[string]any) map[string]any, in *model.Project, f filter.Filter) (lines []string, ok bool) {
	args := f.Args(t.Situation.Now)
	if _, named := place(map[string]any{})["project"]; in == nil || named || args["due_to"] == nil || args["date"] != nil {
		return nil, true
	}
	args["everywhere"] = true
	res, ok := t.More("list_tasks", args)
	var others []map[string]any
	for _, task := range turn.Objects(res.Result, "tasks") {
		if turn.Str(task, "project") != in.Slug && f.Fits(task) {
			others = append(others, task)
		}
	}
	return t.taskLines(others, nil, f), ok
}

// named is the day from a first to a last that a line names which was told on a day; empty: none. What
// was then, or on the day itself, is past.
func named(line string, told time.Time, first, last string) string {
	for toks := language.Tokenize(line); len(toks) > 0; {
		d, ok := language.FindDay(toks, told)
		if !ok || d.End <= d.Start {
			break
		}
		was := language.Has(toks[max(0, d.Start-2):d.Start], "went|was|were|came|saw|did|rang|had") ||
			!d.Day.After(told) && slices.ContainsFunc(toks[:d.Start], func(t language.Token) bool { return t.Word && language.Past(t.Norm) })
		if day := language.ISODay(d.Day); first <= day && day <= last && !was {
			return day
		}
		toks = toks[d.End:]
	}
	return ""
}
