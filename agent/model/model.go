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
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// A Model answers requests. Its methods may be called concurrently.
type Model interface {
	// Name is what status and logs show, such as "offline" or "ollama/qwen3:8b".
	Name() string
	// Generate streams the answer to req. The sequence ends after the first error, or
	// with the answer's Stop: one that ends without either was cut off on its way.
	// Cancelling ctx ends it early.
	Generate(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// A Request is everything a model sees.
type Request struct {
	// Brief returns what the model is told beside the messages, in at most so many tokens;
	// 0 is as many as make sense. What it takes from the vault is looked up once a turn,
	// when a model first asks, in the goroutine that runs Generate; one that reads the
	// situation alone does without. See Prompt.
	Brief     func(room int) Brief
	Messages  []Message
	Said      int // index of the message that the user has just said
	Tools     []Tool
	Choice    Choice
	Format    json.RawMessage // JSON Schema that the answer's text has to match; nil: words
	Purpose   Purpose
	MaxOutput int // tokens of the answer; 0: as many as the model may
	Context   int // tokens of request and answer together; 0: not known
	Input     int // tokens that it takes to read, as far as is known; 0: not counted yet
	// Longer is set once an answer of the turn was asked for again with more room, which is done
	// once; nil: it isn't counted.
	Longer    *bool
	Asks      func() bool            // reports whether the user's message asks for a change; nil: it isn't known
	Known     func(name string) bool // reports whether there is a tool of that name, offered or not; nil: only those offered are known
	Meter     Meter                  // is asked before anything is sent; nil: nobody is
	Private   string                 // why nothing of it may leave this machine; empty: it may
	Situation Situation
}

// A Brief is what a model is told beside the messages.
type Brief struct {
	Rules string // the same from message to message, so that a server need not read it again
	Now   string // what holds now; it goes with the user's message
}

// A Meter allows and counts what requests take. An error wraps ErrLimit.
type Meter interface {
	Allow(likely Usage) error
	Count(used Usage)
}

// ErrTooLong: a request doesn't fit the model's window.
var ErrTooLong = errors.New("the request is longer than the model's window")

// ErrCut: an answer ended without saying that it does.
var ErrCut = errors.New("the answer was cut off")

// ErrPrivate: a request must not leave this machine, and the model isn't on it.
var ErrPrivate = errors.New("it is private")

// ErrAnew: another model answers, before anything has come of the turn. It gets no request that was
// made for the one before, but one that is made anew, of what it may see.
var ErrAnew = errors.New("another model answers")

// ErrLimit: a request wasn't made, because it would pass a limit of the user's.
var ErrLimit = errors.New("it would pass a limit")

// ErrPrice: a request wasn't made, because what is spent is limited, and what it would cost isn't
// known.
var ErrPrice = errors.New("a price is missing")

// Public returns the request as it may leave this machine: without messages that must not.
// The error wraps ErrPrivate where nothing of it may.
func (r Request) Public() (Request, error) {
	if r.Private != "" {
		return r, fmt.Errorf("%w: %s", ErrPrivate, r.Private)
	}
	if !slices.ContainsFunc(r.Messages, func(m Message) bool { return m.Private }) {
		return r, nil
	}
	var kept []Message
	for i, m := range r.Messages {
		switch {
		case !m.Private:
			kept = append(kept, m)
		case i >= r.Said:
			return r, fmt.Errorf("%w: what was read for this message", ErrPrivate)
		}
	}
	r.Said -= len(r.Messages) - len(kept)
	r.Messages = kept
	return r, nil
}

// A Choice says whether a model may call its tools.
type Choice string

// The choices.
const (
	Auto Choice = ""
	// None: it must end in words. The tools stay in the request, since there are calls of
	// them in its messages, and since a server then finds its beginning in its cache.
	None Choice = "none"
	// Required: it must call one of them. Ollama's server can't be told, and takes it for Auto.
	Required Choice = "required"
)

// A Purpose is what an answer is for.
type Purpose string

// The purposes.
const (
	Chat Purpose = ""
	// Fast: one object is wanted of a short text, without thinking first where the server can be
	// told that. Anthropic's models think only where they are asked to.
	Fast Purpose = "fast"
)

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
	// Told is what kist itself told the user beside an assistant's message.
	Told string
	// For a tool's message: the call it answers.
	CallID string
	Tool   string
	// Private: it must not leave this machine.
	Private bool
	// Invalid: the call that it answers made no sense, and wasn't run.
	Invalid bool
	// State is a provider's own, such as signed thoughts. It goes back as it came, to the
	// provider that it came from, while the turn lasts, and is kept nowhere.
	State *State
}

// State is what a provider wants back with an assistant's message.
type State struct {
	Provider string
	Data     json.RawMessage
}

// A Call is a model's wish to run a tool. In a request its id is unique, its name one that
// every server takes, and its arguments are a JSON object; in an answer nothing of it can
// be relied on.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage
	// Propose: ask the user first, whatever policy says. A model may always want less.
	Propose bool
	// Quiet: that it is refused is no news to the user, as where it was only looked whether
	// something is there.
	Quiet bool
	// Refuse is why it isn't carried out, whatever it asks for; empty: it may be.
	Refuse string
}

// A Tool is what a model may call.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments
	// Rank orders tools by how likely they are needed: those of the highest go first where
	// there is room for few.
	Rank    int
	Changes bool // it changes more than what the conversation is about
}

// Info is what a model can do, as far as its server tells.
type Info struct {
	Context  int  // tokens; 0: not told
	Tools    bool // it may call tools by itself
	Format   bool // it can be held to a schema
	Thinking bool
	Images   bool // it takes them
	Remote   bool // what it is sent leaves this machine
	// Priced: the server tells what it costs, in its own currency.
	Priced bool
	Price  Price
	// Made tells one state of the server and the model from another; empty: not told.
	Made string
}

// A Price is what a million tokens cost. Zero is nothing.
type Price struct {
	Input, Output float64
	Cached        float64 // of the input that the server had read before; 0: as Input
}

// A Described model says what it can do. It asks its server once and remembers; an error
// is asked again the next time.
type Described interface {
	Model
	Info(ctx context.Context) (Info, error)
}

// A Remote model can say whether what it is sent leaves this machine. What can't be found
// out counts as leaving.
type Remote interface {
	Remote(ctx context.Context) bool
}

// A Router answers different turns by different models.
type Router interface {
	Model
	// Turn returns the model of one turn.
	Turn() Model
}

// A Leaver is the model of one turn that can be left for another: what is asked next, the other
// answers, from the user's message on, and says why. It reports whether there is another.
type Leaver interface {
	Leave(why string) bool
}

// A Previewer says which model would answer, and why where it isn't the one that is chosen.
// That one is asked as usual, in a context that sees to it that nothing is sent. The error is
// ErrAnew or nil.
type Previewer interface {
	Preview(ctx context.Context, req Request) (By, error)
}

// An Event is one piece of an answer; exactly one field is set.
type Event struct {
	Text     string
	Thinking string // not for the user, and kept nowhere
	Back     bool   // what this answer has said by now was thought
	Call     *Call
	State    *State    // to go back with this answer
	Ask      *Question // what the answer's words ask, for the next turn
	Usage    *Usage
	By       *By    // who answers from here on
	Notice   string // what the user should know of how the answer came about
	Stop     Stop   // why the answer ends: the last event
	Aside    string // with Stop: a paragraph of the text that isn't part of the answer
	Heard    bool   // with Stop: nothing was done or found for the message, what it tells is to be kept
}

// By says which model answers and, where it isn't the one that was chosen, why.
type By struct{ Model, Degraded string }

// A Stop is why an answer ended.
type Stop string

// The reasons.
const (
	End      Stop = "end"      // all is said
	Calls    Stop = "tools"    // it waits for the results of its calls
	Length   Stop = "length"   // the limit of the answer, or of the window, was reached
	Refused  Stop = "refused"  // the model declines
	Filtered Stop = "filtered" // somebody between kept it back
	Circles  Stop = "circles"  // it said the same again and again, and was cut off
)

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
type Usage struct {
	Input, Output int
	Cached        int // of the input, what the server had read before
	Thinking      int // of the output
	// Cost is in the currency of the prices that the user has set.
	Cost float64
}

// A Situation is what is so at the moment of a request. Models that read prose
// get it as part of the instructions; the offline partner reads it directly.
type Situation struct {
	Now      time.Time
	Session  string    // its id: the seed of what may vary from session to session
	Mode     string    // of the session: one of Modes
	Phase    string    // of a guided session: gathering_info, clarifying, finalizing or completed
	Beside   bool      // a language model is set up, which answers other messages
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

	// Phrased has words for questions that the guide may ask, by the guide's own.
	Phrased map[string]string

	// Elsewhere are the sentences of the message that are about no project, or about another one
	// than the active one, each with its slug; "-" for none.
	Elsewhere map[string]string

	// Leads is another project of the session, which the message is about by its words; "-" for what
	// the session told of outside of any.
	Leads string

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
	Turn                  string   // the message with which it was made
	Undoes                bool     // it takes back another one
	Boxes                 []string // titles of the checkboxes that it made or changed in that document
}

// Task is the task that it was on: the path of its file, or that of a document and the title of the
// one checkbox there, with ": " between them. Empty: it was on none, or on several.
func (c Change) Task() string {
	switch {
	case strings.Contains(c.Path, "/tasks/"):
		return c.Path
	case len(c.Boxes) == 1:
		return c.Path + ": " + c.Boxes[0]
	}
	return ""
}

// TaskLast: of tasks and projects it is a task that was changed last in this session; where that is
// a checkbox, nothing was written since.
func (s Situation) TaskLast() bool {
	newest := true
	for _, ch := range s.Changes {
		if ch.Session != s.Session {
			continue
		}
		if file := strings.Contains(ch.Path, "/tasks/"); file || strings.HasSuffix(ch.Path, "/project.md") || newest && ch.Task() != "" {
			return file || ch.Task() != ""
		}
		newest = false
	}
	return false
}

// An Outcome is what became of one proposed operation.
type Outcome struct {
	Reason   string // of the operation
	Path     string // of what it is on
	Rejected bool   // the user said no
	Error    string // why it could not be carried out; empty: it was
}

// A Project as a model needs to know it.
type Project struct {
	Slug        string
	Path        string // of its document
	Name        string
	Aliases     []string // other names of it, as its document has them
	Description string
	Status      string
	CreatedBy   string // user or agent
}
