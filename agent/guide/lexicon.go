package guide

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed lexicon.txt
var lexiconText string

// A phrase is a pattern of words with what it says about a dimension.
type phrase struct {
	atoms  []atom
	weight float64
	dim    int // position in Dimensions
}

// An atom matches one word, or none if it is optional.
type atom struct {
	stems    []string
	form     string // the whole word, where the stem won't do
	classes  []string
	any      bool
	optional bool
}

type lexicon struct {
	byStem map[string][]phrase // by every stem that may come first
	open   []phrase            // those that begin with a class or any word
	topics []map[string]bool   // stems (two words joined by a blank), by dimension
}

// knowledge is lexicon.txt, parsed once. A constant in all but form.
var knowledge = sync.OnceValue(func() *lexicon {
	n := len(Dimensions())
	l := &lexicon{byStem: map[string][]phrase{}, topics: make([]map[string]bool, n)}
	dim, weight, topic := -1, 0.0, false
	for line := range strings.SplitSeq(lexiconText, "\n") {
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, "["):
			dim = slices.Index(Dimensions(), strings.Trim(line, "[]"))
			l.topics[dim] = map[string]bool{}
			continue
		}
		if head, rest, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, " ") {
			line, topic = rest, head == "topic"
			weight = float64(head[0] - '0')
		}
		for item := range strings.SplitSeq(line, ",") {
			l.add(strings.TrimSpace(item), dim, weight, topic)
		}
	}
	return l
})

func (l *lexicon) add(item string, dim int, weight float64, topic bool) {
	if item == "" {
		return
	}
	if topic {
		l.topics[dim][stems(strings.Fields(item))] = true
		return
	}
	p := phrase{weight: weight, dim: dim}
	for _, field := range strings.Fields(item) {
		p.atoms = append(p.atoms, newAtom(field)...)
	}
	first := p.atoms[0]
	if first.any || len(first.classes) > 0 {
		l.open = append(l.open, p)
		return
	}
	for _, s := range first.stems {
		l.byStem[s] = append(l.byStem[s], p)
	}
}

// newAtom parses one field of a phrase; a contraction is several atoms.
func newAtom(field string) []atom {
	var a atom
	field, a.optional = strings.CutSuffix(field, "?")
	if field == "*" {
		a.any = true
		return []atom{a}
	}
	if form, ok := strings.CutPrefix(field, "="); ok {
		a.form, a.stems = form, []string{language.Stem(form)}
		return []atom{a}
	}
	alternatives := strings.Split(field, "|")
	if len(alternatives) == 1 && !strings.HasPrefix(field, "<") {
		var out []atom
		for _, w := range language.Expand(field) {
			out = append(out, atom{stems: []string{language.Stem(w)}, optional: a.optional})
		}
		return out
	}
	for _, w := range alternatives {
		if strings.HasPrefix(w, "<") {
			a.classes = append(a.classes, w)
		} else {
			a.stems = append(a.stems, language.Stem(w))
		}
	}
	return []atom{a}
}

func (a atom) matches(w word) bool {
	if a.form != "" {
		return w.norm == a.form
	}
	return a.any || slices.Contains(a.stems, w.stem) || slices.ContainsFunc(a.classes, w.is)
}

// match returns how many words of ws the phrase takes at its start; 0 if it
// doesn't match.
func (p phrase) match(ws []word) int {
	n := 0
	for _, a := range p.atoms {
		switch {
		case n < len(ws) && a.matches(ws[n]):
			n++
		case !a.optional:
			return 0
		}
	}
	return n
}

func stems(ws []string) string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = language.Stem(w)
	}
	return strings.Join(out, " ")
}
