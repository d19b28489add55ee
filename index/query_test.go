package index

import (
	"context"
	"errors"
	"kist/index/query"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestQueryLimits(t *testing.T) {
	f := start(t, small)
	if _, err := f.index.Search(context.Background(), Query{Text: strings.Repeat("x", query.MaxQuery+1)}); !errors.Is(err, ErrQuery) {
		t.Errorf("over-long query: %v", err)
	}
	f.finds(strings.Repeat("nothing ", 5000) + "sourdough") // words beyond the limit are ignored
	f.finds("!?")
	f.finds(strings.Repeat(`"`, 1001))
	f.finds(strings.Repeat("(", 1000) + "*.*[a-z]+{1,9999}" + strings.Repeat(")", 1000))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.index.Search(ctx, Query{Text: "engine"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestListing(t *testing.T) {
	f := start(t, small)
	touch(t, f.vault.Dir(), "memories/tea.md", "2030-01-02")
	touch(t, f.vault.Dir(), "notes/bread.md", "2030-01-01")
	f.compareNow()
	if got := paths(f.search("")); len(got) != 4 || got[0] != "memories/tea.md" || got[1] != "notes/bread.md" {
		t.Errorf("newest first: %q", got)
	}
	res := ask(t, f.index, Query{Limit: 1})
	if len(res.Hits) != 1 || res.Total != 4 {
		t.Errorf("limit: %+v", res)
	}
	f.finds("-engine -type:task", "memories/tea.md")
	if h := f.search("type:memory").Hits[0]; h.Excerpt != "Likes green tea, never black." || h.Line != 1 || len(h.Highlights) != 0 {
		t.Errorf("hit %+v", h)
	}
}

func TestCorrection(t *testing.T) {
	f := start(t, small)
	res := f.search("sourdogh engin")
	if len(res.Corrected) != 1 || res.Corrected["sourdogh"] == "" || res.Total != f.search("sourdough engine").Total {
		t.Errorf("beside a word that there is: %d, %v", res.Total, res.Corrected)
	}
	if res = f.search(`"sourdogh" engine`); len(res.Corrected) != 0 || res.Total != 0 {
		t.Errorf("quoted: %+v", res)
	}
	if res = f.search("breal"); res.Corrected["breal"] != "bread" {
		t.Errorf("a short word alone: %v", res.Corrected)
	}
	if res = f.search("breal engine"); res.Corrected["breal"] != "bread" {
		t.Errorf("a short word beside one that bread stands with: %v", res.Corrected)
	}
	if res = f.search("breal tea"); len(res.Corrected) != 0 {
		t.Errorf("a short word beside another: %v", res.Corrected)
	}
	if res = f.search("title:sourdough"); len(res.Corrected) != 0 {
		t.Errorf("a word that is elsewhere: %v", res.Corrected)
	}
	if res = f.search("sourdogh"); len(res.Hits) != 1 || res.Corrected["sourdogh"] == "" {
		t.Errorf("got %+v", res)
	}
	f.write("typo.md", "houseboad") // a typo of the user's is no better than the word
	f.write("more.md", "houseboat")
	f.compareNow()
	if res = f.search("houseboaf"); res.Corrected["houseboaf"] != "houseboat" {
		t.Errorf("corrected %v", res.Corrected)
	}
	os.Remove(filepath.Join(f.vault.Dir(), "typo.md")) // nor is one that is gone
	f.compareNow()
	if res = f.search("housebxad"); len(res.Corrected) != 0 {
		t.Errorf("corrected %v", res.Corrected)
	}
}

func FuzzClauses(f *testing.F) {
	for _, s := range []string{`a "b c" -d tag:e f*`, `"`, `-"`, `path:"`, "\xff:*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, _, err := Query{Text: text}.Clauses()
		if err == nil && len(all) > query.MaxClauses {
			t.Errorf("%d clauses", len(all))
		}
	})
}
