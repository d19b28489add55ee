package offline

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/agent/model"
)

// saturday is the day on which all tests of this package run.
var saturday = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func testProjects() []model.Project {
	return []model.Project{
		{Slug: "houseboat-renovation", Name: "Houseboat Renovation", Status: "active", CreatedBy: "agent"},
		{Slug: "coffee-shop", Name: "Coffee Shop", Status: "active", CreatedBy: "agent"},
		{Slug: "fitness-app", Name: "Fitness App", Status: "active", CreatedBy: "agent"},
		{Slug: "recipe-app", Name: "Recipe App", Status: "active", CreatedBy: "agent"},
	}
}

func testSituation(active string) model.Situation {
	s := model.Situation{Now: saturday, Turns: 3, Projects: testProjects()}
	for _, p := range s.Projects {
		if p.Slug == active {
			s.Project = &p
			s.Stack = []model.Project{s.Projects[0]}
		}
	}
	return s
}

type labelled struct {
	line                               int
	intent, active, project, utterance string
}

func readLabelled(t *testing.T, path string) []labelled {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") || lines.Text() == "" {
			continue
		}
		cols := strings.Split(lines.Text(), "\t")
		if len(cols) != 4 {
			t.Fatalf("%s:%d: %d columns", path, n, len(cols))
		}
		out = append(out, labelled{n, cols[0], cols[1], cols[2], cols[3]})
	}
	if len(out) < 200 {
		t.Fatalf("only %d utterances", len(out))
	}
	return out
}

// counts of one intent.
type counts struct{ right, wrong, missed int }

func (c counts) precision() float64 { return ratio(c.right, c.right+c.wrong) }
func (c counts) recall() float64    { return ratio(c.right, c.right+c.missed) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// TestIntents reads every labelled utterance and holds the reader to the
// precision and recall that the product promises. "none" and plain questions
// are what is left when nothing is to be done, so only the others count as
// found.
func TestIntents(t *testing.T) {
	byIntent := map[string]*counts{}
	total := &counts{}
	at := func(name string) *counts {
		if byIntent[name] == nil {
			byIntent[name] = &counts{}
		}
		return byIntent[name]
	}
	for _, l := range readLabelled(t, "../../testdata/dialogues/intents.tsv") {
		r := reader{testSituation(l.active)}
		got := leading(r.read(l.utterance))
		name, project := string(got.intent), referred(got)
		right := name == l.intent && (l.project == "-" || project == l.project)
		if !right {
			t.Logf("line %d: %q: got %s %s, want %s %s", l.line, l.utterance, name, project, l.intent, l.project)
		}
		if name != "none" {
			if right {
				at(name).right++
				total.right++
			} else {
				at(name).wrong++
				total.wrong++
			}
		}
		if l.intent != "none" && !right {
			at(l.intent).missed++
			total.missed++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byIntent)) {
		c := byIntent[name]
		t.Logf("%-15s precision %.3f recall %.3f (%d found, %d false, %d missed)", name, c.precision(), c.recall(), c.right, c.wrong, c.missed)
	}
	t.Logf("all             precision %.3f recall %.3f", total.precision(), total.recall())
	if total.precision() < 0.97 || total.recall() < 0.90 {
		t.Errorf("precision %.3f, recall %.3f; promised are 0.97 and 0.90", total.precision(), total.recall())
	}
}

// leading is the first clause that means something.
func leading(meanings []meaning) meaning {
	best := meaning{intent: none}
	for _, m := range meanings {
		if m.intent != none && (best.intent == none || !substantial(best.intent)) {
			best = m
		}
	}
	return best
}

func referred(m meaning) string {
	switch {
	case len(m.project.found) > 1:
		return "??"
	case len(m.project.found) == 1:
		return m.project.found[0].Slug
	case m.project.phrase != "":
		return "?"
	}
	return "-"
}

func ExampleNew() {
	fmt.Println(New().Name())
	// Output: offline
}
