package forecast

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/agent/effort"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
	"kist/vault/pattern"
)

// Gather reads what a forecast of a project needs, as of now. The project is named
// by its slug; ErrNotFound of package vault for one that isn't there. A task that
// can't be read is left out.
func Gather(ctx context.Context, v *vault.Vault, slug string, now time.Time) (Input, error) {
	tasks, err := entity.Tasks(ctx, v, slug)
	if err == nil && slug == "" {
		err = &vault.NotFoundError{Kind: "project", Ref: slug}
	}
	if err != nil {
		return Input{}, fmt.Errorf("forecast %q: %w", slug, err)
	}
	in := Input{Slug: slug, Path: v.ProjectPath(slug), Today: day(now.UTC())}
	p, err := entity.FindProject(ctx, v, slug)
	if err != nil {
		return Input{}, fmt.Errorf("forecast %q: %w", slug, err)
	}
	doc, err := v.Document(in.Path)
	if err != nil {
		return Input{}, fmt.Errorf("forecast %q: %w", slug, err)
	}
	in.readProject(doc)
	if _, ok := v.PlacedAt(in.Path); ok {
		in.readNote(p, doc)
	}
	for _, t := range tasks {
		if err := ctx.Err(); err != nil {
			return Input{}, err
		}
		in.Tasks = append(in.Tasks, in.readTask(v, t))
	}
	if err := in.readLog(ctx, v); err != nil {
		return Input{}, fmt.Errorf("forecast %q: %w", slug, err)
	}
	in.measure()
	return in, nil
}

// deadlineKeys are the front-matter keys under which people keep a project's end.
func deadlineKeys() []string { return []string{"due", "deadline", "target_date", "end_date", "end"} }

func (in *Input) readProject(doc *markdown.Document) {
	fm, err := doc.FrontMatter()
	if err != nil {
		fm = nil // a fault in it is shown elsewhere
	}
	in.Name = cmp.Or(fm.String("name"), doc.Title(), in.Slug)
	in.Created = day(parseTime(fm.String("created")))
	for _, name := range deadlineKeys() {
		if text := fm.String(name); text != "" {
			in.Deadline = in.parseDate(in.Path, text)
			in.Due = Evidence{in.Path, lineOf(fm, name), name + ": " + text}
			break
		}
	}
	number := bytes.Count(doc.Source()[:doc.BodyStart()], []byte("\n"))
	for line := range bytes.Lines(doc.Source()[doc.BodyStart():]) {
		number++
		if least, most := effort.Weekly(string(line[:min(len(line), maxLine)])); most > 0 {
			in.Hours, in.HoursAt = (least+most)/2, Evidence{in.Path, number, cut(string(line))}
			break
		}
	}
}

// readNote reads what a note of the user's, which is a project, says in a way of its own.
func (in *Input) readNote(p entity.Project, doc *markdown.Document) {
	in.Name = p.Name
	if in.Deadline.IsZero() && p.Due != "" {
		in.Deadline = in.parseDate(in.Path, p.Due)
		in.Due = Evidence{in.Path, 1 + bytes.Count(doc.Source()[:max(0, bytes.Index(doc.Source(), []byte(p.Due)))], []byte("\n")), "due: " + p.Due}
	}
}

// maxLine is how much of a line is read.
const maxLine = 2000

func cut(line string) string {
	return plain(line[:min(len(line), maxLine)])
}

func lineOf(fm *markdown.FrontMatter, key string) int {
	if fm != nil {
		for _, p := range fm.Keys() {
			if p.Key == key {
				return p.Line
			}
		}
	}
	return 1
}

// maxNotes bounds what is said about values that can't be used.
const maxNotes = 5

func (in *Input) note(format string, args ...any) {
	switch n := len(in.Notes); {
	case n < maxNotes:
		in.Notes = append(in.Notes, plain(fmt.Sprintf(format, args...)))
	case n == maxNotes:
		in.Notes = append(in.Notes, "More values in the files could not be used.")
	}
}

// parseDate reads a date of a file, and notes one that isn't usable.
func (in *Input) parseDate(path, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	t := day(parseTime(text))
	if t.IsZero() {
		in.note("%s: %q is not used as a date.", path, text)
	}
	return t
}

func parseTime(s string) time.Time {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

var (
	// waitingTitle is how a title says that a task is blocked.
	waitingTitle = pattern.Lazy(`(?i)^\W*(?:waiting (?:for|on)|blocked(?: by| on|:)|on hold)\b`)
)

func (in *Input) readTask(v *vault.Vault, t entity.Task) Task {
	out := Task{
		Title: plain(t.Title), Status: t.Status, Priority: strings.ToLower(t.Priority),
		Blocked: waitingTitle().MatchString(t.Title),
		At:      Evidence{t.Path, max(t.Line, 1), plain(t.Title)},
	}
	out.key = key(t.Path, "")
	if t.Line > 0 {
		out.key = key(t.Path, t.Title)
		out.Done, out.Created, out.Due = day(parseTime(t.Done)), day(parseTime(t.Created)), day(parseTime(t.Due))
		return out
	}
	out.Start, out.Due = in.parseDate(t.Path, t.Start), in.parseDate(t.Path, t.Due)
	if t.Duration != "" {
		var ok bool
		if out.Hours, ok = effort.Hours(t.Duration); !ok {
			out.Hours = 0
			in.note("%s: %q is not used as a duration.", t.Path, t.Duration)
		}
	}
	switch strings.ReplaceAll(strings.ToLower(t.Status), " ", "_") {
	case "blocked", "waiting", "on_hold", "paused":
		out.Blocked = true
	case "canceled", "abandoned", "dropped":
		out.Status = "cancelled"
	case "completed", "complete", "finished", "closed":
		out.Status = "done"
	}
	doc, err := v.Document(t.Path)
	if err != nil {
		return out
	}
	fm, err := doc.FrontMatter()
	if err != nil || fm == nil {
		return out
	}
	for _, name := range []string{"due", "duration", "title"} {
		if fm.Has(name) {
			out.At.Line = lineOf(fm, name)
			break
		}
	}
	out.Created = day(parseTime(fm.String("created")))
	for _, name := range []string{"completed", "completed_at", "done", "done_at", "finished"} {
		if d := day(parseTime(fm.String(name))); out.Done.IsZero() && out.Status == "done" {
			out.Done = d
		}
	}
	for _, name := range []string{"blocked", "blocked_by", "waiting_for", "waiting_on"} {
		if values := fm.Strings(name); len(values) > 0 && !slices.Contains([]string{"false", "no", "none"}, strings.ToLower(values[0])) {
			out.Blocked = true
		}
	}
	return out
}

// measure computes what follows from the tasks: past weeks and typical size.
func (in *Input) measure() {
	in.Weeks = in.pastWeeks()
	var all, done []float64
	for _, t := range in.Tasks {
		if t.Hours > 0 && t.Status != "cancelled" {
			all = append(all, t.Hours)
			if !t.open() {
				done = append(done, t.Hours)
			}
		}
	}
	switch {
	case len(done) >= MinDone:
		in.Typical, in.Sized = median(done), true
	case len(all) > 0:
		in.Typical = median(all)
	}
}

func median(s []float64) float64 {
	slices.Sort(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// pastWeeks counts what was done and added in each week up to yesterday; today
// isn't over. It begins where the work did, see [Input.begun], half a year ago at
// the earliest.
func (in *Input) pastWeeks() []Week {
	var weeks [maxHistory]Week
	future := 0
	week := func(t time.Time) (int, bool) {
		ago := days(t, in.Today)
		if ago < 0 {
			future++
		}
		w := max(ago-1, 0) / 7
		return w, ago >= 0 && w < maxHistory
	}
	for _, t := range in.Tasks {
		if !t.Done.IsZero() && t.Status == "done" {
			if w, ok := week(t.Done); ok {
				weeks[w].Done++
			}
		}
		if !t.Created.IsZero() {
			if w, ok := week(t.Created); ok {
				weeks[w].Added++
			}
		}
	}
	if future > 0 {
		in.note("%d dates of creation or completion are in the future and not used.", future)
	}
	if !in.Created.IsZero() && in.Created.After(in.Today) {
		in.note("The project was created on %s, which is still to come: a clock is wrong.", date(in.Created))
	}
	in.Since = in.begun()
	if in.Since.IsZero() {
		return nil
	}
	first := min(max(days(in.Since, in.Today)-1, 0)/7+1, maxHistory)
	out := slices.Clone(weeks[:first])
	slices.Reverse(out)
	in.dropPlanning(out)
	return out
}

// begun is the day on which work on the project began: that of its first task, but
// not before the project was created unless a task was done before. Weeks before it
// are none in which nothing was done. Where it isn't known since when a done task
// was there, the project's own creation counts. Zero: nothing has happened yet.
func (in *Input) begun() time.Time {
	var first, done time.Time
	undated := false
	earlier := func(a *time.Time, b time.Time) {
		if !b.IsZero() && !b.After(in.Today) && (a.IsZero() || b.Before(*a)) {
			*a = b
		}
	}
	for _, t := range in.Tasks {
		earlier(&first, t.Created)
		if t.Status == "done" && !t.Done.IsZero() {
			earlier(&done, t.Done)
			undated = undated || t.Created.IsZero()
		}
	}
	earlier(&first, done)
	created := in.Created
	if created.After(in.Today) {
		created = time.Time{}
	}
	switch {
	case created.IsZero():
		return first
	case first.IsZero(), undated && created.Before(first):
		return created
	case created.After(first) && (done.IsZero() || !done.Before(created)):
		return created // a task that was taken over is older than what is planned here
	}
	return first
}

// dropPlanning leaves out the tasks that the project began with: those of its first
// week are its plan and not what came in on the way.
func (in *Input) dropPlanning(weeks []Week) {
	if len(weeks) == 0 {
		return
	}
	if !in.Since.IsZero() && days(in.Since, in.Today) > 7*maxHistory {
		return // its plan is older than what is looked at
	}
	weeks[0].Added = 0
}
