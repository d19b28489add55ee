package state_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"kist/vault/state"
)

// The sizes that are planned for; a benchmark of a fill does it once.
const (
	benchDocuments  = 100_000
	benchOperations = 200_000
)

// words makes a text that compresses about as English does.
func words(n, seed int) []byte {
	var b bytes.Buffer
	x := uint32(seed)*2654435761 + 1
	for b.Len() < n {
		x = x*1664525 + 1013904223
		fmt.Fprintf(&b, "%s ", strconv.FormatUint(uint64(x>>20)*7919, 36))
	}
	return b.Bytes()[:n]
}

// resident returns the process's own memory in MB, without mapped files; 0 where
// the system doesn't tell.
func resident() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	m := regexp.MustCompile(`RssAnon:\s+(\d+)`).FindSubmatch(status)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(string(m[1]), 64)
	return n / 1024
}

// watch begins to look at the process's own memory; stop returns the most of it.
func watch() (stop func() float64) {
	runtime.GC()
	end, most := make(chan struct{}), make(chan float64)
	go func() {
		top := 0.0
		for {
			select {
			case <-end:
				most <- top
				return
			case <-time.After(20 * time.Millisecond):
				top = max(top, resident())
			}
		}
	}()
	return func() float64 { close(end); return <-most }
}

func megabytes(b *testing.B, file string) float64 {
	info, err := os.Stat(file)
	must(b, err)
	return float64(info.Size()) / (1 << 20)
}

func benchPath(i int) string {
	return fmt.Sprintf("area-%02d/folder-%03d/a note of some length %06d.md", i/5000, i/100, i)
}

func fillDocuments(b *testing.B, file string) {
	db, err := state.Open(file, state.Options{})
	must(b, err)
	text := make([][]byte, 64)
	for i := range text {
		text[i] = words(3000, i)
	}
	for i := range benchDocuments {
		d := state.Document{Path: benchPath(i), Hash: strings.Repeat("ab", 32), Stamp: state.Stamp{Size: 3000, ModTime: int64(i)}}
		must(b, db.PutDocument(d, text[i%64]))
	}
	must(b, db.Close())
}

func BenchmarkPutDocuments(b *testing.B) {
	for b.Loop() {
		file := filepath.Join(b.TempDir(), "state.db")
		stop := watch()
		fillDocuments(b, file)
		b.ReportMetric(stop(), "MB-peak")
		b.ReportMetric(megabytes(b, file), "MB-file")
	}
}

func benchEntry(i int) state.Entry {
	return state.Entry{
		ID: fmt.Sprintf("01K%017dABCDEF", i), Value: words(500, i%64),
		Keys: []string{benchPath(i * 7919 % 20000), fmt.Sprintf("session-%06d", i/10), fmt.Sprintf("actor-%d", i%5), "day-" + fmt.Sprint(i/500), "kind-" + fmt.Sprint(i%3)},
	}
}

func fillOperations(b *testing.B, file string) {
	db, err := state.Open(file, state.Options{})
	must(b, err)
	for i := 0; i < benchOperations; i += 500 {
		batch := make([]state.Entry, 500)
		for j := range batch {
			batch[j] = benchEntry(i + j)
		}
		must(b, db.PutOperations(batch, map[string]int64{"log": int64(i)}))
	}
	must(b, db.Close())
}

func BenchmarkPutOperations(b *testing.B) {
	for b.Loop() {
		file := filepath.Join(b.TempDir(), "state.db")
		stop := watch()
		fillOperations(b, file)
		b.ReportMetric(stop(), "MB-peak")
		b.ReportMetric(megabytes(b, file), "MB-file")
	}
}

func BenchmarkFilled(b *testing.B) {
	file := filepath.Join(b.TempDir(), "state.db")
	fillDocuments(b, file)
	fillOperations(b, file)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			db := open(b, file)
			must(b, db.Close())
		}
	})
	db := open(b, file)
	i := 0
	b.Run("document", func(b *testing.B) {
		for b.Loop() {
			i = (i + 7919) % benchDocuments
			if _, ok, err := db.Document(benchPath(i)); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("text", func(b *testing.B) {
		for b.Loop() {
			i = (i + 7919) % benchDocuments
			if _, ok, err := db.Text(benchPath(i)); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("documents", func(b *testing.B) {
		for b.Loop() {
			if n := len(collect(b, db.Documents())); n != benchDocuments {
				b.Fatal(n)
			}
		}
	})
	for _, key := range []string{"", "actor-3", benchPath(4)} {
		b.Run("newest50/"+key[:min(len(key), 7)], func(b *testing.B) {
			for b.Loop() {
				n := 0
				for _, err := range db.Operations(key, "") {
					must(b, err)
					if n++; n == 50 {
						break
					}
				}
			}
		})
	}
	b.Run("ending/none", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.IDsEndingWith("none", 10); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("putflush", func(b *testing.B) { // one document and one operation, synced
		for b.Loop() {
			i++
			must(b, db.PutDocument(doc(benchPath(i), "text"), []byte("text")))
			must(b, db.PutOperations([]state.Entry{benchEntry(benchOperations + i)}, nil))
			must(b, db.Flush())
		}
	})
}
