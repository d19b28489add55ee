package entity_test

import (
	"errors"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// A project's end is changed where it stands, under whichever name people gave it.
func TestProjectDates(t *testing.T) {
	for before, want := range map[string]string{
		"name: P":                                 "due: 2027-04-01\n",
		"name: P\ndue: 2027-03-01":                "due: 2027-04-01\n",
		"name: P\ndeadline: 2027-03-01 # fixed":   "deadline: 2027-04-01 # fixed\n",
		"name: P\ntarget_date: \"2027-03-01\"":    "target_date: 2027-04-01\n",
		"name: P\nend_date: 2027-03-01\nstart: x": "end_date: 2027-04-01\n",
	} {
		v := vaulttest.New(t, "-- kist.yaml --\n-- projects/p/project.md --\n---\n"+before+"\n---\n# P\n")
		due, none := "2027-04-01", "next spring"
		step, err := entity.PlanUpdateProject(t.Context(), v, "p", entity.ProjectUpdate{Due: &due})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{step}}); err != nil {
			t.Fatal(err)
		}
		doc, err := v.Document("projects/p/project.md")
		if err != nil {
			t.Fatal(err)
		}
		if got := string(doc.Source()); !strings.Contains(got, want) || strings.Count(got, "2027-0") != 1 {
			t.Errorf("%q: %s", before, got)
		}
		if p, err := entity.FindProject(t.Context(), v, "p"); err != nil || p.Due != due {
			t.Errorf("%q: due %q, %v", before, p.Due, err)
		}
		if _, err := entity.PlanUpdateProject(t.Context(), v, "p", entity.ProjectUpdate{Start: &none}); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%q as a date: %v", none, err)
		}
	}
}
