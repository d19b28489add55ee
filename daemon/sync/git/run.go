package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	usualLimit = 2 * time.Minute
	// netLimit is how long a fetch or push may take: a first one over a slow line is long.
	netLimit = 30 * time.Minute
	// maxOutput is what is read of a command that lists something, in bytes.
	maxOutput = 256 << 20
	maxSaid   = 64 << 10 // of what it says on standard error
	// lingers is how long the pipes of a git that has ended are read: something that it started, such as an
	// ssh that is kept for the next time, may hold them, and a machine that is busy may be late.
	lingers = 5 * time.Second
)

// kept are the GIT_ variables that say where the user's own config is. A vault can't set them.
func kept() []string {
	return []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"}
}

// online, in the environment of a git that talks with the remote, has the transports that there are; ext and fd run programs by design.
const online = "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh"

// A command is one run of git.
type command struct {
	dir      string
	env      []string
	config   []string      // key=value, for -c
	args     []string      // the verb first
	stdin    io.Reader     // nil: empty
	limit    time.Duration // 0: usualLimit
	progress func(Progress)
	secrets  []string // that must not be told
	hold     *os.File // which it has open as long as it runs; nil: none
}

// Progress is how far a fetch or a push is.
type Progress struct {
	Phase   string // such as "Receiving objects"
	Percent int    // 0 to 100
}

// environment is the process's own without what could turn git to something else, or have it talk with another machine.
func environment(extra []string) []string {
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return strings.HasPrefix(name, "GIT_") && !slices.Contains(kept(), name) ||
			name == "SSH_ASKPASS" || name == "LANGUAGE" || strings.HasPrefix(name, "LC_") || name == "PAGER" || name == "EDITOR" || name == "VISUAL"
	})
	env = append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never",
		"GIT_ALLOW_PROTOCOL=none", "GIT_PROTOCOL_FROM_USER=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ADVICE=0", "GIT_EDITOR=false", "GIT_PAGER=cat")
	return append(env, extra...)
}

// prepare makes the process of a command, which isn't started.
func prepare(ctx context.Context, c command) *exec.Cmd {
	var args []string
	for _, kv := range c.config {
		args = append(args, "-c", kv)
	}
	cmd := exec.CommandContext(ctx, "git", append(args, c.args...)...)
	cmd.Dir, cmd.Env = c.dir, environment(c.env)
	detach(cmd)
	if c.hold != nil {
		share(cmd, c.hold)
	}
	cmd.WaitDelay = lingers
	return cmd
}

// run runs git and returns what it wrote on standard output. The error is an [*Error] or ctx's.
func run(ctx context.Context, c command) ([]byte, error) {
	limit, cancel := context.WithTimeout(ctx, cmp.Or(c.limit, usualLimit))
	defer cancel()
	cmd := prepare(limit, c)
	cmd.Stdin = c.stdin
	out := &limited{max: maxOutput}
	said := &limited{max: maxSaid, tail: true}
	cmd.Stdout = out
	cmd.Stderr = io.Writer(said)
	if c.progress != nil {
		cmd.Stderr = io.MultiWriter(said, &progressReader{tell: c.progress})
	}
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) && out.ended {
		err = nil // all of its answer is here: something that it started only keeps the other pipes open
	}
	switch {
	case err == nil && out.over:
		return nil, &Error{Verb: c.args[0], Status: -1, Kind: ErrTooMuch}
	case err == nil:
		return out.buf.Bytes(), nil
	case errors.Is(err, exec.ErrNotFound):
		return nil, &Error{Verb: c.args[0], Status: -1, Kind: ErrNoGit}
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limit.Err() != nil:
		return nil, &Error{Verb: c.args[0], Status: -1, Kind: ErrTime}
	}
	text := redact(said.buf.String(), c.secrets)
	e := &Error{Verb: c.args[0], Status: cmd.ProcessState.ExitCode(), Text: lastWords(text), Kind: kindOf(text)}
	if errors.Is(err, exec.ErrWaitDelay) {
		e.Status, e.Kind = -1, ErrTime
	}
	return out.buf.Bytes(), e
}

// status is the status that a git command ended with; -1: by no end of its own.
func status(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Status
	}
	return -1
}

// lastWords is the line of what git said that tells most: the last of those that say that
// something is wrong, or else the last.
func lastWords(said string) string {
	last := ""
	for line := range strings.FieldsFuncSeq(said, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "warning:") || strings.HasPrefix(line, "hint:") {
			continue
		}
		bad := strings.HasPrefix(line, "fatal:") || strings.HasPrefix(line, "error:") || strings.HasPrefix(line, "remote:") || strings.HasPrefix(line, "!")
		if line != "" && (bad || last == "") && (last == "" || !strings.Contains(line, "Could not read from remote repository")) {
			last = line
		}
	}
	if r := []rune(last); len(r) > 300 {
		last = string(r[:300]) + "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(last, "?"))
}

// limited keeps the beginning of what is written to it, or the end.
type limited struct {
	buf   bytes.Buffer
	max   int
	tail  bool
	over  bool
	ended bool // what it read from came to its end
}

// ReadFrom is what a pipe is copied by.
func (l *limited) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(struct{ io.Writer }{l}, r)
	l.ended = err == nil
	return n, err
}

func (l *limited) Write(p []byte) (int, error) {
	n := len(p)
	if room := l.max - l.buf.Len(); len(p) > room {
		l.over = true
		if l.tail {
			l.buf.Next(min(l.buf.Len(), len(p)-room))
			p = p[max(0, len(p)-l.max):]
		} else {
			p = p[:room]
		}
	}
	l.buf.Write(p)
	return n, nil
}

// progressReader reads lines such as "Receiving objects:  45% (9/20), 1.2 MiB".
type progressReader struct {
	tell func(Progress)
	line []byte
}

func (r *progressReader) Write(p []byte) (int, error) {
	for _, b := range p {
		if b != '\r' && b != '\n' {
			if len(r.line) < 200 {
				r.line = append(r.line, b)
			}
			continue
		}
		phase, rest, ok := strings.Cut(strings.TrimPrefix(string(r.line), "remote: "), ":")
		r.line = r.line[:0]
		percent, _, found := strings.Cut(rest, "%")
		n, err := strconv.Atoi(strings.TrimSpace(percent))
		if ok && found && err == nil && n >= 0 && n <= 100 {
			r.tell(Progress{Phase: phase, Percent: n})
		}
	}
	return len(p), nil
}

// Version returns git's version, such as 2.39.5, or an error that wraps ErrNoGit where
// there is none that is new enough.
func Version(ctx context.Context) (string, error) {
	out, err := run(ctx, command{args: []string{"version"}, limit: 10 * time.Second})
	if err != nil {
		return "", err
	}
	fields := strings.Fields(string(out))
	if len(fields) < 3 {
		return "", fmt.Errorf("%w: it calls itself %q", ErrNoGit, out)
	}
	var major, minor int
	if _, err := fmt.Sscanf(fields[2], "%d.%d", &major, &minor); err != nil || major < 2 || major == 2 && minor < 30 {
		return fields[2], fmt.Errorf("%w: this is %s", ErrNoGit, fields[2])
	}
	return fields[2], nil
}
