package merge

import (
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
	places, err := p.place(text)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	at := 0
	for i, h := range p.hunks {
		out.Write(now[at:places[i]])
		if out.Len() > 0 && !strings.HasSuffix(out.String(), "\n") {
			return nil, conflict(text, places[i], "the line before has no ending")
		}
		write(&out, h.new())
		at = places[i] + length(h.old())
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

// place returns the offset at which each hunk's old lines start. The leftmost
// and the rightmost way to lay the hunks are the same if and only if there is
// one way only.
func (p patch) place(text string) ([]int, error) {
	left := make([]int, len(p.hunks))
	at := 0
	for i, h := range p.hunks {
		old := strings.Join(h.old(), "")
		found := find(text[at:], old, strings.Index)
		if found < 0 {
			return nil, &ConflictError{Line: h.oldStart + 1, Reason: "the lines to change are not there any more"}
		}
		left[i] = at + found
		at = left[i] + len(old)
	}
	end := len(text)
	for i := len(p.hunks) - 1; i >= 0; i-- {
		right := find(text[:end], strings.Join(p.hunks[i].old(), ""), strings.LastIndex)
		if right != left[i] {
			return nil, conflict(text, left[i], "the lines to change are there more than once")
		}
		end = right + 1
	}
	return left, nil
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
