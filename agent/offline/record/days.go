package record

import (
	"fmt"
	"slices"
	"sort"
	"strings"

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
	ahead := f.Ahead || f.Whole()
	from, to := turn.Str(args, "due_from"), turn.Str(args, "due_to")
	if from == "" {
		from = today
	}
	if f.Whole() {
		delete(args, "status")
	}
	other := slices.ContainsFunc([]string{"status", "priority", "due", "date", "text", "tag", "path", "recurring"}, func(key string) bool { return args[key] != nil })
	if other || f.Count || f.NoProject || len(f.Unknown) > 0 && !f.Ahead || to == "" && turn.Str(args, "due_from") == "" && !ahead || to != "" && to < from {
		return nil, true
	}
	ask := map[string]any{"days": from + "/" + to}
	if in != nil {
		ask["project"] = in.Slug
	}
	res, ok := t.More("list_memories", ask)
	told := turn.Objects(res.Result, "told")
	if in != nil {
		sort.SliceStable(told, func(i, j int) bool { return away(told[i], in.Slug) < away(told[j], in.Slug) })
	}
	for _, each := range told {
		if !f.Whole() || in == nil || turn.Str(each, "project") == in.Slug { // as of the tasks
			lines = append(lines, toldLine(t, each, f, tasks)...)
		}
	}
	return lines[:min(len(lines), mostTold)], ok
}

// toldLine tells a line with its days; nothing where the filter leaves it out, or a task says the same.
func toldLine(t *Keeper, told map[string]any, f filter.Filter, tasks []map[string]any) []string {
	day, words := turn.Str(told, "day"), language.ContentWords(language.Tokenize(turn.Str(told, "content")))
	if !f.Fits(map[string]any{"due": day}) || slices.ContainsFunc(tasks, func(task map[string]any) bool {
		return turn.Str(task, "due") == day && language.Covers(words, language.ContentWords(language.Tokenize(turn.Str(task, "title"))))
	}) {
		return nil
	}
	days := []string{t.day(day)}
	for _, also := range turn.Strs(told, "also_on") {
		days = append(days, t.day(also))
	}
	line := fmt.Sprintf("%s: “%s” (%s)", strings.Join(days, ", "), language.Limit(turn.Str(told, "content"), 200), turn.Str(told, "path"))
	if later := turn.Str(told, "later"); later != "" {
		line += "; later: “" + later + "”"
	}
	return []string{line}
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
