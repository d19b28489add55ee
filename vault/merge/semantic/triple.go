package semantic

// The three versions of anything, as indices.
const (
	inBase = iota
	inOurs
	inTheirs
	versions
)

// A triple is the three versions of a piece of text.
type triple [versions]string

// settled returns the text where no more than one side changed it.
func (t triple) settled() (string, bool) {
	switch {
	case t[inOurs] == t[inTheirs], t[inBase] == t[inTheirs]:
		return t[inOurs], true
	case t[inBase] == t[inOurs]:
		return t[inTheirs], true
	}
	return "", false
}

// either returns what three versions of something merge to that isn't worth a conflict, such as
// blanks: where both changed it, one of the two, whichever side it is on.
func either(base, ours, theirs string) string {
	t := triple{base, ours, theirs}
	if text, ok := t.settled(); ok {
		return text
	}
	return max(ours, theirs)
}
