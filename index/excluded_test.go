package index

import (
	"kist/index/rank"
	"slices"
	"testing"
)

// What Obsidian's user excluded, and templates, come last, unless the query names a path.
func TestExcludedComesLast(t *testing.T) {
	f := start(t, `-- .obsidian/app.json --
{"userIgnoreFilters": ["Archive/", "/secret.*/"]}
-- .obsidian/templates.json --
{"folder": "Templates"}
-- Archive/keel.md --
keelson keelson keelson
-- notes/secret-keel.md --
# Keelson
keelson
-- Templates/Keelson.md --
keelson
-- notes/boat.md --
The boat has a keelson, and very many other things that nobody asked for, some of them of wood.
`)
	for query, first := range map[string]string{"keelson": "notes/boat.md", "keelson path:*": "notes/boat.md", "": "notes/boat.md", "keelson path:Archive/": "Archive/keel.md"} {
		hits := checkExplained(t, f.index, Query{Text: query, Mode: Text}).Hits
		if len(hits) == 0 || hits[0].Path != first || slices.ContainsFunc(hits, func(h rank.Hit) bool { return h.LeftOut != (h.Path != "notes/boat.md") }) {
			t.Errorf("%q: %+v", query, hits)
		}
	}
}
