package match

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"kist/index/sift"
)

// starts are the first letters of the words that a Matcher looks for, folded: two, and of longer
// terms three. What a stemmer takes for the same word begins alike, so a word that begins otherwise
// needn't be analysed, which costs most of an excerpt. "i" and "y" are the same: "ay" becomes "ai".
type starts struct {
	seconds [64]uint64 // by first letter: a bit for each second one; bit 0 stands for any
	thirds  []triple   // of these
}

// A triple is three letters, the last of which may be 0 for any.
type triple [3]uint8

const (
	// anySecond is the bit that stands for any second letter.
	anySecond = 1
	// stable is how many letters a term has, at least, whose third one no stemmer changes.
	stable = 5
)

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
	if strings.ContainsRune(term, utf8.RuneError) {
		return false // a letter that a stemmer cut in two
	}
	if !foldable([]byte(term)) {
		return true
	}
	folded := folder().Fold(nil, []byte(term))
	first, n := letterAt(folded)
	if first == 0 {
		return false
	}
	second, m := letterAt(folded[n:])
	if second == 0 {
		s.seconds[first] |= anySecond
		return true
	}
	s.seconds[first] |= 1 << second
	t := triple{first, second}
	if utf8.RuneCount(folded) >= stable && second < otherScripts {
		t[2], _ = letterAt(folded[n+m:])
	}
	s.thirds = append(s.thirds, t)
	return true
}

// has reports whether a term may begin with three letters, of which the last two may be 0 where no
// letter follows.
func (s *starts) has(first, second, third uint8) bool {
	if second == 0 || s.seconds[first]&anySecond != 0 {
		return s.seconds[first] != 0
	}
	return s.seconds[first]&(1<<second) != 0 && (third == 0 || second >= otherScripts || slices.ContainsFunc(s.thirds, func(t triple) bool {
		return t[0] == first && t[1] == second && (t[2] == third || t[2] == 0)
	}))
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
	return uint8(otherScripts + r%27), size
}

// otherScripts is the first number of letters beyond ASCII, which may be written double.
const otherScripts = 37

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

// from reports whether a word may be meant that begins with a letter and goes on like rest.
func (s *starts) from(first, c uint8, rest []byte) bool {
	if s.seconds[first] == 0 {
		return false
	}
	second, c, rest := following(c, rest)
	if second == 0 || s.seconds[first]&(1<<second|anySecond) == 0 {
		return second == 0
	}
	third, _, _ := following(c, rest)
	return s.has(first, second, third)
}

// following is the number of the next letter, 0 for none, and what it is and what follows. As
// [sift.Folder] does it leaves out what is written double, and "e" behind some vowels.
func following(c uint8, rest []byte) (number, letter uint8, left []byte) {
	if c >= 'a' {
		for len(rest) > 0 && (rest[0]|0x20 == c || rest[0]|0x20 == 'e' && (c == 'a' || c == 'o' || c == 'u')) {
			rest = rest[1:]
		}
	}
	if len(rest) == 0 {
		return 0, 0, nil
	}
	return letters[rest[0]], rest[0] | 0x20, rest[1:]
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
		if first != 0 && !inside && s.seconds[first] != 0 {
			second, m := letterAt(folded[i+n:])
			third, _ := letterAt(folded[min(len(folded), i+n+m):])
			if s.has(first, second, third) {
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
// blanks, or between ASCII signs that no word has where there are no marks or hidden signs, gives the
// same tokens alone as within its line.
func (m Matcher) tokens(text []byte, each func(term []byte, at Span)) {
	if !m.Analyzer.Wordwise() {
		// Analyzers may write into what they are given.
		for _, t := range m.Analyzer.Analyze(bytes.Clone(text)) {
			each(t.Term, Span{t.Start, t.End})
		}
		return
	}
	all := m.starts == nil || slices.Contains(analysedWhole, m.Analyzer.Name)
	word := func(at, end int, ascii bool) {
		if end > at && (all || m.starts.in(text[at:end], ascii)) {
			for _, t := range m.Analyzer.Word(text[at:end]) {
				each(t.Term, Span{at + t.Start, at + t.End})
			}
		}
	}
	for at := 0; at < len(text); {
		end, signs := at, byte(0)
		for end < len(text) && !blank(text[end]) {
			signs |= text[end]
			end++
		}
		if ascii := signs < utf8.RuneSelf; ascii || foldable(text[at:end]) {
			cut(text, at, end, func(from, to int) { word(from, to, ascii) })
		} else {
			word(at, end, false)
		}
		at = end + 1
	}
}

// cut parts a stretch at ASCII signs that are never within a word, and leaves out those that are
// never at its ends.
func cut(text []byte, at, end int, word func(from, to int)) {
	for at < end {
		to := at
		for to < end && signs[text[to]] != apart {
			to++
		}
		from, until := at, to
		for from < until && signs[text[from]] == within {
			from++
		}
		for from < until && signs[text[until-1]] == within {
			until--
		}
		word(from, until)
		at = to + 1
	}
}

// signs tells of ASCII signs where they part words.
var signs = func() (signs [256]uint8) {
	for _, c := range "!\"#$%&()*+-/<=>?@[\\]^`{|}~" {
		signs[c] = apart
	}
	for _, c := range "',.:;" {
		signs[c] = within
	}
	return signs
}()

const (
	apart  = 1 + iota // always
	within            // unless they are between letters or figures
)

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
