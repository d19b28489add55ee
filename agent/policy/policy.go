// Package policy decides which changes run at once. It looks at what a call would do and
// where, after the model has spoken, so that no text can talk its way around it. It
// knows nothing of proposals: what asks, the agent proposes.
package policy

import (
	"fmt"

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

// A Policy decides; it doesn't change.
type Policy struct {
	preset string
	rules  map[string]Verdict
}

// New checks the settings of kist.yaml.
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

// A Place says where a change would be made.
type Place struct {
	AgentMade bool // kist itself made that project, or it makes it now
	Outside   bool // it isn't the active project
	Loose     bool // it is in no project
	Told      bool // the user has just said go, with nothing waiting
	Tainted   bool // text from Outside was read in this turn
}

// Decide applies, in this order: a rule that forbids, external always asks, so does
// what destroys after text from outside was read, a rule of its own, the preset.
// Reading needs nobody's leave unless a rule forbids the tool.
func (p Policy) Decide(name string, class tool.Class, at Place) Verdict {
	rule, ruled := p.rules[name]
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
// the conversation is about it; the rest asks. A user's go stands for the
// answer, except where something would be destroyed or is elsewhere.
func balanced(class tool.Class, at Place) Verdict {
	switch {
	case class == tool.Destroy, at.Outside:
		return Ask
	case at.Loose && class == tool.Add:
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
