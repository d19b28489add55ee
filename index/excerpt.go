package index

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/index/analyze"
)

const (
	excerptBytes = 240
	excerptLines = 3
	// leadBytes is how much of a long line is shown before what matched.
	leadBytes = 60
	// scanChunk and scanBytes bound the work on one very long section.
	scanChunk = 64 << 10
	scanBytes = 1 << 20
)

// A matcher finds in a text what a query looks for.
type matcher struct {
	Analyzer analyze.Analyzer
	terms    map[string]float64 // weight of each term
	prefixes []string
	phrases  []phrase
	starts   *starts // of terms and prefixes; nil: not known
}

// A match is one word or phrase found.
type match struct {
	Span
	term   string
	weight float64
}

func (m matcher) empty() bool { return len(m.terms) == 0 && len(m.phrases) == 0 }

// find returns the matches in text, in order.
func (m matcher) find(text []byte) []match {
	var found []match
	if len(m.terms) > 0 || len(m.prefixes) > 0 {
		m.tokens(text, func(term []byte, at Span) {
			weight, ok := m.terms[string(term)]
			if !ok && len(m.prefixes) > 0 {
				lower := bytes.ToLower(text[at.Start:at.End])
				ok = slices.ContainsFunc(m.prefixes, func(p string) bool { return bytes.HasPrefix(lower, []byte(p)) })
				weight = 1
			}
			if ok {
				found = append(found, match{at, string(term), weight})
			}
		})
	}
	if lower, ok := lowered(text); ok {
		for _, p := range m.phrases {
			for at := 0; ; {
				s, ok := p.find(lower, at)
				if !ok {
					break
				}
				// A phrase counts more than any words.
				found = append(found, match{s, string(bytes.Join(p, []byte(" "))), 100})
				at = s.End
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.Start - b.Start })
	return found
}

// excerpt chooses what to show of a file and fills in the hit. The entry's own
// section comes first; where the file has changed, or only its front matter or
// name matched, the rest of the text is searched.
func (m matcher) excerpt(f *file, ordinal int, h *Hit) {
	if f.text == nil {
		return
	}
	anywhere := ordinal < 0
	ordinal = max(0, min(ordinal, len(f.sections)-1))
	start, end := f.body, len(f.text)
	if len(f.sections) > 0 && !anywhere {
		start, end = f.sections[ordinal].start, f.sections[ordinal].end
	}
	at, ok := m.locate(f.text, start, end)
	if !ok && ordinal == 0 {
		at, ok = m.locate(f.text, 0, start)
	}
	if !ok && !m.empty() {
		at, ok = m.locate(f.text, f.body, len(f.text))
	}
	if !ok {
		at = f.opening(ordinal)
	}
	h.Heading = plain(strings.Join(f.sectionAt(at).headings, " > "))
	section := f.sectionAt(at)
	at, text := window(f.text[:max(at, section.end)], at)
	if len(text) == 0 && section.start < at {
		at, text = window(f.text[:max(at, section.end)], section.start) // only bookkeeping matched
	}
	h.Line = lineAt(f.text, at)
	h.Excerpt = strings.TrimRightFunc(plain(string(text)), unicode.IsSpace)
	for _, found := range m.find([]byte(h.Excerpt)) {
		if n := len(h.Highlights); n > 0 && found.Start < h.Highlights[n-1].End {
			h.Highlights[n-1].End = max(found.End, h.Highlights[n-1].End)
			continue
		}
		h.Highlights = append(h.Highlights, found.Span)
	}
}

// sectionAt is the section that an offset is in; in the front matter, which is
// none, it ends before the closing fence.
func (f *file) sectionAt(at int) section {
	for _, s := range slices.Backward(f.sections) {
		if s.start <= at {
			return s
		}
	}
	return section{end: lineStart(f.text, max(0, f.body-1))}
}

// opening is where to begin when nothing in particular matched: at the section's
// text, or its heading where there is no text.
func (f *file) opening(ordinal int) int {
	if len(f.sections) == 0 {
		return f.body
	}
	s := f.sections[ordinal]
	if len(bytes.TrimSpace(f.text[min(s.content, s.end):s.end])) > 0 {
		return s.content
	}
	return s.start
}

// locate returns the offset at which an excerpt of text[start:end] should begin.
func (m matcher) locate(text []byte, start, end int) (at int, ok bool) {
	if m.empty() && len(m.prefixes) == 0 {
		return 0, false
	}
	var best float64
	for from, limit := start, min(end, start+scanBytes); from < limit; {
		to := chunkEnd(text, from, end)
		found := m.find(text[from:to])
		if i, score := m.bestLine(text[from:to], found); score > best {
			best, at = score, from+i
		}
		if best > 0 && best >= m.most() {
			break
		}
		from = to
	}
	return at, best > 0
}

// most is the score of a window that has everything once.
func (m matcher) most() float64 {
	sum := 100 * float64(len(m.phrases))
	for _, w := range m.terms {
		sum += w
	}
	return sum
}

func chunkEnd(text []byte, from, end int) int {
	if end-from <= scanChunk {
		return end
	}
	if i := bytes.LastIndexAny(text[from:from+scanChunk], "\n "); i > 0 {
		return from + i + 1
	}
	return from + len(wholeRunes(text[from:from+scanChunk]))
}

// bestLine returns where the best window of lines begins: the one whose distinct
// matches weigh most, the first of equal ones.
func (m matcher) bestLine(text []byte, found []match) (at int, best float64) {
	line, last := 0, -1 // start of the line at hand, and of the last one tried
	for i, f := range found {
		from := line
		if i > 0 {
			from = found[i-1].Start
		}
		if n := bytes.LastIndexByte(text[from:f.Start], '\n'); n >= 0 {
			line = from + n + 1
		}
		begin := line
		if f.Start-line > excerptBytes-leadBytes {
			begin = wordStart(text, f.Start-leadBytes, f.Start)
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
func (m matcher) windowScore(text []byte, found []match, begin int) (score float64) {
	var seen []string
	lines := 0
	for at, i := begin, 0; i < len(found) && found[i].End <= begin+excerptBytes; i++ {
		lines += bytes.Count(text[at:max(at, found[i].Start)], []byte("\n"))
		at = max(at, found[i].Start)
		if lines >= excerptLines {
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

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// wordStart moves from to the next beginning of a word before limit.
func wordStart(text []byte, from, limit int) int {
	if i := bytes.IndexAny(text[from:limit], " \t"); i >= 0 {
		return from + i + 1
	}
	for from < limit && !utf8.RuneStart(text[from]) {
		from++
	}
	return from
}

// window cuts one to three lines out of text, beginning at the first one at or
// behind at that isn't blank, and ending before a conversation's bookkeeping.
func window(text []byte, at int) (int, []byte) {
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
			if n++; n == excerptLines || bookkeeping(lineOf(out[i+1:])) {
				out = out[:i]
				break
			}
		}
		if i == excerptBytes {
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
// what it did and what it read.
func bookkeeping(line []byte) bool {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("<!-- ")) || !bytes.HasSuffix(line, []byte("-->")) {
		return false
	}
	for _, kind := range []string{"turn ", "actions ", "operations ", "context "} {
		if bytes.HasPrefix(line[len("<!-- "):], []byte(kind)) {
			return true
		}
	}
	return false
}

// cutAtWord drops a word or rune that was cut in two at the end.
func cutAtWord(text []byte) []byte {
	text = wholeRunes(text)
	if i := bytes.LastIndexAny(text, " \t\n"); i > len(text)/2 {
		return text[:i]
	}
	return text
}

// plain makes text fit to be shown anywhere: valid UTF-8 without control
// characters and without the marks that reorder a line.
func plain(text string) string {
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
