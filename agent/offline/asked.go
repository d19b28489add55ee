package offline

import (
	"slices"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
)

// Questions that stand among other things, or are asked politely, are asked all the same: none is
// kept as if it told something.

// lookups are the intents of questions.
var lookups = []intent.Name{intent.Ask, intent.ListTasks, intent.Status, intent.ListProjects, intent.ListMemories, intent.ListPending, intent.ListChanges, intent.ListDrafts, intent.OpenQuestions, intent.WhichProject, interpret.ListNotes}

// judgings are those that a question for an opinion is taken for.
var judgings = []intent.Name{intent.None, intent.Completeness, intent.Unsupported, interpret.StartMode, intent.Greet, intent.Help}

// unjudged is a question for an opinion as one that can't be answered, and all else as it is.
func unjudged(m interpret.Meaning) interpret.Meaning {
	if m.Clause == nil || !m.Clause.Question || !slices.Contains(lookups, m.Intent) && !slices.Contains(judgings, m.Intent) || !extract.OfOpinion(m.Clause.Text(m.Clause.All)) {
		return m
	}
	return interpret.Meaning{Intent: intent.Unsupported, Score: 1, Clause: m.Clause, About: "opinion", Project: refer.Reference{Empty: true}}
}

// asked reads those clauses of which nothing was understood again that ask something, by what they
// ask alone.
func (t *talk) asked(meanings []interpret.Meaning) []interpret.Meaning {
	if t.Situation.Mode != "general" || extract.IsDump(t.Text) && !slices.ContainsFunc(meanings, func(m interpret.Meaning) bool { return m.Clause != nil && m.Clause.Question }) {
		return meanings
	}
	var out []interpret.Meaning
	for i, m := range meanings {
		if i > 0 && m.Intent == intent.None && m.Clause != nil && len(out) > 0 && slices.Contains(lookups, out[len(out)-1].Intent) && extract.OnlyNames(m.Clause.Text(m.Clause.All)) {
			if sum := t.AsIf(out[len(out)-1].Clause.Src+": "+m.Clause.Text(m.Clause.All), intent.Ask); sum.Intent == intent.Ask {
				out[len(out)-1] = sum // "what do we pay? Cot, mat"
				continue
			}
		}
		m = unjudged(m)
		if m.Intent != intent.None || m.Clause == nil {
			out = append(out, m)
			continue
		}
		text := m.Clause.Text(m.Clause.All)
		inner := extract.Asked(text)
		if inner == "" {
			out = append(out, m)
			continue
		}
		again := slices.DeleteFunc(slices.Clone(t.Read(inner)), func(m interpret.Meaning) bool { return !slices.Contains(lookups, m.Intent) })
		if toks := language.Tokenize(inner); language.Begins(toks, "where|how we|i|things|it|everything are|am|is|stand|stands", "where|how are|do we|things|it *?") {
			again = []interpret.Meaning{{Intent: intent.Status, Score: 1, Clause: m.Clause, Project: refer.Reference{Empty: true}}}
		} else if len(again) == 0 {
			as := intent.Ask
			if most := t.Readings(text); len(most) > 0 && slices.Contains(lookups, most[0].Intent) {
				as = most[0].Intent
			}
			again = []interpret.Meaning{t.AsIf(inner, as)}
		}
		out = append(out, again...)
	}
	return out
}
