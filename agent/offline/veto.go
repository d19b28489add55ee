package offline

import (
	"kist/agent/intent"
	"kist/agent/language"
	"strings"
)

// What rules say to a reading of the model's. They never make an intent of a clause,
// but for the refusal that a "don't" makes of an order.
type veto int

const (
	allowed  veto = iota
	declined      // the clause says not to
	never         // the clause can't mean that
)

func (r *reader) vetoed(c *clause, i intent.Name) veto {
	switch {
	case i == switchTo && c.negated && r.arguments(c, switchTo).first("left") != nil:
		return allowed // not that one, another
	case acts(i) && takenBack(c.all), c.negated && negatable(i) && imperativeNot(c.toks):
		return declined
	case c.negated && acts(i) && i != addTask, c.hangs(i), r.absurd(c, i):
		return never
	case acts(i) && len(c.toks) > maxCommand && !takesText(i):
		return never
	}
	return allowed
}

// absurd: the clause hasn't the form that such a thing is said in.
func (r *reader) absurd(c *clause, i intent.Name) bool {
	asked := c.question && !polite(c.toks)
	switch i {
	case switchTo:
		return c.supposed || c.question || told(c.toks) || supposing(c.toks) || namesFile(c)
	case undoLast:
		return asked || told(c.toks)
	case renameProject, mergeProjects, archiveProject, deleteProject:
		return asked || told(c.toks) || namesFile(c) || language.Has(c.body, "<taskword>|file|files|folder|compare")
	case deleteTask, forgetMemory, moveMemory, abandonDraft, updateTask:
		return asked
	case completeTask:
		return asked || language.Has(c.toks, "almost|nearly") || begins(c.body, "<verb>") && !language.Has(c.body, "<doneword>|<finishverb>|off")
	}
	return r.absurdText(c, i)
}

// absurdText is absurd for what is told rather than ordered.
func (r *reader) absurdText(c *clause, i intent.Name) bool {
	switch i {
	case addTask:
		return c.question || others(c.toks) || begins(c.body, "<deleteverb>|cancel <det>? <taskword>", "get rid of <det>? *? <taskword>", "remind me|us <wh>")
	case ask:
		return !c.question && !c.mark && r.questionOf(c).places == nil && !begins(skipOpeners(c.all), "<wh>|<aux>")
	case addDecision:
		return c.question || c.mark || undecided(c.toks)
	case remember:
		return passing(c.toks)
	case createProject:
		return others(c.toks) || told(c.toks) && !begins(c.toks, "i|we have? decided|started|begun")
	case decline:
		return r.pointless(c)
	}
	return false
}

// passing: what is said of the moment, or of nothing: "I like that", "I'm making dinner",
// "I don't remember".
func passing(toks []language.Token) bool {
	if len(toks) < 2 {
		return true
	}
	last := toks[len(toks)-1].Norm
	doing := begins(toks, "i|we am|are") && strings.HasSuffix(toks[2%len(toks)].Norm, "ing")
	return doing || language.In("that|this|it|you|so|day|remember", last) || begins(toks, "i|we can|do not remember|know|mind", "remember the|when")
}

func begins(toks []language.Token, patterns ...string) bool {
	_, ok := language.MatchAny(toks, patterns...)
	return ok
}

// takenBack: "delete the boat, no wait".
func takenBack(toks []language.Token) bool {
	i, e, ok := language.Find(toks, "no|wait|stop no|wait|stop|not?", "scratch that", "never mind")
	return ok && i > 1 && e == len(toks) && !toks[i-1].Word
}

// undecided: what wasn't decided.
func undecided(toks []language.Token) bool {
	i, _, ok := language.Find(toks, "<decideverb>")
	return ok && language.Has(toks[:i], "not|never|nobody")
}

// pointless: a "don't" about nothing that kist does, or of somebody else's.
func (r *reader) pointless(c *clause) bool {
	if i, _, ok := language.Find(c.toks, "do|does|did not"); ok && i > 0 && i < 4 && !language.In("i|we|you|please|so|and|just", c.toks[i-1].Norm) {
		return true // "reviews don't bother me"
	}
	if !c.negated || len(c.body) == 0 || len(r.subject(c, c.all, false).found) > 0 {
		return false
	}
	if begins(c.toks, "i|we do|did not") {
		return !begins(c.toks, "i|we do|did not want|need|mean|ask|think|wish|like|say")
	}
	return begins(c.toks, "do not|never") && !language.Fits(c.body[0], "<commandverb>|<attend>|<handled>|<addverb>|do") && !language.Has(c.body, "<projectword>|<taskword>|<noteword>|it|that|this")
}

// maxCommand is how many words a command holds at most. What is longer tells
// something, and only what takes a text can be meant.
const maxCommand = 48

// takesText: the words themselves are kept.
func takesText(i intent.Name) bool {
	return i == addNote || i == addDecision || i == remember || i == addTask
}

// acts: something is made, changed or left by it.
func acts(i intent.Name) bool {
	return takesAway(i) || takesText(i) || i == updateTask || i == createProject || i == switchTo || i == goBack || i == startMode
}

// negatable: a "don't" before these takes them back. Decisions and memories
// hold their negations within.
func negatable(i intent.Name) bool {
	switch i {
	case none, forgetMemory, abandonDraft, addDecision, remember, addNote, approval, greet, thanks, completeTask, decline, elsewhere, ask:
		return false
	}
	return true
}

// imperativeNot: "don't switch", not "I don't switch".
func imperativeNot(toks []language.Token) bool {
	if _, ok := language.MatchAny(toks, forbidding()...); ok {
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
func namesFile(c *clause) bool { return strings.Contains(c.text(c.toks), ".md") }

// supposing: what would be, if.
func supposing(toks []language.Token) bool {
	_, ok := language.MatchAny(toks, "if|suppose|supposing|imagine|unless|whenever i|we|you|he|she|they|it|the|my")
	return ok && !courtesy(toks)
}

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
	return language.In("i|we", toks[0].Norm) && past(toks[at].Norm) && toks[at].Norm != "need" && !language.Class("<hoping>", toks[at].Norm)
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
	if begins(toks, "he|she|they|everyone|everybody|someone|somebody|nobody|people <aux>|have|has|want|wants|wanted|think|thinks|thought|love|loves|like|likes|said|says|need|needs|asked") {
		return true
	}
	for i := 1; i < min(len(toks), 4); i++ {
		if language.Class("<other>", toks[i].Norm) && !toks[i-1].Quoted && !language.In("i|we|you|it|that|this|what|which|who|and|all|both|finally|have|just|already|is", toks[i-1].Norm) && toks[i-1].Word {
			return true
		}
	}
	return false
}
