package record

import (
	"cmp"
	"fmt"
	"slices"

	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/filter"
	"kist/agent/offline/turn"
)

// mostTold is how many lines told are shown beside tasks.
const mostTold = 8

// toldOf are the lines told that name a day of those for which tasks are listed, or one to come, each
// with its day and its place: an appointment is no task, and is on that day all the same. Those of
// the project at hand stand first; what a task of the list says isn't told again. ok is false
// while calls are still to be answered.
func toldOf(t *Keeper, in *model.Project, f filter.Filter, tasks []map[string]any) (lines []string, ok bool) {
	args, today := f.Args(t.Situation.Now), language.ISODay(t.Situation.Now)
	from, to := turn.Str(args, "due_from"), turn.Str(args, "due_to")
	if from == "" {
		from = today
	}
	other := slices.ContainsFunc([]string{"status", "priority", "due", "date", "text", "tag", "path", "recurring"}, func(key string) bool { return args[key] != nil })
	if other || f.Count || f.NoProject || len(f.Unknown) > 0 || to == "" && turn.Str(args, "due_from") == "" && !f.Ahead || to != "" && to < from {
		return nil, true
	}
	ask := map[string]any{"days": from + "/" + to}
	if in != nil {
		ask["project"] = in.Slug
	}
	res, ok := t.More("list_memories", ask)
	told := turn.Objects(res.Result, "told")
	if in != nil {
		slices.SortStableFunc(told, func(a, b map[string]any) int {
			return cmp.Compare(away(a, in.Slug), away(b, in.Slug))
		})
	}
	for _, each := range told {
		day, words := turn.Str(each, "day"), language.ContentWords(language.Tokenize(turn.Str(each, "content")))
		if f.Fits(map[string]any{"due": day}) && !slices.ContainsFunc(tasks, func(task map[string]any) bool {
			return turn.Str(task, "due") == day && language.Covers(words, language.ContentWords(language.Tokenize(turn.Str(task, "title"))))
		}) {
			lines = append(lines, fmt.Sprintf("%s: “%s” (%s)", t.day(day), language.Limit(turn.Str(each, "content"), 200), turn.Str(each, "path")))
		}
	}
	return lines[:min(len(lines), mostTold)], ok
}

// away puts what belongs elsewhere behind what belongs to a project.
func away(told map[string]any, slug string) int {
	if turn.Str(told, "project") == slug {
		return 0
	}
	return 1
}

// elsewhere are the tasks of a time outside of the project at hand, where a question names the time
// alone: who asks what is due next week means all of it. ok is false while calls are still to be
// answered.
func elsewhere(t *Keeper, place func(map[string]any) map[string]any, in *model.Project, f filter.Filter) (others []map[string]any, ok bool) {
	args := f.Args(t.Situation.Now)
	if _, named := place(map[string]any{})["project"]; in == nil || named || args["due_to"] == nil || args["date"] != nil {
		return nil, true
	}
	args["everywhere"] = true
	res, ok := t.More("list_tasks", args)
	for _, task := range turn.Objects(res.Result, "tasks") {
		if turn.Str(task, "project") != in.Slug && f.Fits(task) {
			others = append(others, task)
		}
	}
	return others, ok
}
