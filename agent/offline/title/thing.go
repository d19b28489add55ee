package title

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/passage"
)

// A pointer is where a title says what is to be done to by pointing at it: "find them".
type pointer struct {
	from, to int    // bytes of the title
	pronoun  string // "it", "them", "him", "her"
}

// A thing that was named, which a pronoun behind it may stand for.
type thing struct {
	text           string
	plural, person bool
	somebody       bool // it may be a person
	unsure         bool // where its name ends, or what it is, isn't clear
	bare, speaks   bool // it has no article; what follows is its own words
}

// fits: a pronoun may stand for it.
func (t thing) fits(pronoun string) bool {
	switch pronoun {
	case "it":
		return !t.plural && !t.person
	case "them":
		return t.plural
	}
	return t.person || t.somebody && !t.plural
}

// Named is a title in which what is pointed to has its name, if what was said before it, in
// the same sentence or else in the one before, names just one thing that it can be: "ring Bo
// and ask him for the key". In doubt it is as it was.
func Named(title, said string) string {
	toks := language.Tokenize(title)
	if len(toks) < 2 {
		return title
	}
	at := max(strings.Index(strings.ToLower(said), strings.ToLower(title)), strings.Index(strings.ToLower(said), strings.ToLower(title[:toks[1].End])))
	p := pointerIn(title, toks)
	if at < 0 || p.pronoun == "" {
		return title
	}
	var found []thing
	list := passage.Sentences(said[:at])
	for i := len(list) - 1; i >= max(0, len(list)-2) && len(found) == 0; i-- {
		for _, one := range things(list[i]) {
			if one.fits(p.pronoun) && !one.speaks && !slices.ContainsFunc(found, func(t thing) bool { return t.text == one.text }) {
				found = append(found, one)
			}
		}
	}
	if named := slices.DeleteFunc(slices.Clone(found), func(t thing) bool { return !t.person && !t.bare }); len(named) == 1 && language.In("him|her", p.pronoun) {
		found = named // "Toby will want his fare, give him ..."
	}
	if len(found) != 1 || found[0].unsure || !found[0].person && !found[0].bare && language.In("him|her", p.pronoun) {
		return title
	}
	return p.named(title, found[0].text)
}

// named is a title with what is pointed to.
func (p pointer) named(title, thing string) string {
	return language.OneLine(title[:p.from] + " " + thing + " " + title[p.to:])
}

// pointerIn is where in a title the pronoun stands for what is done something to; without
// one: nowhere.
func pointerIn(title string, toks []language.Token) pointer {
	within := 3
	if len(toks) > within && toks[within-1].Norm == "of" {
		within++ // "buy six of them"
	}
	i := slices.IndexFunc(toks[:min(len(toks), within)], func(t language.Token) bool {
		return !t.Quoted && language.In("it|them|him|her", t.Norm) && strings.EqualFold(title[t.Start:t.End], t.Norm)
	})
	if i < 1 || toks[i].Norm == "her" && i+1 < len(toks) && !endsThing(toks[i+1:]) && !language.Class("<det>", toks[i+1].Norm) {
		return pointer{} // "her bike" isn't hers to ask
	}
	return pointer{from: toks[i].Start, to: toks[i].End, pronoun: toks[i].Norm}
}

// things are what a sentence names: phrases that begin with an article or a capital, and
// what is told of.
func things(src string) []thing {
	var out []thing
	toks := language.Tokenize(src)
	fresh := true // a clause begins
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		opens := fresh && language.Class("<opener>", t.Norm)
		p := phrase{src: src, words: toks[i : i+length(src, toks[i:])], fresh: fresh, det: language.Class("<det>", t.Norm)}
		p.next = toks[i+len(p.words):]
		if i > 0 {
			p.lead = toks[max(0, i-2):i]
		}
		if len(p.words) > 0 && !opens && (p.det || !fresh && language.IsCapital(src, t) || fresh && p.subject()) {
			if !p.place() {
				out = append(out, p.thing())
			}
			i += len(p.words) - 1
			fresh = false
			continue
		}
		fresh = !t.Word || opens || fresh && language.In("and|but", t.Norm)
	}
	return out
}

// length is how many tokens name a thing from the first on.
func length(src string, toks []language.Token) int {
	det := language.Class("<det>", toks[0].Norm)
	n := 0
	if det {
		n = 1
	}
	for n < min(len(toks), 5) && inName(toks[n], n > 0, n > 0 && language.IsCapital(src, toks[n])) {
		n++
	}
	if n == 1 && det || n == 0 || language.IsDigits(strings.TrimRight(toks[n-1].Norm, "stndrh")) {
		return 0
	}
	return n
}

// inName: a word goes on with the name of a thing.
func inName(t language.Token, within, capital bool) bool {
	switch {
	case !t.Word || t.Quoted:
		return false
	case capital:
		return true
	}
	return !language.Class("<stop>", t.Norm) && !language.Class("<behindpointed>", t.Norm) && !language.Class("<condition>", t.Norm) && !(within && language.Past(t.Norm))
}

// A phrase names a thing.
type phrase struct {
	src               string
	lead, words, next []language.Token // at most two tokens before it, and all behind it
	fresh, det        bool             // it begins a clause, or with an article
}

// subject: what follows says what it is or did.
func (p phrase) subject() bool {
	return len(p.next) > 0 && p.next[0].Word && (language.Class("<aux>", p.next[0].Norm) || language.Past(p.next[0].Norm))
}

// ends: the clause ends with it.
func (p phrase) ends() bool { return len(p.next) == 0 || !p.next[0].Word }

// behind: the word before it is one of some.
func (p phrase) behind(words string) bool {
	return len(p.lead) > 0 && language.In(words, p.lead[len(p.lead)-1].Norm)
}

// place: it is a place or a time.
func (p phrase) place() bool {
	last := p.words[len(p.words)-1].Norm
	_, _, when := language.ReadPeriod(p.words, time.Time{})
	return when || language.Class("<timeword>", strings.TrimSuffix(last, "s")) || p.behind("in|at|from|near") || language.Class("<timeunit>", last) || language.Class("<timeword>", last)
}

// thing is what it names.
func (p phrase) thing() thing {
	last := p.words[len(p.words)-1].Norm
	capital := slices.ContainsFunc(p.words, func(t language.Token) bool {
		return language.IsCapital(p.src, t) && (!p.fresh || t.Start > p.words[0].Start)
	})
	one := thing{text: language.Span(p.src, p.words), plural: plural(last) && (p.det || !capital)}
	one.person = capital && !one.plural || p.reached()
	one.bare = p.fresh && !p.det
	one.speaks = one.bare && p.ownWords()
	one.somebody = p.fresh || p.det && language.In("my|our|his|her|their", p.words[0].Norm)
	if p.fresh {
		one.person = one.person || !one.plural && p.spoke()
		one.text = p.inside(one.plural)
	}
	one.unsure = !p.whole(one.person) || strings.Contains(one.text, "'s ") || strings.Contains(one.text, "’s ")
	return one
}

// whole: it is clear where its name ends, and what it is.
func (p phrase) whole(person bool) bool {
	if p.fresh {
		return p.subject()
	}
	return p.det && p.ends() || person || len(p.lead) > 0 && Does(p.lead[len(p.lead)-1])
}

// plural: a noun by its form.
func plural(w string) bool {
	return strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "'s")
}

// spoke: it did what people do, or has a name alone: "the tiler came", "Bo called".
func (p phrase) spoke() bool {
	if len(p.next) == 0 {
		return false
	}
	next := p.next[0]
	return language.Fits(next, "<came>|<saying>|<other>|rang") || language.Class("<reachverb>", language.Base(next.Norm)) || len(p.words) == 1 && language.Past(next.Norm)
}

// ownWords: the rest of the clause is what it says: "Gwen says we ought to".
func (p phrase) ownWords() bool {
	return len(p.next) > 0 && says(p.next[0]) && !slices.ContainsFunc(p.next, func(t language.Token) bool { return !t.Word })
}

// reached: somebody is to be rung, asked or written to.
func (p phrase) reached() bool {
	at := len(p.lead) - 1
	return p.det && at >= 0 && language.Fits(p.lead[at], "call|ring|phone|text|email|message|contact|ask|answer|thank|tell|remind|invite|meet|write|speak|talk")
}

// inside is how it is written within a sentence.
func (p phrase) inside(plural bool) string {
	text := language.Span(p.src, p.words)
	low := language.Uncapital(text)
	switch {
	case p.det:
		return low
	}
	return text
}
