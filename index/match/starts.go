package match

import (
	"bytes"
	"unicode/utf8"

	"kist/index/analyze"
)

// starts are the first two letters of the words that a Matcher looks for. English
// stems begin as their words do, so a word that begins otherwise needn't be
// analysed, which costs most of an excerpt.
//
// For each first byte that is a letter or digit there is a bit for each second one;
// the last bit stands for any. "i" and "y" are the same: "ay" becomes "ai".
type starts [36]uint64

// anySecond is the bit that stands for any second byte.
const anySecond = 36

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

func (s *starts) add(term string) bool {
	if term == "" {
		return false
	}
	first, ok := alphanumeric(term[0])
	if !ok {
		return false
	}
	second := anySecond
	if len(term) > 1 {
		if n, ok := alphanumeric(term[1]); ok {
			second = n
		}
	}
	s[first] |= 1 << second
	return true
}

// alphanumeric numbers ASCII letters and digits from 0 to 35, without regard to case.
func alphanumeric(c byte) (n int, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return int(c-'0') + 26, true
	case c|0x20 == 'y':
		return 'i' - 'a', true
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c | 0x20 - 'a'), true
	}
	return 0, false
}

// in reports whether text may have a word that begins so.
func (s *starts) in(text []byte) bool {
	inside := false // a run of letters and digits
	for i, c := range text {
		if c >= utf8.RuneSelf {
			return true
		}
		first, ok := alphanumeric(c)
		if ok && !inside && s.from(first, text[i+1:]) {
			return true
		}
		inside = ok
	}
	return false
}

func (s *starts) from(first int, rest []byte) bool {
	seconds := s[first]
	if seconds == 0 || len(rest) == 0 {
		return seconds != 0
	}
	if n, ok := alphanumeric(rest[0]); ok {
		return seconds&(1<<n|1<<anySecond) != 0
	}
	return seconds&(1<<anySecond) != 0 || rest[0] >= utf8.RuneSelf
}

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
	english := m.Analyzer.Name == analyze.English
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && !blank(text[end]) {
			end++
		}
		if end > at && (m.starts == nil || !english || m.starts.in(text[at:end])) {
			for _, t := range m.Analyzer.Word(text[at:end]) {
				each(t.Term, Span{at + t.Start, at + t.End})
			}
		}
		at = end + 1
	}
}

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
