/*
Package drawn makes vaults of any size of real documents, and the questions to ask there. A
[Source] is a folder of documents; its Write draws a vault from it. A [Census] counts that
vault's words, and [Census.Classes] draws questions: words by how many files have them, the
rest word for word. All of it is the same for the same seed.
*/
package drawn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kist/vault/markdown"
)

// A Source is a folder of real documents that vaults of other sizes are drawn from.
type Source struct {
	Dir      string
	paths    []string // of the documents, from Dir, sorted
	texts    [][]byte
	sections [][]byte // of all documents, their headings included
	counts   []int    // how many sections each document has
}

// filesAFolder is how many documents of sections lie together.
const filesAFolder = 100

// longestDrawn is how long a document is at most that is drawn from: a book among notes would
// be most of what is measured.
const longestDrawn = 1 << 20

// Read reads a folder's Markdown into memory, what is hidden left out. The folder is
// only read. It fails where there is no text.
func Read(ctx context.Context, dir string) (*Source, error) {
	s := &Source{Dir: dir}
	paths, err := Paths(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("read %s: %w", dir, err)
		}
		if len(text) == 0 || len(text) > longestDrawn {
			continue
		}
		s.paths, s.texts = append(s.paths, filepath.FromSlash(p)), append(s.texts, text)
		before := len(s.sections)
		for _, section := range markdown.Parse(text).Sections() {
			s.sections = append(s.sections, text[section.Start:section.End])
		}
		s.counts = append(s.counts, max(1, len(s.sections)-before))
	}
	if len(s.sections) == 0 {
		return nil, fmt.Errorf("%s holds no Markdown", dir)
	}
	return s, nil
}

// Write makes a vault of so many files in a folder: whole documents in an order that the seed
// gives, each once, and from there on documents of sections of any of them, as many as some
// document has. It returns how many are whole. The same source, number and seed make the same
// files, which are as old as if one had been written an hour.
func (s *Source) Write(ctx context.Context, to string, files int, seed uint64) (whole int, err error) {
	r := rand.New(rand.NewPCG(seed, 3))
	order := r.Perm(len(s.texts))
	newest := time.Now().Add(-time.Hour)
	for i := range files {
		if err := ctx.Err(); err != nil {
			return whole, err
		}
		name, text := filepath.Join("drawn", fmt.Sprint(i/filesAFolder), fmt.Sprintf("%d.md", i)), []byte(nil)
		if i < len(order) {
			name, text = s.paths[order[i]], s.texts[order[i]]
			whole++
		} else {
			text = s.recombined(r)
		}
		name = filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return whole, fmt.Errorf("make a vault: %w", err)
		}
		at := newest.Add(-time.Duration(i) * time.Hour)
		if err := errors.Join(os.WriteFile(name, text, 0o644), os.Chtimes(name, at, at)); err != nil {
			return whole, fmt.Errorf("make a vault: %w", err)
		}
	}
	return whole, nil
}

// recombined is a document of sections drawn from all.
func (s *Source) recombined(r *rand.Rand) []byte {
	var text []byte
	for range s.counts[r.IntN(len(s.counts))] {
		text = append(text, s.sections[r.IntN(len(s.sections))]...)
		if text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
		if len(text) > longestDrawn {
			break
		}
	}
	return text
}

// A Census is what queries are drawn from: which words stand in how many files, and texts and
// questions of them.
type Census struct {
	Bytes     int64
	Paths     []string // from the vault, sorted, with slashes
	files     map[string]int
	samples   []string // in lower case
	questions []string
}

// What a census keeps of a vault at most.
const (
	keptSamples   = 2000
	keptQuestions = 5000
)

// Count reads all files of a vault.
func Count(ctx context.Context, dir string, seed uint64) (*Census, error) {
	c := &Census{files: map[string]int{}}
	var err error
	if c.Paths, err = Paths(ctx, dir); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 4))
	seen := map[string]int{} // the last file that had a word
	for i, p := range c.Paths {
		raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		c.Bytes += int64(len(raw))
		text := strings.ToLower(string(raw))
		eachWord(text, func(w string) {
			if seen[w] != i+1 {
				seen[w] = i + 1
				c.files[w]++
			}
		})
		if len(c.samples) < keptSamples {
			c.samples = append(c.samples, text)
		} else if at := r.IntN(i + 1); at < keptSamples {
			c.samples[at] = text
		}
		if len(c.questions) < keptQuestions {
			c.questions = append(c.questions, questionsIn(string(raw))...)
		}
	}
	return c, nil
}

// Paths returns the Markdown documents of a folder, from there, with slashes; what is hidden is
// left out.
func Paths(ctx context.Context, dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != dir && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(d.Name(), ".md"):
			return nil
		}
		rel, err := filepath.Rel(dir, p)
		paths = append(paths, filepath.ToSlash(rel))
		return errors.Join(err, ctx.Err())
	})
	return paths, err
}

// eachWord calls fn with each word of 3 to 20 letters without accents, whole
// words alone.
func eachWord(text string, fn func(word string)) {
	for i := 0; i < len(text); {
		start := i
		plain := true
		for i < len(text) && wordByte(text[i]) {
			plain = plain && 'a' <= text[i] && text[i] <= 'z'
			i++
		}
		if n := i - start; plain && n >= 3 && n <= 20 {
			fn(text[start:i])
		}
		if i == start {
			i++
		}
	}
}

func wordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b >= 0x80
}
