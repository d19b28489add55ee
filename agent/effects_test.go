package agent_test

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/vault"
)

// The frozen sets were written by people who don't know the code, and nobody may train
// on them or read their lines while tuning: the test prints figures alone, by kind.
// What counts is the effect on the files and the context, not which intent was read.

// A frozenSet is a vault in words, and what is said in it.
type frozenSet struct {
	projects  [][3]string // slug, name, status
	tasks     []frozenTask
	archive   string
	sentences []frozenLine
	with      model.Model // that answers; nil: the partner alone
}

type frozenTask struct{ project, title, status, due, priority, path string }

type frozenLine struct {
	line         int
	active, text string
	offered      bool // a deletion was proposed in the reply before
	want         []string
}

func readFrozen(t *testing.T, path string) frozenSet {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var set frozenSet
	var b strings.Builder
	decisions := map[string][]string{}
	notes := 0
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		head, rest, _ := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
		switch {
		case strings.HasPrefix(line, "# ") && head == "projects":
			for item := range strings.SplitSeq(rest, ", ") {
				slug, name, _ := strings.Cut(item, "=")
				status := "active"
				if cut, ok := strings.CutSuffix(name, " (archived)"); ok {
					name, status = cut, "archived"
				}
				set.projects = append(set.projects, [3]string{slug, name, status})
			}
		case strings.HasPrefix(line, "# ") && head == "tasks":
			slug, what, _ := strings.Cut(rest, ": ")
			cols := strings.Split(what, " | ")
			task := frozenTask{project: slug, title: cols[0], status: cols[1], due: strings.Trim(strings.TrimPrefix(cols[2], "due "), "-"), priority: strings.Trim(cols[3], "-")}
			if strings.HasPrefix(cols[2], "due 2") {
				task.due = strings.TrimPrefix(cols[2], "due ")
			}
			task.path = fmt.Sprintf("projects/%s/tasks/t%d.md", slug, len(set.tasks))
			set.tasks = append(set.tasks, task)
			fmt.Fprintf(&b, "-- %s --\n---\ntype: task\ntitle: %q\nstatus: %s\n", task.path, task.title, task.status)
			if task.due != "" {
				fmt.Fprintf(&b, "due: %s\n", task.due)
			}
			if task.priority != "" {
				fmt.Fprintf(&b, "priority: %s\n", task.priority)
			}
			b.WriteString("---\n")
		case strings.HasPrefix(line, "# ") && head == "decisions":
			slug, what, _ := strings.Cut(rest, ": ")
			decisions[slug] = append(decisions[slug], what)
		case strings.HasPrefix(line, "# ") && (head == "memories" || head == "notes"):
			where, what, _ := strings.Cut(rest, ": ")
			notes++
			switch {
			case head == "notes":
				title, text, _ := strings.Cut(what, ": ")
				fmt.Fprintf(&b, "-- projects/%s/notes/n%d.md --\n---\ntype: note\ntitle: %q\n---\n\n%s\n", where, notes, title, text)
			case where == "user":
				fmt.Fprintf(&b, "-- memories/m%d.md --\n---\ntype: memory\nscope: user\n---\n\n%s\n", notes, what)
			default:
				fmt.Fprintf(&b, "-- projects/%s/memories/m%d.md --\n---\ntype: memory\nscope: project\n---\n\n%s\n", where, notes, what)
			}
		case strings.HasPrefix(line, "#"), strings.TrimSpace(line) == "":
		default:
			cols := strings.SplitN(line, "\t", 3)
			if len(cols) != 3 {
				t.Fatalf("%s:%d: %d columns", path, n, len(cols))
			}
			l := frozenLine{line: n, text: cols[2], want: strings.Split(cols[1], " ; ")}
			l.active, l.offered = strings.CutPrefix(cols[0], "!")
			set.sentences = append(set.sentences, l)
		}
	}
	for _, p := range set.projects {
		fmt.Fprintf(&b, "-- projects/%s/project.md --\n---\ntype: project\nname: %q\nstatus: %s\n---\n\n# %s\n", p[0], p[1], p[2], p[1])
		if list := decisions[p[0]]; len(list) > 0 {
			b.WriteString("\n## Decisions\n\n- " + strings.Join(list, "\n- ") + "\n")
		}
	}
	set.archive = b.String()
	return set
}

// heard is what came of one sentence.
type outcomeOf struct {
	ops             []vault.Operation
	before, project string
	reply           string
	calls           []string
	deleted         string // the proposed deletion that was shown before
	redone          bool
}

// String tells what came of it, for people.
func (o outcomeOf) String() string {
	var b strings.Builder
	for _, op := range o.ops {
		if !unsorted(op) {
			fmt.Fprintf(&b, "%s %s %s: %s; ", op.Status, op.Type, op.Entity.Path, op.Reason)
		}
	}
	if o.project != o.before {
		fmt.Fprintf(&b, "now in %q; ", o.project)
	}
	fmt.Fprintf(&b, "%v %.300q", o.calls, o.reply)
	return b.String()
}

// stage is a vault to say a sentence in. Learning an index takes most of the time, and
// only answers need one.
func (set frozenSet) stage(t *testing.T, l frozenLine) *stage {
	with := set.with
	if with == nil {
		with = offline.New()
	}
	if strings.HasPrefix(l.want[0], "answer") {
		s := newStage(t, set.archive, with, agent.Options{})
		s.now = saturday
		return s
	}
	s := &stage{now: saturday, dated: map[string]time.Time{}}
	s.vault = s.open(t, set.archive)
	s.agent = s.newAgent(t, with, agent.Options{Now: s.agentNow})
	return s
}

// saturday is the day on which the sentences are said.
var saturday = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// hear says one sentence in a vault of its own, after what it supposes.
func (set frozenSet) hear(t *testing.T, l frozenLine) outcomeOf {
	t.Helper()
	s := set.stage(t, l)
	talking := s.agent
	o := outcomeOf{before: strings.Trim(l.active, "-")}
	session := "new"
	play := func(steps ...agenttest.Step) {
		s.agent = s.newAgent(t, agenttest.NewScript(steps...), agent.Options{Now: s.agentNow, Preset: "auto"})
		session = sessionOf(s.send(t, agent.Message{Text: "please see to it", Session: session, Project: o.before}))
		s.agent = talking
	}
	kind, _, _ := strings.Cut(l.want[0], " ")
	switch {
	case l.offered:
		task := set.tasks[0]
		for _, each := range set.tasks {
			if each.project == o.before {
				task = each
			}
		}
		s.agent = s.newAgent(t, agenttest.NewScript(agenttest.Call("delete_task", fmt.Sprintf(`{"task":%q}`, task.path)), agenttest.Say("That could go.")), agent.Options{Now: s.agentNow})
		session = sessionOf(s.send(t, agent.Message{Text: "what could go?", Session: session, Project: o.before}))
		s.agent, o.deleted = talking, task.path
	case kind == "undo" || kind == "redo":
		for i, task := range []frozenTask{set.tasks[0], set.tasks[1], set.tasks[2]} {
			play(agenttest.Call("update_task", fmt.Sprintf(`{"task":%q,"due":"2027-0%d-01"}`, task.path, i+1)), agenttest.Say("Done."))
		}
		if kind == "redo" {
			play(agenttest.Call("undo", `{}`), agenttest.Say("Undone."))
		}
	case kind == "back":
		other := set.projects[0][0]
		if other == o.before {
			other = set.projects[1][0]
		}
		here := o.before
		o.before = other
		play(agenttest.Say("Here."))
		if here != "" {
			o.before = here
			play(agenttest.Say("There."))
		}
		o.redone = true
		o.calls = append(o.calls, "from "+other)
	case o.before != "":
		play(agenttest.Say("We're here."))
	}
	known := map[string]bool{}
	for _, op := range s.all(t) {
		known[op.ID+string(op.Status)] = true
	}
	for _, e := range s.send(t, agent.Message{Text: l.text, Session: session}) {
		switch e := e.(type) {
		case agent.TextDelta:
			o.reply += e.Text
		case agent.ToolCall:
			o.calls = append(o.calls, e.Name)
		case agent.Done:
			o.project = e.Project
		}
	}
	for _, op := range s.all(t) {
		if !known[op.ID+string(op.Status)] && op.Status != vault.StatusRejected {
			full, err := s.vault.Operation(t.Context(), op.ID)
			if err != nil {
				t.Fatal(err)
			}
			o.ops = append(o.ops, full)
		}
	}
	return o
}

func (s *stage) all(t *testing.T) []vault.Operation {
	t.Helper()
	ops, err := s.vault.Operations(context.Background(), vault.Filter{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

// A judge holds what came of a sentence against what was wanted. Each operation may
// account for one wanted effect; one that accounts for none is wrong.
type judge struct {
	set  frozenSet
	o    outcomeOf
	used map[int]bool
}

func (j *judge) right(want []string) bool {
	j.used = map[int]bool{}
	moved := false
	for _, w := range want {
		kind, rest, _ := strings.Cut(w, " ")
		moved = moved || kind == "switch" || kind == "back" || kind == "project+" || kind == "delete" || kind == "merge"
		if !j.met(kind, rest) {
			return false
		}
	}
	for i, op := range j.o.ops {
		if !j.used[i] && !unsorted(op) {
			return false
		}
	}
	return moved || j.o.project == j.o.before
}

func (j *judge) met(kind, rest string) bool {
	words := strings.Fields(strings.ToLower(rest))
	slug := ""
	if len(words) > 0 {
		slug = words[0]
	}
	switch kind {
	case "none", "refuse":
		return true // nothing may be left over
	case "go":
		return j.op(func(op vault.Operation) bool {
			return op.Status == vault.StatusCompleted && op.Entity.Path == j.o.deleted
		})
	case "switch":
		return slug == "?" && j.o.project == j.o.before || slug != "?" && j.o.project == slug
	case "back":
		return slices.Contains(j.o.calls, "from "+j.o.project)
	case "task+":
		return j.op(func(op vault.Operation) bool {
			return (op.Type == vault.OpCreate && op.Entity.Type == "task" || strings.Contains(added(op), "- [ ]")) && j.in(op, slug) && has(added(op), asWritten(words[1:]))
		})
	case "note+", "decision+", "memory+":
		return j.op(func(op vault.Operation) bool {
			if !j.in(op, slug) && slug != "user" || op.Entity.Type == "task" {
				return false
			}
			return has(added(op), words[1:]) && (kind == "note+" || kind == "memory+" && op.Entity.Type == "memory" || kind == "decision+" && op.Entity.Type == "project")
		})
	case "done", "change", "drop":
		return j.changed(kind, slug, words[1:])
	case "forget":
		return j.op(func(op vault.Operation) bool { return op.Entity.Type == "memory" && has(removed(op)+added(op), words) })
	case "project+":
		return j.op(func(op vault.Operation) bool {
			return op.Type == vault.OpCreate && (op.Entity.Type == "project" || op.Entity.Type == "draft") && has(added(op), words)
		})
	case "rename":
		return j.project(slug, func(op vault.Operation) bool { return has(added(op), words[1:]) })
	case "archive":
		return j.project(slug, func(op vault.Operation) bool { return has(added(op), []string{"status: archived"}) })
	case "reopen":
		return j.project(slug, func(op vault.Operation) bool { return has(added(op), []string{"status: active"}) })
	case "delete":
		return j.project(slug, func(op vault.Operation) bool { return op.Type == vault.OpDelete })
	case "merge":
		return j.op(func(op vault.Operation) bool {
			return op.Type == vault.OpMove && slices.ContainsFunc(op.Changes, func(c vault.FileChange) bool { return strings.HasPrefix(c.From, "projects/"+slug+"/") })
		})
	case "undo", "redo":
		n := 1
		if slug == "2" {
			n = 2
		}
		for range n {
			if !j.op(func(op vault.Operation) bool { return op.Undoes != "" }) {
				return false
			}
		}
		return true
	}
	return j.told(kind, words)
}

// unsorted: words that were kept as they are, in an inbox, or offered to be. That is no
// reading of them, right or wrong; it is counted by itself.
func unsorted(op vault.Operation) bool { return filepath.Base(op.Entity.Path) == "inbox.md" }

// told judges what only the reply shows.
func (j *judge) told(kind string, words []string) bool {
	reply := strings.ToLower(j.o.reply)
	switch kind {
	case "answer":
		return has(reply, words)
	case "status":
		return slices.Contains(j.o.calls, "show_project") || slices.Contains(j.o.calls, "project_completeness")
	case "audit", "forecast":
		return slices.Contains(j.o.calls, kind)
	case "waiting":
		return slices.Contains(j.o.calls, "list_waiting") || strings.Contains(reply, "waiting") || strings.Contains(reply, "wartet")
	case "count":
		n := len(j.filtered(words[1:]))
		return regexp.MustCompile(fmt.Sprintf(`\b%d\b`, n)).MatchString(reply) || n < 4 && strings.Contains(reply, []string{"no ", "one ", "two ", "three "}[n])
	case "list":
		switch words[0] {
		case "tasks":
			return j.listed(reply, words[1:])
		case "projects":
			return !slices.ContainsFunc(j.set.projects, func(p [3]string) bool {
				return p[2] == "active" && !strings.Contains(reply, strings.ToLower(p[1]))
			})
		case "memories":
			return slices.Contains(j.o.calls, "list_memories")
		}
		return strings.Contains(reply, "decided") || strings.Contains(reply, "decision") || strings.Contains(reply, "entsch")
	}
	return false
}

func (j *judge) listed(reply string, filter []string) bool {
	want := j.filtered(filter)
	for _, task := range j.set.tasks {
		if strings.Contains(reply, strings.ToLower(task.title)) != slices.Contains(want, task) {
			return false
		}
	}
	return true
}

var filterPart = regexp.MustCompile(`^(due|status|priority|project)(<=|<|=)(.+)$`)

func (j *judge) filtered(filter []string) []frozenTask {
	var out []frozenTask
	for _, task := range j.set.tasks {
		fits := true
		for _, f := range append(slices.Clone(filter), j.place(filter)...) {
			m := filterPart.FindStringSubmatch(f)
			if m == nil {
				fits = fits && task.project == f // count tasks SLUG
				continue
			}
			from, to, ranged := strings.Cut(m[3], "..")
			switch {
			case m[1] == "project":
				fits = fits && task.project == m[3]
			case m[1] == "status" && m[3] == "open":
				fits = fits && task.status != "done" && task.status != "cancelled"
			case m[1] == "status":
				fits = fits && task.status == m[3]
			case m[1] == "priority":
				fits = fits && task.priority == m[3]
			case ranged:
				fits = fits && task.due >= from && task.due <= to
			case m[2] == "<":
				fits = fits && task.due != "" && task.due < m[3]
			case m[2] == "<=":
				fits = fits && task.due != "" && task.due <= m[3]
			default:
				fits = fits && task.due == m[3]
			}
		}
		if fits {
			out = append(out, task)
		}
	}
	return out
}

// place: a list without a project is of the active one.
func (j *judge) place(filter []string) []string {
	if j.o.before == "" || slices.ContainsFunc(filter, func(f string) bool { return strings.HasPrefix(f, "project=") || filterPart.FindString(f) == "" }) {
		return nil
	}
	return []string{"project=" + j.o.before}
}

func (j *judge) changed(kind, slug string, words []string) bool {
	var keys []string
	var set [][2]string
	for i, w := range words {
		if key, value, ok := strings.Cut(w, "="); ok {
			set = append(set, [2]string{key, strings.Join(append([]string{value}, words[i+1:]...), " ")})
			if key == "title" {
				break
			}
			set[len(set)-1][1] = value
			continue
		}
		keys = append(keys, w)
	}
	return j.op(func(op vault.Operation) bool {
		i := slices.IndexFunc(j.set.tasks, func(task frozenTask) bool { return task.path == op.Entity.Path })
		if i < 0 || j.set.tasks[i].project != slug || !has(j.set.tasks[i].title, keys) {
			return false
		}
		switch kind {
		case "done":
			return has(added(op), []string{"status: done"})
		case "drop":
			return op.Type == vault.OpDelete
		}
		for _, kv := range set {
			key := map[string]string{"due": "due: ", "prio": "priority: ", "status": "status: ", "title": "title: "}[kv[0]]
			switch {
			case kv[0] == "status" && kv[1] == "open":
				if !has(added(op), []string{"status: todo"}) && !has(added(op), []string{"status: in_progress"}) {
					return false
				}
			case kv[0] == "title":
				if !has(added(op), append([]string{"title:"}, strings.Fields(kv[1])...)) {
					return false
				}
			case !has(added(op), []string{key + kv[1]}):
				return false
			}
		}
		return op.Type == vault.OpUpdate
	})
}

// asWritten are the words as a task's file has them.
func asWritten(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if key, value, ok := strings.Cut(w, "="); ok {
			out[i] = map[string]string{"due": "due: ", "prio": "priority: ", "status": "status: "}[key] + value
		}
	}
	return out
}

func (j *judge) project(slug string, is func(vault.Operation) bool) bool {
	return j.op(func(op vault.Operation) bool { return op.Entity.Path == "projects/"+slug+"/project.md" && is(op) })
}

// op finds an operation that is what was wanted, and accounts for it.
func (j *judge) op(is func(vault.Operation) bool) bool {
	for i, op := range j.o.ops {
		if !j.used[i] && is(op) {
			j.used[i] = true
			return true
		}
	}
	return false
}

func (j *judge) in(op vault.Operation, slug string) bool {
	return slug == "user" && !strings.HasPrefix(op.Entity.Path, "projects/") || strings.HasPrefix(op.Entity.Path, "projects/"+slug+"/")
}

func added(op vault.Operation) string   { return side(op, "+") }
func removed(op vault.Operation) string { return side(op, "-") }

func side(op vault.Operation, mark string) string {
	var b strings.Builder
	for _, c := range op.Changes {
		for line := range strings.Lines(c.Patch) {
			if rest, ok := strings.CutPrefix(line, mark); ok && !strings.HasPrefix(line, mark+mark+mark+" ") {
				b.WriteString(strings.ToLower(rest))
			}
		}
	}
	return b.String()
}

func has(text string, words []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// An effectCount counts sentences of one kind.
type effectCount struct{ right, wrong, missed int }

func (c effectCount) String() string {
	return fmt.Sprintf("precision %.3f recall %.3f (%d right, %d wrong, %d missed)", share(c.right, c.wrong), share(c.right, c.missed), c.right, c.wrong, c.missed)
}

func share(right, not int) float64 {
	if right+not == 0 {
		return 1
	}
	return float64(right) / float64(right+not)
}

// TestJudge holds the judge itself to sentences as plain as can be.
func TestJudge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain.txt")
	text := `# projects: boat=Houseboat, garden=Rose Garden, shed=Garden Shed (archived)
# tasks: boat: Order the cable | todo | due 2026-12-01 | high
# tasks: boat: Paint the hull | done | due - | -
# tasks: garden: Buy roses | todo | due 2026-11-25 | -
# decisions: boat: Teak for the deck.
# memories: user: Bo is the electrician.
# notes: garden: Soil: It is heavy clay.
boat	task+ boat marina due=2026-11-27	add a task to call the marina by Friday
boat	done boat cable	the cable task is done
boat	change boat cable due=2026-12-05	move order the cable to 5 December
boat	drop boat cable	delete the task order the cable
garden	switch boat	switch to the houseboat
boat	none	thanks
boat	note+ boat marina	note: the marina opens at eight
boat	decision+ boat diesel	we decided on a diesel heater
boat	memory+ user metric	remember that I prefer metric units
-	project+ bakery	create a project called Bakery
boat	rename boat Selkie	rename this project to Selkie
!boat	go	go
!boat	refuse	no, keep it
boat	back	back
boat	undo	undo
boat	answer teak	what did we decide about the deck?
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	set := readFrozen(t, path)
	for _, l := range set.sentences {
		j := &judge{set: set, o: set.hear(t, l)}
		if !j.right(l.want) {
			t.Errorf("%q: not %v: %d operations, in %q, %q", l.text, l.want, len(j.o.ops), j.o.project, j.o.reply)
		}
		if wrong := (&judge{set: set, o: j.o}); wrong.right([]string{"task+ garden tulips"}) {
			t.Errorf("%q passes for something else", l.text)
		}
	}
}

// TestEffects judges the frozen sets by what changed: what was refused is never done.
// KIST_FROZEN=all takes every sentence, else each 40th; the floors, a little below what
// was reached on 2026-11-22, are for all of them together. KIST_EFFECTS names sets of
// one's own instead (a glob): of these -v tells each sentence that fails.
func TestEffects(t *testing.T) {
	pattern, step, own := "../testdata/frozen/*.txt", 40, os.Getenv("KIST_EFFECTS")
	if own != "" {
		pattern = own
	}
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sets: %v", err)
	}
	if os.Getenv("KIST_FROZEN") == "all" || own != "" {
		step = 1
	}
	var mu sync.Mutex
	sets := map[string]map[string]effectCount{}
	note := func(set, kind string, c effectCount) {
		mu.Lock()
		defer mu.Unlock()
		if sets[set] == nil {
			sets[set] = map[string]effectCount{}
		}
		for _, at := range []string{kind, "all"} {
			if at == "all" && (c.right > 0 && (kind == "none" || kind == "refuse") || strings.HasPrefix(kind, "kept:")) {
				continue // nothing was to be found there
			}
			sum := sets[set][at]
			sets[set][at] = effectCount{sum.right + c.right, sum.wrong + c.wrong, sum.missed + c.missed}
		}
	}
	t.Run("sets", func(t *testing.T) {
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".txt")
			if name == "dumps" {
				continue
			}
			set := readFrozen(t, path)
			for i := 0; i < len(set.sentences); i += step {
				l := set.sentences[i]
				t.Run(fmt.Sprintf("%s-%d", name, l.line), func(t *testing.T) {
					t.Parallel()
					j := &judge{set: set, o: set.hear(t, l)}
					kind, _, _ := strings.Cut(l.want[0], " ")
					acted := slices.ContainsFunc(j.o.ops, func(op vault.Operation) bool { return !unsorted(op) }) || j.o.project != j.o.before
					wanted := kind != "none" && kind != "refuse"
					var c effectCount
					switch right := j.right(l.want); {
					case right && (wanted || !acted || kind == "refuse"):
						c.right = 1
					default:
						if acted || kind == "list" || kind == "count" || kind == "answer" {
							c.wrong = 1
						}
						if wanted {
							c.missed = 1
						}
					}
					if own != "" && c.right == 0 {
						t.Logf("[%s] %s\n\twant %s\n\tgot  %s", l.active, l.text, strings.Join(l.want, " ; "), j.o)
					}
					if slices.ContainsFunc(j.o.ops, func(op vault.Operation) bool {
						return kind == "refuse" && op.Status == vault.StatusCompleted && op.Entity.Path == j.o.deleted
					}) {
						t.Errorf("line %d: what was refused is done", l.line)
					}
					note(name, kind, c)
					note("together", kind, c)
					if slices.ContainsFunc(j.o.ops, unsorted) {
						note("together", "kept:"+kind, effectCount{right: 1})
					}
				})
			}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		t.Logf("%s: %s", name, sets[name]["all"])
	}
	for _, kind := range slices.Sorted(maps.Keys(sets["together"])) {
		t.Logf("  %-10s %s", kind, sets["together"][kind])
	}
	if c := sets["together"]["all"]; step == 1 && own == "" && (share(c.right, c.wrong) < 0.79 || share(c.right, c.missed) < 0.7) {
		t.Errorf("worse than before: %s", c)
	}
}
