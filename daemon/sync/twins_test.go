package sync

import (
	"strings"
	"testing"

	"kist/daemon/sync/names"
	"kist/vault"
	"kist/vault/entity"
)

// TestWhatTwoMachinesMadeUnderOneNameIsJoined creates the same project, with tasks, on two machines.
func TestWhatTwoMachinesMadeUnderOneNameIsJoined(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	for _, m := range []*machine{a, b} {
		step, err := entity.PlanCreateProject(m.vault, entity.NewProject{Name: "Houseboat"}, vault.ActorUser)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.vault.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{step}}); err != nil {
			t.Fatal(err)
		}
		m.write("projects/houseboat/notes/"+m.name+".md", m.name+"\n")
	}
	ids := map[string]string{}
	for _, m := range []*machine{a, b} {
		p, err := entity.FindProject(t.Context(), m.vault, "houseboat")
		if err != nil {
			t.Fatal(err)
		}
		ids[m.name] = p.ID
	}
	settle(a, b)
	same(t, a, b)
	for _, m := range []*machine{a, b} {
		for by, id := range ids {
			if p, err := entity.FindProject(t.Context(), m.vault, id); err != nil || p.Slug != "houseboat" || p.ID != min(ids["amber"], ids["birch"]) {
				t.Errorf("%s: by the id that it had on %s it is %+v, %v", m.name, by, p, err)
			}
		}
	}
	a.wants("projects/houseboat/notes/birch.md", "birch\n")
	list, err := a.engine.Conflicts(t.Context())
	if err != nil || len(list) != 0 {
		t.Errorf("conflicts %v, %v", list, err)
	}
}

// TestNamesThatAreOneElsewhereAreJoined creates files whose names differ in case, or in how an é is
// composed: on some file systems one would overwrite the other.
func TestNamesThatAreOneElsewhereAreJoined(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	a.write("Boat.md", "# Boat\n\nsails\n")
	b.write("boat.md", "# Boat\n\nanchors\n")
	a.write("caf\u00e9.md", "composed\n")
	b.write("cafe\u0301.md", "composed\n")
	settle(a, b)
	same(t, a, b)
	boats, cafes := 0, 0
	var all strings.Builder
	for p, text := range a.files() {
		if strings.EqualFold(p, "boat.md") {
			boats++
		}
		if names.Same(p) == "caf\u00e9.md" {
			cafes++
		}
		if !strings.HasPrefix(p, "operations/") {
			all.WriteString(text)
		}
	}
	if boats != 1 || cafes != 1 || !strings.Contains(all.String(), "sails") || !strings.Contains(all.String(), "anchors") {
		t.Errorf("%d boats and %d cafes: %v", boats, cafes, a.files())
	}
	a.clean()
	b.clean()
}

// TestARenameOfCaseAlone renames files so that some file systems see no other name, in case and in how an é is composed, while the other side
// edits them: each is one file under its new name, also where git is told that both are one.
func TestARenameOfCaseAlone(t *testing.T) {
	t.Parallel()
	for _, config := range []string{"core.ignorecase", "core.precomposeunicode"} {
		a, b, _ := pair(t)
		b.git("config", config, "true")
		a.write("Boat.md", "# Boat\n\nsails\n\nmast\n")
		a.write("cafe\u0301.md", "# Cafe\n\ntables\n\nchairs\n")
		settle(a, b)
		for from, to := range map[string]string{"Boat.md": "boat.md", "cafe\u0301.md": "caf\u00e9.md"} {
			a.write(to, a.read(from))
			a.remove(from)
		}
		b.write("Boat.md", "# Boat\n\nsails, red\n\nmast\n")
		b.write("cafe\u0301.md", "# Cafe\n\ntables\n\nchairs, six\n")
		settle(a, b)
		same(t, a, b)
		for p, want := range map[string]string{"Boat.md": "-", "boat.md": "# Boat\n\nsails, red\n\nmast\n", "cafe\u0301.md": "-", "caf\u00e9.md": "# Cafe\n\ntables\n\nchairs, six\n"} {
			a.wants(p, want)
		}
		a.clean()
		b.clean()
	}
}

// TestTwoNotesGivenOneName has two machines give two notes one name, while the other machine edits the one and deletes the other.
func TestTwoNotesGivenOneName(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	boat, choir := "# Boat\n\nThe hull is red.\n\nThe mast is old.\n", "# Choir\n\nWe sing on Mondays.\n\nThe hall is cold.\n"
	a.write("boat.md", boat)
	a.write("anthem.md", choir)
	settle(a, b)
	a.write("plan.md", boat)
	a.remove("boat.md")
	a.remove("anthem.md")
	b.write("boat.md", boat+"\nThe engine is new.\n")
	b.write("plan.md", choir+"\nThe organ is new.\n")
	b.remove("anthem.md")
	settle(b, a)
	same(t, a, b)
	for _, want := range []string{"The hull is red.", "The engine is new.", "We sing on Mondays.", "The organ is new."} {
		if text := a.read("plan.md"); !strings.Contains(text, want) {
			t.Errorf("%q isn't in %q", want, text)
		}
	}
	a.clean()
}
