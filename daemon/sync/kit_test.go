package sync

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/vaulttest"
)

// TestMain gives git a config of its own, for all that the tests start.
func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(apart{m}).Run()) }

// apart runs tests with settings of git's that are theirs.
type apart struct{ *testing.M }

func (m apart) Run() int {
	home, err := os.MkdirTemp("", "kist-sync-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	firstPair.dir, firstLarger.dir, firstPartial.dir, fleets.dir = filepath.Join(home, "pair"), filepath.Join(home, "larger"), filepath.Join(home, "partial"), home
	global := filepath.Join(home, "global")
	err = os.WriteFile(global, []byte("[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n"), 0o600)
	for _, dir := range []string{firstPair.dir, firstLarger.dir, firstPartial.dir} {
		err = errors.Join(err, os.Mkdir(dir, 0o700))
	}
	for k, v := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_GLOBAL": global, "GIT_CONFIG_NOSYSTEM": "1"} {
		err = errors.Join(err, os.Setenv(k, v))
	}
	if err != nil {
		panic(err)
	}
	return m.M.Run()
}

// A machine is a vault with an engine.
type machine struct {
	t      testing.TB
	name   string
	dir    string
	state  string
	vault  *vault.Vault
	engine *Engine
	step   func(string) // before each step of a sync
	merge  merger3      // nil: the usual
	large  int64        // 0: the usual
	now    func() time.Time
	kills  func(step int) // has a sync be killed at a step; -1: at none

	leaveOut    []string
	leaveOutErr error
}

// bare makes an empty remote.
func bare(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	run(t, filepath.Dir(dir), "init", "-q", "--template=", "--bare", dir)
	return dir
}

func newMachine(t testing.TB, name string) *machine {
	t.Helper()
	m := &machine{t: t, name: name, dir: filepath.Join(t.TempDir(), name), state: filepath.Join(t.TempDir(), "state")}
	if _, err := vault.Init(m.dir); err != nil {
		t.Fatal(err)
	}
	m.open()
	return m
}

func (m *machine) open() {
	m.t.Helper()
	tree, leaveOut := NewWorkTree(m.dir, m.state, nil), func() ([]string, error) { return m.leaveOut, m.leaveOutErr }
	v, err := vault.Open(context.Background(), m.dir, vault.Options{Device: m.name, Now: m.now, Git: tree, Unsent: tree.Leaves(leaveOut)})
	if err != nil {
		m.t.Fatal(err)
	}
	m.vault = v
	m.engine = New(Options{Vault: v, Dir: m.state, Step: m.step, merge: m.merge, LeaveOut: leaveOut, largest: m.large})
	m.t.Cleanup(func() { v.Close() })
}

func (m *machine) setUp(remote string) {
	m.t.Helper()
	if _, err := m.engine.Setup(context.Background(), Wanted{URL: remote}, nil); err != nil {
		m.t.Fatalf("%s: %v", m.name, err)
	}
}

func (m *machine) sync() Outcome {
	m.t.Helper()
	o, err := m.engine.Now(context.Background(), Request{}, nil)
	if err != nil {
		m.t.Fatalf("%s: %v", m.name, err)
	}
	return o
}

func (m *machine) write(p, text string) { m.t.Helper(); write(m.t, m.dir, p, text) }

func (m *machine) read(p string) string {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(p)))
	if errors.Is(err, fs.ErrNotExist) {
		return "-"
	}
	if fi, e := os.Stat(filepath.Join(m.dir, filepath.FromSlash(p))); e == nil && fi.IsDir() {
		return "a folder"
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

func (m *machine) remove(p string) {
	m.t.Helper()
	if err := os.Remove(filepath.Join(m.dir, filepath.FromSlash(p))); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) git(args ...string) string { m.t.Helper(); return run(m.t, m.dir, args...) }

// wants fails where a file isn't as it should be; "-" is no file.
func (m *machine) wants(p, want string) {
	m.t.Helper()
	if got := m.read(p); got != want {
		m.t.Errorf("%s: %s is %q, want %q", m.name, p, got, want)
	}
}

// clean fails where the user's git sees anything to do, or anything wrong.
func (m *machine) clean() {
	m.t.Helper()
	if s := m.git("status", "--porcelain"); s != "" {
		m.t.Errorf("%s: git status says %q", m.name, s)
	}
	m.sound()
}

func (m *machine) sound() {
	m.t.Helper()
	if s := m.git("-c", "core.commitGraph=false", "-c", "core.multiPackIndex=false", "fsck", "--strict", "--no-dangling", "--no-progress"); s != "" {
		m.t.Errorf("%s: git fsck says %q", m.name, s)
	}
}

// files are all files but git's and this machine's own.
func (m *machine) files() map[string]string {
	m.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(m.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".kist") {
			return fs.SkipDir
		}
		rel, _ := filepath.Rel(m.dir, p)
		if d.Type().IsRegular() && d.Name() != ".git" && !strings.HasPrefix(d.Name(), ".kist-") {
			all[filepath.ToSlash(rel)] = m.read(filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return all
}

func write(t testing.TB, dir, p, text string) {
	t.Helper()
	p = filepath.Join(dir, filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs plain git.
func run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// tries runs plain git, which may fail.
func (m *machine) tries(args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = m.dir
	return cmd.Run()
}

// nonEmpty are the lines of what git said.
func nonEmpty(out string) []string {
	return strings.FieldsFunc(out, func(r rune) bool { return r == '\n' })
}

// settle syncs machines in turn until each has what the others sent. That nothing is left to do
// then, ever, is what histories show.
func settle(machines ...*machine) {
	machines[0].t.Helper()
	quiet := -1 // how many synced since the last that pushed
	for n := 0; quiet < len(machines)-1; n++ {
		if n == 4*len(machines) {
			machines[0].t.Fatal("the machines never come to an end")
		}
		if quiet++; machines[n%len(machines)].sync().Pushed > 0 {
			quiet = 0
		}
	}
}
