package study

import (
	"testing"

	kistv1 "kist/proto/kist/v1"
	"kist/vault/vaulttest"
)

const boat = `
-- projects/boat/project.md --
---
type: project
name: Boat
due: 2027-06-01
---
A boat to live on.

## Goals & Momentum
Afloat by June, with a stove and a dry roof.
The hull is painted before the roof is begun.

## Trust & Safeguards
TBD
-- projects/boat/tasks/paint.md --
---
type: task
title: Paint the hull
status: todo
duration: 3d
---
-- projects/boat/tasks/roof.md --
---
type: task
title: Mend the roof
status: todo
duration: 5d
due: 2027-05-01
---
`

func TestCompleteness(t *testing.T) {
	s := New(vaulttest.New(t, boat))
	r, err := s.GetCompleteness(t.Context(), &kistv1.GetCompletenessRequest{Project: "boat"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Dimensions) != 9 || r.Completeness <= 0 || r.Completeness > 1 || r.Project != "boat" {
		t.Fatalf("%v", r)
	}
	for _, d := range r.Dimensions {
		switch {
		case d.Completeness < 0 || d.Completeness > 1:
			t.Errorf("%v", d)
		case d.Key == "goals_momentum":
			if d.Completeness == 0 || !d.Core || len(d.Evidence) != 2 || d.Evidence[0].Line != 9 || d.Evidence[0].Path != "projects/boat/project.md" {
				t.Errorf("%v", d)
			}
		case len(d.Evidence) != 0:
			t.Errorf("%s rests on %v", d.Key, d.Evidence)
		}
	}
	a, err := s.AuditProject(t.Context(), &kistv1.AuditProjectRequest{Project: "boat"})
	if err != nil || a.Completeness != r.Completeness || len(a.Findings) == 0 || a.Findings[0].Severity != a.Severity || len(a.Findings[0].Evidence) == 0 || a.Text == "" {
		t.Errorf("%v, %v", a, err)
	}
}

func TestForecast(t *testing.T) {
	s := New(vaulttest.New(t, boat))
	r, err := s.ForecastProject(t.Context(), &kistv1.ForecastProjectRequest{Project: "boat"})
	if err != nil {
		t.Fatal(err)
	}
	again, _ := s.ForecastProject(t.Context(), &kistv1.ForecastProjectRequest{Project: "boat"})
	if r.Basis != "estimates" || len(r.Scenarios) != 3 || len(r.Deadlines) != 2 || len(r.Drivers) == 0 || r.Seed != again.GetSeed() || r.Text != again.GetText() {
		t.Errorf("%v", r)
	}
	if len(r.Curve) < 3 || len(r.Curve) > 101 {
		t.Fatalf("%d points", len(r.Curve))
	}
	for i, c := range r.Curve[1:] {
		if before := r.Curve[i]; c.Date <= before.Date || c.Likelihood < before.Likelihood || c.Likelihood > 1 {
			t.Errorf("%v behind %v", c, before)
		}
	}
	for _, sc := range r.Scenarios { // the curve and the dates are of the same runs
		for _, c := range r.Curve {
			if c.Date == sc.Date && c.Likelihood < float64(sc.Percentile)/100 {
				t.Errorf("%v, and by then %v", sc, c)
			}
		}
	}
}

func TestNobody(t *testing.T) {
	s := New(vaulttest.New(t, boat))
	if _, err := s.AuditProject(t.Context(), &kistv1.AuditProjectRequest{Project: "bot"}); err == nil {
		t.Error("an audit of nothing")
	}
}
