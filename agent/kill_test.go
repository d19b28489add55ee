//go:build unix

package agent_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent"
	"kist/agent/offline"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/vaulttest"
)

// TestMain lets the test binary stand in for a daemon that is to be killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("KIST_TEST_KILL_DIR"); dir != "" {
		victim(dir)
		return
	}
	os.Exit(vaulttest.InMemory(m).Run())
}

// victim opens a vault, says one message in it and is killed at the nth call to the
// file system that a write makes. What it wrote to standard output by then has been
// acknowledged.
func victim(dir string) {
	at, _ := strconv.Atoi(os.Getenv("KIST_TEST_KILL_AT"))
	var mu sync.Mutex
	seen, armed := 0, false
	fault := func(string) error {
		mu.Lock()
		defer mu.Unlock()
		if !armed {
			return nil
		}
		if seen++; seen == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // it takes a moment
		}
		return nil
	}
	v, err := vault.Open(context.Background(), dir, vault.Options{Now: vaulttest.Clock(), Device: "test", Fault: fault})
	must(err)
	a, err := agent.New(v, nil, offline.New(), agent.Options{Now: vaulttest.Clock(), Seed: "scene"})
	must(err)
	mu.Lock()
	armed = true
	mu.Unlock()
	if os.Getenv("KIST_TEST_KILL_SAYS") == "@sweep" {
		a, err = agent.New(v, nil, offline.New(), agent.Options{Now: monthLater})
		must(err)
		a.Sweep(context.Background())
		return
	}
	for e, err := range a.Send(context.Background(), agent.Message{Text: os.Getenv("KIST_TEST_KILL_SAYS")}) {
		must(err)
		switch e := e.(type) {
		case agent.Operation:
			fmt.Println("operation", e.ID, e.Status)
		case agent.ApprovalRequest:
			fmt.Println("proposed", e.ID)
		case agent.Done:
			fmt.Println("done", e.Turn)
		case agent.Failed:
			fmt.Println("failed", e.Err)
		}
	}
	mu.Lock()
	fmt.Println("calls", seen)
	mu.Unlock()
	must(v.Close())
}

func monthLater() time.Time { return vaulttest.Now.AddDate(0, 1, 0) }

func sweeper(t *testing.T, v *vault.Vault) *agent.Agent {
	t.Helper()
	a, err := agent.New(v, nil, offline.New(), agent.Options{Now: monthLater})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func must(err error) {
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
}

// heard is what a victim said until it died.
type heard struct {
	killed     bool
	operations []string // that were completed
	done       bool
	calls      int
}

func kill(t *testing.T, dir, says string, at int) heard {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KIST_TEST_KILL_DIR="+dir, "KIST_TEST_KILL_SAYS="+says, "KIST_TEST_KILL_AT="+strconv.Itoa(at))
	out, _ := cmd.Output()
	var h heard
	h.killed = !cmd.ProcessState.Exited()
	for s := bufio.NewScanner(strings.NewReader(string(out))); s.Scan(); {
		switch f := strings.Fields(s.Text()); f[0] {
		case "operation":
			if f[2] == string(vault.StatusCompleted) {
				h.operations = append(h.operations, f[1])
			}
		case "done":
			h.done = true
		case "calls":
			h.calls, _ = strconv.Atoi(f[1])
		case "error", "failed":
			t.Fatalf("the victim: %s", s.Text())
		}
	}
	if !h.killed && h.calls == 0 {
		t.Fatalf("the victim ended early: %s", out)
	}
	return h
}

// A scene leads up to a turn that makes several changes.
type killScene struct {
	archive string
	before  []string // said before
	says    string   // the turn that is killed
	least   int      // how many operations it makes
	on      string   // what is said after the kill
}

func killScenes() map[string]killScene {
	const dump = "OK here's everything from the weekend. The surveyor came on Saturday and the hull is sound, only two plates near the rudder need welding before spring. We decided to go with the diesel heater because the wood stove needs too much room. I need to call the welder by Wednesday, order the heater and ask the marina for a crane date in March. Lea thinks the deck paint is wrong for the climate, which may be true, she worked at a yard for six years. The insurance runs out on 31 January 2027. I also have to measure the windows for curtains."
	return map[string]killScene{
		"brain dump": {archive: boats, before: []string{"let's talk about atlas", dump}, says: "go", least: 6, on: "go on"},
		"proposals":  {archive: boats, before: []string{"let's talk about houseboat", "add tasks to sand the deck, paint the hull and order the cable. Make a note that the engine has 4000 hours"}, says: "go", least: 4, on: "go on"},
		"finalize": {archive: boats, before: []string{
			"I'm building a fitness app", "It's a small one for my phone that counts push-ups and squats with the camera.",
			"I need to sketch three screens by Friday and try out two pose libraries. It should be simple to use.", "that's all",
			"Nothing yet, only the idea", "A first version before Christmas", "I don't know", "Just me for now", "show me the draft",
		}, says: "yes", least: 4, on: "go on"},
		"many tasks": {archive: boats, before: []string{"let's talk about atlas"}, says: "add tasks to sand the deck, paint the hull, order the cable and call Bo", least: 4, on: "go on"},
	}
}

// prepare plays what comes before the kill and returns the folder, closed, and what it held at first.
func (sc killScene) prepare(t *testing.T, name string) (dir string, original map[string]string) {
	t.Helper()
	dir = vaulttest.Write(t, sc.archive)
	original = documents(t, dir)
	reopen(t, dir, func(v *vault.Vault, a *agent.Agent) {
		if name == "finalize" {
			if _, err := a.Start(context.Background(), agent.Start{Mode: "project_create"}); err != nil {
				t.Fatal(err)
			}
		}
		for _, text := range sc.before {
			say(t, a, text)
		}
	})
	return dir, original
}

func documents(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := vaulttest.Tree(t, dir, "sessions", "operations", "conversations")
	for p := range tree {
		if strings.Contains(p, "/conversations/") || p == "kist.yaml" {
			delete(tree, p)
		}
	}
	return tree
}

// anonymous is a tree without what differs from run to run.
func anonymous(tree map[string]string) map[string]string {
	out := map[string]string{}
	for p, text := range tree {
		out[p] = withoutIDs(text)
	}
	return out
}

// reopen lets the vault of a process that died live on for a while.
func reopen(t *testing.T, dir string, do func(*vault.Vault, *agent.Agent)) {
	t.Helper()
	v, err := vault.Open(context.Background(), dir, vault.Options{Now: vaulttest.Clock(), Device: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := v.Walk(context.Background(), func(vault.Info) error { return nil }, nil); err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(v, nil, offline.New(), agent.Options{Now: vaulttest.Clock(), Seed: "scene"})
	if err != nil {
		t.Fatal(err)
	}
	do(v, a)
}

func say(t *testing.T, a *agent.Agent, text string) []agent.Event {
	t.Helper()
	var events []agent.Event
	for e, err := range a.Send(context.Background(), agent.Message{Text: text}) {
		if err != nil {
			t.Fatalf("Send(%q): %v", text, err)
		}
		if f, ok := e.(agent.Failed); ok {
			t.Fatalf("Send(%q): %v", text, f.Err)
		}
		events = append(events, e)
	}
	return events
}

// TestKilledInMidTurn kills a process, by SIGKILL, at many points of a turn that makes
// several changes, and lets another go on. KIST_KILLS says how many of the points are
// tried for each scene (short form: few; 0: all), and KIST_KILL_SEED which.
func TestKilledInMidTurn(t *testing.T) {
	few, seed := 2, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("KIST_KILLS")); err == nil {
		few = n
	}
	if n, err := strconv.ParseUint(os.Getenv("KIST_KILL_SEED"), 10, 64); err == nil {
		seed = n
	}
	for name, sc := range killScenes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, uint64(len(name))))
			base, original := sc.prepare(t, name)
			whole := copied(t, base)
			h := kill(t, whole, sc.says, 0)
			if h.killed || !h.done || len(h.operations) < sc.least {
				t.Fatalf("the turn makes %d changes: %+v", len(h.operations), h)
			}
			points := random.Perm(h.calls)
			if few > 0 && few < len(points) {
				points = points[:few]
			}
			want := anonymous(documents(t, whole))
			told := map[string]int{}
			for _, p := range points {
				k := &killed{scene: sc, want: want, original: original, dir: copied(t, base)}
				k.run(t, p+1, random.IntN(2*h.calls)+1)
				told[k.told]++
			}
			t.Logf("%d kills of %d points, %d operations a turn: %v", len(points), h.calls, len(h.operations), told)
		})
	}
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	out := t.TempDir()
	if err := os.CopyFS(out, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return out
}

// killed is one kill and what comes after it.
type killed struct {
	scene          killScene
	want, original map[string]string
	dir            string
	told           string
}

// run kills the turn at a point, maybe the one that goes on with it as well, and goes
// on.
func (k *killed) run(t *testing.T, at, again int) {
	t.Helper()
	h := kill(t, k.dir, k.scene.says, at)
	if !h.killed {
		t.Fatalf("at %d: not killed", at)
	}
	acked := h.operations
	rounds := fmt.Sprintf("at %d", at)
	k.told = "not begun"
	ends := h.done
	if !h.done && k.interrupted(t) {
		k.told = "interrupted"
		if second := kill(t, k.dir, k.scene.on, again); second.killed {
			rounds = fmt.Sprintf("at %d and %d", at, again)
			acked, ends = append(acked, second.operations...), second.done
		} else {
			acked, ends = append(acked, second.operations...), true
		}
	}
	reopen(t, k.dir, func(v *vault.Vault, a *agent.Agent) {
		k.goOn(t, v, a, rounds, ends)
		k.check(t, v, rounds, acked)
		sess := onlySession(t, v)
		if _, err := v.Undo(context.Background(), vault.UndoTarget{Session: sess.ID}, vault.Origin{Actor: vault.ActorUser}); err != nil {
			t.Errorf("%s: undo: %v", rounds, err)
		}
	})
	if diff := cmp.Diff(k.original, documents(t, k.dir)); diff != "" {
		t.Errorf("%s: undoing the session leaves (-was +is):\n%s", rounds, diff)
	}
}

// interrupted reports whether the session's file has an open turn.
func (k *killed) interrupted(t *testing.T) (open bool) {
	reopen(t, k.dir, func(v *vault.Vault, _ *agent.Agent) { open = onlySession(t, v).Interrupted != nil })
	return open
}

// goOn says what a user would say now.
func (k *killed) goOn(t *testing.T, v *vault.Vault, a *agent.Agent, when string, ends bool) {
	cut := onlySession(t, v).Interrupted
	switch {
	case cut != nil && cut.Text == k.scene.says || cut != nil && cut.Text == k.scene.on:
		events := say(t, a, k.scene.on)
		if n, ok := events[0].(agent.Notice); !ok || !strings.Contains(n.Text, "interrupted") {
			t.Errorf("%s: the user is not told: %s", when, transcript(events))
		}
	case cut != nil:
		t.Errorf("%s: the open turn says %q", when, cut.Text)
	case !ends && !k.recorded(t, v): // it was never begun: nothing was acknowledged
		say(t, a, k.scene.says)
	}
}

// recorded reports whether the turn is in a conversation: then only the answer was
// cut off.
func (k *killed) recorded(t *testing.T, v *vault.Vault) bool {
	for _, project := range places {
		turns, err := conversation.RecentTurns(context.Background(), v, project, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(turns) == 1 && turns[0].User == k.scene.says {
			return true
		}
	}
	return false
}

var places = []string{"", "atlas", "houseboat", "fitness-app"}

func onlySession(t *testing.T, v *vault.Vault) conversation.Session {
	t.Helper()
	all, err := conversation.Sessions(context.Background(), v)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	return all[0]
}

var turnID = regexp.MustCompile(`(?m)^<!-- turn (\S+) session \S+ at \S+ -->$`)

// check looks at what the folder holds after all.
func (k *killed) check(t *testing.T, v *vault.Vault, when string, acked []string) {
	t.Helper()
	if diff := cmp.Diff(k.want, anonymous(documents(t, k.dir))); diff != "" {
		t.Errorf("%s: the documents (-want +got):\n%s", when, diff)
	}
	ops, err := v.Operations(context.Background(), vault.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]vault.Operation{}
	for _, op := range ops {
		byID[op.ID] = op
		if op.Status == vault.StatusBegun || op.Status == vault.StatusApproved {
			t.Errorf("%s: %s %s has no end", when, op.Type, op.Entity.Path)
		}
	}
	for _, id := range acked {
		if byID[id].Status != vault.StatusCompleted {
			t.Errorf("%s: %s was acknowledged and is %q", when, id, byID[id].Status)
		}
	}
	turns := k.turns(t, v, when)
	named := ""
	for _, ids := range turns {
		named += strings.Join(ids, " ")
	}
	for _, op := range ops {
		if n := len(turns[op.Turn]); op.Turn != "" && n == 0 {
			t.Errorf("%s: the operation %s is of the turn %s, which nobody recorded", when, op.Entity.Path, op.Turn)
		}
		// What was proposed anew after a crash has an id that nobody has seen.
		anew := func(other vault.Operation) bool {
			return other.Status == vault.StatusRolledBack && other.Entity == op.Entity
		}
		if op.Status == vault.StatusCompleted && !strings.Contains(named, op.ID) && !slices.ContainsFunc(ops, anew) {
			t.Errorf("%s: the conversation doesn't name %s of %s", when, op.ID, op.Entity.Path)
		}
	}
}

// turns returns the operations that the conversations name, by the turn, each of
// which is there once.
func (k *killed) turns(t *testing.T, v *vault.Vault, when string) map[string][]string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(k.dir, "projects", "*", "conversations", "*.md"))
	more, _ := filepath.Glob(filepath.Join(k.dir, "conversations", "*.md"))
	lines := map[string]bool{}
	for _, f := range append(files, more...) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range turnID.FindAllStringSubmatch(string(text), -1) {
			lines[m[1]] = true
		}
	}
	out := map[string][]string{}
	for _, project := range places {
		all, err := conversation.RecentTurns(context.Background(), v, project, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range all {
			if _, twice := out[turn.ID]; twice {
				t.Errorf("%s: the turn %s is told twice", when, turn.ID)
			}
			out[turn.ID] = append(turn.Operations, "")
			if strings.TrimSpace(turn.User) == "" {
				t.Errorf("%s: the turn %s has no message", when, turn.ID)
			}
		}
	}
	if len(out) != len(lines) {
		t.Errorf("%s: %d turns are read of %d in the files", when, len(out), len(lines))
	}
	return out
}
