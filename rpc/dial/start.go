package dial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"kist/vault/control"
)

// maxLog is the size at which the log of an earlier daemon is set aside.
const maxLog = 1 << 20

// tellSlow is after how long a start that isn't over is told.
const tellSlow = 5 * time.Second

// tailLines is how much of a log an error quotes.
const tailLines = 5

// start runs a daemon and waits until one answers: the one it started or, if
// several commands do this at once, the one that got the lock. Where that one is
// stopping just now, another is started once it is gone. A daemon that this process
// started is waited for with opts.Patience while it runs: it is at work. Another's has
// opts.Timeout, as if it had been found.
func start(ctx context.Context, paths Paths, opts Options, last error) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, opts.Patience)
	defer cancel()
	for {
		c, err := spawn(paths, opts)
		if err != nil {
			return nil, &Error{Kind: ErrUnreachable, What: "start the daemon: " + err.Error()}
		}
		client, err := c.wait(ctx, paths, opts, last)
		if !errors.Is(err, errGone) {
			return client, err
		}
		if ctx.Err() != nil {
			return nil, last
		}
	}
}

// errGone: our daemon found the vault taken, and whoever had it is gone now.
var errGone = errors.New("the daemon that held the vault is gone")

// A child is a daemon that this process started.
type child struct {
	process *os.Process
	exited  chan error // receives once
	log     string
	offset  int64 // where its part of the log starts
}

// wait polls until a daemon answers, the child has failed, or ctx ends.
func (c *child) wait(ctx context.Context, paths Paths, opts Options, last error) (*Client, error) {
	slow := time.After(tellSlow)
	exited := c.exited
	for delay := 2 * time.Millisecond; ; delay = min(2*delay, 100*time.Millisecond) {
		select {
		case <-ctx.Done():
			return nil, last
		case err := <-exited:
			if !lostRace(err) {
				return nil, c.failed(err)
			}
			exited = nil // from now on another process must answer
			limited, stop := context.WithTimeout(ctx, opts.Timeout)
			defer stop()
			ctx = limited
		case <-slow:
			opts.tell("it is still starting; its log: " + paths.Log)
		case <-time.After(delay):
		}
		client, err := try(ctx, paths, opts)
		if err == nil {
			if exited != nil && client.Info.PID != c.process.Pid {
				c.dismiss()
			}
			return client, nil
		}
		if ctx.Err() == nil {
			last = err
		}
		if exited == nil && gone(paths) {
			return nil, errGone
		}
	}
}

// dismiss ends a child that another daemon was faster than. It would find the vault
// taken and end by itself, but not if the other one stopped before it looked: then
// it would stay, though nobody wants it.
func (c *child) dismiss() {
	_ = c.process.Kill() // it may have ended
	<-c.exited
}

func lostRace(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == ExitLocked
}

func (c *child) failed(err error) error {
	what := "the daemon stopped at once"
	if err != nil {
		what += " (" + err.Error() + ")"
	}
	if tail := c.tail(); tail != "" {
		what += ": " + tail
	}
	return &Error{Kind: ErrUnreachable, What: what, Hint: "see its log: " + c.log}
}

// tail returns the last lines that the child wrote: those of its error, where it told one. A daemon
// that has just been stopped may have written to the same log meanwhile.
func (c *child) tail() string {
	f, err := control.Open(c.log)
	if err != nil {
		return ""
	}
	defer f.Close()
	const enough = 8 << 10
	if info, err := f.Stat(); err == nil {
		c.offset = max(c.offset, info.Size()-enough)
	}
	text, _ := io.ReadAll(io.NewSectionReader(f, c.offset, enough))
	if at := bytes.LastIndex(append([]byte("\n"), text...), []byte("\nkist: ")); at >= 0 {
		text = text[at:]
	}
	lines := strings.Split(string(bytes.TrimSpace(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

// spawn starts a daemon that outlives this process.
func spawn(paths Paths, opts Options) (*child, error) {
	executable := opts.Executable
	if executable == "" {
		var err error
		if executable, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	f, err := openLog(paths.Log)
	if err != nil {
		return nil, fmt.Errorf("its log: %w", err)
	}
	defer f.Close()
	offset, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(executable, "up", "--log-file", paths.Log, paths.Vault)
	cmd.Stdout, cmd.Stderr = f, f
	// A daemon must not keep a disk busy because of where it was started.
	cmd.Dir = filepath.VolumeName(paths.Vault) + string(filepath.Separator)
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	opts.tell("starting the daemon for " + paths.Vault)
	c := &child{process: cmd.Process, exited: make(chan error, 1), log: paths.Log, offset: offset}
	go func() { c.exited <- cmd.Wait() }()
	return c, nil
}

func (o Options) tell(what string) {
	if o.Log != nil {
		o.Log(what)
	}
}

// openLog opens a log for appending and sets a long one aside as <name>.1.
func openLog(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	return AppendLog(path)
}

// AppendLog opens a daemon's log for appending. The caller closes it.
func AppendLog(path string) (*os.File, error) {
	return control.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}
