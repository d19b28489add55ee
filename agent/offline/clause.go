package offline

import (
	"slices"
	"strings"
)

// A clause is a piece of a message that can carry one intent.
type clause struct {
	src      string  // the whole message
	toks     []token // all of it
	body     []token // what follows the frame
	frame    frame
	negated  bool    // "don't", "never" before the verb
	question bool    // asks for information
	mark     bool    // ends with a question mark
	all      []token // with openers
	leads    bool    // it only leads to the next one: "before we go on, ..."
	supposed bool    // it holds under a condition: "if he agrees, ...", "... once it is over"
}

// clauses cuts a message into clauses.
func clauses(text string) []clause { return clausesOf(text, tokenize(text)) }

func clausesOf(text string, toks []token) []clause {
	var out []clause
	for _, s := range sentences(toks) {
		parts := splitCommands(s.toks)
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

// commaBetween: nothing but a comma stands between two parts of a sentence.
func commaBetween(text string, part, next []token) bool {
	if len(part) == 0 || len(next) == 0 {
		return false
	}
	from, to := part[len(part)-1].end, next[0].start
	return from <= to && to <= len(text) && strings.TrimSpace(text[from:to]) == ","
}

type sentence struct {
	toks     []token
	question bool
}

// sentences splits at the ends of sentences and lines. What follows a label
// such as "note:" belongs to it to the end of the paragraph.
func sentences(toks []token) []sentence {
	var out []sentence
	start, labelled := 0, false
	flush := func(end int, question bool) {
		if hasWord(toks[start:end]) {
			out = append(out, sentence{trimMarks(toks[start:end]), question})
		}
		start, labelled = end+1, false
	}
	for i, t := range toks {
		switch {
		case t.word || t.quoted:
		case t.norm == ":" && isLabel(toks[start:i]):
			labelled = true
		case t.norm == "\n":
			// A line break ends a sentence unless the paragraph was labelled and goes on.
			if !labelled || i+1 < len(toks) && toks[i+1].norm == "\n" {
				flush(i, false)
			}
		case labelled:
		case in("!|?|;", t.norm) || t.norm == "." && endsSentence(toks, i):
			flush(i, t.norm == "?")
		}
	}
	if start < len(toks) {
		flush(len(toks), false)
	}
	return out
}

func endsSentence(toks []token, i int) bool {
	if i+1 < len(toks) && !toks[i+1].gap && toks[i+1].word {
		return false
	}
	// "e.g. teak", "Mr. Berg", "no. 5"
	return i == 0 || len(toks[i-1].norm) > 2 || in("it|go|so|do|me|us|up|on|in|ok|no|q1|q2|q3|q4|by", toks[i-1].norm) || isDigits(toks[i-1].norm)
}

// isLabel: a note, a to-do, a decision that is announced by its name.
func isLabel(toks []token) bool {
	toks = skipOpeners(trimMarks(toks))
	n, ok := matchAny(toks, "<addverb>? <det>? new? quick? <noteword>", "<addverb>? <det>? <memoryword>|fact", "<addverb>? <det>? decision", "remember", "write|jot down", "for the record",
		"<addverb>? <det>? new? <taskword>", "to do", "<make>? <det>? new? project", "note to self", "remember this", "keep in mind")
	return ok && n == len(toks) && n > 0
}

// splitCommands cuts one sentence where a second command begins: "let's talk
// about the boat and add a task to order cable". What follows must be a whole
// command by its form, so that the parts of a title stay together.
func splitCommands(toks []token) [][]token {
	for i := 1; i < len(toks)-1; i++ {
		n, ok := matchAny(toks[i:], "and then? also?", "then", "but", "also", "and please")
		if k := secondDuty(toks, i); k > 0 {
			return append([][]token{trimMarks(toks[:i])}, splitCommands(trimMarks(toks[i+k:]))...)
		}
		if !ok && i > 3 && toks[i].norm == ":" && !toks[i].quoted && has(toks[:i], "<aux>") && !isLabel(toks[:i]) {
			n, ok = 1, true
		}
		if !ok && !toks[i].word && !toks[i].quoted && toks[i].norm == "," {
			n, ok = 1, true
			if m, found := matchAny(toks[i+1:], "and then? also?", "then", "but", "also"); found {
				n += m
			}
		}
		if k, runs := matchAny(toks[i:], "um|uh|er|erm|so|anyway um|uh|please?"); runs && !toks[i].quoted && i+k < len(toks) && !isContent(toks[:i], false) && runsOn(toks[i+k:]) {
			return append([][]token{trimMarks(toks[:i])}, splitCommands(trimMarks(toks[i+k:]))...)
		}
		if ok && toks[i].norm == "," && !toks[i].quoted && i+2 < len(toks) && in("just|only|simply|instead|rather", toks[i+1].norm) && fits(toks[i+2], "<attend>|<commandverb>|<goverb>|<showverb>") {
			return append([][]token{trimMarks(toks[:i])}, splitCommands(trimMarks(toks[i+n:]))...) // "don't close it, just ..."
		}
		if ok && !toks[i].quoted && i+n < len(toks) && isCommand(toks[i+n:]) && !isContent(toks[:i], toks[i].norm == ",") {
			return append([][]token{trimMarks(toks[:i])}, splitCommands(trimMarks(toks[i+n:]))...)
		}
	}
	return [][]token{toks}
}

// secondDuty: in "we need to hire a van and I have to call Ana" two things are to be
// done. It returns how many tokens stand between them.
func secondDuty(toks []token, i int) int {
	if toks[i].quoted {
		return 0
	}
	k, ok := matchAny(toks[i:], "and", ", and|plus|then?")
	if !ok || i+k >= len(toks) || !isDuty(toks[i+k:]) || !isDuty(skipOpeners(toks[:i])) {
		return 0
	}
	return k
}

func isDuty(toks []token) bool {
	n, ok := matchAny(toks, "i|we still? also? need|have|ought|got to", "i|we have got to", "i|we must|should also? still?", "someone|somebody still? also? has|needs to", "someone|somebody must|should")
	return ok && n < len(toks)
}

// runsOn: spoken without a stop, a request begins here: "it can wait um can you ...".
func runsOn(toks []token) bool {
	n, ok := matchAny(toks, "can|could|would|will you", "please", "let us", "back to")
	return ok && n < len(toks) && (toks[n-1].norm == "to" || class("<attend>", toks[n].norm) || class("<commandverb>", toks[n].norm))
}

// isContent: after "note that" and the like, the rest is what was said; after
// "we decided" it is, too, unless a comma ends it.
func isContent(toks []token, comma bool) bool {
	toks = skipOpeners(toks)
	_, ok := matchAny(toks, "note that|:", "<noteword> :", "remember that", "write down", "jot down", "decision :", "said", "he|she|they", "of|having|between|among|from <det>|*")
	if !ok && !comma {
		_, ok = match(toks, "we|i have? <decideverb>")
	}
	return ok
}

func isCommand(toks []token) bool {
	toks = skipOpeners(toks)
	if n, ok := matchAny(toks, "please", "can|could|would you please?", "let us"); ok && n < len(toks) {
		if in("us", toks[n-1].norm) && class("<attend>", toks[n].norm) {
			return true
		}
		toks = toks[n:]
	}
	_, ok := matchAny(toks,
		"<addverb> <det>? * <taskword>", "<addverb> <det>? <taskword>", "<addverb> <det>? <noteword>", "new <taskword>|<noteword>", "<addverb> <det>? new? decision",
		"<make> <det>? new|separate|own? project", "remind me", "remember that", "note that", "write|jot down", "mark * ", "tick|check|cross off", "switch|go|get back? to <det>?", "go back",
		"<noteword> :", "do not *", "never *", "talk about", "show|list|give me? my|the|all|our", "we decided", "what|when|who|where|which", "<archiveverb>|<deleteverb>|<renameverb>|<mergeverb> the|this|my *? *? project|projects|task", "tell me", "do not forget", "do not let", "set * ")
	if !ok {
		return false
	}
	// "go to the shop" is a task, "go to the coffee project" is not known here:
	// only switching by its own verb splits.
	if _, going := match(toks, "go|get to"); going {
		return false
	}
	if _, aside := matchAny(toks, "which|who|where <aux>"); aside && has(toks, ",") {
		return false // "the hull, which was a task, is done"
	}
	if _, it := matchAny(toks, "mark|tick|check|cross|strike it|that|this|them"); it {
		return false // of what was said before it
	}
	if _, mark := match(toks, "mark|set"); mark {
		return has(toks, "as|done|complete|priority|due")
	}
	return true
}

func newClause(src string, toks []token, question bool) (clause, bool) {
	toks = trimMarks(toks)
	if !hasWord(toks) {
		return clause{}, false
	}
	toks, question = withoutAside(toks), question && !tagged(toks)
	if tail := tagOf(toks); tail > 0 {
		toks = trimMarks(toks[:len(toks)-tail])
	}
	c := clause{src: src, toks: toks, all: toks, question: question, mark: question}
	c.body = afterTime(c.afterCondition(skipOpeners(toks)))
	if n, ok := matchAny(c.body, "my|our *? * and i"); ok && n < len(c.body) && !c.body[0].quoted {
		c.body = slices.Clone(c.body[n-1:])
		c.body[0].norm = "we" // "my wife and I want to ..."
	}
	c.toks = c.body
	c.unframe()
	c.plainVerb()
	if c.question {
		// "Can you add a task?" asks for a deed, not for an answer.
		c.question = c.frame != request && c.frame != suggestion && c.frame != permission
	} else {
		c.question = c.asks()
	}
	return c, true
}

// tagOf is how many tokens a tag behind an order takes: "open the boat, would you".
func tagOf(toks []token) int {
	for i := max(1, len(toks)-4); i < len(toks); i++ {
		if toks[i].norm != "," || toks[i].quoted {
			continue
		}
		n, ok := matchAny(toks[i+1:], "would|could|will|can you please?", "shall we")
		if !ok {
			n, ok = matchAny(toks[i+1:], "yes|ok|okay|right|alright|yeah|deal|agreed")
			head := skipOpeners(toks[:i])
			_, order := matchAny(head, "<attend>|<commandverb>", "we go|move|switch|turn", "let us")
			ok = ok && order
		}
		if ok && i+1+n == len(toks) {
			return len(toks) - i
		}
	}
	return 0
}

func tagged(toks []token) bool { return tagOf(toks) > 0 }

// withoutAside drops what is only said of a thing between two commas: "the hull,
// which was a task, is done". Only before the verb: behind it, it belongs to a title.
func withoutAside(toks []token) []token {
	for i := 1; i+2 < len(toks); i++ {
		if toks[i].norm != "," || toks[i].quoted || !in("which|who", toks[i+1].norm) {
			continue
		}
		for j := i + 2; j < len(toks)-1 && j < i+12; j++ {
			if toks[j].norm == "," && !toks[j].quoted && class("<aux>", toks[j+1].norm) {
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
	if _, ok := matchAny(toks, "<wh> i|we|you|he|she|it|they|the|my|this|that", "what a|an"); ok {
		return false // "what I said", "when we met", "what a day"
	}
	if _, ok := matchAny(toks, "<wh> <aux>", "how many|much|often|far|long * *", "who * *", "what|which|who|why|how * <aux>", "what|which|how * * <aux>", "what|which|how * * * <aux>", "<aux> not? i|we|you|he|she|they|there|this|that|the|my|our|any|a|an", "does|did *", "is|are|was|were <det>|it|everything"); ok {
		_, polite := matchAny(toks, "can|could|would|will you", "would you mind", "what|how about", "why do not we", "shall|can|could|may we|i", "do not", "what if", "do a|an", "be|being", "have|had *", "will *", "should i|we|you|he|she|they|it ever|happen|want|need")
		return !polite
	}
	_, ok := matchAny(toks, "tell me what|who|when|where|why|how|which|whether|if", "do you know|remember", "i wonder", "remind me what|who|when|where|why|how|which|whether|if", "any idea")
	return ok
}

// afterTime drops "at this rate", "today" and "before lunch" from "before lunch I'd like to ...",
// but leaves them where the date may be that of a thing to do.
func afterTime(toks []token) []token {
	if n, ok := matchAny(toks, "at this|that|our|my|the? current|present? pace|rate|speed", "given that|this|how things|it|everything go|goes|stand|stands|is|are", "as things|it stand|stands|is|are", "all in all", "realistically speaking?"); ok && n < len(toks) {
		return skipOpeners(toks[n:])
	}
	if n, ok := matchAny(toks, "in order to", "for to", "so as to", "to"); ok {
		for i := n + 1; i < len(toks) && i <= 10; i++ {
			if opensFrame(toks[i:]) {
				return skipOpeners(toks[i:]) // "in order to go on I need you to ..."
			}
		}
	}
	if n, ok := matchAny(toks, "having|after|before|with|instead|rather|apart|besides|despite|of|from|among|between|as|now|seeing|given|being|done"); ok {
		for i := n + 1; i < len(toks) && i <= 16; i++ {
			if toks[i].norm == "," && !toks[i].quoted && opensFrame(skipOpeners(toks[i:])) && !has(toks[:i], "<timeword>|monday|tuesday|wednesday|thursday|friday|saturday|sunday") {
				return skipOpeners(toks[i:]) // "having finished with the boat, shall we ..."
			}
		}
	}
	n := 0
	for n < len(toks) && n < 6 && !toks[n].quoted && (class("<timeword>", toks[n].norm) || toks[n].norm == "," || n > 0 && in("the|my|for|in|of", toks[n].norm) || in("for|in", toks[n].norm)) {
		n++
	}
	if n == 0 || n >= len(toks) || n == 1 && in("for|in", toks[0].norm) {
		return toks
	}
	rest := skipOpeners(toks[n:])
	for kind, patterns := range frames() {
		if kind != suggestion && kind != wish && kind != request && kind != hoped {
			continue
		}
		if k, ok := matchAny(rest, patterns...); ok && k < len(rest) && class("<attend>", rest[k].norm) {
			return rest
		}
	}
	return toks
}

// preamble is what people say first, in more than a word.
func preamble(toks []token) int {
	if !in("on|by|first|one|in|to|never|my|at|before|oh|of|no|got|fair|that|hold|wait|i|not|you|thank|many|hello|hi|hey|good|let|come|now|excuse|sorry|quick|speaking|as|so|all|very|just|really|actually|what|tell", toks[0].norm) {
		return 0 // most words begin none of these
	}
	n, ok := matchAny(toks, "on second thought|thoughts", "by the way", "not yet|now|today|tonight ,", "not so fast ,", "you know what ,?|:?", "first of all", "one more thing", "what is your view|opinion|take|guess|feeling|sense ,", "tell me ,", "in that case", "to be honest", "never mind this|that?", "my mistake|bad", "at this point", "before i forget", "oh no|dear|well|yes", "no? wait ,", "no wait", "no no|nope ,?", "of course", "no worries|problem", "got it",
		"fair enough", "that said", "hold on a? minute|second|moment|sec?", "wait a? minute|second|moment|sec?", "i see", "i know", "thank you very? much?", "many thanks", "hello|hi|hey again|there|everyone|kist", "good morning|afternoon|evening", "let us see ,", "come to think of it", "now that i think of it", "excuse me", "sorry about that", "i am sorry", "quick question|one", "speaking of which", "as i said", "that is enough|all|it for now|today?", "so far so good", "i said|repeat|mean|meant", "i told you", "all right|good", "very well")
	if !ok || n >= len(toks) || toks[n-1].quoted {
		return 0
	}
	if w := toks[n]; w.word && in("is|was|are|were|that|of|to|about|not|never", w.norm) {
		return 0
	}
	return n
}

// skipOpeners drops what people say before they come to the point.
func skipOpeners(toks []token) []token {
	for range 40 { // nobody stammers on for longer, and long runs would cost
		if len(toks) == 0 {
			break
		}
		t := toks[0]
		if n := preamble(toks); n > 0 {
			toks = toks[n:]
			continue
		}
		if len(toks) > 2 && len(t.norm) > 5 && strings.HasSuffix(t.norm, "ly") && toks[1].norm == "," && !t.quoted {
			toks = toks[2:] // "realistically, ..."
			continue
		}
		if t.quoted || t.named || t.word && !class("<opener>", t.norm) && !isFiller(t) || !t.word && !in(",|-|.|!|:|?", t.norm) {
			break
		}
		if t.norm == "no" && len(toks) > 1 && toks[1].word && !class("<opener>", toks[1].norm) && !in("i|we|let|do|the|not|it|that|this|wait|you|go|back|keep|leave|no|stay|my", toks[1].norm) {
			break // "no switching now", "no forecast is perfect"
		}
		if in("hello|hi|hey|thanks|please|sorry|yes", t.norm) && len(toks) > 1 && in("is|was|means|meant", toks[1].norm) {
			break // "hello is the only word that he knows"
		}
		// "next steps", "right side": openers only where a clause can follow.
		if in("next|right|now|no|good|great|again|then|well|so", t.norm) && len(toks) > 1 && (isListNoun(toks[1]) || t.norm == "no" && toks[1].norm == "need" || t.norm == "next" && in("is|comes|up", toks[1].norm)) {
			break
		}
		toks = toks[1:]
	}
	return toks
}

func isListNoun(t token) bool {
	return in("steps|step|friday|monday|tuesday|wednesday|thursday|saturday|sunday|week|month|year|up|morning|evening|afternoon|night|idea|much|many|far", t.norm)
}

// trimMarks drops punctuation and newlines from both ends; quotation marks stay.
func trimMarks(toks []token) []token {
	for len(toks) > 0 && !toks[0].word && toks[0].norm != `"` && toks[0].norm != "'" && toks[0].norm != "(" {
		toks = toks[1:]
	}
	for len(toks) > 0 {
		last := toks[len(toks)-1]
		if last.word || in(`"|'|)|?|%`, last.norm) && last.norm != "?" {
			break
		}
		toks = toks[:len(toks)-1]
	}
	return toks
}

func hasWord(toks []token) bool {
	for _, t := range toks {
		if t.word {
			return true
		}
	}
	return false
}

// text returns the part of the message that tokens span.
func (c *clause) text(toks []token) string {
	toks = trimMarks(toks)
	if len(toks) == 0 {
		return ""
	}
	if start, end := toks[0].start, toks[len(toks)-1].end; start < end {
		return strings.TrimSpace(c.src[start:end])
	}
	return spell(c.src, toks) // tokens that were put in another order
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// maxClauses bounds how many clauses of a message are read for commands. Nobody
// types more; what is longer was pasted, and is kept as text.
const maxClauses = 150
