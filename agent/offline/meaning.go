package offline

import (
	"kist/agent/intent"
	"kist/agent/offline/refer"
)

// startMode is the one intent for all guided sessions: meaning.about says which.
const startMode intent.Name = "start_mode"

// A meaning is what a clause may mean and how surely.
type meaning struct {
	intent intent.Name
	score  float64
	clause *clause
	known  []meaning // what it may say of tasks, if these are there
	or     []meaning // of none: the two that it may be, neither surely enough to act on
	lacks  bool      // of none: something surely asked for it, and what is missing

	project refer.Reference // that the clause names
	name    string          // of a project to create, the new one of a project to rename, of a draft to abandon
	sure    bool            // create it without asking
	todos   []todo          // of add_task
	points  bool            // of update_task, complete_task, delete_task: "it", of which the message before tells
	titles  []string        // of the tasks to complete, change or delete, as they were said
	title   string          // of what has a date that moves; empty: the project
	told    float64         // of update_task: how probable it is that it is only news
	change  todo            // of update_task: what to set
	pairs   []meaning       // of update_task: several, each with its own task
	moved   moved           // of update_task: by how much its date moves
	text    string          // of a note, decision, memory; of ask: what is asked about
	scope   string          // of remember: user or project; of list_tasks: today, week, overdue
	about   string          // of ask: decision, when, borrow, or nothing; of start_mode: which; of unsupported: what kind; of none: elsewhere
	two     bool            // of switch: more than one project is named
	undo    map[string]any  // of undo: the arguments of the tool
	other   refer.Reference // of merge_projects: into which one
}
