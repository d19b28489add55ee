package claims

import (
	"strings"

	"kist/agent/model"
)

// What the user is told of a model that has nothing to say, and of a turn that changed nothing
// though it was to, or though the model says so.
const (
	NoAnswer  = "The model gave no answer."
	Unchanged = "Nothing was changed in this turn."
)

// What a model is told that is asked once more.
const (
	again = "(kist: nothing was changed in this turn, since you called no tool that changes anything. Call it now, or say plainly that nothing was changed.)"
	empty = "(kist: your answer was empty. Answer the message before this one in words.)"
	goOn  = "(kist: your answer was cut off at its limit. Go on exactly where it broke off, and repeat nothing.)"
)

// Lacking is what a model is asked once more for, where its answer is empty, or nothing was changed
// and it says that something was, or did without a tool and a question what the message asks for;
// and what the user is told where that doesn't help. message is the user's, said are the model's
// last words, reply all of the turn's; unmet reports whether the message asks for a change and no
// tool was used. untrue are the sentences of the reply that aren't so. In an answer to a question
// they may be of before: that nothing was changed is only told.
func Lacking(message, said, reply string, changed bool, unmet func() bool) (ask, tell string, untrue []string) {
	if strings.TrimSpace(said+reply) == "" {
		return empty, NoAnswer, nil
	}
	if changed {
		return "", "", nil
	}
	if untrue = Sentences(reply); len(untrue) > 0 {
		if strings.ContainsAny(message, questionMarks) && !unmet() {
			return "", Unchanged, nil
		}
		return again, Unchanged, untrue
	}
	if !strings.ContainsAny(said, questionMarks) && unmet() {
		return again, "", nil
	}
	return "", "", nil
}

const questionMarks = "?？؟"

// Short is what a model is asked whose words came to the limit of an answer, and what the user is
// told where that isn't done: of one that said the same again and again no more is wanted.
func Short(said string) (ask, tell string) {
	parts, seen := 0, map[string]bool{}
	for part := range strings.FieldsFuncSeq(said, func(r rune) bool { return endsSentence(r) || r == '?' }) {
		if part = strings.TrimSpace(part); part != "" {
			parts, seen[part] = parts+1, true
		}
	}
	if parts >= 6 && 2*len(seen) < parts {
		return "", model.Length.Notice()
	}
	return goOn, model.Length.Notice()
}
