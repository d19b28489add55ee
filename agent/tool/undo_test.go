package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

// An id takes back its operation and no other. One that names none, or several, is said in
// a sentence, and nothing is taken back.
func TestUndoOfANamedOperation(t *testing.T) {
	ctx, you := context.Background(), vault.Origin{Actor: vault.ActorUser}
	const first, second = "01M7W6C56GZB54YQ7QAAWJR9DG", "01M7W6C56GZB54YQ7QBBWJR9DG"
	log := ""
	for _, id := range []string{first, second} {
		log += "---\nid: " + id + "\nevent: completed\nat: 2026-11-20T10:00:00Z\ntype: update\nentity: {type: note, path: a.md}\nactor: user\n...\n"
	}
	b := newBench(t)
	b.env.Vault = vaulttest.New(t, boat+"-- operations/2026/11/20-elsewhere.yaml --\n"+log)
	var ops []vault.Operation
	for _, p := range []string{"one.md", "two.md"} {
		done, err := b.env.Vault.Apply(ctx, vault.Batch{Origin: you, Steps: []vault.Step{{Type: vault.OpCreate, Reason: "write " + p, Changes: []vault.Change{{Path: p, After: []byte("x\n")}}}}})
		if err != nil {
			t.Fatal(err)
		}
		ops = append(ops, done...)
	}
	short := func(op vault.Operation) string { return op.ID[len(op.ID)-8:] }
	undo := func(args string) []string {
		t.Helper()
		res, _ := b.ok(t, "undo", args)
		if len(res.Undo) != 1 || !res.Foreign {
			t.Fatalf("%s: %+v", args, res)
		}
		return res.Undo[0].IDs
	}
	for _, id := range []string{short(ops[0]), ops[0].ID, ops[0].ID[len(ops[0].ID)-6:]} {
		if got := undo(`{"operation":"` + id + `"}`); !slices.Equal(got, []string{ops[0].ID}) {
			t.Errorf("%s: %v, want %s", id, got, ops[0].ID)
		}
	}
	if got := undo(`{"about":"` + strings.ToLower(short(ops[0])) + `"}`); !slices.Equal(got, []string{ops[0].ID}) {
		t.Errorf("as words: %v", got)
	}
	for args, want := range map[string]string{
		`{"operation":"1234ABCD"}`:                              `no operation "1234ABCD"`,
		`{"operation":"WJR9DG"}`:                                `several operations end in "WJR9DG"`,
		`{"operation":"9DG"}`:                                   "at least its last 6 characters",
		`{"about":"1234abcd"}`:                                  `no change that stands is about "1234abcd"`,
		`{"about":"wjr9dg"}`:                                    `no change that stands is about "wjr9dg"`,
		`{"redo":true,"operation":"` + short(ops[1]) + `"}`:     "was not taken back",
		`{"redo":true,"operation":"1234ABCD"}`:                  `no operation "1234ABCD"`,
		`{"operation":"WJR9DG8B and 1234ABCD","today":true}`:    "no operation",
		`{"operation":"` + strings.Repeat("1234ABCD", 5) + `"}`: "no operation",
	} {
		if res := b.call(t, "undo", args); res.Fault == nil || len(res.Undo) > 0 || !strings.Contains(fmt.Sprint(*res.Fault), want) {
			t.Errorf("%s: %+v, want %q", args, res, want)
		}
	}
	undone, err := b.env.Vault.Undo(ctx, vault.UndoTarget{ID: ops[0].ID}, you)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{short(ops[0]), short(undone[0])} {
		if got := undo(`{"redo":true,"operation":"` + id + `"}`); !slices.Equal(got, []string{undone[0].ID}) {
			t.Errorf("again %s: %v, want %s", id, got, undone[0].ID)
		}
	}
}
