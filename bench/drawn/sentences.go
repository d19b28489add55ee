package drawn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Sentence was taken out of a document.
type Sentence struct {
	Text string
	Path string // of the document, from the folder, with slashes
}

// TakeSentences takes a sentence out of up to n of a folder's documents, which it writes anew,
// and returns them: what a person may remember of a document, whose words it has as well but not
// in that way. No sentence is in two documents. The seed chooses documents and sentences.
func TakeSentences(ctx context.Context, dir string, n int, seed uint64) (taken []Sentence, err error) {
	paths, err := Paths(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	texts, in := make([]string, len(paths)), map[string]int{} // documents that have a sentence
	for i, p := range paths {
		raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("read %s: %w", dir, err)
		}
		texts[i] = string(raw)
		had := map[string]bool{}
		for _, s := range sentencesOf(texts[i]) {
			had[oneLine(s)] = true
		}
		for s := range had {
			in[s]++
		}
	}
	r := rand.New(rand.NewPCG(seed, 6))
	for _, i := range r.Perm(len(paths)) {
		if len(taken) == n {
			break
		}
		whole := slices.DeleteFunc(sentencesOf(texts[i]), func(s string) bool {
			return !asks(s) || in[oneLine(s)] > 1 || strings.Count(texts[i], s) > 1
		})
		s, ok := draw(r, whole)
		if !ok {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(paths[i]))
		if err := os.WriteFile(name, []byte(strings.Replace(texts[i], s, " ", 1)), 0o644); err != nil {
			return nil, fmt.Errorf("take a sentence out: %w", err)
		}
		taken = append(taken, Sentence{oneLine(s), paths[i]})
	}
	return taken, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ended matches what ends like a sentence, in most scripts.
var ended = regexp.MustCompile(`[^.!?。！？।؟]+[.!?。！？।؟]`)

// sentencesOf are what ends like sentences in a document's paragraphs.
func sentencesOf(text string) (all []string) {
	if matter, after, found := strings.Cut(strings.TrimPrefix(text, "---"), "\n---"); found && len(matter) < len(text) && strings.HasPrefix(text, "---") {
		text = after
	}
	for _, paragraph := range strings.Split(text, "\n\n") {
		if p := strings.TrimLeft(paragraph, "\n"); p != "" && !strings.ContainsAny(p[:1], "#|>`-*+ \t<") {
			all = append(all, ended.FindAllString(paragraph, -1)...)
		}
	}
	return all
}

// asks reports whether a sentence can be asked for: it has as many words as people remember, and
// neither markup nor the syntax of a query.
func asks(s string) bool {
	if strings.ContainsAny(s, "|#`[]<>{}*_=~:\"“”«»\\") || strings.Contains(s, "---") || strings.Contains(s, "\n-") {
		return false
	}
	signs := 0 // of scripts without spaces between words
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Khmer) {
			signs++
		}
	}
	words := len(strings.Fields(s))
	return signs == 0 && words >= 6 && words <= 30 || signs >= 12 && signs <= 60
}
