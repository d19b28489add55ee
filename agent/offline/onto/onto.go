// Package onto reads an order to put something onto a list, which is a note or stands under a
// heading: "add butter to Shopping", "put soap on the packing list", "add rice to Kitchen in
// Packing". It sees words alone: which of the places there is, is for others to find.
package onto

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

//go:embed en.txt
var text string

var words = sync.OnceValue(func() manner.Table { return manner.Read(text) })

// An Order is one way to read a message: what is put where.
type Order struct {
	Items []string // each as it was said
	Names []string // what the place may be called, the likeliest first
	Said  string   // the words for it
	Of    string   // the note in which Names are headings; empty: any
	Sure  bool     // it was said to be a list or a note
	Named bool     // it is written as a name, and nothing else is read as easily
}

const (
	longestPlace = 6 // words that name a place
	longest      = 40
)

// Read returns the ways to read a message that is such an order and nothing else, the one with the
// longest words for its place first.
func Read(said string) (orders []Order) {
	toks := language.TrimMarks(language.SkipAsking(language.Tokenize(said)))
	for len(toks) > 0 && words().Is(toks[len(toks)-1:], "behind") == 1 {
		toks = language.TrimMarks(toks[:len(toks)-1])
	}
	n := words().Is(toks, "verb")
	if n == 0 || len(toks) > longest || slices.ContainsFunc(toks, func(t language.Token) bool {
		return !t.Quoted && (language.In(":|;|!|?|\n", t.Norm) || t.Norm == "." && language.EndsSentence(said, t.Start))
	}) {
		return nil
	}
	toks = toks[n:]
	if words().Is(toks, "other") > 0 || len(toks) > 0 && strings.HasPrefix(said[toks[0].Start:], "#") {
		return nil
	}
	for i := 1; i < len(toks)-1; i++ {
		if toks[i].Quoted || words().Is(toks[i:i+1], "to") == 0 {
			continue
		}
		what, place := language.TrimMarks(toks[:i]), toks[i+1:]
		if !language.HasWord(what) || !language.HasWord(place) {
			continue
		}
		orders = append(orders, readings(said, what, place)...)
	}
	return orders
}

// readings are those of a thing and the words for its place: all of them as a name, and as a heading of a note.
func readings(said string, what, place []language.Token) (orders []Order) {
	one := Order{Items: items(said, what), Said: spelt(said, place)}
	name := place
	for len(name) > 1 && !name[0].Quoted && words().Is(name[:1], "det") == 1 {
		name = name[1:]
	}
	capital := language.IsCapital(said, name[0]) && !name[0].Quoted
	one.Named = capital && !language.Begins(what, "<det>|<verb>|a|an|i|we") && len(what) <= 3
	one.Names, one.Sure = namesOf(said, name)
	if len(name) <= longestPlace && len(language.ContentWords(name)) > 0 && words().Is(name, "noun") < len(name) {
		orders = append(orders, one)
	}
	for i := 1; i < len(name)-1; i++ {
		if !name[i].Quoted && words().Is(name[i:i+1], "of") == 1 {
			of := name[i+1:]
			for len(of) > 1 && words().Is(of[:1], "det") == 1 {
				of = of[1:]
			}
			part := Order{Items: one.Items, Said: one.Said}
			part.Names, part.Sure = namesOf(said, name[:i])
			notes, sure := namesOf(said, of)
			part.Of, part.Sure = notes[len(notes)-1], part.Sure || sure
			orders = append(orders, part)
		}
	}
	return orders
}

// namesOf are the names that words for a place may mean: all of them, and those without a word for what it is.
func namesOf(said string, toks []language.Token) (names []string, sure bool) {
	names = []string{spelt(said, toks)}
	switch last := len(toks) - 1; {
	case last > 0 && words().Is(toks[last:], "noun") == 1:
		names, sure = append(names, spelt(said, toks[:last])), true
	case last > 0 && words().Is(toks[:1], "noun") == 1:
		names, sure = append(names, spelt(said, toks[1:])), true
	case strings.HasSuffix(strings.ToLower(names[0]), "liste") || strings.HasSuffix(strings.ToLower(names[0]), "zettel"):
		sure = true
	}
	return names, sure || strings.HasPrefix(names[0], "[[") || strings.HasSuffix(names[0], ".md")
}

// spelt are tokens as they were written, without what quotes them or makes a link of them.
func spelt(said string, toks []language.Token) string {
	s := said[toks[0].Start:toks[len(toks)-1].End]
	if toks[0].Start > 1 && strings.HasSuffix(said[:toks[0].Start], "[[") {
		s = strings.TrimSuffix(s, "]]")
	}
	return strings.Trim(s, "\"'“”„‘’`[] ")
}

// longestOf is how many words each of several things has that are named in a row.
const longestOf = 3

// items are the things that words name: several where each is but a few words, and none says to do something.
func items(said string, what []language.Token) []string {
	all := spelt(said, what)
	parts := language.Listed(what)
	if len(parts) < 2 || language.Begins(what, "<verb>") || slices.ContainsFunc(what, func(t language.Token) bool { return t.Quoted }) ||
		slices.ContainsFunc(parts, func(p []language.Token) bool { return len(p) > longestOf }) {
		return []string{all}
	}
	var out []string
	for _, p := range parts {
		out = append(out, spelt(said, p))
	}
	return out
}
