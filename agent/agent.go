package agent

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"text/template"
	"time"

	"kist/agent/model"
	"kist/agent/policy"
	"kist/agent/tool"
	"kist/index"
	"kist/vault"
)

// Options for [New]; the zero value is usable.
type Options struct {
	Preset string            // ask, balanced (default) or auto
	Tools  map[string]string // per tool: auto, ask or never
	Budget Budget
	Log    *slog.Logger     // nil: discarded
	Now    func() time.Time // nil: time.Now
	Seed   string           // what the wording of questions varies by; empty: the session's id
}

// An Agent runs turns. Turns of different sessions may run side by side; those
// of one session wait for each other.
type Agent struct {
	vault     *vault.Vault
	search    tool.Searcher
	model     model.Model
	tools     *tool.Registry
	policy    policy.Policy
	budget    Budget
	prompt    *template.Template
	sessions  *sessions
	log       *slog.Logger
	now       func() time.Time
	seed      string
	outsiders outsiders
	heads     heads
	changed   atomic.Int64 // the vault's Seq after the last change made in conversation
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
	p, err := policy.New(opts.Preset, opts.Tools, tools)
	if err != nil {
		return nil, err
	}
	prompt, err := parsePrompt()
	if err != nil {
		return nil, err
	}
	a := &Agent{vault: v, model: m, tools: tools, policy: p, budget: opts.Budget, prompt: prompt, sessions: newSessions(v), log: opts.Log, now: opts.Now, seed: opts.Seed}
	if x != nil {
		a.search = x
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	return a, nil
}

// Model is the name of the model in use.
func (a *Agent) Model() string { return a.model.Name() }

// modelTools are the tools of a request.
func modelTools(tools []tool.Tool) []model.Tool {
	out := make([]model.Tool, len(tools))
	for i, t := range tools {
		out[i] = model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
	}
	return out
}
