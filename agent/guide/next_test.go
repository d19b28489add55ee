package guide

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kist/agent/model"
)

// rules are what a session of questions must keep to.
func rules(state State, asked []Question) string {
	least, most := Limits(state.Complex)
	seen := map[string]bool{}
	of := map[string]int{}
	for _, q := range asked {
		of[q.Dimension]++
		switch {
		case seen[q.ID]:
			return "asked twice: " + q.ID
		case slices.Contains(state.Covered, q.Dimension):
			return "asked though covered: " + q.ID
		case state.Scores[q.Dimension] < Relevant && !slices.Contains(Core(), q.Dimension) && !(state.Complex && len(seen)+state.Questions < least):
			return "asked though it doesn't matter: " + q.ID
		case of[q.Dimension] > maxAsked:
			return "too often: " + q.Dimension
		case strings.Contains(q.Text, "{"):
			return "not filled in: " + q.Text
		}
		seen[q.ID] = true
	}
	if len(asked) > most {
		return "too many"
	}
	return ""
}

func drawState(t *rapid.T) State {
	s := State{Scores: map[string]float64{}, Seed: rapid.String().Draw(t, "seed"), Complex: rapid.Bool().Draw(t, "complex"), Name: rapid.SampledFrom([]string{"", "the boat", "Kitchen"}).Draw(t, "name")}
	for _, key := range Dimensions() {
		s.Scores[key] = rapid.Float64Range(0, 10).Draw(t, key)
		if rapid.IntRange(0, 4).Draw(t, "covered") == 0 {
			s.Covered = append(s.Covered, key)
		}
	}
	return s
}

func TestNextKeepsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := drawState(t)
		s := start
		var asked []Question
		for range 30 {
			q, ok := Next(s)
			again, _ := Next(s)
			if q != again {
				t.Fatalf("%q, then %q", q.Text, again.Text)
			}
			if !ok {
				break
			}
			if slices.Contains(s.FollowUp, q.Dimension) {
				t.Fatalf("%s was left open", q.Dimension)
			}
			asked = append(asked, q)
			s.Asked, s.Questions = append(s.Asked, q.ID), s.Questions+1
			switch rapid.IntRange(0, 2).Draw(t, "reply") {
			case 0:
				s.Covered = append(slices.Clone(s.Covered), q.Dimension)
				start.Covered = slices.DeleteFunc(slices.Clone(start.Covered), func(k string) bool { return k == q.Dimension })
			case 1:
				s.FollowUp = append(s.FollowUp, q.Dimension)
			}
		}
		if fault := rules(start, asked); fault != "" {
			t.Fatal(fault)
		}
	})
}

// TestRulesFindFaults shows that each rule can be broken.
func TestRulesFindFaults(t *testing.T) {
	state := State{Scores: map[string]float64{People: 7}, Covered: []string{Goals}}
	q := func(id string) Question {
		for _, q := range Variants(cutID(id), "x") {
			if q.ID == id {
				return q
			}
		}
		t.Fatalf("no question %s", id)
		return Question{}
	}
	for _, asked := range [][]Question{
		{q(People + ".1"), q(People + ".1")},
		{q(Goals + ".1")},
		{q(Harmony + ".1")},
		{q(People + ".1"), q(People + ".2"), q(People + ".3")},
		{q(Reality + ".1"), q(Reality + ".2"), q(Integrity + ".1"), q(Integrity + ".2"), q(People + ".1"), q(People + ".2")},
		{{ID: "x", Dimension: Reality, Text: "What is {name}?"}},
	} {
		if rules(state, asked) == "" {
			t.Errorf("nothing found in %v", asked)
		}
	}
}

// TestLimits: with every dimension in play and nothing covered, a simple project
// gets 5 questions and a complex one 10.
func TestLimits(t *testing.T) {
	for _, complex := range []bool{false, true} {
		s := State{Scores: map[string]float64{}, Complex: complex}
		for _, key := range Dimensions() {
			s.Scores[key] = 9
		}
		n := 0
		for q, ok := Next(s); ok; q, ok = Next(s) {
			s.Asked = append(s.Asked, q.ID)
			n++
		}
		if _, most := Limits(complex); n != most {
			t.Errorf("complex %v: %d questions, want %d", complex, n, most)
		}
	}
}

func TestSeedsVaryQuestions(t *testing.T) {
	seen := map[string]bool{}
	for seed := range 40 {
		q, _ := Next(State{Seed: string(rune('a' + seed)), Name: "the boat"})
		seen[q.ID] = true
	}
	if len(seen) < 5 {
		t.Errorf("only %d variants in 40 sessions", len(seen))
	}
}

func TestBank(t *testing.T) {
	texts := map[string]string{}
	for _, key := range Dimensions() {
		list := Variants(key, "the boat")
		if len(list) < 6 {
			t.Errorf("%s: %d questions", key, len(list))
		}
		for _, q := range list {
			if other := texts[q.Text]; other != "" {
				t.Errorf("%s and %s are the same", q.ID, other)
			}
			texts[q.Text] = q.ID
			if !strings.Contains(q.Text, "the boat") && !strings.HasSuffix(q.Text, "?") {
				t.Errorf("%s: %q", q.ID, q.Text)
			}
			if got, ok := Asked(q.Ask()); !ok || got != q {
				t.Errorf("Asked(%s) = %+v %v", q.ID, got, ok)
			}
		}
	}
	own := model.Question{Kind: KindDimension, Args: map[string]string{"dimension": Resources}, Text: "What is your budget?"}
	if q, ok := Asked(own); q.Dimension != Resources || !ok {
		t.Errorf("in other words: %+v %v", q, ok)
	}
	for _, q := range []model.Question{{}, {Kind: KindFinalize}, {Kind: KindDimension}, {Kind: KindDimension, Args: map[string]string{"dimension": "x"}}, {Text: "What is your budget?"}} {
		if got, ok := Asked(q); ok {
			t.Errorf("found %+v in %+v", got, q)
		}
	}
}

// TestAcknowledgementsOnlyListen: while somebody pours out, nothing is asked.
func TestAcknowledgementsOnlyListen(t *testing.T) {
	for n := -3; n < 30; n++ {
		a := Acknowledge(n)
		if a == "" || strings.Contains(a, "?") || a == Acknowledge(n+1) {
			t.Errorf("%d: %q", n, a)
		}
	}
	for _, mode := range []string{"general", "project_create", "project_update", "project_audit", "project_forecast", "task_update", "acknowledge", "nonsense"} {
		seen := map[string]bool{}
		for i := range 40 {
			o := Opening(mode, "", string(rune('a'+i)))
			if o == "" || strings.Contains(o, "{") || mode == "project_create" && strings.Contains(o, "?") {
				t.Errorf("%s: %q", mode, o)
			}
			seen[o] = true
		}
		if len(seen) < 3 {
			t.Errorf("%s: %d openings", mode, len(seen))
		}
	}
}

func TestComplexity(t *testing.T) {
	dumps := map[int]string{}
	for _, row := range readLabelled(t, "sentences.txt") {
		dumps[row.dump] += row.text + " "
	}
	tests := []struct {
		text string
		want bool
	}{
		{dumps[2], true}, // a whole renovation, in ten sentences
		{dumps[4], true}, // a bakery
		{"I want to paint the bathroom next weekend, just white.", false},
		{"A small herb garden on the balcony.", false},
		{"We're founding a company with three investors, a team of twelve and 2m euros; there are permits and regulations to think of, the deadline is in March, and if the grant fails we can't pay the contractors.", true},
		{"", false},
	}
	for _, tt := range tests {
		if got := Complexity(tt.text, Score(tt.text)); got != tt.want {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
}

func TestCompleteness(t *testing.T) {
	empty, overall := Completeness(nil, true)
	if overall != 0 || empty[Goals] != 0 {
		t.Errorf("nothing is %v", overall)
	}
	steps := []string{"", "tbd", "money", "We have about 20,000 euros.", "We have about 20,000 euros, not a cent more. Bo lends us his van until June, and Anna can put in 5k if it takes longer than a year."}
	last := -1
	for _, text := range steps {
		per, _ := Completeness(map[string]string{Resources: text}, false)
		if per[Resources] <= last || per[Resources] > 10 {
			t.Errorf("%q: %d after %d", text, per[Resources], last)
		}
		last = per[Resources]
	}
	if last != 10 {
		t.Errorf("the fullest is %d", last)
	}
	core := map[string]string{}
	for _, key := range Core() {
		core[key] = steps[4]
	}
	_, simple := Completeness(core, false)
	_, complex := Completeness(core, true)
	if simple != 1 || complex >= 0.75 || complex <= 0.3 {
		t.Errorf("core alone: simple %v, complex %v", simple, complex)
	}
}

func TestIsBrainDump(t *testing.T) {
	long := strings.Repeat("words ", 100)
	tests := []struct {
		text        string
		first, want bool
	}{
		{long, false, true},
		{long[:400], false, false},
		{"hello", true, false},
		{"I want to build a boat. " + strings.Repeat("It has many parts ", 8), true, true},
		{"I want to build a boat. " + strings.Repeat("It has many parts ", 8), false, false},
		{"I want to build a boat. " + strings.Repeat("It has many parts ", 8) + "?", true, false},
	}
	for _, tt := range tests {
		if got := IsBrainDump(tt.text, tt.first); got != tt.want {
			t.Errorf("%.40q, first %v: %v", tt.text, tt.first, got)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	text := strings.Repeat("My sister Anna can put in 15k and lends us her oven. We'd like to open before Christmas. ", 30)
	for b.Loop() {
		Score(text)
	}
}
