package turn

import (
	_ "embed"
	"fmt"
	"maps"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/model"
)

// The kinds of question that kist asks and understands the answers to, beside those of
// package guide. What a question is about stands in its arguments; of several things to
// choose from, the nth one's name among the choices and what else is known of it in
// arguments such as "slug.2".
const (
	AskCreate  = "create"  // a project of that name
	AskWhich   = "which"   // of these projects is meant in the message
	AskInto    = "into"    // which of two projects takes in the other
	AskBelongs = "belongs" // to which project the message belongs
	AskFirst   = "first"   // what the project is called that the message belongs to
	AskSwitch  = "switch"  // to that project
	AskAmong   = "tick"    // which of these tasks is meant
	AskMove    = "move"    // which of these moves to its day
	AskKept    = "kept"    // which of these memories, or lines told, is meant
	AskPlan    = "plan"    // whether to do what was laid out of the message
	AskName    = "name"    // of the project that the message describes
	AskInstead = "instead" // what a dimension should say
	AskMore    = "more"    // what else has changed
	AskOnto    = "onto"    // onto which of these lists it is to be put
	AskReading = "reading" // which of two readings of the message is meant
)

var (
	//go:embed words/en.txt
	wordsText string

	Words = sync.OnceValue(func() map[string]string { return ReadWords(wordsText) }) // of the questions, by kind
)

// ReadWords parses a file of words, a line "key: words" each.
func ReadWords(file string) map[string]string {
	return maps.Collect(language.Lists(file))
}

// Ask asks a question at the end of the reply.
func (t *Turn) Ask(kind string, args map[string]string) { t.Choose(kind, args, nil, nil) }

// Choose asks for one of several things. shown is how the question puts them, where
// that isn't their names.
func (t *Turn) Choose(kind string, args map[string]string, choices, shown []string) {
	if shown == nil {
		for _, c := range choices {
			shown = append(shown, InQuotes(c))
		}
	}
	pairs := []string{"{or}", strings.Join(shown, " or ")}
	for key, value := range args {
		pairs = append(pairs, "{"+key+"}", InQuotes(value))
	}
	t.Question = &model.Question{Kind: kind, Args: args, Choices: choices, Text: strings.NewReplacer(pairs...).Replace(Words()[kind])}
}

// Nth is the name of an argument of the nth choice.
func Nth(name string, i int) string { return fmt.Sprintf("%s.%d", name, i+1) }

// GoOn asks what else there is, in a session that gathers what changed, unless
// something else is to be asked.
func (t *Turn) GoOn() {
	if t.Question == nil {
		t.Ask(AskMore, nil)
	}
}
