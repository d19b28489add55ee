package record

import (
	"kist/agent/consent"
	"kist/agent/offline/interpret"
)

// What may belong to another project.

// MovedAway takes from a meaning that it may move a task, and is that where the task is named, or
// the message before told of it.
func (t *Keeper) MovedAway(m *interpret.Meaning) (interpret.Meaning, bool) {
	moved, ok := takeMove(m)
	if !ok {
		return interpret.Meaning{}, false
	}
	if moved = t.Pointed(moved); moved.Points && len(moved.Titles) == 0 && consent.Read(t.Before) == consent.Other && t.Before != "" {
		moved.Titles = []string{t.Before} // which told of no task
	}
	return moved, len(moved.Titles) == 1
}

// takeMove takes from a meaning that it may move a task.
func takeMove(m *interpret.Meaning) (interpret.Meaning, bool) {
	if len(m.Known) == 0 || m.Known[0].Intent != interpret.MoveTask {
		return interpret.Meaning{}, false
	}
	moved := m.Known[0]
	m.Known = m.Known[1:]
	return moved, true
}
