package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed table.txt
var table string

func main() {
	name := flag.String("run", "", "only mutants whose name matches this regular expression")
	flag.Parse()
	if err := run(*name); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(name string) error {
	all, err := parseTable(table)
	if err != nil {
		return err
	}
	wanted, err := regexp.Compile(name)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	all = slices.DeleteFunc(all, func(m mutant) bool { return !wanted.MatchString(m.name) })
	if len(all) == 0 {
		return fmt.Errorf("no mutant's name matches %q", name)
	}
	dir, err := os.MkdirTemp("", "kist-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := workshop{dir: dir, sound: map[string]bool{}}
	bad := 0
	for _, m := range all {
		start := time.Now()
		verdict, err := w.try(m)
		if err != nil {
			bad++
			verdict = "FAULT: " + err.Error()
		}
		fmt.Printf("%-22s %6s  %s\n", m.name, time.Since(start).Round(time.Second/10), verdict)
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d mutants are not what the table says", bad, len(all))
	}
	fmt.Printf("%d mutants\n", len(all))
	return nil
}

// A workshop is where mutants are made. The tree itself is never changed: go is told to
// read the file of a mutant from here.
type workshop struct {
	dir   string
	sound map[string]bool // tests that pass without a mutant
}

var errSurvives = errors.New("it survives: these tests pass with it")

// try runs a mutant's tests without it and with it. It returns what became of it, or an
// error where that isn't what the table says.
func (w workshop) try(m mutant) (verdict string, err error) {
	overlay, err := w.overlay(m)
	if err != nil {
		return "", err
	}
	if m.survives != "" {
		if out, err := command("build", overlay, "./"+path.Dir(m.file)); err != nil {
			return "", fmt.Errorf("it doesn't build: %s", out)
		}
		return "survives: " + m.survives, nil
	}
	// A test that fails by itself would kill anything.
	if key := m.pkg + " " + strings.Join(m.tests, " "); !w.sound[key] {
		if out, err := command(m.testArgs()...); err != nil {
			return "", fmt.Errorf("the tests fail without it: %w\n%s", err, out)
		}
		w.sound[key] = true
	}
	switch out, err := command(m.testArgs(overlay)...); {
	case err == nil:
		return "", errSurvives
	case strings.Contains(out, "[build failed]"):
		return "", fmt.Errorf("it doesn't build: %s", out)
	default:
		return "killed by " + firstFailure(out), nil
	}
}

// overlay writes the mutated file and returns the flag that has go read it.
func (w workshop) overlay(m mutant) (flag string, err error) {
	text, err := os.ReadFile(filepath.FromSlash(m.file))
	if err != nil {
		return "", err
	}
	mutated, err := m.apply(string(text))
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(filepath.FromSlash(m.file))
	if err != nil {
		return "", err
	}
	instead := filepath.Join(w.dir, m.name+".go")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: instead}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(w.dir, m.name+".json")
	return "-overlay=" + name, errors.Join(os.WriteFile(instead, []byte(mutated), 0o600), os.WriteFile(name, list, 0o600))
}

func (m mutant) testArgs(flags ...string) []string {
	args := append([]string{"test", "-vet=off", "-count=1", "-failfast", "-timeout=3m", "-run=^(" + strings.Join(m.tests, "|") + ")$"}, flags...)
	return append(args, "./"+m.pkg)
}

func command(args ...string) (string, error) {
	out, err := exec.Command("go", args...).CombinedOutput()
	return string(out), err
}

// firstFailure names the test that failed first, or says how it ended otherwise.
func firstFailure(out string) string {
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			return name
		}
	}
	if strings.Contains(out, "test timed out") {
		return "the time limit of the tests"
	}
	return "the end of the test process"
}
