package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMain makes this test binary a child where a measurement starts it as one.
func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], ChildCommand()) {
		if err := Child(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func options(t *testing.T) Options {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	return Options{Self: os.Args[0], Files: 60, Seed: 1, Tries: 3, Runs: 1, Idle: 10 * time.Millisecond, Only: []string{"search", "save", "operation"}}
}

func TestRun(t *testing.T) {
	opts := options(t)
	var phases []string
	opts.Progress = func(phase string, done, total int) {
		if done >= total {
			t.Errorf("%s is step %d of %d", phase, done, total)
		}
		phases = append(phases, phase)
	}
	r, err := Run(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if r.Corpus.Files != 60 || r.Corpus.Sections < 60 || r.Corpus.Bytes == 0 || r.Machine.Cores == 0 || len(phases) != 6 {
		t.Errorf("%+v %+v, phases %q", r.Corpus, r.Machine, phases)
	}
	for _, name := range strings.Fields("search-rare search-common search-three search-phrase search-prefix search-sentence save-rename save-in-place operation") {
		row := r.Row(name)
		if row.Missing != "" || row.Measured.N == 0 || row.Value <= 0 || row.Floor <= 0 || row.Ratio <= 0 || row.Met == nil || row.Target == "" {
			t.Errorf("%s: %+v", name, row)
		}
	}
	for _, name := range []string{"cold", "warm", "rpc"} {
		if row := r.Row(name); row.Missing == "" {
			t.Errorf("%s was not asked for: %+v", name, row)
		}
	}
	emptyTemp(t)
}

// emptyTemp checks that nothing is left behind.
func emptyTemp(t *testing.T) {
	t.Helper()
	if left := tree(t, os.Getenv("TMPDIR")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRunOnACopy(t *testing.T) {
	opts := options(t)
	opts.Dir, opts.Only = t.TempDir(), []string{"search"}
	if err := NewCorpus(30, 5).Write(opts.Dir); err != nil {
		t.Fatal(err)
	}
	before := tree(t, opts.Dir)
	r, err := Run(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if r.Corpus.Files != 30 || r.Corpus.Source != opts.Dir {
		t.Errorf("%+v", r.Corpus)
	}
	if diff := cmp.Diff(before, tree(t, opts.Dir)); diff != "" {
		t.Errorf("the folder was written to:\n%s", diff)
	}
	emptyTemp(t)
}

func TestInterrupt(t *testing.T) {
	opts := options(t)
	ctx, cancel := context.WithCancel(t.Context())
	opts.Progress = func(phase string, _, _ int) {
		if strings.HasPrefix(phase, "cold") {
			time.AfterFunc(20*time.Millisecond, cancel) // while a child works
		}
	}
	if _, err := Run(ctx, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	emptyTemp(t)
}

func TestOptionsRefused(t *testing.T) {
	for _, opts := range []Options{{Files: 3}, {Only: []string{"everything"}}} {
		if _, err := Run(t.Context(), opts); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v", opts, err)
		}
	}
	if _, err := Growth(t.Context(), Options{Dir: t.TempDir()}); !errors.Is(err, ErrOptions) {
		t.Errorf("growth of a folder: error %v", err)
	}
}

func TestChildRefuses(t *testing.T) {
	for _, in := range []string{"", "{}", `{"Kind":"nothing"}`} {
		if err := Child(t.Context(), strings.NewReader(in), &strings.Builder{}); err == nil {
			t.Errorf("no error for %q", in)
		}
	}
}

func TestQuantile(t *testing.T) {
	var took []time.Duration
	for i := range 100 {
		took = append(took, time.Duration(100-i))
	}
	if got, want := timing(took), (Timing{100, 50, 95, 99}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := timing([]time.Duration{3, 1, 2}), (Timing{3, 2, 3, 3}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := timing(nil); got != (Timing{}) {
		t.Errorf("got %v", got)
	}
}

func TestExponent(t *testing.T) {
	for _, want := range []float64{0, 0.5, 1, 1.7} {
		ys := make([]float64, 3)
		xs := []float64{1000, 4000, 16000}
		for i, x := range xs {
			ys[i] = 3
			for range int(want * 10) {
				ys[i] *= pow10th(x)
			}
		}
		if got := exponent(xs, ys); math.Abs(got-want) > 1e-4 {
			t.Errorf("exponent %v, want %v", got, want)
		}
	}
}

// pow10th is the tenth root, found by halving.
func pow10th(x float64) float64 {
	low, high := 1.0, x
	for range 200 {
		mid := (low + high) / 2
		p := 1.0
		for range 10 {
			p *= mid
		}
		if p < x {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

func TestGrowthJudges(t *testing.T) {
	size := func(files int, value float64) Report {
		return Report{Corpus: &Measured{Files: files}, Rows: []Row{once("cold", "", Milliseconds, value)}}
	}
	linear := []Report{size(1000, 10), size(4000, 40), size(16000, 160)}
	steep := []Report{size(1000, 10), size(4000, 50), size(16000, 250)}
	level := []Report{size(1000, 10), size(4000, 14), size(16000, 12)}
	tests := []struct {
		name  string
		g     grows
		sizes []Report
		want  bool
	}{
		{"linear", grows{row: "cold", exponent: 1.05}, linear, true},
		{"worse than linear", grows{row: "cold", exponent: 1.05}, steep, false},
		{"flat", grows{row: "cold"}, level, true},
		{"cheaper is no fault", grows{row: "cold"}, []Report{size(1000, 30), size(4000, 14), size(16000, 12)}, true},
		{"not flat", grows{row: "cold"}, linear, false},
	}
	for _, tt := range tests {
		if r := tt.g.judge(tt.sizes); r.Met == nil || *r.Met != tt.want {
			t.Errorf("%s: %+v", tt.name, r)
		}
	}
	if r := (grows{row: "warm"}).judge(linear); r.Missing == "" || r.Met != nil {
		t.Errorf("what wasn't measured: %+v", r)
	}
}

func TestTargetAt(t *testing.T) {
	for files, want := range map[int]float64{100: 100, 12_000: 100, 56_000: 225, 100_000: 350} {
		if got := targetAt(files, 100, 350); math.Abs(got-want) > 1e-4 {
			t.Errorf("%d files: %v, want %v", files, got, want)
		}
	}
}

func TestVectors(t *testing.T) {
	spec := task{Floor: t.TempDir(), Seed: 1, Do: []string{"300"}}
	r, err := spec.vectors(t.Context(), spec)
	if err != nil || r.Recall < 0.99 || r.Scan.Kist.N != vectorQueries || r.Scan.Floor.P50 <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if n := inBoth([]int32{1, 2, 3}, []int32{4, 3, 5}); n != 1 {
		t.Errorf("%d in both", n)
	}
}
