package index

import (
	"fmt"
	"kist/index/page"
	"kist/index/query"
	"kist/vault"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kist/index/intake"
	"kist/index/match"
	"kist/vault/vaulttest"
)

// Whether the words of a phrase stand together the index tells: of what it passes over no
// file has the phrase.
func TestAdjacent(t *testing.T) {
	words := []string{"boat", "boats", "keel", "of", "the", "oak", "running", "run", "e-mail", "don't", "Häfen", "3"}
	gaps := []string{" ", " ", ", ", "\n", "\n\n", ". ", "-"}
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	prose := func(gaps []string) string {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteString(pick(words) + pick(gaps))
		}
		return strings.TrimSpace(b.String())
	}
	var files strings.Builder
	for i := range 300 {
		fmt.Fprintf(&files, "-- %d.md --\n", i)
		if rng.IntN(2) == 0 {
			fmt.Fprintf(&files, "---\nsummary: %q\n---\n", prose([]string{" "}))
		}
		for range rng.IntN(4) {
			fmt.Fprintf(&files, "\n%s %s\n\n%s\n", strings.Repeat("#", 1+rng.IntN(3)), prose([]string{" "}), prose(gaps))
		}
	}
	f := start(t, files.String())
	texts := map[string]string{}
	for i := range 300 {
		path := fmt.Sprintf("%d.md", i)
		text, _, err := f.vault.ReadHead(path, page.MaxFile)
		if err != nil {
			t.Fatal(err)
		}
		// What begins in the front matter and goes on in the text is no phrase of either.
		texts[path] = strings.ReplaceAll(strings.ToLower(string(text)), "\n---\n", " zzz ")
	}
	left, kept := 0, 0
	for range 100 {
		phrase := pick(words) + " " + pick(words)
		if rng.IntN(2) == 0 {
			phrase += " " + pick(words)
		}
		found := paths(ask(t, f.index, Query{Text: `"` + phrase + `"`, Mode: Text, Limit: query.MaxLimit}))
		for path, text := range texts {
			switch {
			case !match.NewPhrase(phrase).In([]byte(text)):
				if !slices.ContainsFunc(strings.Fields(phrase), func(w string) bool { return !strings.Contains(text, w) }) {
					left++
				}
			case slices.Contains(found, path):
				kept++
			default:
				t.Fatalf("%q is in %s and was passed over:\n%s", phrase, path, text)
			}
		}
	}
	if left == 0 || kept == 0 {
		t.Errorf("%d left, %d kept: this proves nothing", left, kept)
	}
	t.Logf("%d left, %d kept", left, kept)
}

// Documents that have a phrase's words with other endings aren't hits, however many there are
// and however many of the best are.
func TestPhrasesOfOtherEndings(t *testing.T) {
	for phrase, c := range map[string]struct {
		other string
		told  bool // by the index, in which these are different forms
	}{"running boat": {"runs boats", true}, "sailed home": {"sails home", false}} {
		var files strings.Builder
		for i := range 120 {
			text := phrase
			if i >= 30 {
				text = c.other
			}
			fmt.Fprintf(&files, "-- %d.md --\n%s %s\n", i, strings.Repeat(text+", ", 1+i%3), strings.Repeat("filler ", i))
		}
		f := start(t, files.String())
		for _, limit := range []int{5, 10, 40, 200} {
			res := ask(t, f.index, Query{Text: `"` + phrase + `"`, Limit: limit})
			if len(res.Hits) != min(limit, 30) || c.told && res.Total != 30 {
				t.Errorf("%s, limit %d: %d hits of %d", phrase, limit, len(res.Hits), res.Total)
			}
			for _, h := range res.Hits {
				if !strings.Contains(h.Excerpt, phrase) {
					t.Errorf("limit %d: %s: %s", limit, h.Path, h.Excerpt)
				}
			}
		}
	}
}

// What stands in a path beside other words than a phrase has isn't counted.
func TestPhrasesAreNotOfPaths(t *testing.T) {
	var files strings.Builder
	for i := range 40 {
		fmt.Fprintf(&files, "-- notes/oak-the-crate-%d.md --\n# Filler\n", i)
	}
	for i := range 12 {
		fmt.Fprintf(&files, "-- notes/x-%d.md --\n%s\n", i, strings.Repeat("oak, but the crate, ", 20))
	}
	if res := ask(t, start(t, files.String()).index, Query{Text: `"but the crate"`, Mode: Text, Limit: 5}); res.Total != 12 {
		t.Errorf("%d, want 12", res.Total)
	}
}

// What comes among the best because it is new is read as well: the best by words alone say
// nothing of it.
func TestPhrasesAreReadBeforeTheyAreShown(t *testing.T) {
	v := vaulttest.New(t, small)
	for i := range 40 {
		text, age := "sailed home sailed home"+strings.Repeat(" words", 40), 3*365*24*time.Hour
		if i >= 10 {
			text, age = "sails home sails home"+strings.Repeat(" words", 41), time.Hour
		}
		name := filepath.Join(v.Dir(), fmt.Sprintf("%d.md", i))
		writeFile(t, name, text+"\n")
		if err := os.Chtimes(name, today().Add(-age), today().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	x := open(t, v)
	run(t, x)
	if err := x.Wait(t.Context(), v.Seq()); err != nil {
		t.Fatal(err)
	}
	if res := ask(t, x, Query{Text: "sailed home", Mode: Text, Limit: 5}); !strings.Contains(res.Hits[0].Excerpt, "sails") {
		t.Fatalf("the newest don't come first: this proves nothing: %+v", res.Hits[0])
	}
	for _, h := range ask(t, x, Query{Text: `"sailed home"`, Mode: Text, Limit: 5}).Hits {
		if !strings.Contains(h.Excerpt, "sailed home") {
			t.Errorf("%s: %s", h.Path, h.Excerpt)
		}
	}
}

// The section that is about the words is the one that is shown, wherever it stands.
func TestBestSectionIsShown(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		body := "Some words on oak and pine."
		if i == 120 {
			body = "A zeppelin, and how a zeppelin lands."
		}
		if i%50 == 0 {
			body += " The zeppelin is mentioned among many other things that have nothing to do with it at all, as is usual."
		}
		fmt.Fprintf(&text, "## Part %d\n\n%s %s\n\n", i, body, strings.Repeat("More of it. ", 30))
	}
	f := start(t, "-- long.md --\n# Long\n\n"+text.String()+"-- short.md --\n# Short\n\n## One\n\nA zeppelin among others.\n\n## Two\n\nZeppelin zeppelin.\n")
	res := ask(t, f.index, Query{Text: "zeppelin", Mode: Text})
	for _, h := range res.Hits {
		want := map[string]string{"long.md": "Long > Part 120", "short.md": "Short > Two"}[h.Path]
		if h.Heading != want {
			t.Errorf("%s: %q, want %q", h.Path, h.Heading, want)
		}
	}
	if res.Total != 2 {
		t.Errorf("%d found", res.Total)
	}
}

// A phrase whose words say little in one of the vault's languages is read in the documents of that
// language alone; of the others the index tells.
func TestPhrasesOfOneLanguageAreRead(t *testing.T) {
	var files strings.Builder
	for i := range 60 {
		fmt.Fprintf(&files, "-- en/%d.md --\n---\nlang: en\n---\nThe harbour has a die, and one keel %d.\n", i, i)
	}
	for i := range 12 {
		fmt.Fprintf(&files, "-- de/%d.md --\n---\nlang: de\n---\nHier liegt die keel am Ufer, Nummer %d.\n", i, i)
	}
	files.WriteString("-- en/a.md --\n---\nlang: en\n---\nWe cast a die keel of lead.\n")
	f := start(t, files.String())
	reads := &countedReads{Source: f.index.files.Source}
	f.index.files.Source = reads
	res := ask(t, f.index, Query{Text: `"die keel"`, Mode: Text, Limit: 20})
	if res.Total != 13 {
		t.Errorf("%d found", res.Total)
	}
	// 13 for what fits and 13 for the hits; both again where a merge of segments comes between.
	if n := reads.heads.Load(); n == 0 || n > 2*(13+13) {
		t.Errorf("%d files read", n)
	}
}

// countedReads counts how often a file is read.
type countedReads struct {
	intake.Source
	heads atomic.Int64
}

func (c *countedReads) ReadHead(path string, limit int64) ([]byte, vault.Info, error) {
	c.heads.Add(1)
	return c.Source.ReadHead(path, limit)
}

// Of a phrase with one word that counts the index tells by the words that are left out beside it,
// so that few other files are read.
func TestPhrasesOfOneWordThatCounts(t *testing.T) {
	var files strings.Builder
	for i := range 120 {
		fmt.Fprintf(&files, "-- %d.md --\nSail for a goal of mine, or another goal at sea %d.\n", i, i)
	}
	for i := range 40 {
		fmt.Fprintf(&files, "-- h%d.md --\n# Goal\n\nIt is in an end_zone goal %d.\n\n## Goals\n\nMore.\n", i, i)
		fmt.Fprintf(&files, "-- zh/%d.md --\n---\nlang: zh\n---\n我们的 goal 是远航，第 %d 天。\n", i, i)
	}
	files.WriteString("-- a.md --\nAnd the goal in sight, then.\n-- b.md --\n# More\n\nSee *The Goal* in sight.\n-- c.md --\n# Here is the goal\n\nIn sight.\n")
	f := start(t, files.String())
	reads := &countedReads{Source: f.index.files.Source}
	f.index.files.Source = reads
	if found := paths(ask(t, f.index, Query{Text: `"the goal in"`, Mode: Text})); len(found) != 3 {
		t.Errorf("found %q", found)
	}
	if n := reads.heads.Load(); n == 0 || n > 15 {
		t.Errorf("%d files read", n)
	}
}
