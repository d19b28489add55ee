package talk

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/agent"
	"kist/vault"
	"kist/vault/pattern"
)

// A Fault is something of a turn that must not be so.
type Fault struct {
	Kind Kind
	Text string
}

// A Kind is what is wrong.
type Kind string

// The kinds.
const (
	Endless Kind = "endless" // the turn came to no end, or to one without a word
	Raw     Kind = "raw"     // what calls look like, or control characters, is shown
	Invalid Kind = "invalid" // something was done that no validated call did
)

func (t *Turn) fault(k Kind, format string, args ...any) {
	t.Faults = append(t.Faults, Fault{k, fmt.Sprintf(format, args...)})
}

// raw is what calls look like, which nobody wants to read, and tags what only they have. Many an
// object has a name: it is a call where the name is a tool's, or arguments
// follow; a name of several words is none of a tool.
var (
	raw   = pattern.Lazy(`\{\s*"(say|call|tool|tool_calls?|function|action|arguments|parameters)"\s*:`)
	named = pattern.Lazy(`\{\s*"name"\s*:\s*"([^"]*)"(\s*,\s*"(arguments|parameters)"\s*:)?`)
	tags  = pattern.Lazy(`\[ACTION:|</?tool_call>`)
)

// code is a block of code, which may have objects of its own. One that is JSON or of calls, with
// no words beside it, is taken for a call that is shown.
var code = pattern.Lazy("(?ms)^```([^\n]+)\n.*?(^```|\\z)")

// shown is the first of a reply that looks like a call; empty: nothing does.
func (s *Stage) shown(reply string) string {
	if tag := tags().FindString(reply); tag != "" {
		return tag
	}
	beside := strings.TrimSpace(code().ReplaceAllString(reply, "")) != ""
	read := code().ReplaceAllStringFunc(reply, func(block string) string {
		switch strings.TrimSpace(code().FindStringSubmatch(block)[1]) {
		case "", "json", "tool_call", "tool_code":
			if !beside {
				return block
			}
		}
		return ""
	})
	for _, m := range named().FindAllStringSubmatch(read, -1) {
		if _, tool := s.tools.Tool(m[1]); tool || m[2] != "" && !strings.Contains(m[1], " ") {
			return m[0]
		}
	}
	return raw().FindString(read)
}

// own begins the reason of what the engine keeps by itself, without a call.
var own = pattern.Lazy(`^(you mentioned it: |the conversation leaned on |keep “|keep what you sa(y until|id and)|keep these [0-9a-z]+ sentences )`)

// Judge finds the faults of a turn, of which Events and Reply are looked at.
func (s *Stage) Judge(ctx context.Context, t *Turn) error {
	if !t.ends() {
		t.fault(Endless, "it has no end")
	}
	if !t.worded() {
		t.fault(Endless, "nothing is said: %+v", t.Events)
	}
	if found := s.shown(t.Reply); found != "" {
		t.fault(Raw, "raw output %q is shown: %q", found, t.Reply)
	}
	if strings.ContainsFunc(t.Reply, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) || !utf8.ValidString(t.Reply) {
		t.fault(Raw, "it holds what is no text: %q", t.Reply)
	}
	return s.untold(ctx, t, s.unchecked(t))
}

// unchecked finds calls that ran without being valid, and what was done without a call, now or
// in the turn that proposed it. It returns the operations that were told of.
func (s *Stage) unchecked(t *Turn) (told []string) {
	valid := false // the last call was validated and run
	took := func(op vault.Operation) {
		told = append(told, op.ID)
		if !valid && !s.known[op.ID] && !own().MatchString(op.Reason) {
			t.fault(Invalid, "%s %s %q comes from no validated call", op.Type, op.Entity.Path, op.Reason)
		}
	}
	for _, e := range t.Events {
		switch e := e.(type) {
		case agent.ToolCall:
			valid = e.Error == ""
			if valid && !s.tools.Fits(e.Name, e.Arguments) {
				t.fault(Invalid, "%s ran with %s", e.Name, e.Arguments)
			}
			if !json.Valid(e.Arguments) {
				t.fault(Raw, "%s is told of with %q", e.Name, e.Arguments)
			}
		case agent.Operation:
			took(e.Operation)
		case agent.ApprovalRequest:
			took(e.Operation)
		}
	}
	return told
}

// untold finds operations that the log has and nobody was told of.
func (s *Stage) untold(ctx context.Context, t *Turn, told []string) error {
	ops, err := s.Vault.Operations(ctx, vault.Filter{Actor: vault.ActorAgent})
	if err != nil {
		return err
	}
	for _, op := range ops {
		if !s.known[op.ID] && !slices.Contains(told, op.ID) {
			t.fault(Invalid, "the log has %s %s, of which nothing was told", op.Type, op.Entity.Path)
		}
		s.known[op.ID] = true
	}
	return nil
}
