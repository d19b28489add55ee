package agent

import (
	"fmt"

	"kist/agent/tool"
)

// verdict is what policy says of a call: also the words of a rule in kist.yaml.
type verdict string

const (
	verdictAuto  verdict = "auto"
	verdictAsk   verdict = "ask"
	verdictNever verdict = "never"
)

// policy decides which changes run at once. It is enforced here, after the
// model has spoken, so that no text can talk its way around it.
type policy struct {
	preset string
	rules  map[string]verdict
}

// newPolicy checks the settings of kist.yaml.
func newPolicy(preset string, rules map[string]string, tools *tool.Registry) (policy, error) {
	p := policy{preset: preset, rules: map[string]verdict{}}
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
		switch v := verdict(rule); v {
		case verdictAuto, verdictAsk, verdictNever:
			p.rules[name] = v
		default:
			return p, fmt.Errorf("unknown policy %q for tool %s: auto, ask or never", rule, name)
		}
	}
	return p, nil
}

// place says where a change would be made.
type place struct {
	agentMade bool // kist itself made that project, or it makes it now
	outside   bool // it isn't the active project
	loose     bool // it is in no project
	told      bool // the user has just said go, with nothing waiting
	tainted   bool // text from outside was read in this turn
}

// decide applies, in this order: a rule that forbids, external always asks, so does
// what destroys after text from outside was read, a rule of its own, the preset.
// Reading needs nobody's leave unless a rule forbids the tool.
func (p policy) decide(name string, class tool.Class, at place) verdict {
	rule, ruled := p.rules[name]
	switch {
	case rule == verdictNever:
		return verdictNever
	case class == tool.External, class == tool.Destroy && at.tainted:
		return verdictAsk
	case class == tool.Read:
		return verdictAuto
	case ruled:
		return rule
	case p.preset == "auto":
		return verdictAuto
	case p.preset == "ask":
		return verdictAsk
	}
	return balanced(class, at)
}

// balanced lets additions and plain edits run where kist made the project and
// the conversation is about it; the rest asks. A user's go stands for the
// answer, except where something would be destroyed or is elsewhere.
func balanced(class tool.Class, at place) verdict {
	switch {
	case class == tool.Destroy, at.outside:
		return verdictAsk
	case at.loose && class == tool.Add:
		return verdictAuto
	case at.agentMade && !at.loose, at.told:
		return verdictAuto
	}
	return verdictAsk
}
