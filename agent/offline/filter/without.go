package filter

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"kist/agent/language"
)

// What a list leaves out, and in which order it is told.

// ordered takes out of a question the words for the order of its list: due, priority, created or title.
func ordered(toks []language.Token) (by string, rest []language.Token) {
	for i := range toks {
		for _, m := range table().Manners {
			if n, ok := language.MatchAny(toks[i:], m.Patterns...); m.Kind == "order" && ok && i > 0 {
				return m.Value, slices.Concat(toks[:i], toks[i+n:])
			}
		}
	}
	return "", toks
}

// parted parts a question from the words for what its list is to be without, where all of them narrow
// it: "open tasks not tagged #home", "all but those in Garden". nil: it says nothing of that.
func parted(src string, toks []language.Token, known []string, now time.Time) (rest []language.Token, not *Filter) {
	for i := 0; i < len(toks); i++ {
		n := table().Is(toks[i:], "except")
		if m, k := table().Longest(toks[i:]); k > 0 && (k > n || m.Kind != "except") {
			i += k - 1 // "not started", "without a date", "haven't I done"
			continue
		}
		if i == 0 || toks[i].Quoted || n == 0 || i+n >= len(toks) || language.Begins(toks[i+n:], "do|have|need|want|know") {
			continue
		}
		left := Read(src, toks[i+n:], known, now)
		if len(left.Unknown) > 0 || left.Not != nil || !left.leavesOut() {
			continue
		}
		return language.TrimMarks(toks[:i]), &left
	}
	return toks, nil
}

// longestAge is how many words say how long ago something was.
const longestAge = 4

// older reads "older than a month", and returns how many tokens that took.
func (s *scan) older(toks []language.Token) int {
	k := table().Is(toks, "older")
	for n := 1; k > 0 && n <= longestAge && k+n <= len(toks); n++ {
		ago := slices.Concat(toks[k:k+n], language.Tokenize("ago"))
		if p, used, ok := language.ReadPeriod(ago, s.now); ok && used == len(ago) && !p.From.IsZero() {
			s.period(language.Period{To: p.From.AddDate(0, 0, -1)})
			s.aged = true
			return k + n
		}
	}
	return 0
}

// leavesOut: by what it says something can be left out.
func (f Filter) leavesOut() bool {
	return f.Narrows() || f.Untagged || len(f.Text)+len(f.Loose) > 0
}

// holds reports whether a task is one of those that are meant, by what a list tells of it.
func (f Filter) holds(task map[string]any) bool {
	get := func(key string) string { s, _ := task[key].(string); return s }
	in := func(list []string, value, none string) bool {
		return len(list) == 0 || slices.Contains(list, cmp.Or(value, none)) || slices.Contains(list, "all")
	}
	status, date := f.Status, get(cmp.Or(f.Date, "due"))
	if slices.Contains(status, "open") {
		status = append(slices.Clone(status), "todo", "in_progress", "backlog")
	}
	title := strings.ToLower(titleOf(task))
	switch {
	case !in(status, get("status"), "todo"), !in(f.Priority, get("priority"), "none"):
		return false
	case f.Due == "none" && date != "", f.Due == "any" && date == "":
		return false
	case len(f.Periods) > 0 && !f.inPeriods(date):
		return false
	case f.NoProject && get("project") != "", f.Recurring && get("repeat") == "", f.Untagged && tagged(title):
		return false
	case f.Place.Path != "" && !under(get("task"), f.Place.Path), f.project != "" && get("project") != f.project:
		return false
	}
	return !slices.ContainsFunc(f.Place.Tags, func(tag string) bool { return !hasTag(title, strings.ToLower(tag)) }) &&
		!slices.ContainsFunc(f.Text, func(w string) bool { return !strings.Contains(title, strings.ToLower(w)) })
}

// hasTag: a title has a tag, or one below it.
func hasTag(title, tag string) bool {
	return slices.ContainsFunc(strings.Fields(title), func(w string) bool {
		w = strings.TrimRight(w, ".,;:!?")
		return w == "#"+tag || strings.HasPrefix(w, "#"+tag+"/")
	})
}

// tagged: a title has any tag.
func tagged(title string) bool {
	return slices.ContainsFunc(strings.Fields(title), func(w string) bool { return len(w) > 1 && w[0] == '#' })
}

// under: a task's document is that, or lies in that folder, which may be named by its end.
func under(ref, at string) bool {
	doc, _, _ := strings.Cut(strings.ToLower(ref), ".md")
	at = strings.Trim(strings.TrimSuffix(strings.ToLower(at), ".md"), "/")
	return strings.Contains("/"+doc+"/", "/"+at+"/")
}

// settleOut finds what the words mean for those that are left out: a folder or a document, a project or words of a title.
func (f *Filter) settleOut(tasks []map[string]any) {
	if f.Not == nil || len(f.Not.Loose) == 0 {
		return
	}
	not := *f.Not
	said, loose := strings.Join(not.Loose, " "), not.Loose
	not.Loose = nil
	slug := strings.Join(loose, "-")
	switch {
	case slices.ContainsFunc(tasks, func(task map[string]any) bool { s, _ := task["task"].(string); return under(s, said) }):
		not.Place.Path = cmp.Or(not.Folder, said)
	case slices.ContainsFunc(tasks, func(task map[string]any) bool { return task["project"] == slug }):
		not.project = slug
	default:
		not.Loose = loose
		not.Settle(tasks)
		if len(not.Unknown) > 0 {
			f.Unknown, f.Not = append(f.Unknown, "not "+strings.Join(not.Unknown, " ")), nil
			return
		}
	}
	f.Not = &not
}

// Sort puts tasks into the order that was asked for; those without what it goes by come last.
func (f Filter) Sort(tasks []map[string]any) {
	if f.Order == "" {
		return
	}
	key := func(task map[string]any) string {
		s, _ := task[f.Order].(string)
		switch f.Order {
		case "title":
			return strings.ToLower(strings.TrimLeft(s, "#"))
		case "priority":
			s = map[string]string{"urgent": "0", "high": "1", "medium": "2", "low": "3"}[s]
		}
		return cmp.Or(s, "~")
	}
	sort.SliceStable(tasks, func(i, j int) bool { return key(tasks[i]) < key(tasks[j]) })
}

// orderNames say by what a list is in order.
var orderNames = map[string]string{"due": "by due date", "priority": "by priority", "created": "by the day they were written down", "title": "by title"}
