package oplog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"time"
)

// The events of an operation, which are also what it stands at.
const (
	Proposed   Status = "proposed"
	Approved   Status = "approved"
	Rejected   Status = "rejected"
	Begun      Status = "begun"
	Completed  Status = "completed"
	Failed     Status = "failed"
	RolledBack Status = "rolled_back"
	Superseded Status = "superseded"
)

// Took reports whether an operation with this status changed files.
func (s Status) Took() bool { return s == Completed || s == Superseded }

// The actors.
const (
	User   Actor = "user"
	Agent  Actor = "agent"
	Editor Actor = "editor"
	Sync   Actor = "sync"
)

// The types.
const (
	Create   Type = "create"
	Update   Type = "update"
	Delete   Type = "delete"
	Move     Type = "move"
	External Type = "external"
)

// An Operation is one logged change, folded from its records.
type Operation struct {
	ID       string // ULID
	At       time.Time
	Status   Status
	Type     Type
	Entity   Entity
	Actor    Actor
	Client   string
	Session  string
	Turn     string
	Outside  bool   // made in a turn that had read text from outside
	Request  string `json:",omitempty"` // the name that the caller gave its request, "/" and a mark of what it asked for
	Batch    string
	Seq      Seq
	Reason   string
	Changes  []FileChange
	Error    string
	Duration time.Duration
	Undoes   string // the operation this one takes back
	UndoneBy string // the operation that took this one back
	Digest   string // SHA-256 over type, entity and changes: what an approval is bound to
}

// Effective reports whether the operation changed any file: an editor may have saved
// the same text while it was under way.
func (op Operation) Effective() bool {
	return slices.ContainsFunc(op.Changes, func(c FileChange) bool { return c.From != "" || c.Before != c.After })
}

// A FileChange is what an operation does to one file.
type FileChange struct {
	Path   string
	From   string // where a moved file was; it has the same hash before and after
	Before Hash
	After  Hash
	Mode   fs.FileMode // permissions of a file that is deleted or made; 0: 0644, or not known
	Patch  string      // unified diff from before to after; empty for a move, or where it would be too large
}

// Digest is the SHA-256 over what an operation would do.
func Digest(op Operation) string {
	type change struct {
		Path, Before, After, Patch string
		From                       string `json:",omitempty"`
	}
	var cs []change
	for _, c := range op.Changes {
		cs = append(cs, change{c.Path, string(c.Before), string(c.After), c.Patch, c.From})
	}
	text, _ := json.Marshal([]any{op.ID, op.Type, op.Entity, cs}) // plain strings always marshal
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// RecordOf is an operation's first record, or a later one that restates it.
func RecordOf(op Operation, event Status, at time.Time) Record {
	e := op.Entity
	r := Record{
		ID: op.ID, Event: event, At: at, Type: op.Type, Entity: &e, Actor: op.Actor, Client: op.Client,
		Session: op.Session, Turn: op.Turn, Outside: op.Outside, Request: op.Request, Batch: op.Batch, Reason: op.Reason, Undoes: op.Undoes,
	}
	if event == Proposed {
		r.Digest = op.Digest // of what nobody has to approve it can be worked out
	}
	if op.Reason == ImpliedReason(op.Actor, op.Type) {
		r.Reason = ""
	}
	if len(op.Changes) > 0 && e.Path == op.Changes[0].Path {
		e.Path = ""
	}
	for _, c := range op.Changes {
		r.Changes = append(r.Changes, Change{Path: c.Path, From: c.From, Before: c.Before, After: c.After, Mode: modeText(c.Mode), Patch: Patch(c.Patch)})
	}
	return r
}

// ImpliedReason is the reason of what another program saved or brought here, which the
// log need not say; "" for other actors.
func ImpliedReason(a Actor, t Type) string {
	where, ok := map[Actor]string{Editor: " outside of kist", Sync: " on another device"}[a]
	if !ok {
		return ""
	}
	switch t {
	case Move:
		return "moved" + where
	case Create:
		return "created" + where
	case Delete:
		return "deleted" + where
	}
	return "edited" + where
}

// FileChanges returns a record's changes.
func (r Record) FileChanges() (all []FileChange) {
	for _, c := range r.Changes {
		all = append(all, FileChange{Path: c.Path, From: c.From, Before: c.Before, After: c.After, Mode: modeOf(c.Mode), Patch: string(c.Patch)})
	}
	return all
}

// About reports whether an operation concerns an entity, given by its id or path.
func (op Operation) About(ref string) bool {
	if op.Entity.ID == ref || op.Entity.Path == ref {
		return true
	}
	for _, c := range op.Changes {
		if c.Path == ref || c.From == ref {
			return true
		}
	}
	return false
}

// usualMode is what most files have; it isn't written.
const usualMode = 0o644

func modeText(m fs.FileMode) string {
	if m == 0 || m == usualMode {
		return ""
	}
	return fmt.Sprintf("%04o", m.Perm())
}

// modeOf reads what modeText wrote. A log may be anybody's: nothing becomes writable for
// all, and what is no mode counts for nothing.
func modeOf(text string) fs.FileMode {
	n, err := strconv.ParseUint(text, 8, 32)
	if err != nil {
		return 0
	}
	return fs.FileMode(n) & 0o775
}
