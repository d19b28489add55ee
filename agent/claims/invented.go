package claims

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kist/vault/pattern"
)

// title finds what is quoted, in the quotation marks of several languages. The word before one
// mark and the word behind the other are no part of it.
var title = pattern.Lazy("“([^“”\n]+)[”“]|„([^„“”\n]+)[“”]|«([^«»\n]+)»|»([^«»\n]+)«|「([^「」\n]+)」|(?:^|[\\s(*])\"([^\"\n]+)\"")

// Invented returns what a text quotes as a title of two words or more, and the days that it
// names, where they stand in none of what was done, read and said, as the text has them, each
// once, at most five. It tells nothing by the words of a claim, so that it holds in any language.
func Invented(text string, evidence ...string) (out []string) {
	days, known := map[string]bool{}, ""
	for _, e := range evidence {
		known += plainWords(e) + "\n"
		for _, d := range dates(&e) {
			days[d.value] = true
		}
	}
	add := func(said string) {
		if len(out) < most && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	for _, m := range title().FindAllStringSubmatch(text, -1) {
		said := strings.Join(m[1:], "")
		words := plainWords(said)
		unspaced := len(words) > 2*utf8.RuneCountInString(words) // in a script that may have no blanks
		if strings.Contains(strings.TrimSpace(words), " ") || unspaced {
			if !strings.Contains(known, strings.TrimSpace(words)) {
				add("“" + strings.TrimSpace(said) + "”")
			}
		}
	}
	for _, d := range dates(&text) {
		if !days[d.value] {
			add(strings.Trim(d.said, " .,"))
		}
	}
	return out
}

// plainWords is a text as its words alone, case folded, with a blank between them, before and
// behind.
func plainWords(text string) string {
	return " " + strings.ToLower(strings.Join(word().FindAllString(text, -1), " ")) + " "
}
