package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kist/index/match"
	"kist/index/page"
	"kist/index/rank"
	"kist/vault/vaulttest"
)

const aBoard = `{
	"nodes":[
		{"id":"a","type":"text","text":"# Hull\n\nThree coats of varnish before the caf\u00e9 opens #deck/wood","x":0,"y":0},
		{"id":"b","type":"file","file":"notes/engine.md","x":1,"y":0},
		{"id":"c","type":"text","text":"The mooring lines, and [[bread]]\n- [ ] splice the gannet","x":2,"y":0}
	],
	"edges":[]
}
`

// What is written on a canvas's text cards is found as soon as it is saved, with the line of its
// card, whichever way a search goes about it; and nothing else of a canvas.
func TestCanvas(t *testing.T) {
	f := start(t, small+"-- .gitignore --\n/left/\n-- left/Out.canvas --\n"+aBoard+"-- boards/Boat plan.canvas --\n"+aBoard+"-- boards/New.canvas --\n")
	vaulttest.Watch(t, f.vault)
	check := func(when string) {
		t.Helper()
		for query, line := range map[string]int{
			"varnish": 3, "coats of varnish": 3, `"before the café"`: 3, "tag:deck varnish": 3, "#deck/wood": 3, "type:canvas gannet": 5, "gannet": 5, `"[[bread]] - [ ] splice"`: 5,
			"varnsih": 3, "gannets": 5, "plan gannet": 5, "path:boards/ mooring": 5,
		} {
			hits := f.search(query).Hits
			if len(hits) != 1 || hits[0].Path != "boards/Boat plan.canvas" || hits[0].Line != line || hits[0].Type != "canvas" || hits[0].Title != "Boat plan" {
				t.Errorf("%s, %s: %+v", when, query, hits)
				continue
			}
			if x := hits[0].Excerpt; query == "gannet" && x != "- [ ] splice the gannet" {
				t.Errorf("%s: the card's lines aren't apart: %q", when, x)
			} else if strings.ContainsAny(x, `{}\`) || strings.Contains(x, "coats") == strings.ContainsAny(x, "[]") || len(hits[0].Highlights) == 0 && !strings.HasPrefix(query, "#") {
				t.Errorf("%s, %s: %q %v", when, query, x, hits[0].Highlights)
			}
		}
		for _, query := range []string{"nodes", "edges", "path:left/", "varnish gannet -type:canvas"} {
			f.finds(query)
		}
	}
	check("indexed")
	f.finds("engine.md")
	if b := f.backlinks("notes/bread.md"); len(b.Links)+len(b.Mentions) > 0 {
		t.Errorf("a canvas mentions a note: %+v", b)
	}
	// A search that comes before the index has it looks at the file.
	release, err := f.index.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.write("boards/Late.canvas", `{"nodes":[{"type":"text","text":"gudgeon"},{"type":"text","text":"pintle and gudgeon"}]}`)
	for query, want := range map[string]string{"pintle": "pintle and gudgeon", "gudgeon -pintle": "", `"pintle and gudgeon"`: "pintle and gudgeon"} {
		if hits := f.search(query).Hits; want == "" && len(hits) > 0 || want != "" && (len(hits) != 1 || hits[0].Line != 1 || strings.TrimSpace(hits[0].Excerpt) != want) {
			t.Errorf("pending, %s: %+v", query, hits)
		}
	}
	release()
	f.eventually("pintle", "boards/Late.canvas")
	f.write("boards/Late.canvas", "{\"nodes\":[\n{\"type\":\"text\",\"text\":\"gudgeon\"}]}")
	f.eventually("pintle")
	f.finds("gudgeon", "boards/Late.canvas")
	if err := os.Remove(filepath.Join(f.vault.Dir(), "boards/Late.canvas")); err != nil {
		t.Fatal(err)
	}
	f.eventually("gudgeon")

	if diff, err := f.index.Check(t.Context()); err != nil || len(diff) > 0 {
		t.Errorf("%v, %v", diff, err)
	}
	if err := f.index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	check("built anew")
	if p := f.index.Status().Problems; len(p) > 0 {
		t.Errorf("%v", p)
	}
}

// For a canvas that isn't found it is said why.
func TestWhyNotACanvas(t *testing.T) {
	f := start(t, "-- .kistignore --\nold/\n-- a.canvas --\n"+aBoard+"-- old/b.canvas --\n"+aBoard+"-- c.json --\n"+aBoard)
	for path, want := range map[string]rank.Verdict{"a.canvas": rank.Shown, "old/b.canvas": rank.Unindexed, "c.json": rank.Unindexed, "none.canvas": rank.Missing} {
		w := ask(t, f.index, Query{Text: "varnish", WhyNot: path}).WhyNot
		if w == nil || w.Verdict != want || path == "old/b.canvas" && !strings.Contains(w.Reason, "left out by") {
			t.Errorf("%s: %+v", path, w)
		}
	}
	if w := ask(t, f.index, Query{Text: "bread heron", WhyNot: "a.canvas"}).WhyNot; w == nil || w.Verdict != rank.Shown {
		t.Errorf("%+v", w)
	}
}

// Damaged canvases and very large cards harm nothing, and what isn't searched of them is said.
func TestHostileCanvases(t *testing.T) {
	card := strings.Repeat("flotsam and jetsam ", 60_000) + "lagan"
	f := start(t, "-- n.md --\nflotsam\n")
	for name, text := range map[string]string{
		"half.canvas": aBoard[:len(aBoard)/2], "deep.canvas": `{"nodes":` + strings.Repeat("[", 100_000), "bytes.canvas": "{\"nodes\":[{\"type\":\"text\",\"text\":\"\xff varnish\"}]}",
		"large.canvas": `{"nodes":[{"type":"text","text":"varnish"}` + strings.Repeat(`,{"type":"link","url":"https://example.com/0000000000"}`, page.MaxFile/50) + `]}`,
		"card.canvas":  "{\"nodes\":[\n{\"type\":\"text\",\"text\":\"" + card + "\"},\n{\"type\":\"text\",\"text\":\"derelict\"}]}",
		"list.canvas":  `["varnish"]`,
	} {
		f.write(name, text)
	}
	f.compareNow()
	f.finds("varnish")
	for query, line := range map[string]int{"lagan": 2, "derelict": 3} {
		if hits := f.search(query).Hits; len(hits) != 1 || hits[0].Path != "card.canvas" || hits[0].Line != line || len(hits[0].Excerpt) > match.ExcerptBytes {
			t.Errorf("%s: %+v", query, hits)
		}
	}
	f.finds("half", "half.canvas") // by its name
	told := map[string]bool{}
	for _, p := range f.index.Status().Problems {
		told[p.Path] = strings.Contains(p.Message, "canvas") || told[p.Path]
	}
	for _, name := range []string{"half.canvas", "deep.canvas", "bytes.canvas", "large.canvas"} {
		if !told[name] {
			t.Errorf("nothing is said of %s: %+v", name, f.index.Status().Problems)
		}
	}
	if len(told) != 4 {
		t.Errorf("%v", told)
	}
	f.write("half.canvas", aBoard)
	f.compareNow()
	f.finds("varnish", "half.canvas")
}
