package offline

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// A mention is a phrase that can name a project.
type mention struct {
	start, end int
	ref        reference
}

// mentions finds all phrases that can name a project.
func (r *reader) mentions(c *clause, toks []language.Token) []mention {
	var out []mention
	toks = toks[:min(len(toks), maxCommand)]
	hit := r.hits(toks)
	for i := range toks {
		if !hit[i] && !(i+1 < len(toks) && language.Class("<det>", toks[i].Norm)) {
			continue
		}
		for j := i + 1; j <= len(toks) && j <= i+7; j++ {
			if !hit[j-1] && !language.Class("<projectword>", toks[j-1].Norm) && !language.Class("<generic>", toks[j-1].Norm) {
				continue
			}
			if ref := refer(c, toks[i:j], r.sit.Projects); len(ref.found) > 0 && !ref.partial {
				out = append(out, mention{i, j, ref})
			}
		}
	}
	return out
}

// hits marks the words that stand in the name of a project. Auxiliary verbs do where
// they can be nothing else: "will" in the project Dad's Will.
func (r *reader) hits(toks []language.Token) []bool {
	hit := make([]bool, len(toks))
	for _, p := range r.sit.Projects {
		name := phraseOf(p)
		for i, t := range toks {
			if !t.Word || language.Class("<aux>", t.Norm) && !t.Named && (i == 0 || !language.Class("<det>", toks[i-1].Norm)) {
				continue
			}
			hit[i] = hit[i] || t.Norm == p.Slug || language.Stem(t.Norm) == name.joined || language.Stem(strings.ReplaceAll(t.Norm, "-", "")) == name.joined
			for _, n := range name.words {
				hit[i] = hit[i] || language.Alike(t.Norm, n) > 0
			}
		}
	}
	return hit
}

// subject finds the project that words are about, or several where they fit: of all
// phrases that can name one, the one that leaves least doubt. away: another than the
// active one is more likely.
func (r *reader) subject(c *clause, toks []language.Token, away bool) reference {
	ref, _ := r.clearest(c, toks, away)
	return ref
}

func (r *reader) clearest(c *clause, toks []language.Token, away bool) (reference, mention) {
	best, most := mention{ref: reference{empty: true}}, 0.0
	for _, m := range r.mentions(c, toks) {
		if s := r.weigh(c, toks, m, away); s > most {
			best, most = m, s
		}
	}
	return best.ref, best
}

// weigh says how likely a phrase is what the clause is about.
func (r *reader) weigh(c *clause, toks []language.Token, m mention, away bool) float64 {
	s := float64(len(language.ContentWords(toks[m.start:m.end])))
	if m.ref.exact {
		s += 3
	}
	if len(m.ref.found) == 1 {
		s++
		if away && r.sit.Project != nil && m.ref.found[0].Slug == r.sit.Project.Slug {
			s -= 2.5
		}
	}
	if language.Class("<det>", toks[m.start].Norm) || m.start > 0 && language.In("to|about|on|with|into|for", toks[m.start-1].Norm) {
		s += 0.5
	}
	if m.end < len(toks) && toks[m.end].Word && language.IsCapital(c.src, toks[m.end]) && !language.Class("<projectword>", toks[m.end].Norm) && language.Telltale(toks[m.end]) {
		s -= 5 // "Plan C" where there is a Plan B
	}
	return s + 0.05*float64(m.start)
}

// whole is the project that a question about all of one is about; empty: the active one.
func (r *reader) whole(c *clause) reference {
	if ref := r.subject(c, c.all, false); len(ref.found) > 0 {
		return ref
	}
	if ref := r.absent(c, c.all); ref.named {
		return ref
	}
	return reference{empty: true}
}

// absent is a project that words speak of as one, but that isn't there: "the marathon
// project", "my project about the greenhouse".
func (r *reader) absent(c *clause, toks []language.Token) reference {
	i, e, ok := language.Find(toks, "<projectword>")
	if !ok {
		return reference{empty: true}
	}
	if n, ok := language.MatchAny(toks[e:], "about|on|for|regarding|with|concerning|called|named|titled"); ok && e+n < len(toks) {
		return r.unknownName(c, toks[max(0, i-1):], toks[e+n:])
	}
	for k := i - 1; k >= 0 && k >= i-5; k-- {
		if !toks[k].Word && toks[k].Norm != `"` {
			return reference{empty: true}
		}
		if !toks[k].Quoted && (language.In("the|my|our", toks[k].Norm) || k == 0 || language.Class("<attend>", toks[k-1].Norm) || language.In("to|on", toks[k-1].Norm)) {
			return r.unknownName(c, toks[k:e], toks[k:i])
		}
	}
	return reference{empty: true}
}

// unknownName refers to a project by words that name none of those there are.
func (r *reader) unknownName(c *clause, phrase, name []language.Token) reference {
	if words := language.ContentWords(trimPhrase(name)); len(words) == 0 || len(words) > 5 || language.Has(name, "new|another|previous|last|other|earlier|former|prior|right|wrong|current|same|whole|different|next|active|this|that|which|what") {
		return reference{empty: true}
	}
	ref := refer(c, phrase, r.sit.Projects)
	ref.named, ref.empty = true, false
	if ref.phrase == "" {
		ref.phrase = c.text(language.Inner(name))
	}
	return ref
}

// fillSwitch finds where to go: the project that stands where such a one does, and never
// the one that is left.
func (r *reader) fillSwitch(c *clause, m meaning) meaning {
	args := r.arguments(c, switchTo)
	goals, left := args.every("project"), args.every("left")
	if len(goals) > 0 && len(left) > 0 && joined(c, [][]language.Token{left[len(left)-1], goals[len(goals)-1]}) {
		goals, left = slices.Concat(left, goals), nil // "the boat and the shop"
	}
	var refs []reference
	for _, toks := range goals {
		if ref := r.goal(c, toks); len(ref.found) > 0 || ref.phrase != "" {
			refs = append(refs, ref)
		}
	}
	switch ref := r.subject(c, language.Without(c.all, left), true); {
	case len(goals) < 2 && len(left) == 0 && len(eitherSide(c.all, r.sit.Projects)) == 2:
		m.project, m.two = reference{found: eitherSide(c.all, r.sit.Projects)}, true
	case len(refs) == 0:
		m.project = ref
	case len(refs) > 1 && joined(c, goals) && len(refs[0].found) == 1 && len(refs[1].found) == 1 && refs[0].found[0].Slug != refs[1].found[0].Slug:
		m.project, m.two = reference{found: []model.Project{refs[0].found[0], refs[1].found[0]}}, true
	default:
		m.project = refs[len(refs)-1] // "open the boat, no, sorry, the shop"
		if len(m.project.found) == 0 && len(ref.found) > 0 {
			m.project = ref
		}
	}
	if len(m.project.found) == 0 && m.project.phrase == "" {
		return m.nothing()
	}
	return m
}

// goal is what words refer to that stand where a project does.
func (r *reader) goal(c *clause, toks []language.Token) reference {
	if ref := r.subject(c, toks, true); len(ref.found) > 0 {
		return ref
	}
	words := language.ContentWords(trimPhrase(toks))
	if len(words) == 0 {
		return reference{}
	}
	if found := described(words, r.sit.Projects); len(found) == 1 {
		return reference{found: found}
	}
	return refer(c, toks, r.sit.Projects)
}

// described are the projects whose description has all of some words.
func described(words []string, projects []model.Project) []model.Project {
	var out []model.Project
	for _, p := range projects {
		if p.Description != "" && language.Covers(language.ContentWords(language.Tokenize(p.Description)), words) {
			out = append(out, p)
		}
	}
	return out
}

// joined: the last two of several stand beside each other, with "and" or "or" between.
func joined(c *clause, goals [][]language.Token) bool {
	first, second := goals[len(goals)-2], goals[len(goals)-1]
	for i, t := range c.all {
		if t.Start == second[0].Start {
			for i--; i > 0 && language.Class("<det>", c.all[i].Norm); i-- {
			}
			return i > 0 && language.In("and|or|versus|vs", c.all[i].Norm) && c.all[i-1].End <= first[len(first)-1].End
		}
	}
	return false
}
