package forecast

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/effort"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/markdown"
	"kist/vault/vaulttest"
)

const boat = `
-- kist.yaml --
-- projects/boat/project.md --
---
name: Boat
deadline: 2027-02-01
created: 2026-08-01T10:00:00Z
---
# Boat

About 6-10 hours a week, mostly at weekends.

- [ ] sand the hull
- [x] sort the shed ✅ 2026-10-05
- [x] no idea when
-- projects/boat/tasks/mast.md --
---
title: Step the mast
status: todo
duration: 2 days
due: 2026-12-24
created: 2026-10-20
---
-- projects/boat/tasks/sails.md --
---
title: Mend the sails
status: todo
duration: -3h
due: soon
blocked_by: the sailmaker
---
-- projects/boat/tasks/keel.md --
---
title: Paint the keel
status: done
completed: 2026-11-02
duration: 4h
---
-- projects/boat/tasks/rope.md --
---
title: Buy rope
status: todo
---
-- projects/boat/tasks/old.md --
---
title: Came in as done
status: done
---
`

// open opens a vault whose clock the test sets.
func open(t *testing.T, archive string, now *time.Time) *vault.Vault {
	t.Helper()
	v, err := vault.Open(t.Context(), vaulttest.Write(t, archive), vault.Options{Device: "test", Now: func() time.Time { return *now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func apply(t *testing.T, v *vault.Vault, step vault.Step, err error) []vault.Operation {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	ops, err := v.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{step}})
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func find(t *testing.T, in Input, title string) Task {
	t.Helper()
	for _, task := range in.Tasks {
		if strings.HasPrefix(task.Title, title) {
			return task
		}
	}
	t.Fatalf("no task %q", title)
	return Task{}
}

func TestGather(t *testing.T) {
	now := vaulttest.Now
	v := open(t, boat, &now)
	in, err := Gather(t.Context(), v, "boat", now)
	if err != nil {
		t.Fatal(err)
	}
	date := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, time.UTC) }
	if in.Hours != 8 || in.HoursAt.Line != 8 || !in.Deadline.Equal(time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)) || in.Due.Line != 3 {
		t.Errorf("hours %g at %v, deadline %s at %v", in.Hours, in.HoursAt, in.Deadline, in.Due)
	}
	mast, sails, keel, shed := find(t, in, "Step"), find(t, in, "Mend"), find(t, in, "Paint"), find(t, in, "sort the shed")
	if mast.Hours != 16 || mast.Due != date(12, 24) || mast.Created != date(10, 20) || mast.At.Line != 5 || mast.Blocked {
		t.Errorf("mast %+v", mast)
	}
	if sails.Hours != 0 || !sails.Due.IsZero() || !sails.Blocked {
		t.Errorf("sails %+v", sails)
	}
	if keel.Done != date(11, 2) || shed.Done != date(10, 5) || shed.At.Line != 11 {
		t.Errorf("keel done %s, shed %s at %v", keel.Done, shed.Done, shed.At)
	}
	if old := find(t, in, "Came in"); !old.Done.IsZero() {
		t.Errorf("a task of an unknown day was done %s", old.Done)
	}
	want := []string{`projects/boat/tasks/sails.md: "soon" is not used as a date.`, `projects/boat/tasks/sails.md: "-3h" is not used as a duration.`}
	if diff := cmp.Diff(want, in.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if len(in.Weeks) != 16 { // since August
		t.Errorf("%d weeks, want 16", len(in.Weeks))
	}
	if in.Typical != 10 {
		t.Errorf("typical %g hours, want 10", in.Typical)
	}
}

// The log knows when a file's status changed and when a box was ticked.
func TestGatherFromLog(t *testing.T) {
	now := vaulttest.Now
	v := open(t, boat, &now)
	on := func(d int) { now = vaulttest.Now.AddDate(0, 0, d) }
	complete := func(ref string) []vault.Operation {
		step, err := entity.PlanCompleteTask(t.Context(), v, ref)
		return apply(t, v, step, err)
	}
	on(3)
	complete("projects/boat/tasks/mast.md")
	on(5)
	complete("projects/boat/project.md:10")
	on(6)
	taken := complete("projects/boat/tasks/rope.md")
	on(7)
	if _, err := v.Undo(t.Context(), vault.UndoTarget{ID: taken[0].ID}, vault.Origin{Actor: vault.ActorUser}); err != nil {
		t.Fatal(err)
	}
	on(8)
	step, err := entity.PlanAppendItem(v, "projects/boat/project.md", "", "call the harbour", true)
	apply(t, v, step, err)
	on(9)
	complete("projects/boat/tasks/rope.md")
	step, err = entity.PlanSetProperty(v, "projects/boat/tasks/rope.md", "priority", "high") // a later edit is no completion
	on(12)
	apply(t, v, step, err)
	on(20)
	in, err := Gather(t.Context(), v, "boat", now)
	if err != nil {
		t.Fatal(err)
	}
	for title, day := range map[string]int{"Step": 3, "sand": 5, "Buy rope": 9} {
		if got, want := find(t, in, title).Done, vaulttest.Now.AddDate(0, 0, day).Truncate(24*time.Hour); got != want {
			t.Errorf("%s: done %s, want %s", title, got, want)
		}
	}
	if got, want := find(t, in, "call").Created, vaulttest.Now.AddDate(0, 0, 8).Truncate(24*time.Hour); got != want {
		t.Errorf("the new box came up %s, want %s", got, want)
	}
	if !find(t, in, "no idea").Done.IsZero() {
		t.Error("a box that nobody saw ticked has a day")
	}
	r := Run(in, Options{Runs: 200})
	if r.Basis != BasisHistory || len(r.Evidence) == 0 || r.Evidence[0].Path != "projects/boat/tasks/rope.md" {
		t.Errorf("basis %s (%s), evidence %+v", r.Basis, r.Why, r.Evidence)
	}
	again, err := Gather(t.Context(), v, "boat", now.Add(3*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Format(r), Format(Run(again, Options{Runs: 200}))); diff != "" {
		t.Errorf("the same files three hours later:\n%s", diff)
	}
}

// History begins where the work did, and isn't thinned out by weeks in which there
// was no project yet.
func TestHistoryBeginsWithTheWork(t *testing.T) {
	d := func(ago int) time.Time { return today.AddDate(0, 0, -ago) }
	done := func(created, done int) Task {
		task := Task{Status: "done", Done: d(done)}
		if created > 0 {
			task.Created = d(created)
		}
		return task
	}
	for name, test := range map[string]struct {
		created time.Time
		tasks   []Task
		weeks   int
		since   time.Time
	}{
		"young project, old tasks":        {d(20), []Task{done(400, 3), done(19, 10)}, 3, d(20)},
		"old project, young work":         {d(300), []Task{done(20, 3), done(19, 10)}, 3, d(20)},
		"done before it was a project":    {d(5), []Task{done(60, 30), done(4, 1)}, 9, d(60)},
		"done, not known since when":      {d(100), []Task{done(0, 3)}, 15, d(100)},
		"older than what is looked at":    {d(900), []Task{done(0, 3)}, maxHistory, d(900)},
		"nothing known of the project":    {time.Time{}, []Task{done(0, 10), {Status: "todo", Created: d(15)}}, 3, d(15)},
		"no tasks":                        {d(10), nil, 2, d(10)},
		"nothing at all":                  {time.Time{}, nil, 0, time.Time{}},
		"created tomorrow by its clock":   {d(-1), []Task{done(9, 3)}, 2, d(9)},
		"done tomorrow by another's file": {d(9), []Task{done(0, -1)}, 2, d(9)},
	} {
		in := Input{Today: today, Created: test.created, Tasks: test.tasks}
		in.measure()
		if len(in.Weeks) != test.weeks || !in.Since.Equal(test.since) {
			t.Errorf("%s: %d weeks since %s, want %d since %s", name, len(in.Weeks), in.Since, test.weeks, test.since)
		}
	}
}

// Where there is too little to go by, that is what is said, with the true span.
func TestTooLittleHistoryIsSaid(t *testing.T) {
	in := Input{Name: "Boat", Today: today, Created: today.AddDate(0, 0, -20), Tasks: tasks(3, func(i int, t *Task) {
		t.Created, t.Hours = today.AddDate(0, 0, -18), 0
		if i == 0 {
			t.Status, t.Done = "done", today.AddDate(0, 0, -4)
		}
	})}
	in.measure()
	r := Run(in, Options{Runs: 10})
	if r.Basis != BasisNone || !strings.Contains(r.Why, "Too little history: 1 done task with a known date of completion in 3 weeks, since "+date(today.AddDate(0, 0, -18))) || len(r.Scenarios) > 0 {
		t.Errorf("%s: %s, %v", r.Basis, r.Why, r.Scenarios)
	}
	in.Weeks = weeks(3, 2, 1)
	if r := Run(in, Options{Runs: 10}); r.Basis != BasisHistory || !strings.Contains(r.Why, "little to go by") {
		t.Errorf("%s: %s", r.Basis, r.Why)
	}
}

// A clock that was set back: the project and its history come from the future.
func TestGatherBeforeCreation(t *testing.T) {
	now := vaulttest.Now
	v := open(t, boat, &now)
	in, err := Gather(t.Context(), v, "boat", time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	r := Run(in, Options{Runs: 100})
	if r.Basis != BasisEstimates {
		t.Errorf("basis %s", r.Basis)
	}
	if text := Format(r); !strings.Contains(text, "a clock is wrong") {
		t.Errorf("nothing is said of the clock:\n%s", text)
	}
	if _, err := Gather(t.Context(), v, "coat", now); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("a project that doesn't exist: %v", err)
	}
}

func TestFormat(t *testing.T) {
	in := Input{Name: "Boat\x1b[31m", Today: today, Weeks: weeks(2, 1, 3, 2), Tasks: tasks(6, func(i int, t *Task) {
		t.Title = "<!-- [x](javascript:1)\n# " + t.Title
		t.Due = today.AddDate(0, 0, 7*i-3)
	})}
	text := Format(Run(in, Options{Seed: 9, Runs: 1000}))
	for _, bad := range []string{"\x1b", "<", "[", "\n#"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in\n%s", bad, text)
		}
	}
	for _, want := range []string{"P20, optimistic: **", "P50, realistic: **", "P80, pessimistic: **", "Deadlines:", "Warning signs:", "1 open task is overdue. (projects/boat/tasks/0.md:1)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// FuzzProject forecasts whatever a task file and a project hold.
func FuzzProject(f *testing.F) {
	f.Add("---\nstatus: todo\nduration: 3h\ndue: 2026-02-31\n---\n", "- [ ] a\n6 hours a week\n", "@@ -1 +1 @@\n-- [ ] a\n+- [x] a\n")
	f.Add("---\nduration: 99999999999999 weeks\nstart: 9999-12-31\n---", "---\ndue: 0000-00-00\n---", "+status: done\n")
	f.Fuzz(func(t *testing.T, task, project, patch string) {
		in := Input{Slug: "p", Today: today, Path: "p.md"}
		in.readProject(markdown.Parse([]byte(project)))
		for i := range 6 {
			h, _ := effort.Hours(task)
			in.Tasks = append(in.Tasks, Task{Title: task, Status: "todo", Hours: h, Due: parseTime(task), At: Evidence{Path: fmt.Sprint(i), Line: 1}, key: key("p.md", strings.TrimPrefix(task, "- [ ] "))})
		}
		lacking, _ := in.lacking()
		readPatch(vault.FileChange{Path: "p.md", Before: "x", Patch: patch}, today, lacking)
		in.measure()
		r := Run(in, Options{Runs: 20})
		for _, s := range r.Scenarios {
			if !s.Beyond && s.Date.Before(today) {
				t.Fatalf("%s ends %s", s.Name, s.Date)
			}
		}
		Format(r)
	})
}

func BenchmarkGather(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		var archive strings.Builder
		archive.WriteString(boat)
		for i := range n {
			fmt.Fprintf(&archive, "-- projects/boat/tasks/part-%d.md --\n---\ntitle: Part %d\nstatus: todo\ndue: 2027-04-10\nduration: 1h\n---\n", i, i)
		}
		v := vaulttest.New(b, archive.String())
		b.Run(fmt.Sprint(n, " tasks"), func(b *testing.B) {
			for b.Loop() {
				if _, err := Gather(b.Context(), v, "boat", vaulttest.Now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
