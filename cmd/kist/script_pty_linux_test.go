package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// cmdTerminal: terminal FILE ARGS... runs "kist ARGS..." on a terminal of its own and
// types the lines of FILE, each once the last characters on the terminal are a
// prompt: "> ", "[y/N] " or "[q]uit? ". What the terminal got becomes the standard output.
//
// A line in quotes is a Go string, typed as it is, without Enter. The line
// "!kill VAULT" kills the daemon at the next prompt, "!cut VAULT TEXT" types the text
// there and kills the daemon in the middle of the turn, "!interrupt TEXT" types Ctrl-C
// once the terminal shows the text. $COLUMNS is the width, else 200.
func cmdTerminal(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: terminal FILE ARGS...")
	}
	columns, _ := strconv.ParseUint(ts.Getenv("COLUMNS"), 10, 16)
	master, slave, err := openPTY(cmp.Or(uint16(columns), 200))
	ts.Check(err)
	defer master.Close()
	cmd := exec.Command("kist", args[1:]...)
	prepare(ts, cmd)
	cmd.Env = append(cmd.Env, "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(cmd.Start())
	ts.Check(slave.Close())
	screen, drained := &lockedBuffer{}, make(chan struct{})
	go func() {
		defer close(drained)
		// Reading a terminal whose program has ended is an error, and the end.
		_, _ = io.Copy(screen, master)
	}()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	typed := 0
	for l := range strings.Lines(ts.ReadFile(args[0])) {
		if err := act(ts, master, screen, &typed, strings.TrimSuffix(l, "\n")); err != nil {
			_ = cmd.Process.Kill()
			ts.Fatalf("%v; the terminal shows:\n%s", err, screen)
		}
	}
	select {
	case err := <-done:
		<-drained
		if (err != nil) != neg {
			ts.Fatalf("it ended with %v; the terminal shows:\n%s", err, screen)
		}
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		ts.Fatalf("it did not end; the terminal shows:\n%s", screen)
	}
	_, err = ts.Stdout().Write([]byte(strings.ReplaceAll(screen.String(), "\r\n", "\n")))
	ts.Check(err)
}

// act carries out a line of what is to be typed.
func act(ts *testscript.TestScript, master *os.File, screen *lockedBuffer, typed *int, l string) error {
	if keys, err := strconv.Unquote(l); err == nil {
		return typeAt(master, screen, typed, keys)
	}
	verb, rest, _ := strings.Cut(l, " ")
	if verb == "!interrupt" {
		return interruptAt(master, screen, rest)
	}
	vault, text, _ := strings.Cut(rest, " ")
	vault = ts.MkAbs(vault)
	switch verb {
	case "!kill":
		if err := typeAt(master, screen, typed, ""); err != nil {
			return err
		}
		*typed = 0 // the prompt is still there
	case "!cut":
		if err := typeAt(master, screen, typed, text+"\r"); err != nil {
			return err
		}
		if err := turnOpen(vault); err != nil {
			return err
		}
	default:
		return typeAt(master, screen, typed, l+"\r")
	}
	pid, err := daemonPID(vault)
	if err != nil {
		return err
	}
	return kill(pid)
}

// interruptAt types Ctrl-C once the terminal shows a text.
func interruptAt(master *os.File, screen *lockedBuffer, text string) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if strings.Contains(screen.String(), text) {
			_, err := master.WriteString("\x03")
			return err
		}
	}
	return fmt.Errorf("the terminal never shows %q", text)
}

// turnOpen returns when a turn has been begun and is not yet at its end.
func turnOpen(vault string) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Microsecond) {
		files, _ := filepath.Glob(filepath.Join(vault, "sessions", "[^.]*"))
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && bytes.Contains(text, []byte("open_turn:")) {
				return nil
			}
		}
	}
	return errors.New("no turn was begun")
}

// typeAt types at the next prompt.
func typeAt(master *os.File, screen *lockedBuffer, typed *int, keys string) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		shown := []byte(screen.String())[*typed:]
		// Bracketed paste is switched on after the prompt or before it.
		shown = bytes.ReplaceAll(shown, []byte("\x1b[?2004h"), nil)
		if atPrompt(shown) {
			*typed = len(screen.String())
			_, err := master.WriteString(keys)
			return err
		}
	}
	return errors.New("no prompt for " + keys)
}

func atPrompt(shown []byte) bool {
	return slices.ContainsFunc([]string{"> ", "[y/N] ", "[q]uit? "}, func(end string) bool {
		return bytes.HasSuffix(shown, []byte(end))
	})
}

// openPTY opens a pseudo-terminal.
func openPTY(columns uint16) (master, slave *os.File, err error) {
	if master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(err, master.Close())
	}
	return master, slave, nil
}
