package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// An Editor reads messages from a terminal, with editing and a history that is kept
// between runs. The terminal is raw only while a message is written, so that output and
// Ctrl-C are the ordinary ones while a turn runs.
//
// What the terminal sends is taken apart by next; keys says what each key does; the
// text and its cursor are the input, which a screen paints.
type Editor struct {
	tty  *os.File
	keys map[string]func(*Editor)
	in   input
	screen
	history *history
	back    int    // which line of the history is shown; 0: none
	aside   string // what was being written before one was
	sent    []byte // by the terminal, not taken in yet
	done    bool   // the message is complete
	fail    error  // io.EOF: the conversation is to end

	mu    sync.Mutex
	state *term.State // what to go back to; nil: the terminal is as it was
}

// NewEditor returns an editor of the terminal that tty is and out writes to. Lines are
// kept in the file history, or in memory alone where that is empty.
func NewEditor(tty *os.File, out io.Writer, historyFile string) (*Editor, error) {
	h, err := openHistory(historyFile)
	if err != nil {
		return nil, err
	}
	return &Editor{tty: tty, keys: keys(), screen: screen{w: out}, history: h}, nil
}

// ReadLine returns one message. Pasted text is part of it, with all its lines.
// io.EOF ends the conversation.
func (e *Editor) ReadLine(prompt string) (text string, err error) {
	fd := int(e.tty.Fd())
	defer func() { err = errors.Join(err, e.restore()) }()
	if err := e.raw(fd); err != nil {
		return "", fmt.Errorf("set up the terminal: %w", err)
	}
	e.begin()
	for {
		for !e.done && e.fail == nil && e.takeKey() {
		}
		if w, h, err := term.GetSize(fd); err == nil && w > 0 {
			e.resize(w, h)
		} else {
			e.resize(80, 24)
		}
		if err := e.paint(prompt, &e.in); err != nil {
			return "", err
		}
		if e.fail != nil {
			return "", e.fail
		}
		if e.done {
			return string(e.in.text), e.leave()
		}
		if err := e.read(); err != nil {
			return "", err
		}
	}
}

// begin makes room for a new message. What was typed ahead stays.
func (e *Editor) begin() {
	e.in = input{cut: e.in.cut}
	e.back, e.aside, e.done, e.fail = 0, "", false, nil
	e.painted, e.row, e.column = nil, 0, 0
}

func (e *Editor) read() error {
	var b [4096]byte
	n, err := e.tty.Read(b[:])
	e.sent = append(e.sent, b[:n]...)
	return err
}

// takeKey carries out what was sent first, and reports whether there was anything whole.
func (e *Editor) takeKey() bool {
	sent, text, n := next(e.sent)
	e.sent = e.sent[n:]
	if do := e.keys[sent]; do != nil {
		do(e)
	} else if text != "" {
		e.in.insert([]rune(text))
	}
	return n > 0
}

// submit ends the message.
func (e *Editor) submit() {
	e.in.end()
	e.history.Add(string(e.in.text))
	e.done = true
}

// interrupt clears what was written; where nothing was, it ends the conversation.
func (e *Editor) interrupt() {
	if len(e.in.text) == 0 {
		e.fail = io.EOF
		return
	}
	e.in.take(0, len(e.in.text))
	e.back = 0
}

// endOfInput is what the key does that ends input elsewhere: here only where nothing
// was written, else it removes a character.
func (e *Editor) endOfInput() {
	if len(e.in.text) == 0 {
		e.fail = io.EOF
		return
	}
	e.in.remove()
}

func (e *Editor) clear() { e.fail = e.wipe() }

// older and newer walk through the history. What was being written comes back at the end.
func (e *Editor) older() {
	if e.back == e.history.Len() {
		return
	}
	if e.back == 0 {
		e.aside = string(e.in.text)
	}
	e.back++
	e.in.set(e.history.At(e.back - 1))
}

func (e *Editor) newer() {
	switch e.back {
	case 0:
		return
	case 1:
		e.in.set(e.aside)
	default:
		e.in.set(e.history.At(e.back - 2))
	}
	e.back--
}

func (e *Editor) raw(fd int) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state, err = term.MakeRaw(fd); err == nil {
		_, err = io.WriteString(e.w, pasteOn)
	}
	return err
}

// restore gives the terminal back as it was; also from another goroutine.
func (e *Editor) restore() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.state == nil {
		return nil
	}
	state := e.state
	e.state = nil
	_, err := io.WriteString(e.w, pasteOff)
	return errors.Join(err, term.Restore(int(e.tty.Fd()), state))
}

// RestoreOnSignal ends the program with a status when it is told to end, which main leaves to the
// commands' contexts: none of those can end a wait for a key. The terminal is
// given back first. The returned function ends the watch.
func (e *Editor) RestoreOnSignal(status int) (stop func()) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if _, ok := <-told; ok {
			_ = e.restore()
			os.Exit(status)
		}
	}()
	return func() {
		signal.Stop(told)
		close(told)
	}
}
