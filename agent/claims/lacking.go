package claims

import "strings"

// NoAnswer is what the user is told of a model that has nothing to say.
const NoAnswer = "The model gave no answer."

// Lacking is what a model is asked once more for, where its answer is empty, or says that
// something was changed and nothing was; and what the user is told where that doesn't help.
// said are its last words, reply all of the turn's.
func Lacking(said, reply string, changed bool) (ask, tell string) {
	switch {
	case strings.TrimSpace(said+reply) == "":
		return "(kist: your answer was empty. Answer the message before this one in words.)", NoAnswer
	case !changed && OfChange(said):
		return "(kist: nothing was changed in this turn, since you called no tool that changes anything. Call it now, or say plainly that nothing was changed.)",
			"Nothing was changed in this turn, whatever the answer says."
	}
	return "", ""
}
