package intent_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"kist/agent/intent"
)

// A way of speaking that no set knows.
func slang(text string) intent.Input {
	return intent.Input{Text: text, Projects: projects, Project: projects[0]}
}

func TestCorrectionIsLearned(t *testing.T) {
	r := load(t)
	in := slang("yeet the coffee shop onto the table")
	if best := r.Read(in)[0]; best.Intent == intent.Switch && best.P > 0.9 {
		t.Fatalf("%v: known already", best)
	}
	l := r.Learn([]intent.Example{intent.NewExample(in, intent.Switch)})
	for _, text := range []string{"yeet the coffee shop onto the table", "Yeet the fitness app onto the table!"} {
		readings := l.Read(slang(text))
		if readings[0].P < 0.85 || readings[0].Intent != intent.Switch {
			t.Errorf("%q: %v", text, readings[:2])
		}
		sum := 0.0
		for _, v := range readings {
			sum += v.P
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("%q: adds up to %v", text, sum)
		}
	}
}

func TestCorrectionChangesNothingElse(t *testing.T) {
	r := load(t)
	l := r.Learn([]intent.Example{
		intent.NewExample(slang("yeet the coffee shop onto the table"), intent.Switch),
		intent.NewExample(slang("could you please dump what's up for the week"), intent.ListTasks),
		intent.NewExample(slang("oak"), intent.AddDecision),
	})
	for _, text := range []string{
		"the coffee shop onto which we looked was closed", "delete the coffee shop", "could you please delete what's done",
		"what's due next week?", "yes", "no", "the table is made of oak", "", "undo that", "could you please archive this project",
	} {
		if got, want := l.Read(slang(text)), r.Read(slang(text)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, before %v", text, got[0], want[0])
		}
	}
}

func TestLatestCorrectionCounts(t *testing.T) {
	in := slang("bump it")
	l := load(t).Learn([]intent.Example{intent.NewExample(in, intent.UpdateTask), intent.NewExample(in, intent.Undo)})
	if best := l.Read(in)[0]; best.Intent != intent.Undo {
		t.Errorf("%v", best)
	}
}

func TestExamplesAreValues(t *testing.T) {
	e := intent.NewExample(slang("yeet the coffee shop onto the table"), intent.Switch)
	if want := []string{"Coffee Shop"}; !reflect.DeepEqual(e.Projects, want) {
		t.Errorf("keeps projects %v, want %v", e.Projects, want)
	}
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back intent.Example
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, e) {
		t.Errorf("%s: %v, %v", data, back, err)
	}
	e.Intent = "no such intent"
	if l := load(t).Learn([]intent.Example{e}); l.Read(slang(e.Text))[0].Intent == e.Intent {
		t.Error("an unknown intent was read")
	}
}

func BenchmarkReadLearned(b *testing.B) {
	var own []intent.Example
	for range intent.MostExamples {
		own = append(own, intent.NewExample(slang("could we please go back to the coffee shop?"), intent.Switch))
	}
	l := load(b).Learn(own)
	for b.Loop() {
		l.Read(slang("could we please go back to the coffee shop and see what's due next week?"))
	}
}
