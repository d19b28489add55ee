package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A mutant is one change to the code.
type mutant struct {
	name     string
	file     string   // from the root, with forward slashes
	old, new []string // lines without their indentation
	pkg      string   // folder of the tests
	tests    []string // that must fail
	survives string   // why nothing can notice it; empty: tests do
}

// parseTable reads table.txt, whose beginning describes its form.
func parseTable(text string) ([]mutant, error) {
	var out []mutant
	seen := map[string]bool{}
	for _, part := range strings.Split(text, "\n\n") {
		part = strings.TrimSpace(part)
		if part == "" || strings.HasPrefix(part, "#") {
			continue
		}
		m, err := parseMutant(strings.Split(part, "\n"))
		if err == nil && seen[m.name] {
			err = errors.New("there are two of that name")
		}
		if err != nil {
			return nil, fmt.Errorf("mutant %q: %w", m.name, err)
		}
		seen[m.name] = true
		out = append(out, m)
	}
	return out, nil
}

func parseMutant(lines []string) (m mutant, err error) {
	var ok bool
	if m.name, m.file, ok = strings.Cut(lines[0], " "); !ok {
		return m, errors.New("the first line is not a name and a file")
	}
	for _, line := range lines[1:] {
		kind, rest, _ := strings.Cut(line, " ")
		switch rest = strings.TrimSpace(rest); kind {
		case "-":
			m.old = append(m.old, rest)
		case "+":
			m.new = append(m.new, rest)
		case "killed":
			words := strings.Fields(strings.TrimPrefix(rest, "by "))
			if len(words) < 2 {
				return m, errors.New("no test is named")
			}
			m.pkg, m.tests = words[0], words[1:]
		case "survives:":
			m.survives = rest
		default:
			return m, fmt.Errorf("what is %q?", line)
		}
	}
	if len(m.old) == 0 || (len(m.tests) == 0) == (m.survives == "") {
		return m, errors.New("it takes lines to replace, and either tests or a reason")
	}
	return m, nil
}

// apply makes the change in the text of its file.
func (m mutant) apply(text string) (string, error) {
	lines := strings.Split(text, "\n")
	plain := make([]string, len(lines))
	for i, line := range lines {
		plain[i] = strings.TrimSpace(line)
	}
	at := -1
	for i := 0; i+len(m.old) <= len(lines); i++ {
		if !slices.Equal(plain[i:i+len(m.old)], m.old) {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("%s has these lines more than once", m.file)
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("%s doesn't have these lines", m.file)
	}
	return strings.Join(slices.Replace(lines, at, at+len(m.old), m.new...), "\n"), nil
}
