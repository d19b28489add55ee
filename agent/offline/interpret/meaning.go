package interpret

import (
	"kist/agent/intent"
	"kist/agent/offline/field"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
)

// A Meaning is what a clause may mean and how surely.
type Meaning struct {
	Intent intent.Name
	Score  float64
	Clause *Clause
	Known  []Meaning // what it may say of tasks, if these are there
	Or     []Meaning // of none: the two that it may be, neither surely enough to act on
	Lacks  bool      // of none: something surely asked for it, and what is missing

	Project  refer.Reference // that the clause names
	Name     string          // of a project to create, the new one of a project to rename, of a draft to abandon
	Given    bool            // of a project to create: the name is that which it was given
	Apart    bool            // of a project to create: something is said to be one of its own
	Sure     bool            // create it without asking
	Todos    []todo.Todo     // of add_task; of none: what only dates a thing to do that was named before
	Points   bool            // of update_task, complete_task, delete_task, create_project: "it", of which the message before tells
	Also     bool            // it names one more task for what was meant before
	Righted  bool            // of update_task: it sets right what was just written
	Task     string          // of a task that is pointed to: its reference, where that is known
	Titles   []string        // of the tasks to complete, change or delete, as they were said
	Title    string          // of what has a date that moves; empty: the project
	Told     float64         // of update_task: how probable it is that it is only news
	Change   todo.Todo       // of update_task: what to set
	Field    field.Order     // of update_task: what becomes of one field, in place of Change
	DayAlone bool            // of update_task: the day to set is but a number, of the month of the task
	Moved    todo.Shift      // of update_task: by how much its date moves
	Text     string          // of a note, decision, memory; of ask: what is asked about
	Scope    string          // of remember: user or project; of list_tasks: today, week, overdue
	About    string          // of ask: decision, when, borrow, or nothing; of start_mode: which; of unsupported: what kind; of none: elsewhere
	idle     bool            // of none: nothing more is to be made of it, as of the words of a task that is none
	two      bool            // of switch: more than one project is named
	Undo     map[string]any  // of undo: the arguments of the tool
	Other    refer.Reference // of merge_projects: into which one
}
