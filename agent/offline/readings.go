package offline

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

//go:embed words/readings.txt
var readingsText string

// readings are what kist would do, by intent.
var readings = sync.OnceValue(func() map[string]string { return turn.ReadWords(readingsText) })

// Where no reading is sure enough to be acted on, the two that are most probable are
// offered: "Shall I switch to the houseboat, or keep that as a note?".

// offerReadings asks which of the two readings of a message is meant. What only keeps
// the words is always the last choice. false: there is nothing to say of them.
func (t *talk) offerReadings(m interpret.Meaning) bool {
	args := map[string]string{"text": strings.TrimSpace(t.Text)}
	var choices []string
	add := func(name intent.Name, phrase string) {
		if phrase != "" && len(choices) < 2 {
			args[turn.Nth("intent", len(choices))] = string(name)
			choices = append(choices, phrase)
		}
	}
	for _, each := range m.Or {
		if interpret.OfTasks(each.Intent) {
			continue // what it names isn't there
		}
		if each.Intent != intent.AddNote {
			add(labelOf(each), wouldDo(each))
		}
	}
	if len(choices) == 0 {
		return false
	}
	if first := m.Or[0]; interpret.OnlyTells(first.Intent) || first.Intent == intent.Status || first.Intent == intent.ListTasks || first.Intent == intent.ListProjects || first.Intent == intent.ListMemories || first.Intent == intent.ListDrafts {
		t.handle(first) // which does no harm
		return true
	}
	add(intent.AddNote, readings()[string(intent.AddNote)])
	t.Choose(turn.AskReading, args, choices, choices)
	return true
}

// labelOf is what the trained model calls a meaning.
func labelOf(m interpret.Meaning) intent.Name {
	return m.Intent
}

// wouldDo says what kist would do; empty: what the words lack can't be offered.
func wouldDo(m interpret.Meaning) string {
	phrase, ok := readings()[string(labelOf(m))]
	if !ok {
		return ""
	}
	project := ""
	if p, one := m.Project.One(); one {
		project = p.Name
	}
	task := m.Title
	if len(m.Todos) > 0 {
		task = m.Todos[0].Title
	}
	for key, value := range map[string]string{"{project}": project, "{task}": task, "{name}": m.Name, "{text}": m.Text} {
		if strings.Contains(phrase, key) && value == "" {
			return ""
		}
		phrase = strings.ReplaceAll(phrase, key, turn.InQuotes(value))
	}
	return phrase
}

// readingAnswered does what was picked, and keeps for the next start that the message
// meant it. A bare yes is to the first.
func readingAnswered(t *talk, q model.Question) ([]interpret.Meaning, bool) {
	i := 0
	if !agrees(t.Text) {
		picked := refer.Pick(t.Text, q.Choices)
		if len(picked) != 1 {
			return nil, false
		}
		i = picked[0]
	}
	name, text := intent.Name(q.Args[turn.Nth("intent", i)]), q.Args["text"]
	m := t.AsIf(text, name)
	if name == intent.AddNote {
		m = interpret.Meaning{Intent: intent.AddNote, Score: 1, Text: text, Project: refer.Reference{Empty: true}, Clause: interpret.ClauseOf(text)}
	}
	if m.Intent == intent.None {
		return nil, false
	}
	t.teaches(text, name)
	return []interpret.Meaning{m}, true
}
