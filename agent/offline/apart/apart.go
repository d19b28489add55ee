// Package apart reads that something is a project of its own, said in the midst of another one:
// "keep that as a project", "the wiring is a separate venture". It sees words alone; which
// project they name, and what is to become of it, is for others to find.
package apart

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

//go:embed en.txt
var text string

var words = sync.OnceValue(func() manner.Table { return manner.Read(text) })

// An Own is what words say to be a project of its own.
type Own struct {
	Thing []language.Token // empty: what was told before
	Asked bool             // it is to be made one; otherwise it is only told of
}

// longestThing is how many words name a thing of which something is said.
const longestThing = 7

// Read reads what some words say to be a project of its own. name holds the words of the
// project at hand: what has nothing to do with that one is told of as well.
func Read(toks []language.Token, name []string) (Own, bool) {
	for s, t := range toks {
		if t.Quoted {
			continue
		}
		unit := words().Is(toks[s:], "unit")
		away := isAway(toks[s:], name) || isAlone(toks[s:])
		if n := max(unit, words().Is(toks[s:], "plain")); n > 0 || away {
			if o, ok := ordered(toks[:s], toks[s+n:]); ok {
				return o, true
			}
		}
		if unit > 0 || away {
			if o, ok := stated(toks[:s], away); ok {
				return o, true
			}
		}
	}
	return Own{}, false
}

// isAway: tokens begin with what has nothing to do with the project of that name.
func isAway(toks []language.Token, name []string) bool {
	n := words().Is(toks, "away")
	return n > 0 && slices.ContainsFunc(toks[n:min(len(toks), n+longestThing)], func(t language.Token) bool { return slices.Contains(name, t.Norm) })
}

// isAlone: with the first token a sentence ends that keeps something by itself: "keep that
// separate".
func isAlone(toks []language.Token) bool {
	n := words().Is(toks, "alone")
	return n > 0 && (n == len(toks) || !toks[n].Word)
}

// Beside: words say that they are about something else than what was talked about.
func Beside(toks []language.Token) bool {
	for i, t := range toks {
		if !t.Quoted && words().Is(toks[i:], "beside") > 0 {
			return true
		}
	}
	return false
}

// IsBare: no more than that there is a project to be made: "new proj".
func IsBare(toks []language.Token) bool {
	n := words().Is(toks, "bare")
	return n > 0 && n == len(toks)
}

// ordered reads an order by what stands before the words for a project, and behind them:
// "let's have the cello as", "make a project out of that".
func ordered(before, behind []language.Token) (Own, bool) {
	for k, t := range before {
		if t.Quoted || !language.Class("<keepverb>", t.Norm) || !leadsOrder(before[:k]) {
			continue
		}
		thing := language.TrimMarks(before[k+1:])
		for len(thing) > 0 && words().Is(thing[len(thing)-1:], "link") > 0 {
			thing = thing[:len(thing)-1]
		}
		if len(thing) == 0 && !language.Begins(behind, "out|of|from of? that|this|it|these|those|what|all|everything") {
			continue // "start a separate project for the rota": the model knows it
		}
		if len(thing) > longestThing || language.Has(thing, "<taskword>|<noteword>|is|are|has|,") || len(thing) > 0 && language.Class("<stop>", thing[0].Norm) && !language.Class("<det>", thing[0].Norm) && !pronouns(thing) {
			continue
		}
		return Own{Thing: naming(thing), Asked: true}, true
	}
	return Own{}, false
}

// leadsOrder: nothing but what an order begins with.
func leadsOrder(toks []language.Token) bool {
	for toks = language.SkipOpeners(toks); len(toks) > 0; toks = language.SkipOpeners(toks) {
		n := words().Is(toks, "order")
		if n == 0 {
			return false
		}
		toks = toks[n:]
	}
	return true
}

// stated reads what something is, or ought to be, by what stands before the words for a
// project, or for what it has nothing to do with.
func stated(before []language.Token, away bool) (Own, bool) {
	n := len(before)
	for n > 0 && (adverbial(before[n-1]) || away && words().Is(before[n-1:n], "kept") > 0) {
		n--
	}
	if n < 2 {
		return Own{}, false
	}
	o, verb := Own{}, before[n-1]
	ought := language.Class("<oughtword>", verb.Norm)
	switch {
	case words().Is(before[n-1:n], "be") > 0, away && verb.Norm == "has":
	case ought, words().Is(before[n-1:n], "become") > 0 && n > 2 && language.Class("<oughtword>", before[n-2].Norm):
		o.Asked = true
	default:
		return Own{}, false
	}
	thing := language.SkipOpeners(before[:n-1])
	for len(thing) > 0 && language.Class("<oughtword>", thing[len(thing)-1].Norm) {
		thing = thing[:len(thing)-1]
	}
	thing = lastThing(thing)
	if len(thing) == 0 || language.In("i|we|you|he|she|they|there|who|what", thing[0].Norm) {
		return Own{}, false
	}
	o.Thing = naming(thing)
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

// Starts: in the midst of a sentence without a mark an order begins to make something a
// project, behind what stands by itself: "don't touch the bistro start a project for ...".
func Starts(before, toks []language.Token) bool {
	last := before[len(before)-1]
	if n := words().Is(toks, "bare"); n > 0 && !last.Word && (n == len(toks) || !toks[n].Word) {
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
		if n := words().Is(toks[s:], "unit"); n > 0 {
			o, ok := ordered(toks[:s], toks[s+n:])
			return ok && o.Asked
		}
	}
	return false
}

// longestName is how many words a name has behind a wish for a project.
const longestName = 5

// OfTold reads a wish for a project of what was told, to which it only points: "make a project for
// it"; name is what stands behind that: ", harbour survey".
func OfTold(toks []language.Token) (name []language.Token, ok bool) {
	_, n, ok := language.Find(toks, "<undertaking> for|of|about|from|out it|that|this|them|those|these", "<undertaking> out of it|that|this|them|those|these")
	if !ok || n < len(toks) && toks[n].Word && !language.In("please|then|now", toks[n].Norm) {
		return nil, false
	}
	if name = language.TrimMarks(language.Drop(toks[n:], "please|then|now")); len(name) > longestName {
		name = nil
	}
	return name, true
}
