package sync

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/daemon/sync/copies"
	"kist/vault"
)

// TestACopyStaysItsDocumentsUnderAnotherName renames a document that has a conflict copy: by hand, on the other machine, twice, with another
// document in its place, and along with the copy's folder. The copy is listed with it and can be resolved.
func TestACopyStaysItsDocumentsUnderAnotherName(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	move := func(m *machine, from, to string) {
		t.Helper()
		at := func(p string) string { return filepath.Join(m.dir, filepath.FromSlash(p)) }
		if err := os.MkdirAll(filepath.Dir(at(to)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(at(from), at(to)); err != nil {
			t.Fatal(err)
		}
		if err := m.vault.Record(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	a.watch()
	b.watch()
	listed := func(m *machine, of string) string {
		t.Helper()
		found, err := m.engine.Conflicts(t.Context())
		if err != nil || len(found) != 1 || found[0].Of != of {
			t.Fatalf("%s lists %+v, %v; want a copy of %s", m.name, found, err, of)
		}
		return found[0].Path
	}
	a.write("Notes/boat.md", "# Boat\n\nThe hull is red.\n")
	settle(a, b)
	a.write("Notes/boat.md", "# Boat\n\nThe hull is blue.\n")
	b.write("Notes/boat.md", "# Boat\n\nThe hull is green.\n")
	settle(a, b)
	listed(a, "Notes/boat.md")
	move(b, "Notes/boat.md", "Notes/ship.md")
	settle(b, a)
	listed(a, "Notes/ship.md")
	move(a, "Notes/ship.md", "Notes/deep/ship.md")
	a.write("Notes/ship.md", "# Another\n")
	a.write("Notes/boat.md", "# Another one\n")
	settle(a, b)
	listed(a, "Notes/deep/ship.md")
	copied := listed(b, "Notes/deep/ship.md")
	move(b, copied, strings.Replace(copied, "Notes/", "Old/", 1))
	listed(b, "Notes/deep/ship.md")
	if _, err := b.engine.Resolve(t.Context(), "Notes/deep/ship.md", copies.Theirs, vault.Origin{Actor: vault.ActorUser}, false); err != nil {
		t.Fatal(err)
	}
	settle(b, a)
	a.wants("Notes/deep/ship.md", "# Boat\n\nThe hull is blue.\n")
	a.wants("Notes/boat.md", "# Another one\n")
	a.wants(copied, "-")
}

// TestNamesThatWereExchanged has documents take each other's names on one machine, two and three in a circle, while the other one edits
// them: the edits are in the documents that they were made in.
func TestNamesThatWereExchanged(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	before := map[string]string{"S/one.md": "Apples\n", "S/two.md": "Boats\n", "x.md": "Cars\n", "y.md": "Dogs\n", "T/z.md": "Elms\n"}
	after := map[string]string{"S/one.md": "Boats\n", "S/two.md": "Apples\n", "x.md": "Dogs\n", "y.md": "Elms\n", "T/z.md": "Cars\n"}
	for p, text := range before {
		a.write(p, text)
	}
	settle(a, b)
	for p, text := range after {
		a.write(p, text)
	}
	for p, text := range before {
		b.write(p, text+"\nmore of "+text)
	}
	settle(a, b)
	same(t, a, b)
	for p, text := range after {
		a.wants(p, text+"\nmore of "+text)
	}
	if found, err := a.engine.Conflicts(t.Context()); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
}

// TestWhatWasMovedAndThenWrittenAnewIsOneDocument has one machine move a note, changed along the way or not, and then write it anew, so that by the ends of its history alone
// one is gone and another one came, and the other machine edit it under its old name, or move it to another one.
func TestWhatWasMovedAndThenWrittenAnewIsOneDocument(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const old = "# Ship\n\nThe old text of it, which nobody needs.\n"
	a.write("edited.md", old+"\n- one\n")
	a.write("moved.md", old+"\n- two\n")
	a.write("changed.md", old+"\n- three\n")
	settle(a, b)
	for p, more := range map[string]string{"edited.md": "", "moved.md": "", "changed.md": "- four\n"} {
		a.write("deep/"+p, a.read(p)+more)
		a.remove(p)
	}
	a.sync()
	a.write("deep/edited.md", "# Boat\n\nAnother one.\n\n- one\n")
	a.write("deep/moved.md", "# Boat\n\nAnother one.\n\n- two\n")
	a.write("deep/changed.md", "# Boat\n\nAnother one.\n\n- three\n- four\n")
	a.sync()
	b.write("edited.md", b.read("edited.md")+"- one more\n")
	b.write("changed.md", b.read("changed.md")+"- five\n")
	b.write("other.md", b.read("moved.md"))
	b.remove("moved.md")
	settle(b, a)
	for p, want := range map[string]string{"edited.md": "-", "changed.md": "-", "deep/changed.md": "# Boat\n\nAnother one.\n\n- three\n- five\n- four\n", "moved.md": "-", "other.md": "-", "deep/moved.md": "-",
		"deep/edited.md": "# Boat\n\nAnother one.\n\n- one\n- one more\n", "deep/other.md": "# Boat\n\nAnother one.\n\n- two\n"} {
		a.wants(p, want)
		b.wants(p, want)
	}
	a.clean()
	b.clean()
}

// TestACopyWithoutItsDocumentIsNotWhatAnotherBecame has a note be moved and changed, while a conflict copy comes that is more like what it was, of
// a document that is somewhere else: what the other machine changes of it is in the note, and nothing stands twice.
func TestACopyWithoutItsDocumentIsNotWhatAnotherBecame(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const old = "# Note\n\n- one\n- two\n- three\n- four\n- five\n- six\n"
	a.write("notes/in.md", old)
	settle(a, b)
	a.write("notes/moved.md", old+"- row\n- more\n")
	a.write("elsewhere.conflict-cedar-2026-11-22.md", old+"- tag\n")
	a.remove("notes/in.md")
	a.sync()
	b.write("notes/in.md", strings.Replace(old, "two", "two, done", 1))
	settle(b, a)
	same(t, a, b)
	a.wants("notes/in.md", "-")
	a.wants("notes/moved.md", strings.Replace(old, "two", "two, done", 1)+"- row\n- more\n")
}

// TestACopyWhereOthersMovedItsDocumentIsThatDocument has one machine move notes to a folder, and the other one, which has moved one of them to another
// name, have copies of them there by now, as a git leaves them that died in the middle of a merge: each note is there once.
func TestACopyWhereOthersMovedItsDocumentIsThatDocument(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]string{"who moved merges": "", "who copied merges, with an edit": "\nmore\n"} {
		a, b, _ := pair(t)
		const one, two = "# One\n\none\n", "# Two\n\ntwo\n"
		a.write("notes/one.md", one)
		a.write("notes/two.md", two)
		settle(a, b)
		for _, p := range []string{"one.md", "two.md"} {
			a.write("deep/er/"+p, a.read("notes/"+p))
			a.remove("notes/" + p)
		}
		b.write("notes/moved.md", one+edit)
		b.remove("notes/one.md")
		b.git("add", "-A")
		b.git("commit", "-qm", "moved")
		for p, text := range map[string]string{"moved.md": one + edit, "one.md": one + edit, "two.md": two} {
			b.write("deep/er/"+p, text)
		}
		if strings.HasPrefix(name, "who copied") {
			settle(a, b)
		} else {
			settle(b, a)
		}
		same(t, a, b)
		for p, want := range map[string]string{"deep/er/moved.md": one + edit, "deep/er/two.md": two, "deep/er/one.md": "-", "notes/one.md": "-", "notes/two.md": "-", "notes/moved.md": "-"} {
			if got := a.read(p); got != want {
				t.Errorf("%s: %s has %q, want %q", name, p, got, want)
			}
		}
	}
}

// TestACopyIsNotWhatADocumentBecame has a conflict copy that is more like a note than the note itself, which its machine moved and changed,
// while the other machine moved it as well: the note is followed, and the copy stays.
func TestACopyIsNotWhatADocumentBecame(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const old, copied = "---\nstatus: planned\n---\n# Ship\n\nThe hull is blue.\n", "boat.conflict-desk-2026-11-20.md"
	a.write("boat.md", old)
	settle(a, b)
	a.write("deep/boat.md", old)
	a.remove("boat.md")
	a.sync()
	now, other := strings.Replace(old, "blue", "red, and the mast is of spruce", 1), strings.Replace(old, "planned", "afloat", 1)
	a.write("deep/boat.md", now)
	a.write(copied, other)
	a.sync()
	b.write("ship.md", old)
	b.remove("boat.md")
	settle(b, a)
	for p, want := range map[string]string{"boat.md": "-", "deep/boat.md": "-", "ship.md": "-", "deep/ship.md": now, copied: other} {
		a.wants(p, want)
		b.wants(p, want)
	}
}

// TestACopyTellsWhatItsDocumentWas has a note that was moved and merged with so much that its conflict copy alone is like what it was, while
// the other machine goes on with it.
func TestACopyTellsWhatItsDocumentWas(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const old, merged, copied = "# Boat\n\nThe hull is blue.\n", "# Boat\n\nThe hull is blue.\n\nThe mast is of spruce, and as tall as the shed.\n\nThe sails are mended in May.\n", "ship.conflict-desk-2026-11-20.md"
	a.write("boat.md", old)
	settle(a, b)
	a.write("ship.md", merged)
	a.write(copied, old)
	a.remove("boat.md")
	a.sync()
	b.write("boat.md", strings.Replace(old, "blue", "red", 1))
	settle(b, a)
	for p, want := range map[string]string{"boat.md": "-", "ship.md": strings.Replace(merged, "blue", "red", 1), copied: old} {
		a.wants(p, want)
		b.wants(p, want)
	}
}

// TestAMovedNoteWhosePlaceIsTaken has one machine move a note and write another one in its place, while the other machine goes on with it; and
// one write a note anew beside another new one.
func TestAMovedNoteWhosePlaceIsTaken(t *testing.T) {
	t.Parallel()
	const old, other = "# Boat\n\nThe hull is red.\n\nThe mast is old.\n\nThe sails are white.\n", "# Choir\n\nWe sing on Mondays.\n"
	const named, namesake = "---\nid: 01M8E3QV5R1RWQ10834PT0N4QS\nstatus: active\n---\n# Choir\n", "---\nid: 01M8E3QV5R1RWQ10834PT0N4QT\nstatus: active\n---\n# Choir\n"
	for _, last := range []bool{false, true} {
		a, b, _ := pair(t)
		a.write("boat.md", old)
		a.write("choir.md", named)
		a.write("plan.md", old+"\nWe sail in May.\n")
		settle(a, b)
		a.write("old/boat.md", old+"\nIt is sold.\n")
		a.write("boat.md", other)
		a.write("old/choir.md", strings.Replace(named, "active", "archived", 1))
		a.write("choir.md", namesake)
		a.write("plan.md", "# Plan\n\nWe stay at home.\n")
		a.write("new.md", "# New\n\nThe hull is red.\n\nWe have an engine.\n")
		b.write("boat.md", strings.Replace(old, "white", "brown", 1))
		b.write("choir.md", named+"\nThe hall is cold.\n")
		if last {
			b.sync()
		}
		settle(a, b)
		same(t, a, b)
		for p, want := range map[string]string{"old/boat.md": strings.Replace(old, "white", "brown", 1) + "\nIt is sold.\n", "boat.md": other,
			"old/choir.md": strings.Replace(named, "active", "archived", 1) + "\nThe hall is cold.\n", "choir.md": namesake, "plan.md": "# Plan\n\nWe stay at home.\n"} {
			a.wants(p, want)
		}
		a.clean()
	}
}
