package claims

import "strings"

// NoAnswer is what the user is told of a model that has nothing to say.
const NoAnswer = "The model gave no answer."

// Lacking is what a model is asked once more for, where its answer is empty, or says that
// something was changed and nothing was; and what the user is told where that doesn't help.
// message is the user's, said are the model's last words, reply all of the turn's. untrue are the
// sentences of what was said that aren't so; where the message asks back they may be.
func Lacking(message, said, reply string, changed bool) (ask, tell string, untrue []string) {
	switch {
	case strings.TrimSpace(said+reply) == "":
		return "(kist: your answer was empty. Answer the message before this one in words.)", NoAnswer, nil
	case !changed && OfChange(said):
		if !AsksBack(message) {
			untrue = Sentences(said)
		}
		return "(kist: nothing was changed in this turn, since you called no tool that changes anything. Call it now, or say plainly that nothing was changed.)",
			"Nothing was changed in this turn, whatever the answer says.", untrue
	}
	return "", "", nil
}
