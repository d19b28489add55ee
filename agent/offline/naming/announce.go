package naming

import (
	"strings"

	"kist/agent/language"
	"kist/vault/pattern"
)

// announcing is what leads to the name of a project that is told of.
var announcing = pattern.Lazy(`(?i)\b(?:project|idea|plan|venture|undertaking|something new)\s*(?::|-|–|—|,? (?:called|named|titled|about|for|around))\s*(.+)`)

// AsProject is a thing that is named as the project: "a new project: a charity run
// for the hospice", or the whole message, if it is no more than a thing.
func AsProject(text string) string {
	line := announced(text)
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(line)))
	if n, ok := language.MatchAny(toks, "it is|this|that about?|for?", "it|this|that is about|for|called?", "about"); ok {
		toks = toks[n:]
	}
	if len(toks) < 2 || !language.Class("<det>", toks[0].Norm) {
		return ""
	}
	end := 1
	for end < len(toks) && toks[end].Word && !language.Class("<stop>", toks[end].Norm) && !language.Class("<aux>", toks[end].Norm) && !language.In("that|which|who|where|while|next|because|this|between|behind", toks[end].Norm) {
		end++
	}
	phrase := toks[1:end]
	for len(phrase) > 0 && language.In("new|big|little|small|next|own|whole", phrase[0].Norm) {
		phrase = phrase[1:]
	}
	if len(phrase) == 0 || len(phrase) > 4 || language.Class("<smallnoun>", phrase[len(phrase)-1].Norm) || language.Has(phrase, "<projectword>|<generic>") || language.Class("<pronoun>", phrase[0].Norm) {
		return ""
	}
	return language.TitleCase(language.Spell(line, phrase))
}

// announced is what a text tells of as a project: what is behind the words that lead to it,
// or all of its first sentence, if the text is short.
func announced(text string) string {
	line := strings.TrimSpace(language.OneLine(text))
	if i := strings.IndexAny(line, ".!?\n"); i > 0 {
		line = line[:i]
	}
	if m := announcing().FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if len(strings.Fields(line)) > 9 || len(strings.Fields(text)) > 60 {
		return ""
	}
	return line
}

// Thing is the first thing in a text that projects are made for: "the whole
// wedding", "my small shop".
func Thing(text string) string {
	toks := language.Tokenize(text)
	if name := made(text, toks); name != "" {
		return name
	}
	for i, tok := range toks {
		if !tok.Quoted && i > 0 && language.Class("<venturenoun>", tok.Norm) && (language.Class("<det>", toks[i-1].Norm) || i > 1 && language.Class("<det>", toks[i-2].Norm)) {
			return language.TitleCase(tok.Norm)
		}
	}
	return ""
}

// made is what a first sentence says is to be built, opened, planned: "build a sauna
// in the garden" is about the sauna. Only a short thing with an article is a name.
func made(text string, toks []language.Token) string {
	for i, tok := range toks {
		if i > 14 || tok.Norm == "." {
			break
		}
		if tok.Quoted || !language.Class("<venture>", tok.Norm) || i+2 >= len(toks) || !language.In("a|an|my|our|the", toks[i+1].Norm) {
			continue
		}
		end := i + 2
		for end < len(toks) && toks[end].Word && !toks[end].Quoted && !language.Class("<stop>", toks[end].Norm) && !language.In("that|which|who|where|while|near|next|because|this|between|behind|beside", toks[end].Norm) {
			end++
		}
		phrase := toks[i+2 : end]
		if len(phrase) == 0 || len(phrase) > 2 || language.Class("<smallnoun>", phrase[len(phrase)-1].Norm) || language.Has(phrase, "<venturenoun>|<generic>|<projectword>") {
			continue
		}
		return language.TitleCase(language.Spell(text, phrase))
	}
	return ""
}
