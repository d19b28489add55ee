//go:build unix

package main

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/torture"
	"kist/vault/vaulttest"
)

// deafEnv makes the daemons' indexes ones that don't follow.
const deafEnv = "KIST_TORTURE_DEAF"

// TestMain lets the kit start this program again as an editor or a daemon.
func TestMain(m *testing.M) {
	open := follow
	if os.Getenv(deafEnv) != "" {
		open = followDeaf
	}
	if torture.Play(open) {
		return
	}
	os.Exit(vaulttest.InMemory(m).Run())
}

// enough time for any machine: the tests end when they have done so many rounds.
const enough = 2 * time.Minute

// The short form; `go run ./index/torture` is the long one.
func TestIndexEqualsFilesAfterEachKill(t *testing.T) {
	var out bytes.Buffer
	o := torture.Options{Time: enough, Kills: 2, Saves: 300, Seed: 1, Out: &out}
	r, err := torture.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Print(&out)
	t.Log(out.String())
	if !r.Good(o) {
		t.Error("kist lost something")
	}
	if r.Compared < r.Rounds || r.Rounds == 0 {
		t.Errorf("%d comparisons in %d rounds", r.Compared, r.Rounds)
	}
}

// A deaf follower's index learns what is there when it starts, and nothing after.
type deaf struct{ *follower }

func followDeaf(v *vault.Vault, log *slog.Logger) (torture.Follower, error) {
	f, err := follow(v, log)
	if err != nil {
		return nil, err
	}
	return deaf{f.(*follower)}, nil
}

func (d deaf) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_ = d.Wait(ctx, 0)
		cancel()
	}()
	return d.Index.Run(ctx)
}

func (d deaf) Check(ctx context.Context) ([]string, error) { return d.Index.Check(ctx) }

// The test of the test: an index that misses what changes is found out.
func TestDeafIndexIsFoundOut(t *testing.T) {
	t.Setenv(deafEnv, "1")
	var out bytes.Buffer
	r, err := torture.Run(t.Context(), torture.Options{Time: enough, Kills: 1, Seed: 1, Dir: t.TempDir(), Out: &out})
	if err != nil {
		t.Fatal(err)
	}
	if r.Compared == 0 || len(r.Faults) != 1 || !strings.Contains(out.String(), "entry") {
		t.Errorf("faults %v\n%s", r.Faults, out.String())
	}
}
