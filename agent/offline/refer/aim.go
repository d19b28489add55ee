package refer

import (
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// What a phrase aims at: a project by its name, the active one, or neither.
type Aim int

const (
	Aimless   Aim = iota // something that is no project
	AimHere              // "this", "it", "the plan", or nothing at all: the active project
	aimPart              // a part of a project's name, which may well mean something else
	aimWhole             // a name that leaves no doubt, or the word "project" beside it
	aimAbsent            // a project that doesn't exist
)

// Aim reads what an order to do something with a project is about.
func (s Scope) Aim(src string, toks []language.Token) (Reference, Aim) {
	toks = trimPhrase(toks)
	planned := language.Has(toks, "<planword>")
	rest := namingWords(toks)
	if len(rest) == 0 {
		return atNone(toks, planned)
	}
	ref := To(src, toks, s.Projects)
	switch {
	case len(ref.Found) > 0 && !ref.Partial:
		if ref.Exact || planned || len(rest) > 1 {
			return ref, aimWhole
		}
		return ref, aimPart
	case ref.Named && len(rest) <= 4 && !language.Has(toks, "projects"):
		return ref, aimAbsent
	}
	return Reference{}, Aimless
}

// atNone is what words aim at that name nothing.
func atNone(toks []language.Token, planned bool) (Reference, Aim) {
	if len(toks) > 0 && language.In("a|an|another|any|some|no", toks[0].Norm) || language.Has(toks, "projects|plans|ideas") {
		return Reference{}, Aimless
	}
	if len(toks) > 0 && !planned && !language.Has(toks, "this|that|it|these|them|here|everything|thing|whole|one") {
		return Reference{}, Aimless // "the", and its noun is somewhere else
	}
	return Reference{Empty: true, Named: planned}, AimHere
}

// namingWords are those of a phrase that can name a project, and don't only point at one.
func namingWords(toks []language.Token) []string {
	var rest []string
	for _, w := range language.ContentWords(toks) {
		if !language.Class("<planword>", w) && !language.In("this|that|it|these|here|whole|entire|current|active|present|existing|thing|everything|we|us|own|old|new", w) {
			rest = append(rest, w)
		}
	}
	return rest
}

// Near are the projects for a message: of many those that share a word with it, so that
// each clause isn't held against all of them. Descriptions are words of a project as well.
func (s Scope) Near(toks []language.Token) []model.Project {
	if len(s.Projects) <= 30 {
		return s.Projects
	}
	exact, fuzzy := saidWords(toks)
	words := tellingWords(toks)
	var near []model.Project
	for _, p := range s.Projects {
		if s.Active != nil && p.Slug == s.Active.Slug || shares(phraseOf(p), exact, fuzzy) || s.described(words, p) {
			near = append(near, p)
		}
	}
	return near
}

// shares: a name has one of the words of a message.
func shares(name phrase, exact map[string]bool, fuzzy phrase) bool {
	if exact[name.joined] {
		return true
	}
	for i, n := range name.words {
		if exact[name.stems[i]] {
			return true
		}
		for k, w := range fuzzy.words {
			if language.AlikeStems(w, fuzzy.stems[k], n, name.stems[i]) > 0 {
				return true
			}
		}
	}
	return false
}

// saidWords are the stems of a message's words, also of two as one and of the parts
// of those with a hyphen; fuzzy are those that may be meant a letter apart.
func saidWords(toks []language.Token) (exact map[string]bool, fuzzy phrase) {
	exact = map[string]bool{}
	for i, t := range toks {
		if !t.Word {
			continue
		}
		for w := range strings.SplitSeq(strings.TrimSuffix(t.Norm, "'s"), "-") {
			stem := language.Stem(w)
			if !exact[stem] && language.Telltale(t) && len(w) > 2 && !language.IsFiller(t) && !language.Class("<opener>", w) {
				fuzzy.words, fuzzy.stems = append(fuzzy.words, w), append(fuzzy.stems, stem)
			}
			exact[stem] = true
		}
		if i+1 < len(toks) && toks[i+1].Word {
			exact[language.Stem(t.Norm+toks[i+1].Norm)] = true
		}
	}
	return exact, fuzzy
}

// MarkNames marks the words of names that have more than one, so that those which
// could be small talk aren't passed over: "next" in "Next Step".
func (s Scope) MarkNames(toks []language.Token) {
	for _, p := range s.Projects {
		name := NameWords(p)
		for i := 0; len(name) > 1 && i+len(name) <= len(toks); i++ {
			n := 0
			for n < len(name) && toks[i+n].Norm == name[n] {
				n++
			}
			for k := range toks[i:min(len(toks), i+n)] {
				toks[i+k].Named = toks[i+k].Named || n == len(name)
			}
		}
	}
}
