package vault_test

import (
	"errors"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

const meant = "---\nstatus: active\ntags: [a]\n---\n# Plan\n\n- [ ] call the yard\n- [ ] paint\n\nOne line of prose here.\n"

// TestUndoByMeaning takes a change back whose lines were edited since, where what both mean doesn't
// contradict; where it does the undo stops, as ever.
func TestUndoByMeaning(t *testing.T) {
	for name, tc := range map[string]struct{ did, later, want string }{
		"a box checked, its text edited since": {
			strings.Replace(meant, "[ ] call the yard", "[x] call the yard", 1),
			strings.Replace(meant, "[ ] call the yard", "[x] call the yard at nine", 1),
			strings.Replace(meant, "call the yard", "call the yard at nine", 1),
		},
		"a tag added, another one since": {
			strings.Replace(meant, "[a]", "[a, b]", 1),
			strings.Replace(meant, "[a]", "[a, b, c]", 1),
			strings.Replace(meant, "[a]", "[a, c]", 1),
		},
		"the same key": {
			strings.Replace(meant, "active", "done", 1),
			strings.Replace(meant, "active", "waiting", 1),
			"",
		},
		"an item that was added and edited since": {
			strings.Replace(meant, "- [ ] paint\n", "- [ ] paint\n- [ ] varnish\n", 1),
			strings.Replace(meant, "- [ ] paint\n", "- [ ] paint\n- [ ] varnish twice\n", 1),
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, "-- a.md --\n"+meant)
			op := mustApply(t, v, update("a.md", meant, tc.did))[0]
			save(t, v, "a.md", tc.later)
			_, err := v.Undo(ctx, vault.UndoTarget{ID: op.ID}, you)
			if tc.want == "" {
				if !errors.Is(err, vault.ErrConflict) || text(t, v, "a.md") != tc.later {
					t.Errorf("%v, and the file is %q", err, text(t, v, "a.md"))
				}
				return
			}
			if got := text(t, v, "a.md"); err != nil || got != tc.want {
				t.Errorf("%v, the file is %q, want %q", err, got, tc.want)
			}
		})
	}
}

// TestAStaleChangeIsMergedByMeaning applies a change that was made on a text which an editor has saved over:
// both stay where they mean different things.
func TestAStaleChangeIsMergedByMeaning(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+meant)
	save(t, v, "a.md", strings.Replace(meant, "[ ] call the yard", "[ ] call the yard at nine", 1))
	mustApply(t, v, update("a.md", meant, strings.Replace(meant, "[ ] call the yard", "[x] call the yard", 1)))
	if want, got := strings.Replace(meant, "[ ] call the yard", "[x] call the yard at nine", 1), text(t, v, "a.md"); got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	_, err := v.Apply(ctx, batch(update("a.md", strings.Replace(meant, "active", "done", 1), strings.Replace(meant, "active", "waiting", 1))))
	if !errors.Is(err, vault.ErrConflict) {
		t.Errorf("a contradiction: %v", err)
	}
	now := text(t, v, "a.md")
	removed := strings.Replace(meant, "- [ ] call the yard\n", "", 1)
	if _, err = v.Apply(ctx, batch(update("a.md", meant, removed))); !errors.Is(err, vault.ErrConflict) || text(t, v, "a.md") != now {
		t.Errorf("an item that is to go and was edited: %v, the file is %q", err, text(t, v, "a.md"))
	}
	unset := strings.Replace(now, "tags: [a]\n", "", 1)
	save(t, v, "a.md", strings.Replace(now, "[a]", "[a, b]", 1))
	if _, err = v.Apply(ctx, batch(update("a.md", now, unset))); !errors.Is(err, vault.ErrConflict) {
		t.Errorf("a key that is to go and was changed: %v", err)
	}
}

// TestAStaleSaveIsMergedByMeaning has a program that opened a document before kist changed it save the same line, late: what it says and
// what kist did are both in the document.
func TestAStaleSaveIsMergedByMeaning(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n"+meant)
	h := hold(t, v, "a.md")
	mustApply(t, v, update("a.md", meant, strings.Replace(meant, "[ ] call the yard", "[x] call the yard", 1)))
	if err := h.Truncate(0); err != nil {
		t.Fatal(err)
	}
	h.add(strings.TrimSuffix(strings.Replace(meant, "call the yard", "call the yard at nine", 1), "\n"))
	h.settled(v)
	if want, got := strings.Replace(meant, "[ ] call the yard", "[x] call the yard at nine", 1), text(t, v, "a.md"); got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	if found := copies(t, v.Dir()); len(found) > 0 {
		t.Errorf("copies: %q", found)
	}
}

// TestSupersededByMeaning has an editor save a text from before an operation, in which it changed the line that the operation changed: the
// operation is offered again, on what the editor says. Where the editor saw it and went on from there nothing is.
func TestSupersededByMeaning(t *testing.T) {
	did := strings.Replace(meant, "[ ] call the yard", "[x] call the yard", 1)
	for _, tc := range []struct{ name, saved, want string }{
		{"stale", strings.Replace(meant, "call the yard", "call the yard at nine", 1), strings.Replace(meant, "[ ] call the yard", "[x] call the yard at nine", 1)},
		{"seen", strings.Replace(meant, "[ ] call the yard", "[x] call the yard at nine", 1), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := watched(t, "-- a.md --\n"+meant)
			mustApply(t, v, update("a.md", meant, did))
			save(t, v, "a.md", tc.saved)
			edits(t, v, 1)
			offered := func() []vault.Operation {
				all, err := v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
				if err != nil {
					t.Fatal(err)
				}
				return all
			}
			if tc.want == "" {
				if all := offered(); len(all) > 0 {
					t.Errorf("offered: %+v", all)
				}
				return
			}
			eventually(t, func() bool { return len(offered()) == 1 })
			if again := offered()[0]; text(t, v, "a.md") != tc.saved {
				t.Error("kist fought the editor")
			} else if _, err := v.Approve(ctx, again.ID, again.Digest, you); err != nil {
				t.Fatal(err)
			}
			if got := text(t, v, "a.md"); got != tc.want {
				t.Errorf("the file is %q, want %q", got, tc.want)
			}
		})
	}
}

// TestSupersedesWhatSyncBrought has sync bring a tick and an item, and then an editor save: a text from before is told from one that
// somebody made who saw what came, and took it away or went on from it.
func TestSupersedesWhatSyncBrought(t *testing.T) {
	const was = "# L\n\n- [ ] Apples\n- [ ] Pears\n\nA paragraph here.\n"
	came := strings.Replace(was, "[ ] Pears\n", "[x] Pears\n- [ ] Plums of Bob\n", 1)
	for _, tc := range []struct{ name, came, saved, want string }{
		{"stale", came, strings.Replace(was, "here", "here, edited", 1), strings.Replace(came, "here", "here, edited", 1)},
		{"stale, the same line", came, strings.Replace(was, "Pears", "Pears, ripe", 1), strings.Replace(came, "Pears", "Pears, ripe", 1)},
		{"stale, another tick", came, strings.Replace(was, "[ ] Apples", "[x] Apples", 1), strings.Replace(came, "[ ] Apples", "[x] Apples", 1)},
		{"went on", came, strings.Replace(came, "Plums of Bob", "Plums of Bob, tomorrow", 1), ""},
		{"ticked what came", came, strings.Replace(came, "[ ] Plums", "[x] Plums", 1), ""},
		{"deleted the item", came, strings.Replace(came, "- [ ] Plums of Bob\n", "", 1), ""},
		{"deleted both", came, "# L\n\n- [ ] Apples\n\nA paragraph here.\n", ""},
		{"deleted one, edited", came, strings.NewReplacer("- [ ] Plums of Bob\n", "", "here", "there").Replace(came), ""},
		{"went on from an item alone", strings.Replace(was, "Pears\n", "Pears\n- [ ] Plums of Bob\n", 1), strings.Replace(was, "Pears\n", "Pears\n- [ ] Plums of Bob, tomorrow\n", 1), ""},
		{"taken back whole", came, was, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			v := watched(t, "-- a.md --\n"+was)
			b := batch(update("a.md", was, tc.came))
			b.Origin.Actor = vault.ActorSync
			brought, err := v.Apply(ctx, b)
			if err != nil {
				t.Fatal(err)
			}
			save(t, v, "a.md", tc.saved)
			if err := v.Record(ctx); err != nil {
				t.Fatal(err)
			}
			again, err := v.Operations(ctx, vault.Filter{Status: vault.StatusProposed})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := v.Operation(ctx, brought[0].ID); err != nil || (got.Status == vault.StatusSuperseded) != (tc.want != "") || len(again) > 0 != (tc.want != "") {
				t.Fatalf("%s, %d offered, %v", got.Status, len(again), err)
			}
			if ids := v.Offered(); len(ids) != len(again) || len(ids) > 0 && ids[0] != again[0].ID || len(v.Offered()) > 0 {
				t.Errorf("to be told are %v", ids)
			}
			if tc.want == "" {
				return
			}
			if _, err := v.Approve(ctx, again[0].ID, again[0].Digest, you); err != nil {
				t.Fatal(err)
			}
			if got := text(t, v, "a.md"); got != tc.want {
				t.Errorf("the file is %q, want %q", got, tc.want)
			}
		})
	}
}
