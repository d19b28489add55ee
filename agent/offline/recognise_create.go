package offline

import (
	"strings"

	"kist/agent/english"
	"kist/agent/model"
)

// projectOf shortens the name where recognisers pass projects on.
type projectOf = model.Project

// creating recognises the wish for a project in so many words.
func (r *reader) creating(c *clause) meaning {
	if c.question {
		return meaning{}
	}
	body := c.body
	if n, ok := matchAny(body, "a? new project :|-|called|named|for|about|on|titled", "a? new project ,? please :|-", "project :"); ok {
		return r.named(c, body[n:], body[n-1].norm)
	}
	if n, ok := match(body, "make|turn this|it|that|the into? a? its? own? project"); ok && n > 2 && r.sit.Project == nil {
		return meaning{}
	}
	if _, there := match(body, "open|load|resume|enter|show the|my|our *? project called|named|titled|about|on|regarding|concerning"); there && !has(body, "new|another") {
		return meaning{} // what is named so is thought to be there
	}
	n, ok := matchAny(body, "set me|us up with a|another new?", "there should|must|ought|needs to? be <det>? new?", "<make>|need|want|have|get up? me|us? <det>? new? separate|own|distinct|dedicated|second? ")
	if !ok && c.frame != wish && c.frame != obligation {
		return meaning{}
	}
	rest := body[n:]
	if !ok {
		// "I'd like a project for the garden": the frame has the verb.
		m, det := match(body, "<det> new? separate|own?")
		if !det {
			return meaning{}
		}
		rest = body[m:]
	}
	i, _, found := find(rest, "<projectword>")
	if !found || i > 4 || has(rest[:i], "for|about|in|to|of|on|with|and|from") {
		return meaning{}
	}
	after := rest[i+1:]
	before := trimMarks(rest[:i])
	if has(before, "active|current|main") {
		return meaning{} // "make the boat the active project"
	}
	if len(after) == 0 || !after[0].word && !after[0].quoted && !in(`:|"|'|-`, after[0].norm) {
		if len(refer(c, before, r.sit.Projects).found) > 0 && !has(body[:len(body)-len(rest)+i], "new|another|a|an|create") {
			return meaning{} // "open the shop project"
		}
		if _, there := match(body, "open|load|resume the|my|our"); there && !has(body, "new|another") {
			return meaning{} // what is named so is thought to be there
		}
		if words := contentWords(dropAdjectives(before)); len(words) > 0 {
			return meaning{intent: createProject, score: 0.92, sure: true, name: titleCase(spell(c.src, unquoted(before)))}
		}
		// "start the project" is work on one, "start a project" a wish for one.
		if in("a|new|another|an", lastWord(body[:len(body)-len(rest)+i])) {
			return meaning{intent: createProject, score: 0.7}
		}
		return meaning{}
	}
	if isCapital(c.src, after[0]) && after[0].word && !in("the|this|that", lastWord(body[:len(body)-len(rest)])) {
		return r.named(c, after, ":") // "new project Solar Roof"
	}
	if strings.Contains("|called|named|titled|for|about|on|to|:|\"|'|-|where|with|in|around|regarding|covering|that|which|because|so|is|it|from|-|", "|"+after[0].norm+"|") {
		if words := contentWords(dropAdjectives(before)); len(words) > 0 && !in("called|named|titled", after[0].norm) && has(body[:len(body)-len(rest)], "a|an|new|another|separate|own") {
			return meaning{intent: createProject, score: 0.9, sure: true, name: titleCase(spell(c.src, unquoted(before)))}
		}
		if in("the|this|that", lastWord(body[:len(body)-len(rest)])) {
			return meaning{}
		}
		return r.named(c, after[1:], after[0].norm)
	}
	return meaning{}
}

func lastWord(toks []token) string {
	if len(toks) == 0 {
		return ""
	}
	return toks[len(toks)-1].norm
}

func dropAdjectives(toks []token) []token {
	for len(toks) > 0 && in("new|separate|own|big|small|whole|second|side|little|another|a|an|the|personal|dedicated|distinct", toks[0].norm) {
		toks = toks[1:]
	}
	return toks
}

// named reads a project's name after the word that announces it.
func (r *reader) named(c *clause, toks []token, lead string) meaning {
	toks = trimMarks(toks)
	if len(toks) > 0 && in("called|named|titled|for|about|on", toks[0].norm) && !toks[0].quoted {
		lead, toks = toks[0].norm, trimMarks(toks[1:])
	}
	m := meaning{intent: createProject, score: 0.95, sure: true}
	switch {
	case len(toks) == 0:
		m.score = 0.7
		m.sure = false
		return m
	case in(`"|'`, lead) || in(`"|'`, toks[0].norm):
		m.name = unwrap(quotedText(c, toks))
	case in("called|named|titled|:|-", lead):
		// A description may follow: "Garden, because ..." or "Garden: ...".
		m.name = limit(spell(c.src, untilBreak(toks)), 80)
		if m.name == strings.ToLower(m.name) {
			m.name = titleCase(m.name)
		}
	default:
		m.name = ventureName(c, toks)
	}
	if m.name == "" {
		m.sure = false
		m.score = 0.7
	}
	return m
}

// quotedText is what the first pair of quotation marks holds.
func quotedText(c *clause, toks []token) string {
	var held []token
	for _, t := range toks {
		if t.quoted {
			held = append(held, t)
		} else if len(held) > 0 {
			break
		}
	}
	return spell(c.src, held)
}

func untilBreak(toks []token) []token {
	for i, t := range toks {
		if i > 0 && !t.quoted && in(",|(|:|;|because|where|since|as|so|and", t.norm) {
			if t.norm == "and" && i+1 < len(toks) && !in("add|put|create|switch|then|also|a", toks[i+1].norm) || t.norm == "as" {
				continue
			}
			return toks[:i]
		}
	}
	return toks
}

// venturing recognises plans that are a project without the word: an intention
// or a wish, with a verb that takes weeks and an object that isn't small.
func (r *reader) venturing(c *clause) meaning {
	if c.question || c.negated || c.frame != wish && c.frame != intention && c.frame != suggestion && !(c.frame == obligation && r.sit.Project == nil) {
		return meaning{}
	}
	body := c.body
	verb, object := "", body
	if n, ok := matchAny(body, "<venture> up|out?", "<venturing> up|out?"); ok {
		verb, object = firstWord(body), body[n:]
	}
	if n, ok := match(body, "working|work on"); ok && n < len(body) {
		verb, object, body = "", body[n:], body[n:]
	}
	for len(object) > 0 && (isFiller(object[0]) || verb == "" && in("about|on|of|for", object[0].norm)) {
		object = object[1:]
	}
	if m := r.moving(c, verb, object); m.score > 0 {
		return m
	}
	if n, ok := match(object, "<venturing> up|out?"); ok && in("start|begin|starting|beginning|commence", verb) && n < len(object) {
		verb, object, body = firstWord(object), object[n:], object // "start learning Greek"
	}
	noun, det := headNoun(object)
	score := worth(verb, noun, det, c.frame, object)
	if score == 0 {
		return meaning{}
	}
	m := meaning{intent: createProject, score: score, name: ventureName(c, body)}
	if m.name == "" {
		return meaning{}
	}
	fits := refer(c, nounPhrase(object), r.sit.Projects)
	if p, ok := fits.one(); ok && len(nounPhrase(object)) > 0 {
		if r.sit.Project != nil && r.sit.Project.Slug == p.Slug && !fits.exact {
			return meaning{} // more about what we are talking of
		}
		return meaning{intent: switchTo, score: score, project: fits, about: "exists"}
	}
	if c.frame == suggestion && r.sit.Project != nil {
		return meaning{} // a step in the active project
	}
	m.sure = score >= 0.75
	if r.sit.Project != nil && !in("start|open|launch|found|starting|opening|launching|founding|", verb) {
		m.sure = false // it may be a part of the active project
	}
	return m
}

// moving: ventures whose aim follows a preposition, a town to move to or a race
// to train for.
func (r *reader) moving(c *clause, verb string, object []token) meaning {
	m := meaning{intent: createProject, score: 0.78, sure: r.sit.Project == nil}
	switch {
	case len(object) < 2:
		return meaning{}
	case in("move|moving|relocate|relocating", verb) && object[0].norm == "to":
		place := nounPhrase(object[1:])
		if len(place) == 0 || len(place) > 3 || class("<det>", place[0].norm) || !isCapital(c.src, place[0]) {
			return meaning{}
		}
		m.name = "Move to " + titleCase(spell(c.src, place))
	case in("train|training", verb) && object[0].norm == "for":
		noun, _ := headNoun(object[1:])
		if !class("<venturenoun>", noun) {
			return meaning{}
		}
		m.name = titleCase(spell(c.src, unquoted(nounPhrase(object[1:])))) + " Training"
	default:
		return meaning{}
	}
	return m
}

func isCapital(src string, t token) bool {
	first := src[t.start:]
	return first != "" && first[:1] == strings.ToUpper(first[:1]) && first[:1] != strings.ToLower(first[:1])
}

func firstWord(toks []token) string {
	for _, t := range toks {
		if t.word && !isFiller(t) {
			return t.norm
		}
	}
	return ""
}

// headNoun is the last word of the object's noun phrase, and its determiner.
func headNoun(object []token) (noun, det string) {
	np := nounPhrase(object)
	if len(np) == 0 {
		return "", ""
	}
	if class("<det>", np[0].norm) {
		det = np[0].norm
	}
	return np[len(np)-1].norm, det
}

// nounPhrase is the object up to the first word that begins something else.
func nounPhrase(object []token) []token {
	for i, t := range object {
		if t.norm == "'" && i > 0 && strings.HasSuffix(object[i-1].norm, "s") {
			continue // "my parents' wedding"
		}
		if !t.word && t.norm != `"` || i > 0 && !t.quoted && in("in|on|at|with|for|that|which|where|who|because|by|to|from|about|of|and|so|near|next|this|before|after|during|when|while|called|named|if|but|using|as|into|since|is|again|together|someday|soon|one|later|or|over|around", t.norm) {
			return object[:i]
		}
	}
	return object
}

// worth scores a plan; 0 is none.
func worth(verb, noun, det string, f frame, object []token) float64 {
	// "a tea room" is one, "a room" is none.
	roomy := in("start|open|launch|found|starting|opening|launching|founding", verb) && in("room|bar|line|stand|stall|space", noun) && len(contentWords(nounPhrase(object))) > 1
	if roomy {
		noun += " of its own"
	}
	if noun == "" || class("<smallnoun>", noun) || class("<smallnoun>", english.Stem(noun)) || class("<pronoun>", noun) || class("<taskword>", noun) || class("<noteword>", noun) || class("<projectword>", noun) || has(object[:min(3, len(object))], "task|note|project|list|sure") {
		return 0
	}
	known := roomy || class("<venturenoun>", noun) || class("<venturenoun>", strings.TrimSuffix(noun, "s")) || strings.HasSuffix(noun, "book") || strings.HasSuffix(noun, "shop") || strings.HasSuffix(noun, "house")
	small := det == "the" || det == "this" || det == "that" || det == "its" || det == "some" || det == "these" || det == "those"
	strong := in("start|open|launch|found|establish|starting|opening|launching|founding|establishing", verb)
	switch {
	case verb == "":
		// "I'm planning a trip", "I have an idea for an app".
		if known && (f == intention) && det != "" && !small {
			return 0.8
		}
		return 0
	case in("learn|learning", verb):
		if det == "" || in("an|a|the", det) {
			return 0.76
		}
		return 0
	case in("move|moving|relocate|relocating|train|training", verb):
		return 0 // decided by their preposition, see moving
	case class("<bigventure>", verb):
		if known || det != "" {
			return 0.8
		}
		return 0.6
	case known && !small && !(in("run|set|grow|write|make|create|buy|running|setting|making|buying|publish|publishing", verb) && det == "" && !strings.HasSuffix(noun, "s")):
		return 0.8
	case small:
		return 0
	case strong && in("a|an|my|our|another", det):
		return 0.78
	case in("a|an|my|our", det) && f == intention && !in("run|set|make|buy|write|running|setting|making|buying|writing|plan|planning", verb):
		return 0.65
	}
	return 0
}

// ventureName makes a short name of a plan: "renovating our houseboat" becomes
// Houseboat Renovation, "a trip to Spain" Trip to Spain.
func ventureName(c *clause, toks []token) string {
	toks = trimMarks(toks)
	verb := ""
	if n, ok := matchAny(toks, "<venture> up|out?", "<venturing> up|out?"); ok && n < len(toks) {
		verb, toks = firstWord(toks), toks[n:]
	}
	object := toks
	for len(object) > 0 && !object[0].quoted && (isFiller(object[0]) || class("<det>", object[0].norm) || in("new|big|little|small|of|for|about|on|to", object[0].norm)) {
		object = object[1:]
	}
	np := nounPhrase(object)
	if len(np) == 0 || len(np) > 6 {
		np = object[:min(len(object), 5)]
	}
	name := titleCase(spell(c.src, np))
	if name == "" {
		return ""
	}
	if len(np) < len(object) && in("trip|journey|move|holiday|vacation|tour|book|novel|course|story|guide|app|memoir|blog|podcast|introduction|party|gift|history|museum", np[len(np)-1].norm) && in("to|about|for|of|on|in|around", object[len(np)].norm) && len(np) <= 2 {
		tail := nounPhrase(object[len(np)+1:])
		if len(tail) > 0 && len(tail) <= 4 {
			name += " " + object[len(np)].norm + " " + titleCase(spell(c.src, tail))
		}
	}
	return limit(suffixed(verb, name), 60)
}

// suffixed turns the verb of a plan into a noun behind its object, where that
// says more than the object alone.
func suffixed(verb, name string) string {
	switch {
	case in("renovate|renovating|refurbish|refurbishing|remodel|remodelling|remodeling", verb):
		return name + " Renovation"
	case in("restore|restoring", verb):
		return name + " Restoration"
	case in("restructure|restructuring", verb):
		return name + " Restructuring"
	case in("redesign|redesigning", verb):
		return name + " Redesign"
	case in("convert|converting", verb):
		return name + " Conversion"
	case in("rebuild|rebuilding|overhaul|overhauling", verb):
		return name + " Rebuild"
	case in("rewrite|rewriting", verb):
		return name + " Rewrite"
	case in("migrate|migrating", verb):
		return name + " Migration"
	case in("learn|learning", verb):
		return "Learn " + name
	}
	return name
}

// titleCase capitalises the words of a name, except small ones within.
func titleCase(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if i > 0 && in("of|for|and|to|in|on|at|the|a|an|with|about|or|from|by|around", w) || w != strings.ToLower(w) {
			continue
		}
		words[i] = capital(w)
	}
	return strings.Join(words, " ")
}
