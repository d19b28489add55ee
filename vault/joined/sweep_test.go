package joined_test

import (
	"fmt"
	"testing"

	"kist/vault"
	"kist/vault/joined"
	"kist/vault/vaulttest"
)

const swept = `-- a.md --
# A

- [x] one
  - [x] below one
- [ ] two
- [x] three
  - [ ] open below three
  note of three

## B

1. [x] four

Text.
-- to.md --
# To

- [ ] first

End.
-- projects/p/project.md --
---
type: project
name: P
---
-- projects/p/tasks/t.md --
---
type: task
title: T
status: done
---
`

func plan(t *testing.T, v *vault.Vault, to string, refs ...string) joined.Sweep {
	t.Helper()
	s, err := joined.PlanSweep(t.Context(), v, refs, to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Apply(t.Context(), vault.Batch{Steps: []vault.Step{s.Step}, Origin: vault.Origin{Actor: vault.ActorUser}}); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSweepDeletes: several tasks go as one operation, that takes back as one, and what is open below one of them isn't lost.
func TestSweepDeletes(t *testing.T) {
	v := vaulttest.New(t, swept)
	s := plan(t, v, "", "a.md:3", "a.md:4", "a.md:6", "a.md:12", "projects/p/tasks/t.md")
	if got := fmt.Sprint(s.Titles, s.Left); got != "[T one below one four] [{three there are open tasks below it}]" {
		t.Error(got)
	}
	text, _ := v.Read("a.md")
	if string(text) != "# A\n\n- [ ] two\n- [x] three\n  - [ ] open below three\n  note of three\n\n## B\n\nText.\n" || v.Exists("projects/p/tasks/t.md") {
		t.Errorf("%s", text)
	}
	if s, err := joined.PlanSweep(t.Context(), v, []string{"a.md:4"}, ""); err != nil || len(s.Step.Changes)+len(s.Titles) > 0 {
		t.Error(s, err)
	}
}

// TestSweepMoves: they join the list of another note, or of a new one.
func TestSweepMoves(t *testing.T) {
	v := vaulttest.New(t, swept)
	s := plan(t, v, "to.md", "a.md:3", "a.md:4", "a.md:12", "to.md:3", "projects/p/tasks/t.md")
	if s.Step.Reason != "move 3 tasks to to.md: “one”, “below one”, “four”" {
		t.Error(s.Step.Reason)
	}
	if got := fmt.Sprint(s.Titles, s.Left); got != "[one below one four] [{first it is there already} {T it is a file of its own}]" {
		t.Error(got)
	}
	text, _ := v.Read("to.md")
	if want := "# To\n\n- [ ] first\n- [x] one\n  - [x] below one\n1. [x] four\n\nEnd.\n"; string(text) != want {
		t.Errorf("%s", text)
	}
	plan(t, v, "New/Archive.md", "a.md:3")
	if text, _ = v.Read("New/Archive.md"); string(text) != "# Archive\n\n- [ ] two\n" {
		t.Errorf("%s", text)
	}
}
