package forecast

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/pattern"
	"kist/vault/taskline"
)

// maxPatches bounds how many operations are read in full: the newest ones count.
const maxPatches = 5000

var (
	statusDone = pattern.Lazy(`^status:\s*["']?(?:done|completed?|finished|closed)["']?\s*(?:#.*)?$`)
	box        = pattern.Lazy(`^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[(.)\]\s+(.*)$`)
)

// readLog finds in the operation log when tasks were done and came up, where the
// files don't say. The newest time that something became done counts, since a task
// may have been opened again.
func (in *Input) readLog(ctx context.Context, v *vault.Vault) error {
	lacking, paths := in.lacking()
	if len(lacking) == 0 {
		return nil
	}
	ops, err := v.Operations(ctx, vault.Filter{Project: in.Slug, Status: vault.StatusCompleted, Since: in.Today.AddDate(0, 0, -7*maxHistory)})
	if err != nil {
		return err
	}
	read := 0
	for _, op := range ops { // newest first
		if op.UndoneBy != "" || !slices.ContainsFunc(op.Changes, func(c vault.FileChange) bool { return paths[c.Path] }) {
			continue
		}
		if read++; read > maxPatches {
			in.note("Of the operations in the log the newest %d were read.", maxPatches)
			break
		}
		full, err := v.Operation(ctx, op.ID)
		if err != nil {
			return fmt.Errorf("read operation %s: %w", op.ID, err)
		}
		for _, c := range full.Changes {
			if paths[c.Path] {
				readPatch(c, day(full.At.UTC()), lacking)
			}
		}
	}
	return nil
}

// key names a task in the log: a file by its path, a checkbox also by its text,
// since its line moves.
func key(path, text string) string { return path + "\x00" + strings.TrimSpace(text) }

// lacking are the tasks, by [key], whose day of completion or creation isn't known,
// with the paths that they are in.
func (in *Input) lacking() (tasks map[string][]*Task, paths map[string]bool) {
	tasks, paths = map[string][]*Task{}, map[string]bool{}
	for i := range in.Tasks {
		t := &in.Tasks[i]
		if t.Status == "done" && t.Done.IsZero() || t.Created.IsZero() {
			tasks[t.key] = append(tasks[t.key], t)
			paths[t.At.Path] = true
		}
	}
	return tasks, paths
}

// readPatch takes from one change of a file what it did to tasks. A file that came
// up with done tasks in it says nothing about when they were done, nor does a ticked
// box that wasn't there before.
func readPatch(c vault.FileChange, at time.Time, lacking map[string][]*Task) {
	removed, added := map[string]byte{}, map[string]byte{}
	became, was := false, false
	for line := range strings.Lines(c.Patch) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) < 2 || len(line) > maxLine || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") || line[0] != '+' && line[0] != '-' {
			continue
		}
		boxes, status := added, &became
		if line[0] == '-' {
			boxes, status = removed, &was
		}
		if statusDone().MatchString(line[1:]) {
			*status = true
		}
		if m := box().FindStringSubmatch(line[1:]); m != nil {
			boxes[key(c.Path, taskline.Parse(m[2]).Title)] = m[1][0]
		}
	}
	file := key(c.Path, "")
	switch {
	case c.Before == "" && c.From == "":
		setCreated(lacking[file], at)
	case became && !was:
		setDone(lacking[file], at)
	}
	for k, mark := range added {
		before, there := removed[k]
		switch {
		case !there:
			setCreated(lacking[k], at)
		case ticked(mark) && !ticked(before):
			setDone(lacking[k], at)
		}
	}
}

func ticked(mark byte) bool { return mark == 'x' || mark == 'X' }

// setDone keeps the newest time, which comes first.
func setDone(tasks []*Task, at time.Time) {
	for _, t := range tasks {
		if t.Status == "done" && t.Done.IsZero() {
			t.Done = at
		}
	}
}

// setCreated keeps the oldest time, which comes last.
func setCreated(tasks []*Task, at time.Time) {
	for _, t := range tasks {
		if t.logged || t.Created.IsZero() {
			t.Created, t.logged = at, true
		}
	}
}
