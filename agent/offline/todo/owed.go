package todo

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/offline/title"
)

// owing words say that something has to be done.
var owing = []string{
	"must|need|needs|should|ought|gotta|due|deadline|overdue|remember|remind|reminded|forget|backlog", "on|onto|to <det>? <listword>", "put|note|write|jot|stick me|us|it|that|this down", "have|has|had|got|is|are|am to",
	"muss|müssen|musst|sollte|sollten|soll|brauche|brauchen|fällig|denk|vergiss|vergessen",
}

// Owed reports whether a clause says that things are to be done: by an order, with a deadline, or
// that somebody has to. What they want or will do, and what only is on a day, is told, and kept in
// their words: of such readings two of three made no task that anybody wanted.
func Owed(clause []language.Token, todos []Todo, now time.Time) bool {
	if _, _, ok := language.Find(clause, owing...); ok {
		return true
	}
	body := language.SkipOpeners(clause)
	if language.Begins(body, "i|we will|shall|want|wanted", "i|we would like|love to", "i|we am|are going to") {
		return false
	}
	if d, ok := language.FindDay(clause, now); ok && language.Has(clause[max(0, d.Start-1):d.End], "by|until|till|before|bis|vor") {
		return true
	}
	return slices.ContainsFunc(todos, func(one Todo) bool { return ordered(clause, body, language.Tokenize(one.Title)) })
}

// ordered: a title begins with a verb, where an order can begin; a German one ends with it.
func ordered(clause, body, words []language.Token) bool {
	for i, t := range clause {
		begins := t.Start == body[0].Start || i > 0 && (!clause[i-1].Word || language.In("and|then|also|or|us|und|dann|uns", clause[i-1].Norm))
		if begins && t.Norm == words[0].Norm && (title.Does(t) || t.Quoted) {
			return true
		}
	}
	return strings.HasSuffix(words[len(words)-1].Norm, "en") && !language.Has(clause, "the|a|an|is|at|and|of|for|i|we|my|our|it")
}
