package interpret

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
)

// An undertaking is a project that is to be made, as a clause describes it.
type undertaking struct {
	Name     string
	noun     []language.Token // what it is, where it isn't named
	Explicit bool             // in so many words: "create a project"
	sure     bool             // it can be made without a question
	Worthy   bool             // it takes more than an afternoon
}

// NewProject reads what a new project is to be called.
func (r *Reader) NewProject(c *Clause) undertaking {
	toks := withVerb(c, r.arguments(c, intent.CreateProject).first("name"))
	m := undertaking{Explicit: language.Has(c.Body, "<projectword>")}
	_, given, called := language.Find(c.All, "call|name it|this|that|him|her|ihn|sie|es", "called|named|titled|namens")
	called = called && given < len(c.All)
	switch {
	case called:
		toks = c.All[given:]
		m.Name = GivenName(c, toks)
	case toks == nil:
	case language.In(`"|'`, toks[0].Norm) || toks[0].Quoted || language.IsCapital(c.Src, toks[0]) && toks[0].Start > 0:
		m.Name = GivenName(c, toks)
	default:
		m.Name = ventureName(c, toks)
		if name := journey(c); name != "" {
			m.Name = name
		}
	}
	m.noun = nounPhrase(ventureOf(toks))
	m.Worthy = called || worthy(c, m.noun)
	fresh := language.Has(c.All, "start|open|launch|found|starting|opening|launching|founding")
	m.sure = m.Name != "" && (m.Explicit || r.sit.Project == nil || fresh)
	return m
}

// withVerb is a thing with what is to be done to it: "redesigning our API".
func withVerb(c *Clause, toks []language.Token) []language.Token {
	for i, t := range c.All {
		if len(toks) > 0 && i > 0 && t.Start == toks[0].Start && (language.Class("<venturing>", c.All[i-1].Norm) || language.Class("<venture>", c.All[i-1].Norm)) {
			return slices.Concat(c.All[i-1:i], toks)
		}
	}
	return toks
}

// worthy tells a plan from an errand by its verb and by what it is about.
func worthy(c *Clause, noun []language.Token) bool {
	if len(noun) == 0 {
		return false
	}
	last, det := noun[len(noun)-1].Norm, noun[0].Norm
	if language.Class("<smallnoun>", last) || language.Class("<smallnoun>", language.Stem(last)) || language.Class("<pronoun>", last) || language.In("you|me|us|him|her|early|late|home|day", last) {
		return false
	}
	if language.Class("<venturenoun>", last) || language.Class("<venturenoun>", strings.TrimSuffix(last, "s")) {
		return true
	}
	if language.Has(c.All, "<venture>|<venturing>") {
		return !language.In("the|this|that|some|these|those", det)
	}
	_, _, far := language.Find(c.All, journeys...)
	return far
}

// journey names plans whose aim follows a preposition: a town to move to, a race to
// train for.
func journey(c *Clause) string {
	_, n, ok := language.Find(c.All, journeys...)
	if !ok || n >= len(c.All) {
		return ""
	}
	name := language.TitleCase(language.Spell(c.Src, language.Inner(nounPhrase(c.All[n:]))))
	if c.All[n-1].Norm == "to" {
		return "Move to " + name
	}
	return name + " Training"
}

var journeys = []string{"move|moving|relocate|relocating to", "train|training for"}

// ventureOf is what the verb of a plan is about.
func ventureOf(toks []language.Token) []language.Token {
	if n, ok := language.MatchAny(toks, "<venture> up|out?", "<venturing> up|out?"); ok && n < len(toks) {
		return toks[n:]
	}
	return toks
}

// GivenName is a name as the user put it. A description may follow: "Garden, because".
func GivenName(c *Clause, toks []language.Token) string {
	if len(toks) > 0 && language.In("called|named|titled|for|about", toks[0].Norm) && !toks[0].Quoted {
		toks = toks[1:]
	}
	if len(toks) > 0 && language.In(`"|'`, toks[0].Norm) {
		return language.Unwrap(quotedText(c, toks))
	}
	name := language.Limit(language.Spell(c.Src, untilBreak(toks)), 80)
	if name == strings.ToLower(name) {
		name = language.TitleCase(name)
	}
	return name
}

// quotedText is what the first pair of quotation marks holds.
func quotedText(c *Clause, toks []language.Token) string {
	var held []language.Token
	for _, t := range toks {
		if t.Quoted {
			held = append(held, t)
		} else if len(held) > 0 {
			break
		}
	}
	return language.Spell(c.Src, held)
}

func untilBreak(toks []language.Token) []language.Token {
	for i, t := range toks {
		if i > 0 && !t.Quoted && language.In(",|(|:|;|because|where|since|as|so|and", t.Norm) {
			if t.Norm == "and" && i+1 < len(toks) && !language.In("add|put|create|switch|then|also|a", toks[i+1].Norm) || t.Norm == "as" {
				continue
			}
			return toks[:i]
		}
	}
	return toks
}

func firstWord(toks []language.Token) string {
	for _, t := range toks {
		if t.Word && !language.IsFiller(t) {
			return t.Norm
		}
	}
	return ""
}

// nounPhrase is the object up to the first word that begins something else.
func nounPhrase(object []language.Token) []language.Token {
	for i, t := range object {
		if t.Norm == "'" && i > 0 && strings.HasSuffix(object[i-1].Norm, "s") {
			continue // "my parents' wedding"
		}
		if !t.Word && t.Norm != `"` || i > 0 && !t.Quoted && language.In("in|on|at|with|for|that|which|where|who|because|by|to|from|about|of|and|so|near|next|this|before|after|during|when|while|called|named|if|but|using|as|into|since|is|again|together|someday|soon|one|later|or|over|around", t.Norm) {
			return object[:i]
		}
	}
	return object
}

// ventureName makes a short name of a plan: "renovating our houseboat" becomes
// Houseboat Renovation, "a trip to Spain" Trip to Spain.
func ventureName(c *Clause, toks []language.Token) string {
	toks = language.TrimMarks(toks)
	verb := ""
	if n, ok := language.MatchAny(toks, "<venture> up|out?", "<venturing> up|out?"); ok && n < len(toks) {
		verb, toks = firstWord(toks), toks[n:]
	}
	object := toks
	for len(object) > 0 && !object[0].Quoted && (language.IsFiller(object[0]) || language.Class("<det>", object[0].Norm) || language.In("new|big|little|small|whole|entire|of|for|about|on|to", object[0].Norm)) {
		object = object[1:]
	}
	np := nounPhrase(object)
	if len(np) == 0 || len(np) > 6 {
		np = object[:min(len(object), 5)]
	}
	name := language.TitleCase(language.Spell(c.Src, np))
	if name == "" {
		return ""
	}
	if ofThing(object, np) { // "the restoration of our church organ"
		tail := language.Inner(nounPhrase(object[len(np)+1:]))
		return language.Limit(language.TitleCase(language.Spell(c.Src, tail))+" "+name, 60)
	}
	if len(np) < len(object) && language.In("trip|journey|move|holiday|vacation|tour|book|novel|course|story|guide|app|memoir|blog|podcast|introduction|party|gift|history|museum", np[len(np)-1].Norm) && language.In("to|about|for|of|on|in|around", object[len(np)].Norm) && len(np) <= 2 {
		tail := nounPhrase(object[len(np)+1:])
		if len(tail) > 0 && len(tail) <= 4 {
			name += " " + object[len(np)].Norm + " " + language.TitleCase(language.Spell(c.Src, tail))
		}
	}
	return language.Limit(suffixed(verb, name), 60)
}

// ofThing: a name is one word for what is done, and what it is done to follows.
func ofThing(object, np []language.Token) bool {
	does := func(w string) bool {
		return slices.ContainsFunc([]string{"tion", "ment", "ing", "sal"}, func(end string) bool { return strings.HasSuffix(w, end) })
	}
	return len(np) == 1 && len(object) > 2 && object[1].Norm == "of" && does(np[0].Norm) && len(language.Inner(nounPhrase(object[2:]))) > 0
}

// suffixed turns the verb of a plan into a noun behind its object, where that
// says more than the object alone.
func suffixed(verb, name string) string {
	switch {
	case language.In("renovate|renovating|refurbish|refurbishing|remodel|remodelling|remodeling", verb):
		return name + " Renovation"
	case language.In("restore|restoring", verb):
		return name + " Restoration"
	case language.In("restructure|restructuring", verb):
		return name + " Restructuring"
	case language.In("redesign|redesigning", verb):
		return name + " Redesign"
	case language.In("convert|converting", verb):
		return name + " Conversion"
	case language.In("rebuild|rebuilding|overhaul|overhauling", verb):
		return name + " Rebuild"
	case language.In("rewrite|rewriting", verb):
		return name + " Rewrite"
	case language.In("migrate|migrating", verb):
		return name + " Migration"
	case language.In("learn|learning", verb):
		return "Learn " + name
	}
	return name
}

// CalledInstead is the name that an answer gives in place of the one that was asked about:
// "no, just call it School garden".
func CalledInstead(text string) string {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(text)))
	n, ok := language.MatchAny(toks, "just? call|name it|that|this?", "it|that|this is|should|was be? called|named", "the? name is|should be?", "nenn|nenne es|das|nenn's")
	if !ok || n >= len(toks) || len(toks)-n > 6 {
		return ""
	}
	return GivenName(ClauseOf(text), toks[n:])
}
