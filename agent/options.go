package agent

import (
	"context"
	"log/slog"
	"time"

	"kist/agent/budget"
	"kist/agent/model"
	"kist/agent/policy"
	"kist/agent/private"
	"kist/agent/tool"
)

// Options for [New]; the zero value is usable.
type Options struct {
	Preset string               // ask, balanced (default) or auto
	Tools  map[string]string    // per tool: auto, ask or never
	Budget func() budget.Limits // nil: none
	Log    *slog.Logger         // nil: discarded
	Now    func() time.Time     // nil: time.Now
	Seed   string               // what the wording of questions varies by; empty: the session's id

	// Tip returns a line to end a turn with, once, such as one of the partner's own; mostly it
	// is empty. Nil: there is none.
	Tip func(partners bool) string

	Sync func(context.Context) tool.Sync // how the sync of the vault stands; nil: nothing is known

	// Fast returns a small model for what isn't the conversation itself: its title and
	// summary, facts in it, the words of a question or of an audit; nil, or one that is nil:
	// kist does that alone.
	Fast func() model.Model

	// Private says what is kept from models that aren't on this machine, beside what says so
	// itself; nil: nothing is.
	Private func() *private.Marks

	// Policy returns what decides at that moment. It is called for each decision, by
	// several goroutines at once. Nil: what Preset and Tools say, for good.
	Policy func() policy.Policy
}
