// Package every reads an order about all tasks of a kind: what is to become of each, and which
// are meant, in the words of a question for a list. "Reschedule all overdue tasks to Monday".
package every

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/language"
	"kist/agent/offline/field"
	"kist/agent/offline/todo"
	"kist/agent/offline/value"
)

//go:embed en.txt
var text string

// An Order says what is to become of each task: one of Status, Field, By, Delete, Archive and To is set.
type Order struct {
	Delete  bool   // they go
	Archive bool   // they are put aside
	To      string // the words for the note to which they move

	Status string // done, cancelled, todo or in_progress
	Field  field.Order
	By     todo.Shift // of the day that it has
	Set    string     // the words for the tasks that are meant
	Tasks  bool       // they say that it is tasks
}

var forms = sync.OnceValue(func() []language.Form { return language.Forms(text) })

// longest is how many tokens such an order has at most.
const longest = 32

// whole are the tokens of a message that is one order; nil: it is more, or none.
func whole(said string) []language.Token {
	toks := language.SkipAsking(language.TrimMarks(language.SkipOpeners(language.Tokenize(said))))
	if len(toks) > 0 && language.In("please|bitte", toks[len(toks)-1].Norm) {
		toks = language.TrimMarks(toks[:len(toks)-1])
	}
	if len(toks) > longest || slices.ContainsFunc(toks, func(t language.Token) bool {
		return !t.Quoted && (language.In(";|!|?|\n", t.Norm) || t.Norm == "." && language.EndsSentence(said, t.Start))
	}) {
		return nil
	}
	return toks
}

// Read reads the order that a message is, and nothing else. now is what days are counted from.
func Read(said string, now time.Time) (Order, bool) {
	toks := whole(said)
	if len(toks) == 0 {
		return Order{}, false
	}
	if o, task, ok := field.Read(said, toks, now); ok && isSet(task) {
		return ofSet(said, task, Order{Field: o}), true
	}
	for _, f := range forms() {
		fits := func(place string, toks []language.Token) bool {
			switch place {
			case "set":
				return isSet(toks)
			case "level":
				return value.Only("priority", toks)
			case "to":
				return len(toks) <= longestNote && len(language.ContentWords(toks)) > 0
			case "value":
				_, ok := given(f.What, said, toks, now)
				return ok
			case "by":
				return todo.MovedBy(toks, slices.Concat(toks, language.Tokenize("later"))).Set()
			}
			return language.HasWord(toks)
		}
		if filled, ok := f.Fill(toks, fits); ok && !strings.Contains(f.What, " ") {
			if o, ok := order(f.What, said, toks, filled.Places, now); ok {
				return ofSet(said, filled.Places["set"], o), true
			}
		}
	}
	return Order{}, false
}

// order is what a form of a kind orders whose places are filled; false: what stands there is no value.
func order(what, said string, toks []language.Token, places map[string][]language.Token, now time.Time) (o Order, ok bool) {
	switch what {
	case "by":
		o.By = todo.MovedBy(places["by"], toks)
		if o.By.Unclear && language.Begins(toks, "postpone|push|delay|defer|reschedule|put") {
			o.By.Unclear = false
		}
		return o, !o.By.Unclear
	case "due", "scheduled", "tag":
		v, ok := given(what, said, places["value"], now)
		o.Field = field.Order{Name: what, Value: v}
		return o, ok
	case "delete", "archive":
		o.Delete, o.Archive = what == "delete", what == "archive"
		return o, tasks(places["set"])
	case "move":
		toks := places["to"]
		for len(toks) > 1 && language.Class("<det>", toks[0].Norm) {
			toks = toks[1:]
		}
		o.To = strings.Trim(said[toks[0].Start:toks[len(toks)-1].End], "\"'“”[] ")
		return o, tasks(places["set"])
	case "priority":
		o.Field = field.Order{Name: what, Value: value.Of("priority", places["level"])}
		return o, true
	}
	o.Status = what
	return o, o.Status != "done" || !language.Has(places["set"], "by|until|till|before|bis") || language.Has(places["set"], "due|overdue|late|scheduled|fällig|fälligen")
}

// tasks: words say of themselves that they mean tasks.
func tasks(set []language.Token) bool { return language.Has(set, taskWords) }

// longestNote is how many tokens name the note to which tasks move.
const longestNote = 8

// given is the day, or the tag, that tokens are and nothing else.
func given(what, said string, toks []language.Token, now time.Time) (v string, ok bool) {
	if what != "tag" {
		v, _ = todo.WholeDate(toks, now)
		return v, v != ""
	}
	v = said[toks[0].Start:toks[len(toks)-1].End]
	return v, len(v) > 1 && v[0] == '#' && !strings.ContainsAny(v, " \t")
}

// ofSet is an order with its tasks.
func ofSet(said string, set []language.Token, o Order) Order {
	o.Set = language.Spell(said, set)
	o.Tasks = tasks(set)
	return o
}

// taskWords are words for tasks, of which there are several.
const taskWords = "tasks|todos|to-dos|task|todo|to-do|items|ones|checkboxes|aufgaben"

// isSet: words may mean all tasks of a kind.
func isSet(toks []language.Token) bool {
	toks = language.TrimMarks(toks)
	switch {
	case len(toks) == 0:
		return false
	case language.Begins(toks, "all|every|each|everything|anything|whatever|alle|alles|jede"):
		return len(toks) > 1
	}
	return language.Begins(toks, "the|my|our|these|those|die|meine|"+states) && language.Has(toks, "tasks|todos|to-dos|ones|checkboxes|aufgaben")
}

// states begin the words for tasks that are so: "done tasks".
const states = "done|finished|completed|complete|open|unfinished|undone|incomplete|cancelled|canceled|abandoned|overdue|late|old|ticked|checked|crossed|closed|untagged|recurring|undated|erledigte|offene|abgeschlossene|überfällige"
