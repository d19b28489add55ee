package refer

import (
	"path"
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
	return names.of(name, func() phrase { return readName(name) })
}

// phrasesOf are a project's name and its aliases.
func phrasesOf(p model.Project) []phrase {
	out := []phrase{phraseOf(p)}
	for _, alias := range p.Aliases {
		out = append(out, names.of(alias, func() phrase { return readName(alias) }))
	}
	return out
}

// A kept holds what was read of texts: it is the same for every caller, and never changes
// what a text means.
type kept[T any] struct {
	sync.Map
	size atomic.Int64
}

// maxKept is several times as many projects as anybody has.
const maxKept = 50_000

func (k *kept[T]) of(text string, read func() T) T {
	if done, ok := k.Load(text); ok {
		return done.(T)
	}
	out := read()
	if k.size.Add(1) > maxKept {
		k.Clear() // projects were renamed, or vaults changed, for years
		k.size.Store(1)
	}
	k.Store(text, out)
	return out
}

var (
	names  kept[phrase]
	selves kept[map[string]bool] // of what projects say of themselves
)

// InboxOf is the path of the note in which is kept what was told of a project.
func InboxOf(p model.Project) string {
	if dir, name := path.Split(p.Path); p.Path != "" && name != "project.md" {
		return dir + "inbox.md"
	}
	return "projects/" + p.Slug + "/notes/inbox.md"
}

// OnlyWhere: words do no more than name a project, as "in Boat" before what is to be done
// there.
func OnlyWhere(text string, projects []model.Project) bool {
	toks := language.Tokenize(text)
	for _, p := range projects {
		name := language.Tokenize(p.Name)
		for i := range toks {
			if len(name) == 0 || !slices.EqualFunc(toks[i:min(len(toks), i+len(name))], name, func(a, b language.Token) bool { return a.Norm == b.Norm }) {
				continue
			}
			rest := slices.Concat(toks[:i], toks[i+len(name):])
			if !slices.ContainsFunc(rest, func(w language.Token) bool {
				return w.Word && !language.Class("<stop>", w.Norm) && !language.Class("<projectword>", w.Norm)
			}) {
				return true
			}
		}
	}
	return false
}
