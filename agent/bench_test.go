//go:build unix

package agent_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/index"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// benchFiles is how many files the vault of [BenchmarkTurn] has: 2,000, or what
// KIST_FILES says. A tenth of them, and as many tasks, are projects.
func benchFiles(b *testing.B) int {
	files := 2000
	if s := os.Getenv("KIST_FILES"); s != "" {
		if _, err := fmt.Sscan(s, &files); err != nil {
			b.Fatal(err)
		}
	}
	return files
}

// A rig is a stage as the daemon has it, with a vault that watches its folder and
// counts what it makes durable.
type rig struct {
	index *index.Index
	*stage
	syncs atomic.Int64 // fsyncs of files and folders
}

func newRig(b *testing.B, files int) *rig {
	b.Helper()
	var archive strings.Builder
	archive.WriteString(boats)
	projects := files / 10
	for i := range files - 2*projects {
		fmt.Fprintf(&archive, "-- %s --\n# Page %d\n\nThe %d. entry of the log is about weather, tides and rope %d.\n", filepath.Join("log", fmt.Sprint(i%50), fmt.Sprintf("page-%d.md", i)), i, i, i%97)
	}
	for i := range projects {
		fmt.Fprintf(&archive, "-- projects/project-%d/project.md --\n---\ntype: project\nname: Undertaking %d\nstatus: active\n---\n# Undertaking %d\n\nAbout harbour %d.\n-- projects/project-%d/tasks/do.md --\n---\ntype: task\ntitle: Do %d\nstatus: todo\n---\n", i, i, i, i, i, i)
	}
	r := &rig{stage: &stage{now: vaulttest.Now}}
	v, err := vault.Open(context.Background(), vaulttest.Write(b, archive.String()), vault.Options{Device: "test", Fault: func(call string) error {
		if call == "fsync" || call == "fsync folder" {
			r.syncs.Add(1)
		}
		return nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	x, err := index.Open(v, index.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() { done <- v.Run(ctx) }()
	go func() { done <- x.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, <-done, x.Close(), v.Close()); err != nil {
			b.Error(err)
		}
	})
	for v.Watching() == nil || !v.Compared() {
		time.Sleep(10 * time.Millisecond)
	}
	r.vault, r.index = v, x
	if r.agent, err = agent.New(v, x, offline.New(), agent.Options{}); err != nil {
		b.Fatal(err)
	}
	r.settle(b)
	return r
}

// settle waits for what follows a turn: a person types more slowly.
func (r *rig) settle(b *testing.B) {
	b.Helper()
	if err := r.index.Wait(b.Context(), r.vault.Seq()); err != nil {
		b.Fatal(err)
	}
}

// say takes a turn and returns its id's session, and the times of its first event
// and of its end.
func (r *rig) say(b *testing.B, m agent.Message) (session string, first, whole time.Duration) {
	b.Helper()
	start := time.Now()
	for e, err := range r.agent.Send(b.Context(), m) {
		if err != nil {
			b.Fatal(err)
		}
		if first == 0 {
			first = time.Since(start)
		}
		switch e := e.(type) {
		case agent.Failed:
			b.Fatal(e.Err)
		case agent.Done:
			session = e.Session
		}
	}
	return session, first, time.Since(start)
}

// floor does what a number of durable writes costs by itself: a file and its
// folder, in turns.
func floor(b *testing.B, dir string, syncs int64) time.Duration {
	b.Helper()
	start := time.Now()
	text := make([]byte, 1<<10)
	for n := range syncs {
		if n%2 == 1 {
			d, err := os.Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			if err := errors.Join(d.Sync(), d.Close()); err != nil {
				b.Fatal(err)
			}
			continue
		}
		f, err := os.Create(filepath.Join(dir, "temp"))
		if err != nil {
			b.Fatal(err)
		}
		_, err = f.Write(text)
		if err := errors.Join(err, f.Sync(), f.Close(), os.Rename(f.Name(), filepath.Join(dir, "target"))); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}

// processor is the time that this process has had of the processors.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A tally holds what a benchmark saw of each turn. Beside it stand, from the same
// minutes, what its durable writes and one search cost by themselves, so that a busy
// machine shows as one.
type tally struct {
	first, whole, floor, search []time.Duration
	busy                        time.Duration
	syncs                       int64
}

// take measures one turn.
func (t *tally) take(b *testing.B, r *rig, dir string, m agent.Message) {
	b.Helper()
	before, syncs := processor(b), r.syncs.Load()
	_, first, whole := r.say(b, m)
	t.busy += processor(b) - before
	syncs = r.syncs.Load() - syncs
	t.syncs += syncs
	t.first, t.whole = append(t.first, first), append(t.whole, whole)
	t.floor = append(t.floor, floor(b, dir, syncs))
	start := time.Now()
	if _, err := r.index.Search(b.Context(), index.Query{Text: "rope weather", Limit: 6}); err != nil {
		b.Fatal(err)
	}
	t.search = append(t.search, time.Since(start))
}

func (t *tally) report(b *testing.B) {
	for _, s := range []struct {
		name  string
		times []time.Duration
	}{{"first", t.first}, {"turn", t.whole}, {"floor", t.floor}, {"search", t.search}} {
		slices.Sort(s.times)
		b.ReportMetric(float64(s.times[len(s.times)/2].Microseconds())/1000, s.name+"-p50-ms")
		b.ReportMetric(float64(s.times[len(s.times)*95/100].Microseconds())/1000, s.name+"-p95-ms")
	}
	b.ReportMetric(float64(t.busy.Microseconds())/1000/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(t.syncs)/float64(b.N), "fsyncs/op")
	b.ReportMetric(0, "ns/op") // it would hold what goes on between turns
}

// BenchmarkTurn measures turns of the offline partner in a vault of many files, in
// milliseconds: the first event and the whole turn of each kind of message, the
// processor time that passes meanwhile, and beside them the floor (its durable
// writes alone) and one hybrid search.
func BenchmarkTurn(b *testing.B) {
	r := newRig(b, benchFiles(b))
	dir := b.TempDir()
	session, _, _ := r.say(b, agent.Message{Session: "new", Text: "switch to atlas"})
	in := func(text string) func(*testing.B, int) agent.Message {
		return func(_ *testing.B, i int) agent.Message {
			return agent.Message{Session: session, Project: "atlas", Text: strings.ReplaceAll(text, "%d", fmt.Sprint(i))}
		}
	}
	for _, kind := range []struct {
		name    string
		message func(b *testing.B, i int) agent.Message // prepares a turn
	}{
		{"switch", in("let's talk about the houseboat")},
		{"list", in("list my projects")},
		{"tasks", in("which tasks are due this week?")},
		{"add", in("add a task to draw map %d")},
		{"done", r.doable},
		{"question", in("what do we know about rope %d?")},
		{"news", in("the surveyor said the hull of boat %d is rotten near the stern")},
		{"none", in("the quick brown fox jumps over fence %d")},
		{"guided", r.guided},
		{"go", r.proposed},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var t tally
			for i := range b.N {
				m := kind.message(b, i)
				r.settle(b)
				t.take(b, r, dir, m)
			}
			t.report(b)
		})
	}
}

// doable adds a task, of which the turn says that it is done.
func (r *rig) doable(b *testing.B, i int) agent.Message {
	step, err := entity.PlanCreateTask(b.Context(), r.vault, entity.NewTask{Project: "atlas", Title: fmt.Sprintf("Order compass %d", i)}, vault.ActorUser)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.vault.Apply(b.Context(), vault.Batch{Steps: []vault.Step{step}}); err != nil {
		b.Fatal(err)
	}
	return agent.Message{Session: "new", Project: "atlas", Text: fmt.Sprintf("compass %d is ordered", i)}
}

// guided begins a draft; the answer to its first question is the turn.
func (r *rig) guided(b *testing.B, i int) agent.Message {
	if err := os.RemoveAll(filepath.Join(r.vault.Dir(), "drafts")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.Fatal(err)
	}
	o, err := r.agent.Start(b.Context(), agent.Start{Mode: "project_create"})
	if err != nil {
		b.Fatal(err)
	}
	r.say(b, agent.Message{Session: o.Session.ID, Text: fmt.Sprintf("I want to open a coffee shop at pier %d", i)})
	return agent.Message{Session: o.Session.ID, Text: "It's for the sailors of the harbour, who have nowhere to sit when it rains"}
}

// proposed has a task wait for approval; the go is the turn.
func (r *rig) proposed(b *testing.B, i int) agent.Message {
	s, _, _ := r.say(b, agent.Message{Session: "new", Project: "houseboat", Text: fmt.Sprintf("add a task to paint door %d", i)})
	return agent.Message{Session: s, Text: "go"}
}

// BenchmarkTurnAfter measures the same turn in a conversation of 10 and of 3,000
// turns, each of which has left an operation and a source: the cost is to be equal.
func BenchmarkTurnAfter(b *testing.B) {
	r := newRig(b, 200)
	dir := b.TempDir()
	for _, length := range []int{10, 3000} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			session := r.talked(b, length)
			var t tally
			for i := range b.N {
				r.settle(b)
				t.take(b, r, dir, agent.Message{Session: session, Text: fmt.Sprintf("what do we know about rope %d?", i)})
			}
			t.report(b)
		})
	}
}

// talked makes a session, in a project of its own, that has had so many turns.
func (r *rig) talked(b *testing.B, turns int) string {
	b.Helper()
	ctx, v := b.Context(), r.vault
	s := conversation.Session{ID: v.NewID(), Device: v.Device(), Mode: "general", Turns: turns, Created: time.Now(), LastUsed: time.Now()}
	step, err := entity.PlanCreateProject(v, entity.NewProject{Name: fmt.Sprintf("Talk of %d %s", turns, s.ID)}, vault.ActorAgent)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := v.Apply(ctx, vault.Batch{Steps: []vault.Step{step}}); err != nil {
		b.Fatal(err)
	}
	s.Project = v.ProjectOf(step.Entity.Path)
	text := []byte("# Log\n")
	batch := vault.Batch{Origin: vault.Origin{Actor: vault.ActorAgent, Session: s.ID}}
	note := filepath.Join("notes", s.ID+".md")
	batch.Steps = append(batch.Steps, vault.Step{Type: vault.OpCreate, Entity: vault.Entity{Type: "note", Path: note}, Changes: []vault.Change{{Path: note, After: text}}})
	for i := 1; i < turns; i++ {
		before := text
		text = fmt.Appendf(nil, "# Log\n\nturn %d\n", i)
		batch.Steps = append(batch.Steps, vault.Step{Type: vault.OpUpdate, Entity: vault.Entity{Type: "note", Path: note}, Changes: []vault.Change{{Path: note, Before: before, After: text}}})
	}
	ops, err := v.Apply(ctx, batch)
	if err != nil {
		b.Fatal(err)
	}
	for i, op := range ops {
		_, err := conversation.AppendTurn(ctx, v, conversation.Turn{
			ID: v.NewID(), Session: s.ID, Project: s.Project, At: time.Now(), User: fmt.Sprintf("note turn %d", i), Reply: strings.Repeat("It's noted, as you asked. ", 20),
			Operations: []string{op.ID}, Context: []string{fmt.Sprintf("log/%d/page-%d.md:1", i%50, i%100)},
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := conversation.SaveSession(ctx, v, s); err != nil {
		b.Fatal(err)
	}
	return s.ID
}

// BenchmarkManyCalls measures by how much the heap grows, at most, while one turn makes 200
// calls in 25 steps: what is alive when the model is asked, beside what was before the turn.
// The vault and its index, which take in what the calls change, are in it. Goal: 8 MiB.
func BenchmarkManyCalls(b *testing.B) {
	var most uint64
	alive := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	asked, turns := 0, 0
	script := &lean{answer: func() agenttest.Step {
		defer func() { asked++ }()
		if most = max(most, alive()); asked == 25 {
			return agenttest.Say("All is done.")
		}
		var calls []string
		for i := range 4 {
			calls = append(calls, "create_task", fmt.Sprintf(`{"title":"Draw map %d of harbour %d for trip %d"}`, i, asked, turns))
		}
		return agenttest.Call(append(calls, "search", `{"query":"rope weather"}`, "list_tasks", `{}`, "read_document", `{"path":"log/log.md"}`, "list_projects", `{}`)...)
	}}
	s := newStage(b, boats+"-- log/log.md --\n"+strings.Repeat("The entry of the log is about weather, tides and rope.\n", 400), script, agent.Options{})
	var growth uint64
	for range b.N {
		if err := s.index.Wait(b.Context(), s.vault.Seq()); err != nil {
			b.Fatal(err)
		}
		asked, most = 0, 0
		turns++
		least, calls := alive(), 0
		for e, err := range s.agent.Send(b.Context(), agent.Message{Session: "new", Project: "atlas", Text: "go"}) {
			switch e := e.(type) {
			case agent.ToolCall:
				calls++
			case agent.Failed:
				err = e.Err
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		if calls != 200 || asked != 26 {
			b.Fatalf("%d calls in %d requests", calls, asked)
		}
		growth = max(growth, max(most, least)-least)
	}
	b.ReportMetric(float64(growth)/(1<<20), "growth-MiB")
}

// lean is a model that keeps nothing of what it is asked.
type lean struct{ answer func() agenttest.Step }

func (*lean) Name() string { return "lean" }

func (l *lean) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	step := l.answer()
	return agenttest.NewScript(step).Generate(ctx, req)
}
