package refer

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// maxPhrase is how many words of a clause are held against the names of projects.
const maxPhrase = 48

// A Mention is a phrase that can name a project.
type Mention struct {
	Start, End int // of its tokens
	Ref        Reference
}

// Mentions finds all phrases that can name a project.
func (s Scope) Mentions(src string, toks []language.Token) []Mention {
	var out []Mention
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
			if ref := To(src, toks[i:j], s.Projects); len(ref.Found) > 0 && !ref.Partial {
				out = append(out, Mention{i, j, ref})
			}
		}
	}
	return out
}

// hits marks the words that stand in the name of a project. Auxiliary verbs do where
// they can be nothing else: "will" in the project Dad's Will.
func (s Scope) hits(toks []language.Token) []bool {
	hit := make([]bool, len(toks))
	for _, p := range s.Projects {
		for _, name := range phrasesOf(p) {
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
	}
	return hit
}

// Subject finds the project that words are about, or several where they fit: of all
// phrases that can name one, the one that leaves least doubt. away: another than the
// active one is more likely.
func (s Scope) Subject(src string, toks []language.Token, away bool) Reference {
	ref, _ := s.clearest(src, toks, away)
	return ref
}

func (s Scope) clearest(src string, toks []language.Token, away bool) (Reference, Mention) {
	best, most := Mention{Ref: Reference{Empty: true}}, 0.0
	for _, m := range s.Mentions(src, toks) {
		if p := s.weigh(src, toks, m, away); p > most {
			best, most = m, p
		}
	}
	return best.Ref, best
}

// weigh says how likely a phrase is what the clause is about.
func (s Scope) weigh(src string, toks []language.Token, m Mention, away bool) float64 {
	p := float64(len(language.ContentWords(toks[m.Start:m.End])))
	if m.Ref.Exact {
		p += 3
	}
	if len(m.Ref.Found) == 1 {
		p++
		if away && s.Active != nil && m.Ref.Found[0].Slug == s.Active.Slug {
			p -= 2.5
		}
	}
	if language.Class("<det>", toks[m.Start].Norm) || m.Start > 0 && language.In("to|about|on|with|into|for", toks[m.Start-1].Norm) {
		p += 0.5
	}
	if m.End < len(toks) && toks[m.End].Word && language.IsCapital(src, toks[m.End]) && !language.Class("<projectword>", toks[m.End].Norm) && language.Telltale(toks[m.End]) {
		p -= 5 // "Plan C" where there is a Plan B
	}
	return p + 0.05*float64(m.Start)
}

// Whole is the project that a question about all of one is about; empty: the active one.
func (s Scope) Whole(src string, toks []language.Token) Reference {
	if ref := s.Subject(src, toks, false); len(ref.Found) > 0 {
		return ref
	}
	if found := About(subjectOf(toks), s.Projects); len(found) > 0 {
		return Reference{Found: found}
	}
	if ref := s.absent(src, toks); ref.Named {
		return ref
	}
	return Reference{Empty: true}
}

// subjectOf is what words say last that they are about: "where we are with dad, I'm seeing Colin".
func subjectOf(toks []language.Token) []language.Token {
	if i := slices.IndexFunc(toks, func(t language.Token) bool { return t.Norm == "," && !t.Quoted }); i > 0 {
		toks = toks[:i]
	}
	for i := len(toks) - 2; i > 0; i-- {
		if language.In("with|on|about|of|for|in|regarding", toks[i].Norm) && !toks[i].Quoted {
			return toks[i+1:]
		}
	}
	return toks
}

// Part is the thing that a question for how things stand names, and that is no project.
func Part(toks []language.Token) []language.Token {
	of := subjectOf(toks)
	if len(of) == len(toks) || len(tellingWords(of)) == 0 || language.Has(of, "<projectword>|<taskword>|all|everything|both|it|this|that|them|us|me|here") {
		return nil
	}
	return of
}

// absent is a project that words speak of as one, but that isn't there: "the marathon
// project", "my project about the greenhouse".
func (s Scope) absent(src string, toks []language.Token) Reference {
	i, e, ok := language.Find(toks, "<projectword>")
	if !ok {
		return Reference{Empty: true}
	}
	if n, ok := language.MatchAny(toks[e:], "about|on|for|regarding|with|concerning|called|named|titled"); ok && e+n < len(toks) {
		return s.unknownName(src, toks[max(0, i-1):], toks[e+n:])
	}
	for k := i - 1; k >= 0 && k >= i-5; k-- {
		if !toks[k].Word && toks[k].Norm != `"` {
			return Reference{Empty: true}
		}
		if !toks[k].Quoted && (language.In("the|my|our", toks[k].Norm) || k == 0 || language.Class("<attend>", toks[k-1].Norm) || language.In("to|on", toks[k-1].Norm)) {
			return s.unknownName(src, toks[k:e], toks[k:i])
		}
	}
	return Reference{Empty: true}
}

// unknownName refers to a project by words that name none of those there are.
func (s Scope) unknownName(src string, phrase, name []language.Token) Reference {
	if words := language.ContentWords(trimPhrase(name)); len(words) == 0 || len(words) > 5 || language.Has(name, "new|another|previous|last|other|earlier|former|prior|right|wrong|current|same|whole|different|next|active|this|that|which|what") {
		return Reference{Empty: true}
	}
	ref := To(src, phrase, s.Projects)
	ref.Named, ref.Empty = true, false
	if ref.Phrase == "" {
		ref.Phrase = language.Span(src, language.Inner(name))
	}
	return ref
}

// Goal is what words refer to that stand where a project does.
func (s Scope) Goal(src string, toks []language.Token) Reference {
	if ref := s.Subject(src, toks, true); len(ref.Found) > 0 {
		return ref
	}
	if len(language.ContentWords(trimPhrase(toks))) == 0 {
		return Reference{}
	}
	ref := To(src, toks, s.Projects)
	if found := About(toks, s.Projects); len(ref.Found) == 0 {
		ref.Found, ref.Told = found, true
	}
	return ref
}

// longestGoal is within how many words a project is said.
const longestGoal = 7

// BackTo is the project to which words say to go back, and say no more: "back to dad's move".
func (s Scope) BackTo(src string, toks []language.Token) (Reference, bool) {
	toks = language.SkipOpeners(toks)
	n, ok := language.MatchAny(toks, "let? us? go|get|come? back to", "return to", "zurück zu|zum|zur")
	if !ok || len(toks) > n+longestGoal {
		return Reference{}, false
	}
	ref := s.Goal(src, toks[n:])
	return ref, len(ref.Found) > 0 && !ref.Partial
}

// longestHeading is how many words name a project in front of a colon.
const longestHeading = 3

// Heading is the project whose name heads words: "boat: buy the rope".
func (s Scope) Heading(src string, toks []language.Token) Reference {
	toks = language.SkipOpeners(toks)
	for i, t := range toks[:min(len(toks), longestHeading+1)] {
		if t.Norm != ":" || t.Quoted || i == 0 {
			continue
		}
		if ref := s.Goal(src, toks[:i]); len(ref.Found) == 1 {
			return ref
		}
		break
	}
	return Reference{Empty: true}
}
