// Package intent reads what somebody wants with a message. A Reader holds a linear model
// that was trained on the labelled sentences of testdata/dialogues; Read gives the
// probability of each intent, Parts cuts a message where its parts are read most surely,
// Slots finds the arguments. What is sure enough to act on is for the caller to say.
//
// A message becomes Features: hashes of runs of words and letters, its shape and the
// situation, with names of projects, numbers and dates masked. No rule in this package
// makes an intent of a word; whoever acts on a reading may veto it. Dates, names and
// other arguments are found elsewhere.
//
// Learn adds examples of the user's own, which others keep: a message like one of them is
// read as it was. Without them the Reader is as before.
//
// After the sets, the features or the tokens have changed, train again (a few minutes;
// the same input gives the same weights):
//
//	go generate ./agent/intent
package intent

//go:generate go run ../train -o weights.bin ../../testdata/dialogues

import (
	_ "embed"
	"sort"

	"kist/agent/intent/linear"
)

// A Name is what somebody wants with a message: one of the labels of the sets.
type Name string

// The intents. Their rules are written down in testdata/dialogues/LABELS.md.
const (
	None            Name = "none"  // nothing is to be done, nothing to be kept
	News            Name = "news"  // something happened or changed in the active project
	Elsewhere       Name = "offer" // the same of another project
	Ask             Name = "ask"
	Status          Name = "status"
	Switch          Name = "switch"
	Back            Name = "back"
	Consent         Name = "consent"
	Decline         Name = "decline"
	Undo            Name = "undo"
	Redo            Name = "redo"
	Help            Name = "help"
	Greet           Name = "greet"
	Thanks          Name = "thanks"
	Unsupported     Name = "unsupported"
	AddTask         Name = "add_task"
	UpdateTask      Name = "update_task"
	CompleteTask    Name = "complete_task"
	DeleteTask      Name = "delete_task"
	ListTasks       Name = "list_tasks"
	AddNote         Name = "add_note"
	AddDecision     Name = "add_decision"
	Remember        Name = "remember"
	ForgetMemory    Name = "forget_memory"
	MoveMemory      Name = "move_memory"
	ListMemories    Name = "list_memories"
	CreateProject   Name = "create_project"
	RenameProject   Name = "rename_project"
	ArchiveProject  Name = "archive_project"
	DeleteProject   Name = "delete_project"
	ReopenProject   Name = "reopen_project" // take it out of the archive
	MergeProjects   Name = "merge_projects"
	ListProjects    Name = "list_projects"
	ListDrafts      Name = "list_drafts"
	ListPending     Name = "list_pending"   // what waits for a word
	ListChanges     Name = "list_changes"   // what kist changed
	OpenQuestions   Name = "open_questions" // what isn't known yet
	WhichProject    Name = "which_project"  // that something belongs to
	AbandonDraft    Name = "abandon_draft"
	Completeness    Name = "completeness"
	ProjectCreate   Name = "project_create" // guided: plan a new project together
	ProjectUpdate   Name = "project_update" // guided: tell what is new
	ProjectAudit    Name = "project_audit"
	ProjectForecast Name = "project_forecast"
	TaskUpdate      Name = "task_update" // guided: go through the tasks
)

// An Input is a message and what is known when it comes.
type Input struct {
	// What stands before Text and behind it, where it is a part of a message.
	Before, After string

	Text     string
	Project  string   // name of the active project, "" without one
	Projects []string // names of all projects

	Waiting bool // something waits for approval
	Asked   bool // the last reply ended in a question
	Guided  bool // a guided session is on
}

// A Reading is one thing that a message may mean.
type Reading struct {
	Intent Name
	P      float64 // how probable it is
}

// A Reader reads messages. It doesn't change and may be used by many at once.
type Reader struct {
	models      Models
	calibration Calibration
}

//go:embed weights.bin
var weights []byte

// Load returns a reader with the weights that are built in.
func Load() (*Reader, error) { return Decode(weights) }

// Read says what a message may mean: all intents, the most probable first. Their
// probabilities add up to 1.
func (r *Reader) Read(in Input) []Reading {
	p := linear.Softmax(r.models.Intents.Scores(Features(in)), r.calibration.Temperature)
	readings := make([]Reading, len(p))
	for i, c := range r.models.Intents.Classes {
		readings[i] = Reading{Name(c), p[i]}
	}
	sortReadings(readings)
	return readings
}

// sortReadings puts the most probable first.
func sortReadings(readings []Reading) {
	sort.SliceStable(readings, func(i, j int) bool { return readings[i].P > readings[j].P })
}
