package agent

import (
	"testing"

	"kist/agent/tool"
)

func TestPolicy(t *testing.T) {
	ours, users := place{agentMade: true}, place{}
	tests := []struct {
		preset string
		rule   string
		class  tool.Class
		at     place
		want   verdict
	}{
		{"balanced", "", tool.Read, users, "auto"},
		{"balanced", "", tool.Add, ours, "auto"},
		{"balanced", "", tool.Change, ours, "auto"},
		{"balanced", "", tool.Destroy, ours, "ask"},
		{"balanced", "", tool.Add, users, "ask"},
		{"balanced", "", tool.Change, users, "ask"},
		{"balanced", "", tool.Add, place{agentMade: true, outside: true}, "ask"},
		{"balanced", "", tool.Add, place{loose: true}, "auto"},
		{"balanced", "", tool.Change, place{loose: true}, "ask"},
		{"balanced", "", tool.Change, place{told: true}, "auto"},
		{"balanced", "", tool.Destroy, place{told: true, agentMade: true}, "ask"},
		{"balanced", "", tool.Add, place{told: true, outside: true}, "ask"},
		{"ask", "", tool.Read, ours, "auto"},
		{"ask", "", tool.Add, ours, "ask"},
		{"ask", "", tool.Add, place{told: true, agentMade: true}, "ask"},
		{"auto", "", tool.Destroy, users, "auto"},
		{"auto", "", tool.External, ours, "ask"},
		{"auto", "auto", tool.External, ours, "ask"},
		{"auto", "never", tool.External, ours, "never"},
		{"auto", "ask", tool.Add, ours, "ask"},
		{"balanced", "auto", tool.Destroy, users, "auto"},
		{"balanced", "never", tool.Read, ours, "never"},
	}
	for _, test := range tests {
		p := policy{preset: test.preset, rules: map[string]verdict{}}
		if test.rule != "" {
			p.rules["x"] = verdict(test.rule)
		}
		if got := p.decide("x", test.class, test.at); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
