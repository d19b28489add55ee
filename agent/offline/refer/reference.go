package refer

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// A Reference is what a phrase means among the projects.
type Reference struct {
	Phrase  string          // as the user wrote it
	Found   []model.Project // that it can mean: one if it is clear
	Partial bool            // it holds more than the project's name: a topic within it
	Named   bool            // the word "project" stands beside it
	Exact   bool            // all of its name was said
	Empty   bool            // there is no phrase
	Told    bool            // it is none's name, and what these tell of
}

// A Scope is the projects that words can refer to.
type Scope struct {
	Projects []model.Project
	Active   *model.Project // nil: none is
}

// One returns the project that is clearly meant.
func (r Reference) One() (model.Project, bool) {
	if len(r.Found) == 1 && !r.Partial {
		return r.Found[0], true
	}
	return model.Project{}, false
}

// To finds the projects that a phrase, some tokens of src, can mean. Every word of the phrase has
// to be in the project's name; several projects may then be left. If the phrase
// says more than a name, Partial is set.
func To(src string, toks []language.Token, projects []model.Project) Reference {
	toks = trimPhrase(toks)
	r := Reference{Phrase: language.Span(src, language.Inner(toks)), Named: language.Has(toks, "<projectword>")}
	words := language.ContentWords(toks)
	if len(words) == 0 {
		r.Empty = !r.Named && len(toks) == 0
		return r
	}
	best := 0.0
	said := stemmed(variants(words)...)
	for _, p := range projects {
		q := 0.0
		for _, name := range phrasesOf(p) {
			for _, variant := range said {
				q = max(q, likeness(variant, name))
			}
		}
		if strings.EqualFold(strings.Join(words, "-"), p.Slug) { // the name of its folder
			q = 1
		}
		switch {
		case q == 0 || q < best-0.01 && best == 1:
		case q == 1 && best < 1:
			// All of its name: whatever shares only a part is not meant.
			r.Found, best = []model.Project{p}, 1
		default:
			r.Found, best = append(r.Found, p), max(best, q)
		}
	}
	r.Exact = best == 1
	if rest := withoutGeneric(words); len(r.Found) == 0 && len(rest) > 0 && len(rest) < len(words) {
		plain := strings.Join(rest, " ")
		again := To(plain, language.Tokenize(plain), projects)
		r.Found, r.Exact = again.Found, again.Exact
		if again.Partial {
			r.Found = nil
		}
	}
	if len(r.Found) == 0 {
		r.Found = within(words, projects)
		r.Partial = len(r.Found) > 0
	}
	return r
}

// withoutGeneric drops words such as "plans" and "stuff", which stand for the
// whole of a project: "the houseboat plans".
func withoutGeneric(words []string) []string {
	var out []string
	for _, w := range words {
		if !language.Class("<generic>", w) {
			out = append(out, w)
		}
	}
	return out
}

// likeness is 1 if the words are all of a name, less if they are some of it,
// 0 if one of them isn't in it.
func likeness(said, name phrase) float64 {
	if len(name.words) == 0 {
		return 0
	}
	if len(said.words) == 1 && len(name.words) > 1 && said.stems[0] == name.joined {
		return 1 // "heatpump"
	}
	sum, used := 0.0, make([]bool, len(name.words))
	for k, w := range said.words {
		best, at := 0.0, -1
		for i, n := range name.words {
			if s := language.AlikeStems(w, said.stems[k], n, name.stems[i]); s > best {
				best, at = s, i
			}
		}
		if best == 0 {
			return 0
		}
		sum += best
		used[at] = true
	}
	all := sum / float64(len(said.words))
	need, hit := 0, 0
	for i, n := range name.words {
		if used[i] {
			hit++
		} else if !(len(n) == 4 && language.IsDigits(n)) {
			need++ // the year of "Tax Return 2026" needn't be said
		}
	}
	if need == 0 && all > 0.99 {
		return 1
	}
	return all * (0.6 + 0.3*float64(hit)/float64(len(name.words)))
}

// within finds projects whose whole name stands in the phrase.
func within(words []string, projects []model.Project) []model.Project {
	var found []model.Project
	for _, p := range projects {
		name := NameWords(p)
		if len(name) > 0 && likenessOf(name, words) {
			found = append(found, p)
		}
	}
	return found
}

func likenessOf(name, words []string) bool {
	for _, n := range name {
		ok := false
		for _, w := range words {
			ok = ok || language.SameWord(w, n)
		}
		if !ok {
			return false
		}
	}
	return true
}

// NameWords are the words of a project's name that name something. The slice is
// shared: it must not be written to.
func NameWords(p model.Project) []string { return phraseOf(p).words }

func readName(name string) phrase {
	var words []string
	for _, t := range language.Tokenize(strings.ReplaceAll(name, "-", " ")) {
		if t.Word && !language.Class("<det>", t.Norm) && !language.In("project|of|for|and|to|in|the", t.Norm) {
			words = append(words, t.Norm)
		}
	}
	return stemmed(words)[0]
}

// variants are the ways to write compound words: house-boat, house boat,
// houseboat.
func variants(words []string) [][]string {
	out := [][]string{words}
	if split := strings.Fields(strings.ReplaceAll(strings.Join(words, " "), "-", " ")); len(split) > len(words) {
		out = append(out, split)
	}
	for i := 0; i+1 < len(words) && len(words) <= 4; i++ {
		joined := append(append(append([]string{}, words[:i]...), words[i]+words[i+1]), words[i+2:]...)
		out = append(out, joined)
	}
	return out
}

// trimPhrase cuts what follows a name without belonging to it: "the boat again
// for a bit, please".
func trimPhrase(toks []language.Token) []language.Token {
	toks = language.TrimMarks(toks[:min(len(toks), 40)]) // no name is longer
	for i := 1; i < len(toks); i++ {
		if toks[i].Quoted || toks[i].Named {
			continue
		}
		if !toks[i].Word && language.In(",|-|.|:|?|(", toks[i].Norm) {
			toks = toks[:i]
			break
		}
		if _, ok := language.MatchAny(toks[i:], "for a|the bit|while|moment|minute|second|now|today", "for me|us", "so far", "to the front|top|foreground", "in front of me|us", "on the|my table|screen|desk", "right|just|only? now|then", "again", "instead", "yet", "at all|once", "at the moment", "any more|longer", "anymore", "real|very|super quick|quickly|fast|soon", "quick", "this week|time|weekend", "already", "any further", "for good|once|now", "would|will|could|can|do you", "will|would|could you please", "shall|should|can we|i", "do not you", "is that|it ok|okay", "my friend|dear", "right away|here", "thanks", "thank you", "ok|okay", "or so|something|whatever", "please", "today", "tomorrow", "this morning|afternoon|evening", "tonight", "next", "once more", "if you|possible", "then", "before we|i",
			"because|since|when|so|while|until", "and see|look|check|continue|work", "and then? we|i", "first", "a bit|little", "after all", "right away", "shall we", "for once", "back up", "some more", "at last", "as well", "too", "later", "where we left", "we discussed|talked", "that we|i", "i|we mentioned|told|talked|was|were", "from earlier|before|yesterday|last"); ok {
			toks = toks[:i]
			break
		}
	}
	for len(toks) > 0 && language.IsFiller(toks[len(toks)-1]) {
		toks = toks[:len(toks)-1]
	}
	return language.TrimMarks(toks)
}

// Mentioned returns the projects whose name stands in the clause, or a part of
// it that no other project shares, after a determiner.
func Mentioned(toks []language.Token, projects []model.Project) []model.Project {
	var out []model.Project
	for _, p := range projects {
		if mentions(toks, NameWords(p)) {
			out = append(out, p)
		}
	}
	return out
}

// mentions: all words of the name in order, or its first word alone if it is
// long enough to be a name.
func mentions(toks []language.Token, name []string) bool {
	if len(name) == 0 {
		return false
	}
	for i := range toks {
		n := 0
		for n < len(name) && i+n < len(toks) && toks[i+n].Word && language.SameWord(toks[i+n].Norm, name[n]) {
			n++
		}
		if n == len(name) || n == 1 && len(name[0]) >= 6 {
			return true
		}
	}
	return false
}

// PlaceOf looks for the project that a command names at its end ("add X to the
// houseboat"), and returns the tokens without that phrase. Only a whole name
// counts, or a long and telling part of one: in "go to the shop" the shop is
// not the Coffee Shop.
func PlaceOf(src string, toks []language.Token, projects []model.Project) (Reference, []language.Token) {
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].Quoted || !language.In("to|for|in|on|under|into", toks[i].Norm) || i+1 == len(toks) {
			continue
		}
		r := To(src, toks[i+1:], projects)
		if r.Partial || len(language.ContentWords(toks[i+1:])) == 0 {
			continue
		}
		if len(r.Found) > 0 && (r.Exact || r.Named || telling(toks[i+1:], r.Found)) {
			return r, language.TrimMarks(toks[:i])
		}
	}
	return Reference{Empty: true}, toks
}

// telling: "the houseboat" for the project Houseboat Renovation.
func telling(toks []language.Token, found []model.Project) bool {
	toks = trimPhrase(toks)
	if len(found) != 1 || len(toks) != 2 || !language.In("the|my|our", toks[0].Norm) {
		return false
	}
	name := NameWords(found[0])
	return len(name) > 0 && len(name[0]) >= 7 && language.Alike(toks[1].Norm, name[0]) == 1
}

// Exactly refers to one project without a doubt.
func Exactly(p model.Project) Reference {
	return Reference{Found: []model.Project{p}, Exact: true}
}

// BySlug finds a project by its slug.
func BySlug(projects []model.Project, slug string) (model.Project, bool) {
	for _, p := range projects {
		if p.Slug == slug {
			return p, true
		}
	}
	return model.Project{}, false
}

// ByName finds a project of exactly that name.
func ByName(projects []model.Project, name string) (model.Project, bool) {
	for _, p := range projects {
		if strings.EqualFold(p.Name, name) || strings.EqualFold(p.Slug, strings.ReplaceAll(name, " ", "-")) {
			return p, true
		}
	}
	return model.Project{}, false
}

// MentionedWhole is the active project where all of its name is said.
func MentionedWhole(toks []language.Token, here *model.Project) []model.Project {
	if here != nil && likenessOf(NameWords(*here), language.ContentWords(toks)) {
		return []model.Project{*here}
	}
	return nil
}

// NameIn is the name of the project with a slug, as [Apart] has it, or else the slug.
func NameIn(projects []model.Project, slug string) string {
	if p, ok := BySlug(projects, slug); ok {
		return Apart(projects, p)
	}
	return slug
}

// Apart is the name of a project, with its slug where others are called so too.
func Apart(projects []model.Project, p model.Project) string {
	if slices.ContainsFunc(projects, func(o model.Project) bool { return o.Slug != p.Slug && strings.EqualFold(o.Name, p.Name) }) {
		return p.Name + " (" + p.Slug + ")"
	}
	return p.Name
}

// IsPlace: words of a clause only say where something happens: "she comes to the house on
// 8 December".
func IsPlace(clause, words []language.Token) bool {
	at := slices.IndexFunc(clause, func(t language.Token) bool { return t.Start == words[0].Start })
	for at > 0 && language.Class("<det>", clause[at-1].Norm) {
		at--
	}
	return at > 0 && language.In("to|at|in|into|from|near|inside|outside|around", clause[at-1].Norm)
}
