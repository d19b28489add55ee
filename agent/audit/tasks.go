package audit

import (
	"fmt"
	"kist/agent/prose"
	"slices"
	"strings"
)

const (
	// Peers: so many tasks, and so large a part of them, make a habit that a task
	// without stands out from.
	minPeers  = 3
	peerShare = 0.6
	longLate  = 30 // days overdue
)

func isBoxed(t task) bool { return t.Line > 0 }

// checkTasks looks at each task by itself and beside its peers.
func (m *material) checkTasks() {
	m.group(Finding{Kind: Consistency, Severity: 8, Title: "due before the start", Detail: "Such a task can't be done on time.", Suggestion: "Which of the two dates is right?"},
		func(t task) Evidence { return t.when(t.open() && t.due > 0 && t.start > t.due, "due") })
	m.group(Finding{Kind: Consistency, Severity: 5, Title: "with a date that isn't one", Detail: "Nothing can remind you of it.", Suggestion: "Write dates as 2027-03-01."},
		func(t task) Evidence {
			switch {
			case t.open() && t.Due != "" && t.due == 0:
				return t.when(true, "due")
			case t.open() && t.Start != "" && t.start == 0:
				return t.when(true, "start")
			}
			return Evidence{}
		})
	m.group(Finding{Kind: Consistency, Severity: 4, Title: "in progress before the start date", Suggestion: "Move the start, or put it back to todo."},
		func(t task) Evidence { return t.when(t.Status == "in_progress" && t.start > m.today, "start") })
	if m.live() {
		m.checkOverdue()
		m.checkPeers()
		m.checkMany()
	}
	m.checkStatus()
	m.checkDuplicates()
}

// when is evidence of a task's date, or none.
func (t task) when(ok bool, key string) Evidence {
	if !ok {
		return Evidence{}
	}
	if isBoxed(t) { // it has its dates behind its text
		return t.at
	}
	_, at := t.file.key(key)
	if at.Text != "" {
		at.Text = prose.Cut(plain(t.Title)+", "+at.Text, maxText)
	}
	return at
}

// group adds one finding for all tasks that give evidence; its title gets their
// number in front.
func (m *material) group(f Finding, of func(task) Evidence) int {
	n := 0
	for _, t := range m.tasks {
		if at := of(t); at.Path != "" {
			n++
			f.Evidence = append(f.Evidence, at)
		}
	}
	if n > 0 {
		f.Title = count(n, "task") + " " + f.Title
		m.add(f)
	}
	return n
}

func (m *material) checkOverdue() {
	worst := day(0)
	for _, t := range m.tasks {
		if t.open() && t.due > 0 && t.due < m.today {
			worst = max(worst, m.today-t.due)
		}
	}
	f := Finding{Kind: Consistency, Severity: 6, Title: "overdue", Suggestion: "Do them, move them, or cancel them: a date that nobody believes is worse than none."}
	if worst > longLate {
		f.Severity = 7
	}
	f.Detail = fmt.Sprintf("The oldest by %s.", count(int(worst), "day"))
	late := m.group(f, func(t task) Evidence { return t.when(t.open() && t.due > 0 && t.due < m.today, "due") })
	dated := 0
	for _, t := range m.tasks {
		if t.open() && t.due > 0 {
			dated++
		}
	}
	if late == 0 && dated >= minPeers {
		m.praise(fmt.Sprintf("%s have a due date and none is overdue.", count(dated, "open task")), m.heading(isNext))
	}
}

// checkPeers finds open task files that lack what most others have.
func (m *material) checkPeers() {
	for _, key := range []struct {
		name     string
		severity int
		has      func(task) bool
	}{
		{"owner", 3, func(t task) bool { return t.owner != "" }},
		{"due date", 4, func(t task) bool { return t.Due != "" }},
		{"priority", 3, func(t task) bool { return t.Priority != "" }},
	} {
		have, all := 0, 0
		for _, t := range m.tasks {
			if t.open() && !isBoxed(t) {
				all++
				if key.has(t) {
					have++
				}
			}
		}
		if have < minPeers || float64(have) < peerShare*float64(all) {
			continue
		}
		m.group(Finding{Kind: Completeness, Severity: key.severity, Title: "without " + article(key.name), Detail: fmt.Sprintf("%d of %d open tasks have one.", have, all),
			Suggestion: "Give them one as well, or decide that they need none."}, func(t task) Evidence {
			if t.open() && !isBoxed(t) && !key.has(t) && t.Status != "backlog" {
				return t.at
			}
			return Evidence{}
		})
	}
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// checkMany finds too much begun at once.
func (m *material) checkMany() {
	started, open := []Evidence(nil), 0
	for _, t := range m.tasks {
		if t.open() {
			open++
		}
		if t.open() && t.Status == "in_progress" {
			started = append(started, t.at)
		}
	}
	if n := len(started); n > 5 && 2*n > open {
		m.add(Finding{Feasibility, 5, fmt.Sprintf("%d of %d open tasks are in progress", n, open), "What is begun everywhere ends nowhere soon.", started,
			"Which two of them should be finished first?"})
	}
}

// checkStatus holds a task against its own checkboxes, and the project against its
// tasks.
func (m *material) checkStatus() {
	done := map[string]task{}
	var left []Evidence
	for _, t := range m.tasks {
		if !isBoxed(t) && t.done() {
			done[t.Path] = t
		}
		if t.open() {
			left = append(left, t.at)
		}
	}
	m.group(Finding{Kind: Consistency, Severity: 4, Title: "left open in a task that is done", Suggestion: "Tick them, or open the task again."}, func(t task) Evidence {
		if _, ok := done[t.Path]; ok && isBoxed(t) && t.open() {
			return t.at
		}
		return Evidence{}
	})
	if m.status == "completed" && len(left) > 0 {
		m.add(Finding{Consistency, 6, fmt.Sprintf("The project is completed, but %s open", isAre(len(left), "task")), "", left, "Finish or cancel them, or make the project active again."})
	}
}

func isAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return count(n, noun) + " are"
}

// checkDuplicates finds open tasks with the same words. Checkboxes in task files
// and notes, and those below another item, are left out: "test it" may well be a step of many.
func (m *material) checkDuplicates() {
	groups := map[string][]task{}
	var order []string
	nested := map[int]bool{}
	for _, l := range m.project.lines {
		nested[l.n] = l.indent > 0
	}
	for _, t := range m.tasks {
		if !t.open() || isBoxed(t) && (t.Path != m.project.path || nested[t.Line]) {
			continue
		}
		key := titleKey(t.Title)
		if len(strings.Fields(key)) < 2 {
			continue
		}
		if len(groups[key]) == 0 {
			order = append(order, key)
		}
		groups[key] = append(groups[key], t)
	}
	for _, key := range order {
		same := groups[key]
		if len(same) < 2 {
			continue
		}
		f := Finding{Kind: Consistency, Severity: 4, Title: fmt.Sprintf("%d tasks say the same: %s", len(same), plain(same[0].Title)), Suggestion: "Keep the one with the better date and owner."}
		owners := map[string]bool{}
		for _, t := range same {
			f.Evidence = append(f.Evidence, t.at)
			if t.owner != "" {
				owners[strings.ToLower(t.owner)] = true
			}
		}
		if len(owners) > 1 {
			f.Severity, f.Detail = 6, "They have different owners: each may wait for the other."
		}
		m.add(f)
	}
}

// titleKey is a title's words without order, case and small words.
func titleKey(title string) string {
	words := slices.DeleteFunc(strings.Fields(fold(prose.Cut(title, maxText))), func(w string) bool {
		return slices.Contains([]string{"a", "an", "the", "and", "to", "of", "some", "please", "do"}, w)
	})
	slices.Sort(words)
	return strings.Join(words, " ")
}

// checkNext finds what is done but still under Next steps.
func (m *material) checkNext() {
	done, open := map[string]bool{}, map[string]bool{}
	for _, t := range m.tasks {
		if isBoxed(t) && t.Path == m.project.path {
			continue
		}
		if t.done() {
			done[titleKey(t.Title)] = true
		} else if t.open() {
			open[titleKey(t.Title)] = true
		}
	}
	var at []Evidence
	for _, l := range m.project.lines {
		if !l.item || !l.under(isNext) {
			continue
		}
		key := titleKey(stepText(l.text))
		if l.box == 'x' || l.box == 'X' || key != "" && done[key] && !open[key] {
			at = append(at, m.project.say(l))
		}
	}
	if len(at) > 0 {
		m.add(Finding{Consistency, 4, fmt.Sprintf("%s under Next steps already done", isAre(len(at), "item")), "", at, "Take them out, so that the list says again what is next."})
	}
}

// stepText is an item without links' brackets and bold marks.
func stepText(s string) string {
	return strings.NewReplacer("[[", "", "]]", "", "**", "", "__", "").Replace(s)
}
