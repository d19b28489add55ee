package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kist/index/bm25"
	"kist/index/rank"
)

// checkExplained asks with and without explanations. Whatever is shown as a sum is the
// sum of what is shown as its parts, and the scores are those that ranked.
func checkExplained(t *testing.T, x *Index, q Query) *rank.Results {
	t.Helper()
	plain := ask(t, x, q)
	q.Explain = true
	res := ask(t, x, q)
	if got, want := paths(res), paths(plain); !slices.Equal(got, want) || res.Total != plain.Total {
		t.Fatalf("%+v: %v explained, %v not", q, got, want)
	}
	for i, h := range res.Hits {
		if h.Why == nil || h.Why.Score != h.Score || h.Why.Rank != i+1 {
			t.Fatalf("%+v: hit %d: %+v explained by %+v", q, i, h, h.Why)
		}
		if off := math.Abs(h.Score - plain.Hits[i].Score); off > 1e-4*max(1, h.Score) {
			t.Errorf("%+v: %s ranked by %v, explained as %v", q, h.Path, plain.Hits[i].Score, h.Score)
		}
		for _, fault := range faults(*res.Plan, *h.Why) {
			t.Errorf("%+v: %s: %s", q, h.Path, fault)
		}
	}
	return res
}

// faults are the sums that don't add up.
func faults(plan rank.Plan, why rank.Explanation) (all []string) {
	equal := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9 || math.IsNaN(got) {
			all = append(all, fmt.Sprintf("%s is %v, its parts make %v", what, got, want))
		}
	}
	factor := 1.0
	if r := why.Recency; r != nil {
		factor = r.Factor
		equal("a factor", factor, 1+0.05*math.Pow(2, -float64(r.Days)/90))
	}
	equal("the score", why.Score, (why.Text.Share+why.Vector.Share)*factor+why.Named)
	sum := 0.0
	for _, w := range slices.Concat(why.Text.Words, why.Text.Section) {
		freq, score := 0.0, 0.0
		for _, f := range w.Fields {
			equal("a field's frequency", f.Freq, f.Weight*float64(f.Count)/(1-bm25.B+bm25.B*f.Length/f.Average))
			freq, score = freq+f.Freq, score+f.Score
		}
		equal("a word's frequency", w.Freq, freq)
		equal("a word's score", w.Score, score)
		equal("a word's score", w.Score, w.IDF*w.Freq*(bm25.K1+1)/(w.Freq+bm25.K1))
		equal("an idf", w.IDF, max(1e-6, math.Log(1+(float64(plan.Documents-w.Documents)+0.5)/(float64(w.Documents)+0.5))))
		sum += w.Score
	}
	if plan.Ranking != rank.ByReading {
		equal("the words' part", why.Text.Score, sum)
	}
	switch plan.Ranking {
	case rank.ByFusion:
		equal("the words' share", why.Text.Share, plan.Words.Weight*why.Text.Normal+why.Text.Order)
		equal("the vector's share", why.Vector.Share, plan.Near.Weight*why.Vector.Normal)
		if n := plan.Words; why.Text.Normal > 0 && n.Best > n.Worst {
			equal("a normal score", why.Text.Normal, (why.Text.Score-n.Worst)/(n.Best-n.Worst))
		}
	case rank.ByVector:
		equal("the vector's share", why.Vector.Share, why.Vector.Cosine)
	case rank.ByWords:
		equal("the words' share", why.Text.Share, why.Text.Score)
	}
	return all
}

// TestFaults shows that the sums are looked at.
func TestFaults(t *testing.T) {
	f := start(t, "-- a.md --\n# Boat\n\nA boat has a keel.\n-- b.md --\nkeel\n")
	res := ask(t, f.index, Query{Text: "boat keel", Explain: true})
	why := *res.Hits[0].Why
	if all := faults(*res.Plan, why); len(all) > 0 {
		t.Fatal(all)
	}
	for i, change := range []func(*rank.Explanation){
		func(e *rank.Explanation) { e.Score += 1e-6 },
		func(e *rank.Explanation) { e.Recency = nil },
		func(e *rank.Explanation) { e.Recency.Factor += 1e-6 },
		func(e *rank.Explanation) { e.Recency.Days++ },
		func(e *rank.Explanation) { e.Text.Score += 1e-6 },
		func(e *rank.Explanation) { e.Text.Share -= 1e-6 },
		func(e *rank.Explanation) { e.Text.Words[0].Score += 1e-6 },
		func(e *rank.Explanation) { e.Text.Words[0].Fields[0].Score += 1e-6 },
		func(e *rank.Explanation) { e.Text.Words[0].Fields[0].Count++ },
		func(e *rank.Explanation) { e.Text.Words[0].Documents++ },
		func(e *rank.Explanation) { e.Text.Section[0].Score += 1e-6 },
		func(e *rank.Explanation) { e.Text.Section = nil },
	} {
		wrong, recency := why, *why.Recency
		wrong.Recency = &recency
		wrong.Text.Words = slices.Clone(why.Text.Words)
		wrong.Text.Section = slices.Clone(why.Text.Section)
		wrong.Text.Words[0].Fields = slices.Clone(why.Text.Words[0].Fields)
		if change(&wrong); len(faults(*res.Plan, wrong)) == 0 {
			t.Errorf("change %d isn't seen", i)
		}
	}
}

// TestExplain: explanations add up for queries of all kinds, in all modes, with
// vectors and without.
func TestExplain(t *testing.T) {
	f := start(t, topical(90)+"-- mixed.md --\n---\ntags: [deck]\n---\n# Hull and dough\n\n## Keel\n\nThe hull keel, keel-hauled.\n\n## Rye\n\nrye rye\n-- de.md --\n---\nlang: de\n---\nDie Häfen der Segel und der Anker, mit einer Rechnung an den Hafen.\n")
	f.waitVectors()
	f.index.searches.Enough = 0
	queries := []string{
		"hull", "hull keel", "hull hull", "hull*", "title:hull keel", `"hull keel"`, "keel-hauled", "winch -keel",
		"rye tag:deck", "Hafen anchor", "keal", "nothing", "tag:deck", "", "the", "path:boat/ deck rope", "title:hull", "body:rye",
		"invoice dough mast", "hull and dough", "mixed", "tag:deck mixed",
	}
	for _, mode := range []Mode{Hybrid, Text, Vector} {
		for _, text := range queries {
			checkExplained(t, f.index, Query{Text: text, Mode: mode, Limit: 30})
		}
	}
	if res := checkExplained(t, f.index, Query{Text: "hull keel"}); res.Plan.Ranking != rank.ByFusion || len(res.Plan.Feedback) != 3 {
		t.Errorf("%+v", res.Plan)
	}
	setVectors(f.index, nil)
	for _, text := range queries {
		checkExplained(t, f.index, Query{Text: text, Limit: 30})
	}
}

// TestExplainAnything: whatever is in the vault and in the query, it adds up.
func TestExplainAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	words := strings.Fields("a the tide mast deck sail e-mail Häuser naïve 東京 running run don't")
	text := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(words[r.IntN(len(words))] + []string{" ", " ", "\n\n# "}[r.IntN(3)])
		}
		return b.String()
	}
	var archive strings.Builder
	for i := range 40 {
		fmt.Fprintf(&archive, "-- %d.md --\n%s\n", i, text(40))
	}
	f := start(t, archive.String())
	f.waitVectors()
	for range 60 {
		q := Query{Text: strings.NewReplacer("#", "", "\n", "").Replace(text(4)), Mode: Mode(r.IntN(3)), Limit: 1 + r.IntN(40)}
		checkExplained(t, f.index, q)
	}
}

// TestWhyNot: every reason for which a document may not be shown is told.
func TestWhyNot(t *testing.T) {
	f := start(t, `
-- .gitignore --
secret/
-- a.md --
---
tags: [fleet]
status: open
---
# Boat

A boat has a keel and a boat has a mast.
-- b.md --
A boat is far away in this long text about many other things such as gardens and bread and the weather of the year.
-- c.md --
Bread needs rye.
-- secret/d.md --
boat
-- notes.txt --
boat
-- .hidden/e.md --
boat
`)
	for _, c := range []struct {
		query, path string
		verdict     rank.Verdict
		reason      string
	}{
		{"boat", "a.md", rank.Shown, "it is result 1"},
		{"boat", "b.md", rank.Ranked, "it is number 2 of 2; 1 are shown"},
		{"boat", "c.md", rank.Unmatched, "it has none of the words"},
		{"boat", "none.md", rank.Missing, "no such file"},
		{"boat", "../none.md", rank.Missing, "no such file"},
		{"boat", "secret/d.md", rank.Unindexed, ".gitignore"},
		{"boat", "secret", rank.Unindexed, "not a regular file"},
		{"boat", "notes.txt", rank.Unindexed, "no Markdown"},
		{"boat", ".hidden/e.md", rank.Unindexed, "hidden"},
		{"boat tag:fleet", "b.md", rank.Filtered, "it doesn't meet tag:fleet"},
		{"boat status:open", "b.md", rank.Filtered, "it doesn't meet status:open"},
		{"boat path:x/", "a.md", rank.Filtered, "it doesn't meet path:x/"},
		{"boat after:2999", "a.md", rank.Filtered, "it doesn't meet after:2999"},
		{"boat type:task", "a.md", rank.Filtered, "it doesn't meet type:task"},
		{"boat -keel", "a.md", rank.Excluded, "the query excludes it: -keel"},
		{`boat -"a keel"`, "a.md", rank.Excluded, `the query excludes it: -"a keel"`},
		{`"boat keel"`, "a.md", rank.Filtered, `it doesn't meet "boat keel"`},
		{"title:keel", "a.md", rank.Filtered, "it doesn't meet title:keel"},
		{"heading:keel", "a.md", rank.Filtered, "it doesn't meet heading:keel"},
		{"body:ke*", "c.md", rank.Filtered, "it doesn't meet body:ke*"},
	} {
		res := ask(t, f.index, Query{Text: c.query, Limit: 1, WhyNot: c.path})
		w := res.WhyNot
		if w == nil || w.Path != c.path || w.Verdict != c.verdict || !strings.Contains(w.Reason, c.reason) {
			t.Errorf("%s, %s: %+v", c.query, c.path, w)
		}
		if (w.Why == nil) != (c.verdict == rank.Missing || c.verdict == rank.Unindexed) {
			t.Errorf("%s, %s: explained by %+v", c.query, c.path, w.Why)
		}
	}
	w := ask(t, f.index, Query{Text: "boat keel mast -rye", Limit: 1, WhyNot: "b.md"}).WhyNot
	if !slices.Equal(w.Lacking, []string{"keel", "mast"}) || w.LastPath != "a.md" || !slices.Equal(w.Conditions, []rank.Condition{{Text: "-rye", Met: true}}) {
		t.Errorf("%+v", w)
	}
	d := w.Differences()
	if len(d) != 3 || d[2].Word != "boat" || d[2].Here <= 0 || d[2].There <= d[2].Here || d[0].Here != 0 {
		t.Errorf("differences %+v", d)
	}
}

// TestWhyNotFar: where meaning counts, it is told how far away a document is.
func TestWhyNotFar(t *testing.T) {
	f := start(t, topical(90))
	f.waitVectors()
	f.index.searches.Enough = 0
	w := ask(t, f.index, Query{Text: "hull keel", WhyNot: "bread/001.md"}).WhyNot
	if w.Verdict != rank.Unmatched || !strings.Contains(w.Reason, "too far away in meaning: cosine ") || !w.Why.Vector.Known {
		t.Errorf("%+v %+v", w, w.Why)
	}
}

// Vectors learned here count less where documents are long, and the explanation says so.
func TestVectorsCountByLength(t *testing.T) {
	texts := func(sections int) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "-- %d.md --\n", i)
			for j := range sections {
				fmt.Fprintf(&b, "# Part %d\n\nThe boat number %d has a keel, a mast and a sail of part %d. %s\n\n", j, i, j, strings.Repeat("Oak and pine. ", 20))
			}
		}
		return b.String()
	}
	for _, c := range []struct {
		sections int
		want     float64
	}{{1, 0.3}, {12, 0.3 / (1 + math.Log(12))}} {
		f := start(t, texts(c.sections))
		f.waitVectors()
		res := ask(t, f.index, Query{Text: "boat keel", Explain: true})
		if res.Plan.Ranking != rank.ByFusion || math.Abs(res.Plan.Near.Weight-c.want) > 1e-6 || math.Abs(res.Plan.Words.Weight-1+c.want) > 1e-6 {
			t.Errorf("%d sections: %+v, want a weight of %v", c.sections, res.Plan, c.want)
		}
	}
}
