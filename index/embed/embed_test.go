package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// corpusOf makes a corpus of texts whose terms are words.
func corpusOf(texts []string) *Corpus {
	count := map[string]map[int32]int32{}
	for i, t := range texts {
		for _, w := range strings.Fields(t) {
			if count[w] == nil {
				count[w] = map[int32]int32{}
			}
			count[w][int32(i)]++
		}
	}
	c := NewCorpus(len(texts))
	for _, w := range slices.Sorted(keys(count)) {
		at := slices.Sorted(keys(count[w]))
		var counts []int32
		for _, t := range at {
			counts = append(counts, count[w][t])
		}
		c.Add(w, at, counts)
	}
	return c
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func countsOf(text string) map[string]int {
	counts := map[string]int{}
	for _, w := range strings.Fields(text) {
		counts[w]++
	}
	return counts
}

// topics writes texts about boats, bread and taxes. Each has a few of its topic's
// words, so that many pairs on one topic share none.
func topics(n int) []string {
	words := [][]string{
		strings.Fields("boat hull sail anchor harbour mooring keel tide deck rope winch mast"),
		strings.Fields("bread flour dough oven yeast crust knead loaf rye starter bake proof"),
		strings.Fields("tax invoice deduction income return receipt audit refund accountant bracket form deadline"),
	}
	r := rand.New(rand.NewPCG(1, 1))
	var texts []string
	for i := range n {
		topic := words[i%len(words)]
		t := []string{"the", "note"}
		for range 4 {
			t = append(t, topic[r.IntN(len(topic))])
		}
		texts = append(texts, strings.Join(t, " "))
	}
	return texts
}

func trained(t testing.TB, texts []string) *Model {
	t.Helper()
	m, err := Train(context.Background(), corpusOf(texts))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func cosine(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// TestTopics: texts of one topic are nearer than those of two, also where they have no
// word in common.
func TestTopics(t *testing.T) {
	m := trained(t, topics(120))
	boat, sail, bread := m.Text(countsOf("hull keel mast")), m.Text(countsOf("sail anchor rope")), m.Text(countsOf("flour oven rye"))
	if same, other := cosine(boat, sail), cosine(boat, bread); same < other+0.3 {
		t.Errorf("cosine within a topic %.2f, between topics %.2f", same, other)
	}
	if v := m.Text(countsOf("zebra quagga")); v != nil {
		t.Errorf("unknown words have the vector %v", v)
	}
	if v := m.Text(nil); v != nil {
		t.Errorf("no words have the vector %v", v)
	}
}

// TestDeterminism: the same corpus gives the same bytes on one processor and on many,
// and in each run. There are enough texts and terms for several blocks.
func TestDeterminism(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var texts []string
	for range blockRows + 200 {
		var b strings.Builder
		for range 12 {
			fmt.Fprintf(&b, "w%d ", int(900*r.Float64()*r.Float64()))
		}
		texts = append(texts, b.String())
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []byte
	for _, n := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(n)
		got := trained(t, texts).Bytes()
		if first == nil {
			first = got
		}
		if !bytes.Equal(got, first) {
			t.Errorf("another model at %d processors", n)
		}
	}
}

func TestStored(t *testing.T) {
	m := trained(t, topics(60))
	data := m.Bytes()
	again, err := Load(data)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Bytes(), data) {
		t.Error("a loaded model is stored differently")
	}
	a, b := m.Text(countsOf("boat tax")), again.Text(countsOf("boat tax"))
	if !slices.Equal(a, b) {
		t.Errorf("vectors differ after loading: %v, %v", a, b)
	}
	for _, bad := range [][]byte{nil, data[:4], data[:len(data)-1], append(slices.Clone(data), 0), []byte("kistlsa0" + string(data[8:]))} {
		if _, err := Load(bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("loading %d bytes: %v, want ErrDamaged", len(bad), err)
		}
	}
}

func TestNothingToLearn(t *testing.T) {
	if _, err := Train(context.Background(), corpusOf([]string{"a b", "c d"})); !errors.Is(err, ErrNothing) {
		t.Errorf("error %v, want ErrNothing", err)
	}
	if _, err := Train(context.Background(), NewCorpus(0)); !errors.Is(err, ErrNothing) {
		t.Errorf("error %v, want ErrNothing", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Train(ctx, corpusOf(topics(60))); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
}

// TestPrune: the terms in the most texts stay.
func TestPrune(t *testing.T) {
	c := corpusOf([]string{"a b c", "a b c", "a c", "b c d", "d c"})
	c.prune(2)
	if !slices.Equal(c.terms, []string{"a", "c"}) || len(c.column(0)) != 3 || len(c.column(1)) != 5 {
		t.Errorf("terms %v, cells %v", c.terms, c.cells)
	}
}

// TestAnyCorpus: whatever the texts, vectors are numbers of length 1.
func TestAnyCorpus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`([a-e] ){0,6}`), 0, 40).Draw(t, "texts")
		m, err := Train(context.Background(), corpusOf(texts))
		if errors.Is(err, ErrNothing) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			v := m.Text(countsOf(text))
			if v == nil {
				continue
			}
			if l := math.Sqrt(cosine(v, v)); math.Abs(l-1) > 1e-3 || math.IsNaN(l) {
				t.Fatalf("%q has a vector of length %v", text, l)
			}
		}
	})
}

// TestOrthogonal: the columns are orthonormal, or zero if they depend on others.
func TestOrthogonal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	m := newMatrix(1500, 7)
	for i := range m.rows {
		row := m.row(i)
		for j := range row {
			row[j] = float32(r.NormFloat64()) * float32(math.Pow(10, float64(-j/2)))
		}
		row[3] = row[0] + row[1] // dependent
	}
	g := gram(orthogonal(orthogonal(m)))
	for i := range g {
		for j := range g {
			want := 0.0
			if i == j && i != 3 {
				want = 1
			}
			if math.Abs(g[i][j]-want) > 1e-4 {
				t.Errorf("product of columns %d and %d is %g, want %g", i, j, g[i][j], want)
			}
		}
	}
}

// TestEigen: the vectors are what they should be, and the values in order.
func TestEigen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		a := square(n)
		for i := range n {
			for j := range i + 1 {
				x := rapid.Float64Range(-10, 10).Draw(t, "x")
				a[i][j], a[j][i] = x, x
			}
		}
		copied := square(n)
		for i := range a {
			copy(copied[i], a[i])
		}
		values, vectors := eigen(copied)
		if !slices.IsSortedFunc(values, func(x, y float64) int { return int(math.Copysign(1, y-x)) * btoi(x != y) }) {
			t.Fatalf("values %v", values)
		}
		for k, lambda := range values {
			for i := range n {
				var sum float64
				for j := range n {
					sum += a[i][j] * vectors[j][k]
				}
				if math.Abs(sum-lambda*vectors[i][k]) > 1e-6 {
					t.Fatalf("a*v is %g where lambda*v is %g", sum, lambda*vectors[i][k])
				}
			}
		}
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// BenchmarkTrain trains on texts of 90 words out of a language of 30,000.
func BenchmarkTrain(b *testing.B) {
	for _, n := range []int{1400, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(7, 7))
			var texts []string
			for range n {
				var t strings.Builder
				for range 90 {
					fmt.Fprintf(&t, "w%d ", int(30_000*math.Pow(r.Float64(), 4)))
				}
				texts = append(texts, t.String())
			}
			b.ResetTimer()
			for b.Loop() {
				b.StopTimer()
				c := corpusOf(texts)
				b.StartTimer()
				m, err := Train(context.Background(), c)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.Terms()), "terms")
			}
		})
	}
}
