package refer

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"kist/agent/language"
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
			stems[j] = language.Stem(w)
		}
		// Clipped, so that who appends to it gets a slice of its own.
		out[i] = phrase{words: slices.Clip(words), stems: stems, joined: language.Stem(strings.Join(words, ""))}
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
