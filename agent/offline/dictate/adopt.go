package dictate

import (
	"strings"
	"sync"

	"kist/agent/language"
)

// adoptions are the ways to say that a note is to be a project.
var adoptions = sync.OnceValue(func() (list []language.Template) {
	for head, line := range language.Lists(text) {
		if head == "adopt" {
			list = append(list, language.NewTemplate(line))
		}
	}
	return list
})

// Adopted is the note that a message, and nothing else in it, orders to be made a project: its
// path or the name of its file, without .md. sure: it is said to be a note, by that word, as a
// link or with .md; else a slash alone looks like a path, as in "24/7 support". Empty: it orders none.
func Adopted(said string) (note string, sure bool) {
	toks := language.TrimMarks(lead(language.Tokenize(said)))
	for _, form := range adoptions() {
		filled, ok := form.Fill(toks, func(place string, toks []language.Token) bool {
			name := fileName(said, toks)
			return name != "" && (place == "note" || strings.ContainsAny(name, "/") || name != spelling(said, toks))
		})
		for place, toks := range filled.Places {
			if ok {
				name := fileName(said, toks)
				return name, place == "note" || name != spelling(said, toks)
			}
		}
	}
	return "", false
}

// spelling are tokens as they were written.
func spelling(said string, toks []language.Token) string {
	return strings.TrimSpace(said[toks[0].Start:toks[len(toks)-1].End])
}

// fileName is the file that tokens name, without what a link or quotation marks add, and .md;
// empty: they are too many for one.
func fileName(said string, toks []language.Token) string {
	toks = trimLeft(toks)
	if len(toks) == 0 || len(toks) > longestTitle {
		return ""
	}
	name := strings.Trim(spelling(said, toks), `"'“”[] `)
	return strings.TrimSuffix(name, ".md")
}
