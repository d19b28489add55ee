package guide

import (
	"kist/agent/language"
	"regexp"
	"strings"
	"sync"
)

// A Kind says what somebody did with a question.
type Kind string

// The kinds of replies.
const (
	Told       Kind = "answer"     // something was said, if only in part
	DontKnow   Kind = "dont_know"  // stays open, for follow-up
	Skip       Kind = "skip"       // doesn't want to answer this one
	Later      Kind = "later"      // this one later; without Dimension, all of it later
	Enough     Kind = "enough"     // no more questions: preview, or create
	Back       Kind = "back"       // wants to be asked about Dimension; without one, the question before
	Correction Kind = "correction" // changes what was said about Dimension; without one, the last answer
	Asks       Kind = "question"   // asks something in return
	OffTopic   Kind = "off_topic"  // a command or a courtesy: not about the question
)

// An Answer is a reply as [ReadAnswer] understood it.
type Answer struct {
	Kind      Kind
	Dimension string // that the reply refers to; may be empty for back, correction, later, question and off_topic
	Text      string // what was said in the user's words, without "skip" or "create it"; may be empty
}

// control words of a reply, each for a whole piece of it. The order is that of
// precedence where several pieces disagree.
var controls = sync.OnceValue(func() []control {
	compile := func(k Kind, firm bool, patterns ...string) control {
		return control{k, firm, regexp.MustCompile(`^(?:` + strings.Join(patterns, "|") + `)$`)}
	}
	return []control{
		compile(Enough, true,
			`(that is|this is|it is|i have had|we have) enough( questions)?( for (now|today))?`, `enough( (questions|of (that|this|the questions|your questions)))?`, `no (more|further) questions?`,
			`(stop|quit)( (asking|it|the questions|with the questions|asking (me )?(questions|things)))?`, `i (do not want|don't want) (any )?more questions`,
			`(you can |you may |now |let us |let's |go ahead and |i want you to |can you |could you )?(create|build|finali[sz]e|make|save|finish|set up|wrap)( (it|this|that|the project|the draft|my project))?( up)?( now| already| then)?`,
			`go ahead( with (it|that))?`, `ship it`, `(we are|i am|i'm|we're) (done|finished|ready)( here| with (this|the questions))?`, `(it |that |this )?(looks|sounds) (good|fine|great|right)( to me)?`, `good to go`, `do it`, `go`, `(let us|let's) (go|stop here|leave it (there|at that)|finish)`),
		compile(Enough, false, `(that is|that's|this is|it is) (all|it|everything|about it)( i (have|know|can say|want to say))?( for (now|today))?`, `nothing (more|else)( to (add|say))?`, `done`, `ready`, `finished`),
		compile(Later, true, `(let us|let's|can we|could we|i will|i'll|we can|we'll) (continue|go on|pause|resume|finish|stop)( this| here| it)?( (later|tomorrow|another (time|day)|next week|tonight|on \w+day))?`,
			`i (have to|must|need to|got to|gotta) (go|leave|run|stop)( now)?`, `(stop|pause|break off|leave it) here( for (now|today|the day))?`, `(pause|enough for (now|today))`, `see you( later| tomorrow)?`),
		compile(Later, false, `later`, `not (now|today|right now)`, `(ask|remind) me( about (this|that|it))?( again)? (later|tomorrow|another (time|day)|next (time|week)|tonight)`,
			`(let us|let's|can we|could we|i will|i'll|let me|we can|we'll|i want to|i would like to|i'd like to|may i) (come back|get back|return|do|answer|look|decide|talk|discuss|tell you)( to you)?( on| to| at| about)?( it| this| that| this one| that one| you| the question)?( (later|tomorrow|another (time|day)|next (time|week)|tonight|after .{1,30}))?`,
			`(i |we )?(will |have to |need to |must |want to |let me )?(think|sleep)( (about|on|over) (it|that|this))?( first| a bit)?`, `let me (think|check|ask|look)( .{1,40})?`, `give me (a (minute|moment|day|while)|some time|time)( to think)?`,
			`((i|we)( will|'ll)? )?(have to|need to|must|should|will|want to) (check|ask|look it up|find out|look)( .{1,40})?`),
		compile(Skip, true, `(let us |let's |can we |could we |i want to |i would rather |i'd rather |i'd like to |i would like to |you can |we can )?(skip|pass|leave|ignore|drop)( (it|this|that|this one|that one|this question|that question|the question|the question about .{1,40}|out|on (this|that|it|this one)))?( out)?`,
			`(let us |let's |can we |could we )?(move on|go on|continue|next|next (question|one|please)|proceed)`, `(i )?(would |'d )?rather not( (say|answer|talk about)( (it|that|this|about it))?)?`, `(i|i'd|i would) (do not|don't|will not|won't|prefer not to|rather not) (want to )?(answer|say|answer (that|this|it)|talk about (that|this|it))`,
			`(that is |this is |it is |it's |that's )?(not|is not|isn't|ir)-? ?(relevant|applicable|important|needed|necessary)( (here|for me|for us|to me|now))?`, `((that|this|it) )?(does|do)( not|n't) (apply|matter|fit|concern me)( (here|to (me|us|this)|at all))?`, `n/?a`, `none of your business`, `no comment`),
		compile(DontKnow, true, `(i |we )?(do not|don't) (know|have (an? |any |the )?(idea|clue|answer|opinion))( (it|that|this|either|about (it|that|this)|exactly|anything about (it|that)|for sure))?( (who|when|what|how|where|why|which|if|whether|how (much|many|long|often)))?`,
			`(i |we )?(do not|don't) know (who|when|what|how|where|why|which|if|whether) (?:\S+ ?){1,5}`, `(i |we )?(have |'ve )?(got )?(absolutely )?no (idea|clue|answer|opinion|plan)( about (it|that))?( (who|when|what|how|where|why|which|how much|how many|how long))?`,
			`(i am |i'm |we are |we're )?(not (really )?(sure|certain|decided)|unsure|undecided|clueless)( (about (it|that|this)|who|when|what|how|where|why|which))?`, `dunno`, `idk`, `tbd`, `tba`, `\?+`, `(that is |it is |it's |that's )?(hard|difficult|too early|too soon|impossible) to (say|tell|know)`,
			`(i |we )?(can not|cannot|can't) (say|tell|answer that|think of (anything|one))( .{0,10})?`, `(i |we )?(have not|haven't|did not|didn't) (decided|thought (about|of) (it|that|this)|thought that far|figured (it|that) out|got that far|made up my mind)`, `good question`, `who knows`, `beats me`, `to be (decided|determined|found out)`, `not decided`, `(it |that )?(is |'s )?(still )?(open|unclear)`, `i wish i knew`, `you tell me`),
		compile(Asks, true, `(i |we )?(do not|don't|did not|didn't) (understand|get)( (it|that|this|the question|you|what you mean|your question))?`, `(explain|elaborate|rephrase|repeat)( (that|it|this|please|the question))?`, `(an |for )?example`, `huh`, `pardon`, `(i am|i'm) confused`),
		compile(OffTopic, true, `(many |a lot of )?(thanks|thank you|thx|cheers)( (a lot|so much|very much))?`, `hello`, `hi`, `hey`, `good (morning|evening|afternoon|night)`, `bye`, `lol`, `ha(ha)+`, `(ok|okay|great|cool|nice|perfect|alright|all right|fine|good|sure|interesting|wow|super|i see|got it)`, `how are you`, `:\)`, `undo( (it|that|this|the last .{1,20}))?`, `help`),
	}
})

type control struct {
	kind Kind
	firm bool // holds even where the reply also tells something
	re   *regexp.Regexp
}

const (
	theQuestion = `(?: the (?:question|one|part|point)s?(?: about| on| of)?)?`
	ours        = `(?:projects?|tasks?|to-?dos?|notes?|memor(?:y|ies)|drafts?|documents?|operations?|conversations?|sessions?)\b` // what kist keeps
)

var (
	pieceEnd = language.Pattern(`[.!?;\n]+(?:\s|$)|,\s|\s+-+\s|\s—\s|\s–\s|\s+but\s|:\s`)
	fillers  = language.Pattern(`\b(please|just|really|honestly|actually|well|hmm+|um+|uh+|ok|okay|oh|sorry|frankly|simply|to be honest|i think|i guess|i suppose|at the moment|right now|for now|yet|already|at all|so|and|then|also|thanks|exactly)\b`)
	// Asking for another question: politely, with any verb, or plainly, with few words.
	politely  = language.Pattern(`^(?:please )?(?:(?:can|could|may|shall) (?:we|you|i) |(?:i'd|i would) (?:like|want|love) (?:you )?to |i want (?:you )?to |let us |let's |let me )(?:please )?(?:go back|come back|get back|return|back|jump back|ask me|ask|revisit|talk about|discuss|look at)(?: again)?(?: (?:to|about|for|at))?` + theQuestion + `\s*(.*)$`)
	directly  = language.Pattern(`^(?:please )?(?:ask me(?: again)?(?: about)?|(?:(?:go |come |get |jump )?back to|return to|revisit) the question(?: about| on| of)?)` + theQuestion + `\s+(.*)$`)
	shortly   = language.Pattern(`^(?:please )?(?:(?:go |come |get |jump )?back(?: to\b|$)|revisit\b|what about\b|how about\b)(?: (?:the|my|our))?\s*((?:\S+ ?){0,2})$`)
	lastOne   = language.Pattern(`^(?:(?:the|that|my) )?(?:previous|last|first|earlier|one before|question before)?(?: ?(?:question|one|answer|step))?$`)
	mends     = language.Pattern(`^(?:(?:i (?:want|need|have|would like|must) to |i'd like to |let me |can (?:i|we|you) |could (?:i|we|you) |please )?(?:change|correct|fix|amend|replace|revise)\b.*|correction\b.*|scratch\b.*|i (?:was wrong|made a mistake|misspoke|mistyped|got it wrong)\b.*|forget what i said\b.*|i meant\b.*|(?:what )?i said .{1,60} (?:is|was) wrong\b.*)`)
	lead      = language.Pattern(`^(?:(?:well|sorry|oh|wait|no|hmm+|oops|hang on|hold on|ah|ok|okay|so|um|uh),? )+`)
	notBut    = language.Pattern(`, not \S|\bnot \S+(?: \S+){0,3} but\b|\binstead of\b|\brather than\b|\bno longer\b|\b(?:has |have |was |is )?(?:moved|changed|went up|went down|shifted)\b`)
	commands  = language.Pattern(`^(?:please )?(?:(?:let us|let's|can we|i want to|i'd like to) )?(?:(?:switch|jump) (?:back |over )?to (?:the|my|our)\b|(?:talk about|work on|open|show me|show|list|find|delete|archive|rename|merge|switch to|go to|change to)\b.*\b` + ours + `|show me (?:my|all|the)\b|search for\b|what(?: is|'s| are) (?:on my|due|my tasks)|(?:add|create|make|write|put|new|mark)\b (?:me )?(?:an? |the |new |down )*(?:task|todo|to-do|reminder|note|project called|project named|memory)\b|remind me\b|note(?: to self)?:)`)
	asksBack  = language.Pattern(`^(?:and |but |so |well,? |hmm,? )?(?:what|who|whom|whose|when|where|why|how|which|do|does|did|is|are|am|was|were|can|could|will|would|should|shall|may|have|has|must|any (?:idea|suggestion|tip)s?)\b`)
	supposing = language.Pattern(`^(?:and |but )?(?:what if|who knows|how about|maybe|perhaps|why not)\b`)
	directive = language.Pattern(`^(?:can|could|will|would) (?:you|we) (?:give|explain|repeat|rephrase|suggest|tell)\b`)
)

// ReadAnswer reads a reply to a question: whether it answers it, in part or by
// the way answers others, or does something else. Text that isn't understood as
// anything else is an answer. asked may be the zero Question.
func ReadAnswer(text string, asked Question) Answer {
	text = strings.TrimSpace(clip(text))
	low := flatten(text)
	bare := strings.TrimSpace(lead().ReplaceAllString(low, ""))
	switch {
	case low == "":
		return Answer{Kind: OffTopic}
	case mending(low, bare, asked):
		return Answer{Kind: Correction, Dimension: mended(text), Text: text}
	}
	if key, ok := goingBack(bare); ok {
		return Answer{Kind: Back, Dimension: key, Text: text}
	}
	kind, firm, all, told := readPieces(text)
	switch {
	case !all && commands().MatchString(bare) && len(strings.Fields(bare)) <= 14:
		return Answer{Kind: OffTopic, Text: text}
	case all, firm && kind == Enough:
		return Answer{Kind: kind, Dimension: concerned(kind, firm, asked), Text: told}
	case questions(low, bare):
		return Answer{Kind: Asks, Text: text}
	}
	return Answer{Kind: Told, Dimension: asked.Dimension, Text: text}
}

// concerned is the dimension that a reply of a kind is about.
func concerned(kind Kind, firm bool, asked Question) string {
	if kind == DontKnow || kind == Skip || kind == Later && !firm {
		return asked.Dimension
	}
	return ""
}

// readPieces looks at each piece of a reply for control words. all is true if it
// consists of nothing else; told is the rest, as it was written.
func readPieces(text string) (kind Kind, firm, all bool, told string) {
	best := len(controls())
	all = true
	at, from, to := 0, -1, 0
	for _, end := range append(pieceEnd().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if end[0] < at {
			continue
		}
		i, empty := controlOf(text[at:end[0]])
		switch {
		case i >= 0:
			best = min(best, i)
		case !empty:
			all = false
			if from < 0 {
				from = at
			}
			to = end[1]
		}
		at = end[1]
	}
	if best == len(controls()) {
		return OffTopic, false, all, text // "ok then" is all fillers, and a courtesy
	}
	if from >= 0 {
		told = strings.TrimSpace(text[from:to])
	}
	return controls()[best].kind, controls()[best].firm, all, told
}

// controlOf returns the first control that a piece is, or -1; empty if it has no
// words but fillers.
func controlOf(piece string) (i int, empty bool) {
	low := strings.Trim(flatten(piece), ` .!,;"'`)
	forms := []string{low}
	if bare := strings.Join(strings.Fields(fillers().ReplaceAllString(low, " ")), " "); bare != low {
		forms = append(forms, bare)
	}
	for _, s := range forms {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "that's", "that is"), "i've", "i have")
		for i, c := range controls() {
			if s != "" && c.re.MatchString(s) {
				return i, false
			}
		}
		empty = s == "" || strings.IndexFunc(s, language.IsWordRune) < 0
	}
	return -1, empty
}

// mending: the reply changes something that was said before.
func mending(low, bare string, asked Question) bool {
	if mends().MatchString(bare) {
		return true
	}
	rest, actually := strings.CutPrefix(bare, "actually")
	hasty := actually || strings.HasPrefix(low, "wait") || strings.HasPrefix(low, "sorry") || strings.HasPrefix(low, "no, ") || strings.HasPrefix(low, "oops")
	if !hasty {
		return false
	}
	key, ok := topicOf(rest)
	if ok && key != asked.Dimension && (notBut().MatchString(bare) || actually && strings.ContainsAny(bare, "0123456789")) {
		return true // "actually the budget is 4000", asked about something else
	}
	return notBut().MatchString(bare) && strings.Contains(bare, ", not ")
}

// mended is the dimension that a correction is about; "" if its words don't say.
func mended(text string) string {
	key, _ := topicOf(mendWords().ReplaceAllString(text, " "))
	return key
}

// mendWords are the words of mending itself, which are no evidence.
var mendWords = language.Pattern(`(?i)\b(?:actually|correction|change|what i said( about)?|i was wrong about|scratch|correct|i meant|sorry|wait|made a mistake|mistake)\b|\bnot\s`)

// goingBack: the reply asks for another question.
func goingBack(bare string) (key string, ok bool) {
	bare = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(bare, ".!? "), "? ask me that"), ".!? ")
	bare = strings.TrimSuffix(strings.TrimSuffix(bare, " please"), " instead")
	bare = strings.TrimSuffix(strings.TrimSuffix(bare, " first"), " now")
	about, found := "", false
	for _, re := range []*regexp.Regexp{politely(), directly(), shortly()} {
		if m := re.FindStringSubmatch(bare); m != nil {
			about, found = strings.TrimSpace(m[1]), true
			break
		}
	}
	if !found {
		return "", false
	}
	if lastOne().MatchString(about) {
		return "", strings.Contains(bare, "back") || strings.Contains(bare, "return")
	}
	if len(strings.Fields(about)) > 8 || strings.Contains(about, "project") || laterWords().MatchString(about) {
		return "", false
	}
	return topicOf(about)
}

var laterWords = language.Pattern(`\b(later|tomorrow|tonight|another time|next week)\b`)

// questions: the reply asks something and tells nothing.
func questions(low, bare string) bool {
	if directive().MatchString(bare) {
		return true
	}
	if !strings.HasSuffix(low, "?") || supposing().MatchString(bare) {
		return false
	}
	ss := sentences(bare)
	return len(ss) > 0 && asksBack().MatchString(ss[0])
}

// OnlyControls reports whether a sentence is a word on the conversation and nothing
// else: "skip", "I don't know", "that's all", "go back".
func OnlyControls(s string) bool {
	bare := strings.TrimSpace(lead().ReplaceAllString(flatten(strings.TrimSpace(s)), ""))
	if _, back := goingBack(bare); back {
		return true
	}
	first := s
	if end := pieceEnd().FindStringIndex(s); end != nil {
		first = s[:end[0]]
	}
	if i, empty := controlOf(first); i < 0 && !empty {
		return false // as most sentences
	}
	kind, _, all, _ := readPieces(s)
	return all && kind != Asks
}
