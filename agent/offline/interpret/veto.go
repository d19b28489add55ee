package interpret

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
)

// What rules say to a reading of the model's. They never make an intent of a clause,
// but for the refusal that a "don't" makes of an order.
type veto int

const (
	allowed  veto = iota
	declined      // the clause says not to
	never         // the clause can't mean that
)

// vetoed: the trained model knows the words; what must never go wrong is said here. What
// takes a project away or changes it whole is never read from what is denied, asked or
// hangs on something.
func (r *Reader) vetoed(c *Clause, i intent.Name) veto {
	switch {
	case acts(i) && takenBack(c.All), (restructures(i) || i == intent.CreateProject) && c.Negated && imperativeNot(c.Toks):
		return declined
	case restructures(i) && (c.Negated || c.Question && !polite(c.Toks) || told(c.Toks) || namesFile(c)):
		return never
	case c.hangs(i), denies(c, i), acts(i) && len(c.Toks) > maxCommand && !TakesText(i):
		return never
	}
	return allowed
}

// denies: words of a clause say that it is not what an intent takes it for.
func denies(c *Clause, i intent.Name) bool {
	switch i {
	case intent.AddDecision, StartMode:
		return discards(c, i) || language.Begins(c.Toks, "why")
	case intent.AddNote:
		return discards(c, i)
	case intent.Remember:
		return passing(c.Toks)
	case intent.AbandonDraft: // "I finish the draft by Easter"
		return language.Has(c.Toks, "finish|finishing|complete|completing") && !c.Negated
	case intent.CompleteTask:
		return quoted(c.Toks) || language.Has(c.Toks, "almost|nearly|half|halfway|partly|beinahe|halb|teilweise")
	}
	return takesAway(i) && quoted(c.Toks)
}

// discards: what does away with a note keeps none: "scrap that note about the boiler".
func discards(c *Clause, i intent.Name) bool {
	return i != StartMode && language.Begins(c.Body, "<deleteverb> <det>? *? <noteword>|decision")
}

// quoted: it is somebody else who says to take it away.
func quoted(toks []language.Token) bool {
	return slices.ContainsFunc(toks, func(t language.Token) bool { return t.Quoted && language.Class("<deleteverb>", t.Norm) })
}

// passing: what is said of the moment, or of nothing: "I like that", "I'm making dinner",
// "I don't remember".
func passing(toks []language.Token) bool {
	if len(toks) < 2 {
		return true
	}
	if language.Has(toks, "remember|mind|forget|note|merk|vergiss") && !language.Begins(toks, "i|we") {
		return false // "she can't eat nuts, remember that"
	}
	last := toks[len(toks)-1].Norm
	doing := language.Begins(toks, "i|we am|are") && strings.HasSuffix(toks[2%len(toks)].Norm, "ing")
	return doing || language.In("that|this|it|you|so|day|remember", last) || language.Begins(toks, "i|we can|do not remember|know|mind", "remember the|when")
}

// takenBack: "delete the boat, no wait".
func takenBack(toks []language.Token) bool {
	i, e, ok := language.Find(toks, "no|wait|stop no|wait|stop|not?", "scratch that", "never mind")
	return ok && i > 1 && e == len(toks) && !toks[i-1].Word
}

// maxCommand is how many words a command holds at most. What is longer tells
// something, and only what takes a text can be meant.
const maxCommand = 48

// TakesText: the words themselves are kept.
func TakesText(i intent.Name) bool {
	return i == intent.AddNote || i == intent.AddDecision || i == intent.Remember || i == intent.AddTask
}

// acts: something is made, changed or left by it.
func acts(i intent.Name) bool {
	return takesAway(i) || TakesText(i) || i == intent.UpdateTask || i == intent.CreateProject || i == intent.Switch || i == intent.Back || i == StartMode
}

// imperativeNot: "don't switch", not "I don't switch".
func imperativeNot(toks []language.Token) bool {
	if _, ok := language.MatchAny(toks, negations...); ok {
		return true
	}
	_, ok := language.MatchAny(toks, "please? do not", "please? never", "under|on|by no *", "there is no * to|in?", "no reason|point|use", "do not you dare", "let us not", "no need to", "i do not want you to", "you should not", "better not", "i|we do not want|need to", "i|we would rather|sooner|prefer not", "not", "hold|hang off|on|back")
	return ok
}

// polite: "could the boat be renamed to ..." asks for it.
func polite(toks []language.Token) bool {
	_, ok := language.MatchAny(toks, "can|could|may|would|will")
	return ok
}

// namesFile: the words of a path are no project's name.
func namesFile(c *Clause) bool { return strings.Contains(c.Text(c.Toks), ".md") }

// told: what somebody else wants or says, or what the speaker did.
func told(toks []language.Token) bool {
	if len(toks) < 3 {
		return false
	}
	if toks[0].Norm == `"` && toks[1].Quoted && language.HasWord(unquotedTail(toks)) || others(toks) {
		return true
	}
	at := 1
	for at < len(toks)-1 && (language.IsFiller(toks[at]) || language.In("almost|nearly|just|once|never", toks[at].Norm)) {
		at++
	}
	return language.In("i|we", toks[0].Norm) && language.Past(toks[at].Norm) && toks[at].Norm != "need" && !language.Class("<hoping>", toks[at].Norm)
}

// unquotedTail is what follows the words in quotation marks that come first.
func unquotedTail(toks []language.Token) []language.Token {
	for i, t := range toks {
		if i > 0 && !t.Quoted {
			return toks[i:]
		}
	}
	return nil
}

// others: somebody else is the subject.
func others(toks []language.Token) bool {
	if language.Begins(toks, "he|she|they|everyone|everybody|someone|somebody|nobody|people <aux>|have|has|want|wants|wanted|think|thinks|thought|love|loves|like|likes|said|says|need|needs|asked") {
		return true
	}
	for i := 1; i < min(len(toks), 4); i++ {
		if language.Class("<other>", toks[i].Norm) && !toks[i-1].Quoted && !language.In("i|we|you|it|that|this|what|which|who|and|all|both|finally|have|just|already|is", toks[i-1].Norm) && toks[i-1].Word {
			return true
		}
	}
	return false
}
