//go:build unix

package sync

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A bill is what something cost: time on the clock, and of processors, in this process and
// in all that it started.
type bill struct{ clock, cpu time.Duration }

func costOf(fn func()) bill {
	before, begun := cpu(), time.Now()
	fn()
	return bill{time.Since(begun), cpu() - before}
}

func cpu() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

func median(bills []bill, of func(bill) time.Duration) float64 {
	var all []time.Duration
	for _, b := range bills {
		all = append(all, of(b))
	}
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds()) / 1000
}

// settled is longer than the files of a config must be unchanged for kist to believe that.
const settled = 3 * time.Second

// processes counts the git processes that fn has started, those that git itself starts included.
func processes(b *testing.B, fn func()) float64 {
	dir := b.TempDir()
	global := os.Getenv("GIT_CONFIG_GLOBAL")
	text, err := os.ReadFile(global)
	if err == nil {
		err = os.WriteFile(global, append(slices.Clone(text), "[trace2]\n\teventTarget = "+dir+"\n"...), 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
	time.Sleep(settled)
	fn() // the first one reads the config anew
	before, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		b.Fatal(err)
	}
	fn()
	after, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(global, text, 0o600); err != nil {
		b.Fatal(err)
	}
	return float64(len(after) - len(before))
}

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
	time.Sleep(settled)
	n := 0
	change := func(m *machine) { n++; m.write("f0/n0.md", fmt.Sprintf("# Note\n\nchange %d\n", n)) }
	byHand := func() {
		for _, args := range [][]string{{"add", "-A"}, {"commit", "-qm", "x"}, {"fetch", "-q"}, {"push", "-q", "origin", "main"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir = other.dir
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %v: %s", args, err, out)
			}
		}
	}
	var ours, theirs []bill
	for b.Loop() {
		change(m)
		ours = append(ours, costOf(func() { m.sync() }))
		change(other)
		theirs = append(theirs, costOf(byHand))
	}
	kinds := map[string]func(bill) time.Duration{
		"ms": func(c bill) time.Duration { return c.clock }, "cpu-ms": func(c bill) time.Duration { return c.cpu },
	}
	for what, of := range kinds {
		kist, git := median(ours, of), median(theirs, of)
		b.ReportMetric(kist, what+"/kist")
		b.ReportMetric(git, what+"/git")
		b.ReportMetric(kist/git, what+"-kist/git")
	}
	kist := processes(b, func() { change(m); m.sync() })
	git := processes(b, func() { change(other); byHand() })
	b.ReportMetric(kist, "processes/kist")
	b.ReportMetric(git, "processes/git")
}
