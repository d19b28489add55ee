package index

import (
	"bytes"
	"context"
	"fmt"
	"kist/index/manifest"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/index/vector"
	"kist/vault/vaulttest"
)

// waitVectors waits until all documents have their vectors.
func (f *fixture) waitVectors() VectorStatus {
	f.Helper()
	f.wait()
	return f.vectorsUntil(func(s VectorStatus) bool { return s.State == VectorsReady && s.Pending == 0 && !s.Training })
}

func (f *fixture) vectorsUntil(done func(VectorStatus) bool) VectorStatus {
	f.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		s := f.index.Status().Vectors
		if done(s) {
			return s
		}
		if time.Now().After(deadline) {
			f.Fatalf("vectors: %+v", s)
		}
	}
}

// topics are words that go together, of which each note has a few.
var topics = map[string][]string{
	"boat":  strings.Fields("hull sail anchor harbour mooring keel tide deck rope winch mast"),
	"bread": strings.Fields("flour dough oven yeast crust knead loaf rye starter bake proof"),
	"tax":   strings.Fields("invoice deduction income return receipt audit refund accountant bracket form deadline"),
}

// topical is an archive of n notes in folders named by topic, some in projects.
func topical(n int) string {
	r := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	b.WriteString("-- projects/yard/project.md --\n---\ntype: project\nname: Yard\n---\nhull mast rope\n")
	names := []string{"boat", "bread", "tax"}
	for i := range n {
		fmt.Fprintf(&b, "-- %s/%03d.md --\n%s\n", names[i%3], i, note(r, names[i%3]))
	}
	return b.String()
}

func note(r *rand.Rand, topic string) string {
	t := []string{"Note", "on"}
	for range 5 {
		t = append(t, topics[topic][r.IntN(len(topics[topic]))])
	}
	return strings.Join(t, " ") + "."
}

// TestByMeaning: documents on what a query is about are found without its words,
// and whatever else a query asks for holds for them too.
func TestByMeaning(t *testing.T) {
	f := start(t, topical(120))
	f.index.searches.Enough = 0
	f.waitVectors()
	text := ask(t, f.index, Query{Text: "keel mast", Limit: 200, Mode: Text})
	hybrid := ask(t, f.index, Query{Text: "keel mast", Limit: 200})
	if hybrid.Total <= text.Total || len(hybrid.Hits) != hybrid.Total {
		t.Fatalf("hybrid finds %d documents and shows %d, text finds %d", hybrid.Total, len(hybrid.Hits), text.Total)
	}
	for _, h := range hybrid.Hits[:text.Total+1] {
		if !strings.HasPrefix(h.Path, "boat/") && !strings.HasPrefix(h.Path, "projects/") {
			t.Errorf("%s is not about boats: %s", h.Path, h.Excerpt)
		}
	}
	for _, h := range hybrid.Hits {
		if h.Excerpt == "" || h.Line == 0 {
			t.Errorf("%s has no excerpt", h.Path)
		}
	}
	for _, c := range []struct {
		query string
		holds func(path, text string) bool
	}{
		{"keel mast path:bread/", func(p, _ string) bool { return strings.HasPrefix(p, "bread/") }},
		{"keel mast type:project", func(p, _ string) bool { return strings.HasPrefix(p, "projects/") }},
		{"keel mast project:yard", func(p, _ string) bool { return strings.HasPrefix(p, "projects/") }},
		{"keel mast tag:none", func(string, string) bool { return false }},
		{"keel mast -rope", func(_, text string) bool { return !strings.Contains(text, "rope") }},
		{`keel mast -"Note on"`, func(_, text string) bool { return !strings.Contains(text, "Note on") }},
		{`keel "mast"`, func(_, text string) bool { return strings.Contains(text, "mast") }},
		{`keel "on the"`, func(string, string) bool { return false }},
		{"zebra", func(string, string) bool { return false }},
		{"mas*", func(_, text string) bool { return strings.Contains(text, "mas") }},
	} {
		for _, mode := range []Mode{Hybrid, Vector} {
			for _, h := range ask(t, f.index, Query{Text: c.query, Limit: 200, Mode: mode}).Hits {
				text, _ := os.ReadFile(filepath.Join(f.vault.Dir(), h.Path))
				if !c.holds(h.Path, string(text)) {
					t.Errorf("%q in mode %d finds %s: %s", c.query, mode, h.Path, text)
				}
			}
		}
	}
}

// TestFewDocuments: with too few to learn from, search goes by words.
func TestFewDocuments(t *testing.T) {
	f := start(t, topical(10))
	if s := f.index.Status().Vectors; s.State != VectorsNone {
		t.Errorf("status %+v", s)
	}
	if got, want := ask(t, f.index, Query{Text: "keel"}).Total, ask(t, f.index, Query{Text: "keel", Mode: Text}).Total; got != want {
		t.Errorf("%d documents, want %d", got, want)
	}
}

// vectorsOf are all vectors of an index.
func vectorsOf(f *fixture) map[string][]vector.Passage {
	all := map[string][]vector.Passage{}
	set := f.index.current.vectors.Set
	for _, k := range set.Keys() {
		all[k], _ = set.Passages(k)
	}
	return all
}

// TestSameFromFiles: a document's vectors are the same whether they come from the
// postings, as after training, or from its file, as after a save.
func TestSameFromFiles(t *testing.T) {
	var long strings.Builder
	for i := range 20 {
		fmt.Fprintf(&long, "## Part %d of the hull\n\n%s\n\n", i, strings.Repeat("rope and mast and flour, keels. ", 10))
	}
	f := start(t, topical(60)+"-- long.md --\n# Long voyage\n\n"+long.String()+"-- short.md --\n# Mast\n\n## Keel\nrope\n## Sail\nrope\n-- empty.md --\n-- nul.md --\nab\x00cd\n")
	f.waitVectors()
	before := vectorsOf(f)
	if n := len(before["long.md"]); n != 20 && n != 21 {
		t.Errorf("a long document has %d vectors", n)
	}
	if n := len(before["short.md"]); n != 1 {
		t.Errorf("a short document has %d vectors", n)
	}
	for path := range before {
		f.index.current.vectors.Set.Delete(path)
		f.index.learner.embedFile(f.index.current, path)
	}
	after := vectorsOf(f)
	for path, want := range before {
		got := after[path]
		if len(got) != len(want) {
			t.Fatalf("%s has %d vectors from its file, %d from the postings", path, len(got), len(want))
		}
		for i := range got {
			var dot float32
			for j, x := range got[i].Vector {
				dot += x * want[i].Vector[j]
			}
			if got[i].Ordinal != want[i].Ordinal || dot < 0.99 {
				t.Errorf("%s passage %d: %d and %d, cosine %.3f", path, i, got[i].Ordinal, want[i].Ordinal, dot)
			}
		}
	}
}

// TestVectorsFollow: what is saved, changed or deleted is so among the vectors as soon as
// among the words.
func TestVectorsFollow(t *testing.T) {
	f := start(t, topical(60))
	vaulttest.Watch(t, f.vault)
	f.waitVectors()
	near := func(query string) []string {
		return paths(ask(t, f.index, Query{Text: query, Mode: Vector, Limit: 15}))
	}
	f.write("new.md", "sail anchor winch tide")
	f.vectorsUntil(func(VectorStatus) bool { return slices.Contains(near("sail anchor winch tide"), "new.md") })
	f.write("new.md", "flour yeast crust loaf")
	f.vectorsUntil(func(VectorStatus) bool { return slices.Contains(near("flour yeast crust loaf"), "new.md") })
	if got := near("sail anchor winch tide"); slices.Contains(got, "new.md") {
		t.Error("found by what it said before")
	}
	if err := os.Remove(filepath.Join(f.vault.Dir(), "new.md")); err != nil {
		t.Fatal(err)
	}
	f.vectorsUntil(func(VectorStatus) bool {
		_, ok := f.index.current.vectors.Set.Stamp("new.md")
		return !ok
	})
}

// reopen stops an index and opens it again.
func (f *fixture) reopen(stop func()) {
	f.Helper()
	stop()
	if err := f.index.Close(); err != nil {
		f.Fatal(err)
	}
	f.index = open(f.T, f.vault)
}

// TestVectorsRestart: the next start has the same model at once, and makes up for what
// changed meanwhile.
func TestVectorsRestart(t *testing.T) {
	f := &fixture{T: t, vault: vaulttest.New(t, topical(60))}
	f.index = open(t, f.vault)
	stop := f.follow()
	f.waitVectors()
	model := f.index.current.vectors.Model.Bytes()
	f.reopen(stop)
	if s := f.index.Status().Vectors; s.State != VectorsReady || s.Documents != 61 {
		t.Errorf("right after opening: %+v", s)
	}
	f.write("boat/000.md", "bake a loaf of rye")
	f.write("new.md", "tide and deck")
	if err := os.Remove(filepath.Join(f.vault.Dir(), "boat/003.md")); err != nil {
		t.Fatal(err)
	}
	stop = f.follow()
	f.waitVectors()
	if !bytes.Equal(f.index.current.vectors.Model.Bytes(), model) {
		t.Error("another model after a restart")
	}
	f.reopen(stop) // what was embedded since isn't in the file
	f.follow()
	f.waitVectors()
	set := f.index.current.vectors.Set
	f.vectorsUntil(func(VectorStatus) bool {
		stamp, ok := set.Stamp("new.md")
		changed, _ := set.Stamp("boat/000.md")
		_, deleted := set.Stamp("boat/003.md")
		return ok && stamp == vector.Stamp(manifest.HashOf([]byte("tide and deck"))) && changed == vector.Stamp(manifest.HashOf([]byte("bake a loaf of rye"))) && !deleted
	})
}

// TestDamagedVectors: search does without and they are learned anew.
func TestDamagedVectors(t *testing.T) {
	f := &fixture{T: t, vault: vaulttest.New(t, topical(60))}
	f.index = open(t, f.vault)
	stop := f.follow()
	f.waitVectors()
	name := vectorsName(f.index.dir, f.index.current.store)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for what, damaged := range map[string][]byte{"changed": append([]byte("x"), data[1:]...), "cut": data[:len(data)/2], "empty": nil} {
		stop()
		if err := f.index.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		f.index = open(t, f.vault)
		if s := f.index.Status(); s.Vectors.State != VectorsNone || s.Documents != 61 {
			t.Errorf("%s: %+v", what, s)
		}
		stop = f.follow() // else a search waits for the comparison, three seconds
		if ask(t, f.index, Query{Text: "keel"}).Total == 0 {
			t.Errorf("%s: nothing found", what)
		}
		f.waitVectors()
		if again, _ := os.ReadFile(name); !bytes.Equal(again, data) {
			t.Errorf("%s: learned something else", what)
		}
	}
}

// TestVectorsRebuild: a new generation learns for itself, and nothing of the old one
// is left.
func TestVectorsRebuild(t *testing.T) {
	f := start(t, topical(60))
	f.waitVectors()
	old := f.index.current
	if err := f.index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	f.waitVectors()
	if f.index.current == old {
		t.Fatal("still the old generation")
	}
	files, _ := filepath.Glob(filepath.Join(f.index.dir, vectorsPrefix+"*"))
	if want := vectorsName(f.index.dir, f.index.current.store); len(files) != 1 || files[0] != want {
		t.Errorf("files %q, want %q", files, want)
	}
}

// TestRetraining: when the vault has grown by half, a new model is learned while
// searches go on.
func TestRetraining(t *testing.T) {
	f := start(t, topical(45))
	vaulttest.Watch(t, f.vault)
	f.waitVectors()
	model := f.index.current.vectors.Model
	ctx, cancel := context.WithCancel(t.Context())
	searching := make(chan error, 1)
	go func() {
		for ctx.Err() == nil {
			if _, err := f.index.Search(t.Context(), Query{Text: "keel mast"}); err != nil {
				searching <- err
				return
			}
		}
		searching <- nil
	}()
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 30 {
		f.write(fmt.Sprintf("more/%d.md", i), note(r, "tax"))
	}
	f.vectorsUntil(func(s VectorStatus) bool {
		f.index.mu.RLock()
		defer f.index.mu.RUnlock()
		return f.index.current.vectors.Model != model && s.Documents == 76 && !s.Training
	})
	cancel()
	if err := <-searching; err != nil {
		t.Error(err)
	}
}

// TestFold: what was embedded since the file was written gets into it in time.
func TestFold(t *testing.T) {
	f := start(t, topical(60))
	f.waitVectors()
	g := f.index.current
	model := g.vectors.Model.Bytes()
	for range 3 { // the index itself may write the file in between, and nothing is due then
		for i := range foldFiles {
			g.vectors.Set.Put(vector.Document{Key: fmt.Sprintf("x%d", i)})
		}
		if err := f.index.learner.withVectors(t.Context(), g, func() error { return f.index.learner.foldVectors(g) }); err != nil {
			t.Fatal(err)
		}
		if g.vectors.Set.Changed() == 0 {
			break
		}
	}
	if v := g.vectors; v.Set.Changed() != 0 || v.changed != foldFiles || v.trainedOn != 61 || !bytes.Equal(v.Model.Bytes(), model) {
		t.Errorf("changed %d, %d; trained on %d", v.Set.Changed(), v.changed, v.trainedOn)
	}
}
