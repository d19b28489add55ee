// Package policy decides which changes run at once. It looks at what a call would do and
// where, after the model has spoken, so that no text can talk its way around it. It
// knows nothing of proposals: what asks, the agent proposes.
//
// A [Policy] is what kist.yaml asks for. That file comes with a vault, which may be
// anybody's, so what asks less than the built-in policy counts only where this
// machine's user trusted it; until then [Policy.Bounded] is what decides. A [Report]
// says what is asked, what counts, and why. Who trusted what is kept elsewhere.
package policy

import (
	"fmt"
	"iter"
	"slices"

	"kist/agent/tool"
)

// A Verdict is what policy says of a call: also the words of a rule in kist.yaml.
type Verdict string

// The verdicts.
const (
	Auto  Verdict = "auto"
	Ask   Verdict = "ask"
	Never Verdict = "never"
)

// stricter returns the one of two verdicts that lets less happen.
func stricter(a, b Verdict) Verdict {
	order := []Verdict{Auto, Ask, Never}
	if slices.Index(order, a) < slices.Index(order, b) {
		return b
	}
	return a
}

// A Policy decides; it doesn't change.
type Policy struct {
	preset  string
	rules   map[string]Verdict
	bounded bool
}

// usual returns the built-in policy, which decides where kist.yaml says nothing.
func usual() Policy { return Policy{preset: "balanced"} }

// New checks the settings of kist.yaml and returns the policy that they ask for.
func New(preset string, rules map[string]string, tools *tool.Registry) (Policy, error) {
	p := Policy{preset: preset, rules: map[string]Verdict{}}
	switch preset {
	case "":
		p.preset = "balanced"
	case "ask", "balanced", "auto":
	default:
		return p, fmt.Errorf("unknown policy preset %q: ask, balanced or auto", preset)
	}
	for name, rule := range rules {
		if _, ok := tools.Tool(name); !ok {
			return p, fmt.Errorf("policy names an unknown tool %q", name)
		}
		switch v := Verdict(rule); v {
		case Auto, Ask, Never:
			p.rules[name] = v
		default:
			return p, fmt.Errorf("unknown policy %q for tool %s: auto, ask or never", rule, name)
		}
	}
	return p, nil
}

// Fixed is New for whoever asks at each decision.
func Fixed(preset string, rules map[string]string, tools *tool.Registry) (func() Policy, error) {
	p, err := New(preset, rules, tools)
	return func() Policy { return p }, err
}

// A Place says where a change would be made.
type Place struct {
	AgentMade bool // kist itself made that project, or it makes it now
	Outside   bool // it isn't the active project
	Loose     bool // it is in no project
	Own       bool // a task in no project that kist wrote down for the user, and nobody else changed
	Told      bool // the user has just said go, with nothing waiting
	Tainted   bool // text from Outside was read in this turn
}

// places yields every place there can be.
func places() iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for bits := range 1 << 6 {
			is := func(n int) bool { return bits>>n&1 == 1 }
			if !yield(Place{AgentMade: is(0), Outside: is(1), Loose: is(2), Told: is(3), Tainted: is(4), Own: is(5)}) {
				return
			}
		}
	}
}

// Bounded returns the policy that decides as p does, but nowhere less strictly than the
// built-in one.
func (p Policy) Bounded() Policy {
	p.bounded = true
	return p
}

// Looser reports whether what p asks for lets a tool do more, in some place, than the
// built-in policy does; of a bounded policy, whether it would.
func (p Policy) Looser(name string, class tool.Class) bool {
	for at := range places() {
		if asked := p.asked(name, class, at); stricter(asked, usual().asked(name, class, at)) != asked {
			return true
		}
	}
	return false
}

// Forbids reports whether a tool is never run, wherever it is called.
func (p Policy) Forbids(t tool.Tool) bool {
	return p.Decide(t.Name, t.Class, Place{AgentMade: true}) == Never
}

// Decide returns the verdict on a call of a tool of some class.
func (p Policy) Decide(name string, class tool.Class, at Place) Verdict {
	v := p.asked(name, class, at)
	if p.bounded {
		v = stricter(v, usual().asked(name, class, at))
	}
	return v
}

// asked applies, in this order: a rule that forbids, external always asks, so does
// what destroys after text from outside was read, a rule of its own, the preset.
// Reading needs nobody's leave unless a rule forbids the tool.
func (p Policy) asked(name string, class tool.Class, at Place) Verdict {
	rule, ruled := p.rules[name]
	if name == "change_tasks" && !ruled {
		rule, ruled = p.rules["update_task"] // which it does several times
	}
	switch {
	case rule == Never:
		return Never
	case class == tool.External, class == tool.Destroy && at.Tainted:
		return Ask
	case class == tool.Read:
		return Auto
	case ruled:
		return rule
	case p.preset == "auto":
		return Auto
	case p.preset == "ask":
		return Ask
	}
	return balanced(class, at)
}

// balanced lets additions and plain edits run where kist made the project and
// the conversation is about it, or wrote the task down outside of any; the rest asks. A user's go stands for the
// answer, except where something would be destroyed or is elsewhere.
func balanced(class tool.Class, at Place) Verdict {
	switch {
	case class == tool.Destroy, at.Outside:
		return Ask
	case at.Loose && (class == tool.Add || at.Own):
		return Auto
	case at.AgentMade && !at.Loose, at.Told:
		return Auto
	}
	return Ask
}

// Reason says what policy goes by.
func (p Policy) Reason(name string, class tool.Class, in string) string {
	_, ruled := p.rules[name]
	switch {
	case p.bounded && p.Looser(name, class):
		return usual().Reason(name, class, in) + ", since that kist.yaml asks less is not trusted on this machine"
	case ruled:
		return "a rule of its own in kist.yaml"
	case class == tool.External:
		return "what goes outside always asks"
	case class == tool.Read:
		return "reading needs no leave"
	case p.preset == "balanced":
		return "preset balanced, " + in
	}
	return "preset " + p.preset
}
