package sync

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkOneChange compares a round that sends one change with the git commands that a
// person would need for it, in the same vault: KIST_SYNC_FILES=12000 go test -run '^$' -bench OneChange ./daemon/sync.
func BenchmarkOneChange(b *testing.B) {
	files, err := strconv.Atoi(os.Getenv("KIST_SYNC_FILES"))
	if err != nil {
		files = 1000
	}
	remote := bare(b)
	m := newMachine(b, "amber")
	for i := range files {
		m.write(fmt.Sprintf("f%d/n%d.md", i/100, i), fmt.Sprintf("# Note %d\n\ntext %d\n", i, i))
	}
	m.setUp(remote)
	m.sync()
	plain := bare(b)
	run(b, plain, "fetch", "-q", remote, "+main:main")
	other := &machine{t: b, name: "plain", dir: b.TempDir()}
	run(b, other.dir, "clone", "-q", plain, other.dir)
	n := 0
	change := func(m *machine) { n++; m.write("f0/n0.md", fmt.Sprintf("# Note\n\nchange %d\n", n)) }
	var ours, byHand []time.Duration
	for b.Loop() {
		change(m)
		begun := time.Now()
		m.sync()
		ours = append(ours, time.Since(begun))
		change(other)
		begun = time.Now()
		for _, args := range [][]string{{"add", "-A"}, {"commit", "-qm", "x"}, {"fetch", "-q"}, {"push", "-q", "origin", "main"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir = other.dir
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %v: %s", args, err, out)
			}
		}
		byHand = append(byHand, time.Since(begun))
	}
	slices.Sort(ours)
	slices.Sort(byHand)
	kist, git := ours[len(ours)/2], byHand[len(byHand)/2]
	b.ReportMetric(float64(kist.Microseconds())/1000, "ms/kist")
	b.ReportMetric(float64(git.Microseconds())/1000, "ms/git")
	b.ReportMetric(float64(kist)/float64(git), "kist/git")
}
