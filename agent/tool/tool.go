package tool

import (
	"context"
	"errors"
	"time"

	"kist/agent/narration"
	"kist/agent/tool/suggest"
	"kist/index"
	"kist/index/rank"
	"kist/vault"
	"kist/vault/entity"
)

// Class says how much a tool can do; policy decides by it.
type Class string

// The classes.
const (
	Read     Class = "read"     // changes nothing but the session's own context
	Add      Class = "add"      // makes something new
	Change   Class = "change"   // edits what is there, within its place
	Destroy  Class = "destroy"  // renames, moves, merges, archives or deletes
	External Class = "external" // acts outside the vault
)

// A Searcher finds text; *index.Index is one.
type Searcher interface {
	Search(ctx context.Context, q index.Query) (*rank.Results, error)
	Wait(ctx context.Context, seq vault.Seq) error
}

// Env is what a tool works with during one call.
type Env struct {
	Vault  *vault.Vault
	Search Searcher // nil: no search
	// Projects lists all projects by name, maybe without counts of tasks; nil: the
	// vault does.
	Projects func(context.Context) ([]entity.Project, error)
	Sync     func(context.Context) Sync // nil: nothing is known of it
	Project  string                     // slug of the active project; empty: none
	Back     bool                       // there is a context to go back to
	Source   string                     // what a memory made now came from, such as a turn's id
	After    vault.Seq                  // what a search must have seen: the last change made in conversation
	Now      time.Time

	Session string // id of the session
	Mode    string // of the session
	Phase   string
	Draft   string // slug of the draft that the session works on
	Asked   int    // questions of the guide that were asked in this session
	Tainted bool   // text from outside was read in this turn

	Waiting     bool // something of this session waits for approval
	Restructure bool // the message speaks of renaming, merging, archiving or deleting
	Refile      bool // the message speaks of a note as such, and of renaming, moving or deleting
	Memories    bool // the message speaks of what is remembered
	External    bool // the message speaks of a system outside the vault
	Syncing     bool // the message speaks of sync
	Several     bool // the message speaks of all or each of several things

	// Offered are the names of the tools that were on offer when the turn began: of a language
	// model, calls of others are refused, unless they have come on meanwhile. nil: none are.
	Offered map[string]bool
}

// A Result is what came of a call.
type Result struct {
	Value   map[string]any // for the model
	Steps   []vault.Step   // what would change; nothing has been written
	Project string         // slug of the project that Steps write in; empty: none, or a new one
	Move    *Move          // where the conversation goes, once Steps are applied
	Sources []string       // what was read, as path or path:line
	Seen    []string       // documents of which some text is in Value, beside Sources
	Foreign bool           // Undo takes back what this session didn't do
	Fault   *Fault         // what the model got wrong; nothing else is set then, but Repaired

	Session   *SessionChange     // of the session, once Steps are applied
	Dimension *DimensionChange   // what Steps write into a dimension
	Undo      []vault.UndoTarget // what to take back, in this order; there are no Steps then
	Within    []string           // slugs of the projects that Undo writes in
	Waiting   []string           // ids of proposals that Value tells of
	Outside   bool               // what was read came from outside: another machine, an import
	Study     *narration.Study   // what Value tells of, point by point
	Repaired  []string           // what was put right in the arguments before the tool ran, in words
}

// A SessionChange changes what a session is about.
type SessionChange struct {
	Mode  string // to begin, one of model.Modes; empty: stays
	Draft string // slug of the draft to work on; empty: stays, or none with a Mode
	End   bool   // the guided session is over
}

// A DimensionChange says what was written into a dimension.
type DimensionChange struct {
	Path, Dimension, Text string
}

// A Fault is a mistake that a model can correct.
type Fault struct {
	Error      string
	Suggestion string // what to try instead
	Invalid    bool   // the call was refused before the tool saw it
}

// fault makes a Result of a mistake.
func fault(msg, suggestion string) Result {
	return Result{Fault: &Fault{Error: msg, Suggestion: suggestion}}
}

// faultOf turns an error of the vault or the index into a Fault; a cancelled
// context and a closed vault stay errors, since no model can do anything
// about them.
func faultOf(err error) (Result, error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, vault.ErrClosed) {
		return Result{}, err
	}
	return Result{Fault: Explain(err)}, nil
}

// Explain puts an error into words for a model.
func Explain(err error) *Fault {
	f := &Fault{Error: err.Error()}
	var missing *vault.NotFoundError
	switch {
	case errors.As(err, &missing):
		f.Error = "no " + missing.Kind + " " + quote(missing.Ref)
		f.Suggestion = suggest.Question(missing.Near)
	case errors.Is(err, vault.ErrFrontMatter):
		f.Suggestion = "the front matter of that file doesn't parse; the user has to mend it first"
	case errors.Is(err, vault.ErrReadOnly):
		f.Suggestion = "nothing can be written now; tell the user"
	case errors.Is(err, vault.ErrBusy):
		f.Suggestion = "nothing can be written until the user has ended that; tell the user"
	case errors.Is(err, vault.ErrConflict):
		f.Suggestion = "the file changed meanwhile; read it again and try once more"
	}
	return f
}
