package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = ".."

// Each mutant is of lines that are there once, and its tests exist.
func TestTableIsOfThisCode(t *testing.T) {
	all, err := parseTable(table)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 25 {
		t.Errorf("only %d mutants", len(all))
	}
	for _, m := range all {
		text, err := os.ReadFile(filepath.Join(root, m.file))
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if out, err := m.apply(string(text)); err != nil {
			t.Errorf("%s: %v", m.name, err)
		} else if out == string(text) {
			t.Errorf("%s changes nothing", m.name)
		}
		for _, test := range m.tests {
			if !hasTest(t, m.pkg, test) {
				t.Errorf("%s: %s has no %s", m.name, m.pkg, test)
			}
		}
	}
}

func hasTest(t *testing.T, pkg, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", pkg, err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+test+"(")
	})
}

var code = regexp.MustCompile("`([^`]+)`")

// Each promise of docs/promises.md names mutants that its tests kill.
func TestEachPromiseNamesAMutant(t *testing.T) {
	all, err := parseTable(table)
	if err != nil {
		t.Fatal(err)
	}
	killed := map[string]bool{}
	for _, m := range all {
		killed[m.name] = m.survives == ""
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "promises.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n| promise | held by | a mutant that it kills |\n|---|---|---|\n")
	if !ok {
		t.Fatal("docs/promises.md has no table")
	}
	rows, _, _ := strings.Cut(rest, "\n\n")
	for row := range strings.SplitSeq(rows, "\n") {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) != 3 {
			t.Errorf("not three cells: %s", row)
			continue
		}
		names := code.FindAllStringSubmatch(cells[2], -1)
		if len(names) == 0 {
			t.Errorf("no mutant for %q", cells[0])
		}
		for _, name := range names {
			if !killed[name[1]] {
				t.Errorf("%q: no mutant %s is killed", cells[0], name[1])
			}
		}
	}
}

// The test of the test: a mutant that doesn't fit is refused.
func TestBadTables(t *testing.T) {
	for name, text := range map[string]string{
		"no tests":       "a b.go\n- x\n+ y\n",
		"both":           "a b.go\n- x\n+ y\nkilled by vault TestX\nsurvives: so\n",
		"nothing to cut": "a b.go\n+ y\nkilled by vault TestX\n",
		"twice":          "a b.go\n- x\nsurvives: so\n\na b.go\n- x\nsurvives: so\n",
		"no test named":  "a b.go\n- x\nkilled by vault\n",
		"another line":   "a b.go\n- x\nkept\n",
	} {
		if _, err := parseTable(text); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	m := mutant{file: "a.go", old: []string{"x := 1"}, new: []string{"x := 2"}}
	for text, fits := range map[string]bool{"\tx := 1\n": true, "": false, "\tx := 1\nx := 1\n": false, "y; x := 1\n": false} {
		if _, err := m.apply(text); (err == nil) != fits {
			t.Errorf("%q: %v", text, err)
		}
	}
}
