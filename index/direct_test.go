package index

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/index/pending"
	"kist/index/query"
	"kist/index/rank"
	"kist/vault"
	"kist/vault/vaulttest"
)

// medley is an archive of n documents of all kinds.
func medley(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`engine engines engineer boat boats bakery baking bake happy happiness relational relate sourdough
		water waters watering study studies studying café naïve overhaul schedule analysis theory hopping hop run running
		anchor anchors mooring diesel electric survey surveyor quotation costs decided decision zeppelin gondola`)
	german := strings.Fields(`die das und nicht häuser haus hauses größe großen straße straßen maschine maschinen laufen lief
		bäcker bäckerei wasser gewässer schön schöne über unter fluss flüsse zeitung zeitungen`)
	french := strings.Fields(`le la les des chevaux cheval nationaux national été élève élèves marché l'avion d'eau journaux journal mangeons manger`)
	russian := strings.Fields(`и не на дома дом домов книга книги книгу ёлка елка большой большая вода воды`)
	japanese := []string{"東京都", "京都", "東京タワー", "ﾃｽﾄ", "テスト", "水", "船のエンジン", "日本語の文章"}
	var s strings.Builder
	sentence := func(from []string) string {
		var out []string
		for range 4 + r.IntN(12) {
			out = append(out, from[r.IntN(len(from))])
		}
		return strings.Join(out, " ") + ".\n"
	}
	for i := range n {
		folder := []string{"notes", "projects/houseboat/notes", "projects/bakery/tasks", "memories"}[r.IntN(4)]
		fmt.Fprintf(&s, "-- %s/%s-%d.md --\n", folder, []string{"plan", "log", "idea", "Café"}[r.IntN(4)], i)
		if r.IntN(2) == 0 {
			fmt.Fprintf(&s, "---\nname: %s %d\nstatus: %s\ntags: [%s, deep/%s]\n", words[r.IntN(len(words))], i, []string{"done", "todo", "in progress"}[r.IntN(3)], words[r.IntN(8)], words[r.IntN(8)])
			if r.IntN(3) == 0 {
				fmt.Fprintf(&s, "type: %s\n", []string{"task", "recipe"}[r.IntN(2)])
			}
			if r.IntN(3) == 0 {
				fmt.Fprintf(&s, "date: 20%02d-0%d-11\n", 10+r.IntN(20), 1+r.IntN(9))
			}
			s.WriteString("---\n")
		}
		from := words
		switch r.IntN(10) {
		case 0:
			from = german
		case 1:
			from = french
		case 2:
			from = russian
		case 3:
			from = japanese
		}
		for j := range 1 + r.IntN(4) {
			fmt.Fprintf(&s, "# %s %d\n\nThe %s", from[r.IntN(len(from))], j, sentence(from))
			if r.IntN(5) == 0 {
				s.WriteString("It is to be or not to be, #" + words[r.IntN(8)] + ".\n")
			}
		}
	}
	return s.String()
}

// directQueries are of every class there is.
func directQueries() []string {
	return []string{
		"engine", "Engines", "happiness", "relational", "studies", "engine boat", "zeppelin gondola survey", "overhaul",
		"haus", "häuser", "haeuser", "Größe", "strasse", "fluss", "chevaux", "journaux", "élève", "eleve", "avion", "книгу", "дом", "ёлка",
		"東京", "京都", "京", "テスト", "エンジン",
		`"diesel electric"`, `"to be or not to be"`, `"engine`, "engine -boat", "-engine", `-"to be or not" engine`, `-"to be or not"`,
		"eng*", "studi*", "zepp* -boat", "caf*", "häus*", "type:task", "type:rec*", "-type:task engine", "tag:engine", "tag:deep", "tag:deep/b*", "-tag:engine",
		"status:done", `status:"in progress"`, "status:*", "-status:done", "status:do*", "nosuchkey:engine", "project:houseboat", "project:houseboat engine", "path:notes/", "path:*café*", "path:notes/ type:task",
		"after:2020", "before:2015-05", "-after:2020", "before:2015 engine", "lang:de", "lang:de haus", "title:engine", "heading:boat", "body:sourdough", `title:"engine 4"`,
		"the", "to be", "die", "plan", "cafe", "log 17", "", "zepelin", "ovrehaul", "xyzzyplugh", "hoping", "l'avion", "boat engine water costs decided anchors",
	}
}

// held opens an index that has compared the files and has indexed some of them.
func held(t testing.TB, v *vault.Vault, indexed func(path string) bool) *Index {
	t.Helper()
	x := open(t, v)
	d, err := x.compare(t.Context(), x.current, 0)
	if err != nil {
		t.Fatal(err)
	}
	x.begin(x.current, d)
	var some []string
	for _, p := range d.Changed {
		if indexed(p) {
			some = append(some, p)
		}
	}
	if err := x.publish(t.Context(), x.current, some, func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return x
}

// all is a query's answer with all its hits.
func all(t *testing.T, x *Index, text string) *rank.Results {
	t.Helper()
	return ask(t, x, Query{Text: text, Limit: query.MaxLimit, Mode: Text})
}

// assertSame checks that two answers name the same documents, with about the same
// scores: what isn't prepared is only estimated.
func assertSame(t *testing.T, q string, want, got *rank.Results, exact bool) {
	t.Helper()
	scores := map[string]float64{}
	for _, h := range want.Hits {
		scores[h.Path] = h.Score
	}
	for _, h := range got.Hits {
		score, ok := scores[h.Path]
		delete(scores, h.Path)
		switch apart := math.Abs(score - h.Score); {
		case !ok:
			t.Errorf("%q: %s is no hit", q, h.Path)
		case exact && apart > 1e-5 || apart > 0.02+score/10:
			t.Errorf("%q: %s has %.5f, not %.5f", q, h.Path, h.Score, score)
		}
	}
	for path := range scores {
		t.Errorf("%q: %s is missing", q, path)
	}
	if exact && !slices.Equal(paths(want), paths(got)) {
		t.Errorf("%q: order %q, want %q", q, paths(got), paths(want))
	}
	if diff := cmp.Diff(want.Corrected, got.Corrected); diff != "" || got.Total != want.Total {
		t.Errorf("%q: %d of %d, corrected (-want +got):\n%s", q, got.Total, want.Total, diff)
	}
}

// While the index is being built, an answer is the one of the finished index.
func TestDirectOnColdStart(t *testing.T) {
	archive := medley(rounds(t, 60))
	f := start(t, archive)
	whole := func(f rank.Freshness) bool {
		return f.Pending == 0 && !strings.Contains(f.Degraded, "time") && f.Direct > 0
	}
	want := map[string]*rank.Results{}
	for _, q := range directQueries() {
		want[q] = all(t, f.index, q)
	}
	for name, indexed := range map[string]func(string) bool{
		"nothing indexed": func(string) bool { return false },
		"a half indexed":  func(p string) bool { return strings.Contains(p, "plan") || strings.Contains(p, "log") },
	} {
		t.Run(name, func(t *testing.T) {
			v := vaulttest.New(t, archive)
			f.sameTimes(v)
			x := held(t, v, indexed)
			naive := 0
			for _, q := range directQueries() {
				got := inTime(t, x, q, whole)
				assertSame(t, q, want[q], got, false)
				if f := got.Freshness; !whole(f) {
					t.Errorf("%q: %+v", q, f)
				}
				if x.indexOnly(t, q) != want[q].Total {
					naive++
				}
			}
			if naive < 10 {
				t.Errorf("the index alone gives %d other answers only: this test can't tell good from bad", naive)
			}
		})
	}
}

// Where a word is in very many files, the best of them are prepared and the others counted:
// the answer is complete, and the first hits are about as good as those of the whole.
func TestDirectCountsTheRest(t *testing.T) {
	v := vaulttest.New(t, medley(800))
	x := held(t, v, func(p string) bool { return strings.Contains(p, "log") })
	for _, q := range []string{"engine", "boats hopping", "book", "haus"} {
		clauses, _, err := Query{Text: q}.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		look := func(shown int) (*rank.Results, *pending.Overlay) {
			over, degraded := x.direct(t.Context(), pending.Plan{Clauses: clauses, Shown: shown, Deadline: time.Now().Add(time.Minute)})
			if degraded != "" {
				t.Error(degraded)
			}
			t.Cleanup(over.Close)
			res, err := x.answerFrom(t.Context(), Query{Text: q, Mode: Text, Limit: 5}, clauses, over, plainly)
			if err != nil {
				t.Fatal(err)
			}
			return res, over
		}
		want, _ := look(0)
		got, over := look(5)
		if apart := got.Total - want.Total; apart < 0 || apart*100 > want.Total || len(got.Hits) != len(want.Hits) {
			t.Errorf("%q: %d of %d", q, got.Total, want.Total)
		}
		for i, h := range got.Hits {
			if math.Abs(h.Score-want.Hits[i].Score) > 0.03*want.Hits[i].Score {
				t.Errorf("%q: hit %d has %f, not %f", q, i, h.Score, want.Hits[i].Score)
			}
		}
		if over.Searched() != over.Number() || q == "engine" && over.Further() == 0 {
			t.Errorf("%q: %d of %d, and %d", q, over.Searched(), over.Number(), over.Further())
		}
	}
}

// indexOnly is the number of documents that a search finds without looking at files
// that aren't indexed.
func (x *Index) indexOnly(t *testing.T, text string) int {
	t.Helper()
	q := Query{Text: text, Limit: 1000, Mode: Text}
	clauses, _, err := q.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	res, err := x.answerFrom(t.Context(), q, clauses, nil, plainly)
	if err != nil {
		t.Fatal(err)
	}
	return res.Total
}

// sameTimes gives another vault's files the times of this one's.
func (f *fixture) sameTimes(other *vault.Vault) {
	f.Helper()
	err := f.vault.Walk(f.Context(), func(i vault.Info) error {
		return os.Chtimes(filepath.Join(other.Dir(), i.Path), i.ModTime, i.ModTime)
	}, nil)
	if err != nil {
		f.Fatal(err)
	}
}

func plainly(ctx context.Context, s *rank.Search) (*rank.Results, error) { return s.Run(ctx) }
