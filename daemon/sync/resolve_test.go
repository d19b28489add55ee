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

// TestBothAreTwoDocuments has both versions of a note stay: the copy gets an id of its own, unless it had one, and undo takes all of it back.
func TestBothAreTwoDocuments(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const id = "id: 01M8GB4TAXCZ36MY7HA2TAZ4VA\n"
	a.write("boat.md", "---\n"+id+"price: 10 # pounds\n---\n# Boat\n")
	a.write("list.md", "price: 10\n")
	settle(a, b)
	for m, price := range map[*machine]string{a: "20", b: "30"} {
		m.write("boat.md", strings.Replace(m.read("boat.md"), "10", price, 1))
		m.write("list.md", "price: "+price+"\n")
	}
	settle(a, b)
	list, err := a.engine.Conflicts(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	user := vault.Origin{Actor: vault.ActorUser}
	for _, c := range list {
		before, ours := a.read(c.Path), a.read(c.Of)
		ops, err := a.engine.Resolve(t.Context(), c.Path, copies.Both, user, false)
		if err != nil || len(ops) != 1 {
			t.Fatal(ops, err)
		}
		kept := ops[0].Changes[0].Path
		text := a.read(kept)
		if strings.Contains(text, id) || strings.Count(text, "id: ") != strings.Count(before, "id: ") || !strings.HasSuffix(text, before[strings.Index(before, "price"):]) {
			t.Errorf("%s is kept as %q", c.Path, text)
		}
		a.wants(c.Of, ours)
		a.wants(c.Path, "-")
		if _, err := a.vault.Undo(t.Context(), vault.UndoTarget{ID: ops[0].ID}, user); err != nil {
			t.Fatal(err)
		}
		a.wants(c.Path, before)
		a.wants(kept, "-")
	}
	settle(a, b)
	same(t, a, b)
}
