package sync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/vault"
	"kist/vault/merge/semantic"
)

// A history is some machines that change their vaults at random, sync at random, are killed
// and start again, and at last all sync. Each text that is written has a word of its own, so
// that what is lost can be told. It is decided by its seed.
type history struct {
	t        testing.TB
	seed     uint64
	rand     *rand.Rand // of the step under way
	machines []*machine
	words    int
	written  map[string]string // words, and what wrote them
	removed  map[string]bool   // those that somebody took away on purpose, having seen them
	kin      map[string]string // words that came in the place of others, and the first of these
	home     map[string]string // words, and the heading below which they were written
	ticked   map[string]bool   // words of items that somebody ticked
	families map[string]bool   // ticked ones, by the first word
	torn     map[string]bool   // words of documents that share a name: they may stand in two
	named    map[string]string // what was moved to a name
	ops      []string
	own      map[string]string // those of what is left out, which stay with the machine that made them
	steps    []int
	done     []string // what was done, for a person to read
	clock    time.Time
	stay     bool // conflict copies are left out: each machine has those that it made, and those of its own versions
}

// leavesOut has the machines leave conflict copies out, or not.
func (h *history) leavesOut(copies bool) {
	if h.stay = copies; copies {
		for _, m := range h.machines {
			m.leaveOut = []string{"*.conflict-*"}
		}
	}
}

// killed is what a step panics with where it stands for a kill.
type killed struct{}

// fleets are machines that were set up once, by how many they are; each history begins with a copy.
var fleets struct {
	sync.Mutex
	dir  string
	made map[int]fleet
}

// A fleet is some machines with one remote, in a folder.
type fleet struct {
	dir     string
	words   int
	written map[string]string
}

func nameOf(machine int) string { return "m" + string(rune('a'+machine)) }

// fleetOf sets so many machines up, unless there are such: the first has some documents, the fourth of four is a shallow
// clone, and the fifth of five a partial one.
func fleetOf(t testing.TB, machines int) fleet {
	t.Helper()
	fleets.Lock()
	defer fleets.Unlock()
	if f, ok := fleets.made[machines]; ok {
		return f
	}
	h := &history{t: t, rand: rand.New(rand.NewPCG(0, 0)), written: map[string]string{}, clock: firstTime()}
	dir := filepath.Join(fleets.dir, fmt.Sprint("fleet", machines))
	remote := filepath.Join(dir, "remote.git")
	run(t, fleets.dir, "init", "-q", "--template=", "--bare", remote)
	run(t, remote, "config", "uploadpack.allowFilter", "true")
	for i := range machines {
		m := machineIn(t, dir, nameOf(i))
		if machines == inALarger {
			m.larger()
			run(t, dir, "init", "-q", "--template=", nameOf(i))
			if i == 0 {
				write(t, m.top(), "code/shared.c", h.word("code"))
				write(t, m.top(), ".gitattributes", "*.c text\n")
				run(t, m.top(), "add", ".")
				run(t, m.top(), "commit", "-qm", "code")
			}
		}
		m.now = func() time.Time { h.clock = h.clock.Add(time.Second); return h.clock }
		address := remote
		switch last := i == machines-1; {
		case last && machines == 4:
			address = "file://" + remote
			run(t, dir, "clone", "-q", "--depth=1", address, m.dir)
		case last && machines == 5:
			address = "file://" + remote
			run(t, dir, "clone", "-q", "--filter=blob:none", address, m.dir)
		default:
			if _, err := vault.Init(m.dir); err != nil {
				t.Fatal(err)
			}
		}
		m.open()
		if i == 0 {
			for n := range 4 {
				m.write(fmt.Sprintf("notes/n%d.md", n), h.document(fmt.Sprint("n", n)))
			}
			m.write("data.bin", "\x00"+h.word("binary"))
		}
		m.setUp(address)
		if err := m.vault.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if fleets.made == nil {
		fleets.made = map[int]fleet{}
	}
	fleets.made[machines] = fleet{dir, h.words, h.written}
	return fleets.made[machines]
}

func firstTime() time.Time { return time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC) }

func newHistory(t testing.TB, seed uint64, machines int, merge merger3) *history {
	t.Helper()
	f := fleetOf(t, machines)
	var names []string
	for i := range machines {
		names = append(names, nameOf(i))
	}
	top := copyOfAll(t, f.dir, names...)
	h := &history{t: t, seed: seed, rand: rand.New(rand.NewPCG(seed, 0)), words: f.words, written: maps.Clone(f.written), removed: map[string]bool{}, clock: firstTime().Add(time.Hour),
		kin: map[string]string{}, home: map[string]string{}, ticked: map[string]bool{}, families: map[string]bool{}, torn: map[string]bool{}, named: map[string]string{}, own: map[string]string{}}
	for _, name := range names {
		m := machineIn(t, top, name)
		if machines == inALarger {
			m.larger()
		}
		m.merge = merge
		skew := time.Duration(h.rand.IntN(7)-3) * time.Hour * 24
		m.now = func() time.Time { h.clock = h.clock.Add(time.Second); return h.clock.Add(skew) }
		left := -1
		m.step = func(string) {
			if left--; left == 0 {
				panic(killed{})
			}
		}
		m.kills = func(n int) { left = n }
		m.open()
		h.machines = append(h.machines, m)
	}
	return h
}

// word returns a new word, of what writes it.
func (h *history) word(by string) string {
	h.words++
	w := wordOf(h.words)
	h.written[w] = by
	return w
}

func wordOf(n int) string { return fmt.Sprintf("word%04dx", n) }

// document is one with all that the merge knows: keys, sections, lists, checkboxes, a table.
func (h *history) document(title string) string {
	like := h.phrase()
	return "---\ntitle: " + h.word(title) + "\nstatus: active\ntags: [" + h.word(title) + "]\n---\n# " + title + "\n\n" + h.word(title) + " begins here.\n\n## Goals\n\n- " + h.word(title) + like + "\n- " + h.word(title) +
		"\n\n## Tasks\n\n- [ ] " + h.word(title) + like + "\n- [ ] " + h.word(title) + like + "\n- [ ] " + h.word(title) + like + "\n\n## Table\n\n| a | b |\n|---|---|\n| " + h.word(title) + " | 1 |\n"
}

// forget notes that what a text has was seen by who took it away.
func (h *history) forget(text string) {
	for w := range h.written {
		if strings.Contains(text, w) {
			h.removed[w] = true
		}
	}
}

func (h *history) log(m *machine, format string, args ...any) string {
	s := m.name + ": " + fmt.Sprintf(format, args...)
	h.done = append(h.done, s)
	return s
}

// one returns a document of a machine at random.
func (h *history) one(m *machine) string {
	var all []string
	for p := range m.files() {
		if strings.HasSuffix(p, ".md") && !strings.HasPrefix(p, "conversations/") {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all[h.rand.IntN(len(all))]
}

// inALarger is how many machines there are where the vault of each is a folder of a larger repository.
const inALarger = 6

// larger makes the vault a folder of the repository, rather than all of it.
func (m *machine) larger() { m.dir = filepath.Join(m.dir, "vault") }

// top is the folder of the repository.
func (m *machine) top() string { return filepath.Dir(git.Dir(m.dir)) }

// besides makes a change outside of the vault by plain git: of a file that only this machine changes, or of a new one, or of a link.
func (h *history) besides(m *machine) {
	own := "code/" + m.name + ".c"
	by := h.log(m, "commits %s", own)
	if old, err := os.ReadFile(filepath.Join(m.top(), filepath.FromSlash(own))); err == nil {
		h.forget(string(old))
	}
	write(h.t, m.top(), own, h.word(by)+"\n")
	if h.rand.IntN(2) == 0 {
		write(h.t, m.top(), fmt.Sprintf("code/%s/%d.c", m.name, h.words), h.word(by)+"\n")
	}
	at := filepath.Join(m.top(), "code", m.name+"-last")
	_ = os.Remove(at)
	if err := os.Symlink(fmt.Sprintf("%s/%d.c", m.name, h.words), at); err != nil {
		h.t.Fatal(err)
	}
	run(h.t, m.top(), "add", "code")
	run(h.t, m.top(), "commit", "-qm", "code", "--", "code")
}

// outside is what a machine has outside of the vault.
func (m *machine) outside() string {
	var b strings.Builder
	for _, p := range nonEmpty(run(m.t, m.top(), "ls-files", "code")) {
		at := filepath.Join(m.top(), filepath.FromSlash(p))
		text, err := os.ReadFile(at)
		if to, e := os.Readlink(at); e == nil {
			text, err = []byte("-> "+to), nil
		}
		fmt.Fprintf(&b, "%s: %s %v\n", p, text, err)
	}
	return b.String()
}

// change makes one change at random.
func (h *history) change(m *machine) {
	if m.top() != m.dir && h.rand.IntN(3) == 0 {
		h.besides(m)
		return
	}
	p := h.one(m)
	text := m.read(p)
	lines := strings.SplitAfter(text, "\n")
	switch kind := h.rand.IntN(16); kind {
	case 0, 1: // a line more
		by := h.log(m, "adds a line to %s", p)
		at := len(lines) / 2
		if at < 6 || h.rand.IntN(2) == 0 {
			at = len(lines)
		}
		lines = slices.Insert(lines, at, []string{"- ", "- [ ] "}[h.rand.IntN(2)]+h.item(by, text)+"\n")
		m.write(p, strings.Join(lines, ""))
	case 2, 3: // another line in the place of one
		at := h.rand.IntN(len(lines))
		if l := lines[at]; !strings.HasPrefix(l, "- ") {
			return
		}
		by := h.log(m, "changes line %d of %s", at+1, p)
		lines[at] = h.edit(lines[at], by)
		m.write(p, strings.Join(lines, ""))
	case 4: // a box is checked
		h.tick(m, p, lines)
	case 5: // a key
		by := h.log(m, "sets a key of %s", p)
		for i, l := range lines {
			if strings.HasPrefix(l, "title: ") && i < 5 {
				h.forget(l)
				lines[i] = "title: " + h.word(by) + "\n"
			}
		}
		m.write(p, strings.Join(lines, ""))
	case 6: // a new document, perhaps of a name that another one takes as well
		p = fmt.Sprintf("new/d%d.md", h.rand.IntN(6))
		if m.read(p) == "-" {
			m.write(p, h.document(h.log(m, "creates %s", p)))
		}
	case 7: // gone
		if strings.HasPrefix(p, "notes/") {
			h.log(m, "deletes %s", p)
			h.forget(text)
			m.remove(p)
		}
	case 8: // moved
		to := fmt.Sprintf("%s/moved%d.md", []string{"notes", "new", "deep/er"}[h.rand.IntN(3)], h.rand.IntN(8))
		if m.read(to) == "-" && !strings.Contains(p, ".conflict-") {
			h.log(m, "moves %s to %s", p, to)
			h.name(to, text)
			m.write(to, text)
			m.remove(p)
		}
	case 9: // a row
		by := h.log(m, "adds a row to %s", p)
		m.write(p, strings.Replace(text, "|---|---|\n", "|---|---|\n| "+h.word(by)+" | 2 |\n", 1)+by+"\n\n")
		if !strings.Contains(text, "|---|---|\n") {
			h.forget(fmt.Sprintf("word%04dx", h.words)) // there is no table
		}
	case 10: // a file that is no document
		by := h.log(m, "writes data.bin")
		h.forget(m.read("data.bin"))
		m.write("data.bin", "\x00"+h.word(by))
	case 11: // an operation
		h.operate(m, p, text)
	default:
		h.rarer(m, p, text)
	}
}

func (h *history) operate(m *machine, p, text string) {
	by := h.log(m, "an operation on %s", p)
	ops, err := m.vault.Apply(context.Background(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
		Type: vault.OpUpdate, Entity: vault.Entity{Type: "note", Path: p}, Reason: "said so", Changes: []vault.Change{{Path: p, Before: []byte(text), After: []byte(text + "\n" + h.word(by) + "\n")}},
	}}})
	if err != nil {
		h.t.Fatalf("%s: %v", by, err)
	}
	if h.ops = append(h.ops, ops[0].ID); h.stay && strings.Contains(p, copies.Mark) {
		h.own[ops[0].ID] = m.name
	}
	if h.rand.IntN(3) == 0 {
		by := h.log(m, "undoes that")
		if _, err := m.vault.Undo(context.Background(), vault.UndoTarget{ID: ops[0].ID}, vault.Origin{Actor: vault.ActorUser}); err != nil {
			h.t.Fatalf("%s: %v", by, err)
		}
		h.forget(fmt.Sprintf("word%04dx", h.words))
	}
}

// mostly is the usual one of two numbers, and the other one in rough histories: of more rounds, more of them killed, and more pulls by hand.
func mostly(usual, rough int) int {
	if os.Getenv("KIST_SYNC_ROUGH") != "" {
		return rough
	}
	return usual
}

// sync makes a round, which is sometimes killed.
func (h *history) sync(m *machine) {
	n := -1
	if h.rand.IntN(mostly(4, 2)) == 0 {
		n = 1 + h.rand.IntN(14)
	}
	h.log(m, "syncs (killed at %d)", n)
	m.kills(n)
	defer m.kills(-1)
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(killed); !ok {
				panic(r)
			}
			m.sound()
			m.vault.Close()
			m.open()
		}
	}()
	if _, err := m.engine.Now(context.Background(), Request{}, nil); err != nil && !errors.Is(err, git.ErrBehind) {
		h.t.Errorf("%s: %v", m.name, err)
	}
}

// run makes the history of some of its steps and returns what is wrong at its end. Each step is decided
// by the seed and its own number, so that others can be left out.
func (h *history) run(steps []int) (faults []string) {
	h.steps = steps
	for _, step := range steps {
		h.rand = rand.New(rand.NewPCG(h.seed, uint64(step+1)))
		m, words := h.machines[h.rand.IntN(len(h.machines))], h.words
		h.change(m)
		h.places(m, words)
		if h.rand.IntN(mostly(5, 3)) == 0 {
			h.sync(m)
		}
	}
	h.settle()
	return h.faults()
}

// settle syncs the machines until all are at the remote's commit. What one of them would still have to commit, its
// git's status shows.
func (h *history) settle() {
	at := func(gitDir string) string {
		text, err := os.ReadFile(filepath.Join(gitDir, "refs", "heads", "main"))
		if err != nil {
			h.t.Fatal(err)
		}
		return string(text)
	}
	remote := filepath.Join(filepath.Dir(h.machines[0].top()), "remote.git")
	for n := range 4 {
		for _, m := range h.machines {
			if n == 0 || at(git.Dir(m.dir)) != at(remote) {
				m.sync()
			}
		}
		if !slices.ContainsFunc(h.machines, func(m *machine) bool { return at(git.Dir(m.dir)) != at(remote) }) {
			return
		}
	}
	h.t.Error("the machines never come to an end")
}

// faults are what the end must not be.
func (h *history) faults() (all []string) {
	fault := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	var everything, logs strings.Builder
	count := func(m *machine, p, text string) {
		if strings.HasPrefix(p, "operations/") {
			logs.WriteString(text)
			return
		}
		everything.WriteString(text)
		if strings.Contains(text, "<<<<<<<") || strings.Contains(text, ">>>>>>>") {
			fault("%s has markers", p)
		}
		if strings.Contains(p, copies.Mark) && !m.lists(p) {
			fault("%s is not listed", p)
		}
	}
	shared := func(m *machine) map[string]string {
		files := m.files()
		for p, text := range files {
			if h.stay && (strings.Contains(p, copies.Mark) || m.vault.Layout().Unsent(p)) {
				count(m, p, text)
				delete(files, p)
			}
		}
		return files
	}
	first := shared(h.machines[0])
	for _, m := range h.machines[1:] {
		files := shared(m)
		for p := range first {
			if first[p] != files[p] {
				fault("%s is not the same on %s and %s", p, h.machines[0].name, m.name)
			}
		}
		for p := range files {
			if _, ok := first[p]; !ok {
				fault("%s is only on %s", p, m.name)
			}
		}
	}
	for p, text := range first {
		count(h.machines[0], p, text)
	}
	if len(h.machines) == inALarger {
		everything.WriteString(h.machines[0].outside())
		for _, m := range h.machines[1:] {
			if a, b := h.machines[0].outside(), m.outside(); a != b {
				fault("outside of the vault %s has %q and %s has %q", h.machines[0].name, a, m.name, b)
			}
		}
	}
	for w, by := range h.written {
		if !h.removed[w] && !strings.Contains(everything.String(), w) {
			fault("%s is lost (%s)", w, by)
		}
	}
	h.misplaced(first, fault)
	for _, id := range h.ops {
		if !strings.Contains(logs.String(), id) {
			fault("operation %s is lost", id)
		}
	}
	for _, m := range h.machines {
		for _, s := range nonEmpty(m.git("status", "--porcelain", "-uall")) {
			if !h.stay || !strings.Contains(s, copies.Mark) && !strings.HasSuffix(s, ".unsent.yaml") {
				fault("%s: git status says %s", m.name, s)
			}
		}
		h.unlisted(m, fault)
		m.sound()
	}
	slices.Sort(all)
	return all
}

// lists reports whether a conflict copy is listed.
func (m *machine) lists(p string) bool {
	list, err := m.engine.Conflicts(context.Background())
	return err == nil && slices.ContainsFunc(list, func(c Conflict) bool { return c.Path == p })
}

// TestMachinesConverge makes random histories: whatever machines do, at last all have the
// same, with all that was written. KIST_SYNC_SEED runs one seed alone, KIST_SYNC_STEPS makes longer ones. KIST_SYNC_CONFLICTS
// is a folder that gets the texts of each conflict; then git is asked of all of them. KIST_SYNC_ROUGH makes rough ones.
func TestMachinesConverge(t *testing.T) {
	t.Parallel()
	from, n, length := uint64(1), uint64(1), 15
	if l := long(); l > 0 {
		n, length = uint64(l), 25
	}
	if _, err := fmt.Sscan(os.Getenv("KIST_SYNC_SEED"), &from); err == nil {
		n, length = max(1, uint64(long())), 25
	}
	if steps, err := strconv.Atoi(os.Getenv("KIST_SYNC_STEPS")); err == nil {
		length = steps
	}
	var rate rates
	var seeds []uint64
	for seed := from; seed < from+n; seed++ {
		seeds = append(seeds, seed)
	}
	if long() == 0 && os.Getenv("KIST_SYNC_SEED") == "" {
		seeds = append(seeds, 5) // one of a larger repository
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			machines := 2 + int(seed)%4
			if seed%5 == 0 {
				machines = inALarger
			}
			var merge merger3 // git is asked as well of a quarter of them
			if seed/4%4 == 0 || os.Getenv("KIST_SYNC_CONFLICTS") != "" {
				merge = rate.count(t)
			}
			h := newHistory(t, seed, machines, merge)
			h.leavesOut(seed%7 == 3)
			ended := false
			defer func() {
				if !ended { // in the middle of it
					t.Logf("seed %d: what was done:\n%s", seed, strings.Join(h.done, "\n"))
				}
			}()
			faults := h.run(upTo(length))
			ended = true
			if merge != nil && long() > 0 {
				rate.say(t)
			}
			if len(faults) == 0 && !t.Failed() {
				return
			}
			if long() > 0 && len(faults) > 0 {
				h, faults = minimize(t, h, faults, func() *history {
					h := newHistory(t, seed, machines, nil)
					h.leavesOut(seed%7 == 3)
					return h
				})
			}
			t.Errorf("seed %d:\n%s\n\nwhat was done:\n%s", seed, strings.Join(faults, "\n"), strings.Join(h.done, "\n"))
		})
	}
	rate.say(t)
}

func upTo(n int) (steps []int) {
	for i := range n {
		steps = append(steps, i)
	}
	return steps
}

// rates are how many of the texts that both sides changed were conflicts, to kist and to plain git.
type rates struct{ merges, kist, git int }

// count is the usual merge, with git's own asked about the same three texts.
func (r *rates) count(t *testing.T) merger3 {
	dir := t.TempDir()
	return func(base, ours, theirs []byte, o semantic.Options) semantic.Result {
		out := semantic.Merge(base, ours, theirs, o)
		for name, text := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
			write(t, dir, name, string(text))
		}
		cmd := exec.Command("git", "merge-file", "-p", "ours", "base", "theirs")
		cmd.Dir = dir
		r.merges++
		if cmd.Run() != nil { // its status counts conflicts
			r.git++
		}
		if !out.Clean() {
			r.kist++
			r.tell(t, out.Conflicts, map[string]string{"path": o.Path, "base": string(base), "ours": string(ours), "theirs": string(theirs), "text": string(out.Text)})
		}
		return out
	}
}

// tell says what is in conflict, of what kind it is, and writes the texts into a folder of its own below that of KIST_SYNC_CONFLICTS.
func (r *rates) tell(t *testing.T, all []semantic.Conflict, texts map[string]string) {
	dir := os.Getenv("KIST_SYNC_CONFLICTS")
	if dir == "" {
		return
	}
	dir = filepath.Join(dir, strings.ReplaceAll(path.Base(t.Name())+"-"+strconv.Itoa(r.merges), "/", "-"))
	for _, c := range all {
		t.Logf("conflict: %s: %s: %q: %q or %q", texts["path"], c.Where, c.Base, c.Ours, c.Theirs)
		texts["conflicts"] += fmt.Sprintf("%s\n- %q\n- %q\n- %q\n", c.Where, c.Base, c.Ours, c.Theirs)
	}
	for name, text := range texts {
		write(t, dir, name, text)
	}
}

func (r *rates) say(t *testing.T) {
	t.Logf("%d files were changed on both sides: %d conflicts by meaning, %d by git merge-file", r.merges, r.kist, r.git)
}

// minimize leaves out steps of a history that fails, as long as the rest fails as well, and returns the
// history that is left.
func minimize(t testing.TB, h *history, faults []string, anew func() *history) (*history, []string) {
	t.Helper()
	steps := h.steps
	for size := (len(steps) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(steps); {
			less := slices.Concat(steps[:at], steps[min(at+size, len(steps)):])
			again := anew()
			if f := again.run(less); len(f) > 0 {
				h, faults, steps = again, f, less
				continue
			}
			at += size
		}
	}
	t.Logf("%d steps are enough: %v", len(steps), steps)
	return h, faults
}

// TestAFailingHistoryIsMinimized loses a line by a merge that drops one side, and finds the few steps that do.
func TestAFailingHistoryIsMinimized(t *testing.T) {
	if long() == 0 {
		return // some minutes; the long form shows it
	}
	drop := func(_, ours, _ []byte, _ semantic.Options) semantic.Result { return semantic.Result{Text: ours} }
	anew := func() *history { return newHistory(t, 1, 2, drop) }
	h := anew()
	faults := h.run(upTo(15))
	if len(faults) == 0 {
		t.Fatal("the history should lose something")
	}
	if small, faults := minimize(t, h, faults, anew); len(faults) == 0 || len(small.steps) > 6 {
		t.Errorf("%d steps are left, which lead to %v", len(small.steps), faults)
	}
}

// TestTheOracleCatchesBadMerges runs histories with merges that lose something: each must be
// told by one of the first seeds.
func TestTheOracleCatchesBadMerges(t *testing.T) {
	t.Parallel()
	bad := map[string]struct {
		merge merger3
		says  string
		seed  uint64 // of the first one
	}{
		"the last writer wins": {func(_, _, theirs []byte, _ semantic.Options) semantic.Result { return semantic.Result{Text: theirs} }, "is lost", 1},
		"one side is dropped":  {func(_, ours, _ []byte, _ semantic.Options) semantic.Result { return semantic.Result{Text: ours} }, "is lost", 1},
		"plain git merge":      {gitMerge(t), "has markers", 1},
		"ticks go astray":      {astray("- [x] ", "- [ ] "), "which nobody did", 10},
		"sections are mixed":   {astray("## Goals\n", "## Tasks\n"), "was written below", 1},
	}
	for name, b := range bad {
		t.Run(name, func(t *testing.T) {
			for seed := b.seed; seed < b.seed+8; seed++ {
				faults := newHistory(t, seed, 2, b.merge).run(upTo(12))
				if slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, b.says) }) {
					return
				}
			}
			t.Errorf("no seed tells that %q", b.says)
		})
	}
}

// astray is a merge that then exchanges the first of two things with the next of the other kind.
func astray(one, other string) merger3 {
	return func(base, ours, theirs []byte, o semantic.Options) semantic.Result {
		out := semantic.Merge(base, ours, theirs, o)
		before, rest, ok := strings.Cut(string(out.Text), one)
		if middle, after, both := strings.Cut(rest, other); ok && both {
			out.Text = []byte(before + other + middle + one + after)
		}
		return out
	}
}

// gitMerge is git's own merge of texts, with markers.
func gitMerge(t *testing.T) merger3 {
	dir := t.TempDir()
	return func(base, ours, theirs []byte, o semantic.Options) semantic.Result {
		for name, text := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
			write(t, dir, path.Join(path.Base(o.Path), name), string(text))
		}
		cmd := exec.Command("git", "merge-file", "-p", "ours", "base", "theirs")
		cmd.Dir = filepath.Join(dir, path.Base(o.Path))
		out, _ := cmd.Output() // its status counts conflicts
		return semantic.Result{Text: out}
	}
}
