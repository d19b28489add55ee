package merge

import (
	"bytes"
	"math/rand"
	"testing"
)

// lines returns n bytes of random lines; few different ones if words is small.
func lines(seed int64, n, words int) []byte {
	random := rand.New(rand.NewSource(seed))
	var b bytes.Buffer
	for b.Len() < n {
		for range 8 {
			b.WriteString("word")
			b.WriteByte('a' + byte(random.Intn(words)))
			b.WriteByte(' ')
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func BenchmarkDiffOneLine(b *testing.B) {
	before := lines(1, 10_000, 26)
	after := bytes.Replace(before, []byte("worda"), []byte("other"), 1)
	for b.Loop() {
		Diff("x", before, after)
	}
}

func BenchmarkDiffUnrelated10MB(b *testing.B) {
	before, after := lines(1, 10<<20, 26), lines(2, 10<<20, 26)
	b.ReportAllocs()
	for b.Loop() {
		Diff("x", before, after)
	}
}

func BenchmarkDiffRepetitive10MB(b *testing.B) {
	before, after := lines(1, 10<<20, 2), lines(2, 10<<20, 2)
	b.ReportAllocs()
	for b.Loop() {
		Diff("x", before, after)
	}
}
