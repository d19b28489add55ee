package lsptest

import (
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// A Dialogue is a recorded one: an archive of the vault's files, "dialogue", and what files
// hold afterwards, below "want/".
type Dialogue struct {
	Name  string
	Files map[string][]byte
	Text  string
	Want  map[string][]byte
}

// Dialogues reads those of a folder's archives (*.txtar). That there are none is an error.
func Dialogues(dir string) ([]Dialogue, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no dialogues in %s: %w", dir, err)
	}
	var all []Dialogue
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			return nil, err
		}
		d := Dialogue{Name: strings.TrimSuffix(filepath.Base(name), ".txtar"), Files: map[string][]byte{}, Want: map[string][]byte{}}
		for _, f := range a.Files {
			switch want, ok := strings.CutPrefix(f.Name, "want/"); {
			case ok:
				d.Want[want] = f.Data
			case f.Name == "dialogue":
				d.Text = string(f.Data)
			default:
				d.Files[f.Name] = f.Data
			}
		}
		all = append(all, d)
	}
	return all, nil
}

// Steps are the messages that the editor sends, each a line with those behind it that say
// what is to come back.
func (d Dialogue) Steps() (steps []string) {
	for line := range strings.Lines(d.Text) {
		switch {
		case strings.HasPrefix(line, ">"), strings.HasPrefix(line, "!"):
			steps = append(steps, line)
		case len(steps) > 0 && !strings.HasPrefix(line, "#"):
			steps[len(steps)-1] += line
		}
	}
	return steps
}
