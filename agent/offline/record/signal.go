package record

import (
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/title"
	"kist/agent/offline/todo"
)

// A task that nobody asked for is made of what was told only where enough speaks for it; otherwise
// the sentence is kept as it was said, which was hardly ever wrong.

// A signal is what speaks for a thing to do that somebody tells of.
type signal struct {
	verb  bool // it begins with what is done
	thing bool // and says to what
	day   bool // it has a day or a priority
}

// enough are the signals of which a task is made. Strangers judged 943 turns of conversations that
// the code hadn't seen: of those that only kept what was told 11 in 100 were wrong, of those in
// which a task was made 49, and of 74 tasks without both a verb and a thing 55.
var enough = map[signal]bool{
	{verb: true, thing: true, day: true}: true,
	{verb: true, thing: true}:            true,  // what is wrong of them is mostly their place
	{thing: true, day: true}:             true,  // deadlines: events are kept as notes
	{thing: true}:                        false, // "The optician sent", "Martin with his speakers"
	{verb: true, day: true}:              false, // "Pay", "Go in"
	{verb: true}:                         false,
	{day: true}:                          false, // "Ten past two"
	{}:                                   false,
}

// worth leaves of the things to do that a clause tells of those for which enough speaks. What was
// asked for in so many words is made, whatever it is.
func worth(m interpret.Meaning) []todo.Todo {
	c := m.Clause
	if c == nil || len(c.All) == 0 || title.Colon(c.All) > 0 || language.Has(c.All, "<taskword>|<listword>|remind|remember") || language.Begins(language.SkipOpeners(c.All), "please? <addverb>|put|note|write") {
		return m.Todos
	}
	return slices.DeleteFunc(slices.Clone(m.Todos), func(one todo.Todo) bool {
		place := language.Begins(language.Tokenize(one.Title), "somewhere|anywhere|something|anything to") // "I need somewhere to keep all this"
		return place || !enough[signalOf(c, one)]
	})
}

// wholly gives the things to do titles that say enough, and leaves out what is none, or stands in
// the title of another.
func wholly(text string, m interpret.Meaning) (out []todo.Todo) {
	longer := ""
	listed := m.Clause != nil && title.Colon(m.Clause.All) > 0
	for _, one := range m.Todos {
		if title.Half(one.Title) || extract.Courteous(one.Title) {
			continue
		}
		if whole := title.Whole(one.Title, text); whole != one.Title && !listed {
			one.Title, longer = whole, strings.ToLower(whole)
		}
		out = append(out, one)
	}
	return slices.DeleteFunc(out, func(one todo.Todo) bool {
		low := strings.ToLower(one.Title)
		return low != longer && strings.Contains(longer, low)
	})
}

// fewest is how many words say to what something is done, whatever they are.
const fewest = 3

func signalOf(c *interpret.Clause, one todo.Todo) signal {
	toks := language.Tokenize(one.Title)
	if len(toks) == 0 {
		return signal{}
	}
	first, last := toks[0], toks[len(toks)-1]
	s := signal{day: one.Due != "" || one.Priority != ""}
	s.verb = title.Does(first) || language.Fits(first, "<commandverb>|<deedverb>|<reachverb>|<keepverb>|<ticking>") || strings.HasSuffix(last.Norm, "en") && len(toks) > 1
	for i, t := range c.All[1:] {
		s.verb = s.verb || t.Norm == first.Norm && language.In("to|must|should|gotta|please", c.All[i].Norm)
	}
	rest := toks
	if s.verb {
		rest = toks[1:]
	}
	things := slices.DeleteFunc(language.ContentWords(rest), language.Light)
	s.thing = len(things) > 0 || len(rest) > fewest
	return s
}

// ofWhole: a day is told of the project as a whole, rather than of something in it. Where
// a project was given a day by news of somebody or something else that was hardly ever right: "Carol
// will deliver the final plan on Thursday 10 December".
func ofWhole(m interpret.Meaning) bool {
	_, named := m.Project.One()
	return named || m.Clause == nil || m.Righted || moves(m) || ordersChange(m.Clause) ||
		language.Has(m.Clause.All, "<projectword>|deadline|due|by|until|till|bis|start|starts|begin|begins|finish|finished")
}
