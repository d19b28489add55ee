package documents_test

import (
	"os"
	"path/filepath"
	"testing"

	"kist/vault"
	"kist/vault/vaulttest"
)

// TestNumbersOnce: what was numbered, in the log or not, keeps its number to itself, however
// the process ended. A number that is given again hides a change from who watched before.
func TestNumbersOnce(t *testing.T) {
	v := vaulttest.New(t, "")
	add := func(v *vault.Vault) vault.Seq {
		t.Helper()
		if err := v.AppendRecord(t.Context(), "conversations/talk.md", []byte("# Talk\n"), []byte("said\n")); err != nil {
			t.Fatal(err)
		}
		return v.Seq()
	}
	last := v.Began()
	for range 1500 {
		last = add(v)
	}
	for range 2 {
		crashed := t.TempDir()
		if err := os.CopyFS(crashed, os.DirFS(v.Dir())); err != nil {
			t.Fatal(err)
		}
		if v = vaulttest.Open(t, crashed); v.Began() <= last {
			t.Errorf("after a crash numbers begin at %d again; %d was given", v.Began(), last)
		}
		last = add(v)
	}
	dir := v.Dir()
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if v = vaulttest.Open(t, dir); v.Began() <= last || v.Began() > last+2 {
		t.Errorf("after a stop numbers begin at %d; %d was the last", v.Began(), last)
	}
	for _, damaged := range []string{"", "-4\n", "many"} {
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, vault.StateDir, "seq"), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if v = vaulttest.Open(t, dir); v.Began() < 1 {
			t.Errorf("%q in the file: numbers begin at %d", damaged, v.Began())
		}
	}
}
