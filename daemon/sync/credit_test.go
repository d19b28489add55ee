package sync

import (
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
)

// TestWhoBroughtWhat has a stranger with plain git edit files that the user's own device renames, edits and contradicts meanwhile. The
// stranger's text is the stranger's, on the device that merged it and on the one that gets it merged, and doesn't count as the user's own.
func TestWhoBroughtWhat(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	for m, other := range map[*machine]string{a: "birch", b: "amber"} {
		if err := m.engine.Own(t.Context(), other, true); err != nil {
			t.Fatal(err)
		}
	}
	text := strings.Repeat("a line that stays\n\n", 5)
	a.write("Trips/rome.md", "# Rome\n\n"+text)
	a.write("Trips/oslo.md", "# Oslo\n\n"+text)
	a.write("both.md", "# Both\n\n"+text+"end\n")
	a.write("fight.md", "# Fight\n\nred\n")
	settle(a, b)
	bob := filepath.Join(t.TempDir(), "bob")
	run(t, filepath.Dir(bob), "clone", "-q", remote, bob)
	run(t, bob, "config", "user.name", "Bob")
	write(t, bob, "Trips/rome.md", "# Rome\n\n"+text+"of Bob\n")
	write(t, bob, "Trips/new.md", "# New\n\nof Bob\n")
	write(t, bob, "both.md", "# Both, says Bob\n\n"+text+"end\n")
	write(t, bob, "fight.md", "# Fight\n\nblue\n")
	run(t, bob, "add", "-A")
	run(t, bob, "commit", "-qm", "Bob's part")
	run(t, bob, "push", "-q")
	b.git("mv", "Trips", "Journeys")
	b.git("reset", "-q")
	b.write("both.md", "# Both\n\n"+text+"end, says birch\n")
	b.write("fight.md", "# Fight\n\ngreen\n")
	b.sync()
	a.sync()
	conflicts, err := a.engine.Conflicts(t.Context())
	if err != nil || len(conflicts) != 1 {
		t.Fatal(conflicts, err)
	}
	for _, m := range []*machine{a, b} {
		for _, p := range []string{"Journeys/rome.md", "Journeys/new.md", "both.md", conflicts[0].Path} {
			ops, err := m.vault.Operations(t.Context(), vault.Filter{Entity: p, Actor: vault.ActorSync, Own: true})
			if err != nil || len(ops) == 0 || !strings.Contains(ops[0].Reason, "from Bob: Bob's part") || ops[0].Client == vault.OwnDevice {
				t.Errorf("%s: %s: %v, %+v", m.name, p, err, ops)
			}
		}
	}
	for _, p := range []string{"Journeys/oslo.md", "Journeys/rome.md"} {
		ops, err := a.vault.Operations(t.Context(), vault.Filter{Entity: p, Actor: vault.ActorSync, Own: true})
		if err != nil || len(ops) == 0 || strings.Contains(ops[len(ops)-1].Reason, "Bob") || ops[len(ops)-1].Client != vault.OwnDevice || ops[len(ops)-1].Type != vault.OpMove {
			t.Errorf("%s: %v, %+v; want birch's move", p, err, ops)
		}
	}
}
