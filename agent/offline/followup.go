package offline

import (
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
)

// chosen reads a short answer that names a project, such as "the boat" or
// "put it in the coffee shop".
func (t *talk) chosen(c *interpret.Clause) (refer.Reference, bool) {
	toks := language.SkipOpeners(c.Toks)
	if len(toks) > 9 {
		return refer.Reference{}, false
	}
	if n, ok := language.MatchAny(toks, "<addverb>|it|that|this it|that|this? is|belongs|goes? to|in|into|for|with|under", "to|in|into|for|with|under", "i mean|meant", "it is"); ok {
		toks = toks[n:]
	}
	ref := refer.To(c.Src, toks, t.Situation.Projects)
	_, one := ref.One()
	return ref, one
}

// again reads an earlier message once more, now that the project is known.
func (t *talk) again(text string, project refer.Reference, as intent.Name) []interpret.Meaning {
	meanings := t.Read(text)
	for i := range meanings {
		m := &meanings[i]
		if m.Intent == intent.None && as == "" {
			continue
		}
		if !project.Empty {
			m.Project = project
		}
	}
	return meanings
}

// declined answers a "don't". A reason that is given with it is kept.
func (t *talk) declined(m interpret.Meaning) {
	where := ""
	if t.Here != nil {
		where = " We're in **" + t.Here.Name + "**."
	}
	t.Nothing("Okay, nothing is changed.%s", where)
}
