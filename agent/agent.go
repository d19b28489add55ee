package agent

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"kist/agent/advice"
	"kist/agent/brief"
	"kist/agent/budget"
	"kist/agent/clerk"
	"kist/agent/model"
	"kist/agent/outside"
	"kist/agent/policy"
	"kist/agent/private"
	"kist/agent/tool"
	"kist/index"
	"kist/vault"
)

// An Agent runs turns. Turns of different sessions may run side by side; those
// of one session wait for each other.
type Agent struct {
	vault    *vault.Vault
	search   tool.Searcher
	model    model.Model
	tools    *tool.Registry
	policy   func() policy.Policy
	budget   func() budget.Limits
	gleaned  sync.Map // proposals that no reply has shown yet, by their ids
	stopped  sync.Map // messages of turns that stopped at a limit, by their ids
	brief    *brief.Writer
	fast     func() model.Model // for what isn't the conversation; returns nil where there is none
	clerk    *clerk.Clerk
	advice   advice.Book
	sessions *sessions
	log      *slog.Logger
	now      func() time.Time
	seed     string
	private  *private.Sight
	tip      func(bool) string
	synced   func(context.Context) tool.Sync // nil: nothing is known of sync
	heads    heads
	// fromOutside: a document came from outside.
	fromOutside func(ctx context.Context, p string) bool
	changed     atomic.Int64 // the vault's Seq after the last change made in conversation
}

// New builds an agent; it starts nothing. It fails on a preset or a rule that
// doesn't exist. The index may be nil: search is off then.
func New(v *vault.Vault, x *index.Index, m model.Model, opts Options) (*Agent, error) {
	if v == nil || m == nil {
		return nil, errors.New("agent needs a vault and a model")
	}
	tools, err := tool.NewRegistry()
	if err != nil {
		return nil, err
	}
	if opts.Policy == nil {
		if opts.Policy, err = policy.Fixed(opts.Preset, opts.Tools, tools); err != nil {
			return nil, err
		}
	}
	briefs, err := brief.New()
	if err != nil {
		return nil, err
	}
	if opts.Private == nil {
		opts.Private = private.Fixed(private.Marks{})
	}
	if opts.Budget == nil {
		opts.Budget = budget.Fixed(budget.Limits{})
	}
	a := &Agent{
		vault: v, model: m, tools: tools, policy: opts.Policy, budget: opts.Budget, brief: briefs, sessions: newSessions(v),
		log: opts.Log, now: opts.Now, seed: opts.Seed, private: private.New(v, opts.Private), tip: opts.Tip, synced: opts.Sync, fromOutside: outside.New(v).From,
	}
	if x != nil {
		a.search = x
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.fast = opts.Fast; a.fast == nil {
		a.fast = func() model.Model { return nil }
	}
	a.clerk = newClerk(a)
	return a, nil
}

// Model is the name of the model in use.
func (a *Agent) Model() string { return a.model.Name() }

// Beside is the name of the small model that may be asked for what isn't the conversation itself;
// empty: there is none.
func (a *Agent) Beside() string {
	if m := a.fast(); m != nil {
		return m.Name()
	}
	return ""
}

// forTurn is the model that answers one turn.
func (a *Agent) forTurn() model.Model {
	if r, ok := a.model.(model.Router); ok {
		return r.Turn()
	}
	return a.model
}

// modelTools are the tools of a request.
func modelTools(tools []tool.Tool) []model.Tool {
	out := make([]model.Tool, len(tools))
	for i, t := range tools {
		out[i] = model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema, Rank: t.Rank(), Changes: t.Class != tool.Read}
	}
	return out
}
