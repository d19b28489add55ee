package title

import (
	"slices"

	"kist/agent/language"
)

// Colon is where the first colon stands outside of quotation marks; -1: nowhere.
func Colon(toks []language.Token) int {
	return slices.IndexFunc(toks, func(t language.Token) bool { return t.Norm == ":" && !t.Quoted })
}

// LongestLabel is how many words a label has at most.
const LongestLabel = 3

// Labelled: words begin with what they tell of, and ask for nothing: "goal: ...", "paper: they
// want it matte". Labels that ask for something have a verb, a day or a word for tasks,
// notes, decisions and such.
func Labelled(toks []language.Token) bool {
	toks = language.SkipOpeners(toks)
	i := Colon(toks)
	return i > 0 && i <= LongestLabel && !slices.ContainsFunc(toks[:i], func(t language.Token) bool {
		return !t.Word || t.Named || language.Class("<stop>", t.Norm) || Does(t) || language.Class("<timeword>", t.Norm) || language.DayNumber(t.Norm) > 0 ||
			slices.ContainsFunc(orderLabels(), func(class string) bool { return language.Class(class, t.Norm) })
	}) && !Announces(toks[:i])
}

// orderLabels are the classes of words with which a label asks for something.
func orderLabels() []string {
	return []string{"<taskword>", "<noteword>", "<memoryword>", "<projectword>", "<listword>", "<addverb>", "<decideverb>", "<ticking>", "<deleteverb>", "<finishverb>", "<doneword>", "<ordering>"}
}

// Announces: a note, a to-do, a decision that is announced by its name.
func Announces(toks []language.Token) bool {
	toks = language.SkipOpeners(language.TrimMarks(toks))
	n, ok := language.MatchAny(toks, "<addverb>? <det>? new? quick? <noteword>", "<addverb>? <det>? <memoryword>|fact", "<addverb>? <det>? decision", "remember", "write|jot down", "for the record",
		"<addverb>? <det>? new? <taskword>", "to do", "<make>? <det>? new? project", "note to self", "remember this", "keep in mind")
	return ok && n == len(toks) && n > 0
}

// Logs: words have an amount written down, "log 2.5h on the shop": they are the record themselves.
func Logs(toks []language.Token) bool {
	return len(toks) > 2 && language.Begins(toks, "log|track|record *") && language.Digital(toks[1].Norm)
}
