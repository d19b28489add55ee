//go:build unix

package index

import (
	"errors"
	"fmt"
	"kist/index/manifest"
	"kist/index/store"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kist/vault/vaulttest"
)

// damageSeeds are tried by default; KIST_ROUNDS makes it more.
const damageSeeds = 10

// spoil does one of the things to a file that a bad disk does. It returns what.
func spoil(rnd *rand.Rand, b []byte) ([]byte, string) {
	const page = 4096
	pages := max(1, len(b)/page)
	pageOf := func(i int) []byte { return b[i*page : min(len(b), (i+1)*page)] }
	switch rnd.IntN(6) {
	case 0:
		at := rnd.IntN(len(b))
		b[at] ^= 1 << rnd.IntN(8)
		return b, fmt.Sprintf("a bit of byte %d", at)
	case 1: // where the numbers are: the head of a page
		at := min(len(b)-1, rnd.IntN(pages)*page+rnd.IntN(64))
		b[at] ^= 1 << rnd.IntN(8)
		return b, fmt.Sprintf("a bit of head byte %d", at)
	case 2:
		i := rnd.IntN(pages)
		clear(pageOf(i))
		return b, fmt.Sprintf("page %d zeroed", i)
	case 3:
		to := rnd.IntN(len(b))
		return b[:to], fmt.Sprintf("cut to %d", to)
	case 4:
		i := rnd.IntN(pages)
		for j := range pageOf(i) {
			pageOf(i)[j] = byte(rnd.Uint32())
		}
		return b, fmt.Sprintf("page %d random", i)
	default:
		i, j := rnd.IntN(pages), rnd.IntN(pages)
		x, y := []byte(string(pageOf(i))), []byte(string(pageOf(j)))
		copy(pageOf(i), y)
		copy(pageOf(j), x)
		return b, fmt.Sprintf("pages %d and %d swapped", i, j)
	}
}

// TestSpoiled opens an index whose files were damaged in all kinds of places, in a
// process of its own: what it guards against would end this one. With the checksum
// nothing goes unnoticed; after a crash, when there is none, nothing ends the process.
func TestSpoiled(t *testing.T) {
	if os.Getenv("KIST_SPOILED") != "" {
		spoiledChild(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestSpoiled$", "-test.v")
	cmd.Env = append(os.Environ(), "KIST_SPOILED=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestSpoiled") {
		t.Errorf("%v\n%s", err, out[max(0, len(out)-8000):])
	}
}

func spoiledChild(t *testing.T) {
	v := vaulttest.New(t, small)
	session(t, v, nil)
	writeFile(t, filepath.Join(v.Dir(), "notes/bread.md"), "sourdough again\n# two\n") // something is replaced
	session(t, v, nil)
	seeds := damageSeeds
	if text := os.Getenv("KIST_ROUNDS"); text != "" {
		seeds, _ = strconv.Atoi(text)
	}
	dir := filepath.Join(v.Dir(), ".kist/index")
	for _, file := range []string{"store-*/root.bolt", "store-*/root.bolt", "manifest", "store-*/*.zap"} {
		for seed := range seeds {
			rnd := rand.New(rand.NewPCG(uint64(seed), 7))
			names, err := filepath.Glob(filepath.Join(dir, file))
			if err != nil || len(names) == 0 {
				t.Fatalf("no %s, %v", file, err)
			}
			b, err := os.ReadFile(names[0])
			if err != nil {
				t.Fatal(err)
			}
			before := string(b)
			b, what := spoil(rnd, b)
			if err := os.WriteFile(names[0], b, 0o600); err != nil {
				t.Fatal(err)
			}
			crashed := seed%2 == 1
			if crashed {
				os.Remove(filepath.Join(filepath.Dir(names[0]), store.SealFile))
			}
			fmt.Printf("seed %d: %s: %s, crashed %v\n", seed, filepath.Base(names[0]), what, crashed)
			session(t, v, func(f *fixture) {
				s := f.index.Status()
				if s.State != Ready || !crashed && string(b) != before && !strings.Contains(s.Notice, "built anew") {
					t.Errorf("seed %d: %s: status %+v", seed, what, s)
				}
				if !crashed || s.Notice != "" {
					f.finds("sourdough", "notes/bread.md")
					assertHolds(t, f.index, v)
					return
				}
				if _, err := f.index.Search(t.Context(), Query{Text: "sourdough"}); err != nil {
					t.Errorf("seed %d: %s: %v", seed, what, err)
				}
			})
			if crashed { // what went unnoticed must not be sealed into the next round
				os.RemoveAll(dir)
				session(t, v, nil)
			}
		}
	}
}

// TestIrregular: what is no file is not opened, which could wait for ever.
func TestIrregular(t *testing.T) {
	for _, file := range []string{"store-*/root.bolt", "manifest", "store-*/root.sum"} {
		v := vaulttest.New(t, small)
		session(t, v, nil)
		names, err := filepath.Glob(filepath.Join(v.Dir(), ".kist/index", file))
		if err != nil || len(names) != 1 {
			t.Fatalf("%s: %q, %v", file, names, err)
		}
		for what, put := range map[string]func(string) error{
			"folder": func(p string) error { return os.MkdirAll(filepath.Join(p, "x"), 0o700) },
			"pipe":   func(p string) error { return syscall.Mkfifo(p, 0o600) },
			"link":   func(p string) error { return os.Symlink("/dev/zero", p) },
		} {
			names, _ := filepath.Glob(filepath.Join(v.Dir(), ".kist/index", file))
			if err := os.RemoveAll(names[0]); err != nil {
				t.Fatal(err)
			}
			if err := put(names[0]); err != nil {
				t.Fatal(err)
			}
			session(t, v, func(f *fixture) {
				if s := f.index.Status(); s.State != Ready || file != "store-*/root.sum" && s.Notice == "" {
					t.Errorf("%s is a %s: %+v", file, what, s)
				}
				f.finds("sourdough", "notes/bread.md")
			})
		}
	}
}

// TestDeletedBeneath: whatever is deleted while the index is followed costs time alone.
func TestDeletedBeneath(t *testing.T) {
	for what, remove := range map[string]func(dir string) error{
		"all":       os.RemoveAll,
		"manifest":  func(dir string) error { return os.Remove(filepath.Join(dir, manifest.File)) },
		"the store": func(dir string) error { return removeGlob(dir, "store-*") },
		"its root":  func(dir string) error { return removeGlob(dir, "store-*/root.bolt") },
		"segments":  func(dir string) error { return removeGlob(dir, "store-*/*.zap") },
	} {
		t.Run(what, func(t *testing.T) {
			v := vaulttest.New(t, small)
			x, err := Open(v, Options{})
			if err != nil {
				t.Fatal(err)
			}
			f := &fixture{T: t, vault: v, index: x}
			stop := f.follow()
			if err := remove(x.dir); err != nil {
				t.Fatal(err)
			}
			if _, err := v.Apply(t.Context(), create("notes/new.md", 0, "zeppelin\n")); err != nil {
				t.Fatal(err)
			}
			f.finds("sourdough", "notes/bread.md")
			f.wait()
			stop()
			if s := x.Status(); s.State != Ready || s.Documents != 5 {
				t.Errorf("status %+v", s)
			}
			assertHolds(t, x, v)
			if err := x.Close(); err != nil {
				t.Log(err)
			}
			session(t, v, func(f *fixture) { f.finds("zeppelin", "notes/new.md") })
		})
	}
}

func removeGlob(dir, pattern string) error {
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	for _, n := range names {
		err = errors.Join(err, os.RemoveAll(n))
	}
	return err
}
