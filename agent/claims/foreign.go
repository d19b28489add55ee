package claims

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// Unchecked is what the user is told, once in a while, of a turn that changed nothing and whose
// words may say otherwise.
const Unchecked = "Nothing was changed in this turn. What a model says of changes can't be checked in this language: what is done is listed with the answer."

// Untold is what the user is told at the end of a turn that changed nothing: it was to, or what is
// said of it is known to be untrue; or a reply can't be checked, which is told once in a history.
// Empty: nothing.
func Untold(was bool, message, reply string, history []model.Message) string {
	if was {
		return Unchanged
	}
	return Foreign(message, reply, slices.ContainsFunc(history, func(m model.Message) bool { return strings.Contains(m.Told, Unchecked) }))
}

// Foreign returns what the user is told of a reply in a turn that changed nothing, where it says
// something in a language in which claims aren't known; empty: nothing. What only answers a
// question, in one sentence, claims nothing, and no more do thanks and questions. told: it was
// said not long ago.
func Foreign(message, reply string, told bool) string {
	foreign, all := 0, 0
	for reply != "" && !told {
		end := strings.IndexFunc(reply, func(r rune) bool { return endsSentence(r) || strings.ContainsRune("。！"+questionMarks, r) })
		part, rest := reply, ""
		if end >= 0 {
			part, rest = reply[:end], reply[end:]
		}
		if strings.TrimSpace(part) != "" {
			all++
			if !strings.ContainsAny(rest[:min(len(rest), 3)], questionMarks) && language.IsForeign(title().ReplaceAllString(part, " ")) {
				foreign++
			}
		}
		reply = strings.TrimLeft(rest, ".!;\n 。！"+questionMarks)
	}
	alone := all == 1 && (strings.ContainsAny(message, questionMarks) || len(strings.Fields(message)) < 3)
	if foreign == 0 || alone {
		return ""
	}
	return Unchecked
}
