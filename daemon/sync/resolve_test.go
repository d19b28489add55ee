package sync

import (
	"strings"
	"testing"

	"kist/daemon/sync/copies"
	"kist/vault"
)

// TestTheirsDecidesTheContestedPlaceAlone has both machines change one word and one key in ways that contradict each other, and each something
// else: taking theirs leaves what this machine did elsewhere, before the merge and since. Undo takes all of that back.
func TestTheirsDecidesTheContestedPlaceAlone(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const note = "---\nstatus: open\nprice: 10\n---\n# Boat\n\nThe boat is red.\n\n## Ropes\n\n- one\n- two\n\n## Sails\n\n- main\n- jib\n"
	a.write("boat.md", note)
	a.write(".obsidian/app.json", `{"font": "a", "size": 1, "tab": 1}`)
	settle(a, b)
	change := func(m *machine, words ...string) {
		m.write("boat.md", strings.NewReplacer(words...).Replace(m.read("boat.md")))
	}
	change(a, "red", "green", "price: 10", "price: 30", "- two", "- two, of ash")
	a.write(".obsidian/app.json", `{"font": "b", "size": 2, "tab": 1}`)
	a.sync()
	change(b, "red", "blue", "price: 10", "price: 20", "- main\n", "", "- jib", "- jib, of birch")
	b.write(".obsidian/app.json", `{"font": "c", "size": 1, "tab": 2}`)
	settle(b, a)
	same(t, a, b)
	change(b, "- one", "- one, later", "The boat is blue.", "The boat is blue.\n\nIt is ours.")
	before := b.read("boat.md")
	user := vault.Origin{Actor: vault.ActorUser}
	ops, err := b.engine.Resolve(t.Context(), "boat.md", copies.Theirs, user, false)
	if err != nil || len(ops) != 2 {
		t.Fatal(ops, err)
	}
	const want = "---\nstatus: open\nprice: 30\n---\n# Boat\n\nThe boat is green.\n\nIt is ours.\n\n## Ropes\n\n- one, later\n- two, of ash\n\n## Sails\n\n- jib, of birch\n"
	b.wants("boat.md", want)
	for _, op := range ops {
		if _, err := b.vault.Undo(t.Context(), vault.UndoTarget{ID: op.ID}, user); err != nil {
			t.Fatal(err)
		}
	}
	b.wants("boat.md", before)
	if _, err := b.engine.Resolve(t.Context(), "boat.md", copies.Theirs, user, false); err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.Resolve(t.Context(), ".obsidian/app.json", copies.Theirs, user, false); err != nil {
		t.Fatal(err)
	}
	settle(b, a)
	a.wants("boat.md", want)
	a.wants(".obsidian/app.json", `{"font": "b", "size": 2, "tab": 2}`)
	a.clean()
}
