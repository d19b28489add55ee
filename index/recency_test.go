package index

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/index/query"
	"kist/index/rank"
	"kist/vault"
	"kist/vault/vaulttest"
)

// writtenAgo gives a file the time of some days ago.
func writtenAgo(t testing.TB, v *vault.Vault, path string, days int) {
	t.Helper()
	at := today().AddDate(0, 0, -days)
	if err := os.Chtimes(filepath.Join(v.Dir(), path), at, at); err != nil {
		t.Fatal(err)
	}
}

// aged starts an index of files that were written so many days ago.
func aged(t *testing.T, archive string, days map[string]int) *fixture {
	t.Helper()
	v := vaulttest.New(t, archive)
	for path, n := range days {
		writtenAgo(t, v, path, n)
	}
	f := &fixture{T: t, vault: v}
	f.index = open(t, v)
	f.follow()
	return f
}

// Of equally good documents the newest is first, in every mode; a better one stays
// before all of them, however old it is.
func TestRecency(t *testing.T) {
	const same = "The kestrel is back.\n"
	f := aged(t, topical(60)+"-- a.md --\n"+same+"-- b.md --\n"+same+"-- c.md --\n"+same+
		"-- d.md --\n# Kestrel\n\nThe kestrel and the kestrel's nest.\n",
		map[string]int{"a.md": 400, "b.md": 0, "c.md": 41, "d.md": 4000})
	f.waitVectors()
	f.index.searches.Enough = 0
	for _, mode := range []Mode{Hybrid, Text, Vector} {
		got := paths(checkExplained(t, f.index, Query{Text: "kestrel", Mode: mode}))
		got = slices.DeleteFunc(got, func(p string) bool { return strings.Contains(p, "/") })
		want := []string{"d.md", "b.md", "c.md", "a.md"}
		if mode == Vector { // all four are about one thing
			got, want = slices.DeleteFunc(got, func(p string) bool { return p == "d.md" }), want[1:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("mode %d: %v", mode, got)
		}
	}
	got := map[string]rank.RecencyPart{}
	for _, h := range ask(t, f.index, Query{Text: "kestrel", Mode: Text, Explain: true}).Hits {
		got[h.Path] = *h.Why.Recency
	}
	want := map[string]rank.RecencyPart{
		"a.md": {Factor: 1 + .05*math.Exp2(-400./90), Days: 400},
		"b.md": {Factor: 1.05},
		"c.md": {Factor: 1 + .05*math.Exp2(-41./90), Days: 41},
		"d.md": {Factor: 1 + .05*math.Exp2(-4000./90), Days: 4000},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The front matter knows better than the file's time, and a change counts rather than
// the beginning.
func TestRecencyOfFrontMatter(t *testing.T) {
	for name, c := range map[string]struct {
		matter string
		want   rank.RecencyPart
	}{
		"nothing":           {"", rank.RecencyPart{Days: 10}},
		"created":           {"created: 2026-11-01T23:00:00Z\n", rank.RecencyPart{Days: 10}},
		"date":              {"date: 2026-10-20\ncreated: 2026-11-01\n", rank.RecencyPart{Days: 31}},
		"updated":           {"updated: 2026-11-19 10:00\ndate: 2026-10-20\n", rank.RecencyPart{Days: 1}},
		"modified":          {"modified: 2026-11-18\ncreated: 2026-11-01\n", rank.RecencyPart{Days: 2}},
		"lastmod":           {"lastmod: 2026-11-17\n", rank.RecencyPart{Days: 3}},
		"no date":           {"updated: often\ncreated: long ago\n", rank.RecencyPart{Days: 10}},
		"the future":        {"date: 2031-01-01\n", rank.RecencyPart{}},
		"a month of a year": {"updated: 2026-09\n", rank.RecencyPart{Days: 80}},
	} {
		t.Run(name, func(t *testing.T) {
			f := aged(t, "-- a.md --\n---\ntags: [x]\n"+c.matter+"---\nkestrel\n", map[string]int{"a.md": 10})
			c.want.Factor = 1 + .05*math.Exp2(-float64(c.want.Days)/90)
			if diff := cmp.Diff(&c.want, checkExplained(t, f.index, Query{Text: "kestrel"}).Hits[0].Why.Recency); diff != "" {
				t.Error(diff)
			}
		})
	}
	// before: and after: go by the date alone.
	f := aged(t, "-- a.md --\n---\nupdated: 2026-11-19\ndate: 2020-01-01\n---\nkestrel\n", nil)
	if res := f.search("kestrel before:2021"); res.Total != 1 {
		t.Error("a change counts as the date")
	}
}

// Dates are kept with the index.
func TestRecencyAfterRestart(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\n---\nupdated: 2026-11-19\n---\nkestrel\n-- b.md --\nkestrel\n")
	x, err := Open(v, Options{})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, x)
	f := &fixture{T: t, vault: v, index: x}
	f.wait()
	stop()
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = open(t, v)
	if e := x.current.manifest.Files["a.md"]; e.Revised != 20261119 || x.current.manifest.Files["b.md"].Revised != 0 {
		t.Errorf("%+v", e)
	}
}

// Where all files were written at once, as by a clone, age changes no order, whenever
// that was; and it never changes the order of what isn't ranked.
func TestRecencyOfClone(t *testing.T) {
	minutes := 0
	v := vaulttest.New(t, strings.ReplaceAll(topical(90)+medley(40), "date: ", "day: "))
	err := v.Walk(t.Context(), func(i vault.Info) error {
		minutes++ // a clone takes a while
		at := today().Add(-time.Duration(minutes) * time.Minute)
		return os.Chtimes(filepath.Join(v.Dir(), i.Path), at, at)
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{T: t, vault: v, index: open(t, v)}
	f.follow()
	f.waitVectors()
	f.index.searches.Enough = 0
	queries := []string{"hull", "hull keel", "rye", "invoice dough mast", "engine boat", "studi*", "engine -boat", "the", "plan", ""}
	order := func(ago int, mode Mode) (all [][]string) {
		f.index.searches.Now = func() time.Time { return today().AddDate(0, 0, ago) }
		for _, q := range queries {
			all = append(all, paths(ask(t, f.index, Query{Text: q, Limit: 100, Mode: mode})))
		}
		return all
	}
	for _, mode := range []Mode{Hybrid, Text, Vector} {
		never := order(100_000, mode) // where the factor is 1
		for _, days := range []int{0, 50} {
			if diff := cmp.Diff(never, order(days, mode)); diff != "" {
				t.Errorf("mode %d, after %d days (-never +now):\n%s", mode, days, diff)
			}
		}
	}
}

func TestRecencyOfListing(t *testing.T) {
	f := aged(t, "-- a.md --\n---\ndate: 2026-11-20\n---\nold\n-- b.md --\nnew\n", map[string]int{"a.md": 50, "b.md": 5})
	for _, q := range []string{"", "path:*.md", "-nothing"} {
		if res := checkExplained(t, f.index, Query{Text: q}); !slices.Equal(paths(res), []string{"b.md", "a.md"}) || res.Hits[0].Score != 0 || res.Hits[0].Why.Recency != nil {
			t.Errorf("%q: %+v", q, res.Hits)
		}
	}
}

// Only the best count; what comes after them is as it was.
func TestRecencyOfTheBest(t *testing.T) {
	const fused = 200
	var archive strings.Builder
	for i := range fused + 5 {
		fmt.Fprintf(&archive, "-- %03d.md --\nkestrel\n", i)
	}
	v := vaulttest.New(t, archive.String())
	for i := range fused + 5 {
		writtenAgo(t, v, fmt.Sprintf("%03d.md", i), 500-i)
	}
	writtenAgo(t, v, fmt.Sprintf("%03d.md", fused+1), 0)
	f := &fixture{T: t, vault: v, index: open(t, v)}
	f.follow()
	res := checkExplained(t, f.index, Query{Text: "kestrel", Limit: query.MaxLimit})
	got := paths(res)
	if got[0] != "199.md" || got[fused-1] != "000.md" || !slices.IsSorted(got[fused:]) || got[fused] != "200.md" {
		t.Error(got)
	}
	for i, h := range res.Hits {
		if (h.Why.Recency == nil) != (i >= fused) {
			t.Errorf("result %d: %+v", i+1, h.Why)
		}
	}
	few := paths(checkExplained(t, f.index, Query{Text: "kestrel", Limit: 3}))
	if !slices.Equal(few, got[:3]) {
		t.Errorf("%v of three, %v of all", few, got[:3])
	}
}

// What is the same but for its age is told apart by it.
func TestRecencyInWhyNot(t *testing.T) {
	f := aged(t, "-- a.md --\nThe kestrel.\n-- b.md --\nThe kestrel.\n", map[string]int{"a.md": 400})
	w := ask(t, f.index, Query{Text: "kestrel", Limit: 1, WhyNot: "a.md"}).WhyNot
	if w.Verdict != rank.Ranked || w.Reason != "it is number 2 of 2; 1 are shown" || w.LastPath != "b.md" || len(w.Differences()) != 0 {
		t.Errorf("%+v", w)
	}
	if w.Last.Score <= w.Why.Score || w.Last.Text.Share != w.Why.Text.Share || w.Last.Recency.Factor != 1.05 || w.Why.Recency.Days != 400 {
		t.Errorf("%+v, the last one %+v", w.Why, w.Last)
	}
}

// A file counts as old whether the index holds it or it is found directly.
func TestRecencyDirect(t *testing.T) {
	archive := medley(40) + "-- x.md --\n---\nupdated: 2026-11-01\n---\nThe engine, to be or not to be.\n"
	f := &fixture{T: t, vault: vaulttest.New(t, archive)}
	old := 0
	err := f.vault.Walk(t.Context(), func(i vault.Info) error {
		old += 7
		writtenAgo(t, f.vault, i.Path, old)
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.index = open(t, f.vault)
	f.follow()
	v := vaulttest.New(t, archive)
	f.sameTimes(v)
	x := held(t, v, func(string) bool { return false })
	ages := func(x *Index, q string) map[string]rank.RecencyPart {
		all := map[string]rank.RecencyPart{}
		for _, h := range ask(t, x, Query{Text: q, Limit: query.MaxLimit, Mode: Text, Explain: true}).Hits {
			if h.Why.Recency != nil {
				all[h.Path] = *h.Why.Recency
			}
		}
		return all
	}
	compared, read := 0, 0
	for _, q := range []string{"engine", "haus", "studi*", "engine -boat", "before:2015 engine", "the", "to be", `"to be or not to be"`} {
		want := ages(f.index, q)
		for path, got := range ages(x, q) { // that none is missing is another test's business
			if want, ok := want[path]; ok && got != want {
				t.Errorf("%q: %s: %+v, by the index %+v", q, path, got, want)
			}
			if compared++; path == "x.md" && got.Days == 19 && (q == "the" || q == "to be") {
				read++
			}
		}
	}
	if compared < 50 || read == 0 {
		t.Errorf("%d compared, %d dated files found by reading: this test can't tell good from bad", compared, read)
	}
}
