package offline

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"kist/agent/model"
)

// The kinds of question that kist asks and understands the answers to, beside those of
// package guide. What a question is about stands in its arguments; of several things to
// choose from, the nth one's name among the choices and what else is known of it in
// arguments such as "slug.2".
const (
	askCreate  = "create"  // a project of that name
	askWhich   = "which"   // of these projects is meant in the message
	askInto    = "into"    // which of two projects takes in the other
	askBelongs = "belongs" // to which project the message belongs
	askFirst   = "first"   // what the project is called that the message belongs to
	askTask    = "task"    // whether the message is a task
	askSwitch  = "switch"  // to that project
	askAmong   = "tick"    // which of these tasks is meant
	askMove    = "move"    // which of these moves to its day
	askKept    = "kept"    // which of these memories, or lines told, is meant
	askPlan    = "plan"    // whether to do what was laid out of the message
	askName    = "name"    // of the project that the message describes
	askInstead = "instead" // what a dimension should say
	askMore    = "more"    // what else has changed
	askReading = "reading" // which of two readings of the message is meant
)

var (
	//go:embed words/en.txt
	wordsText string

	words = sync.OnceValue(func() map[string]string { return keyed(wordsText) }) // of the questions, by kind
)

// keyed parses a file of words, a line "key: words" each.
func keyed(file string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(file) {
		if key, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			out[key] = text
		}
	}
	return out
}

// ask asks a question at the end of the reply.
func (t *turn) ask(kind string, args map[string]string) { t.choose(kind, args, nil, nil) }

// choose asks for one of several things. shown is how the question puts them, where
// that isn't their names.
func (t *turn) choose(kind string, args map[string]string, choices, shown []string) {
	if shown == nil {
		for _, c := range choices {
			shown = append(shown, inQuotes(c))
		}
	}
	pairs := []string{"{or}", strings.Join(shown, " or ")}
	for key, value := range args {
		pairs = append(pairs, "{"+key+"}", inQuotes(value))
	}
	t.question = &model.Question{Kind: kind, Args: args, Choices: choices, Text: strings.NewReplacer(pairs...).Replace(words()[kind])}
}

// nth is the name of an argument of the nth choice.
func nth(name string, i int) string { return fmt.Sprintf("%s.%d", name, i+1) }
