package agent

import (
	"encoding/json"

	"kist/agent/budget"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/usage"
)

// An Event is a piece of a turn: one of the types below.
type Event interface{ event() }

// The events of a turn.
type (
	// TextDelta is a piece of the reply.
	TextDelta struct{ Text string }
	// Struck takes back what a model said that it had done, and hasn't, or that it only
	// thought: as it stood in the reply, the last place of it.
	Struck struct {
		Text    string
		Thought bool
	}
	// ToolCall is a call that was made; Error says why it had no effect. A search is
	// told of while it is made, and once more in the rare case that it fails.
	ToolCall struct {
		ID, Name  string
		Arguments json.RawMessage
		Error     string
		Repaired  []string // what was put right in its arguments, in words
	}
	// Operation was carried out, or failed, just now.
	Operation struct{ vault.Operation }
	// ApprovalRequest is an operation that waits for the user's yes.
	ApprovalRequest struct{ vault.Operation }
	// DraftUpdate is a draft after a change.
	DraftUpdate struct{ entity.Draft }
	// DimensionUpdate says that a dimension of a draft or a project was written:
	// the document, the dimension's key, and its text now.
	DimensionUpdate struct{ Path, Dimension, Text string }
	// SessionPhase says which mode and phase a session has entered; the phase of
	// a general one is empty.
	SessionPhase struct{ Mode, Phase string }
	// ContextSwitch says that the conversation is about another project now:
	// its slug and name, empty for none, and the slug of the one before.
	ContextSwitch struct{ Project, Name, Previous string }
	// Notice is something the user should know that is not part of the reply.
	Notice struct{ Text string }
	// Usage tells the tokens of one request, and what the turn, the day and the month have
	// used so far.
	Usage struct {
		Input, Output      int
		Turn, Today, Month usage.Use
		Limits             budget.Limits
	}
	// Thinking is a piece of what a model thinks before it answers. It is kept nowhere.
	Thinking struct{ Text string }
	// AnsweredBy says which model answers from here on and, where it isn't the one that
	// was chosen, why.
	AnsweredBy struct{ Model, Degraded string }
	// Done ends a turn. Seq is the vault's after the turn's last change.
	Done struct {
		Session, Turn, Project string
		Seq                    vault.Seq
	}
	// Failed ends a turn that could not be completed.
	Failed struct{ Err error }
)

func (TextDelta) event()       {}
func (Struck) event()          {}
func (ToolCall) event()        {}
func (Operation) event()       {}
func (ApprovalRequest) event() {}
func (DraftUpdate) event()     {}
func (DimensionUpdate) event() {}
func (SessionPhase) event()    {}
func (ContextSwitch) event()   {}
func (Notice) event()          {}
func (Usage) event()           {}
func (Thinking) event()        {}
func (AnsweredBy) event()      {}
func (Done) event()            {}
func (Failed) event()          {}
