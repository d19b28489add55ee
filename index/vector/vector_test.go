package vector

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/viterin/vek/vek32"
)

// numbers gives keys numbers, as an owner does.
func numbers() (of func(string) int32, keys *[]string) {
	known := map[string]int32{}
	keys = new([]string)
	return func(key string) int32 {
		n, ok := known[key]
		if !ok {
			n = int32(len(known))
			known[key] = n
			*keys = append(*keys, key)
		}
		return n
	}, keys
}

func unitVector(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	var sum float64
	for i := range v {
		x := r.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func inOrder(docs map[string]Document) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, k := range slices.Sorted(maps.Keys(docs)) {
			if !yield(docs[k], nil) {
				return
			}
		}
	}
}

func write(t testing.TB, name string, dim int, docs map[string]Document) {
	t.Helper()
	if err := Write(name, dim, inOrder(docs), []byte("attached")); err != nil {
		t.Fatal(err)
	}
}

func exact(q, v []float32) (sum float32) {
	for i, x := range q {
		sum += x * v[i]
	}
	return sum
}

// TestLikeAMap: whatever is put, deleted, written and opened again, a set holds what a
// map of the same documents does, and scores are cosines but for rounding.
func TestLikeAMap(t *testing.T) {
	const dim = 20
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		name := filepath.Join(dir, "vectors")
		want := map[string]Document{}
		draw := func() Document {
			d := Document{Key: rapid.StringMatching(`[a-d]{0,2}`).Draw(t, "key"), Stamp: Stamp{byte(r.Uint32())}}
			for i := range rapid.IntRange(0, 3).Draw(t, "passages") {
				d.Passages = append(d.Passages, Passage{int32(i * 7), unitVector(r, dim)})
			}
			return d
		}
		for range rapid.IntRange(0, 10).Draw(t, "documents") {
			d := draw()
			want[d.Key] = d
		}
		if err := Write(name, dim, inOrder(want), nil); err != nil {
			t.Fatal(err)
		}
		number, keys := numbers()
		s, _, err := Open(name, number)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		t.Repeat(map[string]func(*rapid.T){
			"put":    func(*rapid.T) { d := draw(); want[d.Key] = d; s.Put(d) },
			"delete": func(*rapid.T) { k := draw().Key; delete(want, k); s.Delete(k) },
			"write": func(t *rapid.T) {
				if err := s.Write(name, nil); err != nil {
					t.Fatal(err)
				}
				s.Close()
				if s, _, err = Open(name, number); err != nil {
					t.Fatal(err)
				}
				if s.Changed() != 0 {
					t.Fatalf("changed %d after writing", s.Changed())
				}
			},
			"": func(t *rapid.T) { compare(t, s, want, *keys, unitVector(r, dim)) },
		})
	})
}

func compare(t *rapid.T, s *Set, want map[string]Document, keys []string, q []float32) {
	if got := s.Keys(); !slices.Equal(got, slices.Sorted(maps.Keys(want))) || s.Documents() != len(want) {
		t.Fatalf("%d documents: keys %q, want %q", s.Documents(), got, slices.Sorted(maps.Keys(want)))
	}
	found := map[string]Match{}
	for _, m := range s.Scan(q, nil) {
		if _, twice := found[keys[m.Number]]; twice {
			t.Fatalf("%q found twice", keys[m.Number])
		}
		found[keys[m.Number]] = m
	}
	for key, d := range want {
		if stamp, ok := s.Stamp(key); !ok || stamp != d.Stamp {
			t.Fatalf("%q has stamp %v, %v", key, stamp, ok)
		}
		passages, ok := s.Passages(key)
		if !ok || len(passages) != len(d.Passages) {
			t.Fatalf("%q has %d passages, want %d", key, len(passages), len(d.Passages))
		}
		best := float32(-2)
		for i, p := range passages {
			if p.Ordinal != d.Passages[i].Ordinal || exact(p.Vector, d.Passages[i].Vector) < 0.99 {
				t.Fatalf("%q: passage %+v, want %+v", key, p, d.Passages[i])
			}
			best = max(best, exact(q, d.Passages[i].Vector))
		}
		m, ok := found[key]
		if ok != (len(d.Passages) > 0) || ok && math.Abs(float64(m.Score-best)) > 0.02 {
			t.Fatalf("%q found %v with %v, want %v", key, ok, m.Score, best)
		}
		delete(found, key)
	}
	if len(found) > 0 {
		t.Fatalf("found what isn't there: %v", found)
	}
}

// TestDamage: a file that isn't as it was written isn't opened.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	name := filepath.Join(t.TempDir(), "vectors")
	docs := map[string]Document{"a": {Key: "a", Passages: []Passage{{0, unitVector(r, 8)}}}, "b": {Key: "b"}}
	write(t, name, 8, docs)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	number, _ := numbers()
	s, attached, err := Open(name, number)
	if err != nil || string(attached) != "attached" {
		t.Fatalf("open: %q, %v", attached, err)
	}
	s.Close()
	try := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, _, err := Open(name, number); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", what, err)
			if err == nil {
				s.Close()
			}
		}
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 4
		try(fmt.Sprintf("byte %d changed", i), bad)
		try(fmt.Sprintf("cut at %d", i), good[:i])
	}
	try("longer", append(bytes.Clone(good), 0))
	os.Remove(name)
	if _, _, err := Open(name, number); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, want ErrNotExist", err)
	}
}

// TestFailedWrite: what was there stays, and nothing is left over.
func TestFailedWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "vectors")
	write(t, name, 4, map[string]Document{"a": {Key: "a"}})
	broken := errors.New("broken")
	err := Write(name, 4, func(yield func(Document, error) bool) { yield(Document{}, broken) }, nil)
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	number, _ := numbers()
	s, _, err := Open(name, number)
	if err != nil || s.Documents() != 1 {
		t.Fatalf("open: %v", err)
	}
	s.Close()
	names, _ := os.ReadDir(dir)
	if len(names) != 1 {
		t.Errorf("left over: %v", names)
	}
}

// TestClosed: a closed set is empty, and nothing of it faults.
func TestClosed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	name := filepath.Join(t.TempDir(), "vectors")
	d := Document{Key: "a", Passages: []Passage{{0, unitVector(r, 8)}}}
	write(t, name, 8, map[string]Document{"a": d})
	number, _ := numbers()
	s, _, err := Open(name, number)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	s.Put(d)
	s.Delete("a")
	if n := len(s.Scan(unitVector(r, 8), nil)) + len(s.Keys()); n != 0 {
		t.Error("a closed set has documents")
	}
	if _, ok := s.Passages("a"); ok {
		t.Error("a closed set has vectors")
	}
	if _, ok := s.Stamp("a"); ok {
		t.Error("a closed set has stamps")
	}
}

// TestDot: the fast product is the plain one, for any length.
func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 300 {
		q, v := make([]int16, n), make([]byte, n)
		want := int32(0)
		for i := range q {
			q[i], v[i] = int16(r.IntN(2*maxQuery+1)-maxQuery), byte(r.IntN(256))
			want += int32(q[i]) * int32(int8(v[i]))
		}
		if got, plain := dot(q, v), dotPlain(q, v); got != want || plain != want {
			t.Fatalf("length %d: %d and %d, want %d", n, got, plain, want)
		}
	}
}

// clustered are vectors that lie around some hundreds of points, as those of texts do.
func clustered(n, dim int) [][]float32 {
	r := rand.New(rand.NewPCG(9, 9))
	centres := make([][]float32, 300)
	for i := range centres {
		centres[i] = unitVector(r, dim)
	}
	all := make([][]float32, n)
	for i := range all {
		v, c := unitVector(r, dim), centres[r.IntN(len(centres))]
		l := 0.0
		for j := range v {
			v[j] += c[j]
			l += float64(v[j] * v[j])
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(l))
		}
		all[i] = v
	}
	return all
}

// BenchmarkScan tells the time of one scan and how many of the ten nearest are among
// the first ten, beside vek32's scan (AVX2, one goroutine) of the numbers that weren't
// quantised, and one in plain Go.
func BenchmarkScan(b *testing.B) {
	const dim = 384
	sizes := []int{10_000, 100_000}
	if os.Getenv("KIST_BENCH_LARGE") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := clustered(n, dim)
			name := filepath.Join(b.TempDir(), "vectors")
			err := Write(name, dim, func(yield func(Document, error) bool) {
				for i, v := range all {
					yield(Document{Key: fmt.Sprintf("%08d", i), Passages: []Passage{{0, v}}}, nil)
				}
			}, nil)
			if err != nil {
				b.Fatal(err)
			}
			number, _ := numbers()
			s, _, err := Open(name, number)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			r := rand.New(rand.NewPCG(4, 4))
			var found []Match
			var floors, veks, took []time.Duration // in turns, so that a busy moment hits both
			recall, queries := 0, 0
			best := make([]Match, n)
			for range 40 {
				q := slices.Clone(all[r.IntN(n)])
				for j, x := range unitVector(r, dim) {
					q[j] += x / 2
				}
				began := time.Now()
				for i, v := range all {
					best[i] = Match{Number: int32(i), Score: plainFloat(q, v)}
				}
				floors = append(floors, time.Since(began))
				began = time.Now()
				for i, v := range all {
					best[i] = Match{Number: int32(i), Score: vek32.Dot(q, v)}
				}
				veks = append(veks, time.Since(began))
				began = time.Now()
				found = s.Scan(q, found[:0])
				took = append(took, time.Since(began))
				recall += common(best, found)
				queries++
			}
			q := all[0]
			for b.Loop() {
				found = s.Scan(q, found[:0])
			}
			b.ReportMetric(float64(recall)/float64(10*queries), "recall@10")
			plain, vek, scan := median(floors), median(veks), median(took)
			b.ReportMetric(plain, "ms/plain-scan")
			b.ReportMetric(vek, "ms/vek32-scan")
			b.ReportMetric(scan, "ms/scan")
			b.ReportMetric(scan/vek, "x-vek32")
		})
	}
}

// plainFloat is the inner product as fast as plain Go has it.
func plainFloat(q, v []float32) float32 {
	var a, b, c, d float32
	for len(v) >= 4 && len(q) >= 4 {
		a += q[0] * v[0]
		b += q[1] * v[1]
		c += q[2] * v[2]
		d += q[3] * v[3]
		q, v = q[4:], v[4:]
	}
	return a + b + c + d
}

// median is in milliseconds.
func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Nanoseconds()) / 1e6
}

// common is how many of the first ten of both lists are the same.
func common(a, b []Match) (n int) {
	order := func(x, y Match) int { return cmp.Compare(y.Score, x.Score) }
	slices.SortFunc(a, order)
	slices.SortFunc(b, order)
	for _, x := range a[:10] {
		for _, y := range b[:10] {
			if x.Number == y.Number {
				n++
			}
		}
	}
	return n
}
