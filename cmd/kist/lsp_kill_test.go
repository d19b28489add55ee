package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/cmd/kist/lsp/lsptest"
	healthv1 "kist/proto/grpc/health/v1"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
	"kist/vault/vaulttest"
)

// A scene is a recorded dialogue with kist lsp over its standard input and output, and what
// it made of the vault.
type scene struct {
	*testing.T
	root, dir string // of this test alone; of the vault in it
	dialogue  lsptest.Dialogue
	steps     []string
	// After each step, and at first before any.
	trees   []map[string]string
	changes []int // operations of the editor's
}

// An lspEditor has a kist lsp as its child.
type lspEditor struct {
	*lsptest.Player
	cmd  *exec.Cmd
	in   io.WriteCloser
	said bytes.Buffer
}

func newScene(t *testing.T, d lsptest.Dialogue) *scene {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"} {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, dir)
	}
	t.Setenv("KIST_OLLAMA_URL", "http://127.0.0.1:1")
	s := &scene{T: t, root: root, dir: filepath.Join(root, "vault"), dialogue: d, steps: d.Steps()}
	s.anew()
	t.Cleanup(s.down)
	return s
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) kist(args ...string) {
	s.Helper()
	if out, err := exec.Command("kist", append(args, "--vault", s.dir)...).CombinedOutput(); err != nil {
		s.Fatalf("%v: %v: %s", args, err, out)
	}
}

// down ends the daemon; nothing that this test started runs then.
func (s *scene) down() {
	s.Helper()
	s.kist("down")
	if runtime.GOOS != "linux" {
		return
	}
	for deadline, again := time.Now().Add(patience), time.Now().Add(time.Second); len(s.left()) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(again) { // a daemon that was being started came up behind the command
			s.kist("down")
			again = time.Now().Add(time.Second)
		}
		if time.Now().After(deadline) {
			s.Fatalf("still running: %q", s.left())
		}
	}
}

// left are the command lines of processes with this test's environment, but for itself.
func (s *scene) left() (lines []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		environ, _ := os.ReadFile(filepath.Join(dir, "environ")) // nothing where it has just ended
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if filepath.Base(dir) != fmt.Sprint(os.Getpid()) && bytes.Contains(environ, []byte("HOME="+s.root+"/HOME\x00")) {
			lines = append(lines, string(line))
		}
	}
	return lines
}

// anew puts the vault back to what the dialogue begins with. No daemon serves it.
func (s *scene) anew() {
	s.Helper()
	s.must(os.RemoveAll(s.dir))
	s.must(exec.Command("kist", "init", s.dir).Run())
	for name, text := range s.dialogue.Files {
		file := filepath.Join(s.dir, filepath.FromSlash(name))
		s.must(errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, text, 0o666)))
	}
}

var changing = regexp.MustCompile(`[0-9]{4}-[0-9-]{5}T[0-9:.]{8}[0-9.:Z+-]*|[0-9A-HJKMNP-TV-Z]{26}`)

// tree is what the documents hold, but for times and ids.
func (s *scene) tree() map[string]string {
	s.Helper()
	tree := vaulttest.Tree(s, s.dir, "operations", ".kist")
	for p, text := range tree {
		tree[p] = changing.ReplaceAllString(text, "*")
	}
	return tree
}

func (s *scene) dial() *dial.Client {
	s.Helper()
	k, err := dial.Connect(s.Context(), s.dir, dial.Options{Client: "test", Executable: program(s.T), Start: true})
	s.must(err)
	return k
}

func program(t *testing.T) string {
	t.Helper()
	p, err := exec.LookPath("kist")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// made counts the editor's operations that were carried out. What a daemon that was killed didn't
// finish is taken back by the next one.
func (s *scene) made() (n int) {
	s.Helper()
	k := s.dial()
	defer k.Close()
	if _, err := k.Health.Check(s.Context(), &healthv1.HealthCheckRequest{}); err != nil {
		s.Fatal(err)
	}
	res, err := k.Operation.ListOperations(s.Context(), &v1.ListOperationsRequest{PageSize: 500})
	s.must(err)
	for _, op := range res.Operations {
		switch {
		case op.Status == "completed" && op.Client == "lsp":
			n++
		case op.Status != "completed" && op.Status != "rolled_back":
			s.Errorf("%s is %s", op.Reason, op.Status)
		}
	}
	return n
}

func (s *scene) editor() *lspEditor {
	s.Helper()
	e := &lspEditor{cmd: exec.Command("kist", "lsp", "--vault", s.dir)}
	in, err := e.cmd.StdinPipe()
	s.must(err)
	out, err := e.cmd.StdoutPipe()
	s.must(err)
	e.in, e.cmd.Stderr = in, &e.said
	s.must(e.cmd.Start())
	s.Cleanup(func() {
		if s.Failed() {
			_ = e.cmd.Process.Kill()
		}
	})
	e.Player = lsptest.New(in, out, (&url.URL{Scheme: "file", Path: filepath.ToSlash(s.dir)}).String())
	return e
}

// wait waits for the end of kist lsp, which was told to end.
func (e *lspEditor) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = e.cmd.Process.Kill() })()
	if err := e.cmd.Wait(); err != nil {
		return fmt.Errorf("kist lsp: %w: %s", err, e.said.String())
	}
	return nil
}

// changes reports whether a step asks for a change.
func changes(step string) bool {
	return strings.HasPrefix(step, "> workspace/executeCommand") || strings.HasPrefix(step, "> textDocument/rename")
}

// play plays the dialogue as it was recorded, and notes what each step makes of the vault.
func (s *scene) play() {
	s.Helper()
	e := s.editor()
	tree, n := s.tree(), 0
	note := func() { s.trees, s.changes = append(s.trees, tree), append(s.changes, n) }
	note()
	for _, step := range s.steps {
		if err := e.Play(step); err != nil {
			s.Fatal(errors.Join(err, e.cmd.Process.Kill(), e.cmd.Wait()))
		}
		if changes(step) {
			tree, n = s.tree(), s.made()
		}
		note()
	}
	s.must(e.wait())
	for p, want := range s.dialogue.Want {
		if got := tree[p]; got != string(want) {
			s.Errorf("%s: %q, want %q", p, got, want)
		}
	}
}

// again is what an editor says that is started anew after step i: all that it had said before
// and that asks for no change.
func (s *scene) again(e *lspEditor, i int) {
	s.Helper()
	for _, step := range s.steps[:i] {
		if !changes(step) {
			s.must(e.say(step))
		}
	}
}

// say sends a step's message, and takes whatever answer there is.
func (e *lspEditor) say(step string) error {
	line, _, _ := strings.Cut(step, "\n")
	if err := e.Send(line); err != nil || line[0] == '!' {
		return err
	}
	return e.Await()
}

// probe asks what any daemon answers.
const probe = `! textDocument/didOpen {"textDocument":{"uri":"$ROOT/probe.md","version":1,"text":"See [[pro"}}
> textDocument/completion {"textDocument":{"uri":"$ROOT/probe.md"},"position":{"line":0,"character":9}}
< {"isIncomplete":true}
! textDocument/didClose {"textDocument":{"uri":"$ROOT/probe.md"}}
`

// killed kills kist lsp a while after it was sent the message of step i, and starts another
// one; or it kills the daemon, which kist lsp finds again. The step is carried out then or it
// isn't, and is when the message was sent once more, as by a person who saw no answer, but not
// twice. It reports whether it was carried out before that.
func (s *scene) killed(i int, daemon bool, after time.Duration) (done bool) {
	s.Helper()
	defer func() {
		if s.Failed() {
			s.Logf("killed after step %d, %v: %s", i, after, s.steps[i])
		}
	}()
	step, asks := s.steps[i], !strings.Contains(s.steps[i], "shutdown") && !strings.Contains(s.steps[i], "exit")
	s.anew()
	e := s.editor()
	for _, before := range s.steps[:i] {
		s.must(e.Play(before))
	}
	if daemon {
		s.must(e.Play(probe)) // it runs then
	}
	line, _, _ := strings.Cut(step, "\n")
	s.must(e.Send(line))
	time.Sleep(after)
	if !daemon {
		_, _ = e.cmd.Process.Kill(), e.cmd.Wait()
		e = s.editor()
		s.again(e, i)
	} else if s.killDaemon(); line[0] == '>' {
		s.must(e.Await())
	}
	if asks && i > 0 {
		s.must(e.Play(probe))
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		tree := s.tree()
		if done = maps.Equal(tree, s.trees[i+1]); done || maps.Equal(tree, s.trees[i]) {
			break
		}
		if time.Now().After(deadline) {
			s.Fatalf("half done: the vault holds\n%q\nand not\n%q\nor\n%q", tree, s.trees[i], s.trees[i+1])
		}
	}
	if asks {
		s.must(e.say(step))
	}
	if line != "! exit {}" || !daemon {
		s.must(e.Send("! exit {}"))
	}
	s.must(e.wait())
	n := s.made()
	s.down()
	if tree := s.tree(); !maps.Equal(tree, s.trees[i+1]) || n != s.changes[i+1] {
		s.Errorf("%d operations, want %d; the vault holds\n%q\nwant\n%q", n, s.changes[i+1], tree, s.trees[i+1])
	}
	return done && changes(step)
}

func (s *scene) killDaemon() {
	s.Helper()
	pid, err := daemonPID(s.dir)
	s.must(err)
	s.must(kill(pid))
}

// TestDialoguesOfTheProgram plays what package lsp plays in memory with kist lsp and a daemon
// as processes, and kills one of them when a message was sent: the first that asks for a change,
// or with KIST_LSP_LONG each, those several times.
func TestDialoguesOfTheProgram(t *testing.T) {
	list, err := lsptest.Dialogues("lsp/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for n, d := range list {
		t.Run(d.Name, func(t *testing.T) {
			s := newScene(t, d)
			s.play()
			s.down()
			if os.Getenv("KIST_LSP_LONG") == "" {
				s.killed(slices.IndexFunc(s.steps, changes), n%2 == 0, 2*time.Millisecond)
				return
			}
			done, asked := 0, 0
			for i, step := range s.steps {
				for _, daemon := range []bool{false, true} {
					if daemon && i == 0 {
						continue // nothing is known of a vault yet
					}
					for _, after := range []time.Duration{0, 1, 2, 4, 8, 16, 32} {
						if after > 1 && !changes(step) {
							break
						}
						if s.killed(i, daemon, after*time.Millisecond) {
							done++
						}
						if t.Failed() {
							t.Fatalf("step %d, daemon %v, after %d ms: %s", i, daemon, after, step)
						}
						if changes(step) {
							asked++
						}
					}
				}
			}
			t.Logf("of %d changes that were cut off %d were made", asked, done)
			if done == 0 || done == asked {
				t.Error("all were cut off at one side")
			}
		})
	}
}
