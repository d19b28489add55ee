package together_test

import (
	"errors"
	"testing"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/together"
	"kist/vault/vaulttest"
)

// TestStep: tasks of one and of several documents are changed as if one after the other, a
// recurring one's next one included.
func TestStep(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n# A\n- [ ] one 📅 2026-11-01\n- [ ] one 📅 2026-11-01\n- [ ] water 🔁 every week 📅 2026-11-20\n- [ ] last\n-- b.md --\n- [ ] b\n")
	done := "done"
	var steps []vault.Step
	for _, ref := range []string{"a.md:5", "a.md:2", "b.md:1", "a.md:4", "a.md:3"} {
		s, err := entity.PlanUpdateTask(t.Context(), v, ref, entity.TaskUpdate{Status: &done})
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, s)
	}
	got, err := together.Step(steps)
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, c := range got.Changes {
		text[c.Path] = string(c.After)
	}
	const a = "# A\n- [x] one 📅 2026-11-01 ✅ 2026-11-20\n- [x] one 📅 2026-11-01 ✅ 2026-11-20\n- [ ] water 🔁 every week 📅 2026-11-27\n- [x] water 🔁 every week 📅 2026-11-20 ✅ 2026-11-20\n- [x] last ✅ 2026-11-20\n"
	if text["a.md"] != a || text["b.md"] != "- [x] b\n" {
		t.Errorf("%q", text)
	}
	if _, err := together.Step(append(steps, steps[0])); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("the same twice: %v", err)
	}
	if _, err := together.Step(nil); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("none: %v", err)
	}
}
