package recall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
)

// Names reports whether a text names a project: it has two words of the name, one that is
// proper in both, or as a thing by itself the only one that tells it from others: "the
// organ".
func Names(text, project string) bool {
	toks := language.Tokenize(text)
	own, all := telling(project)
	hits, telltale, proper, alone := 0, 0, false, false
	for _, w := range all {
		i := slices.IndexFunc(toks, func(tok language.Token) bool { return tok.Word && language.Stem(possessor(tok.Norm)) == w.stem })
		if i < 0 {
			continue
		}
		hits++
		if slices.Contains(own, w) {
			telltale++
			proper = proper || w.proper && upper(text[toks[i].Start:]) && (i > 0 || tellsOf(toks))
			alone = alone || len(own) == 1 && (len(all) == 1 || standsAlone(toks, i))
		}
	}
	return telltale > 0 && (hits > 1 || proper || alone)
}

// tellsOf: words begin with one thing, of which they tell: "Hendry wants ..."; not "Wall clocks ...".
func tellsOf(toks []language.Token) bool {
	return toks[0].Norm != possessor(toks[0].Norm) || len(toks) > 1 && (language.Fits(toks[1], "<aux>|<other>") || language.Past(toks[1].Norm) || language.Class("<verb>", strings.TrimSuffix(toks[1].Norm, "s")))
}

// standsAlone: the i-th word is no part of what another one names, as in "photo prints".
func standsAlone(toks []language.Token, i int) bool {
	says := func(j int) bool {
		return j >= 0 && j < len(toks) && toks[j].Word && !language.Light(toks[j].Norm) && !language.Class("<verb>", toks[j].Norm)
	}
	return !says(i-1) && !says(i+1)
}

// A nameWord is a word of a project's name.
type nameWord struct {
	stem   string
	proper bool // it may be a proper name
}

// kinds are the classes of words for what kind of thing a project is.
var kinds = []string{"<venturenoun>", "<venture>", "<bigventure>", "<eventword>", "<projectword>", "<season>", "<verb>", "<moving>"}

// telling are the words of a name that tell it from others, or all of them if none does.
func telling(name string) (own, all []nameWord) {
	for _, tok := range language.Tokenize(name) {
		norm := possessor(tok.Norm)
		if !tok.Word || utf8.RuneCountInString(norm) < 2 || language.Light(norm) {
			continue
		}
		kind := slices.ContainsFunc(kinds, func(class string) bool { return language.Class(class, norm) }) || slices.ContainsFunc([]string{"tion", "sion", "ment", "ing"}, func(end string) bool { return strings.HasSuffix(norm, end) })
		w := nameWord{language.Stem(norm), !kind && upper(name[tok.Start:])}
		all = append(all, w)
		if !kind {
			own = append(own, w)
		}
	}
	if len(own) == 0 {
		own = all
	}
	return own, all
}

func possessor(w string) string { return strings.TrimSuffix(w, "'s") }

func upper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
