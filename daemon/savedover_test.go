package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

// TestWhatAnEditorSavedOverIsSaidOnce has sync bring a line and an editor save the text from before it: who asks anything next hears of it, once, and not
// where it was decided on meanwhile.
func TestWhatAnEditorSavedOverIsSaidOnce(t *testing.T) {
	v := vaulttest.New(t, "")
	vaulttest.Watch(t, v)
	vaulttest.Compared(t, v)
	save := func(p, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(v.Dir(), p), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := v.Record(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	over := func(p string) {
		t.Helper()
		const was = "# List\n\n- apples\n- pears\n\nA paragraph here.\n"
		came := strings.Replace(was, "pears\n", "pears\n- plums of Bob\n", 1)
		save(p, was)
		if _, err := v.Apply(t.Context(), vault.Batch{Origin: vault.Origin{Actor: vault.ActorSync}, Steps: []vault.Step{{
			Type: vault.OpUpdate, Entity: vault.Entity{Type: "note", Path: p}, Changes: []vault.Change{{Path: p, Before: []byte(was), After: []byte(came)}},
		}}}); err != nil {
			t.Fatal(err)
		}
		save(p, strings.Replace(was, "here", "there", 1))
	}
	over("one.md")
	if text := savedOver(v); !strings.Contains(text, "one.md") || !strings.Contains(text, "kist op approve ") || savedOver(v) != "" {
		t.Errorf("it says %q", text)
	}
	over("two.md")
	all, err := v.Operations(t.Context(), vault.Filter{Status: vault.StatusProposed})
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, op := range all {
		if _, err := v.Reject(t.Context(), op.ID, "no", vault.Origin{Actor: vault.ActorUser}); err != nil {
			t.Fatal(err)
		}
	}
	if text := savedOver(v); text != "" {
		t.Errorf("of what was rejected it says %q", text)
	}
}
