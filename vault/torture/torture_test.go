//go:build unix

package main

import (
	"bytes"
	"os"
	"testing"
	"time"
)

// TestMain lets the judge start this program again as an editor or a daemon.
func TestMain(m *testing.M) {
	if play() {
		return
	}
	os.Exit(m.Run())
}

// enough time for any machine: the tests end when they have done so many rounds.
const enough = 2 * time.Minute

// The short form; `go run ./vault/torture` is the long one.
func TestTorture(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	o := options{Time: enough, Kills: 6, Saves: 500, Seed: 1, Out: &out}
	r, err := torture(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.print(&out)
	t.Log(out.String())
	if !r.good(o) {
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
	o := options{Time: enough, Kills: 10, Seed: 1, Still: true, Out: &out}
	r, err := torture(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.print(&out)
	if !r.good(o) || r.Undone == 0 {
		t.Error(out.String())
	}
}

// The test of the test: the same, done to a daemon that compares and renames.
func TestNaiveDaemonLosesSaves(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r, err := torture(t.Context(), options{Time: enough, Seed: 1, Naive: true, Dir: t.TempDir(), Out: &out})
	if err != nil {
		t.Fatal(err)
	}
	if r.Faults[lostSave] == 0 {
		r.print(&out)
		t.Errorf("the naive way lost nothing: this kit can't tell good from bad\n%s", out.String())
	}
}
