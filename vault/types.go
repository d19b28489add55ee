package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Seq numbers the changes that the vault made or saw, from 1 on. It only grows
// while a vault is open.
type Seq int64

// Hash is the SHA-256 of a file's bytes in hex; empty: no file.
type Hash string

// HashOf returns the hash of text; nil, unlike an empty text, stands for no file.
func HashOf(text []byte) Hash {
	if text == nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return Hash(hex.EncodeToString(sum[:]))
}

// Actor is who caused a change.
type Actor string

// The actors.
const (
	ActorUser   Actor = "user"
	ActorAgent  Actor = "agent"
	ActorEditor Actor = "editor"
	ActorSync   Actor = "sync"
)

// Origin says where a batch comes from.
type Origin struct {
	Actor   Actor
	Client  string // the program: cli, nvim, web
	Session string
	Turn    string
	Outside bool // the turn had read text from outside, see [Vault.FromOutside]
}

// Entity names what an operation is about.
type Entity struct {
	Type string // project, task, draft, memory, note or document
	ID   string // ULID from the front matter, where there is one
	Path string
}

// OpType is what an operation does to its entity.
type OpType string

// The operation types.
const (
	OpCreate   OpType = "create"
	OpUpdate   OpType = "update"
	OpDelete   OpType = "delete"
	OpMove     OpType = "move"
	OpExternal OpType = "external"
)

// A Change replaces the text of one file. Before is the text that the change was
// computed from and After the text it leaves; nil means that there is no file.
//
// A Change with From moves a file, of any kind and size, and leaves its bytes as
// they are: Before and After are not used.
type Change struct {
	Path   string // from the vault's root, with forward slashes
	From   string // where a moved file was
	Before []byte
	After  []byte
}

// A Step is one intended operation.
type Step struct {
	Type    OpType
	Entity  Entity
	Reason  string // shown to the user
	Changes []Change
}

// A Batch is a list of steps that are carried out all or not at all.
type Batch struct {
	Origin Origin
	Steps  []Step
}

// Status is where an operation stands: the fold of its records.
type Status string

// The statuses, which are also the events in the log.
const (
	StatusProposed   Status = "proposed"
	StatusApproved   Status = "approved"
	StatusRejected   Status = "rejected"
	StatusBegun      Status = "begun"
	StatusCompleted  Status = "completed"
	StatusFailed     Status = "failed"
	StatusRolledBack Status = "rolled_back"
	// StatusSuperseded: it was completed, and then an editor saved a text from
	// before it. It was offered again as a proposal.
	StatusSuperseded Status = "superseded"
)

// An Operation is one logged change, folded from its records.
type Operation struct {
	ID       string // ULID
	At       time.Time
	Status   Status
	Type     OpType
	Entity   Entity
	Actor    Actor
	Client   string
	Session  string
	Turn     string
	Outside  bool // made in a turn that had read text from outside
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

// A FileChange is what an operation does to one file.
type FileChange struct {
	Path   string
	From   string // where a moved file was; it has the same hash before and after
	Before Hash
	After  Hash
	Patch  string // unified diff from before to after; empty for a move, or where it would be too large
}

// A Filter selects operations; its zero value selects all.
type Filter struct {
	Limit   int // newest first; 0: all
	Status  Status
	Actor   Actor
	Session string
	Batch   string
	Entity  string // an entity's id, or the path of a file that was changed
	Project string // slug
	Since   time.Time
}

// Info describes a file as the file system sees it.
type Info struct {
	Path    string
	Size    int64
	ModTime time.Time
	// ChangeTime is when content or attributes last changed, which no program can
	// set; where the system doesn't know, it is ModTime.
	ChangeTime time.Time
	Inode      uint64 // 0 where the system has none
}

// A Problem is something about a file that keeps kist from fully using it.
type Problem struct {
	Path    string
	Line    int // 1-based; 0: the fault has no position
	Column  int
	Message string
	Hint    string
}

// A PathChange says that the file at Path was created, changed or removed. An
// empty Path says that anything may have changed and the follower should
// compare everything it knows with the disk.
type PathChange struct {
	Path string
	Seq  Seq
}

// Layout holds the names of the folders with a meaning, from kist.yaml.
type Layout struct {
	Projects      string
	Drafts        string
	Memories      string
	Conversations string
	Sessions      string
	Operations    string
}

// DefaultLayout is the layout of a vault whose kist.yaml doesn't say otherwise.
func DefaultLayout() Layout {
	return Layout{
		Projects:      "projects",
		Drafts:        "drafts",
		Memories:      "memories",
		Conversations: "conversations",
		Sessions:      "sessions",
		Operations:    "operations",
	}
}

// StateDir is the folder below the vault's root for local, disposable state.
const StateDir = ".kist"

// ConfigFile is the vault's settings file, whose presence makes a folder a vault.
const ConfigFile = "kist.yaml"
