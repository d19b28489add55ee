package index

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/index/intake"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/rank"
	"kist/index/vector"
	"kist/vault"
	"kist/vault/vaulttest"
)

// A book is a long document, and how people change such ones.
type book struct {
	rand     *rand.Rand
	front    []string
	title    string
	sections []string
	spoken   int
}

func newBook(seed uint64, n int) *book {
	b := &book{rand: rand.New(rand.NewPCG(seed, 5)), title: "Book", front: []string{"tags: [t0]"}}
	for range n {
		b.sections = append(b.sections, b.section())
	}
	return b
}

func (b *book) section() string {
	topic := topics[[]string{"boat", "bread", "tax"}[b.rand.IntN(3)]]
	word := func() string { return topic[b.rand.IntN(len(topic))] }
	return fmt.Sprintf("## Turn %d\n\nneedle%d of the [[n%d]] %s\n", b.rand.IntN(1000), b.rand.IntN(1000), b.rand.IntN(20),
		strings.Repeat(fmt.Sprintf("engines %s %s ", word(), word()), 40+b.rand.IntN(20)))
}

func (b *book) String() string {
	return "---\n" + strings.Join(b.front, "\n") + "\n---\n# " + b.title + "\n\nIn the beginning.\n\n" + strings.Join(b.sections, "\n")
}

func (b *book) any() int { return b.rand.IntN(len(b.sections)) }

// edits are ways to change a book, by name.
func (b *book) edits() map[string]func() {
	insert := func(i int) { b.sections = slices.Insert(b.sections, i, b.section()) }
	remove := func(i int) {
		if len(b.sections) > 1 {
			b.sections = slices.Delete(b.sections, i, i+1)
		}
	}
	return map[string]func(){
		"insert first":     func() { insert(0) },
		"insert somewhere": func() { insert(b.any()) },
		"append":           func() { insert(len(b.sections)) },
		"delete first":     func() { remove(0) },
		"delete somewhere": func() { remove(b.any()) },
		"delete last":      func() { remove(len(b.sections) - 1) },
		"type a line":      func() { b.sections[b.any()] += fmt.Sprintf("\nA line of flour %d.\n", b.rand.IntN(1000)) },
		"tag":              func() { b.sections[b.any()] += fmt.Sprintf("\n#tag%d\n", b.rand.IntN(9)) },
		"swap":             func() { i, j := b.any(), b.any(); b.sections[i], b.sections[j] = b.sections[j], b.sections[i] },
		"same again":       func() { i := b.any(); b.sections[i] = b.sections[b.any()] },
		"split":            func() { b.sections[b.any()] += "\n### Deeper\n\nBelow it all.\n" },
		"front matter":     func() { b.front = append(b.front[:1:1], fmt.Sprintf("turns: %d", b.rand.IntN(1000))) },
		"title":            func() { b.title = fmt.Sprintf("Book the %dth of them", b.rand.IntN(1000)) },
		"heading level":    func() { i := b.any(); b.sections[i] = strings.TrimPrefix(b.sections[i], "#") },
		"language": func() {
			b.spoken++
			b.front = []string{"tags: [t0]", "lang: " + []string{"de", "fr", "ja", "en"}[b.spoken%4]}
		},
		"nothing": func() {},
		"short": func() {
			for i := range b.sections {
				if i > 2 {
					b.sections = b.sections[:3]
					break
				}
			}
		},
		"long again": func() {
			for len(b.sections) < 45 {
				insert(len(b.sections))
			}
		},
		"few words": func() {
			b.sections = []string{"## Data\n\nhull keel " + strings.Repeat("x", page.PartsFrom) + "\n", "## More\n\nneedle1 rye loaf\n"}
		},
		"broken front": func() { b.front = []string{"tags: [t0", "name: x"} },
		"mended front": func() { b.front = []string{"tags: [t0]"} },
		"NUL":          func() { b.sections[b.any()] += "\x00" },
		"no NUL": func() {
			for i, s := range b.sections {
				b.sections[i] = strings.ReplaceAll(s, "\x00", "")
			}
		},
	}
}

func (b *book) edit() (name string) {
	all := b.edits()
	names := slices.Sorted(maps.Keys(all))
	name = names[b.rand.IntN(len(names))]
	all[name]()
	return name
}

// A shelf is an index that isn't followed, of a vault with a book.
type shelf struct {
	t     *testing.T
	vault *vault.Vault
	index *Index
}

const bookPath = "notes/book.md"

func newShelf(t *testing.T, b *book) *shelf {
	t.Helper()
	s := &shelf{t: t, vault: vaulttest.New(t, small)}
	s.write(b.String())
	s.index = held(t, s.vault, func(string) bool { return true })
	return s
}

func (s *shelf) write(text string) { writeFile(s.t, filepath.Join(s.vault.Dir(), bookPath), text) }

func (s *shelf) publish() error {
	return s.index.publish(s.t.Context(), s.index.current, []string{bookPath}, func(int) error { return nil })
}

// save writes a book, has it indexed and returns how many entries were written.
func (s *shelf) save(b *book) uint64 {
	s.t.Helper()
	s.write(b.String())
	before := s.written()
	if err := s.publish(); err != nil {
		s.t.Fatal(err)
	}
	return s.written() - before
}

func (s *shelf) written() uint64 {
	n, _ := s.index.current.store.Scorch.StatsMap()["updates"].(uint64)
	return n
}

// Whatever is done to a long document, the index holds what one that is made anew
// does. KIST_ROUNDS makes it longer.
func TestLongDocumentsEdited(t *testing.T) {
	b := newBook(0, 45)
	s := newShelf(t, b)
	for _, name := range slices.Sorted(maps.Keys(b.edits())) { // each by itself
		b.edits()[name]()
		s.save(b)
		if assertEqualsDisk(t, s.index); t.Failed() {
			t.Fatal(name)
		}
		*b = *newBook(0, 45)
		s.save(b)
	}
	for seed := range uint64(2) {
		*b = *newBook(seed, 45)
		edits := []string{}
		for i := range rounds(t, 15) {
			edits = append(edits, b.edit())
			if i%3 == 0 { // two quick changes
				s.save(b)
				edits = append(edits, b.edit())
			}
			s.save(b)
			if assertEqualsDisk(t, s.index); t.Failed() {
				t.Fatalf("seed %d, after %q", seed, edits)
			}
		}
	}
}

// A save writes the entries that it changes, and no others.
func TestLongDocumentsWriteWhatChanged(t *testing.T) {
	const n = 45
	for _, c := range []struct {
		edit string
		want uint64 // with one for the first, which has the links
	}{
		{"append", 2}, {"nothing", 0}, {"delete last", 1}, {"front matter", 1}, {"insert first", n + 2}, {"title", n + 1},
	} {
		b := newBook(1, n)
		s := newShelf(t, b)
		b.edits()[c.edit]()
		if got := s.save(b); got > c.want || (c.want > 0) != (got > 0) {
			t.Errorf("%s: %d entries written, want %d at most", c.edit, got, c.want)
		}
		assertEqualsDisk(t, s.index)
	}
	b := newBook(1, n)
	s := newShelf(t, b)
	b.sections[n/2] += "\nA line.\n"
	if got := s.save(b); got != 1 {
		t.Errorf("a line: %d entries written", got)
	}
	if len(s.index.current.manifest.Parts) != 1 {
		t.Errorf("%d documents with parts: short ones have none", len(s.index.current.manifest.Parts))
	}
}

// The vectors after a save are those that the document gets when it is embedded anew.
func TestLongDocumentsVectors(t *testing.T) {
	f := start(t, topical(60))
	f.waitVectors()
	b := newBook(3, 45)
	x := f.index
	s := &shelf{t: t, vault: f.vault, index: x}
	release, err := x.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	embedded, edits := 0, []string{"few words", "type a line", "tag", "long again", "type a line"}
	for range rounds(t, 40) {
		edits = append(edits, "any")
	}
	for _, name := range edits {
		if edit := b.edits()[name]; edit != nil {
			edit()
		} else {
			name = b.edit()
		}
		s.save(b)
		got, _ := x.current.vectors.Set.Passages(bookPath)
		x.learner.embedFile(x.current, bookPath)
		want, _ := x.current.vectors.Set.Passages(bookPath)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-anew +kept):\n%s", name, diff)
		}
		embedded = max(embedded, len(got))
	}
	// Vectors of another text are none to keep.
	*b = *newBook(4, 45)
	s.save(b)
	x.current.vectors.Set.Put(vector.Document{Key: bookPath, Stamp: vector.Stamp{1}})
	b.edits()["append"]()
	s.save(b)
	if got, _ := x.current.vectors.Set.Passages(bookPath); len(got) < len(b.sections) {
		t.Errorf("%d passages of %d sections", len(got), len(b.sections))
	}
	if embedded < 45 {
		t.Errorf("%d passages at most", embedded)
	}
}

// A crash between bleve's batch and the manifest leaves parts of what isn't there any
// more. naive is an index that believes them.
func TestLongDocumentsAfterCrash(t *testing.T) {
	for _, naive := range []bool{false, true} {
		b := newBook(1, 45)
		v := vaulttest.New(t, small)
		name, listing := filepath.Join(v.Dir(), bookPath), filepath.Join(v.Dir(), ".kist/index/manifest")
		first := b.String()
		writeFile(t, name, first)
		session(t, v, nil)
		before, err := os.ReadFile(listing)
		if err != nil {
			t.Fatal(err)
		}
		b.edits()["type a line"]()
		writeFile(t, name, b.String())
		session(t, v, nil)
		writeFile(t, listing, string(before))
		writeFile(t, name, first+"\nA line at the end.\n")

		x, err := Open(v, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := x.current.manifest
		if m.Files[bookPath].Flags&manifest.Unsure == 0 || m.Parts[bookPath] != nil {
			t.Errorf("believed: %v, %d parts", m.Files[bookPath].Flags, len(m.Parts[bookPath]))
		}
		if naive {
			saved, err := manifest.Load(x.dir)
			if err != nil || len(saved.Parts[bookPath]) == 0 {
				t.Fatalf("%d parts, %v", len(saved.Parts[bookPath]), err)
			}
			m.Files[bookPath], m.Parts[bookPath] = saved.Files[bookPath], saved.Parts[bookPath]
		}
		s := &shelf{t, v, x}
		if err := s.publish(); err != nil {
			t.Fatal(err)
		}
		seen := &recorder{TB: t}
		assertEqualsDisk(seen, x)
		if seen.failed != naive {
			t.Errorf("naive %v: differences %v", naive, seen.failed)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// An entry that the store has lost, whatever the reason, comes back with the next save.
func TestLongDocumentsLostEntry(t *testing.T) {
	b := newBook(1, 45)
	s := newShelf(t, b)
	if err := s.index.current.store.Scorch.Delete(page.EntryID(bookPath, 7)); err != nil {
		t.Fatal(err)
	}
	b.edits()["append"]()
	s.save(b)
	assertEqualsDisk(t, s.index)
}

// A write that fails, whether or not the store has it after all, is made good.
func TestLongDocumentsAfterFailedWrite(t *testing.T) {
	for _, arrived := range []bool{false, true} {
		b := newBook(1, 45)
		s := newShelf(t, b)
		x, g := s.index, s.index.current
		first := b.String()
		b.edits()["swap"]()
		b.edits()["type a line"]()
		s.write(b.String())
		if arrived { // and then the process is told that it didn't
			err := x.write(t.Context(), g, []intake.File{x.reading(g).prepare(bookPath)})
			if err = errors.Join(err, x.degrade(g)); err != nil {
				t.Fatal(err)
			}
		} else if g.store.ReadOnly = true; s.publish() == nil {
			t.Fatal("written into what can't be written to")
		}
		if g.manifest.Parts[bookPath] != nil {
			t.Error("the manifest believes to know what the store has")
		}
		if err := x.revive(g); err != nil {
			t.Fatal(err)
		}
		s.write(first) // what the manifest has
		if err := s.publish(); err != nil {
			t.Fatal(err)
		}
		assertEqualsDisk(t, x)
		if n := s.save(b); n == 0 {
			t.Error("nothing written")
		}
		assertEqualsDisk(t, x)
	}
}

// A manifest that knows nothing of parts is used as it is.
func TestManifestWithoutParts(t *testing.T) {
	b := newBook(1, 45)
	v := vaulttest.New(t, small)
	name := filepath.Join(v.Dir(), bookPath)
	writeFile(t, name, b.String())
	session(t, v, nil)
	dir := filepath.Join(v.Dir(), ".kist/index")
	m, err := manifest.Load(dir)
	if err != nil || len(m.Parts[bookPath]) < 3 {
		t.Fatalf("%d parts, %v", len(m.Parts[bookPath]), err)
	}
	clear(m.Parts)
	if err := m.Save(dir, m.Base); err != nil {
		t.Fatal(err)
	}
	b.edits()["append"]()
	writeFile(t, name, b.String())
	session(t, v, func(f *fixture) {
		if s := f.index.Status(); s.Notice != "" {
			t.Errorf("status %+v", s)
		}
		assertEqualsDisk(t, f.index)
		if got := len(f.index.current.manifest.Parts[bookPath]); got < 3 {
			t.Errorf("%d parts", got)
		}
	})
}

// While the index can't take in a save of a long document, a search prepares it, and answers as the
// index does later.
func TestDirectOfLongDocuments(t *testing.T) {
	t.Parallel() // it waits
	queries := []string{"engines", "needle1", "turn", "line", "title:book", "heading:turn engines", "tag:t0", "turns:*", "lang:de", "beginning", "-engines", `"in the beginning"`, ""}
	b := newBook(2, 45)
	f := start(t, small+medley(10))
	vaulttest.Watch(t, f.vault)
	name := filepath.Join(f.vault.Dir(), bookPath)
	writeFile(t, name, b.String())
	f.wait()
	for _, edit := range []string{"type a line", "front matter"} {
		b.edits()[edit]()
		<-f.index.writing // the gate
		writeFile(t, name, b.String())
		held := map[string]*rank.Results{}
		for _, q := range queries {
			held[q] = inTime(t, f.index, q, func(f rank.Freshness) bool { return f.Degraded == "" && f.Pending == 0 && f.Direct == 1 })
			if held[q].Freshness.Direct != 1 {
				t.Errorf("%s: %+v", q, held[q].Freshness)
			}
		}
		f.index.writing <- struct{}{}
		if _, err := f.vault.Barrier(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.wait()
		for _, q := range queries {
			assertSame(t, edit+": "+q, all(t, f.index, q), held[q], true)
		}
	}
}

// A section that moves about is found by every search meanwhile.
func TestDirectOfMovingSections(t *testing.T) {
	b := newBook(1, 45)
	b.sections[20] += "\nzeppelin\n"
	f := start(t, small)
	vaulttest.Watch(t, f.vault)
	name := filepath.Join(f.vault.Dir(), bookPath)
	writeFile(t, name, b.String())
	f.wait()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range rounds(t, 60) {
			if i%2 == 0 {
				b.edits()["insert first"]()
			} else {
				b.edits()["delete first"]()
			}
			temp := filepath.Join(f.vault.Dir(), ".saving")
			if err := errors.Join(os.WriteFile(temp, []byte(b.String()), 0o666), os.Rename(temp, name)); err != nil {
				t.Error(err)
			}
		}
	}()
	for n := 0; ; n++ {
		select {
		case <-done:
			t.Logf("%d searches", n)
			return
		default:
		}
		if res := f.search("zeppelin"); len(res.Hits) != 1 && res.Freshness.Degraded == "" {
			t.Errorf("%d hits, %+v", len(res.Hits), res.Freshness)
		}
	}
}
