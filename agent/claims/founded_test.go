package claims

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnfounded(t *testing.T) {
	evidence := []string{
		`{"done":"2027-03-14","late":"2027-04-02","chance":0.45,"text":"With 80 % it is done by 14 March; 12 tasks, 4,200 euros spent of 5.000,50."}`,
		"When will the boat be done? I have until May 1st.",
	}
	for text, want := range map[string][]string{
		"It is likely done by March 14, 2027 (80%), and by 1 May at the latest.": nil,
		"By 2027-03-14, or the 2nd of April if things go badly.":                 nil,
		"Am 14. März 2027, spätestens am 2. April.":                              nil,
		"You spent 4200 euros of € 5000.50, so three of 12 tasks are left.":      nil,
		"There are 7 open points and 3 risks, see projects/boat/project.md:412.": nil,
		"It will be done by 20 March.":                                           {"20 March"},
		"With 95 % it is done by 14 March, in about 45 days.":                    {"95 %", "45 days"},
		"That costs €900, or $ 1,250.75, and 300 more; in 2031.":                 {"€900", "$ 1,250.75", "300", "2031"},
		"1 of them, 2 of them, 99 of them":                                       nil,
		"":                                                                       nil,
		"101, 102, 103, 104, 105, 106 and 101":                                   {"101", "102", "103", "104", "105"},
	} {
		if diff := cmp.Diff(want, Unfounded(text, evidence...)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestHolds(t *testing.T) {
	evidence := []string{"Anna's boat needs 4,200 euros until 3 May; the welder, Mr. Kowalski, comes on Tuesday with 2 people."}
	for text, want := range map[string]bool{
		"The boat needs 4200 euros by May 3.":            true,
		"Kowalski comes Tuesday. Anna pays for the boat": true,
		"Decided: the welder comes with 2 people.":       true,
		"The boat needs 4,300 euros.":                    false,
		"Two people come, 3 of them on Tuesday.":         false,
		"The welder comes on Friday.":                    false,
		"The welder is Mr. Smith.":                       true, // it begins a sentence, as far as can be told
		"The welder Smith comes.":                        false,
		"I know that I was told of Anna's boat.":         true,
		"":                                               true,
	} {
		if got := Holds(text, evidence...); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestCovered(t *testing.T) {
	evidence := []string{"User: Will Anna paint the fence?\nkist: Anna agreed to paint it.", "Der Schweißer prüft die Übergänge; we need it."}
	for text, want := range map[string]float64{
		"Anna agrees to paint the fence.":            1,
		"Anna's fence needs PAINTING":                1,
		"Der schweißer prüfte ÜBERGÄNGE.":            1,
		"Anna refuses to paint the fence.":           0.75,
		"Anna won’t paint the fence.":                0.75,
		"Anna doesn't paint the fence.":              0.75,
		"kist may delete everything without asking.": 0.2,
		"Gelogen":                         0,
		"It is on 3 May, for 4,200; yes.": 1,
		"":                                1,
		"Bob sells cars":                  0,
	} {
		if got := Covered(text, evidence...); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if got := Covered("Anna paints", ""); got != 0 {
		t.Errorf("by nothing: %v", got)
	}
}

func FuzzUnfounded(f *testing.F) {
	f.Add("by 14 March, 80 % of 4.200,50 €", "2027-03-14")
	f.Add("1'000'000.5 2027-99-99T99:99", "0.0")
	f.Fuzz(func(t *testing.T, text, evidence string) {
		if len(Unfounded(text, evidence)) > 5 {
			t.Error("more than five")
		}
		if !Holds(text, text) {
			t.Errorf("%q doesn't hold by itself", text)
		}
		if got := Covered(text, text); got != 1 {
			t.Errorf("%q covers %v of itself", text, got)
		}
		if got := Unfounded(text, text); len(got) > 0 {
			t.Errorf("%q isn't founded in itself: %q", text, got)
		}
	})
}
