package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault/torture"
	"kist/vault/vaulttest"
)

func nowPast() time.Time { return time.Now().Add(-time.Second) }

// assertEqualsDisk checks that an index holds exactly what one holds that was made of
// the files just now.
func assertEqualsDisk(t testing.TB, x *Index) {
	t.Helper()
	differences, err := x.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences {
		t.Error(d)
	}
}

// A stormer changes files as editors, scripts and git do.
type stormer struct {
	t    testing.TB
	dir  string
	rand *rand.Rand
	n    int
}

func (s *stormer) path() string {
	return filepath.Join(s.dir, fmt.Sprintf("f%d/n%d.md", s.rand.IntN(5), s.rand.IntN(s.n)))
}

func (s *stormer) text() string {
	return fmt.Sprintf("---\ntags: [t%d]\n---\n# Note %d\n\nneedle word%d [[n%d]]\n\n## Part\n\n%s\n", s.rand.IntN(9), s.rand.IntN(99), s.rand.IntN(999), s.rand.IntN(s.n),
		strings.Repeat(fmt.Sprintf("hay%d ", s.rand.IntN(99)), 1+s.rand.IntN(30)))
}

// step makes one change. What fails because another stormer was faster is no failure.
func (s *stormer) step() {
	p := s.path()
	_ = os.MkdirAll(filepath.Dir(p), 0o777)
	switch s.rand.IntN(11) {
	case 0, 1, 2: // in place
		_ = os.WriteFile(p, []byte(s.text()), 0o666)
	case 3, 4, 5: // by rename
		temp := fmt.Sprintf("%s.%d.tmp", p, s.rand.IntN(1e9))
		_ = os.WriteFile(temp, []byte(s.text()), 0o666)
		_ = os.Rename(temp, p)
	case 6:
		_ = os.Remove(p)
	case 7:
		_ = os.Rename(p, s.path())
	case 8: // truncated first, written a moment later
		if f, err := os.Create(p); err == nil {
			time.Sleep(time.Millisecond)
			_, _ = f.WriteString(s.text())
			_ = f.Close()
		}
	case 9: // as a checkout: a whole folder is another one
		if s.rand.IntN(10) == 0 {
			folder, away := filepath.Dir(p), filepath.Join(s.dir, ".away"+fmt.Sprint(s.rand.IntN(1e9)))
			_ = os.Rename(folder, away)
			_ = os.MkdirAll(folder, 0o777)
			for range 5 {
				_ = os.WriteFile(filepath.Join(folder, filepath.Base(s.path())), []byte(s.text()), 0o666)
			}
		}
	case 10:
		s.long(filepath.Join(s.dir, "f0/long.md"))
	}
}

// long makes a small change to a long document, or makes it.
func (s *stormer) long(p string) {
	raw, _ := os.ReadFile(p)
	parts := strings.SplitAfter(string(raw), "\n\n## ")
	part := func() string {
		return fmt.Sprintf("Part %d\n\n%s\n\n## ", s.rand.IntN(99), strings.Repeat(fmt.Sprintf("hay%d needle ", s.rand.IntN(99)), 80))
	}
	at := s.rand.IntN(len(parts))
	switch n := s.rand.IntN(5); {
	case len(parts) < 45:
		parts = []string{"# Long\n\n## "}
		for range 50 {
			parts = append(parts, part())
		}
	case n == 0:
		parts = slices.Insert(parts, at, part())
	case n == 1:
		parts = slices.Delete(parts, at, at+1)
	case n == 2:
		parts = append(parts, part())
	default:
		parts[at] = fmt.Sprintf("A line of straw%d. ", s.rand.IntN(99)) + parts[at]
	}
	text := []byte(strings.Join(parts, ""))
	if s.rand.IntN(2) == 0 {
		_ = os.WriteFile(p, text, 0o666)
		return
	}
	temp := fmt.Sprintf("%s.%d.tmp", p, s.rand.IntN(1e9))
	_ = os.WriteFile(temp, text, 0o666)
	_ = os.Rename(temp, p)
}

// After a storm of changes the index holds what the files say; meanwhile searches go
// on, vectors are learned and the index is rebuilt. KIST_ROUNDS makes it longer.
func TestStorm(t *testing.T) {
	steps := rounds(t, 400)
	t.Run("of changes", func(t *testing.T) {
		storm(t, func(dir string) {
			var work sync.WaitGroup
			defer work.Wait()
			for i := range 2 {
				s := &stormer{t: t, dir: dir, rand: rand.New(rand.NewPCG(uint64(i), 7)), n: 60}
				work.Go(func() {
					for range steps {
						s.step()
					}
				})
			}
		})
	})
	t.Run("of editors", func(t *testing.T) { // those of the vault's torture kit
		storm(t, func(dir string) {
			styles, err := torture.Storm(t.Context(), dir, 1, steps)
			if err != nil || len(styles) < 8 {
				t.Errorf("styles %v, %v", styles, err)
			}
		})
	})
}

func storm(t *testing.T, change func(dir string)) {
	f := start(t, many("f0", 40))
	vaulttest.Watch(t, f.vault)
	var work sync.WaitGroup
	work.Go(func() { change(f.vault.Dir()) })
	ctx, cancel := context.WithCancel(t.Context())
	var search sync.WaitGroup
	search.Go(func() {
		for ctx.Err() == nil {
			if _, err := f.index.Search(ctx, Query{Text: "needle"}); err != nil && ctx.Err() == nil {
				t.Errorf("search: %v", err)
			}
			time.Sleep(time.Millisecond)
		}
	})
	if err := f.index.Rebuild(t.Context(), nil); err != nil {
		t.Error(err)
	}
	work.Wait()
	cancel()
	search.Wait()
	seq, err := f.vault.Barrier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Either all is indexed, or the storm took too many files at once and the index has
	// paused: that is right.
	limited, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	for f.index.Freshness().Indexed < seq && f.index.Status().State != Paused && limited.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if f.index.Status().State == Paused {
		if err := f.index.Rebuild(t.Context(), nil); err != nil {
			t.Error(err)
		}
	}
	f.wait()
	assertEqualsDisk(t, f.index)
}

// The checker sees one file that the index doesn't know, and one whose text is another.
func TestCheckerSeesDifferences(t *testing.T) {
	f := start(t, small)
	for _, change := range []func(){
		func() {
			f.write("notes/bread.md", "# Bread\n\nSourdough needs water. The engine of it is the starter.\n")
		},
		func() { f.write("notes/more.md", "x") },
		func() { os.Remove(filepath.Join(f.vault.Dir(), "memories/tea.md")) },
	} {
		assertEqualsDisk(t, f.index)
		change()
		seen := &recorder{TB: t}
		assertEqualsDisk(seen, f.index)
		if !seen.failed {
			t.Error("not seen")
		}
		f.compareNow()
	}
}

// A recorder notes that a check failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Error(...any) { r.failed = true }

// KIST_FILES=100000 does it with as many small files.
func TestManySmallFiles(t *testing.T) {
	n := 1000
	if text := os.Getenv("KIST_FILES"); text != "" {
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
	}
	v := vaulttest.New(t, "-- a.md --\nx\n")
	for i := range n {
		writeFile(t, filepath.Join(v.Dir(), fmt.Sprintf("d%d/n%d.md", i%(1+n/100), i)), fmt.Sprintf("needle word%d\n", i))
	}
	x := open(t, v)
	stop := run(t, x)
	if err := x.Wait(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if got := all(t, x, "needle"); got.Total != n {
		t.Errorf("%d of %d", got.Total, n)
	}
	stop()
	assertEqualsDisk(t, x)
}

// Scores don't depend on how the files came into the index: in which batches, after
// which versions, and how bleve has merged them.
func TestScoresDontDependOnBatches(t *testing.T) {
	v := vaulttest.New(t, medley(40))
	queries := []string{"engine", "boat engines", "häuser", "книгу", "東京", "eng*", "title:engine", "status:done engine"}
	x := open(t, v)
	d, err := x.compare(t.Context(), x.current, 0)
	if err != nil {
		t.Fatal(err)
	}
	publish := func(x *Index, paths []string) {
		if err := x.publish(t.Context(), x.current, paths, func(int) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	publish(x, d.Changed)
	answers := func(x *Index) (out []string) {
		for _, q := range queries {
			clauses, _, _ := Query{Text: q}.Clauses()
			res, err := x.answerFrom(t.Context(), Query{Text: q, Limit: 1000, Mode: Text}, clauses, nil, plainly)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range res.Hits {
				out = append(out, fmt.Sprintf("%s: %s %d %.6f", q, h.Path, h.Line, h.Score))
			}
		}
		return out
	}
	want := answers(x)
	if len(want) < 50 {
		t.Fatalf("%d hits", len(want))
	}
	for seed := range rounds(t, 4) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		y, err := Open(v, Options{Dir: filepath.Join(t.TempDir(), "index")})
		if err != nil {
			t.Fatal(err)
		}
		left := slices.Clone(d.Changed)
		r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for len(left) > 0 {
			n := 1 + r.IntN(len(left))
			publish(y, left[:n])
			if r.IntN(2) == 0 { // replaced by itself
				y.current.manifest.Doubt(left[:n])
				publish(y, left[:n])
			}
			left = left[n:]
		}
		if diff := cmp.Diff(want, answers(y)); diff != "" {
			t.Errorf("seed %d (-at once +in batches):\n%s", seed, diff)
		}
		if err := y.current.store.Scorch.ForceMerge(t.Context(), nil); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, answers(y)); diff != "" {
			t.Errorf("seed %d (-at once +merged):\n%s", seed, diff)
		}
		if err := y.Close(); err != nil {
			t.Error(err)
		}
	}
}
