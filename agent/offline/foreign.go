package offline

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// whatIsRead is said once in a conversation.
const whatIsRead = "I read English and German. In other languages I understand no orders, but what you tell me is kept word for word, " +
	"and I look up the words of a question. Tasks and projects can be listed in English: “list my tasks”."

// foreign answers a message in a language that isn't read. That is said once; what is told
// is kept by the engine, a question is looked up by its words.
func foreign(t *talk) {
	if !slices.ContainsFunc(t.Said, language.IsForeign) {
		t.Say(whatIsRead)
	}
	if !strings.HasSuffix(strings.TrimSpace(t.Text), "?") && !strings.HasSuffix(strings.TrimSpace(t.Text), "？") {
		t.Heard = true
		return
	}
	t.Act(func() { t.LookUp(language.ForeignTopic(t.Text), "I found nothing about that in the vault.") })
}
