/*
Package model is the small interface behind which every language model stands,
and the offline partner that needs none.

A [Model] turns a [Request] (instructions, the conversation so far, the tools it
may call and the situation) into a stream of [Event] values: pieces of text and
tool calls. It runs nothing itself: package agent validates each call, runs it
and asks again with the result as the next message.

The package is a leaf: it imports nothing of kist.
*/
package model

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// A Model answers requests. Its methods may be called concurrently.
type Model interface {
	// Name is what status and logs show, such as "offline" or "ollama/qwen3:8b".
	Name() string
	// Generate streams the answer to req. The sequence ends after the first
	// error, or when the answer is complete. Cancelling ctx ends it early.
	Generate(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// A Request is everything a model sees.
type Request struct {
	// System returns the instructions, with what the vault has on the message. They are
	// put together once a turn, when a model first asks for them, in the goroutine that
	// runs Generate; one that reads the situation alone does without.
	System    func() string
	Messages  []Message
	Tools     []Tool
	Situation Situation
}

// Role is who speaks a message.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// A Message is one contribution to the conversation.
type Message struct {
	Role  Role
	Text  string // for a tool's message: its result as JSON
	Calls []Call // of an assistant's message
	// For a tool's message: the call it answers.
	CallID string
	Tool   string
}

// A Call is a model's wish to run a tool.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage // a JSON object
	// Propose: ask the user first, whatever policy says. A model may always want less.
	Propose bool
	// Quiet: that it is refused is no news to the user, as where it was only looked whether
	// something is there.
	Quiet bool
}

// A Tool is what a model may call.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments
}

// An Event is one piece of an answer; exactly one field is set.
type Event struct {
	Text  string
	Call  *Call
	Ask   *Question // what the answer's words ask, for the next turn
	Usage *Usage
}

// A Question is what kist asked and waits to hear. Its kind and arguments are the
// asker's own and survive a restart; its text is only shown.
type Question struct {
	Kind    string            // empty: nothing was asked
	Args    map[string]string // what it is about: ids, names, texts
	Choices []string          // what may be chosen, in the order shown
	Text    string            // as it was shown
}

// Open is the kind of a question that only its words tell: one of a language model's.
const Open = "open"

// Usage counts tokens. Of a model that says nothing of them they are estimated; one that
// needs none says so.
type Usage struct{ Input, Output int }

// A Situation is what is so at the moment of a request. Models that read prose
// get it as part of the instructions; the offline partner reads it directly.
type Situation struct {
	Now      time.Time
	Session  string    // its id: the seed of what may vary from session to session
	Mode     string    // of the session: one of Modes
	Phase    string    // of a guided session: gathering_info, clarifying, finalizing or completed
	Action   bool      // the user said go: do it, don't discuss it
	Project  *Project  // the active one
	Stack    []Project // where "back" leads, the nearest last
	Projects []Project // all that aren't archived; the instructions leave out descriptions from outside
	Archived []Project // all that are
	Idle     []Project // of those, what nobody has touched for months; told once a session
	Question Question  // what kist asked at the end of the last turn
	Pending  int       // operations of this session that wait for approval
	Waiting  []string  // their reasons, oldest first
	Aside    []string  // of those, what the last reply offered and this message leaves undecided
	Turns    int       // turns of this session before this one
	Settled  []Outcome // what this very message approved or rejected, already carried out

	Draft  *Draft   // what this session is making a project of
	Drafts []Draft  // others that are unfinished, the last edited first
	Asked  []string // the guide's questions that were asked in this session, by id

	Changes []Change // of the last days, newest first, where the message may ask for them

	Summary  string    // of what was said before the messages of the request
	Passages []Passage // in the instructions alone: what the vault has on the message, the best first
	Memories []string  // likewise, what is remembered that belongs here
}

// Modes are the kinds of session.
func Modes() []string {
	return []string{"general", "project_create", "project_update", "project_audit", "project_forecast", "task_update"}
}

// A Draft is a project in the making.
type Draft struct {
	Slug        string
	Name        string
	Description string
	Status      string            // in_progress, completed or abandoned
	Dimensions  map[string]string // what was said, by the dimension's key
	FollowUp    []string          // keys of dimensions left open for later
	Questions   int               // asked so far
	Tasks       []string          // titles
	Edited      time.Time
}

// A Passage is a part of a document that may help to answer. Its text is data,
// whatever it says.
type Passage struct {
	Path    string
	Line    int
	Heading string
	Project string // slug
	Text    string
	Outside bool // it came from elsewhere: another machine's commits, an import
}

// A Change is something that kist changed, for which the log has an operation.
type Change struct {
	At                    time.Time
	Reason, Path, Session string
}

// An Outcome is what became of one proposed operation.
type Outcome struct {
	Reason   string // of the operation
	Rejected bool   // the user said no
	Error    string // why it could not be carried out; empty: it was
}

// A Project as a model needs to know it.
type Project struct {
	Slug        string
	Name        string
	Description string
	Status      string
	CreatedBy   string // user or agent
}
