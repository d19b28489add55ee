// Package away reads that something belongs to another project: "that one belongs to the
// kitchen", "move the plumber task to House Move". It sees words alone: which project they
// name, and whether there is such a task, is for others to find.
package away

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed words.txt
var text string

// kinds is what each word of words.txt is.
var kinds = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for kind, words := range language.Lists(text) {
		for w := range strings.FieldsSeq(words) {
			out[w] = kind
		}
	}
	return out
})

// A Wish is what stands before the project that a clause ends with.
type Wish struct {
	Title  []language.Token // the words that tell what moves
	Points bool             // there are none, and it is what was told before: "it", "that task"
	Moves  bool             // a word for moving, or for a task, is among them
	Leads  bool             // the last one leads to the project ("to"); others tell where something is ("in")
	Closed bool             // what moves isn't named directly before that: "the plumber belongs to"
}

// Read reads the words before a project. ok is false where none leads to it, where nothing
// is named or pointed at, and where a memory is.
func Read(before []language.Token) (w Wish, ok bool) {
	n := len(before) - 1
	if n < 1 || before[n].Quoted || !slices.Contains([]string{"leads", "lies", "is"}, kinds()[before[n].Norm]) {
		return w, false
	}
	is := kinds()[before[n].Norm] == "is" // "no, that's the barn"
	points := false
	for _, t := range before[:n] {
		kind := kinds()[t.Norm]
		if w.Closed = !Tells(t); !w.Closed {
			w.Title = append(w.Title, t)
		} else if kind == "other" {
			return w, false
		}
		w.Moves = w.Moves || w.Closed && (kind == "moves" || kind == "task")
		points = points || w.Closed && (kind == "points" || kind == "task")
	}
	w.Points = points && len(w.Title) == 0
	w.Leads = kinds()[before[n].Norm] == "leads" || is
	return w, w.Points || len(w.Title) > 0 && !is
}

// Orders reports whether words order something to be put elsewhere, which they have named.
func Orders(toks []language.Token) bool {
	has := func(kind string) bool {
		return slices.ContainsFunc(toks, func(t language.Token) bool { return !t.Quoted && kinds()[t.Norm] == kind })
	}
	return has("moves") && has("there")
}

// Tells reports whether a word can tell what it is that moves.
func Tells(t language.Token) bool {
	return t.Word && (t.Quoted || kinds()[t.Norm] == "" && !language.Class("<stop>", t.Norm))
}
