package offline

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"kist/agent/english"
	"kist/agent/model"
)

// A phrase is some words with their stems. It is shared and not written to.
type phrase struct {
	words, stems []string
	joined       string // the stem of all words as one
}

func stemmed(each ...[]string) []phrase {
	out := make([]phrase, len(each))
	for i, words := range each {
		stems := make([]string, len(words))
		for j, w := range words {
			stems[j] = english.Stem(w)
		}
		// Clipped, so that who appends to it gets a slice of its own.
		out[i] = phrase{words: slices.Clip(words), stems: stems, joined: english.Stem(strings.Join(words, ""))}
	}
	return out
}

// phraseOf reads a project's name once: a message is held against all of them, many
// times over.
func phraseOf(p model.Project) phrase {
	name := p.Name
	if name == "" {
		name = strings.ReplaceAll(p.Slug, "-", " ")
	}
	if done, ok := names.Load(name); ok {
		return done.(phrase)
	}
	out := readName(name)
	if names.size.Add(1) > maxNames {
		names.Clear() // projects were renamed, or vaults changed, for years
		names.size.Store(1)
	}
	names.Store(name, out)
	return out
}

// maxNames is several times as many projects as anybody has.
const maxNames = 50_000

// names holds what readName made: it is the same for every caller, and never
// changes what a name means.
var names struct {
	sync.Map
	size atomic.Int64
}

// inHead reports whether a word stands in the head of a project's name.
func inHead(w string, p model.Project) bool {
	i := slices.IndexFunc(nameWords(p), func(n string) bool { return same(w, n) >= 0.8 })
	return i >= 0 && i < headLength(p)
}

// digital: it begins with a digit.
func digital(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }

// numeral writes a number or a rank in digits, so that "70th" is "seventieth" and
// "2" is "two". What is neither gives "".
func numeral(w string) string {
	if digital(w) {
		return w
	}
	return numerals()[w]
}

var numerals = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for i, ones := range strings.Fields("zero/zeroth one/first two/second three/third four/fourth five/fifth six/sixth seven/seventh eight/eighth nine/ninth ten/tenth eleven/eleventh twelve/twelfth") {
		cardinal, ordinal, _ := strings.Cut(ones, "/")
		out[cardinal], out[ordinal] = strconv.Itoa(i), ranked(i)
	}
	for i, tens := range strings.Fields("twent thirt fort fift sixt sevent eight ninet") {
		out[tens+"y"], out[tens+"ieth"] = strconv.Itoa(10*(i+2)), ranked(10*(i+2))
	}
	return out
})

func ranked(n int) string {
	suffix := "th"
	switch n {
	case 1:
		suffix = "st"
	case 2:
		suffix = "nd"
	case 3:
		suffix = "rd"
	}
	return strconv.Itoa(n) + suffix
}
