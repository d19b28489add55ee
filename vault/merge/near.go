package merge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A near stands for the lines around a hunk, which a delta doesn't write: the hunk
// fits only where they are as they were.
type near struct {
	before, after int    // lines that the sum is over, at most context
	sum           string // see sumOf
	part          bool   // only a part of the hunk's lines is written
	head, tail    int    // bytes of the first and of the last line that aren't
}

// sumSize is the length of a sum: 48 bits. It decides between places where the changed
// lines themselves are the same, of which there are few.
const sumSize = 12

// sumOf is the start of the SHA-256 of what stands before and behind a change, with a
// zero byte between the two.
func sumOf(before []string, head, tail string, after []string) string {
	h := sha256.New()
	for _, s := range before {
		h.Write([]byte(s))
	}
	h.Write([]byte(head + "\x00" + tail))
	for _, s := range after {
		h.Write([]byte(s))
	}
	return hex.EncodeToString(h.Sum(nil))[:sumSize]
}

// Delta returns a patch as [Diff] does, but in the form in which it takes the least
// room: in place of the lines around a change stands how many there are and their sum.
// [Patch], [Invert] and [Shift] take it as they take the long form, and find a place for
// it only where these lines are the same. It names no file, just a and b. Of replaced
// lines, the first and the last of which cut takes, only the part that is another one
// is written; nil: whole lines.
func Delta(before, after []byte, cut func(line string) bool) string {
	p, a, ok := diff("", before, after)
	if !ok {
		return ""
	}
	p.old, p.new = strings.TrimSuffix(p.old, "/"), strings.TrimSuffix(p.new, "/")
	for i, h := range p.hunks {
		p.hunks[i] = h.brief(a, cut)
	}
	return p.String()
}

// Named returns a patch with a file's path in its header, as [Diff] writes it.
func Named(patch, path string) string {
	for _, side := range []string{"--- a", "+++ b"} {
		patch = strings.Replace(patch, side+"\n", side[:4]+quoteName(side[4:]+"/"+path)+"\n", 1)
	}
	return patch
}

// brief leaves out the context at both ends of a hunk of a text.
func (h hunk) brief(text []string, cut func(string) bool) hunk {
	for len(h.lines) > 0 && h.lines[0].op == ' ' {
		h.lines, h.oldStart, h.newStart = h.lines[1:], h.oldStart+1, h.newStart+1
	}
	for n := len(h.lines); n > 0 && h.lines[n-1].op == ' '; n-- {
		h.lines = h.lines[:n-1]
	}
	h.near = &near{before: min(context, h.oldStart)}
	end := h.oldStart + len(h.old())
	h.near.after = min(context, len(text)-end)
	head, tail := "", ""
	if cut != nil {
		head, tail = h.cut(cut)
	}
	if !h.near.part && h.near.before+h.near.after == 0 {
		h.near = nil
		return h
	}
	h.near.sum = sumOf(text[h.oldStart-h.near.before:h.oldStart], head, tail, text[end:end+h.near.after])
	return h
}

// minCut is how much of a line must be the same for a part of it to be written alone.
const minCut = 40

// cut leaves only what differs of lines that were replaced, whole words of it, and
// returns what stands before and behind that.
func (h *hunk) cut(may func(line string) bool) (head, tail string) {
	olds, news := h.old(), h.new()
	if len(olds) == 0 || len(news) == 0 || len(olds)+len(news) != len(h.lines) {
		return "", ""
	}
	for _, line := range []string{olds[0], olds[len(olds)-1], news[0], news[len(news)-1]} {
		if !may(line) {
			return "", ""
		}
	}
	a, b := strings.Join(olds, ""), strings.Join(news, "")
	if strings.HasSuffix(a, "\n") != strings.HasSuffix(b, "\n") {
		return "", ""
	}
	n := 0
	for most := min(len(body(olds[0])), len(body(news[0]))); n < most && a[n] == b[n]; n++ {
	}
	n = wordStart(a, n)
	m, most := 0, min(len(olds[len(olds)-1]), len(news[len(news)-1]), len(a)-n, len(b)-n)
	for m < most && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	m = len(a) - wordEnd(a, len(a)-m)
	if n+m < minCut {
		return "", ""
	}
	head, tail = a[:n], a[len(a)-m:]
	h.near.part, h.near.head, h.near.tail = true, n, m
	h.lines = nil
	h.add('-', splitPart(a[n:len(a)-m]))
	h.add('+', splitPart(b[n:len(b)-m]))
	return head, tail
}

func body(line string) string { return strings.TrimSuffix(line, "\n") }

// splitPart splits a part of lines, of which the last one, that may be empty, has no
// line break of its own.
func splitPart(text string) []string { return strings.SplitAfter(text, "\n") }

// longWord is how far a word's boundary is looked for.
const longWord = 40

// wordStart moves an offset back to behind a blank or to the line's start, and in any
// case to a rune's.
func wordStart(s string, n int) int {
	if i := strings.LastIndexByte(s[max(0, n-longWord):n], ' '); i >= 0 {
		return max(0, n-longWord) + i + 1
	}
	if n <= longWord {
		return 0
	}
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// wordEnd moves an offset on to a blank, or the end of the line, and in any case to a
// rune's start.
func wordEnd(s string, n int) int {
	if i := strings.IndexAny(s[n:min(len(s), n+longWord)], " \r\n"); i >= 0 {
		return n + i
	}
	if len(s)-n <= longWord {
		return len(s)
	}
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return n
}

// String is what stands behind a hunk's line numbers.
func (n *near) String() string {
	if n == nil {
		return ""
	}
	s := fmt.Sprintf(" near %d,%d %s", n.before, n.after, n.sum)
	if n.part {
		s += fmt.Sprintf(" part %d,%d", n.head, n.tail)
	}
	return s
}

var nearForm = regexp.MustCompile(`^ near ([0-3]),([0-3]) ([0-9a-f]{12})(?: part (\d{1,9}),(\d{1,9}))?$`)

// parseNear reads what String returns; nil: it is something else.
func parseNear(s string) *near {
	m := nearForm.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	n := &near{sum: m[3], part: m[4] != ""}
	n.before, _ = strconv.Atoi(m[1]) // digits, by the expression
	n.after, _ = strconv.Atoi(m[2])
	if n.part {
		n.head, _ = strconv.Atoi(m[4])
		n.tail, _ = strconv.Atoi(m[5])
	}
	return n
}

// at returns a hunk with the lines that it replaces where it fits a text at a line:
// its own lines are there, and the lines around it.
func (h hunk) at(lines []string, start int) (hunk, bool) {
	old := h.old()
	if h.near == nil {
		return h, matches(lines, start, old)
	}
	n, end := h.near, start+len(old)
	if start < n.before || end+n.after > len(lines) {
		return h, false
	}
	head, tail := "", ""
	whole := h
	if n.part {
		is, part := strings.Join(lines[start:end], ""), strings.Join(old, "")
		if len(is) != n.head+len(part)+n.tail || is[n.head:n.head+len(part)] != part {
			return h, false
		}
		head, tail = is[:n.head], is[len(is)-n.tail:]
		whole = hunk{oldStart: h.oldStart, newStart: h.newStart}
		whole.add('-', lines[start:end])
		whole.add('+', splitLines(head+strings.Join(h.new(), "")+tail))
	} else if !matches(lines, start, old) {
		return h, false
	}
	return whole, sumOf(lines[start-n.before:start], head, tail, lines[end:end+n.after]) == n.sum
}
