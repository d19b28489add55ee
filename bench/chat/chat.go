/*
Package chat measures how a machine's language model does: [Measure] finds out which one
that is, asks before anything leaves the machine, has package talk make requests of it in
temporary vaults, and returns a [Report]. It neither chooses a model nor writes a setting.
*/
package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/models"
	"kist/agent/openai"
	"kist/bench/talk"
	"kist/daemon"
)

// DefaultRequests is two of each kind of request.
const DefaultRequests = 12

// DefaultTurn is far more than a turn takes, on a slow machine too.
const DefaultTurn = 15 * time.Minute

// ErrOptions: options that can't be carried out.
var ErrOptions = errors.New("invalid options")

// ErrBroken: a model brought about what it never may.
var ErrBroken = errors.New("a promise was broken")

// Options say which model to measure. Nothing needs to be set.
type Options struct {
	Model    string        // ollama/NAME, openai/NAME or anthropic/NAME of the machine's settings, empty: that of chat; with URL NAME alone, empty: the only one there
	URL      string        // of a server with OpenAI's interface, in place of the settings'; it is sent no key
	Requests int           // on each rung; 0: DefaultRequests
	Seed     uint64        // of the requests
	Within   time.Duration // no further request on a rung is begun after so long; 0: all are made
	Turn     time.Duration // how long a turn may take until it counts as one without an end; 0: DefaultTurn

	// Agree is asked before anything is said to a model that isn't on this machine; what it
	// returns ends the measurement. Nil agrees to nothing.
	Agree    func(Report) error
	Progress func(rung string, done, total int) // may be nil
}

// A Report is what [Measure] returns.
type Report struct {
	Model    string        `json:"model"`
	URL      string        `json:"url"`
	Remote   bool          `json:"remote"`
	Window   int           `json:"window"` // tokens; 0: the server doesn't tell
	Requests int           `json:"requests"`
	Messages int           `json:"messages"` // that are said to the model, on all rungs together
	Seed     uint64        `json:"seed"`
	Rungs    []*talk.Score `json:"rungs"`
}

// A hinted error has a sentence about what to do.
type hinted struct {
	error
	hint string
}

// Hint is that sentence.
func (h hinted) Hint() string { return h.hint }

func (h hinted) Unwrap() error { return h.error }

// Measure measures how a language model does on each rung of the ladder, beside the offline
// partner, in temporary vaults. Where it is interrupted, or the server can't be reached any
// more, the report has what was measured so far and comes with the error. The error wraps
// ErrOptions, ErrBroken where the report has what must be 0 and isn't, or models.ErrName or
// models.ErrServer; with the method Hint it says what to do.
func Measure(ctx context.Context, opts Options) (_ *Report, err error) {
	opts.Requests, opts.Turn = cmp.Or(opts.Requests, DefaultRequests), cmp.Or(opts.Turn, DefaultTurn)
	if opts.Requests < 0 || opts.Turn < 0 || opts.Within < 0 {
		return nil, fmt.Errorf("%w: the number of requests and times can't be below zero", ErrOptions)
	}
	settings, err := opts.settings(ctx)
	if err != nil {
		return nil, err
	}
	r := &Report{Model: settings.Chat, Requests: opts.Requests, Messages: talk.Messages(opts.Requests), Seed: opts.Seed}
	if err := r.reach(ctx, settings); err != nil {
		return nil, err
	}
	if r.Remote {
		if opts.Agree == nil {
			return nil, fmt.Errorf("%s is remote, and nobody agreed to ask it", r.Model)
		}
		if err := opts.Agree(*r); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp("", "kist-bench-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	progress := &again{tell: opts.Progress}
	defer progress.end()
	r.Rungs, err = talk.Run(ctx, talk.Options{
		Dir: dir, Requests: opts.Requests, Seed: opts.Seed, Turn: opts.Turn, Within: opts.Within, Progress: progress.report,
		Open: func(from ladder.Rung) (talk.Chat, error) { return settings.Open(settings.Chat, from) },
	})
	return r, errors.Join(r.broken(), err)
}

// again tells of progress once more after a moment: whoever shows it leaves out what comes
// too soon after another, and a turn may take minutes.
type again struct {
	mu    sync.Mutex                         // one telling at a time
	tell  func(rung string, done, total int) // may be nil
	later *time.Timer
	over  bool
}

func (a *again) report(rung string, done, total int) {
	a.say(rung, done, total)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.later != nil {
		a.later.Stop()
	}
	a.later = time.AfterFunc(time.Second, func() { a.say(rung, done, total) })
}

func (a *again) say(rung string, done, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.over && a.tell != nil {
		a.tell(rung, done, total)
	}
}

// end sees to it that nothing more is told.
func (a *again) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
}

// settings are those of this machine, or made for one server, with the model as Chat.
func (o Options) settings(ctx context.Context) (models.Settings, error) {
	if o.URL != "" {
		return o.server(ctx)
	}
	s, err := daemon.ModelSettings(os.Getenv)
	if e, ok := errors.AsType[*daemon.Error](err); ok {
		return s, hinted{err, e.Hint}
	}
	if err != nil {
		return s, err
	}
	if o.Model != "" {
		s.Chat = o.Model
	}
	if s.Fault != nil {
		return s, hinted{s.Fault, "correct that in the settings of this machine"}
	}
	if s.Chat == models.Offline {
		return s, hinted{errors.New("no language model is set up to be measured"),
			"name one as models.chat in the settings of this machine or with --model, or a server with --url; kist works without one"}
	}
	return s, nil
}

// server makes settings for the one server at URL.
func (o Options) server(ctx context.Context) (models.Settings, error) {
	s := models.Settings{Embed: "builtin", Servers: map[string]models.Server{"openai": {URL: o.URL, Set: true}}}
	e, err := endpoint.New(o.URL, "")
	if err != nil {
		return s, fmt.Errorf("%w: --url: %w", ErrOptions, err)
	}
	name := o.Model
	if name == "" {
		all, err := openai.Models(ctx, e)
		if err != nil {
			return s, err
		}
		if len(all) != 1 {
			return s, hinted{fmt.Errorf("%s has %d models", e.URL(), len(all)),
				"name one with --model" + some(all)}
		}
		name = all[0]
	}
	s.Chat = "openai/" + name
	return s, nil
}

// some are the first of names.
func some(names []string) string {
	if len(names) == 0 {
		return ""
	}
	const most = 5
	return ", such as " + strings.Join(names[:min(len(names), most)], ", ")
}

// reach asks the model's server whether it is there, and notes where.
func (r *Report) reach(ctx context.Context, s models.Settings) error {
	chat, err := s.Open(s.Chat, ladder.Native)
	if errors.Is(err, models.ErrName) {
		return hinted{fmt.Errorf("%w: %w", ErrOptions, err), "a model is named with the kind of its server, as in ollama/NAME"}
	}
	if errors.Is(err, models.ErrServer) {
		return hinted{err, "name the server in the settings of this machine, or with --url"}
	}
	if err != nil {
		return err
	}
	info, err := chat.Reach(ctx)
	if err != nil {
		return err
	}
	r.URL, r.Remote, r.Window = chat.URL, chat.Remote(ctx), info.Context
	return nil
}

// broken says what must be 0 and isn't.
func (r *Report) broken() error {
	invalid, endless, raw := 0, 0, 0
	for _, s := range r.Rungs {
		invalid, endless, raw = invalid+s.Invalid, endless+s.Endless, raw+s.Raw
	}
	if invalid+endless+raw == 0 {
		return nil
	}
	return hinted{fmt.Errorf("%w: %d invalid calls were run, %d turns had no end, raw output was shown %d times", ErrBroken, invalid, endless, raw),
		"with any model these have to be 0; where turns had no end the server may be slow or hang: see its log, or give them more time with --turn"}
}
