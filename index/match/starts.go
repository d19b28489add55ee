package match

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"

	"kist/index/sift"
)

// starts are the first two letters of the words that a Matcher looks for, folded. What a stemmer
// takes for the same word begins alike, so a word that begins otherwise needn't be analysed, which
// costs most of an excerpt.
//
// For each first letter there is a bit for each second one; bit 0 stands for any. "i" and "y" are
// the same: "ay" becomes "ai".
type starts [64]uint64

// anySecond is the bit that stands for any second letter.
const anySecond = 1

// Prepare makes a matcher faster that is complete.
func (m *Matcher) Prepare() { m.starts = newStarts(m.Terms, m.Prefixes) }

// newStarts returns nil where a term or prefix begins in a way that says nothing.
func newStarts(terms map[string]float64, prefixes []string) *starts {
	var s starts
	for t := range terms {
		if !s.add(t) {
			return nil
		}
	}
	for _, p := range prefixes {
		if !s.add(p) {
			return nil
		}
	}
	return &s
}

// add takes up a term. One of a script that isn't folded is in no word that is left out.
func (s *starts) add(term string) bool {
	if term == "" {
		return false
	}
	if !foldable([]byte(term)) {
		return true
	}
	folded := folder().Fold(nil, []byte(term))
	first, n := letterAt(folded)
	if first == 0 {
		return false
	}
	if second, _ := letterAt(folded[n:]); second != 0 {
		s[first] |= 1 << second
	} else {
		s[first] |= anySecond
	}
	return true
}

// letters numbers ASCII letters and figures from 1 to 36, without regard to case; all else is 0.
var letters = func() (letters [256]uint8) {
	for i := range uint8(26) {
		letters['a'+i], letters['A'+i] = i+1, i+1
	}
	for i := range uint8(10) {
		letters['0'+i] = i + 27
	}
	letters['y'], letters['Y'] = letters['i'], letters['i']
	return letters
}()

// letterAt numbers the letter that folded text begins with, and says how long it is. Other scripts
// share the numbers above those of ASCII.
func letterAt(text []byte) (number uint8, size int) {
	if len(text) == 0 {
		return 0, 0
	}
	if text[0] < utf8.RuneSelf {
		return letters[text[0]], 1
	}
	r, size := utf8.DecodeRune(text)
	return uint8(37 + r%27), size
}

// folder's tables take a moment to make.
var folder = sync.OnceValue(sift.NewFolder)

// foldable reports whether text has letters alone that are folded one by one: Latin, Greek or
// Cyrillic ones, without marks of their own.
func foldable(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool {
		latin := r < 0x300 && r != 0xAD || r >= 0x370 && r < 0x483 || r >= 0x48A && r < 0x530 || r >= 0x1E00 && r < 0x1F00
		return !latin && (r < 0x2010 || r > 0x2027)
	})
}

// in reports whether text may have a word that begins so. ascii says that it has nothing else.
func (s *starts) in(text []byte, ascii bool) bool {
	if !ascii {
		return s.inFolded(text)
	}
	inside := false // a run of letters and figures
	for i, c := range text {
		first := letters[c]
		if first != 0 && !inside && s.from(first, c|0x20, text[i+1:]) {
			return true
		}
		inside = first != 0
	}
	return false
}

// from reports whether a word may be meant that begins with a letter and goes on like rest. As
// [sift.Folder] does it leaves out what is written double, and "e" behind some vowels.
func (s *starts) from(first, c uint8, rest []byte) bool {
	seconds := s[first]
	if seconds == 0 {
		return false
	}
	if c >= 'a' {
		for len(rest) > 0 && (rest[0]|0x20 == c || rest[0]|0x20 == 'e' && (c == 'a' || c == 'o' || c == 'u')) {
			rest = rest[1:]
		}
	}
	if len(rest) == 0 || letters[rest[0]] == 0 {
		return true
	}
	return seconds&(1<<letters[rest[0]]|anySecond) != 0
}

// inFolded is in for text of any letters, where a word may begin behind whatever isn't ASCII.
func (s *starts) inFolded(text []byte) bool {
	if !foldable(text) {
		return true
	}
	var room [64]byte
	folded := folder().Fold(room[:0], text)
	inside := false
	for i := 0; i < len(folded); {
		first, n := letterAt(folded[i:])
		if first != 0 && !inside && s[first] != 0 {
			second, _ := letterAt(folded[i+n:])
			if second == 0 || s[first]&(1<<second|anySecond) != 0 {
				return true
			}
		}
		inside = first != 0 && n == 1
		i += n
	}
	return false
}

// analysedWhole are languages whose stemmers change how words begin: in a short one the second
// letter is among the last.
var analysedWhole = []string{"ar", "ckb", "fa", "hi", "hr", "pl", "tr"}

// tokens analyses the words of text that may be what is looked for. What stands between
// blanks gives the same tokens alone as within its line.
func (m Matcher) tokens(text []byte, each func(term []byte, at Span)) {
	if !m.Analyzer.Wordwise() {
		// Analyzers may write into what they are given.
		for _, t := range m.Analyzer.Analyze(bytes.Clone(text)) {
			each(t.Term, Span{t.Start, t.End})
		}
		return
	}
	all := m.starts == nil || slices.Contains(analysedWhole, m.Analyzer.Name)
	for at := 0; at < len(text); {
		end, signs := at, byte(0)
		for end < len(text) && !blank(text[end]) {
			signs |= text[end]
			end++
		}
		if end > at && (all || m.starts.in(text[at:end], signs < utf8.RuneSelf)) {
			for _, t := range m.Analyzer.Word(text[at:end]) {
				each(t.Term, Span{at + t.Start, at + t.End})
			}
		}
		at = end + 1
	}
}

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
