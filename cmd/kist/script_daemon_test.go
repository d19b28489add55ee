package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// This file holds the script commands that start and end daemons.

// patience is how long anything may take before a script fails.
const patience = 20 * time.Second

type foregroundKey struct{}

// foreground is the kist up processes of one script, by name.
type foreground struct{ cmds map[string]*upProcess }

type upProcess struct {
	cmd  *exec.Cmd
	done chan error
	errs *lockedBuffer
}

// lockedBuffer is a buffer that a process writes and a script reads.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func processes(ts *testscript.TestScript) *foreground {
	fg, ok := ts.Value(foregroundKey{}).(*foreground)
	if !ok {
		ts.Fatalf("the script has no set of processes")
	}
	return fg
}

// cmdUp: up NAME ARGS... runs "kist up ARGS..." and returns at its ready line, which
// becomes the standard output.
func cmdUp(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: up NAME ARGS...")
	}
	cmd := exec.Command("kist", append([]string{"up"}, args[1:]...)...)
	prepare(ts, cmd)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	p := &upProcess{cmd: cmd, done: make(chan error, 1), errs: &lockedBuffer{}}
	cmd.Stderr = p.errs
	ts.Check(cmd.Start())
	processes(ts).cmds[args[0]] = p
	line := make(chan string, 1)
	go func() {
		r := bufio.NewReader(out)
		l, _ := r.ReadString('\n')
		line <- l
		_, _ = io.Copy(io.Discard, r) // until it ends
		p.done <- cmd.Wait()
	}()
	select {
	case l := <-line:
		if l == "" {
			ts.Fatalf("kist up ended before it was ready: %s", p.errs)
		}
		_, err := ts.Stdout().Write([]byte(l))
		ts.Check(err)
	case <-time.After(patience):
		ts.Fatalf("kist up was not ready within %v: %s", patience, p.errs)
	}
}

// cmdEnd: end NAME [SIGNAL] ends a process begun by up and wants exit code 0,
// or with ! another one; none waits for one that is ending. Its standard error becomes the command's.
func cmdEnd(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: end NAME [term|int|none]")
	}
	p := processes(ts).cmds[args[0]]
	if p == nil {
		ts.Fatalf("nothing runs as %s", args[0])
	}
	sig := os.Signal(syscall.SIGTERM)
	if len(args) > 1 {
		sig = map[string]os.Signal{"term": syscall.SIGTERM, "int": os.Interrupt}[args[1]]
	}
	if sig != nil {
		ts.Check(p.cmd.Process.Signal(sig))
	}
	select {
	case err := <-p.done:
		delete(processes(ts).cmds, args[0])
		_, werr := ts.Stderr().Write([]byte(p.errs.String()))
		ts.Check(werr)
		if (err != nil) != neg {
			ts.Fatalf("%s ended with %v: %s", args[0], err, p.errs)
		}
	case <-time.After(patience):
		ts.Fatalf("%s did not end within %v: %s", args[0], patience, p.errs)
	}
}

// prepare runs a command in the script's folder and environment.
func prepare(ts *testscript.TestScript, cmd *exec.Cmd) {
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{}
	for _, name := range []string{
		"HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "NO_COLOR", "PATH", "TMPDIR", "COLUMNS",
		"KIST_VAULT", "KIST_CONFIG", "KIST_CHAT", "KIST_OLLAMA_URL", "KIST_OPENAI_URL", "KIST_OPENAI_KEY", "WORK", "GOCOVERDIR", "GOGC",
		"EDITOR", "VISUAL", "DBUS_SESSION_BUS_ADDRESS", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_AUTHOR_NAME",
	} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
}

// daemonPID reads which process serves a vault.
func daemonPID(vault string) (int, error) {
	data, err := os.ReadFile(filepath.Join(vault, ".kist", "daemon.json"))
	if err != nil {
		return 0, err
	}
	var info struct{ PID int }
	if err := json.Unmarshal(data, &info); err != nil {
		return 0, err
	}
	return info.PID, nil
}

// cmdKillDaemon: killdaemon VAULT kills the daemon the hard way and returns when
// the process runs no more.
func cmdKillDaemon(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: killdaemon VAULT")
	}
	pid, err := daemonPID(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(kill(pid))
}

func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := p.Kill(); err != nil {
		return err
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if !running(pid) {
			return nil
		}
	}
	return errors.New("process " + strconv.Itoa(pid) + " survived being killed")
}

// running reports whether a process runs. One that only waits to be reaped doesn't;
// in some containers nobody ever does that.
func running(pid int) bool {
	if runtime.GOOS == "linux" {
		// Each thread by itself: the first may have ended while others hold files open.
		stats, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
		for _, name := range stats {
			stat, err := os.ReadFile(name)
			_, state, _ := strings.Cut(string(stat), ") ")
			if err == nil && !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X") {
				return true
			}
		}
		return false
	}
	return listed(pid)
}

// listed reports whether the system still knows a process.
func listed(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// cmdDaemons: daemons N wants exactly N processes of this script that run kist up,
// once those that lost a race have ended.
func cmdDaemons(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: daemons N")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var got []int
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if got = daemonsOf(ts.Getenv("WORK")); len(got) == want {
			return
		}
	}
	ts.Fatalf("%d daemons run, want %d: %v", len(got), want, got)
}

// daemonsOf returns the kist up processes whose environment names a script's folder.
func daemonsOf(work string) []int {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var pids []int
	for _, dir := range dirs {
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.Contains(environ, []byte("XDG_RUNTIME_DIR="+work+"/run\x00")) {
			continue
		}
		args, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || !bytes.Contains(args, []byte("\x00up\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil && running(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// endAll kills whatever a script left running, found by /proc and by the notes
// that daemons leave in their vaults.
func endAll(work string, fg *foreground) {
	for _, p := range fg.cmds {
		if p.cmd.Process.Kill() == nil {
			<-p.done
		}
	}
	for _, pid := range daemonsOf(work) {
		_ = kill(pid)
	}
	if runtime.GOOS == "linux" {
		return
	}
	_ = filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "daemon.json" {
			if pid, err := daemonPID(filepath.Dir(filepath.Dir(path))); err == nil {
				_ = kill(pid)
			}
		}
		return nil
	})
}

// cmdAtOnce: atonce N ARGS... runs N processes of "kist ARGS..." at the same moment and
// wants all of them to succeed.
func cmdAtOnce(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var wg sync.WaitGroup
	fails := make([]error, n)
	outs := make([]lockedBuffer, n)
	for i := range n {
		cmd := exec.Command("kist", args[1:]...)
		prepare(ts, cmd)
		cmd.Stdout, cmd.Stderr = &outs[i], &outs[i]
		wg.Go(func() { fails[i] = cmd.Run() })
	}
	wg.Wait()
	for i, err := range fails {
		if err != nil {
			ts.Fatalf("process %d of %d: %v: %s", i, n, err, outs[i].String())
		}
	}
	if neg {
		ts.Fatalf("all %d succeeded", n)
	}
}

// cmdUntil: until REGEXP ARGS... runs "kist ARGS..." until its output matches: for
// what a program that kist doesn't know has just saved.
func cmdUntil(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: until REGEXP ARGS...")
	}
	re, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	var last shellAnswer
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if last = runs(ts, args[1:]); last.Code == exitOK && re.Match(last.Out) != neg {
			_, err := ts.Stdout().Write(last.Out)
			ts.Check(err)
			return
		}
	}
	ts.Fatalf("%v went by, and the output is still (exit code %d):\n%s%s", patience, last.Code, last.Out, last.Errs)
}

// cmdGone: gone PATH waits until nothing has that name. A folder that was moved stays until
// the files that were displaced in it a moment before are known to be nobody's.
func cmdGone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone PATH")
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Lstat(ts.MkAbs(args[0])); errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	ts.Fatalf("%s is still there after %v", args[0], patience)
}

// cmdStale: stale VAULT [used] leaves behind what a daemon leaves that lost its power:
// a socket nobody listens on, its notes, and a lock that names a process long gone,
// or one whose number is in use again: that of the test itself.
func cmdStale(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: stale VAULT [used]")
	}
	state := filepath.Join(ts.MkAbs(args[0]), ".kist")
	ts.Check(os.MkdirAll(state, 0o700))
	dir := filepath.Join(ts.Getenv("XDG_RUNTIME_DIR"), "kist")
	ts.Check(os.MkdirAll(dir, 0o700))
	sockets, err := filepath.Glob(filepath.Join(dir, "*.sock"))
	ts.Check(err)
	socket := filepath.Join(dir, "stale.sock")
	if len(sockets) > 0 {
		socket = sockets[0]
		ts.Check(os.Remove(socket))
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	ts.Check(err)
	l.SetUnlinkOnClose(false)
	ts.Check(l.Close())
	gone := 4194000 // above what most systems hand out
	if len(args) == 2 {
		gone = os.Getpid()
	}
	ts.Check(os.WriteFile(filepath.Join(state, "lock"), fmt.Appendf(nil, "pid %d since 2026-01-02T03:04:05Z\n", gone), 0o600))
	info := fmt.Sprintf(`{"pid":%d,"version":"old","socket":%q,"url":"http://127.0.0.1:1","started":"2026-01-02T03:04:05Z"}`, gone, socket)
	ts.Check(os.WriteFile(filepath.Join(state, "daemon.json"), []byte(info), 0o600))
}

// cmdWatch: watch REGEXP -- ARGS... follows "kist op watch", runs "kist ARGS..." and
// wants a line that matches.
func cmdWatch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: watch REGEXP ARGS...")
	}
	re, err := regexp.Compile(args[0])
	ts.Check(err)
	watch := exec.Command("kist", "op", "watch")
	prepare(ts, watch)
	out, err := watch.StdoutPipe()
	ts.Check(err)
	ts.Check(watch.Start())
	found := make(chan bool, 1)
	go func() {
		s := bufio.NewScanner(out)
		for s.Scan() {
			if re.MatchString(s.Text()) {
				found <- true
				break
			}
		}
		found <- false
	}()
	defer func() {
		_ = watch.Process.Kill()
		_ = watch.Wait()
	}()
	// The watch may not have begun yet: do it until it is seen.
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		do := exec.Command("kist", args[1:]...)
		prepare(ts, do)
		if text, err := do.CombinedOutput(); err != nil {
			ts.Fatalf("%v: %s", err, text)
		}
		select {
		case ok := <-found:
			if !ok {
				ts.Fatalf("the watch ended")
			}
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	ts.Fatalf("nothing that matches %s was seen", re)
}
