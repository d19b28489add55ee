package agent

import (
	"encoding/json"

	"kist/vault"
)

// An Event is a piece of a turn: one of the types below.
type Event interface{ event() }

// The events of a turn.
type (
	// TextDelta is a piece of the reply.
	TextDelta struct{ Text string }
	// ToolCall is a call that was made; Error says why it had no effect.
	ToolCall struct {
		ID, Name  string
		Arguments json.RawMessage
		Error     string
	}
	// Operation was carried out, or failed, just now.
	Operation struct{ vault.Operation }
	// ApprovalRequest is an operation that waits for the user's yes.
	ApprovalRequest struct{ vault.Operation }
	// SessionPhase says which phase a guided session has entered.
	SessionPhase struct{ Phase string }
	// ContextSwitch says that the conversation is about another project now:
	// its slug and name, empty for none, and the slug of the one before.
	ContextSwitch struct{ Project, Name, Previous string }
	// Notice is something the user should know that is not part of the reply.
	Notice struct{ Text string }
	// Usage counts the tokens of one request.
	Usage struct{ Input, Output int }
	// Done ends a turn. Seq is the vault's after the turn's last change.
	Done struct {
		Session, Turn, Project string
		Seq                    vault.Seq
	}
	// Failed ends a turn that could not be completed.
	Failed struct{ Err error }
)

func (TextDelta) event()       {}
func (ToolCall) event()        {}
func (Operation) event()       {}
func (ApprovalRequest) event() {}
func (SessionPhase) event()    {}
func (ContextSwitch) event()   {}
func (Notice) event()          {}
func (Usage) event()           {}
func (Done) event()            {}
func (Failed) event()          {}
