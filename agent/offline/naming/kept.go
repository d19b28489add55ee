package naming

import (
	"strings"

	"kist/agent/language"
	"kist/agent/passage"
	"kist/vault/pattern"
)

// What a name must keep: the title that somebody gave a thing, and whose it is.

var (
	// entitled is a title behind the word for it. It is as long as its words begin with
	// capitals, with small ones between.
	entitled = pattern.Lazy(`\b(?i:called|call it|calling it|titled|entitled|named|working name|working title|codename|code name)\s+(?:["“'‘]([^"”'’]{2,60})["”'’]|([\p{Lu}\d][\p{L}\d'’-]*(?:\s+(?:(?:of|the|and|in|a|for|to|on|at|de|la|&)\s+)*[\p{Lu}\d][\p{L}\d'’-]*)*))`)
	// engaged is the name behind what somebody works for or on: "new client: Brightwater Dental".
	engaged = pattern.Lazy(`(?i:\b(?:new|other|another|second|third|next|my|our) (?:client|customer|account|job|gig|commission|case|book|novel|course|paper|thesis|campaign|product|app)s?)\s*[:,–-]\s+([\p{Lu}][\p{L}\d'’&-]*(?:\s+(?:(?:of|the|and|in|a|for|to|on|at|de|la|&)\s+)*[\p{Lu}\d][\p{L}\d'’&-]*)*)`)
	// owned is a thing with whose it is.
	owned = pattern.Lazy(`(?i)\b(?:my|our|his|her|their)\s+([\p{L}-]+['’]s)\s+([\p{L}-]+)`)
)

// Engaged is the name of whom or what a text says that somebody works for; empty: it says none.
func Engaged(text string) string {
	if m := engaged().FindStringSubmatch(text); m != nil {
		return language.Limit(strings.TrimSpace(m[1]), 80)
	}
	return ""
}

// Kept is the name that the first sentence of a message gives, where cutting it down
// to a thing would lose the point: "a novel called The Salt House", "my sister's
// wedding".
func Kept(text string) string {
	line := language.OneLine(text)
	if list := passage.Sentences(line); len(list) > 0 {
		line = list[0]
	}
	if m := entitled().FindStringSubmatch(line); m != nil && !(person(m[2]) && !language.Has(language.Tokenize(line), "it|this|that|<venturenoun>|<venture>|<venturing>|<eventword>|<undertaking>")) {
		return language.Limit(strings.TrimSpace(m[1]+m[2]), 80)
	}
	if name := Engaged(line); name != "" {
		return name
	}
	if m := owned().FindStringSubmatch(line); m != nil && language.Class("<venturenoun>", strings.ToLower(m[2])) {
		return language.TitleCase(m[1] + " " + m[2])
	}
	return whose(line)
}

// person: a name may be somebody's: "the midwife's called Hannah".
func person(name string) bool { return name != "" && !strings.Contains(name, " ") }

// longestWhose is within how many words it is told what somebody is about to do.
const longestWhose = 14

// whose is the undertaking of somebody of whom a sentence tells what they are about to do: "my
// dad has agreed to move" is of Dad's Move.
func whose(line string) string {
	toks := language.Tokenize(line)
	for i := 1; i < len(toks); i++ {
		if !language.In("my|our", toks[i-1].Norm) || !nouns().List[toks[i].Norm] {
			continue
		}
		who := toks[i].Norm
		if i+1 < len(toks) && toks[i+1].Word && language.IsCapital(line, toks[i+1]) {
			who = toks[i+1].Norm // "my friend Tom"
		}
		for j := i + 1; j < min(len(toks), i+longestWhose) && toks[j].Norm != "." && !language.In("i|we|you|my|our", toks[j].Norm); j++ {
			for _, m := range nouns().Manners {
				if m.Kind == "whose" && language.Begins(toks[j:], m.Patterns...) {
					return language.TitleCase(possessive(who) + " " + m.Value)
				}
			}
		}
	}
	return ""
}

func possessive(w string) string {
	if strings.HasSuffix(w, "s") {
		return w + "'"
	}
	return w + "'s"
}
