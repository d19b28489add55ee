//go:build unix

package torture

import (
	"bytes"
	"os"
	"testing"
	"time"

	"kist/vault/vaulttest"
)

// TestMain lets the judge start this program again as an editor or a daemon.
func TestMain(m *testing.M) {
	if Play(nil) {
		return
	}
	os.Exit(vaulttest.InMemory(m).Run())
}

// enough time for any machine: the tests end when they have done so many rounds.
const enough = 2 * time.Minute

// The short form; `go run ./index/torture` is the long one, with an index. Late writers
// are rare in it, and have tests of their own in package vault (held_test.go).
func TestTorture(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	o := Options{Time: enough, Kills: 4, Saves: 300, Seed: 1, Out: &out}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Print(&out)
	t.Log(out.String())
	if !r.Good(o) {
		t.Error("kist lost something")
	}
	if r.Operations == 0 {
		t.Error("no operation was acknowledged: this means nothing")
	}
}

// Without editors the log has everything: undoing all of it must lead to the
// original tree, to the byte.
func TestUndoOfEverything(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	o := Options{Time: enough, Kills: 5, Seed: 1, Still: true, Out: &out}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Print(&out)
	if !r.Good(o) || r.Undone == 0 {
		t.Error(out.String())
	}
}

// The test of the test: the same, done to a daemon that compares and renames.
func TestNaiveDaemonLosesSaves(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r, err := Run(t.Context(), Options{Time: enough, Seed: 1, naive: true, Dir: t.TempDir(), Out: &out})
	if err != nil {
		t.Fatal(err)
	}
	if r.Faults[lostSave] == 0 {
		r.Print(&out)
		t.Errorf("the naive way lost nothing: this kit can't tell good from bad\n%s", out.String())
	}
}
