package semantic

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
