package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/manifest"
	"kist/index/page"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/index/intake"
	"kist/vault"
	"kist/vault/vaulttest"
)

// peak returns by how many bytes the heap was larger than before at most while fn ran,
// what nobody uses any more included. The collector runs often meanwhile: how far it lags behind on a busy
// machine, or with the race detector, isn't what is asked.
func peak(fn func()) (most int64) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	heap := func() int64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return int64(s[0].Value.Uint64())
	}
	runtime.GC()
	before := heap()
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				most = max(most, heap()-before)
			}
		}
	}()
	fn()
	close(stop)
	<-done
	return most
}

// hostile are files that are hard to keep out of memory: 10 MiB of ordinary Markdown,
// as much in one line, and many headings; in the short form a third of each.
// KIST_LONG_FILES=1 asks for the whole.
var hostile = map[string]struct {
	part func(i int) string
	n    int
}{
	"real": {realPart, page.MaxFile/7300 + 50},
	"line": {func(i int) string {
		return fmt.Sprintf("word %d %s", i, strings.Repeat(" lorem ipsum dolor sit amet", 390))
	}, 1050},
	"heads": {func(i int) string { return fmt.Sprintf("## Heading %d\n\ntext\n", i) }, 100_000},
}

func realPart(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Part %d\n\n", i)
	for j := range 6 {
		fmt.Fprintf(&b, "## Chapter %d of %d\n\nOf [[boats]] and `tides`, *%d* of them. %s\n\n- [ ] mend the %dth sail\n- [x] paint | it\n\n", j, i, i*j, strings.Repeat(fmt.Sprintf("The engines of the gondola turn%d. ", i), 30), j)
	}
	return b.String()
}

func longFiles() bool { return os.Getenv("KIST_LONG_FILES") != "" }

func writeHostile(t *testing.T, v *vault.Vault, kind string) (path string) {
	t.Helper()
	path = kind + ".md"
	f, err := os.Create(filepath.Join(v.Dir(), path))
	if err != nil {
		t.Fatal(err)
	}
	n := hostile[kind].n
	if !longFiles() {
		n /= 3
	}
	for i := range n {
		if _, err := f.WriteString(hostile[kind].part(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Indexing a long file takes a few times its text, not dozens of times.
func TestMemoryOfLongFiles(t *testing.T) {
	const bound = 64 << 20
	for kind := range hostile {
		v := vaulttest.New(t, small)
		path := writeHostile(t, v, kind)
		x := open(t, v)
		most := peak(func() {
			if err := x.publish(t.Context(), x.current, []string{path}, func(int) error { return nil }); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%s: %d MiB", kind, most>>20)
		if most > bound {
			t.Errorf("%s: the heap grew by %d MiB", kind, most>>20)
		}
	}
}

// Searches share what they hold, of files that are indexed and of such as aren't yet.
func TestMemoryOfSearches(t *testing.T) {
	bound := int64(100 << 20) // 12 times what is read would be more
	if longFiles() {
		bound = 150 << 20
	}
	v := vaulttest.New(t, small)
	for kind := range hostile {
		writeHostile(t, v, kind)
	}
	searches := func(x *Index) func() {
		return func() {
			var all sync.WaitGroup
			for i := range 12 {
				all.Go(func() { ask(t, x, Query{Text: []string{"text", "lorem", "gondola", `"sit amet"`}[i%4]}) })
			}
			all.Wait()
		}
	}
	x := held(t, v, func(string) bool { return false })
	most := peak(searches(x))
	t.Logf("not indexed: %d MiB", most>>20)
	if most > bound {
		t.Errorf("not indexed: the heap grew by %d MiB", most>>20)
	}
	y, err := Open(v, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { y.Close() })
	most = peak(func() {
		t.Cleanup(run(t, y))
		searches(y)()
		if err := y.Wait(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("being indexed: %d MiB", most>>20)
	if most > bound {
		t.Errorf("being indexed: the heap grew by %d MiB", most>>20)
	}
	if n := len(ask(t, y, Query{Text: "lorem gondola heading"}).Hits); n != len(hostile) {
		t.Fatalf("%d hits", n)
	}
	most = peak(searches(y))
	t.Logf("indexed: %d MiB", most>>20)
	if most > bound {
		t.Errorf("indexed: the heap grew by %d MiB", most>>20)
	}
}

// tale is a long document of so many sections.
func tale(n int, word string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## Night %d\n\n%s\n", i, strings.Repeat(fmt.Sprintf("the %s of night%d ", word, i), 200))
	}
	return b.String()
}

// A crash when some of a long document is written leaves what the manifest knows nothing
// of; naive is an index that believes the manifest.
func TestCrashBetweenPortions(t *testing.T) {
	for _, c := range []struct{ before, naive bool }{{false, false}, {true, false}, {true, true}} {
		v := vaulttest.New(t, small)
		name := filepath.Join(v.Dir(), bookPath)
		if c.before {
			writeFile(t, name, tale(250, "story"))
		}
		session(t, v, nil)
		writeFile(t, name, tale(250, "fable"))
		x, err := Open(v, Options{})
		if err != nil {
			t.Fatal(err)
		}
		x.searches.Now = today
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // it is asked between two portions
		p := x.reading(x.current).prepare(bookPath)
		if err := x.write(ctx, x.current, []intake.File{p}); !errors.Is(err, context.Canceled) {
			t.Fatalf("written: %v", err)
		}
		if ids, err := x.current.store.EntryIDs(bookPath); err != nil || len(ids) == 0 || !c.before && len(ids) == p.Count {
			t.Fatalf("%d of %d entries, %v", len(ids), p.Count, err)
		}
		if n := x.indexOnly(t, "fable"); n != 1 { // a search would wait for what nobody compares here
			t.Errorf("%d documents found while it is written", n)
		}
		if err := x.Close(); err != nil { // the manifest isn't saved
			t.Fatal(err)
		}
		if c.before {
			writeFile(t, name, tale(250, "story")) // what the manifest has
		}

		s := &shelf{t, v, open(t, v)}
		m := s.index.current.manifest
		e := m.Files[bookPath]
		if e.Flags&manifest.Unsure == 0 {
			t.Errorf("the manifest is sure: %+v", e)
		}
		if c.naive {
			e.Flags &^= manifest.Unsure
			m.Files[bookPath] = e
		}
		if err := s.publish(); err != nil {
			t.Fatal(err)
		}
		seen := &recorder{TB: t}
		assertEqualsDisk(seen, s.index)
		if seen.failed != c.naive {
			t.Errorf("naive %v: differences %v", c.naive, seen.failed)
		}
	}
}

// Who stops the index between two portions finds all of it done again later.
func TestStopBetweenPortions(t *testing.T) {
	s := &shelf{t: t, vault: vaulttest.New(t, small)}
	s.write(tale(250, "story"))
	s.index = held(t, s.vault, func(string) bool { return true })
	s.write(tale(250, "fable"))
	ctx, cancel := context.WithCancel(t.Context())
	x, g := s.index, s.index.current
	p := x.reading(g).prepare(bookPath)
	cancel()
	if err := x.commit(ctx, g, []intake.File{p}); !errors.Is(err, context.Canceled) {
		t.Fatalf("committed: %v", err)
	}
	s.write(tale(250, "story")) // what the manifest has
	if err := s.publish(); err != nil {
		t.Fatal(err)
	}
	assertEqualsDisk(t, x)
}

// A long section is several entries, and what stands where it is cut is found all the
// same, as words and as a phrase, with its line.
func TestLongSectionsAreCut(t *testing.T) {
	for _, gap := range []string{"\n", " "} {
		var text strings.Builder
		text.WriteString("# Tale\n\n")
		words := 25_000
		for i := range words {
			fmt.Fprintf(&text, "word%d%s", i, gap)
		}
		f := start(t, small+"-- notes/tale.md --\n"+text.String()+"\n")
		file, err := f.index.files.Reader().Read("notes/tale.md")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(file.Sections); n < len(file.Text)/page.MaxSection || len(file.Entries) != n {
			t.Fatalf("%d sections in %d entries", n, len(file.Entries))
		}
		for i, s := range file.Sections {
			if n := s.End - s.Start; n > page.MaxSection+page.Overlap+20 {
				t.Errorf("an entry of %d bytes", n)
			}
			if i == 0 {
				continue
			}
			if s.Start > file.Sections[i-1].End {
				t.Errorf("nothing has what is from %d to %d", file.Sections[i-1].End, s.Start)
			}
			at := 0
			if _, err := fmt.Sscanf(string(file.Text[s.Start:s.Start+20]), "word%d", &at); err != nil {
				t.Fatalf("cut within a word: %q", file.Text[s.Start-10:s.Start+10])
			}
			for _, q := range []string{fmt.Sprintf(`"word%d word%d word%d"`, at-2, at-1, at), fmt.Sprintf("word%d", at), fmt.Sprintf("word%d", at-1)} {
				res := f.search(q)
				if len(res.Hits) != 1 || !strings.Contains(res.Hits[0].Excerpt, fmt.Sprintf("word%d", at-1)) && !strings.Contains(res.Hits[0].Excerpt, fmt.Sprintf("word%d", at)) {
					t.Errorf("%s: %+v", q, res.Hits)
				}
				if gap == "\n" && q == fmt.Sprintf("word%d", at) && res.Hits[0].Line != at+3 {
					t.Errorf("%s: line %d, want %d", q, res.Hits[0].Line, at+3)
				}
			}
		}
	}
}
