package vault

import (
	"io/fs"
	"slices"

	"kist/vault/disk"
	"kist/vault/documents"
	"kist/vault/fsys"
	"kist/vault/history"
	"kist/vault/oplog"
)

// Seq numbers the changes that the vault made or saw, from 1 on. It only grows
// while a vault is open.
type Seq = oplog.Seq

// Hash is the SHA-256 of a file's bytes in hex; empty: no file.
type Hash = disk.Hash

// HashOf returns the hash of text; nil, unlike an empty text, stands for no file.
func HashOf(text []byte) Hash { return disk.HashOf(text) }

// Actor is who caused a change.
type Actor = oplog.Actor

// The actors.
const (
	ActorUser   = oplog.User
	ActorAgent  = oplog.Agent
	ActorEditor = oplog.Editor
	ActorSync   = oplog.Sync
)

// Origin says where a batch comes from.
type Origin struct {
	Actor   Actor
	Client  string // the program: cli, nvim, web
	Session string
	Turn    string
	Outside bool   // the turn had read text from outside, see [Vault.FromOutside]
	Request string // the name that the caller gave its request, by which it is found again
}

// Entity names what an operation is about.
type Entity = oplog.Entity

// OpType is what an operation does to its entity.
type OpType = oplog.Type

// The operation types.
const (
	OpCreate   = oplog.Create
	OpUpdate   = oplog.Update
	OpDelete   = oplog.Delete
	OpMove     = oplog.Move
	OpExternal = oplog.External
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
	Mode   fs.FileMode // permissions of a file that is made; 0: as the umask says
	Expect Hash        // of the file as the caller saw it: any other is a conflict, also where a merge would do; empty: that doesn't matter
}

// A Step is one intended operation.
type Step struct {
	Type    OpType
	Entity  Entity
	Reason  string // shown to the user
	Along   string // what Reason ends with: what the step takes along beside its entity; empty: nothing
	Changes []Change
}

// A Batch is a list of steps that are carried out all or not at all.
type Batch struct {
	Origin Origin
	Steps  []Step
}

// Status is where an operation stands: the fold of its records.
type Status = oplog.Status

// The statuses, which are also the events in the log.
const (
	StatusProposed   = oplog.Proposed
	StatusApproved   = oplog.Approved
	StatusRejected   = oplog.Rejected
	StatusBegun      = oplog.Begun
	StatusCompleted  = oplog.Completed
	StatusFailed     = oplog.Failed
	StatusRolledBack = oplog.RolledBack
	// StatusSuperseded: it was completed, and then an editor saved a text from
	// before it. It was offered again as a proposal.
	StatusSuperseded = oplog.Superseded
)

// An Operation is one logged change, folded from its records.
type Operation = oplog.Operation

// MaxLogged is how many bytes of texts one operation may put into the log, so that it can
// be taken back.
const MaxLogged = oplog.MaxLogged

// A FileChange is what an operation does to one file.
type FileChange = oplog.FileChange

// A Filter selects operations; its zero value selects all.
type Filter = oplog.Filter

// Git says what the user's own git does with a vault's folder: nothing is written while it is
// in the middle of something, and what it puts in place is nobody's edit.
type Git = history.Git

// A Placement is how git put a text in its place.
type Placement = history.Placement

// Info describes a file as the file system sees it.
type Info = disk.Info

// Settling says what is still to come of files that were open while kist wrote.
type Settling = disk.Settling

// A HeldOpen is a document that a program has open for writing since before kist wrote it.
type HeldOpen = disk.HeldOpen

// A Problem is something about a file that keeps kist from fully using it.
type Problem = disk.Problem

// A PathChange says that the file at Path was created, changed or removed. An
// empty Path says that anything may have changed and the follower should
// compare everything it knows with the disk.
type PathChange = documents.PathChange

// Layout holds the names of the folders with a meaning, from kist.yaml.
type Layout = documents.Layout

// LayoutIn is a layout as [Open] takes it in the vault's folder; see [documents.Layout.Found].
func LayoutIn(root *fsys.Root, l Layout) (Layout, error) {
	entries, err := root.ReadDir(".")
	var top []string
	for _, e := range entries {
		if e.IsDir() {
			top = append(top, e.Name())
		}
	}
	slices.Sort(top)
	return l.Found(top, func(name string) bool {
		_, err := root.Lstat(name) // by a name that isn't listed: case says nothing here
		return err == nil
	}), err
}

// DefaultLayout is the layout of a vault whose kist.yaml doesn't say otherwise.
func DefaultLayout() Layout { return documents.DefaultLayout() }

// A Listing is what one walk found.
type Listing = documents.Listing

// MaxDocument is the largest document that kist reads whole and edits, in bytes.
const MaxDocument = documents.MaxDocument

// StateDir is the folder below the vault's root for local, disposable state.
const StateDir = ".kist"

// ImportsDir is the folder for notes of what was imported. It is made, and goes when it is empty.
const ImportsDir = "imports"

// ConfigFile is the vault's settings file, whose presence makes a folder a vault.
const ConfigFile = "kist.yaml"

// OwnDevice is the client of operations of the actor sync whose text another device of the
// user's own made, by the list that this machine keeps: it isn't from outside.
const OwnDevice = oplog.OwnDevice
