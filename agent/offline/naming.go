package offline

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// What a phrase aims at: a project by its name, the active one, or neither.
type aimed int

const (
	aimless   aimed = iota // something that is no project
	aimHere                // "this", "it", "the plan", or nothing at all: the active project
	aimPart                // a part of a project's name, which may well mean something else
	aimWhole               // a name that leaves no doubt, or the word "project" beside it
	aimAbsent              // a project that doesn't exist
)

// aim reads what an order to do something with a project is about.
func (r *reader) aim(c *clause, toks []language.Token) (reference, aimed) {
	toks = trimPhrase(toks)
	if len(toks) > 1 && lastIn(toks, "description|write-up|documentation") && strings.HasSuffix(toks[len(toks)-2].Norm, "'s") {
		toks = slices.Clone(toks[:len(toks)-1]) // "this project's description"
		toks[len(toks)-1].Norm = strings.TrimSuffix(toks[len(toks)-1].Norm, "'s")
	}
	words := language.ContentWords(toks)
	planned := language.Has(toks, "<planword>")
	rest := words[:0:0]
	for _, w := range words {
		if !language.Class("<planword>", w) && !language.In("this|that|it|these|here|whole|entire|current|active|present|existing|thing|everything|we|us|own|old|new", w) {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 {
		if len(toks) > 0 && language.In("a|an|another|any|some|no", toks[0].Norm) || language.Has(toks, "projects|plans|ideas") {
			return reference{}, aimless
		}
		if len(toks) > 0 && !planned && !language.Has(toks, "this|that|it|these|them|here|everything|thing|whole|one") {
			return reference{}, aimless // "the", and its noun is somewhere else
		}
		return reference{empty: true, named: planned}, aimHere
	}
	ref := refer(c, toks, r.sit.Projects)
	switch {
	case len(ref.found) > 0 && !ref.partial:
		if ref.exact || planned || len(rest) > 1 {
			return ref, aimWhole
		}
		return ref, aimPart
	case ref.partial && len(ref.found) == 1 && planned:
		ref.partial = false
		return ref, aimWhole
	case ref.named && len(rest) <= 4 && !language.Has(toks, "projects"):
		return ref, aimAbsent
	}
	return reference{}, aimless
}

// namedIn finds where a project is named without doubt: the longest span.
func (r *reader) namedIn(c *clause, toks []language.Token) (start, end int, ref reference) {
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
				hit[i] = hit[i] || t.Word && !t.Quoted && language.Alike(t.Norm, n) > 0
			}
		}
	}
	for i, t := range toks {
		if !hit[i] && !(language.In("the|my|our", t.Norm) && i+1 < len(toks)) || language.In("to|for|of|and|in|on", t.Norm) {
			continue
		}
		for j := min(len(toks), i+6); j > i && j-i > end-start; j-- {
			if !hit[j-1] && !language.Class("<projectword>", toks[j-1].Norm) && !language.Class("<generic>", toks[j-1].Norm) || len(trimPhrase(toks[i:j])) < j-i {
				continue
			}
			got := refer(c, toks[i:j], r.sit.Projects)
			if _, ok := got.one(); ok && (got.exact || len(language.ContentWords(toks[i:j])) > 1) {
				start, end, ref = i, j, got
			}
		}
	}
	return start, end, ref
}

// narrowed is the reader for a message: of many projects it keeps those that share a
// word with it, so that each clause isn't held against all of them. Descriptions
// are words of a project as well.
func (r *reader) narrowed(toks []language.Token) *reader {
	if len(r.sit.Projects) <= 30 {
		return r
	}
	exact, fuzzy := saidWords(toks)
	near := func(p model.Project) bool {
		name := phraseOf(p)
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

// markNames marks the words of names that have more than one, so that those which
// could be small talk aren't passed over: "next" in "Next Step".
func (r *reader) markNames(toks []language.Token) {
	for _, p := range r.sit.Projects {
		name := nameWords(p)
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

// eitherSide are two projects with "and" or "or" between them.
func eitherSide(toks []language.Token, projects []model.Project) []model.Project {
	i, e, ok := language.Find(toks, "and|or|versus|vs")
	if !ok {
		return nil
	}
	left, right := mentioned(toks[:i], projects), mentioned(toks[e:], projects)
	if len(left) != 1 || len(right) != 1 || left[0].Slug == right[0].Slug {
		return nil
	}
	return []model.Project{left[0], right[0]}
}

// described: two words that this project's description has and the active one's
// hasn't.
func (r *reader) described(toks []language.Token, p model.Project) bool {
	if p.Description == "" {
		return false
	}
	theirs, ours := " "+strings.ToLower(p.Description)+" ", " "+strings.ToLower(r.sit.Project.Description+" "+r.sit.Project.Name)+" "
	count, seen := 0, map[string]bool{}
	for _, t := range toks {
		w := language.Stem(t.Norm)
		if language.Telltale(t) && len(w) >= 4 && !seen[w] && strings.Contains(theirs, " "+w) && !strings.Contains(ours, " "+w) {
			seen[w] = true
			count++
		}
	}
	return count >= 2
}
