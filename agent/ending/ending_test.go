package ending_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"kist/agent/ending"
	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// TestTold: who breaks a turn off is told what was done before, and what wasn't.
func TestTold(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n# A\n")
	step := func(text string) vault.Batch {
		s, err := entity.PlanAppendNote(v, "a.md", text)
		if err != nil {
			t.Fatal(err)
		}
		s.Reason = "add " + text
		return vault.Batch{Steps: []vault.Step{s}, Origin: vault.Origin{Actor: vault.ActorAgent}}
	}
	done, err := v.Apply(t.Context(), step("one"))
	if err != nil {
		t.Fatal(err)
	}
	waits, err := v.Propose(t.Context(), step("two"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ending.Cancelled{})
	why := ending.Cause(ctx, fmt.Errorf("ask: %w", context.Canceled))
	if !errors.Is(why, context.Canceled) {
		t.Errorf("%v is no cancellation", why)
	}
	for _, c := range []struct {
		ids  []string
		why  error
		want string
	}{
		{[]string{done[0].ID, waits[0].ID}, why, "(The turn ended early: you cancelled it. Done before that: add one. Proposed, and not done: add two.)"},
		{[]string{waits[0].ID}, why, "(The turn ended early: you cancelled it. Proposed, and not done: add two. Nothing was changed.)"},
		{nil, errors.New("no answer."), "(The turn ended early: no answer. Nothing was changed.)"},
	} {
		if got := ending.Told(t.Context(), v, c.why, c.ids); got != c.want {
			t.Errorf("%s\nnot %s", got, c.want)
		}
	}
}
