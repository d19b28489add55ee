package offline

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// A clause is a piece of a message that can carry one intent.
type clause struct {
	src      string           // the whole message
	toks     []language.Token // all of it
	body     []language.Token // what follows openers and negation
	negated  bool             // "don't", "never" before the verb
	question bool             // asks for information
	mark     bool             // ends with a question mark
	all      []language.Token // with openers
	leads    bool             // it only leads to the next one: "before we go on, ..."
	supposed bool             // it holds under a condition: "if he agrees, ...", "... once it is over"
}

// clauses cuts a message into clauses: at the ends of sentences, and where the trained
// model sees that something else begins.
func (r *reader) clauses(text string) []clause { return r.clausesOf(text, language.Tokenize(text)) }

func (r *reader) clausesOf(text string, toks []language.Token) []clause {
	var starts []int // bytes
	for _, i := range r.model().Parts(r.input(text), toks) {
		if i < len(toks) {
			starts = append(starts, toks[i].Start)
		}
	}
	var out []clause
	for _, s := range sentences(toks) {
		parts := [][]language.Token{s.toks}
		if !s.labelled { // of "note: ..." all is text
			parts = splitAt(s.toks, starts)
		}
		for i, part := range parts {
			// The mark at the end is the last part's; the others tell a question by their form.
			if c, ok := newClause(text, part, s.question && i == len(parts)-1); ok {
				c.supposed = c.supposed || i > 0 && onlyCondition(parts[i-1])
				c.leads = i+1 < len(parts) && subordinate(part) && commaBetween(text, part, parts[i+1])
				out = append(out, c)
			}
		}
	}
	return out
}

// splitAt cuts tokens before those that stand at one of these bytes.
func splitAt(toks []language.Token, starts []int) [][]language.Token {
	var out [][]language.Token
	from := 0
	for i, t := range toks {
		if i > from && slices.Contains(starts, t.Start) && toks[i-1].Start < t.Start && !t.Quoted {
			out, from = append(out, language.TrimMarks(toks[from:i])), i
		}
	}
	return append(out, language.TrimMarks(toks[from:]))
}

// commaBetween: nothing but a comma stands between two parts of a sentence.
func commaBetween(text string, part, next []language.Token) bool {
	if len(part) == 0 || len(next) == 0 {
		return false
	}
	from, to := part[len(part)-1].End, next[0].Start
	return from <= to && to <= len(text) && strings.TrimSpace(text[from:to]) == ","
}

type sentence struct {
	toks     []language.Token
	question bool
	labelled bool
}

// sentences splits at the ends of sentences and lines. What follows a label
// such as "note:" belongs to it to the end of the paragraph, and a list to "todo:".
func sentences(toks []language.Token) []sentence {
	var out []sentence
	start, labelled, listed := 0, false, false
	flush := func(end int, question bool) {
		if language.HasWord(toks[start:end]) {
			out = append(out, sentence{language.TrimMarks(toks[start:end]), question, labelled})
		}
		start, labelled, listed = end+1, false, false
	}
	for i, t := range toks {
		switch {
		case t.Word || t.Quoted:
		case t.Norm == ":" && isLabel(toks[start:i]):
			labelled = !language.Has(toks[start:i], "<taskword>|do")
			listed = !labelled
		case t.Norm == "\n":
			// A line break ends a sentence unless the paragraph was labelled and goes on.
			if !labelled && !listed || i+1 < len(toks) && toks[i+1].Norm == "\n" {
				flush(i, false)
			}
		case labelled, listed && t.Norm == ";":
		case language.In("!|?|;", t.Norm) || t.Norm == "." && endsSentence(toks, i):
			flush(i, t.Norm == "?")
		}
	}
	if start < len(toks) {
		flush(len(toks), false)
	}
	return out
}

func endsSentence(toks []language.Token, i int) bool {
	if i+1 < len(toks) && !toks[i+1].Gap && toks[i+1].Word {
		return false
	}
	// "Ing. Dvorak", "no. 5", "15. April"
	if i > 0 && i+1 < len(toks) {
		last, next := toks[i-1].Norm, toks[i+1].Norm
		if language.In("mrs|prof|approx|incl|inkl|ing|dipl|bzw|tel|fig|vol", last) || last == "no" && language.Digital(next) || language.IsDigits(last) && language.IsMonth(next) {
			return false
		}
	}
	return i == 0 || len(toks[i-1].Norm) > 2 || language.In("it|go|so|do|me|us|up|on|in|ok|no|q1|q2|q3|q4|by", toks[i-1].Norm) || language.IsDigits(toks[i-1].Norm)
}

// isLabel: a note, a to-do, a decision that is announced by its name.
func isLabel(toks []language.Token) bool {
	toks = skipOpeners(language.TrimMarks(toks))
	n, ok := language.MatchAny(toks, "<addverb>? <det>? new? quick? <noteword>", "<addverb>? <det>? <memoryword>|fact", "<addverb>? <det>? decision", "remember", "write|jot down", "for the record",
		"<addverb>? <det>? new? <taskword>", "to do", "<make>? <det>? new? project", "note to self", "remember this", "keep in mind")
	return ok && n == len(toks) && n > 0
}

func newClause(src string, toks []language.Token, question bool) (clause, bool) {
	toks = language.TrimMarks(toks)
	if !language.HasWord(toks) {
		return clause{}, false
	}
	toks, question = withoutAside(toks), question && !tagged(toks)
	if tail := tagOf(toks); tail > 0 {
		toks = language.TrimMarks(toks[:len(toks)-tail])
	}
	c := clause{src: src, toks: toks, all: toks, question: question, mark: question}
	c.body = c.afterCondition(skipOpeners(toks))
	c.toks = c.body
	c.unframe()
	c.question = c.question || c.asks()
	return c, true
}

// tagOf is how many tokens a tag behind an order takes: "open the boat, would you".
func tagOf(toks []language.Token) int {
	for i := max(1, len(toks)-4); i < len(toks); i++ {
		if toks[i].Norm != "," || toks[i].Quoted {
			continue
		}
		n, ok := language.MatchAny(toks[i+1:], "would|could|will|can you please?", "shall we")
		if !ok {
			n, ok = language.MatchAny(toks[i+1:], "yes|ok|okay|right|alright|yeah|deal|agreed")
			head := skipOpeners(toks[:i])
			_, order := language.MatchAny(head, "<attend>|<commandverb>", "we go|move|switch|turn", "let us")
			ok = ok && order
		}
		if ok && i+1+n == len(toks) {
			return len(toks) - i
		}
	}
	return 0
}

func tagged(toks []language.Token) bool { return tagOf(toks) > 0 }

// withoutAside drops what is only said of a thing between two commas: "the hull,
// which was a task, is done". Only before the verb: behind it, it belongs to a title.
func withoutAside(toks []language.Token) []language.Token {
	for i := 1; i+2 < len(toks); i++ {
		if toks[i].Norm != "," || toks[i].Quoted || !language.In("which|who", toks[i+1].Norm) {
			continue
		}
		for j := i + 2; j < len(toks)-1 && j < i+12; j++ {
			if toks[j].Norm == "," && !toks[j].Quoted && language.Class("<aux>", toks[j+1].Norm) {
				return slices.Concat(toks[:i], toks[j+1:])
			}
		}
	}
	return toks
}

// asks reports a question by its form: a question word or an auxiliary verb
// before its subject.
func (c *clause) asks() bool {
	toks := skipOpeners(c.toks)
	if _, ok := language.MatchAny(toks, "<wh> i|we|you|he|she|it|they|the|my|this|that", "what a|an"); ok {
		return false // "what I said", "when we met", "what a day"
	}
	if _, ok := language.MatchAny(toks, "<wh> <aux>", "how many|much|often|far|long * *", "who * *", "what|which|who|why|how * <aux>", "what|which|how * * <aux>", "what|which|how * * * <aux>", "<aux> not? i|we|you|he|she|they|there|this|that|the|my|our|any|a|an", "does|did *", "is|are|was|were <det>|it|everything"); ok {
		_, polite := language.MatchAny(toks, "can|could|would|will you", "would you mind", "what|how about", "why do not we", "shall|can|could|may we|i", "do not", "what if", "do a|an", "be|being", "have|had *", "will *", "should i|we|you|he|she|they|it ever|happen|want|need")
		return !polite
	}
	_, ok := language.MatchAny(toks, "tell me what|who|when|where|why|how|which|whether|if", "do you know|remember", "i wonder", "remind me what|who|when|where|why|how|which|whether|if", "any idea")
	return ok
}

// preamble is what people say first, in more than a word.
func preamble(toks []language.Token) int {
	if !language.In("on|by|first|one|in|to|never|my|at|before|oh|of|no|got|fair|that|hold|wait|i|not|you|thank|many|hello|hi|hey|good|let|come|now|excuse|sorry|quick|speaking|as|so|all|very|just|really|actually|what|tell", toks[0].Norm) {
		return 0 // most words begin none of these
	}
	n, ok := language.MatchAny(toks, "on second thought|thoughts", "by the way", "not yet|now|today|tonight ,", "not so fast ,", "you know what ,?|:?", "first of all", "one more thing", "what is your view|opinion|take|guess|feeling|sense ,", "tell me ,", "in that case", "to be honest", "never mind this|that?", "my mistake|bad", "at this point", "before i forget", "oh no|dear|well|yes", "no? wait ,", "no wait", "no no|nope ,?", "of course", "no worries|problem", "got it",
		"fair enough", "that said", "hold on a? minute|second|moment|sec?", "wait a? minute|second|moment|sec?", "i see", "i know", "thank you very? much?", "many thanks", "hello|hi|hey again|there|everyone|kist", "good morning|afternoon|evening", "let us see ,", "come to think of it", "now that i think of it", "excuse me", "sorry about that", "i am sorry", "quick question|one", "speaking of which", "as i said", "that is enough|all|it for now|today?", "so far so good", "i said|repeat|mean|meant", "i told you", "all right|good", "very well")
	if !ok || n >= len(toks) || toks[n-1].Quoted {
		return 0
	}
	if w := toks[n]; w.Word && language.In("is|was|are|were|that|of|to|about|not|never", w.Norm) {
		return 0
	}
	return n
}

// skipOpeners drops what people say before they come to the point.
func skipOpeners(toks []language.Token) []language.Token {
	for range 40 { // nobody stammers on for longer, and long runs would cost
		if len(toks) == 0 {
			break
		}
		t := toks[0]
		if n := preamble(toks); n > 0 {
			toks = toks[n:]
			continue
		}
		if len(toks) > 2 && len(t.Norm) > 5 && strings.HasSuffix(t.Norm, "ly") && toks[1].Norm == "," && !t.Quoted {
			toks = toks[2:] // "realistically, ..."
			continue
		}
		if t.Quoted || t.Named || t.Word && !language.Class("<opener>", t.Norm) && !language.IsFiller(t) || !t.Word && !language.In(",|-|.|!|:|?", t.Norm) {
			break
		}
		if t.Norm == "no" && len(toks) > 1 && toks[1].Word && !language.Class("<opener>", toks[1].Norm) && !language.In("i|we|let|do|the|not|it|that|this|wait|you|go|back|keep|leave|no|stay|my", toks[1].Norm) {
			break // "no switching now", "no forecast is perfect"
		}
		if language.In("hello|hi|hey|thanks|please|sorry|yes", t.Norm) && len(toks) > 1 && language.In("is|was|means|meant", toks[1].Norm) {
			break // "hello is the only word that he knows"
		}
		// "next steps", "right side": openers only where a clause can follow.
		if language.In("next|right|now|no|good|great|again|then|well|so", t.Norm) && len(toks) > 1 && (isListNoun(toks[1]) || t.Norm == "no" && toks[1].Norm == "need" || t.Norm == "next" && language.In("is|comes|up", toks[1].Norm)) {
			break
		}
		toks = toks[1:]
	}
	return toks
}

func isListNoun(t language.Token) bool {
	return language.In("steps|step|friday|monday|tuesday|wednesday|thursday|saturday|sunday|week|month|year|up|morning|evening|afternoon|night|idea|much|many|far", t.Norm)
}

// text returns the part of the message that tokens span.
func (c *clause) text(toks []language.Token) string {
	toks = language.TrimMarks(toks)
	if len(toks) == 0 {
		return ""
	}
	if start, end := toks[0].Start, toks[len(toks)-1].End; start < end {
		return strings.TrimSpace(c.src[start:end])
	}
	return language.Spell(c.src, toks) // tokens that were put in another order
}

// maxClauses bounds how many clauses of a message are read for commands. Nobody
// types more; what is longer was pasted, and is kept as text.
const maxClauses = 150

// subordinate: words that only say when or why the next ones hold: "before we go on
// with the boat, ...". Whatever they name, nothing is asked for in them.
func subordinate(toks []language.Token) bool {
	toks = skipOpeners(toks)
	n, ok := language.MatchAny(toks, "before|after|while|until|till|unless|although|though|because|since|when|whenever|once|as i|you|we|he|she|it|they|everyone|everybody|the|my|our|all", "if i|you|we|he|she|they", "as soon|long as", "even if|though|when", "before|after|while|instead|without of? <attending>|<moving>|<verb>")
	if !ok && len(toks) > 1 && language.In("before|after|while|without", toks[0].Norm) {
		ok = strings.HasSuffix(toks[1].Norm, "ing")
	}
	return ok && n < len(toks) && !courtesy(toks)
}
