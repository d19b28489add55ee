package interpret

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/offline/todo"
	"kist/agent/recall"
)

// Whose words a clause holds, and whether they stand, is told by the words alone.

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

// takenBack: "delete the boat, no wait".
func takenBack(toks []language.Token) bool {
	i, e, ok := language.Find(toks, "no|wait|stop no|wait|stop|not?", "scratch that", "never mind")
	return ok && i > 1 && e == len(toks) && !toks[i-1].Word
}

// quoted: it is somebody else who says to take it away.
func quoted(toks []language.Token) bool {
	return slices.ContainsFunc(toks, func(t language.Token) bool { return t.Quoted && language.Class("<deleteverb>", t.Norm) })
}

// keeps are words with which somebody asks to keep something.
const keeps = "remember|mind|forget|note|know|keep|memory|record|fyi|reference|memorise|memorize|merk|merke|notiere|behalte|behalt|denk|vergiss|wisse"

// mereNews: what a clause tells isn't to be remembered: nobody asks for that ("I don't remember"),
// and it holds for no long time.
func mereNews(toks []language.Token, text string) bool {
	asks := language.Has(toks, keeps)
	own := language.Begins(toks, "i|we *? *? remember|mind|forget|know|keep")
	return (!asks || own) && !recall.Lasts(text)
}

// polite: "could the boat be renamed to ..." asks for it.
func polite(toks []language.Token) bool {
	_, ok := language.MatchAny(toks, "can|could|may|would|will")
	return ok
}

// imperativeNot: "don't switch", not "I don't switch".
func imperativeNot(toks []language.Token) bool {
	if _, ok := language.MatchAny(toks, negations...); ok {
		return true
	}
	_, ok := language.MatchAny(toks, "please? do not", "please? never", "under|on|by no *", "there is no * to|in?", "no reason|point|use", "do not you dare", "let us not", "no need to", "i do not want you to", "you should not", "better not", "i|we do not want|need to", "i|we would rather|sooner|prefer not", "not", "hold|hang off|on|back")
	return ok
}

// negations begin what is not to be done.
var negations = []string{"do not", "never", "not", "let us not", "no need to", "there is no need to", "better not", "avoid", "i|we do not want|need|have|intend|plan you? to", "i|we|you should|must not", "i|we would rather|sooner not"}

// courtesy: a condition that nobody means as one, "if you don't mind", "when you
// have a moment".
func courtesy(toks []language.Token) bool {
	if _, ok := language.MatchAny(toks, "if|when|whenever|once|as|unless|so"); !ok || len(toks) < 2 || len(toks) > 9 {
		return false
	}
	for _, t := range toks[1:] {
		if t.Quoted || t.Word && !language.Class("<courteous>", t.Norm) && !language.IsFiller(t) {
			return false
		}
	}
	return true
}

// beforeGoing: "before we go on with the boat" puts an order first, now; nothing
// hangs on what the conversation does next.
func beforeGoing(toks []language.Token) bool {
	_, ok := language.MatchAny(toks, "before i|we talk|chat|speak|go|move|carry|continue about|on", "before i|we discuss", "before i|we continue|proceed with|,", "before talking|going|moving|carrying|continuing about|on|with", "before discussing")
	return ok
}

// relative: a clause only tells more of what stands before its comma: "Mr Salo, who did it well".
func relative(src string, toks []language.Token) bool {
	if len(toks) == 0 || !language.In("who|which|where|whose|when", toks[0].Norm) {
		return false
	}
	before := strings.TrimSpace(src[:toks[0].Start])
	return strings.HasSuffix(before, ",")
}

// notIn are the texts that no title holds.
func notIn(texts, titles []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		return slices.ContainsFunc(titles, func(title string) bool {
			return strings.Contains(strings.ToLower(title), strings.ToLower(text)) || strings.Contains(strings.ToLower(text), strings.ToLower(title))
		})
	})
}

// saysMore: a sentence says something, beside that something is wrong: "wtf no".
func saysMore(s string) bool {
	words := slices.DeleteFunc(language.ContentWords(language.Tokenize(s)), func(w string) bool { return language.Class("<mend>", w) || language.Class("<opener>", w) })
	return len(words) > 1
}

// promises: a clause says what somebody will do: "Wen will take the photos".
func promises(src string, toks []language.Token) bool {
	return len(toks) > 2 && language.IsCapital(src, toks[0]) && language.In("will|would", toks[1].Norm) && !language.Class("<pronoun>", toks[2].Norm) && !language.In("i|you|we|he|she|they", toks[2].Norm) && !language.In("what|who|which|how|where|when|why", toks[0].Norm)
}

// aboutUser: facts about the speaker hold everywhere.
func aboutUser(toks []language.Token) bool {
	return len(toks) > 0 && language.In("i|my|me", toks[0].Norm) || len(toks) > 1 && language.In("me", toks[1].Norm)
}

// trimPhraseEnd drops words after a command that add nothing to it.
func trimPhraseEnd(toks []language.Token) []language.Token {
	toks = language.TrimMarks(toks)
	for len(toks) > 1 && !toks[len(toks)-1].Quoted && !toks[len(toks)-1].Named && (language.In("please|now|again|then|instead|thanks|ok|okay|kist|rq|asap", toks[len(toks)-1].Norm) || language.IsFiller(toks[len(toks)-1]) || !toks[len(toks)-1].Word) {
		toks = toks[:len(toks)-1]
	}
	return toks
}

// withBefore is a thing to do that points to what was told before it: "The seal leaks. Fix that
// by Monday.", "We need a skip. Ask Bo for one."
func withBefore(one todo.Todo, named bool, before string) todo.Todo {
	toks := language.SkipOpeners(language.Tokenize(before))
	one.Title = language.Capital(language.Spell(before, toks))
	return one
}

// halves begin no title: what they lead is a part of something.
const halves = "near|of|in|with|from|at|than|though|because|which|who|is|are|was|were|has|have|not"

// dangling words end no title.
const dangling = "whether|if|that|about|to|the|a|an|of|for|with|at|from|ob|dass|wegen|mit|für"

// onward words lead on from what stands before them, and begin nothing that is to be done.
const onward = "about|with|for|from|at|in|on|to|of|near|over|under|between|via|using|because|so|if|whether|" +
	"where|when|who|which|that|than|wegen|mit|für|von|bei|über|an|auf|nach|zu"

// afterMends are tokens without the words by which somebody corrects: "no, wait, ...".
func afterMends(toks []language.Token) []language.Token {
	for len(toks) > 1 && !toks[0].Quoted && (!toks[0].Word || language.Class("<mend>", toks[0].Norm)) {
		toks = toks[1:]
	}
	return language.SkipOpeners(toks)
}

// also is what a few words without a verb name beside what was spoken of before: "and the
// budget one", "the cups as well"; nil: they are no such words.
func also(toks []language.Token) []language.Token {
	too := language.Has(toks[max(0, len(toks)-2):], "too|well|also")
	led := language.Begins(toks, "and|also|plus")
	rest := language.TrimMarks(language.SkipOpeners(toks))
	for len(rest) > 1 && language.In("too|as|well|also|please", rest[len(rest)-1].Norm) {
		rest = language.TrimMarks(rest[:len(rest)-1])
	}
	switch {
	case !led && !too, len(toks) > maxAlso && !(led && too && len(toks) < 2*maxAlso), language.Has(toks, "<aux>|?|to"), len(rest) == 0:
		return nil
	case language.Begins(rest, "<verb>|<ticking>|<deleteverb>|<commandverb>|<pronoun>", "i|we|you|he|she|they"):
		return nil
	}
	return rest
}

// maxAlso is how many words name another task and say no more; half as many as where both
// ends say so.
const maxAlso = 8

// onlyPoints: words mean what was just spoken of.
func onlyPoints(toks []language.Token) bool {
	n, ok := language.MatchAny(toks, "it|that|this|them|those|these", "those|these|the two|ones")
	return ok && n == len(toks)
}
