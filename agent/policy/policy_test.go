package policy

import (
	"reflect"
	"slices"
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
		{"balanced", "", tool.Change, Place{Loose: true, Own: true}, "auto"},
		{"balanced", "", tool.Change, Place{Own: true}, "ask"},
		{"balanced", "", tool.Destroy, Place{Loose: true, Own: true}, "ask"},
		{"ask", "", tool.Change, Place{Loose: true, Own: true}, "ask"},
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

// TestBounded: of every policy that kist.yaml can ask for, in every place, a bounded one
// is as strict as the stricter of it and the built-in one, and not more.
func TestBounded(t *testing.T) {
	classes := []tool.Class{tool.Read, tool.Add, tool.Change, tool.Destroy, tool.External}
	strict := map[Verdict]int{Auto: 1, Ask: 2, Never: 3}
	looser := map[string]bool{}
	for _, preset := range []string{"ask", "balanced", "auto"} {
		for _, rule := range []Verdict{"", Auto, Ask, Never} {
			p := Policy{preset: preset, rules: map[string]Verdict{}}
			if rule != "" {
				p.rules["x"] = rule
			}
			for _, class := range classes {
				anywhere := false
				for at := range places() {
					asked, built, got := p.Decide("x", class, at), usual().Decide("x", class, at), p.Bounded().Decide("x", class, at)
					if strict[got] != max(strict[asked], strict[built]) {
						t.Errorf("%s %q %s %+v: asked %s, built in %s, bounded %s", preset, rule, class, at, asked, built, got)
					}
					anywhere = anywhere || strict[asked] < strict[built]
				}
				if got := p.Looser("x", class); got != anywhere || p.Bounded().Looser("x", class) != anywhere {
					t.Errorf("%s %q %s: looser %v, want %v", preset, rule, class, got, anywhere)
				}
				if anywhere {
					looser[preset+" "+string(rule)+" "+string(class)] = true
				}
			}
		}
	}
	for _, want := range []string{"auto  destroy", "auto  change", "balanced auto destroy", "balanced auto add", "ask auto destroy"} {
		if !looser[want] {
			t.Errorf("%s is not found to be looser", want)
		}
	}
	if len(looser) != 12 { // three classes, under the preset auto or a rule auto in any preset
		t.Errorf("looser: %v", looser)
	}
	seen := map[Place]bool{}
	for at := range places() {
		seen[at] = true
	}
	if fields := reflect.TypeFor[Place]().NumField(); len(seen) != 1<<fields {
		t.Errorf("%d places of %d fields", len(seen), fields)
	}
}

// TestStandings: what is shown of a tool is what decides.
func TestStandings(t *testing.T) {
	tools, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	p, err := New("auto", map[string]string{"create_task": "ask", "remember": "never", "delete_project": "auto"}, tools)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]Standing{ // as it stands, and bounded
		"delete_project": {
			{Asked: "auto", Usual: "ask", Counts: "auto", Why: "less than usual is asked, which is trusted on this machine"},
			{Asked: "auto", Usual: "ask", Counts: "ask", Why: "less than usual is asked, which isn't trusted on this machine"},
		},
		"update_task": {
			{Asked: "auto", Usual: "auto or ask", Counts: "auto", Why: "less than usual is asked, which is trusted on this machine"},
			{Asked: "auto", Usual: "auto or ask", Counts: "auto or ask", Why: "less than usual is asked, which isn't trusted on this machine"},
		},
		"create_task": {
			{Asked: "ask", Usual: "auto or ask", Counts: "ask", Why: "more than usual is asked"},
			{Asked: "ask", Usual: "auto or ask", Counts: "ask", Why: "more than usual is asked"},
		},
		"remember": {
			{Asked: "never", Usual: "auto or ask", Counts: "never", Why: "more than usual is asked"},
			{Asked: "never", Usual: "auto or ask", Counts: "never", Why: "more than usual is asked"},
		},
		"search": {
			{Asked: "auto", Usual: "auto", Counts: "auto", Why: "as usual"},
			{Asked: "auto", Usual: "auto", Counts: "auto", Why: "as usual"},
		},
	} {
		for i, p := range []Policy{p, p.Bounded()} {
			all := Standings(p, tools)
			at := slices.IndexFunc(all, func(s Standing) bool { return s.Name == name })
			if at < 0 {
				t.Fatalf("no tool %s", name)
			}
			got := all[at]
			want[i].Name, want[i].Class = name, got.Class
			if got != want[i] {
				t.Errorf("%s: %+v, want %+v", name, got, want[i])
			}
		}
	}
	if got := Looser(p, tools); !slices.Contains(got, "delete_project") || slices.Contains(got, "create_task") || slices.Contains(got, "search") {
		t.Errorf("looser: %v", got)
	}
	if got := Looser(usual(), tools); got != nil {
		t.Errorf("the built-in policy is looser than itself: %v", got)
	}
}

// TestRuleOfOneIsOfSeveral: what is forbidden or asked of one task is of several at once.
func TestRuleOfOneIsOfSeveral(t *testing.T) {
	tools, err := tool.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	p, err := New("auto", map[string]string{"update_task": "never"}, tools)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Decide("change_tasks", tool.Change, Place{AgentMade: true}); got != Never {
		t.Errorf("%v", got)
	}
}
