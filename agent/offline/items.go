package offline

import (
	"kist/agent/language"
	"slices"
)

// headPriority is the priority that is named with the word task: "an urgent task".
func headPriority(head []language.Token) string {
	if level, _, _, ok := language.FindPriority(head); ok {
		return level
	}
	switch {
	case language.Has(head, "urgent"):
		return "urgent"
	case language.Has(head, "low-priority"):
		return "low"
	case language.Has(head, "important|high-priority"):
		return "high"
	}
	return ""
}

// taskIn reads the things to do in some words, with the project that they name at their
// end unless one is known.
func (r *reader) taskIn(c *clause, toks []language.Token, score float64, project reference) meaning {
	if project.empty {
		project, toks = r.placeInside(c, toks)
	}
	m := meaning{intent: addTask, score: score, project: project}
	for _, item := range splitItems(toks) {
		if t := readTodo(c.src, item, r.sit.Now); t.title != "" {
			m.todos = append(m.todos, t)
		}
	}
	if len(m.todos) == 0 {
		m.score = min(score, 0.6) // a task without a title: ask for it
	}
	return m
}

// placeInside finds the project at the end of the phrase, behind which a date
// may still follow.
func (r *reader) placeInside(c *clause, toks []language.Token) (reference, []language.Token) {
	if d, ok := language.FindDate(toks, r.sit.Now); ok && d.Start > 0 {
		ref, head := placeOf(c, toks[:d.Start], r.sit.Projects)
		if !ref.empty {
			return ref, slices.Concat(head, toks[d.Start:])
		}
	}
	return placeOf(c, toks, r.sit.Projects)
}

// splitItems takes a list of things to do apart. A comma or "and" divides only
// where the next part begins with a verb, so that "buy milk, eggs and bread" is
// one thing; semicolons and lines always do.
func splitItems(toks []language.Token) [][]language.Token {
	var out [][]language.Token
	start := 0
	flush := func(end int) {
		if language.HasWord(toks[start:end]) {
			out = append(out, language.TrimMarks(toks[start:end]))
		}
	}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.Quoted {
			continue
		}
		if !t.Word && language.In(";|\n", t.Norm) {
			flush(i)
			start = i + 1
			continue
		}
		if t.Norm != "," && t.Norm != "and" && t.Norm != "then" {
			continue
		}
		n, ok := language.MatchAny(toks[i:], ", and? then? also? to?", "and then? also? to?", "then to?", ", and? another|one|two <taskword>? to", "and another|one <taskword>? to")
		if !ok || i+n >= len(toks) || !beginsTask(toks[i+n:]) || i == start {
			continue
		}
		flush(i)
		start, i = i+n, i+n-1
	}
	flush(len(toks))
	return out
}

// beginsTask: a verb with something behind it that can be its object.
func beginsTask(toks []language.Token) bool {
	if _, ok := language.MatchAny(toks, "remind me to", "a|another <taskword> to"); ok {
		return true
	}
	if toks[0].Quoted || !language.Class("<verb>", toks[0].Norm) {
		return false
	}
	if len(toks) == 1 {
		return language.In("varnish|paint|sand|cook|clean|iron|vacuum|test|pack|call|deploy|wash|weed", toks[0].Norm)
	}
	next := toks[1]
	// Nouns that look like verbs: "call and order forms", "plan of work".
	return next.Word && !language.In("of|is|are|and|or|was|were", next.Norm) || next.Quoted || next.Norm == `"`
}
