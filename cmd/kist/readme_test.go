//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A step is one command of the README with the output it claims.
type readmeStep struct {
	command string
	output  []string
}

// readmeSteps reads the console blocks of the README.
func readmeSteps(t *testing.T) []readmeStep {
	t.Helper()
	f, err := os.Open("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var steps []readmeStep
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && strings.HasPrefix(line, "$ "):
			steps = append(steps, readmeStep{command: line[2:]})
		case inside:
			last := &steps[len(steps)-1]
			last.output = append(last.output, line)
		}
	}
	if len(steps) < 5 {
		t.Fatalf("%d steps in the README", len(steps))
	}
	return steps
}

var (
	shortIDs = regexp.MustCompile(`\[([0-9A-Z]{8})\]`)
	// What differs each time: ids, dates and times.
	varying = regexp.MustCompile(`\b[0-9A-Z]{26}\b|\[[0-9A-Z]{8}\]|\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\dZ?)?|(tomorrow, )?[MTWFS][a-z]+day \d+ [A-Z][a-z]+( \d{4})?|\btoday\b`)
)

func sameEachTime(s string) string { return varying.ReplaceAllString(s, "~") }

// The README's tour is run, and its output compared line by line.
func TestReadmeTour(t *testing.T) {
	dir := t.TempDir()
	run := func(command string) string {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "KIST_VAULT="+filepath.Join(dir, "my-vault"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	run("kist init my-vault")
	t.Cleanup(func() { run("kist down") })
	run("kist index wait")
	ids := map[string]string{} // the README's, and what they are this time
	for _, step := range readmeSteps(t) {
		command := step.command
		for theirs, ours := range ids {
			command = strings.ReplaceAll(command, theirs, ours)
		}
		want := strings.Join(step.output, "\n")
		var got string
		// A save by another program is found a moment later.
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			got = strings.TrimRight(run(command), "\n")
			if sameEachTime(got) == sameEachTime(want) {
				break
			}
			if !strings.HasPrefix(command, "kist search") || time.Now().After(deadline) {
				t.Fatalf("$ %s\nprints\n%s\nand the README says\n%s", command, got, want)
			}
		}
		theirs, ours := shortIDs.FindAllStringSubmatch(want, -1), shortIDs.FindAllStringSubmatch(got, -1)
		for i := range theirs {
			ids[theirs[i][1]] = ours[i][1]
		}
	}
}
