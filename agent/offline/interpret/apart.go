package interpret

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/manner"
	"kist/agent/offline/refer"
)

// That something is a project of its own is said in the midst of another one, and the trained
// model has no label for it: "keep that as a project", "the wiring is a separate venture".

//go:embed apart/en.txt
var apartText string

var apartWords = sync.OnceValue(func() manner.Table { return manner.Read(apartText) })

// An own is what a clause says to be a project of its own.
type own struct {
	thing []language.Token // empty: what was told before
	asked bool             // it is to be made one; otherwise it is only told of
}

// longestThing is how many words name a thing of which something is said.
const longestThing = 7

// apart is the wish for a project that a clause holds, or what it tells of one: beside best,
// which the model read, and in place of most.
func (r *Reader) apart(c *Clause, best Meaning) (Meaning, bool) {
	if c.Negated || c.supposed || takesAway(best.Intent) && best.Score >= surely && best.Intent != intent.RenameProject {
		return best, false
	}
	o, ok := r.ownIn(c)
	if !ok || c.Question && !o.asked {
		return best, false
	}
	if _, exists := refer.To(c.Src, o.thing, r.sit.Projects).One(); exists && len(o.thing) > 0 {
		return best, false
	}
	m := Meaning{Intent: intent.CreateProject, Score: max(best.Score, Likely), Clause: c, Apart: true, Points: len(o.thing) == 0, Project: refer.Reference{Empty: true}}
	m.Name = calledIn(c)
	wonders := c.Question && language.Begins(c.All, "should|shall|must|do|did|is|are|am|was")
	m.Given, m.Sure = m.Name != "", (o.asked || m.Name != "") && !wonders
	switch spelt := language.Spell(c.Src, o.thing); {
	case m.Given:
	case m.Points:
		m.Name = r.Undertaking(c.beside())
	default:
		if m.Name = KeptName(spelt); m.Name == "" {
			m.Name = language.TitleCase(language.Spell(c.Src, language.Inner(o.thing)))
		}
	}
	return m, true
}

// beside is the message without the clause.
func (c *Clause) beside() string {
	return c.Src[:c.All[0].Start] + c.Src[c.All[len(c.All)-1].End:]
}

// ownIn reads from a clause what it says to be a project of its own.
func (r *Reader) ownIn(c *Clause) (own, bool) {
	words, toks := apartWords(), c.All
	if isBare(toks) && language.HasWord(language.Tokenize(c.beside())) {
		return own{asked: true}, true
	}
	for s, t := range toks {
		if t.Quoted {
			continue
		}
		unit := words.Is(toks[s:], "unit")
		if n := max(unit, words.Is(toks[s:], "plain")); n > 0 {
			if o, ok := ordered(toks[:s], toks[s+n:]); ok {
				return o, true
			}
		}
		if away := r.isAway(toks[s:]); unit > 0 || away {
			if o, ok := stated(toks[:s], away); ok {
				return o, true
			}
		}
	}
	return own{}, false
}

// isBare: no more than that there is a project to be made: "new proj".
func isBare(toks []language.Token) bool {
	n := apartWords().Is(toks, "bare")
	return n > 0 && n == len(toks)
}

// isAway: tokens begin with what has nothing to do with the project at hand.
func (r *Reader) isAway(toks []language.Token) bool {
	n := apartWords().Is(toks, "away")
	if n == 0 || r.sit.Project == nil {
		return false
	}
	name := refer.NameWords(*r.sit.Project)
	return slices.ContainsFunc(toks[n:min(len(toks), n+longestThing)], func(t language.Token) bool { return slices.Contains(name, t.Norm) })
}

// ordered reads an order by what stands before the words for a project, and behind them:
// "let's have the cello as", "make a project out of that".
func ordered(before, behind []language.Token) (own, bool) {
	for k, t := range before {
		if t.Quoted || !language.Class("<keepverb>", t.Norm) || !leadsOrder(before[:k]) {
			continue
		}
		thing := language.TrimMarks(before[k+1:])
		for len(thing) > 0 && apartWords().Is(thing[len(thing)-1:], "link") > 0 {
			thing = thing[:len(thing)-1]
		}
		if len(thing) == 0 && !language.Begins(behind, "out|of|from of? that|this|it|these|those|what|all|everything") {
			continue // "start a separate project for the rota": the model knows it
		}
		if len(thing) > longestThing || language.Has(thing, "<taskword>|<noteword>|is|are|has|,") || len(thing) > 0 && language.Class("<stop>", thing[0].Norm) && !language.Class("<det>", thing[0].Norm) && !pronouns(thing) {
			continue
		}
		return own{thing: naming(thing), asked: true}, true
	}
	return own{}, false
}

// leadsOrder: nothing but what an order begins with.
func leadsOrder(toks []language.Token) bool {
	for toks = language.SkipOpeners(toks); len(toks) > 0; toks = language.SkipOpeners(toks) {
		n := apartWords().Is(toks, "order")
		if n == 0 {
			return false
		}
		toks = toks[n:]
	}
	return true
}

// stated reads what something is, or ought to be, by what stands before the words for a
// project, or for what it has nothing to do with.
func stated(before []language.Token, away bool) (own, bool) {
	words, n := apartWords(), len(before)
	for n > 0 && adverbial(before[n-1]) {
		n--
	}
	if n < 2 {
		return own{}, false
	}
	o, verb := own{}, before[n-1]
	ought := language.Class("<oughtword>", verb.Norm)
	switch {
	case words.Is(before[n-1:n], "be") > 0, away && verb.Norm == "has":
	case ought, words.Is(before[n-1:n], "become") > 0 && n > 2 && language.Class("<oughtword>", before[n-2].Norm):
		o.asked = true
	default:
		return own{}, false
	}
	thing := language.SkipOpeners(before[:n-1])
	for len(thing) > 0 && language.Class("<oughtword>", thing[len(thing)-1].Norm) {
		thing = thing[:len(thing)-1]
	}
	if k := words.Is(thing, "opinion"); k > 0 && k < len(thing) {
		thing = language.SkipOpeners(thing[k:])
	}
	thing = lastThing(thing)
	if len(thing) == 0 || language.In("i|we|you|he|she|they|there|who|what", thing[0].Norm) {
		return own{}, false
	}
	o.thing = naming(thing)
	return o, true
}

// adverbial: a word between a verb and what it says.
func adverbial(t language.Token) bool {
	return language.IsFiller(t) || len(t.Norm) > 4 && strings.HasSuffix(t.Norm, "ly") || language.In("quite|so|very|rather|to|as|all", t.Norm)
}

// lastThing is the thing with which some words end: "my brother wants a stall there, which".
func lastThing(toks []language.Token) []language.Token {
	n := len(toks)
	switch {
	case n > 0 && language.In("that|which|it|this", toks[n-1].Norm):
		return toks[n-1:]
	case n <= longestThing:
		return toks
	}
	toks = toks[n-longestThing:]
	from := slices.IndexFunc(toks, func(t language.Token) bool { return language.Class("<det>", t.Norm) })
	if from < 0 {
		return nil
	}
	return toks[from:]
}

// naming is a thing, if its words name one rather than point to it.
func naming(thing []language.Token) []language.Token {
	if pronouns(thing) || len(language.ContentWords(thing)) == 0 {
		return nil
	}
	return thing
}

// pronouns: words that only point.
func pronouns(toks []language.Token) bool {
	return !slices.ContainsFunc(toks, func(t language.Token) bool {
		return t.Quoted || !language.In("it|that|this|them|these|those|which|all|of|one|everything|bit|part|last|what|i|just|said|told|you|stuff|thing|whole", t.Norm)
	})
}

// startsOwn: in the midst of a sentence without a mark an order begins to make something a
// project, behind what stands by itself: "don't touch the bistro start a project for ...".
func startsOwn(before, toks []language.Token) bool {
	words, last := apartWords(), before[len(before)-1]
	if n := words.Is(toks, "bare"); n > 0 && !last.Word && (n == len(toks) || !toks[n].Word) {
		return true
	}
	if toks[0].Quoted || toks[0].Named || !language.Class("<keepverb>", toks[0].Norm) || !last.Word || language.Class("<stop>", last.Norm) && !language.Class("<pronoun>", last.Norm) || language.IsFiller(last) || language.Class("<opener>", last.Norm) ||
		!language.Has(before, "<aux>|<verb>|<mindverb>|<keepverb>|<commandverb>") || leadsOrder(before) {
		return false
	}
	if language.Begins(toks[1:], "up|off? a|an? <apart> <undertaking>", "up|off? a <undertaking>") {
		return true
	}
	for s := 1; s < min(len(toks), longestThing); s++ {
		if n := words.Is(toks[s:], "unit"); n > 0 {
			o, ok := ordered(toks[:s], toks[s+n:])
			return ok && o.asked
		}
	}
	return false
}

// oneApart leaves of what a message says of one project to be made a single meaning, with the
// name that a clause behind it gives: "that's a project of its own. Call it Kestrel".
func oneApart(list []Meaning) []Meaning {
	made := -1
	for i, m := range list {
		switch {
		case made < 0:
			if m.Intent == intent.CreateProject {
				made = i
			}
			continue
		case m.Apart:
			if it := &list[made]; m.Given || !it.Given && (it.Name == "" || it.Points && !m.Points) {
				it.Name, it.Given = m.Name, m.Given
			}
			list[made].Sure, list[made].Points, list[made].Apart = list[made].Sure || m.Sure, list[made].Points || m.Points, true
		case m.Intent == intent.RenameProject || m.Intent == intent.UpdateTask || m.Intent == intent.None:
			name := CalledInstead(m.Clause.Text(m.Clause.All))
			if name == "" || list[made].Given {
				continue
			}
			list[made].Name, list[made].Given, list[made].Sure = name, true, true
		default:
			continue
		}
		list[i] = Meaning{Clause: m.Clause, Score: m.Score}
	}
	return slices.DeleteFunc(list, func(m Meaning) bool { return m.Intent == "" })
}
