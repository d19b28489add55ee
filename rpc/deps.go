package rpc

import (
	"context"
	"log/slog"
	"time"

	"kist/agent"
	"kist/agent/models"
	"kist/agent/policy"
	"kist/daemon/sync"
	"kist/index"
	"kist/rpc/news"
	"kist/rpc/tokens"
	"kist/rpc/turns"
	"kist/vault"
)

// Deps is what the handlers work on. Vault, Index, Agent and Policy are needed for all
// but health and reflection; Stop, Ready and Status always.
type Deps struct {
	Vault  *vault.Vault
	Index  *index.Index
	Agent  *agent.Agent
	Policy Policies
	Models Models
	Sync   *sync.Engine // nil: sync is off
	Tokens *tokens.Store
	Turns  *turns.Hub      // nil: one is made; who stops the daemon waits for its turns
	News   *news.Documents // nil: one is made, that knows nothing of before

	Status func() DaemonInfo
	Stop   func()      // begins to stop the daemon and returns at once
	Ready  func() bool // whether health says SERVING

	Stopping <-chan struct{} // closed: streams end; nil: they never have to
	Log      *slog.Logger    // nil: discarded
	Beat     time.Duration   // between signs of life of streams without news; 0: 15 s
	Repanic  bool            // let a handler's panic through, for tests
}

// DaemonInfo is what the process knows about itself.
type DaemonInfo struct {
	Version   string
	PID       int
	Started   time.Time
	URL       string
	Socket    string
	Anonymous uint64 // resident bytes that are no file's
	Heap      uint64 // bytes
}

// Policies says what kist.yaml asks of the agent's policy, and keeps the user's word on it.
type Policies interface {
	Report() policy.Report
	// Trust returns policy.ErrChanged where kist.yaml means something else by now, and
	// policy.ErrNotKept.
	Trust(digest string) error
	Distrust() error
}

// Models tells of this machine's language models, and changes the choice.
type Models interface {
	Roles(context.Context) []models.Role
	List(context.Context) []models.Found
	// Use returns models.ErrName, models.ErrServer and models.ErrSettings.
	Use(ctx context.Context, role, ref string) (models.Role, error)
	// Test returns models.ErrName and models.ErrServer.
	Test(ctx context.Context, ref string, tell func(models.Check) bool) error
	// Pull returns models.ErrName and models.ErrServer.
	Pull(ctx context.Context, ref string, tell func(status string, done, total int64) bool) error
	Config() string       // the file of settings
	Private() []string    // what they keep from models elsewhere, in words
	Known() []models.Role // as Roles, and asks nobody
}
