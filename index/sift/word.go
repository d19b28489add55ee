package sift

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Word is one that is asked for, in all its forms: needles find where one may begin, and
// what stands there is analysed. Its methods may be called concurrently.
type Word struct {
	needles []Needle
	terms   func(word []byte) uint64
	all     uint64

	mu    sync.Mutex
	known Known
}

// NewWord returns a word that each of ways may find alone. terms tells which of the terms
// that are asked for, as bits of all, the analysis of another word gives. It returns nil
// for what isn't one word of letters and figures, or of a script without spaces.
func NewWord(asked string, ways []Needles, all uint64, terms func(word []byte) uint64) *Word {
	w := &Word{terms: terms, all: all, known: Known{}}
	for _, way := range ways {
		if len(way) != 1 || way[0].script != nil || way[0].variants || way[0].Everywhere() {
			return nil
		}
		w.needles = append(w.needles, way[0])
	}
	if len(w.needles) == 0 || strings.ContainsFunc(asked, func(r rune) bool { return Unspaced(r) || r < utf8.RuneSelf && separates[r] }) {
		return nil
	}
	return w
}

// Known is what words were found to be. It is for one [Word] and for one goroutine at a
// time, which so waits for no other.
type Known map[string]uint64

// maxFound: more hardly count for the rank.
const maxFound = 15

// Find returns how often a text has the word, maxFound at most, and which of its terms.
func (w *Word) Find(t *Text, known Known) (count int, terms uint64) {
	for _, n := range w.needles {
		here, found := w.find(n, t.head, known, 0)
		more, also := w.find(n, t.body, known, here)
		count, terms = max(count, more), terms|found|also
	}
	return count, terms
}

func (w *Word) find(n Needle, p part, known Known, before int) (count int, terms uint64) {
	count = before
	var c cursor
	for at := 0; count < maxFound; {
		i := bytes.Index(p.folded[at:], n.text)
		if i < 0 {
			break
		}
		i += at
		if !n.inside && i > 0 && isASCIIWord(p.folded[i-1]) {
			at = i + len(n.text)
			continue
		}
		at = i + wordLength(p.folded[i:])
		word, end := p.word(&c, i)
		found := w.judge(p.raw[word:end], known)
		if found == 0 && (word > 0 && hides[p.raw[word-1]] || end < len(p.raw) && hides[p.raw[end]]) {
			found = w.all
		}
		if found != 0 {
			count++
			terms |= found
		}
	}
	return count, terms
}

// judge says which terms a word of a text gives.
func (w *Word) judge(word []byte, known Known) uint64 {
	terms, ok := known[string(word)]
	if !ok {
		terms = w.judgeOnce(word)
		known[string(word)] = terms
	}
	return terms
}

func (w *Word) judgeOnce(word []byte) uint64 {
	w.mu.Lock()
	terms, ok := w.known[string(word)]
	w.mu.Unlock()
	if ok {
		return terms
	}
	if terms = w.all; !cryptic(word) {
		terms = w.terms(word)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[string(word)] = terms
	return terms
}

// cryptic reports whether what a word says isn't what it looks like: it may have marks on
// letters of their own, or what can't be seen.
func cryptic(word []byte) bool {
	return bytes.ContainsFunc(word, func(r rune) bool {
		return r == 0xAD || r == utf8.RuneError || r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Cf)
	})
}

// separates tells the ASCII characters that are no letters or figures, and hides those that
// may stand within a word as it is read: escapes, and marks of how it looks.
var separates, hides = func() (separates, hides [256]bool) {
	for b := range utf8.RuneSelf {
		separates[b] = !isASCIIWord(byte(b)) && (b < 'A' || b > 'Z')
	}
	for _, b := range "&%\\<*~`" {
		hides[b] = true
	}
	return separates, hides
}()

func wordLength(text []byte) int {
	for i, b := range text {
		if separates[b] {
			return i
		}
	}
	return len(text)
}
