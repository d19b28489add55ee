package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// cmdTerminal: terminal FILE ARGS... runs "kist ARGS..." on a terminal of its own and
// types the lines of FILE, each once the last characters on the terminal are a
// prompt: "> ", "[y/N] " or "[q]uit? ". What the terminal got becomes the standard output.
func cmdTerminal(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: terminal FILE ARGS...")
	}
	master, slave, err := openPTY()
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
		if err := typeAt(master, screen, &typed, strings.TrimSuffix(l, "\n")); err != nil {
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

// typeAt types a line at the next prompt.
func typeAt(master *os.File, screen *lockedBuffer, typed *int, l string) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		shown := []byte(screen.String())[*typed:]
		// Bracketed paste is switched on after the prompt or before it.
		shown = bytes.ReplaceAll(shown, []byte("\x1b[?2004h"), nil)
		if atPrompt(shown) {
			*typed = len(screen.String())
			_, err := master.WriteString(l + "\r")
			return err
		}
	}
	return errors.New("no prompt for " + l)
}

func atPrompt(shown []byte) bool {
	return slices.ContainsFunc([]string{"> ", "[y/N] ", "[q]uit? "}, func(end string) bool {
		return bytes.HasSuffix(shown, []byte(end))
	})
}

// openPTY opens a pseudo-terminal.
func openPTY() (master, slave *os.File, err error) {
	if master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 200})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(err, master.Close())
	}
	return master, slave, nil
}
