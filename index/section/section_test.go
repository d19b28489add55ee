package section

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/document"
	"pgregory.net/rapid"

	"kist/index/analyze"
)

func analyzer(t testing.TB) analyze.Analyzer {
	t.Helper()
	l, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	return l.Of(analyze.English)
}

// where lists the occurrences of a term as section, depth and position.
func where(d *document.Document, field, term string) (all []string) {
	for _, f := range d.Fields {
		if f.Name() != field {
			continue
		}
		f.Analyze()
		if freq := f.AnalyzedTokenFrequencies()[term]; freq != nil {
			for _, l := range freq.Locations {
				all = append(all, fmt.Sprint(Of(uint64(l.Start)), " ", Depth(uint64(l.End)), " ", l.Position))
			}
		}
	}
	return all
}

func TestLocations(t *testing.T) {
	d := document.NewDocument("x")
	text := New("Boat", []Section{
		{Body: []byte("keel first")},
		{Headings: []string{"Boat"}, Titled: true, Body: []byte("keel of oak")},
		{Headings: []string{"Keel"}, Above: 1, Body: []byte("planks")},
	}, analyzer(t))
	text.AddTo(d)
	for _, c := range []struct {
		field, term string
		want        []string
	}{
		{FieldBody, "keel", []string{"0 0 1", "1 0 4"}},
		{FieldTitle, "boat", []string{"1 0 3"}}, // where the heading is, behind "keel first"
		{FieldHeadings, "boat", nil},
		{FieldBody, "oak", []string{"1 0 6"}}, // "of" counts
		{FieldHeadings, "keel", []string{"2 2 7"}},
		{FieldBody, "plank", []string{"2 0 8"}},
	} {
		if got := where(d, c.field, c.term); !slices.Equal(got, c.want) {
			t.Errorf("%s in %s: %q, want %q", c.term, c.field, got, c.want)
		}
	}
	counts := text.Counts()
	if len(counts) != 3 || counts[0]["keel"] != 1 || counts[2]["keel"] != 1 || counts[2]["boat"] != 1 || counts[1]["plank"] != 0 {
		t.Errorf("%v", counts)
	}
}

// A title that is no heading stands apart from all other words.
func TestTitleApart(t *testing.T) {
	d := document.NewDocument("x")
	New("Boat", []Section{{Body: []byte("keel")}}, analyzer(t)).AddTo(d)
	if got := where(d, FieldTitle, "boat"); len(got) != 1 || !strings.HasPrefix(got[0], "0 0 1026") {
		t.Errorf("%q", got)
	}
}

// TestCovers compares with the paths of headings that the depths come from.
func TestCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depths := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 12).Draw(t, "depths")
		var table Table
		var above []int // the sections whose headings the last one is below, by depth
		paths := make([][]int, 0, len(depths))
		for i, d := range depths {
			d = min(d, len(above)+1)
			above = append(slices.Clone(above[:d-1]), i)
			table = append(table, Row{Depth: d})
			paths = append(paths, above)
		}
		for i := range table {
			for j := range table {
				want := table[i].Depth <= len(paths[j]) && paths[j][table[i].Depth-1] == i
				if got := table.Covers(i, table[i].Depth, j); got != want {
					t.Fatalf("%v: heading of %d covers %d: %v", depths, i, j, got)
				}
			}
		}
	})
}

func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Table
		for range rapid.IntRange(0, 20).Draw(t, "rows") {
			table = append(table, Row{rapid.IntRange(0, 9).Draw(t, "depth"), rapid.IntRange(0, 1<<20).Draw(t, "words")})
		}
		stored := table.encode()
		if got, err := Decode(stored); err != nil || !slices.Equal(got, table) {
			t.Fatalf("%v, %v", got, err)
		}
		if cut := rapid.IntRange(0, len(stored)-1).Draw(t, "cut"); len(table) > 0 {
			if _, err := Decode(stored[:cut]); !errors.Is(err, ErrTable) {
				t.Fatalf("cut at %d of %d: %v", cut, len(stored), err)
			}
		}
	})
}

// Parts tells two texts apart that differ in anything.
func TestParts(t *testing.T) {
	a := analyzer(t)
	all := map[string]string{}
	for name, text := range map[string]*Text{
		"plain":   New("T", []Section{{Body: []byte("a b")}}, a),
		"title":   New("U", []Section{{Body: []byte("a b")}}, a),
		"body":    New("T", []Section{{Body: []byte("a c")}}, a),
		"heading": New("T", []Section{{Headings: []string{"H"}, Body: []byte("a b")}}, a),
		"deeper":  New("T", []Section{{Headings: []string{"H"}, Above: 1, Body: []byte("a b")}}, a),
		"cut":     New("T", []Section{{Body: []byte("a")}, {Body: []byte(" b")}}, a),
	} {
		var parts strings.Builder
		text.Parts(func(p []byte) { fmt.Fprintf(&parts, "%d %s\n", len(p), p) })
		if other, ok := all[parts.String()]; ok {
			t.Errorf("%s and %s look the same", name, other)
		}
		all[parts.String()] = name
	}
}
