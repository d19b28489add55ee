package offline

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
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

func testSituation(active string) model.Situation { return situationIn(testProjects(), active) }

func situationIn(projects []model.Project, active string) model.Situation {
	s := model.Situation{Now: saturday, Turns: 3, Projects: projects}
	for _, p := range s.Projects {
		if p.Slug == active {
			s.Project = &p
			s.Stack = []model.Project{s.Projects[0]}
		}
	}
	return s
}

// A labelled set is a file of utterances with the projects they are said among.
type labelledSet struct {
	projects   []model.Project
	utterances []labelled
}

type labelled struct {
	line                               int
	intent, active, project, utterance string
}

func readLabelled(t *testing.T, path string) labelledSet {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var set labelledSet
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if list, ok := strings.CutPrefix(line, "# projects: "); ok {
			for item := range strings.SplitSeq(list, ", ") {
				slug, name, _ := strings.Cut(item, "=")
				set.projects = append(set.projects, model.Project{Slug: slug, Name: name, Status: "active", CreatedBy: "agent"})
			}
		}
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) != 4 {
			t.Fatalf("%s:%d: %d columns", path, n, len(cols))
		}
		set.utterances = append(set.utterances, labelled{n, cols[0], cols[1], cols[2], cols[3]})
	}
	if len(set.utterances) < 50 || len(set.projects) == 0 {
		t.Fatalf("%s: only %d utterances, %d projects", path, len(set.utterances), len(set.projects))
	}
	return set
}

// counts of one intent.
type counts struct{ right, wrong, missed int }

func (c counts) precision() float64 { return ratio(c.right, c.right+c.wrong) }
func (c counts) plus(d counts) counts {
	return counts{c.right + d.right, c.wrong + d.wrong, c.missed + d.missed}
}

func (c counts) String() string {
	return fmt.Sprintf("precision %.3f recall %.3f (%d found, %d false, %d missed)", c.precision(), c.recall(), c.right, c.wrong, c.missed)
}

func (c counts) recall() float64 { return ratio(c.right, c.right+c.missed) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// TestIntents reads every labelled utterance and holds the reader to the
// precision and recall that the product promises. "none" is what is left when
// nothing is to be done, so only the other intents count as found.
func TestIntents(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/dialogues/*.tsv")
	if err != nil || len(paths) < 12 {
		t.Fatalf("only %d sets: %v", len(paths), err)
	}
	var all, switches counts
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".tsv"), func(t *testing.T) {
			total, switched := judge(t, readLabelled(t, path))
			all, switches = all.plus(total), switches.plus(switched)
		})
	}
	t.Logf("all sets: %s; switches: %s", all, switches)
	hold(t, "all sets", all)
	hold(t, "switches of all sets", switches)
}

func judge(t *testing.T, set labelledSet) (all, switches counts) {
	byIntent, total := map[string]*counts{}, &counts{}
	at := func(name string) *counts {
		if byIntent[name] == nil {
			byIntent[name] = &counts{}
		}
		return byIntent[name]
	}
	for _, l := range set.utterances {
		r := reader{situationIn(set.projects, l.active)}
		got := leading(r.read(l.utterance))
		name, project := called(got), referred(got)
		right := name == l.intent && (l.project == "-" || project == l.project)
		if !right {
			t.Logf("line %d: %q: got %s %s, want %s %s", l.line, l.utterance, name, project, l.intent, l.project)
		}
		switch {
		case right && name != "none":
			at(name).right++
			total.right++
		case !right && name != "none":
			at(name).wrong++
			total.wrong++
		}
		if l.intent != "none" && !right {
			at(l.intent).missed++
			total.missed++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byIntent)) {
		t.Logf("%-16s %s", name, byIntent[name])
	}
	t.Logf("all              %s of %d utterances", total, len(set.utterances))
	hold(t, "all", *total)
	hold(t, "switch", *at("switch"))
	return *total, *at("switch")
}

// hold demands what the product promises.
func hold(t *testing.T, name string, c counts) {
	t.Helper()
	if c.precision() < 0.97 || c.recall() < 0.90 {
		t.Errorf("%s: %s; promised are 0.97 and 0.90", name, c)
	}
}

// leading is the first clause that means something.
func leading(meanings []meaning) meaning {
	best := meaning{intent: none}
	for _, m := range meanings {
		if m.intent == none && m.about != "" && best.intent == none {
			best = m
		}
		if m.intent != none && (best.intent == none || !substantial(best.intent)) {
			best = m
		}
	}
	return best
}

// called is the label of a meaning. Words that tell of another project are none
// to act on, but one to ask about: "offer".
func called(m meaning) string {
	switch {
	case m.intent == startMode:
		return m.about
	case m.about == "elsewhere":
		return "offer"
	}
	return string(m.intent)
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
