package offline

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/filter"
	"kist/agent/offline/refer"
)

// narrowing are those of some words that stand where a list is narrowed, as far as the
// trained model sees such a place.
func (r *reader) narrowing(c *clause, words []string) []string {
	slots := r.arguments(c, intent.ListTasks).every("filter")
	if len(slots) == 0 {
		return words
	}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return !slices.ContainsFunc(slots, func(toks []language.Token) bool {
			return slices.ContainsFunc(toks, func(tok language.Token) bool { return strings.TrimSuffix(tok.Norm, "'s") == w })
		})
	})
}

// namedList is the list of tasks that a message asks for which begins with a word for
// showing and speaks of tasks, whatever else it says: that is a filter, or is named as
// not understood.
func (r *reader) namedList(text string) (meaning, bool) {
	toks := language.SkipOpeners(language.Tokenize(text))
	if len(toks) == 0 || len(toks) > maxCommand || toks[0].Quoted || !filter.Verb(toks) || !language.Has(toks, "tasks|todos|to-dos") {
		return meaning{}, false
	}
	meanings := r.read(text)
	if len(meanings) != 1 || meanings[0].intent != intent.None || meanings[0].clause == nil || meanings[0].clause.negated {
		return meaning{}, false
	}
	meanings[0].intent = intent.ListTasks
	return meanings[0], true
}

// fillList finds which tasks are to be listed.
func (r *reader) fillList(c *clause, m meaning) meaning {
	toks := c.all
	for _, scope := range []struct{ words, name string }{{"overdue|late", "overdue"}, {"today|tonight", "today"}, {"tomorrow", "tomorrow"}, {"week", "week"}} {
		if m.scope == "" && language.Has(toks, scope.words) {
			m.scope = scope.name
		}
	}
	if where := r.arguments(c, intent.ListTasks).first("project"); where != nil {
		if ref := r.scope().Subject(c.src, where, false); len(ref.Found) > 0 {
			m.project = ref
		}
	}
	for i := len(toks) - 2; i > 0 && m.project.Empty; i-- {
		if language.In("in|for|of|on|with|from", toks[i].Norm) && !toks[i].Quoted {
			if ref := refer.To(c.src, toks[i+1:], r.sit.Projects); len(ref.Found) > 0 || ref.Named && len(language.ContentWords(toks[i+1:])) > 0 && !language.Has(toks[i+1:], "projects") {
				m.project = ref
			}
		}
	}
	if found := refer.Mentioned(toks, r.sit.Projects); m.project.Empty && len(found) == 1 {
		m.project = refer.Reference{Found: found}
	}
	if language.Has(toks, "all|every|everywhere|everything|projects") {
		m.about = "everywhere"
	}
	return m
}
