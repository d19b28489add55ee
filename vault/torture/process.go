package torture

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// This file starts the processes, all of them this program, and ends them.

// roleEnv names what a process is to be; unset: the judge.
const roleEnv = "KIST_TORTURE_ROLE"

// The roles of processes. They run until the judge says so or is gone.
const (
	roleEditor = "editor"
	roleDaemon = "daemon"
	roleNaive  = "naive" // a daemon as it should not be
)

// Play runs the role that this process was started for to its end; false: it has
// none. A program that calls [Run] calls Play before anything else: all editors and
// daemons are that program again. follow, which may be nil, opens what the daemon has
// beside its vault.
func Play(follow Follow) bool {
	out := &wire{w: os.Stdout}
	switch role := os.Getenv(roleEnv); role {
	case roleEditor:
		editorMain(os.Getenv("KIST_TORTURE_NAME"), commands(os.Stdin), out)
	case roleDaemon, roleNaive:
		daemonMain(os.Getenv("KIST_TORTURE_CONFIG"), commands(os.Stdin), out, follow)
	default:
		return false
	}
	return true
}

// A process is an editor or a daemon as the judge sees it.
type process struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	commands *json.Encoder
	messages chan message // closed at the end of its output
}

// start runs this program again. heard is called for each message, in order,
// before it is handed on; what it reports to be dealt with goes no further.
func start(heard func(message) bool, env ...string) (*process, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(exe), messages: make(chan message, 16)}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = os.Stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	p.commands = json.NewEncoder(p.stdin)
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.messages)
		for dec := json.NewDecoder(stdout); ; {
			var m message
			if dec.Decode(&m) != nil {
				return
			}
			if !heard(m) {
				p.messages <- m
			}
		}
	}()
	return p, nil
}

// send gives a command. That the process is dead shows when its messages end.
func (p *process) send(c command) { p.commands.Encode(c) }

// patience is more than any answer takes.
const patience = 2 * time.Minute

// await returns the next message, or ok false for a process that ended.
func (p *process) await(is string) (m message, ok bool, err error) {
	select {
	case m, ok = <-p.messages:
		if ok && m.Is != is {
			return m, ok, fmt.Errorf("process %d said %q %q, not %q", p.cmd.Process.Pid, m.Is, m.Text, is)
		}
		return m, ok, nil
	case <-time.After(patience):
		return m, false, fmt.Errorf("process %d did not say %q within %s", p.cmd.Process.Pid, is, patience)
	}
}

// kill ends the process with SIGKILL and hears it out. It reports whether that, or
// an earlier SIGKILL, was what ended it.
func (p *process) kill() (killed bool) {
	p.cmd.Process.Kill()
	return p.reap()
}

// reap waits for the end of a process, whose last words are passed over, and
// reports whether it was killed.
func (p *process) reap() (killed bool) {
	for range p.messages {
	}
	p.stdin.Close()
	p.cmd.Wait()
	return !p.cmd.ProcessState.Exited()
}

// quit asks the process to end by itself.
func (p *process) quit() error {
	p.send(command{Do: "quit"})
	if p.reap() || !p.cmd.ProcessState.Success() {
		return fmt.Errorf("process %d ended badly: %s", p.cmd.Process.Pid, p.cmd.ProcessState)
	}
	return nil
}
