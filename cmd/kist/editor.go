package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/term"

	"kist/rpc/dial"
)

// An editor reads lines from a terminal, with editing and a history that is kept
// between runs. The terminal is raw only while a line is read, so that output and
// Ctrl-C are the ordinary ones while a turn runs.
type editor struct {
	tty  *os.File
	term *term.Terminal

	mu    sync.Mutex
	state *term.State // what to go back to; nil: the terminal is as it was
}

func newEditor(tty *os.File, out *printer, history string) (*editor, error) {
	h, err := openHistory(history)
	if err != nil {
		return nil, err
	}
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{tty, out.w}, "")
	t.History = h
	return &editor{tty: tty, term: t}, nil
}

// readLine returns one line or, where several were pasted at once, all of them.
// io.EOF ends the conversation.
func (e *editor) readLine(prompt string) (text string, err error) {
	fd := int(e.tty.Fd())
	if err := e.raw(fd); err != nil {
		return "", fmt.Errorf("set up the terminal: %w", err)
	}
	defer func() {
		e.term.SetBracketedPasteMode(false)
		err = errors.Join(err, e.restore())
	}()
	if w, h, err := term.GetSize(fd); err == nil && w > 0 {
		// The only error is that of writing a prompt, which ReadLine meets again.
		_ = e.term.SetSize(w, h)
	}
	e.term.SetPrompt(prompt)
	e.term.SetBracketedPasteMode(true)
	var pasted strings.Builder
	for {
		l, err := e.term.ReadLine()
		pasted.WriteString(l)
		if !errors.Is(err, term.ErrPasteIndicator) {
			return pasted.String(), err
		}
		pasted.WriteByte('\n')
	}
}

func (e *editor) raw(fd int) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state, err = term.MakeRaw(fd)
	return err
}

// restore gives the terminal back as it was; also from another goroutine.
func (e *editor) restore() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state == nil {
		return nil
	}
	state := e.state
	e.state = nil
	return term.Restore(int(e.tty.Fd()), state)
}

// restoreOnSignal ends the program when it is told to end, which main leaves to the
// commands' contexts: none of those can end a wait for a key. The terminal is
// given back first. The returned function ends the watch.
func (e *editor) restoreOnSignal() (stop func()) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if _, ok := <-told; ok {
			_ = e.restore()
			os.Exit(exitFailed)
		}
	}()
	return func() {
		signal.Stop(told)
		close(told)
	}
}

// historyPath is where the lines typed about a vault are kept, beside the log of
// its daemon.
func historyPath(vault string) string {
	paths, err := dial.PathsFor(vault)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(paths.Log, ".log") + ".history"
}

// maxHistory is how many lines are kept.
const maxHistory = 1000

// history is the typed lines, oldest first. What can't be saved is only lost for
// the next run.
type history struct {
	path  string
	lines []string
}

// openHistory reads a history; an empty path keeps it in memory alone.
func openHistory(path string) (*history, error) {
	h := &history{path: path}
	if path == "" {
		return h, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("keep the history: %w", err)
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		h.lines = append(h.lines, s.Text())
	}
	h.lines = h.lines[max(0, len(h.lines)-maxHistory):]
	return h, nil
}

// Add appends a line, to the file too.
func (h *history) Add(entry string) {
	if strings.TrimSpace(entry) == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == entry {
		return
	}
	h.lines = append(h.lines, entry)
	if h.path == "" {
		return
	}
	f, err := os.OpenFile(h.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = io.WriteString(f, strings.ReplaceAll(entry, "\n", " ")+"\n")
}

// Len is how many lines there are.
func (h *history) Len() int { return len(h.lines) }

// At returns a line, the newest being 0.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
