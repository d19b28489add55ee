package record

import (
	"kist/agent/intent"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
)

// Listed are the tasks that a message orders to be written down as a list, and what else it says behind it.
func Listed(t *Keeper) (m interpret.Meaning, rest string, ok bool) {
	label, list, rest := todo.Ordered(t.Text, t.Situation.Now)
	m = interpret.Meaning{Intent: intent.AddTask, Score: 1, Todos: list, Clause: interpret.ClauseOf(t.Text), Project: refer.Reference{Empty: true}}
	if of := refer.Mentioned(label, t.Situation.Projects); len(of) == 1 {
		m.Project = refer.Exactly(of[0])
	}
	return m, rest, len(list) > 1
}
