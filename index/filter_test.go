package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/query"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kist/index/day"
	"kist/vault/vaulttest"
)

const fields = `
-- notes/anchor.md --
---
title: Anchors
status: Done
author: "[[Ann Lee]]"
created: 2025-12-31T23:00:00Z
rating: 4
empty:
---
# Kinds of kedge

A plough and a grapnel.
-- notes/rope.md --
---
status: open
author: Bob Lee
date: 2026-11-20
created: 2020-01-01
tags: [deck/fore]
---
# Rope

## The hawser

Thick. See note, note:this and the kedge.
-- Work/plan 2026.md --
Buy a kedge in June.
`

func TestFieldsAndProperties(t *testing.T) {
	f := start(t, fields)
	touch(t, f.vault.Dir(), "Work/plan 2026.md", "2026-06-15")
	f.compareNow()
	const anchor, rope, plan = "notes/anchor.md", "notes/rope.md", "Work/plan 2026.md"
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"title:anchors", []string{anchor}},
		{"title:kedge", nil},
		{"heading:kedge", []string{anchor}},
		{`heading:"the hawser"`, []string{rope}},
		{`body:"the hawser"`, nil},
		{"body:kedge -title:anchors path:notes", []string{rope}},
		{"kedge -heading:kedge path:notes", []string{rope}},
		{`kedge -body:"see note" path:notes`, []string{anchor}},
		{"title:anch*", []string{anchor}},
		{"status:done", []string{anchor}},
		{"Status:DONE", []string{anchor}},
		{"status:do*", []string{anchor}},
		{"status:don", nil},
		{"-status:* path:work", []string{plan}},
		{"author:lee author:bob", []string{rope}},
		{`author:"ann lee"`, []string{anchor}},
		{"rating:4", []string{anchor}},
		{"note:this", []string{rope}}, // no document has the key
		{"tag:deck", []string{rope}},
		{"tag:dec*", []string{rope}},
		{"path:*plan*", []string{plan}},
		{"path:NOTES/*.md anchors", []string{anchor}},
		{"path:notes/*.txt", nil},
		{"after:2026-11", []string{rope}},
		{"after:2026-11-20 before:2026-11-21", []string{rope}},
		{"before:2026", []string{anchor}},
		{"after:2026-06 before:2026-07", []string{plan}},
		{"-before:2026-06-16", []string{rope}},
		{"kedge lang:de", nil},
	} {
		f.finds(c.query, c.want...)
	}
	for _, q := range []string{"before:soon", "after:2026-13", "path:" + strings.Repeat("*", query.MaxValue+1)} {
		if _, err := f.index.Search(context.Background(), Query{Text: q}); !errors.Is(err, ErrQuery) {
			t.Errorf("%.20s: %v", q, err)
		}
	}
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]day.Day{
		"2026": 20260101, "2026-11": 20261101, "2026-11-20": 20261120, " 2026-11-20T10:00:00+02:00": 20261120,
		"2026-11-20 10:00": 20261120, "": 0, "20 Nov": 0, "2026-02-30": 0, "0000": 0, "last week": 0,
	} {
		if got, _ := day.Parse(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Words that the index leaves out are looked for in the files.
func TestStopWords(t *testing.T) {
	f := start(t, small+`
-- plays/hamlet.md --
# Hamlet

The question is this.

## Act 3

To be, or not to be: that is the question.
-- plays/other.md --
It is to be, not or.
`)
	f.finds("to be or not to be", "plays/hamlet.md", "plays/other.md")
	f.finds("of", "notes/bread.md")
	f.finds(`"not to be"`, "plays/hamlet.md")
	f.finds("over -sourdough", "projects/houseboat/project.md")
	f.finds("of -sourdough")
	f.finds("question -not") // in the same document
	f.finds("body:is -question -sourdough", "plays/other.md")
	f.finds("type:memory the")
	if h := f.search("to be or not to be").Hits[0]; h.Line != 7 || h.Heading != "Hamlet > Act 3" || len(h.Highlights) == 0 {
		t.Errorf("hit %+v", h)
	}
}

// hostileFactor is how many times as long as an ordinary query a hostile one may
// take. None of them takes twice as long; what is meant to be caught takes minutes.
const hostileFactor = 30

// slower reports whether fn takes more than hostileFactor times as long as ordinary,
// which took so long before. Where it does, both are looked at again: a machine that
// is busy with something else slows both.
func slower(fn, ordinary func(), before time.Duration) bool {
	for range 3 {
		if timed(fn) <= hostileFactor*before {
			return false
		}
		before = timed(ordinary)
	}
	return true
}

func timed(fn func()) time.Duration {
	began := time.Now()
	fn()
	return time.Since(began)
}

// The test of the test: stars that are matched by trying all ways are slower.
func TestTryingAllWaysIsSlower(t *testing.T) {
	pattern, text := strings.Repeat("*a", 12)+"b", strings.Repeat("a", 60)
	steps := 0
	var naive func(p, s string) bool
	naive = func(p, s string) bool {
		if steps++; p == "" || steps > 10_000_000 {
			return s == ""
		}
		if p[0] == '*' {
			return naive(p[1:], s) || s != "" && naive(p, s[1:])
		}
		return s != "" && p[0] == s[0] && naive(p[1:], s[1:])
	}
	ordinary := func() { query.MatchesPath(pattern, text) }
	if !slower(func() { steps = 0; naive(pattern, text) }, ordinary, timed(ordinary)) {
		t.Error("it wasn't noticed")
	}
}

// No query takes long, however it is made up.
func TestHostileQueries(t *testing.T) {
	dir := t.TempDir()
	n := 2000
	if env("KIST_ROUNDS", "") != "" {
		n = 10_000
	}
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("f%d", i%40), fmt.Sprintf("note %d.md", i))
		writeFile(t, name, fmt.Sprintf("---\nk%d: v%d\ndate: 20%02d-01-02\n---\n# a%d ab%d abc%d\n\naa the of %s\n", i%50, i, i%90, i, i*7, i*13, strings.Repeat("aaa ", i%20)))
	}
	f := &fixture{T: t, vault: vaulttest.Open(t, dir)}
	f.index = open(t, f.vault)
	f.follow()
	search := func(q string) func() {
		return func() {
			if _, err := f.index.Search(context.Background(), Query{Text: q, Limit: query.MaxLimit}); err != nil && !errors.Is(err, ErrQuery) {
				t.Errorf("%.60q: %v", q, err)
			}
		}
	}
	ordinary := search("aa")
	ordinary()
	before := timed(ordinary)
	ask := func(q string) {
		if slower(search(q), ordinary, before) {
			t.Errorf("%.60q: more than %d times as slow as an ordinary query", q, hostileFactor)
		}
	}
	for _, q := range []string{
		strings.Repeat("a* ", 3000), manyPrefixes(), strings.Repeat("(a+)+$ ", 500),
		"path:" + strings.Repeat("*a", 250), strings.Repeat("path:*a*b*c*d ", 60), strings.Repeat(`-"the of" `, 100),
		numbered(`-"aa %d" `, 60), numbered("misspeltword%c ", 64), strings.Repeat("the ", 3000), numbered("date:20%d* ", 60),
		strings.Repeat("a", query.MaxQuery), strings.Repeat(`"`, 5001), strings.Repeat("title:a* ", 60), "k1:*", strings.Repeat("-a", 9000),
		numbered(`title:"of %d" `, 60),
	} {
		ask(q)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "ab", "*", `"`, "-", ":", " ", "path", "title:", "body:", "tag:", "before:", "2026", "the", "(", ")+", ".*", "k1:", "\x00", "é", "猫", "~", "\\",
		}), 0, 60).Draw(t, "parts")
		ask(strings.Join(parts, ""))
	})
}

func manyPrefixes() string {
	var b strings.Builder
	for c := 'a'; c <= 'z'; c++ {
		for d := 'a'; d <= 'z'; d++ {
			fmt.Fprintf(&b, "%c%c* %c* ", c, d, c)
		}
	}
	return b.String()
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, 'a'+i%26)
	}
	return b.String()
}

func TestMatchStars(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true}, {"a*", "abc", true}, {"*c", "abc", true}, {"a*c", "ac", true}, {"ab*bc", "abc", false},
		{"*b*", "abc", true}, {"a**c", "a/b/c", true}, {"*x*", "abc", false}, {"a*b*c", "aXbYbZc", true}, {"*a", "ba/b", false},
	} {
		if got := query.MatchesPath(c.pattern, c.text); got != c.want {
			t.Errorf("%q %q: %v", c.pattern, c.text, got)
		}
	}
}
