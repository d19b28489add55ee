package offline

import (
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
			hit[i] = hit[i] || language.Stem(t.Norm) == name.joined || language.Stem(strings.ReplaceAll(t.Norm, "-", "")) == name.joined
			for _, n := range name.words {
				hit[i] = hit[i] || same(t.Norm, n) > 0
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
	s := float64(len(contentWords(toks[m.start:m.end])))
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
	if m.end < len(toks) && toks[m.end].Word && isCapital(c.src, toks[m.end]) && !language.Class("<projectword>", toks[m.end].Norm) && telltale(toks[m.end]) {
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
	if words := contentWords(trimPhrase(name)); len(words) == 0 || len(words) > 5 || language.Has(name, "new|another|previous|last|other|earlier|former|prior|right|wrong|current|same|whole|different|next|active|this|that|which|what") {
		return reference{empty: true}
	}
	ref := refer(c, phrase, r.sit.Projects)
	ref.named, ref.empty = true, false
	if ref.phrase == "" {
		ref.phrase = c.text(unquoted(name))
	}
	return ref
}

// fillSwitch finds where to go. What is to be left, or stands behind "not" and
// "instead of", is never it.
func (r *reader) fillSwitch(c *clause, m meaning) meaning {
	if ref, ok := r.mended(c); ok {
		m.project = ref
		return m
	}
	toks := r.withoutLeft(c, c.all)
	ref, at := r.clearest(c, toks, true)
	if other, ok := r.beside(c, toks, at); ok && len(ref.found) == 1 {
		m.project, m.two = reference{found: inOrderOf(toks, ref.found[0], other)}, true
		return m
	}
	if len(ref.found) > 0 && !r.meantAsGoal(c, toks, at) {
		return m.nothing()
	}
	if len(ref.found) == 0 && len(toks) < len(c.all) {
		ref = r.subject(c, c.all, true)
	}
	if len(ref.found) == 0 {
		ref = r.absent(c, toks)
	}
	if phrase := aimedAt(toks); len(ref.found) == 0 && !ref.named && len(phrase) > 0 {
		if words := contentWords(trimPhrase(phrase)); len(words) > 0 && len(words) <= 5 && (aims(phrase) || isCapital(c.src, phrase[0]) || language.Has(c.body[:min(2, len(c.body))], "switch")) {
			ref = refer(c, phrase, r.sit.Projects)
		}
	}
	if len(ref.found) == 0 && ref.phrase == "" {
		return m.nothing()
	}
	m.project = ref
	return m
}

// inOrderOf puts two projects in the order in which they are named.
func inOrderOf(toks []language.Token, p, q model.Project) []model.Project {
	for _, t := range toks {
		for _, n := range nameWords(q) {
			if t.Word && same(t.Norm, n) == 1 {
				return []model.Project{q, p}
			}
		}
		for _, n := range nameWords(p) {
			if t.Word && same(t.Norm, n) == 1 {
				return []model.Project{p, q}
			}
		}
	}
	return []model.Project{p, q}
}

// meantAsGoal: a part of a name that stands alone in a sentence is mostly the thing
// itself: "to make coffee" where there is a Coffee Shop.
func (r *reader) meantAsGoal(c *clause, toks []language.Token, at mention) bool {
	if at.ref.exact || at.end-at.start > 1 || len(contentWords(toks)) <= 3 || toks[at.start].Named {
		return true
	}
	if at.start == 0 {
		return at.end < len(toks) && !toks[at.end].Word
	}
	before := toks[at.start-1]
	return !before.Word || language.Class("<det>", before.Norm) || language.Class("<attend>", before.Norm) || language.In("to|about|on|with|into|for|onto|back|now|please|discuss|in", before.Norm)
}

// beside is another project that stands beside a mention, joined by "and" or "or".
func (r *reader) beside(c *clause, toks []language.Token, at mention) (model.Project, bool) {
	for _, m := range r.mentions(c, toks) {
		p, ok := m.ref.one()
		if !ok || !m.ref.exact && m.end-m.start < 2 || len(at.ref.found) == 0 || p.Slug == at.ref.found[0].Slug {
			continue
		}
		first, second := m, at
		if at.start < m.start {
			first, second = at, m
		}
		if first.end+1 == second.start && language.In("and|or|versus|vs", toks[first.end].Norm) {
			return p, true
		}
	}
	return model.Project{}, false
}

// aims tells "switch to the garden" from "switch to decaf": a project has an article,
// a possessive or quotation marks.
func aims(toks []language.Token) bool {
	return len(toks) > 0 && language.In("the|my|our|\"|'", toks[0].Norm)
}

// aimedAt is what stands behind the last direction.
func aimedAt(toks []language.Token) []language.Token {
	for i := len(toks) - 2; i >= 0; i-- {
		if !toks[i].Quoted && (language.In("to|about|on|with|into|for|discuss|open|load|resume|enter|select", toks[i].Norm)) {
			return toks[i+1:]
		}
	}
	return nil
}

// withoutLeft drops what is to be left behind: "instead of the boat", "not the boat but",
// "the boat can wait", "enough of the boat", "from the boat".
func (r *reader) withoutLeft(c *clause, toks []language.Token) []language.Token {
	for _, left := range leads()["left"] {
		f, ok := left.Fill(toks, func(place string, toks []language.Token) bool {
			if place != "left" {
				return true
			}
			_, one := refer(c, toks, r.sit.Projects).one()
			return one || language.Has(toks, "this|that|it|here|one") && len(toks) <= 3
		})
		if ok && len(r.subject(c, f.Places["goal"], true).found) > 0 {
			toks = f.Places["goal"]
		}
	}
	return toks
}

// mended is the project that somebody means who named another one first: "open the
// boat, no, sorry, the shop".
func (r *reader) mended(c *clause) (reference, bool) {
	for _, l := range leads()["mended"] {
		if f, ok := l.Fill(c.all, func(string, []language.Token) bool { return true }); ok {
			ref := r.subject(c, f.Places["goal"], true)
			_, one := ref.one()
			return ref, one && len(r.subject(c, f.Places["left"], false).found) > 0
		}
	}
	return reference{}, false
}
