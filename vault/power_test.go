//go:build linux

package vault_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"kist/vault"
)

// A power cut is made on a real file system, in a file behind a loop device, by the
// call that file systems have for testing this: it stops at once, and what was not
// written out yet, of the journal too, is gone. Mounting it again replays the
// journal. What the device itself would lose from a cache of its own is not in it.

const (
	fsShutdown = 0x8004587d // FS_IOC_SHUTDOWN
	noLogFlush = 2          // and don't write the journal out first
)

// A loopDisk is a file system of its own in a file.
type loopDisk struct {
	t            *testing.T
	image, mount string
	options      string
}

func newLoopDisk(t *testing.T, kind, options string) *loopDisk {
	t.Helper()
	dir := t.TempDir()
	d := &loopDisk{t: t, image: filepath.Join(dir, "image"), mount: filepath.Join(dir, "mount"), options: options}
	size := int64(32 << 20)
	if kind == "xfs" {
		size = 320 << 20 // its least
	}
	if err := errors.Join(os.WriteFile(d.image, nil, 0o600), os.Truncate(d.image, size), os.Mkdir(d.mount, 0o700)); err != nil {
		t.Fatal(err)
	}
	d.run("mkfs."+kind, "-q", d.image)
	d.on()
	t.Cleanup(func() { _ = exec.Command("umount", d.mount).Run() })
	return d
}

func (d *loopDisk) run(name string, args ...string) {
	d.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func (d *loopDisk) on() {
	d.t.Helper()
	options := "loop"
	if d.options != "" {
		options += "," + d.options
	}
	d.run("mount", "-o", options, d.image, d.mount)
}

func (d *loopDisk) cut() {
	d.t.Helper()
	f, err := os.Open(d.mount)
	if err != nil {
		d.t.Error(err)
		return
	}
	defer f.Close()
	if err := unix.IoctlSetPointerInt(int(f.Fd()), fsShutdown, noLogFlush); err != nil {
		d.t.Error("cut:", err)
	}
}

func (d *loopDisk) off() {
	d.t.Helper()
	d.run("umount", d.mount)
}

// needsPower skips where power cuts weren't asked for or can't be made.
func needsPower(t *testing.T) {
	t.Helper()
	switch {
	case os.Getenv("KIST_POWER") == "":
		t.Skip("power cuts need KIST_POWER=1, root and loop devices")
	case os.Getuid() != 0:
		t.Skip("only root may mount")
	}
}

func powerCases(t *testing.T) [][2]string {
	t.Helper()
	cases := [][2]string{{"ext4", "commit=1"}, {"ext4", "commit=5"}, {"ext4", "commit=1000"}}
	if _, err := exec.LookPath("mkfs.xfs"); err != nil {
		t.Log("no mkfs.xfs here: ext4 only")
		return cases
	}
	return append(cases, [2]string{"xfs", ""})
}

// cuts is how many power cuts each case gets; KIST_POWER sets it.
func cuts() int {
	n := 0
	if _, err := fmt.Sscan(os.Getenv("KIST_POWER"), &n); err != nil || n < 2 {
		return 10
	}
	return n
}

// What was acknowledged is there after a loss of power: operations and records.
func TestPowerCuts(t *testing.T) {
	needsPower(t)
	for _, c := range powerCases(t) {
		t.Run(c[0]+" "+c[1], func(t *testing.T) {
			d := newLoopDisk(t, c[0], c[1])
			defer d.off()
			acknowledged := 0
			for n := range cuts() {
				acknowledged += powerCut(t, d, n)
			}
			t.Logf("%d operations acknowledged, %d cuts", acknowledged, cuts())
		})
	}
}

// powerCut writes until the power is cut at a random moment, and looks what is left.
func powerCut(t *testing.T, d *loopDisk, round int) int {
	t.Helper()
	dir := filepath.Join(d.mount, fmt.Sprint("vault", round))
	if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, "a.md"), []byte("0\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	unix.Sync() // what the user had before is not in question
	v, err := vault.Open(ctx, dir, vault.Options{Device: "test"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.md": "0\n"}
	cutting, dark := atomic.Bool{}, make(chan struct{})
	time.AfterFunc(time.Duration(rand.IntN(400))*time.Millisecond, func() {
		defer close(dark)
		cutting.Store(true)
		d.cut()
	})
	n, tried := 0, map[string]bool{}
	for ; ; n++ {
		step := powerStep(n, want, tried)
		if _, err := v.Apply(ctx, batch(step)); err != nil {
			if !cutting.Load() {
				t.Errorf("before the cut: %v", err)
			}
			break
		}
		for _, c := range step.Changes {
			delete(want, c.From)
			want[c.Path] = string(c.After)
			if c.From != "" {
				want[c.Path] = "moved\n"
			}
			if c.From == "" && c.After == nil {
				delete(want, c.Path)
			}
			delete(tried, c.Path)
			delete(tried, c.From)
		}
	}
	<-dark
	_ = v.Close() // it can't write any more
	d.off()
	d.on()
	checkAfterCut(t, dir, want, tried, n)
	return n
}

// powerStep is the nth operation; tried gets the files that it is about.
func powerStep(n int, now map[string]string, tried map[string]bool) vault.Step {
	var step vault.Step
	name := fmt.Sprintf("projects/p%d/n.md", n/6)
	switch n % 6 {
	case 1:
		step = create(name, "made\n")
	case 2:
		step = update(name, "made\n", "moved\n")
	case 3:
		step = move(name, fmt.Sprintf("drafts/d%d/n.md", n))
	case 4:
		step = remove(fmt.Sprintf("drafts/d%d/n.md", n-1), "moved\n")
	default:
		step = update("a.md", now["a.md"], fmt.Sprintf("%d\n", n+1))
	}
	for _, c := range step.Changes {
		tried[c.Path] = true
		if c.From != "" {
			tried[c.From] = true
		}
	}
	return step
}

// checkAfterCut holds the files against what was acknowledged. The operation that
// was under way (tried) may have happened or not.
func checkAfterCut(t *testing.T, dir string, want map[string]string, tried map[string]bool, n int) {
	t.Helper()
	v, err := vault.Open(ctx, dir, vault.Options{Device: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
		t.Error(err)
	}
	ended(t, v)
	for p, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, p))
		if (err != nil || string(got) != text) && !tried[p] {
			t.Errorf("after %d operations: acknowledged %s is lost: %q, %v", n, p, got, err)
		}
	}
	ops, err := v.Operations(ctx, vault.Filter{Status: vault.StatusCompleted})
	if err != nil || len(ops) < n {
		t.Errorf("%d of %d acknowledged operations are in the log, %v", len(ops), n, err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	noTemps(t, dir)
}

// The test of the test: what programs do instead loses what they said was saved.
func TestPowerCutsTakeFromTheCareless(t *testing.T) {
	needsPower(t)
	careless := map[string]func(p string, text []byte) error{
		"no fsync": func(p string, text []byte) error {
			return errors.Join(os.WriteFile(p+".tmp", text, 0o666), os.Rename(p+".tmp", p))
		},
		"no fsync of the folder": func(p string, text []byte) error {
			f, err := os.Create(p + ".tmp")
			if err != nil {
				return err
			}
			_, err = f.Write(text)
			return errors.Join(err, f.Sync(), f.Close(), os.Rename(p+".tmp", p))
		},
	}
	for name, save := range careless {
		t.Run(name, func(t *testing.T) {
			d := newLoopDisk(t, "ext4", "commit=5")
			defer d.off()
			lost := 0
			for n := range cuts() {
				p := filepath.Join(d.mount, fmt.Sprintf("%d.md", n))
				if err := os.WriteFile(p, []byte("0"), 0o666); err != nil {
					t.Fatal(err)
				}
				unix.Sync()
				last := rand.IntN(20) + 1
				for i := 1; i <= last; i++ {
					if err := save(p, fmt.Append(nil, i)); err != nil {
						t.Fatal(err)
					}
				}
				d.cut()
				d.off()
				d.on()
				if got, err := os.ReadFile(p); err != nil || string(got) != fmt.Sprint(last) {
					lost++
				}
			}
			t.Logf("lost what was said to be saved in %d of %d cuts", lost, cuts())
			if lost == 0 {
				t.Error("nothing was lost: these cuts can't tell good from bad")
			}
		})
	}
}

// Of a batch whose folders are made durable at its end all files are new after a loss of power,
// or none, and those of one that was acknowledged are.
func TestPowerCutsInALargeBatch(t *testing.T) {
	needsPower(t)
	d := newLoopDisk(t, "ext4", "commit=1000")
	defer d.off()
	for round := range cuts() {
		dir := filepath.Join(d.mount, fmt.Sprint("batch", round))
		if err := os.MkdirAll(filepath.Join(dir, "drafts/many"), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, s := range dozen("", "0\n") {
			if err := os.WriteFile(filepath.Join(dir, s.Entity.Path), []byte("0\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		unix.Sync()
		v, err := vault.Open(ctx, dir, vault.Options{Device: "test"})
		if err != nil {
			t.Fatal(err)
		}
		dark := make(chan struct{})
		time.AfterFunc(time.Duration(rand.IntN(300))*time.Millisecond, func() {
			defer close(dark)
			d.cut()
		})
		n := 0
		for ; err == nil; n++ {
			_, err = v.Apply(ctx, batch(dozen(fmt.Sprintf("%d\n", n), fmt.Sprintf("%d\n", n+1))...))
		}
		<-dark
		_ = v.Close() // it can't write any more
		d.off()
		d.on()
		if v, err = vault.Open(ctx, dir, vault.Options{Device: "test"}); err != nil {
			t.Fatal(err)
		}
		if err := v.Walk(ctx, func(vault.Info) error { return nil }, nil); err != nil {
			t.Error(err)
		}
		ended(t, v)
		states := map[string]int{}
		for _, s := range dozen("", "x") {
			states[text(t, v, s.Entity.Path)]++
		}
		if states[fmt.Sprintf("%d\n", n-1)] != 12 && states[fmt.Sprintf("%d\n", n)] != 12 {
			t.Errorf("%d batches were acknowledged; the files hold %v", n-1, states)
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
		noTemps(t, dir)
	}
}
