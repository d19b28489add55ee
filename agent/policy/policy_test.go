package policy

import (
	"testing"

	"kist/agent/tool"
)

func TestPolicy(t *testing.T) {
	ours, users := Place{AgentMade: true}, Place{}
	tests := []struct {
		preset string
		rule   string
		class  tool.Class
		at     Place
		want   Verdict
	}{
		{"balanced", "", tool.Read, users, "auto"},
		{"balanced", "", tool.Add, ours, "auto"},
		{"balanced", "", tool.Change, ours, "auto"},
		{"balanced", "", tool.Destroy, ours, "ask"},
		{"balanced", "", tool.Add, users, "ask"},
		{"balanced", "", tool.Change, users, "ask"},
		{"balanced", "", tool.Add, Place{AgentMade: true, Outside: true}, "ask"},
		{"balanced", "", tool.Add, Place{Loose: true}, "auto"},
		{"balanced", "", tool.Change, Place{Loose: true}, "ask"},
		{"balanced", "", tool.Change, Place{Told: true}, "auto"},
		{"balanced", "", tool.Destroy, Place{Told: true, AgentMade: true}, "ask"},
		{"balanced", "", tool.Add, Place{Told: true, Outside: true}, "ask"},
		{"ask", "", tool.Read, ours, "auto"},
		{"ask", "", tool.Add, ours, "ask"},
		{"ask", "", tool.Add, Place{Told: true, AgentMade: true}, "ask"},
		{"auto", "", tool.Destroy, users, "auto"},
		{"auto", "", tool.External, ours, "ask"},
		{"auto", "auto", tool.External, ours, "ask"},
		{"auto", "never", tool.External, ours, "never"},
		{"auto", "ask", tool.Add, ours, "ask"},
		{"balanced", "auto", tool.Destroy, users, "auto"},
		{"balanced", "never", tool.Read, ours, "never"},
	}
	for _, test := range tests {
		p := Policy{preset: test.preset, rules: map[string]Verdict{}}
		if test.rule != "" {
			p.rules["x"] = Verdict(test.rule)
		}
		if got := p.Decide("x", test.class, test.at); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
