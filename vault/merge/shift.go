package merge

import (
	"slices"
	"strings"
)

// Shift applies a patch to a text that has changed since the patch was made,
// and returns the result, nil where the patch deletes the file.
//
// The rule for finding the place: there must be exactly one way to lay all
// hunks onto the text, in order and without overlap, such that each hunk's old
// lines, context included, are there line for line. Recorded line numbers count
// for nothing, since lines before may have come and gone; so a hunk that fits in
// two places is a conflict even if one of them has the recorded number. A hunk
// without old lines fits only an empty text. A patch that creates the file
// needs a nil text, and one that deletes it must leave nothing over.
//
// Everything else is a [*ConflictError]. [ErrPatch] for no patch.
func Shift(now []byte, patch string) ([]byte, error) {
	if patch == "" {
		return now, nil
	}
	p, err := parse(patch)
	if err != nil {
		return nil, err
	}
	if err := p.checkFile(now); err != nil {
		return nil, &ConflictError{Line: 1, Reason: strings.TrimSuffix(err.Error(), ": "+ErrMismatch.Error())}
	}
	// Behind a line break before its start, every line starts behind one.
	text := "\n" + string(now)
	spots, err := p.place(text)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	at := 0
	for _, h := range spots {
		out.Write(now[at:h.start])
		if out.Len() > 0 && !strings.HasSuffix(out.String(), "\n") {
			return nil, conflict(text, h.start, "the line before has no ending")
		}
		write(&out, h.new())
		at = h.start + length(h.old())
	}
	if rest := now[at:]; len(rest) > 0 {
		if out.Len() > 0 && !strings.HasSuffix(out.String(), "\n") {
			return nil, conflict(text, at, "text was added behind a last line without ending")
		}
		out.Write(rest)
	}
	if p.new == noFile {
		if out.Len() > 0 {
			return nil, &ConflictError{Line: 1, Reason: "the file to be deleted has more text now"}
		}
		return nil, nil
	}
	return []byte(out.String()), nil
}

// place returns where each hunk fits. The leftmost and the rightmost way to lay the
// hunks are the same if and only if there is one way only.
func (p patch) place(text string) ([]spot, error) {
	left := make([]spot, len(p.hunks))
	s := search{text: text}
	at := 0
	for i, h := range p.hunks {
		found, ok := s.first(h, at)
		if !ok {
			return nil, &ConflictError{Line: h.oldStart + 1, Reason: "the lines to change are not there any more"}
		}
		left[i], at = found, found.to
	}
	end := len(text)
	for i := len(p.hunks) - 1; i >= 0; i-- {
		right, ok := s.last(p.hunks[i], end)
		if !ok || right.start != left[i].start {
			return nil, conflict(text, left[i].start, "the lines to change are there more than once")
		}
		end = right.from + 1
	}
	return left, nil
}

// A spot is a place where a hunk fits, in bytes.
type spot struct {
	hunk         // with whole lines
	start    int // of its old lines
	from, to int // with the lines around, which no other hunk may take for its own
}

// A search looks for hunks in a text, which starts before a line's first byte.
type search struct {
	text  string
	lines []string // once a hunk needs them
	start []int    // the offset behind text's first byte of each line, and of the end
}

func (s *search) split() {
	if s.start != nil {
		return
	}
	s.lines, s.start = splitLines(s.text[1:]), []int{0}
	for i, l := range s.lines {
		s.start = append(s.start, s.start[i]+len(l))
	}
}

// first returns the first spot of a hunk from an offset on.
func (s *search) first(h hunk, from int) (spot, bool) {
	if h.near == nil {
		old := strings.Join(h.old(), "")
		start := from + find(s.text[from:], old, strings.Index)
		return spot{h, start, start, start + len(old)}, start >= from
	}
	s.split()
	for i := range s.start {
		if found, ok := s.at(h, i); ok && found.from >= from {
			return found, true
		}
	}
	return spot{}, false
}

// last returns the last spot of a hunk that ends before an offset.
func (s *search) last(h hunk, end int) (spot, bool) {
	if h.near == nil {
		old := strings.Join(h.old(), "")
		start := find(s.text[:end], old, strings.LastIndex)
		return spot{h, start, start, start + len(old)}, start >= 0
	}
	s.split()
	for i := range slices.Backward(s.start) {
		if found, ok := s.at(h, i); ok && found.to < end {
			return found, true
		}
	}
	return spot{}, false
}

// at returns the spot of a hunk whose old lines start at a line, if it fits there.
func (s *search) at(h hunk, line int) (spot, bool) {
	whole, ok := h.at(s.lines, line)
	if !ok {
		return spot{}, false
	}
	return spot{whole, s.start[line], s.start[line-h.near.before], s.start[line+len(h.old())+h.near.after]}, true
}

// find returns the offset in text, which starts before a line's first byte, of
// whole lines, found by index; -1 if they aren't there.
func find(text, lines string, index func(s, substr string) int) int {
	switch {
	case lines == "":
		if text == "\n" {
			return 0
		}
		return -1
	case !strings.HasSuffix(lines, "\n"): // so they are the last
		if !strings.HasSuffix(text, "\n"+lines) {
			return -1
		}
		return len(text) - len(lines) - 1
	}
	return index(text, "\n"+lines)
}

// conflict returns the error for an offset of the text behind its first byte.
func conflict(text string, at int, reason string) error {
	return &ConflictError{Line: strings.Count(text[:at+1], "\n"), Reason: reason}
}

func length(lines []string) int {
	n := 0
	for _, l := range lines {
		n += len(l)
	}
	return n
}
