// Package console is standard error while something long runs: the lines of a log, and
// a [Bar] that shows how far it is. A [Console] holds both for a daemon in the
// foreground. What it is given to show is made harmless for a terminal here.
package console

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/lmittmann/tint"

	"kist/cmd/kist/terminal"
	"kist/vault/control"
)

// A Console takes log lines and progress from several goroutines.
type Console struct {
	mu  sync.Mutex
	w   io.Writer
	tty bool
	bar *Bar

	question string // that is open: the last line, whatever is logged meanwhile
}

// New returns a console on w, which may be a terminal.
func New(w io.Writer, tty bool) *Console { return &Console{w: w, tty: tty, bar: NewBar(w, tty)} }

// Logger returns a log to the console, or one that appends to a file; done closes it.
func (c *Console) Logger(file string, level slog.Level) (log *slog.Logger, done func(), err error) {
	if file != "" {
		f, err := control.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("open the log: %w", err)
		}
		h := slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})
		return slog.New(h), func() { f.Close() }, nil
	}
	var h slog.Handler
	if c.tty {
		// Its colours would be made visible.
		h = tint.NewTextHandler(c, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: true})
	} else {
		h = slog.NewTextHandler(c, &slog.HandlerOptions{Level: level})
	}
	return slog.New(h), func() {}, nil
}

// Write takes a log line.
func (c *Console) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bar.End()
	text := terminal.Block(string(b))
	if c.question != "" {
		text = clear + text + c.prompt()
	}
	_, err := io.WriteString(c.w, text)
	return len(b), err
}

// Ask shows a question to be answered by y or n, behind what before shows, which writes
// to the console's own writer. Until Answered it stays the last line, and no bar is shown.
func (c *Console) Ask(question string, before func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stayRunning()
	c.bar.End()
	before()
	c.question = question
	fmt.Fprint(c.w, c.prompt())
}

func (c *Console) prompt() string { return terminal.Line(c.question) + " [y/N] " }

// Answered says that no question is open any more, and takes one that got no answer off
// the terminal.
func (c *Console) Answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.question != "" {
		c.question = ""
		fmt.Fprint(c.w, clear)
	}
}

// Progress shows how far something is; total 0 means that the end isn't known yet.
func (c *Console) Progress(done, total int, phase string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.question != "" {
		return
	}
	c.bar.Show(done, total, phase)
	if total > 0 && done >= total {
		c.bar.End()
	}
}
