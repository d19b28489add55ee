package index

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kist/index/rank"
	"kist/index/relation"
	"kist/vault"
)

func related(t *testing.T, x *Index, slug string) *relation.RelatedProjects {
	t.Helper()
	r, err := x.RelatedProjects(t.Context(), slug, 0)
	if err != nil {
		t.Fatal(err)
	}
	last := 1.0
	for _, p := range r.Projects {
		want := 1 - (1-p.Content)*(1-0.6*p.Links)*(1-0.4*p.Tags)
		if math.Abs(p.Score-want) > 1e-9 || p.Score < 0.1 || p.Score > last {
			t.Errorf("%+v after %v", p, last)
		}
		if p.Content != 0 && p.Content < rank.MinSimilarWords {
			t.Errorf("content below the floor: %+v", p)
		}
		if (p.TotalLinks > 0) != (p.Links > 0) || (len(p.Shared) > 0) != (p.Tags > 0) || p.Slug == slug {
			t.Errorf("%+v", p)
		}
		last = p.Score
	}
	return r
}

func slugs(r *relation.RelatedProjects) (all []string) {
	for _, p := range r.Projects {
		all = append(all, p.Slug)
	}
	return all
}

// fleet is a small vault: a few projects, each related in one way to the boat.
const fleet = `
-- projects/boat/project.md --
---
name: Houseboat
tags: [water, home, all]
---
# Houseboat

Living on the canal. See [[Bakery]] for bread.

## Summary

A hull of steel, a mooring in the harbour.
-- projects/boat/notes/hull.md --
The hull needs paint below the keel before the mooring is moved.
-- projects/raft/project.md --
---
name: Raft
tags: [all]
---
# Raft

## Summary

A hull of barrels, a keel of oak and a mooring near the harbour.
-- projects/bread/project.md --
---
name: Bakery
tags: [all]
---
# Bakery

## Summary

Rye, flour, ovens.
-- projects/pond/project.md --
---
name: Pond
tags: [water, all]
---
# Pond

## Summary

Frogs, lilies.
-- projects/tax/project.md --
---
name: Taxes
tags: [all]
---
# Taxes

## Summary

Invoices, receipts.
-- projects/debt/project.md --
---
name: Debts
---
# Debts

## Summary

Letters. They know [the hull](../boat/notes/hull.md) and [[projects/boat/notes/hull]].
-- notes/none.md --
[[Houseboat]] hull keel mooring harbour
`

// TestRelatedProjects: each kind of reason makes a project related and is told, and
// what all projects have in common is none.
func TestRelatedProjects(t *testing.T) {
	f := start(t, fleet)
	r := related(t, f.index, "boat")
	by := map[string]relation.RelatedProject{}
	for _, p := range r.Projects {
		by[p.Slug] = p
	}
	if p := by["raft"]; p.Content < rank.MinSimilarWords || len(p.Alike) == 0 || p.Alike[0].Theirs != "projects/raft/project.md" || p.Name != "Raft" || p.Path != "projects/raft/project.md" {
		t.Errorf("raft: %+v", p)
	}
	if p := by["bread"]; p.TotalLinks != 1 || p.LinkPairs[0] != (relation.LinkPair{From: "projects/boat/project.md", To: "projects/bread/project.md"}) {
		t.Errorf("bread: %+v", p)
	}
	if p := by["debt"]; p.TotalLinks != 1 || p.LinkPairs[0] != (relation.LinkPair{From: "projects/debt/project.md", To: "projects/boat/notes/hull.md"}) {
		t.Errorf("debt: %+v", p)
	}
	if p := by["pond"]; len(p.Shared) != 2 || p.Shared[0] != "water" {
		t.Errorf("pond: %+v", p)
	}
	if p, ok := by["tax"]; ok {
		t.Errorf("taxes share nothing but a tag that nearly all have: %+v", p)
	}
	if r := related(t, f.index, "raft"); r.Projects[0].Slug != "boat" {
		t.Errorf("raft: %+v", r.Projects)
	}
	if _, err := f.index.RelatedProjects(t.Context(), "none", 0); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("error %v, want ErrNotFound", err)
	}
}

// TestRelatedByVectors: with vectors projects on the same topic are related though
// their own files say nothing.
func TestRelatedByVectors(t *testing.T) {
	var b strings.Builder
	b.WriteString(topical(60))
	for i, topic := range []string{"boat", "bread", "tax", "boat"} {
		fmt.Fprintf(&b, "-- projects/p%d/project.md --\n---\ntype: project\nname: P%d\n---\n", i, i)
		for j := range 3 {
			fmt.Fprintf(&b, "-- projects/p%d/notes/%d.md --\n%s\n", i, j, strings.Join(topics[topic][3*j:3*j+4], " "))
		}
	}
	f := start(t, b.String())
	f.waitVectors()
	r := related(t, f.index, "p0")
	if got := slugs(r); len(got) < 2 || !slices.Contains(got[:2], "p3") || !slices.Contains(got[:2], "yard") || slices.Contains(got, "p1") {
		t.Errorf("%v %+v", got, r.Projects)
	}
}

// TestSimilarFloor: in a small vault of notes on different things none is like another.
func TestSimilarFloor(t *testing.T) {
	const notes = `
-- boat.md --
# Boat

The boat lies in the harbour near the old bridge. I want to paint it this year, before the summer comes.
-- bread.md --
# Bread

Mix rye and water, and let it rest for a day. Bake it in the oven this time.
-- tax.md --
# Taxes

Send the receipts of the year to the accountant before the end of May.
`
	f := start(t, notes)
	for _, path := range []string{"boat.md", "bread.md", "tax.md"} {
		if res := similar(t, f.index, path, 0); len(res.Hits) > 0 {
			t.Errorf("%s is like %+v", path, res.Hits)
		}
	}
	f = start(t, notes+"-- ship.md --\nA boat in the harbour: paint it before the summer.\n")
	if res := similar(t, f.index, "boat.md", 0); len(res.Hits) != 1 || res.Hits[0].Path != "ship.md" || res.Hits[0].Score > 1 {
		t.Errorf("boat.md is like %+v", res.Hits)
	}
}
