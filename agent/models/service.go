package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"kist/agent/anthropic"
	"kist/agent/budget"
	"kist/agent/endpoint"
	"kist/agent/keyring"
	"kist/agent/model"
	"kist/agent/ollama"
	"kist/agent/openai"
	"kist/agent/route"
)

// A Role is what a model is used for, and how it does. The fields are those of the
// interface that clients see.
type Role struct {
	Name    string // chat, fallback, embed or fast
	Model   string
	State   string // ready, untried or failing
	URL     string
	Remote  bool
	Context int
	Rung    string
	Speed   float64 // tokens a second
	Images  bool    // it takes them
	Price   *Price  // nil: not known, or nothing
	Error   string
	Hint    string
}

// A Price is what a million tokens of a model cost.
type Price struct {
	budget.Price
	Told bool // by the server, in its currency; else by the settings
}

// A Found is a server and what it has.
type Found struct {
	Kind, URL   string
	Remote, Set bool
	Models      []Available
	Error, Hint string
}

// An Available model could be used.
type Available struct {
	Name   string // with the server's kind
	Size   int64  // bytes; 0: not told
	Remote bool
}

// A Service tells of this machine's models and changes the choice. Its methods may be
// called concurrently.
type Service struct {
	router *route.Router
	load   func() (Settings, error)
	write  func(role, ref string) error

	lessons lessons
	free    func() int64 // bytes of memory, the same at each call: another window has a server load its model anew

	meter func() model.Meter // of one run of Test; nil: nobody counts

	changed func() bool // the settings' file did since it was asked last; nil: nobody knows

	using sync.Mutex // one choice after the other: what counts last stands in the file

	mu       sync.Mutex
	settings Settings
	chat     *Chat // nil: none
	fallback *Chat // likewise
	fast     *Chat // likewise
	clerk    *Fast // fast, as it answers without tools
}

// New returns the service, with the router set up as the settings say. load reads the
// settings anew, and write changes one in their file; kept holds what is found out about models.
func New(router *route.Router, s Settings, load func() (Settings, error), write func(role, ref string) error, kept Store) (*Service, error) {
	m := &Service{router: router, load: load, write: write, lessons: lessons{store: kept}, free: sync.OnceValue(ollama.FreeMemory)}
	return m, m.apply(s)
}

// apply makes the settings count, from the next turn on. With a fault in them the partner
// answers and says why.
func (m *Service) apply(s Settings) error {
	var first model.Model
	var behind []model.Model
	var chat, fallback *Chat
	switch {
	case s.Fault != nil:
		first = unusable{s.Chat, s.Fault}
	case s.Chat != Offline:
		var err error
		if chat, err = m.remembering(s, s.Chat); err != nil {
			return err
		}
		first = chat
	}
	if s.FallbackFault = cmp.Or(s.FallbackFault, s.checkFallback()); s.FallbackFault != nil {
		behind = []model.Model{unusable{s.Fallback, s.FallbackFault}}
	} else if s.Fallback != "" && s.Fallback != Offline && (chat != nil || s.OfChat) {
		fallback, _ = m.remembering(s, s.Fallback) // it was just checked
		behind = []model.Model{fallback}
	}
	if s.Fault != nil && !s.OfChat { // there may be limits that nobody knows
		behind = nil
	}
	var fast *Chat
	var clerk *Fast
	if s.checkFast() == nil && s.Fast != "" && s.Fast != Offline {
		fast, _ = s.open(s.Fast, nil, m.free) // it was just checked
		clerk = &Fast{Model: fast.window}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settings, m.chat, m.fallback, m.fast, m.clerk = s, chat, fallback, fast, clerk
	m.router.Use(first, !s.Patient, behind...)
	return nil
}

// remembering puts a model together by what was found out about it, which it goes on with.
func (m *Service) remembering(s Settings, ref string) (*Chat, error) {
	var known *lesson
	if found, ok := m.lessons.of(s.key(ref)); ok {
		known = &found
	}
	chat, err := s.open(ref, known, m.free)
	if err == nil {
		chat.learned = func(found lesson) { m.lessons.keep(s.key(ref), found) }
	}
	return chat, err
}

// Follow has the settings read anew, at the next turn and whenever they are told of, once
// changed reports that their file has changed.
func (m *Service) Follow(changed func() bool) {
	m.changed = changed
	m.router.Before(m.follow)
}

func (m *Service) follow() {
	m.using.Lock()
	defer m.using.Unlock()
	if m.changed == nil || !m.changed() {
		return
	}
	s, err := m.load()
	if err != nil {
		s, _ = m.now()
		s.Fault, s.OfChat = err, false
	}
	if err := m.apply(s); err != nil {
		s.Fault, s.OfChat = err, true
		_ = m.apply(s) // with a fault nothing is put together
	}
}

// Count has what Test asks counted, by a meter for each run. It is called once, before Test.
func (m *Service) Count(meter func() model.Meter) { m.meter = meter }

// unusable stands for a model that nothing can be made of. The router asks for its fault
// and never for an answer.
type unusable struct {
	ref   string
	fault error
}

func (u unusable) Fault() error { return u.fault }

// Name is the model's, or stands for it where the fault kept that from being read.
func (u unusable) Name() string {
	if u.ref == Offline || u.ref == "" {
		return "the language model"
	}
	return u.ref
}

func (u unusable) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) { yield(model.Event{}, u.fault) }
}

// now returns the settings that count and the model that is put together by them.
func (m *Service) now() (Settings, *Chat) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.settings, m.chat
}

// Fast returns the model for what is no conversation, as it answers without tools; nil: none.
func (m *Service) Fast() model.Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.clerk == nil {
		return nil // and no *Fast that is nil
	}
	return m.clerk
}

// Config is the file that holds the settings.
func (m *Service) Config() string {
	s, _ := m.now()
	return s.Path
}

// Private is what the settings keep from models that aren't on this machine.
func (m *Service) Private() []string {
	m.follow()
	s, _ := m.now()
	return s.Private
}

// Roles tells which models are used. It asks a server only what it hasn't told yet. How
// an embedder does, the index knows.
func (m *Service) Roles(ctx context.Context) []Role {
	return m.roles(func(c *Chat) (model.Info, error) { return c.Info(ctx) })
}

// Known is the same by what the servers have told so far. It asks nobody.
func (m *Service) Known() []Role { return m.roles((*Chat).told) }

func (m *Service) roles(ask func(*Chat) (model.Info, error)) []Role {
	m.follow()
	s, chat := m.now()
	embed := Role{Name: "embed", Model: s.Embed, State: "ready"}
	if kind, _, err := Split(s.Embed); err == nil {
		embed.State = "untried"
		if e, err := s.endpoint(kind); err == nil {
			embed.URL, embed.Remote = e.URL().String(), !e.Local() || s.Servers[kind].Remote
		}
	}
	m.mu.Lock()
	fallback := m.fallback
	m.mu.Unlock()
	var roles []Role
	switch {
	case s.Fault != nil:
		roles = append(roles, failing("chat", s.Chat, s.Fault))
	case chat == nil:
		roles = append(roles, Role{Name: "chat", Model: Offline, State: "ready"})
	default:
		roles = append(roles, conversing("chat", chat, m.router.State(), ask))
	}
	switch {
	case s.FallbackFault != nil:
		roles = append(roles, failing("fallback", s.Fallback, s.FallbackFault))
	case fallback != nil:
		roles = append(roles, conversing("fallback", fallback, m.router.Fallback(), ask))
	}
	if roles = append(roles, embed); s.Fault == nil {
		roles = append(roles, m.fastRole(ask))
	}
	return roles
}

func failing(role, ref string, fault error) Role {
	text := strings.TrimPrefix(fault.Error(), ErrName.Error()+": ") // it may be one, and be of no use here
	return Role{Name: role, Model: cmp.Or(ref, Offline), State: "failing", Error: text, Hint: faultHint(fault)}
}

// faultHint is what to do about a fault of the settings.
func faultHint(fault error) string {
	if errors.Is(fault, keyring.ErrUnavailable) || errors.Is(fault, keyring.ErrNotFound) {
		return "unlock the keyring or put the key there, or give the key in the environment or the settings' file; that counts within a minute"
	}
	return "correct that, or choose a model anew"
}

// conversing is a role in conversations.
func conversing(name string, chat *Chat, state route.State, ask func(*Chat) (model.Info, error)) Role {
	r := Role{Name: name, Model: chat.Name(), State: "untried", URL: chat.URL}
	info, err := ask(chat)
	r.tell(chat, info)
	if state.Used {
		// How it answers counts: there are servers that do, and tell nothing of themselves.
		r.State, r.Speed, r.Rung, err = "ready", state.Speed, chat.Rung().String(), state.Err
	}
	if err != nil {
		r.State, r.Error, r.Hint = "failing", err.Error(), hint(err)
	}
	return r
}

// tell completes a role by what the server says of the model.
func (r *Role) tell(chat *Chat, info model.Info) {
	c := chat.client
	r.Remote, r.Context, r.Images = info.Remote || !chat.Local, info.Context, info.Images
	switch {
	case c.priced:
		r.Price = &Price{Price: c.price}
	case info.Priced:
		r.Price = &Price{Price: budget.Price(info.Price), Told: true}
	case c.limited:
		r.State, r.Error, r.Hint = "failing", unpriced(c.Name()).Error(), faultHint(nil)
	}
}

func hint(err error) string {
	if e, ok := errors.AsType[*endpoint.Error](err); ok {
		return e.Hint()
	}
	return ""
}

// maxListed bounds how many models of a server are told: above what any has.
const maxListed = 2000

// List asks the servers which models they have: those of the settings, and Ollama where
// it usually is on this machine.
func (m *Service) List(ctx context.Context) []Found {
	m.follow()
	s, _ := m.now()
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	found := make([]Found, len(Kinds()))
	var asking sync.WaitGroup
	for i, kind := range Kinds() {
		asking.Go(func() { found[i] = s.find(ctx, kind) })
	}
	asking.Wait()
	return slices.DeleteFunc(found, func(f Found) bool { return f.Kind == "" })
}

// find asks the servers of a kind; one without a URL isn't set up.
func (s Settings) find(ctx context.Context, kind string) Found {
	e, err := s.endpoint(kind)
	if err != nil {
		if s.Servers[kind].Set {
			// Without the address, which may hold a password.
			return Found{Kind: kind, Set: true, Error: err.Error(), Hint: "correct it in the settings of this machine"}
		}
		return Found{}
	}
	f := Found{Kind: kind, URL: e.URL().String(), Remote: !e.Local(), Set: s.Servers[kind].Set}
	f.Models, err = available(ctx, kind, e)
	if err != nil {
		f.Error, f.Hint = err.Error(), hint(err)
	}
	// What can't be said can't be used.
	f.Models = slices.DeleteFunc(f.Models, func(a Available) bool { _, _, err := Split(a.Name); return err != nil })
	sort.SliceStable(f.Models, func(i, j int) bool { return f.Models[i].Name < f.Models[j].Name })
	f.Models = f.Models[:min(len(f.Models), maxListed)]
	return f
}

func available(ctx context.Context, kind string, e *endpoint.Endpoint) (out []Available, err error) {
	var names []string
	switch kind {
	case "ollama":
		all, err := ollama.Models(ctx, e)
		for _, a := range all {
			out = append(out, Available{Name: kind + "/" + a.Name, Size: a.Size, Remote: a.Remote || !e.Local()})
		}
		return out, err
	case "anthropic":
		names, err = anthropic.Models(ctx, e)
	default:
		names, err = openai.Models(ctx, e)
	}
	for _, name := range names {
		out = append(out, Available{Name: kind + "/" + name, Remote: !e.Local()})
	}
	return out, err
}

// Use gives a role to a model, in the file of settings, and for chat from the next turn
// on. Errors wrap ErrName, ErrServer or ErrSettings; after one, what counted still does.
func (m *Service) Use(ctx context.Context, role, ref string) (Role, error) {
	if err := m.use(role, ref); err != nil {
		return Role{}, err
	}
	for _, r := range m.Roles(ctx) {
		if r.Name == role {
			r.Hint = cmp.Or(m.missing(ctx, ref), r.Hint)
			return r, nil
		}
	}
	return Role{Name: role, Model: Offline, State: "ready"}, nil // fallback, to nothing
}

// missing says that a server doesn't list a model, with some that it does; empty: it does,
// or can't be asked.
func (m *Service) missing(ctx context.Context, ref string) string {
	kind, name, err := Split(ref)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	s, _ := m.now()
	found := s.find(ctx, kind)
	if found.Error != "" || len(found.Models) == 0 && kind != "ollama" {
		return ""
	}
	var some []string
	for _, a := range found.Models {
		if a.Name == ref || a.Name == kind+"/"+name+":latest" {
			return ""
		}
		some = append(some, strings.TrimPrefix(a.Name, kind+"/"))
	}
	hint := "its server lists no model of that name, but " + strings.Join(some[:min(len(some), 5)], ", ")
	if kind == "ollama" {
		hint = strings.TrimSuffix(hint, ", but ") + "; kist model pull " + ref + " has it fetched"
	}
	return hint
}

func (m *Service) use(role, ref string) error {
	m.using.Lock()
	defer m.using.Unlock()
	s, unread := m.load() // a server may have been named since
	if unread != nil {
		s, _ = m.now() // it may be what is wrong that is being changed
	}
	var err error
	switch role {
	case "chat":
		s.Chat, s.Fault = ref, nil
		err = s.Check()
	case "fallback":
		s.Fallback, s.FallbackFault = ref, nil
		err = s.checkFallback()
	case "fast":
		s.Fast = ref
		err = s.checkFast()
	case "embed":
		err = s.checkEmbed(ref)
	default:
		err = fmt.Errorf("%w: there is no role %q", ErrName, role)
	}
	if unread != nil && errors.Is(err, ErrServer) { // what the file says of it can't be read
		err = fmt.Errorf("%w: %w", ErrSettings, unread)
	}
	if err != nil {
		return err
	}
	if err := m.write(role, ref); err != nil {
		return err
	}
	if m.changed != nil {
		m.changed() // it is read right now
	}
	m.lessons.forget(s.key(ref)) // it is chosen anew
	s, err = m.load()
	if err == nil && !(role == "fallback" && s.OfChat) {
		err = s.Fault
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSettings, err)
	}
	return m.apply(s)
}

// Pull has Ollama fetch a model, named with its kind or without, and tells how that goes, until it is there or tell returns
// false. Errors wrap ErrName or ErrServer, or are *endpoint.Error.
func (m *Service) Pull(ctx context.Context, ref string, tell func(status string, done, total int64) bool) error {
	kind, name, err := Split(ref)
	switch {
	case err != nil && strings.TrimSpace(ref) != "": // as Ollama itself has it
		kind, name, err = "ollama", strings.TrimSpace(ref), nil
	case err == nil && kind != "ollama":
		err = fmt.Errorf("%w: %q: only Ollama fetches models", ErrName, ref)
	}
	if err != nil {
		return err
	}
	s, _ := m.now()
	e, err := s.endpoint(kind)
	if err != nil {
		return err
	}
	return ollama.Pull(ctx, e, name, func(p ollama.Progress) bool { return tell(p.Status, p.Done, p.Total) })
}

// checkEmbed refuses a choice that no embedder can be made of.
func (s Settings) checkEmbed(ref string) error {
	if ref == "builtin" {
		return nil
	}
	kind, _, err := Split(ref)
	if err != nil || kind == "anthropic" {
		return fmt.Errorf("%w: %q is not builtin, ollama/NAME or openai/NAME", ErrName, ref)
	}
	_, err = s.endpoint(kind)
	return err
}
