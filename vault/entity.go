package vault

import "time"

// A Project is a folder below projects/ with a project.md.
type Project struct {
	ID          string
	Slug        string
	Name        string
	Path        string // of its project.md
	Status      string // active, completed or archived
	Priority    string
	Tags        []string
	Description string // first paragraph of the body
	Start       string // YYYY-MM-DD, as it is written
	Due         string // YYYY-MM-DD, as it is written; also from deadline, target_date, end_date or end
	Created     time.Time
	CreatedBy   string // user or agent; empty: unknown, treated as user
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
type Task struct {
	ID       string // empty for a checkbox
	Path     string
	Line     int // of a checkbox, 1-based; 0: a task file
	Title    string
	Status   string // backlog, todo, in_progress, done or cancelled
	Priority string
	Start    string // YYYY-MM-DD
	Due      string // YYYY-MM-DD
	Duration string
	Project  string // slug
}

// Open reports whether there is still something to do.
func (t Task) Open() bool { return t.Status != "done" && t.Status != "cancelled" }

// A NewTask says what task to create. Project and Title are needed.
type NewTask struct {
	Project  string // slug
	Title    string
	Priority string
	Start    string // YYYY-MM-DD
	Due      string // YYYY-MM-DD
	Duration string // such as 2h or 3d
	Body     string
	// Children become checkboxes below the body; their Project is not used.
	Children []NewTask
	// CreatedBy is for [Vault.PlanCreateTasks]; empty: the agent.
	CreatedBy Actor
}

// A TaskUpdate says what to set; nil leaves as it is, an empty date removes it.
type TaskUpdate struct {
	Title    *string
	Status   *string
	Priority *string
	Start    *string
	Due      *string
	Duration *string
}

// A Memory is one remembered fact.
type Memory struct {
	ID         string
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

// A Session is a conversation's state, kept in sessions/<id>.yaml.
type Session struct {
	ID       string
	Device   string
	Mode     string
	Phase    string
	Project  string   // slug of the active project; empty: none
	Stack    []string // slugs that "back" leads to, the nearest one last
	Question Question // what kist asked and waits to hear
	Offers   []Offer  // proposals that may still be agreed to in words
	Draft    string   // slug of the draft in the making
	Asked    []string // what was asked already, as keys
	Summary  string   // of the turns so far
	Held     []string // sentences that a question is about, and that are in no file yet
	Tainted  []string // ids of turns that had read text from outside, the last ones
	Turns    int
	Created  time.Time
	LastUsed time.Time

	// Interrupted is the turn that was begun and has not ended; nil: none.
	Interrupted *OpenTurn
}

// A Question is what kist asked: its kind and arguments, which code reads, and the words
// in which it was shown, which only people do.
type Question struct {
	Kind    string            `yaml:"kind,omitempty"` // empty: none, or one that only its words tell
	Args    map[string]string `yaml:"args,omitempty"`
	Choices []string          `yaml:"choices,omitempty"`
	Text    string            `yaml:"text,omitempty"`
}

// An Offer is a proposed operation as a session remembers it.
type Offer struct {
	ID        string `yaml:"id"`
	Digest    string `yaml:"digest"`              // of what was shown
	Removes   bool   `yaml:"removes,omitempty"`   // it removes, renames or moves something
	Suspended bool   `yaml:"suspended,omitempty"` // a go no longer means it
}

// An OpenTurn is a turn that was begun: what is left of it after a crash.
type OpenTurn struct {
	ID      string    `yaml:"id"`
	At      time.Time `yaml:"at"`
	Client  string    `yaml:"client,omitempty"`
	Text    string    `yaml:"text,omitempty"`
	Project string    `yaml:"project,omitempty"` // slug
	// Continues are the turns, interrupted before it, that it goes on with.
	Continues []string `yaml:"continues,omitempty,flow"`
}

// A Turn is one user message with what came of it.
type Turn struct {
	ID         string
	Session    string
	Project    string // slug; empty: outside any project
	At         time.Time
	User       string
	Reply      string
	Actions    []string // a line for each operation, for people
	Operations []string // ids
	Context    []string // sources that were read, as path:line
	Elsewhere  bool     // it was said on another machine
}
