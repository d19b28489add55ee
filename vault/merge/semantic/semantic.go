package semantic

import (
	"bytes"

	"kist/vault/merge"
)

// Options say what is merged.
type Options struct {
	Path string // the document's path in the vault, with forward slashes; it decides what kind of file it is
}

// A Result is what became of a merge.
type Result struct {
	// Text is what stands in the file: ours, with all of theirs that doesn't
	// contradict it. It never has markers that neither side has. Nil is no file.
	Text []byte
	// Conflicts is what of theirs isn't in Text; empty if everything of both is there.
	Conflicts []Conflict
}

// Clean reports whether everything of both sides is in the text.
func (r Result) Clean() bool { return len(r.Conflicts) == 0 }

// A Conflict is something that both sides changed, in ways that contradict each
// other. Text has it as ours have it.
type Conflict struct {
	Where string // in words for a person: "key status", "section Goals"
	// Base, Ours and Theirs are the three versions of it, "" where it isn't there.
	Base, Ours, Theirs string
}

// Merge merges ours and theirs, both made from base, by meaning. A nil text is no
// file: without a base both sides created it, and of a file that one side deleted
// and the other changed the change is kept.
//
// Where one side changed nothing the text is that of the other, byte for byte.
// What neither side changed is untouched.
func Merge(base, ours, theirs []byte, o Options) Result {
	switch {
	case equal(ours, theirs), equal(base, theirs):
		return Result{Text: ours}
	case equal(base, ours), ours == nil:
		return Result{Text: theirs}
	case theirs == nil:
		return Result{Text: ours}
	}
	if text, err := merge.Lines(base, ours, theirs); err == nil {
		return Result{Text: text}
	}
	return Result{Text: ours, Conflicts: []Conflict{{Where: "file", Base: string(base), Ours: string(ours), Theirs: string(theirs)}}}
}

// equal also tells no file from an empty one.
func equal(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
