package offline

import (
	"slices"
	"strings"

	"kist/agent/english"
)

// elsewhere finds the one other project that words tell of, where nothing was
// asked: "the boat has a leak", said in the shop. It isn't a wish to go there, so
// it is only ever a ground to ask.
func (r *reader) elsewhere(c *clause) (reference, bool) {
	here := r.sit.Project
	if here != nil && !c.negated {
		if ref, ok := r.raised(c); ok {
			return ref, ref.found[0].Slug != here.Slug
		}
	}
	if here == nil || c.question || c.negated || len(c.toks) < 3 || reported(c.toks) || containsPhrase(c.toks, "want|wants|wanted to <commandverb>|go|open|see|talk|discuss") || c.frame != bare && c.frame != intention && c.frame != obligation || class("<verb>", c.toks[0].norm) || class("<attend>", c.toks[0].norm) {
		return reference{}, false
	}
	var found []projectOf
	for _, p := range r.sit.Projects {
		if p.Slug == here.Slug || !r.toldBy(c, p) {
			continue
		}
		found = append(found, p)
	}
	if len(found) != 1 || r.toldBy(c, *here) {
		return reference{}, false
	}
	return reference{found: found, phrase: found[0].Name}, true
}

// reported: words of talk, of dreams and of what nearly was; but asking for something
// and "imagine that" are none.
func reported(toks []token) bool {
	for i, t := range toks {
		asked := in("asked|asks", t.norm) && i+1 < len(toks) && toks[i+1].norm == "for" || t.norm == "imagine" && i+2 == len(toks)
		if !t.quoted && !asked && (class("<hearsay>", t.norm) || in("nearly|almost", t.norm)) {
			return true
		}
	}
	return false
}

// raised: "speaking of the boat, ...", "as for the shop: ...".
func (r *reader) raised(c *clause) (reference, bool) {
	n, ok := matchAny(c.all, "speaking|talking of|about", "as for|to|regards", "apropos of?", "a propos of?", "re :?", "update on|from", "news from|of|on", "on the *? front", "regarding|concerning|about|re", "on the subject|topic of", "when it comes to", "with regard|regards to", "that reminds me of?", "one thing about|on|for", "something about|on|for", "quick note about|on", "a thing about|on")
	if !ok {
		if n, ok = matchAny(c.all, "by the way ,? about|on|regarding", "oh ,? and? about|regarding"); !ok {
			return reference{}, false
		}
	}
	head := c.all[n:min(len(c.all), n+8)]
	if i := slices.IndexFunc(head, func(t token) bool { return !t.word }); i > 0 {
		if p, ok := refer(c, head[:i], r.sit.Projects).one(); ok && r.allOnlyOf(contentWords(head[:i]), p) {
			return reference{found: []projectOf{p}, phrase: p.Name}, true // "apropos ukulele, ..."
		}
	}
	_, end, ref := r.namedIn(c, head)
	closed := end == len(head) || end > 0 && !head[end].word // "talking about the boat makes me happy"
	return ref, closed && len(ref.found) == 1
}

// toldBy: a definite noun phrase names the project, wholly or by a word that no
// other project has, or two rare words of its description are there. A place
// ("at the shop") and a mere attribute ("the boat show") tell of something else.
func (r *reader) toldBy(c *clause, p projectOf) bool {
	toks, name := c.toks, nameWords(p)
	if len(name) == 0 {
		return false
	}
	_, person := matchAny(toks, "i|we|you|he|she|they|it")
	_, owner := matchAny(toks, "i|we|they have|has|had|are|got")
	placed := person && !owner // "I dropped my phone in the shop"
	for i, t := range toks {
		n := 0
		for n < len(name) && i+n < len(toks) && !toks[i+n].quoted && same(toks[i+n].norm, name[n]) == 1 { // "welding" is no wedding
			n++
		}
		event := class("<eventword>", name[len(name)-1])
		ends := headEnds(toks[i+n:], p) || i+n+1 < len(toks) && toks[i+n].word && class("<aux>", toks[i+n+1].norm) // "the boat show exam has"
		if n > 1 && n == len(name) && ends && !ordinary(c, toks[i:], n) && (strings.HasSuffix(t.norm, "'s") || i > 0 && in("the|my|our|this", toks[i-1].norm) && (i < 2 || event || !placing(toks[i-2].norm) || in("in|on|into|from", toks[i-2].norm) && !placed)) {
			return true // "Grandma's Memoir" has its article within
		}
		if t.quoted || !in("the|my|our|this", t.norm) || i > 0 && placing(toks[i-1].norm) {
			continue
		}
		np := toks[i+1:]
		for j := 0; j < len(np) && j < 3 && np[j].word && !np[j].quoted && !class("<aux>", np[j].norm) && !class("<stop>", np[j].norm) && !strings.HasSuffix(np[j].norm, "'s"); j++ {
			if (j == 0 || len(nameWords(p)) > 1 || class("<venturenoun>", np[j].norm)) && r.onlyOf(np[j].norm, p) && !slices.ContainsFunc(name, func(n string) bool { return same(np[j].norm, n) == 0.9 }) && !ordinary(c, np, j+1) && standsFor(np[j].norm, p) && headEnds(np[j+1:], p) {
				return true
			}
		}
	}
	return r.described(toks, p)
}

// ordinary: a name that is said as other words are, of a step that is next or of an
// office in that church.
func ordinary(c *clause, toks []token, n int) bool {
	if _, other := matchAny(toks[n:], "at|in|of|from|on that|those|another|his|her|their|someone|somebody"); other {
		return true
	}
	return in("next|last|first|second|third|final|back", toks[0].norm) && !isCapital(c.src, toks[0])
}

// placing: what follows is where something happened, not what it was about.
func placing(w string) bool {
	return in("in|at|past|into|near|to|from|behind|outside|inside|on", w)
}

// standsFor: the head of a name stands for the project, and so does what is worked
// on where the head is the work: "the houseboat" for Houseboat Renovation, but not
// "the bridge" for Bridge Inspector Tool.
func standsFor(w string, p projectOf) bool {
	name := nameWords(p)
	n := min(headLength(p), len(name))
	if n == 0 {
		return false
	}
	head := name[n-1]
	if strings.HasSuffix(head, "ing") && w != head && same(w, head) > 0.8 {
		return false // a train is no training
	}
	if same(w, head) >= 0.8 || class("<workword>", head) {
		return true
	}
	for _, end := range []string{"tion", "sion", "ing", "ment", "al", "ure", "ance"} {
		if strings.HasSuffix(head, end) {
			return true
		}
	}
	return false
}

// headEnds: what follows isn't a noun of its own.
func headEnds(toks []token, p projectOf) bool {
	for len(toks) > 0 && toks[0].word && likenessOf([]string{toks[0].norm}, nameWords(p)) {
		toks = toks[1:]
	}
	if len(toks) == 0 || !toks[0].word {
		return true
	}
	w := toks[0].norm
	if len(toks) > 1 && (class("<det>", toks[1].norm) || in("me|us|him|it|them|you|everyone|everybody|all|nobody|somebody|someone", toks[1].norm)) {
		return true // "my robot ate the hose"
	}
	return class("<aux>", w) || class("<generic>", w) || isFiller(toks[0]) || strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || in("and|or|but|to|of|in|on|at|by|for|from|with|about|into|over|under|up|off|out|before|after|until|not|so|because|all|only|yet|went|got|came|broke|fell|took|cost|sank|lost|grew|sent|made|won|ran|did|had|stood|held|drew|gave|hit|became|began|kept|left|met|saw|turned|again|yesterday|today|now|keep|need|look", w)
}

// onlyOf: a word of this project's name that stands in no other one's.
func (r *reader) onlyOf(w string, p projectOf) bool {
	if class("<generic>", w) || class("<stop>", w) || len(w) < 4 {
		return false
	}
	if !inHead(w, p) {
		return false // so that only for few projects all others are looked at
	}
	mine := false
	for _, q := range r.sit.Projects {
		for i, n := range nameWords(q) {
			if q.Slug == p.Slug && i >= headLength(q) {
				break // "tides" alone isn't the Thesis on Tides
			}
			if same(w, n) >= 0.8 {
				if q.Slug != p.Slug {
					return false
				}
				mine = true
			}
		}
	}
	return mine
}

// described: two words that this project's description has and the active one's
// hasn't.
func (r *reader) described(toks []token, p projectOf) bool {
	if p.Description == "" {
		return false
	}
	theirs, ours := " "+strings.ToLower(p.Description)+" ", " "+strings.ToLower(r.sit.Project.Description+" "+r.sit.Project.Name)+" "
	count, seen := 0, map[string]bool{}
	for _, t := range toks {
		w := english.Stem(t.norm)
		if telltale(t) && len(w) >= 4 && !seen[w] && strings.Contains(theirs, " "+w) && !strings.Contains(ours, " "+w) {
			seen[w] = true
			count++
		}
	}
	return count >= 2
}

// headLength is how many words of a name stand before its preposition.
func headLength(p projectOf) int {
	n := 0
	for _, t := range tokenize(strings.ReplaceAll(p.Name, "-", " ")) {
		if n > 0 && in("on|of|to|for|in|about|with", t.norm) {
			break
		}
		if t.word && !class("<det>", t.norm) && t.norm != "project" {
			n++
		}
	}
	return n
}
