package recall

import (
	"kist/agent/language"
	"regexp"
)

// What keeps a statement from being a fact, whatever else it looks like. All are
// matched against statement.line.
var (
	unsure = language.Pattern(`\b(?:if|unless|whether|suppose|supposing|imagine|perhaps|maybe|might|wish|hope|hopefully|probably|possibly|apparently|supposedly|allegedly|guess|assume|seems?|doubt|wonder|pretend|hypothetically|someday|could|should|shall|for example|for instance|e g|once upon|almost|nearly|somehow|kind of|sort of|not sure|no idea|used to)\b` +
		`|\b(?:i|we) (?:think|believe|suppose|fear|expect|reckon|bet|want|would like|would love|would prefer it)\b|\bwould (?:be|have been|love|like)\b|\bdo not (?:want|know|think|believe|remember|care|mind|understand)\b|\bdid not\b|\bnot (?:true|really|the case)\b|\bno longer sure\b`)
	spoken = language.Pattern(`\b(?:says?|said|told|tells|claims?|claimed|asked|asks|wrote|writes that|thinks|believes|according to|heard|reads|quoted?|rumou?rs?|insisted that|reportedly|mentioned|stands? in the|in the (?:film|movie|story|novel|dream))\b`)
	joking = language.Pattern(`\b(?:haha\w*|hehe\w*|lol|lmao|rofl|kidding|joke|joking|jk|sarcasm|not)$|\b(?:haha\w*|hehe\w*|lol|lmao|rofl|kidding|joking|jk|a joke|millionaire|billionaire)\b`)
	faces  = language.Pattern(`[;:8]-?[)PpD]|[\x{1F600}-\x{1F64F}]|\x{1F923}|\^\^`)
	// passing: true now, and of no use next month.
	passing = language.Pattern(`\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|just now|this (?:morning|afternoon|evening|week|weekend|month|time|one)|currently|again|soon|later|in a (?:minute|moment|bit|while)|next (?:week|month|year|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday|one)|last (?:night|week|month|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|for now|still|already late|in an hour|the other day|ago|temporarily|away|from here|(?:a|an) (?:cold|fever|headache|flu|hangover|break|question|point|problem|idea|meeting|appointment|call)|on (?:my|the) way)\b`)
	// chores are for the task list.
	chore = language.Pattern(`^(?:please )?(?:(?:i|we|you|someone|somebody) (?:still |also |really |just )?(?:need|have|must|ought|got|want|plan|intend|forgot|am going|are going|am supposed|are supposed|will)\b(?: to\b)?|(?:to do|todo)\b|do not forget to\b|remember to\b|remind\b)`)
	// orders are for kist to follow, now.
	order  = language.Pattern(`^(?:please )?(?:@?(?:add|create|make|show|list|delete|remove|change|rename|open|close|go|let us|let|search|find|put|set|move|mark|undo|update|switch|write|draft|send|note|read|check|print|export|merge|archive|complete|finish|start|stop|build|run|give|tell|explain|summari[sz]e|help|can|could|will|would|take|bring|get|buy|order|book|fix|email|mail|text|ask|schedule|plan|look|see|try|think|say|pretend|replace|append|insert|translate|compare|thanks|thank|forget|wait|sorry|what|who|where|when|why|how|which|is|are|was|does|did|has|have|had|were|whoever|whatever|assuming))\b|\b(?:open|delete|show|read|fix|change|send|check|rename|move) (?:it|them|that|this)$`)
	secret = language.Pattern(`(?i)\b(?:` + secretWords + `)\b|` + keyForms)
	// quotation of at least three words: somebody else's, or a title.
	quotation = language.Pattern(`["“”«»„]\s*\S+\s+\S+\s+\S+.*["“”«»„]?|^>`)
	// dull subjects: what's said of them is about the moment.
	dull = language.Pattern(`^(?:the|our|my|a|this|that|it|there)(?: (?:whole|main|real|only|big|best|worst|good|bad|last|first|new|next|funny))? ?(?:weather|problem|problems|question|point|idea|thing|things|bus|train|file|issue|issues|test|tests|answer|reason|truth|fact|trouble|trick|part|day|night|head|back|stomach|phone|battery|food|soup|milk|coffee|dinner|lunch|meeting was|call|traffic|news|internet|wifi|connection|screen|mouse|result|results|difference|rest|same|other|second|latter|former|following|above|below|link)\b`)
)

// gate returns why a statement is no fact; "" if nothing speaks against it.
func gate(s statement) string {
	if secret().MatchString(s.text) {
		return "a secret"
	}
	if s.told {
		// The user asked to remember it: only what isn't a fact at all is refused.
		switch {
		case spoken().MatchString(s.line) && quotation().MatchString(s.text):
			return "said by somebody else"
		case passing().MatchString(s.line):
			return "true only now"
		}
		return ""
	}
	for _, g := range []struct {
		re    *regexp.Regexp
		text  string
		cause string
	}{
		{unsure(), s.line, "not certain"},
		{spoken(), s.line, "said by somebody else"},
		{quotation(), s.text, "a quotation()"},
		{joking(), s.line, "a joke"},
		{faces(), s.text, "a joke"},
		{passing(), s.line, "true only now"},
		{dull(), s.line, "about the moment"},
	} {
		if g.re.MatchString(g.text) {
			return g.cause
		}
	}
	return ""
}
