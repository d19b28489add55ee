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
	if m.Clause == nil || !slices.Contains(lookups, m.Intent) && !slices.Contains(judgings, m.Intent) || !extract.OfOpinion(m.Clause.Text(m.Clause.All)) {
		return m
	}
	return interpret.Meaning{Intent: intent.Unsupported, Score: 1, Clause: m.Clause, About: "opinion", Project: refer.Reference{Empty: true}}
}

// unable is an errand as what can't be done, and all else as it is.
func unable(m interpret.Meaning) interpret.Meaning {
	if m.Intent != intent.None || m.Clause == nil || !errand(m.Clause.All) {
		return m
	}
	return interpret.Meaning{Intent: intent.Unsupported, Score: 1, Clause: m.Clause, About: "deed", Project: refer.Reference{Empty: true}}
}

// errand: kist is asked to do something in the world: "please email the parents", "can you move 200
// to the joint account", "tell Ruth we're late".
func errand(toks []language.Token) bool {
	all := toks
	if toks = language.SkipOpeners(toks); language.Has(all[:len(all)-len(toks)], "please") {
		toks = all[len(all)-len(toks)-1:]
	}
	if n, ok := language.MatchAny(toks, "can|could|would|will you please? <verb>|<deedverb>|<reachverb>|<ordering>", "please <deedverb>|<reachverb>", "tell"); ok {
		verb, behind := toks[n-1], toks[n:]
		return len(behind) > 0 && !language.Begins(behind, "me|us|it|that|this|them") && !language.In(ownDeeds, verb.Norm)
	}
	return false
}

// ownDeeds are the verbs of what kist does itself.
const ownDeeds = "find|look|check|show|give|list|read|remind|remember|note|keep|forget|undo|tick|mark|add|put|write|record|change|help|explain|summarise|summarize|save|set|make|create|start|open|close|delete|rename|let|be|do|go|have|get|stop|ask|see|take"

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
		m = unable(unjudged(m))
		if m.Intent != intent.None || m.Clause == nil {
			out = append(out, m)
			continue
		}
		out = append(out, t.askedIn(m)...)
	}
	return out
}

// askedIn is a clause of which nothing was understood by what it asks alone, or as it is.
func (t *talk) askedIn(m interpret.Meaning) []interpret.Meaning {
	text := m.Clause.Text(m.Clause.All)
	inner := extract.Asked(text)
	if inner == "" {
		return []interpret.Meaning{m}
	}
	again := slices.DeleteFunc(slices.Clone(t.Read(inner)), func(m interpret.Meaning) bool { return !slices.Contains(lookups, m.Intent) })
	if toks := language.Tokenize(inner); language.Begins(toks, "where|how we|i|things|it|everything are|am|is|stand|stands", "where|how are|do we|things|it *?") {
		return []interpret.Meaning{{Intent: intent.Status, Score: 1, Clause: m.Clause, Project: refer.Reference{Empty: true}}}
	} else if len(again) > 0 {
		return again
	}
	as := intent.Ask
	if most := t.Readings(text); len(most) > 0 && slices.Contains(lookups, most[0].Intent) {
		as = most[0].Intent
	}
	return []interpret.Meaning{t.AsIf(inner, as)}
}
