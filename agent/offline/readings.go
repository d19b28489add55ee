package offline

import (
	"strings"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/refer"
)

// Where no reading is sure enough to be acted on, the two that are most probable are
// offered: "Shall I switch to the houseboat, or keep that as a note?".

// offerReadings asks which of the two readings of a message is meant. What only keeps
// the words is always the last choice. false: there is nothing to say of them.
func (t *talk) offerReadings(m meaning) bool {
	args := map[string]string{"text": strings.TrimSpace(t.text)}
	var choices []string
	add := func(name intent.Name, phrase string) {
		if phrase != "" && len(choices) < 2 {
			args[nth("intent", len(choices))] = string(name)
			choices = append(choices, phrase)
		}
	}
	for _, each := range m.or {
		if ofTasks(each.intent) {
			continue // what it names isn't there
		}
		if p, ok := each.project.One(); each.intent == intent.Switch && ok && t.here != nil && p.Slug == t.here.Slug {
			continue
		}
		if each.intent != intent.AddNote {
			add(labelOf(each), wouldDo(each))
		}
	}
	if len(choices) == 0 {
		return false
	}
	if first := m.or[0]; onlyTells(first.intent) || first.intent == intent.Status || first.intent == intent.ListTasks || first.intent == intent.ListProjects || first.intent == intent.ListMemories || first.intent == intent.ListDrafts {
		t.handle(first) // which does no harm
		return true
	}
	add(intent.AddNote, readings()[string(intent.AddNote)])
	t.choose(askReading, args, choices, choices)
	return true
}

// labelOf is what the trained model calls a meaning.
func labelOf(m meaning) intent.Name {
	if m.intent == startMode {
		return intent.Name(m.about)
	}
	return m.intent
}

// wouldDo says what kist would do; empty: what the words lack can't be offered.
func wouldDo(m meaning) string {
	phrase, ok := readings()[string(labelOf(m))]
	if !ok {
		return ""
	}
	project := ""
	if p, one := m.project.One(); one {
		project = p.Name
	}
	task := m.title
	if len(m.titles) > 0 {
		task = m.titles[0]
	}
	if len(m.todos) > 0 {
		task = m.todos[0].title
	}
	for key, value := range map[string]string{"{project}": project, "{task}": task, "{name}": m.name, "{text}": m.text} {
		if strings.Contains(phrase, key) && value == "" {
			return ""
		}
		phrase = strings.ReplaceAll(phrase, key, inQuotes(value))
	}
	return phrase
}

// readingAnswered does what was picked, and keeps for the next start that the message
// meant it. A bare yes is to the first.
func readingAnswered(t *talk, q model.Question) ([]meaning, bool) {
	i := 0
	if !agrees(t.text) {
		picked := refer.Pick(t.text, q.Choices)
		if len(picked) != 1 {
			return nil, false
		}
		i = picked[0]
	}
	name, text := intent.Name(q.Args[nth("intent", i)]), q.Args["text"]
	m := t.asIf(text, name)
	if name == intent.AddNote {
		m = meaning{intent: intent.AddNote, score: 1, text: text, project: refer.Reference{Empty: true}, clause: clauseOf(text)}
	}
	if m.intent == intent.None {
		return nil, false
	}
	t.teaches(text, name)
	return []meaning{m}, true
}
