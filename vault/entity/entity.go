package entity

import (
	"time"

	"kist/vault/box"
	"kist/vault/task"
)

// A Project is a folder below projects/ with a project.md.
type Project struct {
	ID          string
	FormerIDs   []string // of what another machine made under the same name and was joined with it
	Slug        string
	Name        string
	Aliases     []string // what it is called besides
	Path        string   // of its project.md
	Status      string   // active, completed or archived
	Priority    string
	Tags        []string
	Description string // first paragraph of the body
	Start       string // YYYY-MM-DD, as it is written
	Due         string // YYYY-MM-DD, as it is written; also from deadline, target_date, end_date or end
	Created     time.Time
	CreatedBy   string    // user or agent; empty: unknown, treated as user
	Updated     time.Time // when its newest document was saved; zero: not asked for
	OpenTasks   int
	DoneTasks   int
}

// A Brief is what somebody returning to a project wants to know first.
type Brief struct {
	Project   Project
	Summary   string
	Decisions []string
	NextSteps []string
	// Dimensions holds, by key, the texts of those dimensions that have one.
	Dimensions map[string]string
	LastTurn   time.Time // when it was last talked about; zero: never
}

// A NewProject says what project to create. Only Name is needed.
type NewProject struct {
	Name        string
	Description string
	Priority    string
	Tags        []string
}

// A ProjectUpdate says what to set; nil leaves as it is.
type ProjectUpdate struct {
	Name     *string
	Status   *string
	Priority *string
	Start    *string // YYYY-MM-DD; empty removes it
	Due      *string // YYYY-MM-DD; empty removes it; written where the project has its end
}

// A Task is a file in a project's tasks folder, or a checkbox in any document.
type Task = task.Task

// A NewTask says what task to create. Title is needed.
type NewTask = box.New

// A TaskUpdate says what to set; nil leaves as it is, an empty date removes it.
type TaskUpdate = box.Update

// A Memory is one remembered fact.
type Memory struct {
	ID         string
	FormerIDs  []string // see [Project]
	Path       string
	Content    string
	Scope      string // user or project
	Project    string // slug
	Confidence float64
	Source     string // the turn or file span it came from
	Supersedes string // id or path of the memory that this one replaces
	Created    time.Time
}

// A NewMemory says what to remember. Only Content is needed.
type NewMemory struct {
	Content    string
	Project    string // slug; empty: the user's own
	Confidence float64
	Source     string
	Supersedes string // id or path of an existing memory
}

// A NewNote says what note to create. Title is needed.
type NewNote struct {
	Title   string
	Text    string
	Project string // slug; empty: at the top of the vault
}
