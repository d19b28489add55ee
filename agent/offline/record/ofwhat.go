package record

import (
	"strings"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
)

// A task is read on its day, when nobody recalls what was talked of as it was told. So its text
// has what the title leaves out, in the words that were said.

const (
	ownSaid  = 400 // bytes of a message that a task has whole
	saidBack = 3   // messages before it, at most, that say of what it is
	saidMost = 300 // bytes of each
)

// ofWhat is the text of a task: what was said of it, and where its title and the message only
// point, what was said before, of which the reply tells as well.
func ofWhat(t *Keeper, item todo.Todo) (details, after string) {
	details = toldAs(t.Text, item)
	vague := title.Vague(item.Title)
	if vague == title.Clear {
		return details, ""
	}
	if details == "" || len(t.Text) <= ownSaid {
		details = language.Limit(language.OneLine(t.Text), ownSaid)
	}
	lead := t.Text
	if at := strings.Index(strings.ToLower(lead), strings.ToLower(item.Title)); at >= 0 {
		lead = lead[:at]
	}
	if vague.NamedIn(lead) {
		return details, ""
	}
	var before []string
	for _, said := range t.Said[:min(len(t.Said), saidBack)] {
		before = append([]string{"“" + language.Limit(language.OneLine(said), saidMost) + "”"}, before...)
		if vague.NamedIn(said) {
			break
		}
	}
	if len(before) == 0 {
		return details, ""
	}
	return details + "\n\nSaid before: " + strings.Join(before, " "), " (said after " + before[0] + ")"
}

// toldAs is the sentence that told of a task, where its title hasn't all of it: "we have
// to sell the chairs on Saturday at ten". An order to add a task is no such sentence.
func toldAs(text string, item todo.Todo) string {
	first, _, _ := strings.Cut(strings.ToLower(item.Title), " ")
	for _, s := range extract.Sentences(text) {
		low := strings.ToLower(s.Text)
		if s.Kind != extract.Statement || s.Order || !strings.Contains(low, first) {
			continue
		}
		if language.Covers(language.ContentWords(language.Tokenize(low)), language.ContentWords(language.Tokenize(item.Title))) && (item.Said || item.Due != "" || !strings.Contains(low, strings.ToLower(item.Title))) {
			return s.Text
		}
	}
	return ""
}
