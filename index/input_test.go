package index

import (
	"fmt"
	"kist/index/page"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault"
)

func create(path string, i int, text string) vault.Batch {
	typ := vault.OpUpdate
	before := []byte("needle " + previous(i) + "\n")
	if i == 0 {
		typ, before = vault.OpCreate, nil
	}
	after := []byte("needle " + text + "\n")
	return vault.Batch{Origin: vault.Origin{Actor: vault.ActorUser}, Steps: []vault.Step{{
		Type: typ, Entity: vault.Entity{Type: "note", Path: path}, Reason: "test",
		Changes: []vault.Change{{Path: path, Before: before, After: after}},
	}}}
}

func previous(i int) string { return "marker" + string(rune('a'+i-1)) + "x" }

func TestBadInput(t *testing.T) {
	f := start(t, small)
	dir := f.vault.Dir()
	big := filepath.Join(dir, "sparse.md")
	writeFile(t, big, "zeppelin")
	if err := os.Truncate(big, 200<<20); err != nil {
		t.Fatal(err)
	}
	f.write("long.md", "zeppelin "+strings.Repeat(strings.Repeat("straw", 12)+" ", 11<<20/61+1)+" gondola")
	f.write("binary.md", "ELF\x00\x01zeppelin")
	f.write("latin1.md", "line\ncaf\xe9 zeppelin\n")
	f.write("matter.md", "---\nname: x\ntags: [a\n---\nzeppelin\n")
	f.write("headings.md", strings.Repeat("# h\n", 100_000)+"zeppelin\n")
	f.write("line.md", "zeppelin "+strings.Repeat("hay", 5<<20/3))
	f.write("quotes.md", strings.Repeat(strings.Repeat("> ", 20_000)+"zeppelin\n", 5))
	f.write("brackets.md", strings.Repeat("[[", 200_000)+strings.Repeat("[](", 200_000)+" zeppelin")
	f.write("keys.md", "---\n"+manyKeys(400)+"---\nzeppelin\n")
	f.write("empty.md", "")
	f.write("emoji 😀.md", "zeppelin")
	f.write("new\nline.md", "zeppelin")
	began := time.Now()
	f.compareNow()
	took := time.Since(began)
	s := f.index.Status()
	if s.State != Ready || s.Documents != 17 {
		t.Errorf("status %+v", s)
	}
	want := map[string]string{
		"sparse.md": "1 200 MiB: only the first 10 MiB are searchable; not text: a NUL byte at offset 8",
		"long.md":   "0 11 MiB: only the first 10 MiB are searchable",
		"binary.md": "1 not text: a NUL byte at offset 3",
		"latin1.md": "2 not valid UTF-8 at byte 8: such bytes are not searchable",
	}
	got := map[string]string{}
	matter := false
	for _, p := range s.Problems {
		if p.Path == "matter.md" {
			matter = p.Line == 3 || p.Line == 4
			continue
		}
		if got[p.Path] != "" {
			got[p.Path] += "; " + p.Message
			got[p.Path] = fmt.Sprint(p.Line) + got[p.Path][1:]
		} else {
			got[p.Path] = fmt.Sprintf("%d %s", p.Line, p.Message)
		}
		if p.Hint == "" {
			t.Errorf("no hint: %+v", p)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || !matter {
		t.Errorf("problems (-want +got):\n%s\n%+v", diff, s.Problems)
	}
	if s.Freshness.Failed != 2 {
		t.Errorf("failed %d", s.Freshness.Failed)
	}
	found := map[string]bool{}
	for _, h := range ask(t, f.index, Query{Text: "zeppelin", Limit: 100}).Hits {
		found[h.Path] = true
		if h.HeadOnly != (h.Path == "long.md") {
			t.Errorf("%s: only its head: %v", h.Path, h.HeadOnly)
		}
	}
	if diff := cmp.Diff(map[string]bool{
		"long.md": true, "latin1.md": true, "matter.md": true, "headings.md": true,
		"quotes.md": true, "brackets.md": true, "keys.md": true,
		"line.md": true, "emoji 😀.md": true, "new\nline.md": true,
	}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	f.finds("gondola")
	f.finds("binary", "binary.md")
	f.finds("sparse", "sparse.md")
	if h := f.search("zeppelin path:headings").Hits[0]; h.Line != 100_001 || h.Excerpt != "zeppelin" {
		t.Errorf("hit %+v", h)
	}
	if e := f.index.current.manifest.Files["headings.md"]; e.Sections < page.MaxSections || e.Sections > page.MaxSections+10 {
		t.Errorf("%d sections", e.Sections)
	}
	if took > 3*time.Minute { // a quadratic would take hours
		t.Errorf("took %v", took)
	}
	t.Log(took)
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: [%s]\n", i, strings.Repeat("v, ", 20))
	}
	return b.String()
}

// A long section followed by many short ones once made bleve's writer reserve
// gigabytes, which stayed in use. It remembers the last batch by processor, so one
// round may not show it.
func TestOneLongSectionDoesNotInflateTheNextBatch(t *testing.T) {
	f := start(t, small)
	most := uint64(0)
	for round := range 6 {
		var words strings.Builder
		for i := range 10_000 {
			fmt.Fprintf(&words, "word%d%d ", round, i)
		}
		f.write("long.md", words.String())
		f.compareNow()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f.write("headings.md", fmt.Sprintf("round %d\n", round)+strings.Repeat("# h\n", 2000))
		f.compareNow()
		runtime.ReadMemStats(&after)
		most = max(most, (after.TotalAlloc-before.TotalAlloc)>>20)
	}
	if most > 120 {
		t.Errorf("2,000 short sections took %d MiB", most)
	}
}
