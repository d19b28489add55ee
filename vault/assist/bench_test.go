package assist_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"kist/vault/assist"
	"kist/vault/names"
)

// TestSpeed prints how long questions take in a vault of so many documents:
// KIST_ASSIST_FILES=100000 go test -run Speed -v ./vault/assist
func TestSpeed(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("KIST_ASSIST_FILES"))
	if n == 0 {
		t.Skip("KIST_ASSIST_FILES says how many documents")
	}
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"plan", "budget", "garden", "boat", "letter", "review", "meeting", "recipe", "travel", "tax"}
	name := func(i int) string { return fmt.Sprintf("%s %s %d", words[i%10], words[i/10%10], i) }
	files := map[string]string{"hub.md": "# Hub\n## Part\n"}
	for i := range n {
		text := fmt.Sprintf("---\ntags: [t%d]\n---\n# %s\n\nSee [[%s]] and [[%s]].\n\n## What was said\n\n## A part of it\n\n", i%500, name(i), name(r.IntN(n)), name(r.IntN(n)))
		if i < 1000 {
			text += "[[hub#Part|x]]\n"
		}
		for range 30 {
			text += "Some words of a paragraph that says little about anything at all.\n"
		}
		files[fmt.Sprintf("d%d/%s.md", i%97, name(i))] = text
	}
	f := start(t, files)
	times := func(what string, rounds int, ask func(i int) error) {
		var all []time.Duration
		for i := range rounds {
			began := time.Now()
			if err := ask(i); err != nil {
				t.Fatal(what, err)
			}
			all = append(all, time.Since(began))
		}
		slices.Sort(all)
		t.Logf("%-22s p50 %8v  p95 %8v", what, all[len(all)/2].Round(10*time.Microsecond), all[len(all)*95/100].Round(10*time.Microsecond))
	}
	ctx := t.Context()
	times("first question", 1, func(int) error { _, err := f.desk.Tags(ctx, nil, "t1"); return err })
	prefixes := []string{"", "b", "bud", "garden bo", "boat 1", "nothing", "tax tax 9"}
	times("completion of notes", 100, func(i int) error {
		_, err := f.desk.Complete(ctx, assist.Question{}, assist.Blank{Kind: assist.Note, Prefix: prefixes[i%len(prefixes)]}, 0)
		return err
	})
	times("completion of tags", 100, func(i int) error {
		_, err := f.desk.Complete(ctx, assist.Question{}, assist.Blank{Kind: assist.Tag, Prefix: "t1"}, 0)
		return err
	})
	times("headings of all", 100, func(i int) error {
		_, err := f.desk.Complete(ctx, assist.Question{}, assist.Blank{Kind: assist.Heading, Prefix: []string{"part", "a", "nothing", ""}[i%4]}, 200)
		return err
	})
	times("definition", 100, func(i int) error {
		b := names.Buffer{Path: "q.md", Text: []byte("[[" + name(i) + "]]")}
		_, ok, err := f.desk.Resolve(ctx, assist.Question{Path: "q.md", At: 4, Buffers: []names.Buffer{b}})
		if !ok {
			t.Error("no link")
		}
		return err
	})
	times("check", 100, func(i int) error {
		_, _, err := f.desk.Check(ctx, assist.Question{Path: fmt.Sprintf("d%d/%s.md", i%97, name(i))})
		return err
	})
	began := time.Now()
	plan, err := f.desk.PlanRename(ctx, f.at("hub.md", "Part", 1), "Portion")
	planned := time.Since(began)
	f.apply(plan, err)
	t.Logf("rename of a heading with %d linking documents: planned in %v, in all %v", len(plan.Step.Changes)-1, planned, time.Since(began))
}
