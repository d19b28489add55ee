package queries

import (
	"strings"

	"kist/agent/language"
	"kist/agent/offline/where"
)

// A Listing is which documents somebody wants to be told of.
type Listing struct {
	Noun  string // what they are called: "notes"; "vault": all that there is; [Conversations]
	About string // in the words said; empty: all
	Count bool   // only how many
	Place where.Place
}

// onlyFinds: words ask for something to be found, and don't say what.
func onlyFinds(toks []language.Token) bool {
	return len(toks) <= longestFind && language.Begins(toks, "find|search|show|list|look") && !language.HasWord(language.Drop(toks, "find|search|show|list|look|me|us|for|all|everything|anything"))
}

// longestFind is how many tokens ask for what has a tag, beside that.
const longestFind = 6

// Notes reads a question for a list of documents: "which notes are about bread?", "how many
// files are there", "what's in my vault?". What is in one of them it doesn't read.
func Notes(src string, toks []language.Token) (l Listing, ok bool) {
	if about, asked := conversations(language.TrimMarks(language.SkipOpeners(toks))); asked {
		return Listing{Noun: Conversations, About: about}, true
	}
	l.Place, toks = where.Read(src, language.TrimMarks(language.SkipOpeners(toks)))
	if n, is := language.MatchAny(toks, "what is|are in|inside my|the|this|our vault|notes", "what do i|we|you have in my|the|this|our vault|notes", "what have i|we got? in my|the|this|our vault|notes"); is {
		rest := language.Drop(toks[n:], "so|far|now|already|here|please|all|right")
		return Listing{Noun: "vault"}, !language.HasWord(rest)
	}
	if l.Noun = "notes"; len(l.Place.Tags) > 0 && onlyFinds(toks) { // "find #person"
		return l, true
	}
	n, ok := language.MatchAny(toks, "how many of? my|the|our?", "which|what", "show|give|tell|list me|us? all? of? my|the|our? other?", "are there any?", "do i|we have any?")
	if !ok && l.Place.Any() {
		n, ok = 0, true // "notes tagged recipe"
	}
	if !ok || n == len(toks) || !language.In("notes|documents|docs|files|pages", toks[n].Norm) {
		return l, false
	}
	l.Noun, l.Count = toks[n].Norm, toks[0].Norm == "how"
	if l.Noun == "docs" {
		l.Noun = "documents"
	}
	rest := toks[n+1:]
	if k, is := language.MatchAny(rest, "are there", "do i|we have", "have i|we got?", "i|we have", "there are", "exist", "are"); is {
		rest = rest[k:]
	}
	if k, is := language.MatchAny(rest, "in|of my|the|this|our vault", "here", "in all|total", "altogether"); is {
		rest = rest[k:]
	}
	for l.Place.Any() && len(rest) > 0 && language.In("are|is|there", rest[len(rest)-1].Norm) {
		rest = rest[:len(rest)-1] // "which notes about tar are in Old?"
	}
	if !language.HasWord(rest) {
		return l, true
	}
	k, is := language.MatchAny(rest, "that|which? talk|speak|tell|are|is? about|of|on", "that|which? mention|mentions|mentioning|contain|contains|containing|concern|concerning|regarding", "that|which? have|has to do with", "about|on|with|for")
	if !is || k == len(rest) {
		return l, false
	}
	l.About = strings.TrimSpace(language.Spell(src, rest[k:]))
	return l, l.About != ""
}
