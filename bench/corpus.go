package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The shape of a corpus: that of 12,000 Markdown files from eight public
// repositories (median 1.7 KB, 99 of 100 below 35 KB, 97 of 100 with front matter).
const (
	medianBytes  = 1700
	p99Bytes     = 35000
	minBytes     = 200
	maxBytes     = 1 << 20
	matterShare  = 0.97
	filesAFolder = 100
	wordsALink   = 120
)

// A Corpus is a folder of made-up Markdown: Files documents that are the same
// bytes for the same Files and Seed.
type Corpus struct {
	Files int
	Seed  uint64

	words []string
	names []string // titles, by document
	paths []string
	links []int // documents in the order in which they attract links
}

// NewCorpus plans a corpus; nothing is written yet.
func NewCorpus(files int, seed uint64) *Corpus {
	r := rand.New(rand.NewPCG(seed, 0))
	c := &Corpus{Files: files, Seed: seed, words: vocabulary(r)}
	pick := func() string { return c.words[r.IntN(len(c.words))] }
	folder := ""
	for i := range files {
		if i%filesAFolder == 0 {
			folder = pick()
			if i/filesAFolder%3 == 2 {
				folder = path.Join(path.Dir(c.paths[i-1]), folder) // some lie in others
			}
		}
		// The number keeps names apart on file systems that fold case.
		name := fmt.Sprintf("%s %s %d", title(pick()), pick(), i)
		c.names = append(c.names, name)
		c.paths = append(c.paths, path.Join(folder, name+".md"))
	}
	c.links = r.Perm(files)
	return c
}

// Write writes all documents below dir, which must exist.
func (c *Corpus) Write(dir string) error {
	for i, p := range c.paths {
		name := filepath.Join(dir, filepath.FromSlash(p))
		if i%filesAFolder == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return fmt.Errorf("write corpus: %w", err)
			}
		}
		if err := os.WriteFile(name, c.Document(i), 0o644); err != nil {
			return fmt.Errorf("write corpus: %w", err)
		}
	}
	return nil
}

// Document returns a document's text.
func (c *Corpus) Document(i int) []byte {
	r := rand.New(rand.NewPCG(c.Seed, uint64(i)+1))
	w := &writer{
		c: c, r: r, self: i,
		zipf:  rand.NewZipf(r, 1.1, 3, uint64(len(c.words)-1)),
		stop:  rand.NewZipf(r, 1.05, 2, uint64(len(stopWords)-1)),
		links: rand.NewZipf(r, 1.3, 2, uint64(max(1, c.Files-1))),
	}
	size := lengthOf(r)
	if r.Float64() < matterShare {
		w.frontMatter()
	}
	w.document(size)
	return []byte(w.text.String())
}

// lengthOf draws a length from the log-normal distribution with this median and
// this 99th percentile.
func lengthOf(r *rand.Rand) int {
	const z99 = 2.3263 // standard deviations to the 99th percentile
	sigma := math.Log(float64(p99Bytes)/medianBytes) / z99
	n := medianBytes * math.Exp(sigma*r.NormFloat64())
	return int(min(maxBytes, max(minBytes, n)))
}

// A writer writes one document.
type writer struct {
	c                 *Corpus
	r                 *rand.Rand
	zipf, stop, links *rand.Zipf
	self              int
	words             int // since the last link
	text              strings.Builder
}

func (w *writer) word() string { return w.c.words[w.zipf.Uint64()] }

func (w *writer) frontMatter() {
	date := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, w.r.IntN(2000))
	fmt.Fprintf(&w.text, "---\ntitle: %s\ntags: [%s, %s]\ndate: %s\n", w.c.names[w.self], w.word(), w.word(), date.Format(time.DateOnly))
	if w.r.IntN(4) == 0 {
		fmt.Fprintf(&w.text, "aliases:\n  - %s %s\n", title(w.word()), w.word())
	}
	w.text.WriteString("---\n\n")
}

// document writes blocks until the text has about size bytes.
func (w *writer) document(size int) {
	fmt.Fprintf(&w.text, "# %s\n", w.c.names[w.self])
	for blocks := 0; w.text.Len() < size; blocks++ {
		w.text.WriteByte('\n')
		switch n := w.r.IntN(20); {
		case n < 4 && blocks > 0:
			fmt.Fprintf(&w.text, "%s %s %s\n", strings.Repeat("#", 2+w.r.IntN(2)), title(w.word()), w.word())
		case n < 7:
			w.list("- ", size)
		case n < 8:
			w.list("- [ ] ", size)
		case n < 9:
			fmt.Fprintf(&w.text, "```\n%s = %s(%d)\n```\n", w.word(), w.word(), w.r.IntN(1000))
		default:
			w.paragraph(size)
		}
	}
}

func (w *writer) list(mark string, size int) {
	for range 2 + w.r.IntN(6) {
		if w.text.Len() >= size {
			return
		}
		item := mark
		if mark == "- [ ] " && w.r.IntN(3) == 0 {
			item = "- [x] "
		}
		w.text.WriteString(item)
		w.sentence(3 + w.r.IntN(8))
		w.text.WriteByte('\n')
	}
}

func (w *writer) paragraph(size int) {
	for i := range 1 + w.r.IntN(6) {
		if w.text.Len() >= size {
			break
		}
		if i > 0 {
			w.text.WriteByte(' ')
		}
		w.sentence(5 + w.r.IntN(18))
	}
	w.text.WriteByte('\n')
}

// sentence writes n words, of which nearly half are English stop words.
func (w *writer) sentence(n int) {
	for i := range n {
		word := ""
		switch {
		case w.words > wordsALink/2 && w.r.IntN(wordsALink/2) == 0:
			w.words = 0
			word = w.link()
		case w.r.Float64() < 0.45:
			word = stopWords[w.stop.Uint64()]
		default:
			word = w.word()
		}
		w.words++
		if i == 0 {
			word = title(word)
		} else {
			w.text.WriteByte(' ')
		}
		w.text.WriteString(word)
	}
	w.text.WriteByte('.')
}

// link is a wiki link to another document: few attract many.
func (w *writer) link() string {
	to := w.c.names[w.c.links[int(w.links.Uint64())%w.c.Files]]
	if w.r.IntN(3) == 0 {
		return "[[" + to + "|" + w.word() + "]]"
	}
	return "[[" + to + "]]"
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
