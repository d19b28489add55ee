package refer

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// "rename X to Y" is read from its words: a name may hold a "to" on either side, and which
// one parts the two depends on the projects there are.

// A Renaming is a project that is to be called otherwise.
type Renaming struct {
	Project Reference
	Name    []language.Token // the new one
	Sure    bool             // the project is named, or called one
}

// longestOld is within how many words the project is said.
const longestOld = 12

// noProject: words for what isn't a project, and may be one's.
const noProject = "<taskword>|<draftword>|file|document|note|heading|section|memory|decision|draft|one|ones"

// Renaming reads whose name an order, some tokens of src, changes, and into which; the project
// may be an archived one. false: it isn't said in so
// many words.
func (s Scope) Renaming(src string, toks []language.Token, archived []model.Project) (Renaming, bool) {
	n, ok := language.MatchAny(toks, "<renameverb>", "change|set the name|title of")
	if !ok {
		return Renaming{}, false
	}
	toks = toks[n:]
	var found, absent Renaming
	for i, t := range toks[:min(len(toks), longestOld)] {
		if t.Quoted || i+1 == len(toks) || !language.In("to|into|as|in", t.Norm) {
			continue
		}
		this := Renaming{Name: toks[i+1:]}
		old, means := s.called(src, toks[:i], archived)
		parts := language.In("to|into", t.Norm)
		this.Project, this.Sure = old, language.Has(toks[:i], "<projectword>")
		switch {
		case means == byName:
			this.Sure = true
			if found.Name == nil || saysAll(src, toks[:i], old.Found[0].Name) { // "Road to Rome", and not "Road"
				found = this
			}
		case parts && means == byPointing && found.Name == nil:
			return this, true
		case parts && absent.Name == nil && !language.Has(toks[:i], noProject):
			absent = this
		}
	}
	if found.Name != nil {
		return found, true
	}
	return absent, absent.Name != nil
}

// saysAll: words end in a name, letter by letter.
func saysAll(src string, toks []language.Token, name string) bool {
	return strings.HasSuffix(strings.ToLower(language.Span(src, toks)), strings.ToLower(name))
}

// How words before the new name mean a project.
type pointer int

const (
	byNothing  pointer = iota // it isn't there, or isn't clear
	byName                    // by all of its name
	byPointing                // "it", "this project", or no word: the one that is talked of
)

// called is the project that words mean, also an archived one.
func (s Scope) called(src string, toks []language.Token, archived []model.Project) (Reference, pointer) {
	worded := language.Has(toks, "<projectword>")
	ref, aim := s.Aim(src, toks)
	if len(toks) == 0 || aim == AimHere {
		return Reference{Empty: true, Named: worded}, byPointing
	}
	stored := To(src, language.Drop(toks, "archived"), archived)
	for _, some := range []Reference{ref, stored} {
		if p, one := some.One(); one && some.Exact && (!worded || saysName(src, toks, p)) {
			return some, byName
		}
	}
	if slices.ContainsFunc(ref.Found, func(p model.Project) bool { return !worded || saysName(src, toks, p) }) {
		return ref, byNothing
	}
	named := slices.DeleteFunc(slices.Clone(toks), func(t language.Token) bool {
		return !t.Quoted && (!t.Word || language.Fits(t, "<projectword>|<det>|called|named|archived"))
	})
	return Reference{Phrase: language.Spell(src, language.TrimMarks(named)), Named: true}, byNothing
}

// saysName: words that call something a project say its name, or words of it, and none that is
// only like one: Gardening isn't Garden.
func saysName(src string, toks []language.Token, p model.Project) bool {
	said := slices.DeleteFunc(language.ContentWords(language.Drop(toks, "archived")), func(w string) bool { return language.Class("<projectword>", w) })
	joined := strings.ReplaceAll(strings.Join(said, ""), "-", "")
	return saysAll(src, toks, p.Name) || joined == strings.Join(NameWords(p), "") || strings.Join(said, "-") == p.Slug ||
		!slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(NameWords(p), w) })
}
