package sync

import (
	"os"
	"testing"

	"kist/daemon/sync/copies"
	"kist/vault"
)

// TestTheLogKeepsWhatARevertTakesOut has users revert a commit with an operation, and go back behind it: what the operation did to the document is undone,
// and what the log says of it stays, on all machines.
func TestTheLogKeepsWhatARevertTakesOut(t *testing.T) {
	t.Parallel()
	for name, revert := range map[string]func(a, b *machine, remote string) (text string){
		"here": func(a, b *machine, _ string) string {
			a.sync()
			a.git("revert", "--no-edit", "HEAD")
			if _, err := a.vault.Apply(a.t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
				Type: vault.OpCreate, Changes: []vault.Change{{Path: "later.md", After: []byte("later\n")}}, // logged where the other was
			}}}); err != nil {
				a.t.Error(err)
			}
			return "one\n"
		},
		"before it was pushed": func(a, b *machine, remote string) string {
			_ = os.Rename(remote, remote+".away")
			_, _ = a.engine.Now(a.t.Context(), Request{}, nil)
			_ = os.Rename(remote+".away", remote)
			a.git("revert", "--no-edit", "HEAD")
			return "one\n"
		},
		"elsewhere, by plain git": func(a, b *machine, remote string) string {
			a.sync()
			c := a.dir + "-clone"
			run(a.t, a.dir, "clone", "-q", remote, c)
			run(a.t, c, "revert", "--no-edit", "HEAD")
			b.write("other.md", "meanwhile\n")
			b.sync()
			run(a.t, c, "pull", "-q", "--no-rebase", "--no-edit")
			run(a.t, c, "push", "-q")
			return "one\n"
		},
		"reset": func(a, b *machine, _ string) string {
			a.sync()
			a.git("reset", "-q", "--hard", "HEAD~1")
			return "two\n" // the remote has it
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b, remote := pair(t)
			a.write("note.md", "one\n")
			settle(a, b)
			ops, err := a.vault.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
				Type: vault.OpUpdate, Changes: []vault.Change{{Path: "note.md", Before: []byte("one\n"), After: []byte("two\n")}},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			text := revert(a, b, remote)
			settle(a, b, a)
			same(t, a, b)
			for _, m := range []*machine{a, b} {
				m.wants("note.md", text)
				m.clean()
				for range 2 { // as it is known, and as it is read anew
					if op, err := m.vault.Operation(t.Context(), ops[0].ID); err != nil || op.ID != ops[0].ID {
						t.Errorf("%s: %v, %v", m.name, op, err)
					}
					m.reopen()
				}
			}
		})
	}
}

// TestACopyOfTheLogGoesFromAllMachines has one machine put a conflict copy of a file of the log together with it: the copy goes from the other
// one as well, and doesn't come back.
func TestACopyOfTheLogGoesFromAllMachines(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const of = "operations/2026/11/24-oak"
	const name = of + ".sync-conflict-20261124-101112-ABCDEFG.yaml"
	record := "---\nid: 01M8GB4TAXCZ36MY7HA2TAZ4VA\nevent: completed\nat: 2026-11-24T10:00:00Z\ntype: create\nentity: {type: note, path: a.md}\nactor: user\nseq: 1\nchanges:\n- path: a.md\n...\n"
	a.write(name, record)
	settle(a, b)
	b.wants(name, record)
	if _, err := a.engine.Resolve(t.Context(), name, copies.Merged, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
		t.Fatal(err)
	}
	settle(a, b, a)
	same(t, a, b)
	b.wants(name, "-")
	b.wants(of+".yaml", record)
	a.clean()
}
