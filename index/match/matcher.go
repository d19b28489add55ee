// Package match finds in a text what a query looks for, and cuts out what is shown of it.
package match

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/index/analyze"
)

const (
	ExcerptBytes = 240
	ExcerptLines = 3
	// LeadBytes is how much of a long line is shown before what matched.
	LeadBytes = 60
	// scanChunk and scanBytes bound the work on one very long section. It begins with a smaller
	// chunk, as the best place to begin is often at the first word found.
	firstChunk = 1 << 10
	scanChunk  = 64 << 10
	scanBytes  = 1 << 20
)

// A Matcher finds in a text what a query looks for.
type Matcher struct {
	Analyzer analyze.Analyzer
	Terms    map[string]float64 // weight of each term
	Prefixes []string
	Phrases  []Phrase
	Words    []string // that the terms were made of, and no others; nil: not known
	starts   *starts  // of terms and prefixes; nil: not known
}

// A match is one word or phrase found.
type match struct {
	Span
	term   string
	weight float64
}

func (m Matcher) Empty() bool { return len(m.Terms) == 0 && len(m.Phrases) == 0 }

// Find returns the matches in text, in order.
func (m Matcher) Find(text []byte) []match {
	var found []match
	if len(m.Terms) > 0 || len(m.Prefixes) > 0 {
		m.tokens(text, func(term []byte, at Span) {
			weight, ok := m.Terms[string(term)]
			if !ok && len(m.Prefixes) > 0 {
				lower := bytes.ToLower(text[at.Start:at.End])
				ok = slices.ContainsFunc(m.Prefixes, func(p string) bool { return bytes.HasPrefix(lower, []byte(p)) })
				weight = 1
			}
			if ok {
				found = append(found, match{at, string(term), weight})
			}
		})
	}
	if len(m.Phrases) == 0 { // in order already
		return found
	}
	if lower, ok := lowered(text); ok {
		for _, p := range m.Phrases {
			for at := 0; ; {
				s, ok := p.Find(lower, at)
				if !ok {
					break
				}
				// A phrase counts more than any words.
				found = append(found, match{s, string(bytes.Join(p, []byte(" "))), 100})
				at = s.End
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Start < found[j].Start })
	return found
}

// Locate returns the offset at which an excerpt of text[start:end] should begin.
func (m Matcher) Locate(text []byte, start, end int) (at int, ok bool) {
	if m.Empty() && len(m.Prefixes) == 0 {
		return 0, false
	}
	best, most := 0.0, m.everything()
	for from, limit, size := start, min(end, start+scanBytes), firstChunk; from < limit; size = min(8*size, scanChunk) {
		to := chunkEnd(text, from, end, size)
		piece := WholeRunes(text[from:min(end, to+ExcerptBytes)]) // a window that begins here may end behind
		found := m.Find(piece)
		if i, score := m.bestLine(piece, found, to-from); score > best {
			best, at = score, from+i
		}
		if best > 0 && best >= most {
			break
		}
		from = to
	}
	return at, best > 0
}

// everything is the score of a window that has everything once.
func (m Matcher) everything() float64 {
	phrases, all, own := 100*float64(len(m.Phrases)), 0.0, 0.0
	for _, w := range m.Terms {
		all += w
	}
	if len(m.Words) == 0 {
		return phrases + all
	}
	// Of the terms that a word becomes in the languages of a vault a text has those of its own.
	seen := map[string]bool{}
	for _, word := range m.Words {
		for _, t := range m.Analyzer.Word([]byte(word)) {
			weight, ok := m.Terms[string(t.Term)]
			if !ok {
				return phrases + all // it was spelt anew, or isn't looked for in this language
			}
			if !seen[string(t.Term)] {
				seen[string(t.Term)] = true
				own += weight
			}
		}
	}
	return phrases + own
}

// chunkEnd is where a chunk of about so many bytes ends: behind a line, if that isn't very long.
func chunkEnd(text []byte, from, end, size int) int {
	if size < scanChunk && end-from > size {
		if i := bytes.IndexByte(text[from+size:min(end, from+scanChunk)], '\n'); i >= 0 {
			return from + size + i + 1
		}
	}
	if end-from <= scanChunk {
		return end
	}
	if i := bytes.LastIndexAny(text[from:from+scanChunk], "\n "); i > 0 {
		return from + i + 1
	}
	return from + len(WholeRunes(text[from:from+scanChunk]))
}

// bestLine returns where the best window of lines begins: the one whose distinct
// matches weigh most, the first of equal ones, of those that begin at a match before an offset.
func (m Matcher) bestLine(text []byte, found []match, before int) (at int, best float64) {
	line, last := 0, -1 // start of the line at hand, and of the last one tried
	for i, f := range found {
		if f.Start >= before {
			break
		}
		from := line
		if i > 0 {
			from = found[i-1].Start
		}
		if n := bytes.LastIndexByte(text[from:f.Start], '\n'); n >= 0 {
			line = from + n + 1
		}
		begin := line
		if f.Start-line > ExcerptBytes-LeadBytes {
			begin = WordStart(text, f.Start-LeadBytes, f.Start)
		} else if last == line {
			continue
		}
		last = line
		if score := m.windowScore(text, found[i:], begin); score > best {
			at, best = begin, score
		}
	}
	return at, best
}

// windowScore adds up the distinct matches in the lines from begin on.
func (m Matcher) windowScore(text []byte, found []match, begin int) (score float64) {
	var seen []string
	lines := 0
	for at, i := begin, 0; i < len(found) && found[i].End <= begin+ExcerptBytes; i++ {
		lines += bytes.Count(text[at:max(at, found[i].Start)], []byte("\n"))
		at = max(at, found[i].Start)
		if lines >= ExcerptLines {
			break
		}
		if !slices.Contains(seen, found[i].term) {
			seen = append(seen, found[i].term)
			score += found[i].weight
		}
	}
	if len(seen) == 0 { // a single word longer than an excerpt
		return found[0].weight
	}
	return score
}

func LineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// WordStart moves from to the next beginning of a word before limit.
func WordStart(text []byte, from, limit int) int {
	if i := bytes.IndexAny(text[from:limit], " \t"); i >= 0 {
		return from + i + 1
	}
	for from < limit && !utf8.RuneStart(text[from]) {
		from++
	}
	return from
}

// Window cuts one to three lines out of text, beginning at the first one at or
// behind at that isn't blank, and ending before a conversation's bookkeeping.
func Window(text []byte, at int) (int, []byte) {
	for at < len(text) {
		end := bytes.IndexByte(text[at:], '\n')
		line := text[at:]
		if end >= 0 {
			line = line[:end]
		}
		if len(bytes.TrimSpace(line)) > 0 && !bookkeeping(line) {
			break
		}
		at = min(len(text), at+len(line)+1)
	}
	out := text[at:]
	for i, n := 0, 0; i < len(out); i++ {
		if out[i] == '\n' {
			if n++; n == ExcerptLines || bookkeeping(lineOf(out[i+1:])) {
				out = out[:i]
				break
			}
		}
		if i == ExcerptBytes {
			out = cutAtWord(out[:i])
			break
		}
	}
	return at, bytes.TrimRightFunc(out, unicode.IsSpace)
}

// lineOf is the first line of text.
func lineOf(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i]
	}
	return text
}

// bookkeeping reports a line that a conversation holds for programs: which turn it is,
// what it did and what it read, and whose the words behind it are.
func bookkeeping(line []byte) bool {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("<!-- ")) || !bytes.HasSuffix(line, []byte("-->")) {
		return false
	}
	for _, kind := range []string{"turn ", "actions ", "operations ", "context ", "kist ", "model "} {
		if bytes.HasPrefix(line[len("<!-- "):], []byte(kind)) {
			return true
		}
	}
	return false
}

// cutAtWord drops a word or rune that was cut in two at the end.
func cutAtWord(text []byte) []byte {
	text = WholeRunes(text)
	if i := bytes.LastIndexAny(text, " \t\n"); i > len(text)/2 {
		return text[:i]
	}
	return text
}

// Plain makes text fit to be shown anywhere: valid UTF-8 without control
// characters and without the marks that reorder a line.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
			return -1
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// WholeRunes drops a rune that was cut in two at the end.
func WholeRunes(text []byte) []byte {
	for i := 1; i <= utf8.UTFMax && i <= len(text); i++ {
		if b := text[len(text)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-i:]) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}

// A Span is a half-open range of bytes.
type Span struct{ Start, End int }
