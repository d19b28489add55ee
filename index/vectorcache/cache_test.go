package vectorcache

import (
	"errors"
	"fmt"
	"kist/index/vector"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// TestCache: what is damaged is passed over and the rest is kept.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	reopen := func() *Cache {
		c, err := Open(dir, "m")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	c := reopen()
	keys := []Key{{1}, {2}, {3}, {4}}
	v := [][]float32{vector.Unit([]float32{1, 2, 3}), nil, vector.Unit([]float32{-1, 0, 5}), vector.Unit([]float32{9, 9, -9})}
	if err := c.Add(keys, v); err != nil {
		t.Fatal(err)
	}
	same := func(c *Cache, i int) bool {
		got, ok := c.Vector(keys[i])
		if !ok || len(got) != len(v[i]) {
			return false
		}
		for j := range got {
			if math.Abs(float64(got[j]-v[i][j])) > 0.01 {
				return false
			}
		}
		return true
	}
	c.Close()
	c = reopen()
	for i := range keys {
		if !same(c, i) {
			t.Errorf("%d is lost", i)
		}
	}
	name, size := c.name, c.recordSize()
	if err := c.Keep(func(k Key) bool { return k == keys[0] }, 1); err != nil {
		t.Fatal(err)
	}
	for _, again := range []bool{false, true} {
		if again {
			c.Close()
			c = reopen()
		}
		if c.Size() != 2 || !same(c, 0) || !same(c, 3) {
			t.Errorf("%d kept", c.Size())
		}
	}
	if err := c.Add(keys[1:3], v[1:3]); err != nil {
		t.Fatal(err)
	}
	c.Close()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(data[:len(data)-3]) // a record that wasn't finished
	damaged[len(damaged)-int(2*size)] ^= 1      // one that isn't what was written
	if err := os.WriteFile(name, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	c = reopen()
	if c.Size() != 2 {
		t.Errorf("%d left, want 2", c.Size())
	}
	if err := c.Add(keys, v); err != nil {
		t.Fatal(err)
	}
	c.Close()
	c = reopen()
	for i := range keys {
		if !same(c, i) {
			t.Errorf("%d is lost after repair", i)
		}
	}
	c.Close()
	if err := c.Add(keys, v); !errors.Is(err, ErrClosed) {
		t.Errorf("add after close: %v", err)
	}
	for _, text := range []string{"", "garbage", string(data[:10])} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if c = reopen(); c.Size() != 0 || c.Dimension() != 0 {
			t.Errorf("%q: %d vectors", text, c.Size())
		}
		if err := c.Add(keys, v); err != nil || c.Size() != 4 {
			t.Errorf("%q: %v", text, err)
		}
		c.Close()
	}
	for i := range 5 {
		if c, err = Open(dir, fmt.Sprint("m", i)); err != nil {
			t.Fatal(err)
		}
		c.Add(keys, v)
		c.Close()
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) > maxCaches+1 {
		t.Errorf("files %q", names)
	}
}

// BenchmarkCache opens a cache of 100,000 vectors, and looks one up.
func BenchmarkCache(b *testing.B) {
	const n, dim, batch = 100_000, 768, 1000
	dir := b.TempDir()
	c, err := Open(dir, "m")
	if err != nil {
		b.Fatal(err)
	}
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(i%7) - 3
	}
	vector.Unit(v)
	key := func(i int) Key { return KeyOf(strconv.Itoa(i)) }
	for i := 0; i < n; i += batch {
		keys, vectors := make([]Key, batch), make([][]float32, batch)
		for j := range keys {
			keys[j], vectors[j] = key(i+j), v
		}
		if err := c.Add(keys, vectors); err != nil {
			b.Fatal(err)
		}
	}
	c.Close()
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			c, err := Open(dir, "m")
			if err != nil || c.Size() != n {
				b.Fatal(c.Size(), err)
			}
			b.ReportMetric(float64(c.end)/(1<<20), "MiB")
			c.Close()
		}
	})
	b.Run("vector", func(b *testing.B) {
		c, err := Open(dir, "m")
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		for i := 0; b.Loop(); i++ {
			if _, ok := c.Vector(key(i % n)); !ok {
				b.Fatal("lost")
			}
		}
	})
}
