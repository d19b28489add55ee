package bench

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"testing"

	"kist/vault/markdown"
)

func TestCorpusIsTheSameForTheSameSeed(t *testing.T) {
	a, b, other := NewCorpus(300, 7), NewCorpus(300, 7), NewCorpus(300, 8)
	differ := false
	for i := range 300 {
		if a.paths[i] != b.paths[i] || !bytes.Equal(a.Document(i), b.Document(i)) {
			t.Fatalf("document %d differs between two corpora of one seed", i)
		}
		differ = differ || !bytes.Equal(a.Document(i), other.Document(i))
	}
	if !differ {
		t.Error("two seeds make the same documents")
	}
}

// TestCorpusStatistics holds what the corpus claims to be like.
func TestCorpusStatistics(t *testing.T) {
	const files = 3000
	c := NewCorpus(files, 1)
	link, box := regexp.MustCompile(`\[\[([^|\]]+)`), regexp.MustCompile(`(?m)^- \[[ x]\] `)
	var sizes []int
	matter, boxes, headings := 0, 0, 0
	folders, linked, known := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, n := range c.names {
		known[n] = true
	}
	for i := range files {
		text := c.Document(i)
		sizes = append(sizes, len(text))
		folders[path.Dir(c.paths[i])]++
		d := markdown.Parse(text)
		if fm, err := d.FrontMatter(); err != nil {
			t.Fatalf("%s: %v", c.paths[i], err)
		} else if fm != nil {
			matter++
			if fm.String("title") != c.names[i] || len(fm.Strings("tags")) == 0 || fm.String("date") == "" {
				t.Errorf("%s: front matter %q", c.paths[i], text[:d.BodyStart()])
			}
		}
		headings += len(d.Sections())
		boxes += len(box.FindAll(text, -1))
		for _, m := range link.FindAllSubmatch(text, -1) {
			if !known[string(m[1])] {
				t.Fatalf("%s links to %q, which isn't there", c.paths[i], m[1])
			}
			linked[string(m[1])]++
		}
	}
	slices.Sort(sizes)
	between(t, "median length", sizes[files/2], 1500, 1950)
	between(t, "99th percentile", sizes[files*99/100], 27_000, 46_000)
	between(t, "with front matter", matter, files*96/100, files*98/100)
	between(t, "headings", headings/files, 2, 20)
	between(t, "checkboxes", boxes/files, 1, 10)
	for f, n := range folders {
		between(t, "files in "+f, n, 1, 2*filesAFolder)
	}
	// Few documents attract many links.
	var counts []int
	all := 0
	for _, n := range linked {
		counts = append(counts, n)
		all += n
	}
	slices.Sort(counts)
	top := 0
	for _, n := range counts[len(counts)-len(counts)/10:] {
		top += n
	}
	between(t, "links a document", all/files, 1, 10)
	between(t, "share of the tenth that is linked most", 100*top/all, 40, 95)
}

func between(t *testing.T, what string, got, low, high int) {
	t.Helper()
	if got < low || got > high {
		t.Errorf("%s: %d, want %d to %d", what, got, low, high)
	}
}
