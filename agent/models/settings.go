package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/anthropic"
	"kist/agent/budget"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/ollama"
	"kist/agent/openai"
	"kist/agent/tool/dialect"
	"kist/agent/window"
)

// Offline is the choice of no language model.
const Offline = "offline"

// ErrName: what should be a model's name is none.
var ErrName = errors.New("not a model's name")

// ErrSettings: the settings can't be changed.
var ErrSettings = errors.New("the settings can't be changed")

// ErrServer: the settings lack what a server needs.
var ErrServer = errors.New("the server isn't set up")

// Kinds are the kinds of servers.
func Kinds() []string { return []string{"ollama", "openai", "anthropic"} }

// A Server is where models are.
type Server struct {
	URL string
	Key string // empty: none is sent
	// Fault is why its key can't be had; nil: it can, or there is none.
	Fault error
	Set   bool // the settings name it; else it is where such servers usually are
	// Remote: it passes on what it is sent to other machines, though it is on this one.
	Remote bool
}

// Settings are this machine's.
type Settings struct {
	Chat      string                  // as in the package's comment
	Fallback  string                  // takes over where Chat can't be had: kind/NAME; empty or offline: nothing does
	Fast      string                  // for what is no conversation: kind/NAME; empty: kist does that alone
	Embed     string                  // ollama/NAME, openai/NAME or builtin
	Context   int                     // tokens of the window to use; 0: the server's; of Ollama what the memory allows, at most 16384
	KeepAlive time.Duration           // how long Ollama keeps the model loaded; 0: its own choice
	Patient   bool                    // the partner answers nothing in the model's place that it is sure of
	Servers   map[string]Server       // by kind
	Path      string                  // of the file; empty: there is none and can't be
	Private   []string                // what they keep from models elsewhere, in words
	Prices    map[string]budget.Price // by the model's name, or its server's kind
	Priced    bool                    // there are limits in money, so what isn't here needs a price, by its server if need be
	// Sent hears of each request that leaves this machine, with the model's name; nil: nobody does.
	Sent  func(ref string, s endpoint.Sent)
	Fault error // why nothing can be made of what they say of Chat; nil: it can
	// OfChat: the fault is of Chat alone, so that all else holds for Fallback, such as limits.
	OfChat        bool
	FallbackFault error // why nothing can be made of what they say of Fallback; nil: it can
}

// Split parts a model's name into its server's kind and the name there. The error wraps
// ErrName.
func Split(ref string) (kind, name string, err error) {
	kind, name, ok := strings.Cut(ref, "/")
	if !ok || !slices.Contains(Kinds(), kind) || strings.TrimSpace(name) == "" || name != strings.TrimSpace(name) {
		return "", "", fmt.Errorf("%w: %q is not offline, ollama/NAME, openai/NAME or anthropic/NAME", ErrName, ref)
	}
	return kind, name, nil
}

// endpoint is where the servers of a kind are. The error wraps ErrServer.
func (s Settings) endpoint(kind string) (*endpoint.Endpoint, error) {
	server := s.Servers[kind]
	if server.URL == "" {
		return nil, fmt.Errorf("%w: models.%s.url (KIST_%s_URL) is empty", ErrServer, kind, strings.ToUpper(kind))
	}
	if server.Fault != nil {
		return nil, fmt.Errorf("%w: models.%s: %w", ErrServer, kind, server.Fault)
	}
	make := endpoint.New
	if kind == "anthropic" {
		make = anthropic.Endpoint
	}
	e, err := make(server.URL, server.Key)
	if err != nil {
		return nil, fmt.Errorf("%w: models.%s.url: %w", ErrServer, kind, err)
	}
	if !e.Local() && !server.Set {
		return nil, fmt.Errorf("%w: models.%s.url (KIST_%s_URL) has to name what isn't on this machine", ErrServer, kind, strings.ToUpper(kind))
	}
	return e, nil
}

// Check refuses a choice that no model can be made of.
func (s Settings) Check() error {
	if s.Chat != Offline {
		if _, err := s.open(s.Chat, nil, nil); err != nil {
			return fmt.Errorf("models.chat: %w", err)
		}
	}
	return nil
}

// checkFallback is Check for the model that takes over, whose fault ends nothing else.
func (s Settings) checkFallback() error {
	switch s.Fallback {
	case "", Offline:
		return nil
	case s.Chat:
		return fmt.Errorf("%w: models.fallback: %s is the model that it would take over from", ErrName, s.Chat)
	}
	if s.Chat == Offline && s.Fault == nil {
		return fmt.Errorf("%w: models.fallback: models.chat is offline, which nothing takes over from", ErrName)
	}
	if _, err := s.open(s.Fallback, nil, nil); err != nil {
		return fmt.Errorf("models.fallback: %w", err)
	}
	return nil
}

// checkFast is Check for the other role, whose fault ends nothing else.
func (s Settings) checkFast() error {
	if s.Fast == "" || s.Fast == Offline {
		return nil
	}
	if _, err := s.open(s.Fast, nil, nil); err != nil {
		return fmt.Errorf("models.fast: %w", err)
	}
	return nil
}

// A Chat is a model that is put together.
type Chat struct {
	*ladder.Model
	URL    string
	Local  bool // the address is this machine's
	client *client
	window *window.Model
	// learned takes what an answer taught; nil: nobody wants to know.
	learned func(lesson)
}

// Remote reports whether what it is sent leaves this machine.
func (c *Chat) Remote(ctx context.Context) bool { return c.client.Remote(ctx) }

// told is what the server has told of the model so far, if anything.
func (c *Chat) told() (model.Info, error) {
	known := c.client.told.Load()
	if known == nil {
		return model.Info{}, nil
	}
	info := *known
	info.Context = c.window.Size(info)
	return info, nil
}

// Open puts a model together whose calls are read from a rung on and never higher, and of which nothing else
// is known. It asks the server nothing yet, and keeps nothing of what is found out. Errors
// wrap ErrName or ErrServer, or are the settings' fault.
func (s Settings) Open(ref string, from ladder.Rung) (*Chat, error) {
	if s.Fault != nil {
		return nil, s.Fault
	}
	return s.open(ref, &lesson{Rung: from.String(), Ratio: 1, fixed: true}, sync.OnceValue(ollama.FreeMemory))
}

// Reach asks the server about the model. The error says why it can't be asked anything; a
// server that is there and tells nothing of its models is no error.
func (c *Chat) Reach(ctx context.Context) (model.Info, error) {
	info, err := c.Info(ctx)
	if mute(err) {
		err = nil
	}
	return info, err
}

// open puts a model together, with what is known of it, if anything, and of the memory that
// is free. It asks the server nothing yet.
func (s Settings) open(ref string, known *lesson, free func() int64) (*Chat, error) {
	kind, name, err := Split(ref)
	if err != nil {
		return nil, err
	}
	e, err := s.endpoint(kind)
	if err != nil {
		return nil, err
	}
	c := s.client(kind, name, e, free)
	if c.limited && !c.tellsPrice {
		return nil, unpriced(ref)
	}
	fitted := window.New(c, s.Context)
	fitted.Watch(func(info model.Info) bool {
		// Anthropic's refuses what is too long, and what counts behind Ollama is elsewhere.
		return kind != "anthropic" && !(e.Local() && info.Remote)
	})
	rungs := ladder.Options{Schema: union, Offer: window.Tools, Again: triedAgain}
	if known != nil {
		rungs.From, rungs.Down = rungNamed(known.Rung), ladder.Down{Since: known.Since, Tried: known.Tried, Made: known.Made}
		fitted.Begin(known.Ratio, known.window())
		if known.fixed {
			rungs.Again = 0
		}
	}
	return &Chat{
		URL: e.URL().String(), Local: e.Local() && !s.Servers[kind].Remote, client: c, window: fitted,
		Model: ladder.New(fitted, rungs),
	}, nil
}

// unpriced says that a model can't be used, since what is spent is limited.
func unpriced(ref string) error {
	return fmt.Errorf("%w: models.budget limits what is spent, and models.prices has none of %s", model.ErrPrice, ref)
}

// price is a model's own, or that of its server's models.
func (s Settings) price(kind, name string) (p budget.Price, known bool) {
	if p, known = s.Prices[kind+"/"+name]; !known {
		p, known = s.Prices[kind]
	}
	return p, known
}

func (s Settings) client(kind, name string, e *endpoint.Endpoint, free func() int64) *client {
	c := newClient(e)
	c.price, c.priced = s.price(kind, name)
	c.limited, c.tellsPrice = s.Priced && !c.priced && (!e.Local() || s.Servers[kind].Remote), kind == "openai"
	if s.Sent != nil {
		c.sent = func(sent endpoint.Sent) { s.Sent(kind+"/"+name, sent) }
	}
	c.passes, c.tells = s.Servers[kind].Remote, kind == "ollama"
	switch kind {
	case "ollama":
		c.Described, c.tools = ollama.NewChat(e, name, ollama.Options{Context: s.Context, Free: free, KeepAlive: s.KeepAlive}), dialect.Grammar
	case "anthropic":
		c.Described = anthropic.NewChat(e, name, endpoint.Patience{})
	default:
		c.Described = openai.NewChat(e, name, endpoint.Patience{})
		if e.Local() {
			c.tools = dialect.Grammar
		}
		if e.URL().Hostname() == "api.openai.com" {
			c.format = dialect.Strict // that server holds to a schema in no other
		}
	}
	return c
}

// union is the schema of an answer in words that may call one of the tools.
func union(tools []model.Tool) json.RawMessage { return dialect.Union(tools, true) }
