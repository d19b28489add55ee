package offline

import (
	"strings"

	"kist/agent/english"
)

// namedIn finds where a project is named without doubt: the longest span.
func (r *reader) namedIn(c *clause, toks []token) (start, end int, ref reference) {
	toks = toks[:min(len(toks), 24)]
	var names [][]string
	for _, p := range r.sit.Projects {
		words := nameWords(p)
		names = append(names, append(words, strings.Join(words, "")))
	}
	hit := make([]bool, len(toks))
	for i, t := range toks {
		for _, words := range names {
			for _, n := range words {
				hit[i] = hit[i] || t.word && !t.quoted && same(t.norm, n) > 0
			}
		}
	}
	for i, t := range toks {
		if !hit[i] && !(in("the|my|our", t.norm) && i+1 < len(toks)) || in("to|for|of|and|in|on", t.norm) {
			continue
		}
		for j := min(len(toks), i+6); j > i && j-i > end-start; j-- {
			if !hit[j-1] && !class("<projectword>", toks[j-1].norm) && !class("<generic>", toks[j-1].norm) || len(trimPhrase(toks[i:j])) < j-i {
				continue
			}
			got := refer(c, toks[i:j], r.sit.Projects)
			if p, ok := got.one(); ok && (got.exact || in("the|my|our", t.norm) && r.allOnlyOf(contentWords(toks[i:j]), p) || len(contentWords(toks[i:j])) > 1) {
				start, end, ref = i, j, got
			}
		}
	}
	return start, end, ref
}

// narrowed is the reader for a message: of many projects it keeps those that share a
// word with it, so that each clause isn't held against all of them. Descriptions
// are words of a project as well.
func (r *reader) narrowed(toks []token) *reader {
	if len(r.sit.Projects) <= 30 {
		return r
	}
	exact, fuzzy := saidWords(toks)
	near := func(p projectOf) bool {
		name := phraseOf(p)
		if exact[name.joined] {
			return true
		}
		for i, n := range name.words {
			if exact[name.stems[i]] {
				return true
			}
			for k, w := range fuzzy.words {
				if alike(w, fuzzy.stems[k], n, name.stems[i]) > 0 {
					return true
				}
			}
		}
		return false
	}
	next := *r
	next.sit.Projects = nil
	for _, p := range r.sit.Projects {
		if r.sit.Project != nil && p.Slug == r.sit.Project.Slug || near(p) || r.sit.Project != nil && r.described(toks, p) {
			next.sit.Projects = append(next.sit.Projects, p)
		}
	}
	return &next
}

// saidWords are the stems of a message's words, also of two as one and of the parts
// of those with a hyphen; fuzzy are those that may be meant a letter apart.
func saidWords(toks []token) (exact map[string]bool, fuzzy phrase) {
	exact = map[string]bool{}
	for i, t := range toks {
		if !t.word {
			continue
		}
		for w := range strings.SplitSeq(strings.TrimSuffix(t.norm, "'s"), "-") {
			stem := english.Stem(w)
			if !exact[stem] && telltale(t) && len(w) > 2 && !isFiller(t) && !class("<opener>", w) {
				fuzzy.words, fuzzy.stems = append(fuzzy.words, w), append(fuzzy.stems, stem)
			}
			exact[stem] = true
		}
		if i+1 < len(toks) && toks[i+1].word {
			exact[english.Stem(t.norm+toks[i+1].norm)] = true
		}
	}
	return exact, fuzzy
}

// markNames marks the words of names that have more than one, so that those which
// could be small talk aren't passed over: "next" in "Next Step".
func (r *reader) markNames(toks []token) {
	for _, p := range r.sit.Projects {
		name := nameWords(p)
		for i := 0; len(name) > 1 && i+len(name) <= len(toks); i++ {
			n := 0
			for n < len(name) && toks[i+n].norm == name[n] {
				n++
			}
			for k := range toks[i:min(len(toks), i+n)] {
				toks[i+k].named = toks[i+k].named || n == len(name)
			}
		}
	}
}

// target reads the project that a verb leads to: the phrase may have more behind it
// that says when, how or what for, but no noun of its own.
func (r *reader) target(c *clause, toks []token) (ref reference, two, ok bool) {
	if ref = refer(c, toks, r.sit.Projects); len(ref.found) > 0 && !ref.partial && len(ref.found) <= 4 {
		return ref, false, true
	}
	if both := r.both(c, trimPhrase(toks)); len(both) > 1 {
		return reference{found: both}, true, true
	}
	if ref.named && len(ref.found) == 0 && in("the|my|our", toks[0].norm) && len(contentWords(trimPhrase(toks))) <= 4 && lastIn(trimPhrase(toks), "project") && !has(trimPhrase(toks), "<aux>|of|in|for|with|at|on|and") {
		return ref, false, true // one that isn't there
	}
	for j := 1; j < len(toks) && j <= 7; j++ {
		if toks[j].quoted || !adjunct(toks[j:]) || class("<det>", toks[j-1].norm) {
			continue
		}
		if both := r.both(c, toks[:j]); len(both) > 1 {
			return reference{found: both}, true, true
		}
		ref = refer(c, toks[:j], r.sit.Projects)
		if _, one := ref.one(); one && (ref.exact || r.sure(toks[:j], ref)) {
			return ref, false, true
		}
	}
	return reference{}, false, false
}

// adjunct: these words say more about the deed, not about the thing.
func adjunct(toks []token) bool {
	if _, ok := matchAny(toks, "to|in <verb>|<attend>", "so that|we|i", "for|over|during|until|till|before|after|at <det>? *? <timeword>", "with me|us", "and <verb>|<attend>|then", "instead of", "rather than", "where|as|while|whenever|if|since|because|unless", "which|who|that is|are|was|were|has|have|we|i|you|needs"); ok {
		return true
	}
	n, ok := matchAny(toks, "up|out|back|open|on|over|in again|now|instead|please|first|next?", "instead")
	return ok && closing(trimMarks(toks[n:]))
}

// sure: the phrase can mean nothing but the project, by its words or by "one" that
// stands for the word project: "the museum one".
func (r *reader) sure(toks []token, ref reference) bool {
	p, ok := ref.one()
	if !ok {
		return false
	}
	words := contentWords(trimPhrase(toks))
	return ref.exact || len(words) > 1 || r.allOnlyOf(words, p)
}

// inName reports whether a word belongs to the name of some project.
func (r *reader) inName(w string) bool {
	for _, p := range r.sit.Projects {
		if likenessOf([]string{w}, nameWords(p)) || class("<generic>", w) {
			return true
		}
		for _, n := range nameWords(p) {
			if same(w, n) > 0 {
				return true
			}
		}
	}
	return false
}

func (r *reader) allOnlyOf(words []string, p projectOf) bool {
	for _, w := range words {
		if !r.onlyOf(w, p) {
			return false
		}
	}
	return len(words) > 0
}

// both finds the projects on the two sides of an "and" or "or".
func (r *reader) both(c *clause, toks []token) []projectOf {
	i, e, ok := find(toks, "and|or|versus|vs")
	if !ok || i == 0 {
		return nil
	}
	left, right := refer(c, toks[:i], r.sit.Projects), refer(c, toks[e:], r.sit.Projects)
	a, okA := left.one()
	b, okB := right.one()
	if !okA || !okB || a.Slug == b.Slug {
		return nil
	}
	return []projectOf{a, b}
}

// headOf cuts a phrase where a purpose or topic begins: "the boat to plan the
// wiring", "the shop and its menu".
func headOf(toks []token) ([]token, bool) {
	for i := 1; i < len(toks); i++ {
		if !toks[i].quoted && in("and|to|for|about|so|in|on|with|or|but|because|regarding|where|which|that|-|,|:|(", toks[i].norm) {
			return toks[:i], true
		}
	}
	return nil, false
}

// aims tells "switch to the garden" from "switch to decaf": a project has an
// article, a possessive, quotation marks or a capital.
func aims(toks []token) bool {
	if len(toks) == 0 {
		return false
	}
	return in("the|my|our", toks[0].norm) || toks[0].norm == `"` || toks[0].norm == "'"
}

// undertaking: "load the lighthouse documentary", a thing that one works on for
// weeks, told from others by another word. It is no project yet, but meant as one.
func (c *clause) undertaking(toks []token) bool {
	np := nounPhrase(trimPhrase(toks))
	if len(np) < 3 || !in("the|my|our", np[0].norm) || !in("load|open|resume|continue|switch|enter|select", c.body[0].norm) || c.frame != bare && c.frame != request {
		return false
	}
	return class("<venturenoun>", np[len(np)-1].norm) && len(trimPhrase(toks)) == len(np)
}

// startsPlain: "talk about work on ..."; a project phrase doesn't begin with a verb form.
func startsPlain(toks []token) bool {
	return len(toks) > 0 && in("how|what|why|when|where|whether|if", toks[0].norm)
}

// skipNot drops "not the boat but" from "not the boat but the shop".
func skipNot(toks []token) []token {
	if len(toks) == 0 || toks[0].norm != "not" {
		return toks
	}
	if _, e, ok := find(toks, "but"); ok {
		return toks[e:]
	}
	for i, t := range toks {
		if t.norm == "," && i+1 < len(toks) {
			return toks[i+1:]
		}
	}
	return toks
}

// handy: a part of a name right behind a verb, where the thing itself can hardly
// be meant: "let's do the boat", "load memoir".
func (r *reader) handy(c *clause, body []token, ref reference) bool {
	p, ok := ref.one()
	if !ok || !r.allOnlyOf(contentWords(body[1:]), p) {
		return false
	}
	if in("the|my|our", body[1].norm) {
		return c.frame == suggestion && in("do|tackle|cover|handle|address|resume|revisit|continue|load|select", body[0].norm)
	}
	return c.alone() && c.frame == bare && in("go|open|load|enter|select|resume|continue|revisit|switch|show", body[0].norm) && len(trimPhrase(body)) == 2
}
