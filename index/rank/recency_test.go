package rank

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"kist/index/day"
	"kist/index/manifest"
	"kist/index/store"

	"pgregory.net/rapid"
)

// dated is a search of files that were written today.
func dated(paths ...string) *Search {
	m := manifest.New("", "")
	for _, p := range paths {
		m.Files[p] = manifest.Entry{Mtime: time.Now().UnixNano()}
	}
	return &Search{
		scorer: &scorer{View: store.View{Paths: paths}}, Desk: NewDesk(nil, new(sync.Mutex)), Manifest: m, Limit: 10,
	}
}

// Rounding makes no two scores change places, and one below zero isn't lowered.
func TestRecencyRounds(t *testing.T) {
	s := dated("a.md", "b.md", "c.md")
	number := func(path string) int32 { return int32(slices.Index(s.View.Paths, path)) }
	equal := 0
	for score := float32(1.95); score < 1.9501; score = math.Nextafter32(score, 2) {
		in := []ranked{{file: number("b.md"), score: math.Nextafter32(score, 2)}, {file: number("a.md"), score: score}, {file: number("c.md"), score: -score}}
		out := top(s.favourRecent(t.Context(), in, nil), 3, s.View.Paths)
		if out[0].file != in[0].file || out[1].file != in[1].file || out[2] != in[2] {
			t.Fatalf("%v became %v", in, out)
		}
		if out[0].score == out[1].score {
			equal++
		}
	}
	if equal == 0 {
		t.Error("no scores became equal: this test can't tell good from bad")
	}
}

// A score rises by at most a twentieth, never falls, and the newer the more.
func TestRecencyFactor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := day.NumberOf(time.Now())
		at := func(label string) time.Time {
			return time.Now().AddDate(0, 0, rapid.IntRange(-30_000, 2000).Draw(t, label))
		}
		a, b := at("a"), at("b")
		if a.Before(b) {
			a, b = b, a
		}
		newer, older := recency(manifest.Entry{Mtime: a.UnixNano()}, now), recency(manifest.Entry{Mtime: b.UnixNano()}, now)
		if older.Factor < 1 || newer.Factor > 1+recencyWeight || newer.Factor < older.Factor {
			t.Fatalf("%+v, older %+v", newer, older)
		}
		if dated := recency(manifest.Entry{Revised: day.Of(a)}, now); dated != newer {
			t.Fatalf("%v: %+v by its front matter, %+v by its time", a, dated, newer)
		}
	})
}

// What age costs a search that finds much.
func BenchmarkRecency(b *testing.B) {
	var paths []string
	for i := range 12_000 {
		paths = append(paths, fmt.Sprint(i))
	}
	s := dated(paths...)
	var found []ranked
	for i := range s.View.Paths {
		found = append(found, ranked{file: int32(i), score: float32(i*7919%len(s.View.Paths) + 1)})
	}
	b.Run("with", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			top(s.favourRecent(b.Context(), found, nil), s.Limit+50, s.View.Paths)
		}
	})
	b.Run("without", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			top(found, s.Limit+50, s.View.Paths)
		}
	})
}
