package index

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/index/page"
	"kist/index/rank"
	"kist/index/relation"
	"kist/vault"
)

const linked = `
-- notes/bread.md --
---
aliases: [Sourdough loaf]
---
# Bread

See [[bread]] itself.
-- archive/old/bread.md --
# Bread

An older one.
-- a.md --
One.

More on [[Bread|the loaf]] here, and [[bread]] again.
-- b.md --
---
up: "[[sourdough loaf]]"
---
Nothing else.
-- c.md --
A [recipe](notes/bread.md#steps) in the middle.
-- notes/d.md --
A [recipe](bread.md "title") beside it.
-- notes/e.md --
The [old one](../archive/old/bread.md) and [[old/bread]].
-- archive/old/f.md --
Beside: [x](bread.md), [[bread]]. By its path: [[notes/bread]].
-- archive/old/g.md --
Beside only: [x](./bread.md).
-- h.md --
No link, but a sourdough loaf.
-- i.md --
    [[bread]] in code, and breadth.
-- j.md --
A [spaced%20name](<my%20notes/x y.md>) and [[my notes/x y#part]].
-- my notes/x y.md --
X
-- projects/houseboat/project.md --
---
type: project
name: Houseboat
---
-- k.md --
About the [[Houseboat]]; a project.
-- l.md --
The houseboat leaks.
`

func (f *fixture) backlinks(path string) *relation.Backlinks {
	f.Helper()
	b, err := f.index.Backlinks(context.Background(), path, 100)
	if err != nil {
		f.Fatal(err)
	}
	return b
}

func TestBacklinks(t *testing.T) {
	f := start(t, linked)
	for path, want := range map[string]struct{ links, mentions []string }{
		"notes/bread.md":                {[]string{"a.md", "archive/old/f.md", "b.md", "c.md", "notes/d.md"}, []string{"archive/old/bread.md", "h.md", "i.md", "notes/e.md"}},
		"archive/old/bread.md":          {[]string{"archive/old/f.md", "archive/old/g.md", "notes/e.md"}, []string{"a.md", "i.md", "notes/bread.md"}},
		"my notes/x y.md":               {[]string{"j.md"}, nil},
		"projects/houseboat/project.md": {[]string{"k.md"}, []string{"l.md"}},
		"h.md":                          {nil, nil},
	} {
		b := f.backlinks(path)
		got := paths(&rank.Results{Hits: b.Mentions})
		slices.Sort(got)
		if diff := cmp.Diff(want.links, paths(&rank.Results{Hits: b.Links})); diff != "" || b.TotalLinks != len(want.links) {
			t.Errorf("%s: links (-want +got):\n%s", path, diff)
		}
		if diff := cmp.Diff(want.mentions, got); diff != "" || b.TotalMentions != len(got) {
			t.Errorf("%s: mentions (-want +got):\n%s", path, diff)
		}
	}
	h := f.backlinks("notes/bread.md").Links[0]
	if h.Line != 3 || h.Excerpt != "More on [[Bread|the loaf]] here, and [[bread]] again." || !slices.Equal(highlighted(h), []string{"Bread"}) {
		t.Errorf("hit %+v", h)
	}
	if _, err := f.index.Backlinks(context.Background(), "nowhere.md", 1); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("no such file: %v", err)
	}
}

// What looks like a link must not cost more than its length.
func TestLinksOfHostileText(t *testing.T) {
	for _, piece := range []string{"[", "[[", "](", "[](", "[[a", "![[", "[x](", "[x](<", "[x](a(", "[[a|b]] "} {
		f := &page.File{Text: []byte(strings.Repeat(piece, 2<<20/len(piece)))}
		began := time.Now()
		f.FindLinks()
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%q: %v", piece, took)
		}
	}
}
