package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"kist/agent/tool/suggest"
)

// A Tool is one thing that a model can call.
type Tool struct {
	Name        string
	Description string // one sentence
	Class       Class
	Schema      json.RawMessage // JSON Schema of its arguments

	resolved *jsonschema.Resolved
	lines    map[string]bool // string arguments that may hold more than one line
	tier     tier
	rank     int
	run      func(context.Context, *Env, []byte) (Result, error)
}

// Rank orders tools on offer by how likely they are needed, where a request has room for few.
func (t Tool) Rank() int { return t.rank }

// MaxArguments is the greatest size in bytes of one call's arguments. The
// largest honest ones are notes, which have their own, lower limit.
const MaxArguments = 64 << 10

// A Registry holds tools by name. It is immutable and safe for concurrent use.
type Registry struct {
	tools []Tool
	names map[string]int
}

// NewRegistry returns the registry of every tool, which doesn't change and is built once.
// Its error can only be a mistake in a tool's own definition.
func NewRegistry() (*Registry, error) { return registry() }

var registry = sync.OnceValues(func() (*Registry, error) {
	c := &catalogue{}
	projectTools(c)
	restructureTools(c)
	draftTools(c)
	taskTools(c)
	noteTools(c)
	documentTools(c)
	memoryTools(c)
	searchTools(c)
	studyTools(c)
	actionTools(c)
	waitingTools(c)
	syncTools(c)
	if c.err != nil {
		return nil, c.err
	}
	r := &Registry{tools: c.tools, names: map[string]int{}}
	for i, t := range r.tools {
		r.names[t.Name] = i
	}
	return r, nil
})

// All returns every tool, whether it is offered now or not.
func (r *Registry) All() []Tool { return slices.Clone(r.tools) }

// Tool returns the tool of that name.
func (r *Registry) Tool(name string) (Tool, bool) {
	i, ok := r.names[name]
	if !ok {
		return Tool{}, false
	}
	return r.tools[i], true
}

// Offer returns the tools that make sense now: those always on, and those
// whose context holds.
func (r *Registry) Offer(e *Env) []Tool {
	var out []Tool
	for _, t := range r.tools {
		if t.tier.on == nil || t.tier.on(e) {
			t.rank = rankIn(e.Mode, t.Name, t.tier.on != nil && !t.tier.standing)
			out = append(out, t)
		}
	}
	return out
}

// Call puts the form of the arguments right where that loses nothing, validates them
// against the tool's schema and, only if they pass, runs it. A Result with a Fault has
// had no effect: the call made no sense, or is of a tool that isn't on offer.
func (r *Registry) Call(ctx context.Context, e *Env, name string, args json.RawMessage) (Result, error) {
	if e.Offered != nil {
		if res := r.withheld(e, name); res.Fault != nil {
			return res, nil
		}
	}
	t, clean, checked, err := r.check(name, args)
	if err != nil || checked.Fault != nil {
		return checked, err
	}
	res, err := t.guard(ctx, e, clean)
	res.Repaired = checked.Repaired
	return res, err
}

// Fits reports whether a call of a tool with these arguments would be run.
func (r *Registry) Fits(name string, args json.RawMessage) bool {
	_, _, checked, err := r.check(name, args)
	return err == nil && checked.Fault == nil
}

// check validates a call and returns its arguments as the tool wants them, and a Result
// that says what had to be put right for that, or why it is refused.
func (r *Registry) check(name string, args json.RawMessage) (t Tool, clean []byte, checked Result, err error) {
	no := func(why, suggestion string) (Tool, []byte, Result, error) {
		return Tool{}, nil, refuse(why, suggestion), nil
	}
	t, ok := r.Tool(name)
	if !ok {
		return no(fmt.Sprintf("no tool %s", quote(clip(name, 60))), suggest.Question(suggest.Tools(name, r.toolNames())))
	}
	if len(args) > MaxArguments {
		return no(fmt.Sprintf("the arguments are %d bytes long, the limit is %d", len(args), MaxArguments), "send less at a time")
	}
	args, repaired := unwrap(args)
	obj, err := decode(args, t.lines)
	if err != nil {
		return no("the arguments are not a JSON object: "+clip(err.Error(), 200), "send an object that matches the schema of "+name)
	}
	repaired = append(repaired, t.repair(obj, args)...)
	if unknown := t.unknown(obj); unknown != "" {
		return no(fmt.Sprintf("%s has no argument %s", name, quote(clip(unknown, 60))), suggest.Question(suggest.Near(unknown, t.arguments(), 2)))
	}
	if err := t.resolved.Validate(obj); err != nil {
		return no(fmt.Sprintf("the arguments of %s don't match its schema: %s", name, clip(decimals(err.Error()), 300)), t.usage())
	}
	if key, tag := tagged(obj); tag != "" {
		return no(fmt.Sprintf("the %s holds %s, which is of calls and not of names", key, quote(tag)), "say it without")
	}
	if clean, err = json.Marshal(obj); err != nil {
		err = fmt.Errorf("tool %s: %w", name, err)
	}
	return t, clean, Result{Repaired: repaired}, err
}

// guard runs the tool; its panic becomes an error, except in tests.
func (t Tool) guard(ctx context.Context, e *Env, args []byte) (res Result, err error) {
	defer func() {
		// The flag exists in test binaries only; there a panic should be seen.
		if flag.Lookup("test.v") != nil {
			return
		}
		if p := recover(); p != nil {
			err = fmt.Errorf("tool %s panicked: %v\n%s", t.Name, p, debug.Stack())
		}
	}()
	return t.run(ctx, e, args)
}

// withheld refuses a tool that isn't on offer, or that there isn't, with the nearest that are.
func (r *Registry) withheld(e *Env, name string) Result {
	if e.Offered[name] {
		return Result{}
	}
	var on []string
	for _, t := range r.Offer(e) {
		on = append(on, t.Name)
	}
	if slices.Contains(on, name) {
		return Result{}
	}
	suggestion := suggest.Question(suggest.Tools(name, on))
	if t, known := r.Tool(name); known {
		return refuse(name+" isn't on offer now: it is "+t.tier.why, suggestion)
	}
	return refuse("no tool "+quote(clip(name, 60)), suggestion)
}

func refuse(msg, suggestion string) Result {
	return Result{Fault: &Fault{Error: msg, Suggestion: suggestion, Invalid: true}}
}

func (r *Registry) toolNames() []string {
	names := make([]string, len(r.tools))
	for i, t := range r.tools {
		names[i] = t.Name
	}
	return names
}

func (t Tool) arguments() []string { return t.resolved.Schema().PropertyOrder }

func (t Tool) unknown(obj map[string]any) string {
	var names []string
	for name := range obj {
		if t.resolved.Schema().Properties[name] == nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// usage names the arguments, the needed ones first.
func (t Tool) usage() string {
	s := t.resolved.Schema()
	if len(s.PropertyOrder) == 0 {
		return t.Name + " takes no arguments"
	}
	var optional []string
	for _, name := range s.PropertyOrder {
		if !slices.Contains(s.Required, name) {
			optional = append(optional, name)
		}
	}
	msg := "needed: " + strings.Join(s.Required, ", ")
	if len(s.Required) == 0 {
		msg = "needed: nothing"
	}
	if len(optional) > 0 {
		msg += "; optional: " + strings.Join(optional, ", ")
	}
	return msg
}

// A catalogue collects tools while a registry is built.
type catalogue struct {
	tools []Tool
	err   error
}

// define adds a tool whose arguments are an A.
func define[A any](c *catalogue, name string, class Class, description string, run func(context.Context, *Env, A) (Result, error)) {
	schema, lines, err := schemaFor(reflect.TypeFor[A]())
	if err != nil {
		c.fail(name, err)
		return
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		c.fail(name, err)
		return
	}
	text, err := json.Marshal(schema)
	if err != nil {
		c.fail(name, err)
		return
	}
	// Models pay for every word of it: that a needed string isn't empty, they know.
	text = bytes.ReplaceAll(text, []byte(`,"minLength":1`), nil)
	c.tools = append(c.tools, Tool{
		Name: name, Description: description, Class: class, Schema: text, resolved: resolved, lines: lines,
		run: func(ctx context.Context, e *Env, args []byte) (Result, error) {
			var a A
			if err := json.Unmarshal(args, &a); err != nil {
				return refuse("the arguments don't fit: "+err.Error(), ""), nil
			}
			return run(ctx, e, a)
		},
	})
}

// A tier is a context in which tools are offered, beside those that always are.
type tier struct {
	why string // in words: "on while ..."
	on  func(*Env) bool
	// standing: it holds for many messages, and says little of what one of them wants.
	standing bool
}

// when limits the tool defined last to a context.
func (c *catalogue) when(t tier) {
	if n := len(c.tools); n > 0 {
		c.tools[n-1].tier = t
	}
}

// When says in words when the tool is offered.
func (t Tool) When() string {
	if t.tier.on == nil {
		return "always on"
	}
	return t.tier.why
}

// The tiers.

func backTier() tier {
	return tier{"on when there is a project to go back to", func(e *Env) bool { return e.Back }, true}
}

func projectTier() tier {
	return tier{"on in a project", func(e *Env) bool { return e.Project != "" }, true}
}

// movingTier: all tools of a project and of a draft at once are more than a request may hold.
func movingTier() tier {
	return tier{"on in a project, unless another is being made", func(e *Env) bool { return projectTier().on(e) && !draftTier().on(e) }, true}
}

// severalTier: with the tools of a draft or for whole projects it would be more than a request may hold.
func severalTier() tier {
	return tier{"on when the message speaks of all or each, and of nothing larger", func(e *Env) bool { return e.Several && !e.Restructure && !draftTier().on(e) }, false}
}

func restructureTier() tier {
	return tier{"on when the message speaks of renaming, merging, archiving or deleting", func(e *Env) bool { return e.Restructure }, false}
}

func draftTier() tier {
	return tier{"on while a project is being made", func(e *Env) bool { return e.Draft != "" || e.Mode == "project_create" }, false}
}

// refileTier: beside all others it would be more than a request may hold.
func refileTier() tier {
	return tier{"on when the message speaks of renaming, moving or deleting a note, and of nothing else", func(e *Env) bool { return e.Refile && !e.Memories && !e.External && !e.Syncing && !draftTier().on(e) }, false}
}

func memoryTier() tier {
	return tier{"on when the message speaks of what is remembered", func(e *Env) bool { return e.Memories }, false}
}

func forgetTier() tier {
	return tier{"on when the message speaks of what is remembered, or of deleting", func(e *Env) bool { return e.Memories || e.Restructure }, false}
}

func externalTier() tier {
	return tier{"on when the message speaks of something outside the vault", func(e *Env) bool { return e.External }, false}
}

func (c *catalogue) fail(name string, err error) {
	if c.err == nil {
		c.err = fmt.Errorf("define tool %s: %w", name, err)
	}
}
