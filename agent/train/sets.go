package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kist/agent/intent"
)

// A line is one labelled utterance.
type line struct {
	set    string // name of its file
	number int
	intent string
	input  intent.Input
}

// readSets reads all labelled sets of a folder. Columns are the intent, the active
// project ("-" for none), the project that is meant, and the text. "# projects:" above
// them lists slug=Name; "# situation:" tells of what follows it: any of waiting, asked,
// guided, or "-".
func readSets(folder string) ([]line, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.tsv"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no sets in %s: %w", folder, err)
	}
	var all []line
	for _, path := range paths {
		set, err := readSet(path)
		if err != nil {
			return nil, err
		}
		all = append(all, set...)
	}
	return all, nil
}

func readSet(path string) ([]line, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var set []line
	var situation intent.Input
	names := map[string]string{"-": ""}
	rows := bufio.NewScanner(f)
	for n := 1; rows.Scan(); n++ {
		row := rows.Text()
		if list, ok := strings.CutPrefix(row, "# projects: "); ok {
			for item := range strings.SplitSeq(list, ", ") {
				slug, name, _ := strings.Cut(item, "=")
				names[slug] = name
				situation.Projects = append(situation.Projects, name)
			}
		}
		if words, ok := strings.CutPrefix(row, "# situation:"); ok {
			situation.Waiting = strings.Contains(words, "waiting")
			situation.Asked = strings.Contains(words, "asked")
			situation.Guided = strings.Contains(words, "guided")
		}
		if strings.HasPrefix(row, "#") || row == "" {
			continue
		}
		columns := strings.Split(row, "\t")
		if len(columns) != 4 {
			return nil, fmt.Errorf("%s:%d: %d columns, want 4", path, n, len(columns))
		}
		project, ok := names[columns[1]]
		if !ok {
			return nil, fmt.Errorf("%s:%d: no project %s", path, n, columns[1])
		}
		in := situation
		in.Text, in.Project = columns[3], project
		set = append(set, line{strings.TrimSuffix(filepath.Base(path), ".tsv"), n, columns[0], in})
	}
	return set, rows.Err()
}
