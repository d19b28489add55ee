package interpret

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/filter"
	"kist/agent/offline/queries"
	"kist/agent/offline/refer"
	"kist/agent/offline/where"
)

// Narrowing are those of some words that stand where a list is narrowed, as far as the
// trained model sees such a place.
func (r *Reader) Narrowing(c *Clause, words []string) []string {
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

// NamedList is the list of tasks that a message asks for which begins with a word for
// showing and speaks of tasks, whatever else it says: that is a filter, or is named as
// not understood.
func (r *Reader) NamedList(text string) (Meaning, bool) {
	toks := language.SkipOpeners(language.Tokenize(text))
	if len(toks) == 0 || len(toks) > maxCommand || toks[0].Quoted || !filter.Named(text, toks, r.sit.Now) {
		return Meaning{}, false
	}
	meanings := r.Read(text)
	if len(meanings) != 1 || meanings[0].Intent != intent.None || meanings[0].Clause == nil || meanings[0].Clause.Negated {
		return Meaning{}, false
	}
	meanings[0].Intent = intent.ListTasks
	return meanings[0], true
}

// NamedPlace is the list of notes or tasks that a message asks for which is one question and
// names a tag or a folder, or asks for dates: "notes tagged recipe", "show me all deadlines".
func (r *Reader) NamedPlace(text string) (Meaning, bool) {
	all := language.Tokenize(text)
	if !filter.Placed(text, all) && !filter.Dates(all) || len(all) > maxCommand || len(sentences(text, all)) != 1 {
		return Meaning{}, false
	}
	c, ok := newClause(text, all, false)
	return r.Filled(&c, intent.ListTasks, 1), ok && !c.Negated
}

// fillList finds which tasks are to be listed.
func (r *Reader) fillList(c *Clause, m Meaning) Meaning {
	_, toks := where.Read(c.Src, c.All)
	if queries.LooksBack(toks, r.sit.Now) {
		m.Intent = intent.ListChanges
		return m
	}
	for _, scope := range []struct{ words, name string }{{"overdue|late", "overdue"}, {"today|tonight", "today"}, {"tomorrow", "tomorrow"}, {"week", "week"}} {
		if m.Scope == "" && language.Has(toks, scope.words) {
			m.Scope = scope.name
		}
	}
	if filter.Homeless(toks) {
		m.About = "everywhere"
		return m
	}
	if where := r.arguments(c, intent.ListTasks).first("project"); where != nil {
		if ref := r.Scope().Subject(c.Src, where, false); len(ref.Found) > 0 {
			m.Project = ref
		}
	}
	for i := len(toks) - 2; i > 0 && m.Project.Empty; i-- {
		if language.In("in|for|of|on|with|from", toks[i].Norm) && !toks[i].Quoted {
			if ref := refer.To(c.Src, toks[i+1:], r.sit.Projects); len(ref.Found) > 0 || ref.Named && len(language.ContentWords(toks[i+1:])) > 0 && !language.Has(toks[i+1:], "projects") {
				m.Project = ref
			}
		}
	}
	if found := refer.Mentioned(toks, r.sit.Projects); m.Project.Empty && len(found) == 1 {
		m.Project = refer.Reference{Found: found}
	}
	if language.Has(toks, "all|every|everywhere|everything|projects") {
		m.About = "everywhere"
	}
	return m
}
