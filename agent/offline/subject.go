package offline

import (
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// maxPhrase is how many words of a clause are held against the names of projects.
const maxPhrase = 48

// A mention is a phrase that can name a project.
type mention struct {
	start, end int
	ref        reference
}

// mentions finds all phrases that can name a project.
func (s scope) mentions(src string, toks []language.Token) []mention {
	var out []mention
	toks = toks[:min(len(toks), maxPhrase)]
	hit := s.hits(toks)
	for i := range toks {
		if !hit[i] && !(i+1 < len(toks) && language.Class("<det>", toks[i].Norm)) {
			continue
		}
		for j := i + 1; j <= len(toks) && j <= i+7; j++ {
			if !hit[j-1] && !language.Class("<projectword>", toks[j-1].Norm) && !language.Class("<generic>", toks[j-1].Norm) {
				continue
			}
			if ref := refer(src, toks[i:j], s.projects); len(ref.found) > 0 && !ref.partial {
				out = append(out, mention{i, j, ref})
			}
		}
	}
	return out
}

// hits marks the words that stand in the name of a project. Auxiliary verbs do where
// they can be nothing else: "will" in the project Dad's Will.
func (s scope) hits(toks []language.Token) []bool {
	hit := make([]bool, len(toks))
	for _, p := range s.projects {
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
func (s scope) subject(src string, toks []language.Token, away bool) reference {
	ref, _ := s.clearest(src, toks, away)
	return ref
}

func (s scope) clearest(src string, toks []language.Token, away bool) (reference, mention) {
	best, most := mention{ref: reference{empty: true}}, 0.0
	for _, m := range s.mentions(src, toks) {
		if p := s.weigh(src, toks, m, away); p > most {
			best, most = m, p
		}
	}
	return best.ref, best
}

// weigh says how likely a phrase is what the clause is about.
func (s scope) weigh(src string, toks []language.Token, m mention, away bool) float64 {
	p := float64(len(language.ContentWords(toks[m.start:m.end])))
	if m.ref.exact {
		p += 3
	}
	if len(m.ref.found) == 1 {
		p++
		if away && s.active != nil && m.ref.found[0].Slug == s.active.Slug {
			p -= 2.5
		}
	}
	if language.Class("<det>", toks[m.start].Norm) || m.start > 0 && language.In("to|about|on|with|into|for", toks[m.start-1].Norm) {
		p += 0.5
	}
	if m.end < len(toks) && toks[m.end].Word && language.IsCapital(src, toks[m.end]) && !language.Class("<projectword>", toks[m.end].Norm) && language.Telltale(toks[m.end]) {
		p -= 5 // "Plan C" where there is a Plan B
	}
	return p + 0.05*float64(m.start)
}

// whole is the project that a question about all of one is about; empty: the active one.
func (s scope) whole(src string, toks []language.Token) reference {
	if ref := s.subject(src, toks, false); len(ref.found) > 0 {
		return ref
	}
	if ref := s.absent(src, toks); ref.named {
		return ref
	}
	return reference{empty: true}
}

// absent is a project that words speak of as one, but that isn't there: "the marathon
// project", "my project about the greenhouse".
func (s scope) absent(src string, toks []language.Token) reference {
	i, e, ok := language.Find(toks, "<projectword>")
	if !ok {
		return reference{empty: true}
	}
	if n, ok := language.MatchAny(toks[e:], "about|on|for|regarding|with|concerning|called|named|titled"); ok && e+n < len(toks) {
		return s.unknownName(src, toks[max(0, i-1):], toks[e+n:])
	}
	for k := i - 1; k >= 0 && k >= i-5; k-- {
		if !toks[k].Word && toks[k].Norm != `"` {
			return reference{empty: true}
		}
		if !toks[k].Quoted && (language.In("the|my|our", toks[k].Norm) || k == 0 || language.Class("<attend>", toks[k-1].Norm) || language.In("to|on", toks[k-1].Norm)) {
			return s.unknownName(src, toks[k:e], toks[k:i])
		}
	}
	return reference{empty: true}
}

// unknownName refers to a project by words that name none of those there are.
func (s scope) unknownName(src string, phrase, name []language.Token) reference {
	if words := language.ContentWords(trimPhrase(name)); len(words) == 0 || len(words) > 5 || language.Has(name, "new|another|previous|last|other|earlier|former|prior|right|wrong|current|same|whole|different|next|active|this|that|which|what") {
		return reference{empty: true}
	}
	ref := refer(src, phrase, s.projects)
	ref.named, ref.empty = true, false
	if ref.phrase == "" {
		ref.phrase = language.Span(src, language.Inner(name))
	}
	return ref
}

// goal is what words refer to that stand where a project does.
func (s scope) goal(src string, toks []language.Token) reference {
	if ref := s.subject(src, toks, true); len(ref.found) > 0 {
		return ref
	}
	words := language.ContentWords(trimPhrase(toks))
	if len(words) == 0 {
		return reference{}
	}
	if found := described(words, s.projects); len(found) == 1 {
		return reference{found: found}
	}
	return refer(src, toks, s.projects)
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
