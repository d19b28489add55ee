package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdHammer: hammer VAULT ROUNDS lets two writers append lines to a note each, kills
// the daemon at some moment of every round, and wants in the end every line that
// was acknowledged once, and no other more than once.
func cmdHammer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hammer VAULT ROUNDS")
	}
	vault := ts.MkAbs(args[0])
	rounds, err := strconv.Atoi(args[1])
	ts.Check(err)
	var writers [2]hammerWriter
	for i := range writers {
		writers[i] = hammerWriter{file: fmt.Sprintf("hammer%d.md", i), acked: map[string]bool{}}
		ts.Check(os.WriteFile(filepath.Join(vault, writers[i].file), []byte("begin\n"), 0o644))
	}
	kist := func(args ...string) error {
		cmd := exec.Command("kist", args...)
		prepare(ts, cmd)
		return cmd.Run()
	}
	for range rounds {
		ts.Check(kist("status"))
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() { writers[i].write(kist, stop) })
		}
		time.Sleep(rand.N(80 * time.Millisecond))
		pid, err := daemonPID(vault)
		if err == nil {
			err = kill(pid)
		}
		close(stop)
		wg.Wait()
		ts.Check(err)
	}
	ts.Check(kist("status"))
	acked := 0
	for i := range writers {
		ts.Check(writers[i].check(vault))
		acked += len(writers[i].acked)
	}
	ts.Logf("%d lines acknowledged in %d rounds", acked, rounds)
}

// A hammerWriter appends numbered lines to one note.
type hammerWriter struct {
	file  string
	next  int
	acked map[string]bool
}

func (w *hammerWriter) write(kist func(...string) error, stop chan struct{}) {
	for {
		l := fmt.Sprintf("line %d", w.next)
		w.next++
		if kist("note", "append", w.file, l) == nil {
			w.acked[l] = true
		}
		select {
		case <-stop:
			return
		default:
		}
	}
}

func (w *hammerWriter) check(vault string) error {
	text, err := os.ReadFile(filepath.Join(vault, w.file))
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for l := range strings.Lines(string(text)) {
		seen[strings.TrimSpace(l)]++
	}
	for l, n := range seen {
		if n > 1 && l != "" {
			return fmt.Errorf("%s: %q is there %d times", w.file, l, n)
		}
	}
	for l := range w.acked {
		if seen[l] != 1 {
			return fmt.Errorf("%s: %q was acknowledged and is lost", w.file, l)
		}
	}
	return nil
}
