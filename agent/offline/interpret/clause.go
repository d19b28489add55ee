package interpret

import (
	"slices"

	"kist/agent/language"
	"kist/agent/offline/takeback"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
)

// A Clause is a piece of a message that can carry one intent.
type Clause struct {
	Src      string           // the whole message
	Toks     []language.Token // all of it
	Body     []language.Token // what follows openers and negation
	Negated  bool             // "don't", "never" before the verb
	Question bool             // ends with a question mark
	All      []language.Token // with openers
	asked    bool             // the user said that it is a task
	supposed bool             // it holds under a condition: "if he agrees, ...", "... once it is over"
}

// Clauses cuts a message into clauses: at the ends of sentences, and where the trained
// model sees that something else begins.
func (r *Reader) Clauses(text string) []Clause { return r.clausesOf(text, language.Tokenize(text)) }

func (r *Reader) clausesOf(text string, toks []language.Token) []Clause {
	list := sentences(text, toks)
	starts := make([]int, 0, len(list)+1)
	for _, s := range list {
		starts = append(starts, s.from)
	}
	starts = r.model().Parts(r.Input(text), toks, starts)
	var out []Clause
	for _, s := range list {
		_, whole := r.rights(toks[s.from:s.to]) // with all that the task is to be
		whole = whole || takeback.Anew(language.SkipOpeners(toks[s.from:s.to])) > 0 || todo.Counts(toks[s.from:s.to])
		var orders []int
		if !s.labelled && !whole {
			orders = orderStarts(toks, s.from, s.to)
		}
		joined := func(i int) bool { // of "note: ..." all is text, and "ca. 30" goes on
			return whole || s.labelled || toks[i].Quoted || toks[i-1].Norm == "." || within(text, toks, i) || inName(text, toks, i)
		}
		cuts := append(slices.DeleteFunc(slices.Concat(starts, orders), func(i int) bool {
			return i < s.from || i >= s.to || i > s.from && !slices.Contains(orders, i) && joined(i)
		}), s.to)
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		for i, from := range cuts[:len(cuts)-1] {
			// The mark at the end is the last part's; the others tell a question by their form.
			if c, ok := newClause(text, toks[from:cuts[i+1]], s.question && i == len(cuts)-2); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// within: nothing begins before the i-th token, which goes on with a name, or says what is
// asked: "ask Pastor de Vries whether ...".
func within(src string, toks []language.Token, i int) bool {
	return toks[i].Norm == "whether" || language.In(title.Particles, toks[i-1].Norm) && language.IsCapital(src, toks[i])
}

// inName: a token goes on with the name right behind the word that leads to it: "new project
// Winter Market".
func inName(src string, toks []language.Token, i int) bool {
	from := i - 1
	for from > 0 && language.IsCapital(src, toks[from]) {
		from--
	}
	return from < i-1 && language.IsCapital(src, toks[i]) && toks[i].Norm != "i" && language.Fits(toks[from], "<undertaking>|called|named|titled|it")
}

func newClause(src string, toks []language.Token, question bool) (Clause, bool) {
	toks = language.TrimMarks(toks)
	if !language.HasWord(toks) {
		return Clause{}, false
	}
	c := Clause{Src: src, Toks: toks, All: toks, Question: question}
	c.Body = c.afterCondition(language.SkipOpeners(toks))
	c.Toks = c.Body
	c.unframe()
	return c, true
}

// end is where it ends, in bytes.
func (c *Clause) end() int { return c.All[len(c.All)-1].End }

// Text returns the part of the message that tokens span.
func (c *Clause) Text(toks []language.Token) string { return language.Span(c.Src, toks) }

// maxClauses bounds how many clauses of a message are read for commands. Nobody
// types more; what is longer was pasted, and is kept as text.
const maxClauses = 150

// ClauseOf is the whole message, or another text, as one clause.
func ClauseOf(text string) *Clause { return &Clause{Src: text, Toks: language.Tokenize(text)} }
