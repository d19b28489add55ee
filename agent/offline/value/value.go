// Package value says what the words in a slot of a message stand for: a priority, or the
// state of a task. Its words are in words.txt.
package value

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed words.txt
var text string

// A value is what some words in a slot stand for.
type value struct {
	slot, name string
	words      []string
}

var values = sync.OnceValue(func() []value {
	var out []value
	for head, words := range language.Lists(text) {
		slot, name, _ := strings.Cut(head, " ")
		out = append(out, value{slot, name, strings.Fields(words)})
	}
	return out
})

// Of is what the words in a slot stand for; empty: nothing that kist knows.
func Of(slot string, toks []language.Token) string {
	not := language.Has(toks, "not|no|never|without|nothing")
	for _, v := range values() {
		if v.slot != slot || !slices.ContainsFunc(toks, func(t language.Token) bool { return slices.Contains(v.words, t.Norm) }) {
			continue
		}
		if not && slot == "priority" && (v.name == "urgent" || v.name == "high") {
			return "low"
		}
		return v.name
	}
	return ""
}

// Only reports whether words are nothing but those for a value, and how much of it: "not so
// important", "really urgent".
func Only(slot string, toks []language.Token) bool {
	return Of(slot, toks) != "" && !slices.ContainsFunc(toks, func(t language.Token) bool {
		return t.Word && Of(slot, []language.Token{t}) == "" && !language.In(degree, t.Norm)
	})
}

// degree words say how much, or stand around those that say what.
const degree = "not|no|never|so|very|too|really|quite|rather|that|all|at|a|in|is|it|priority|prio|nicht|sehr|so|ganz|ist|es"
