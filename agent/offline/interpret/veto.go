package interpret

import (
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/decided"
	"kist/agent/offline/refer"
	"kist/agent/offline/title"
)

// What rules say to a reading of the model's. They never make an intent of a clause,
// but for the refusal that a "don't" makes of an order.
type veto int

const (
	allowed  veto = iota
	declined      // the clause says not to
	never         // the clause can't mean that
)

// vetoed: the trained model knows the words; what must never go wrong is said here. What
// takes a project away or changes it whole is never read from what is denied, asked or
// hangs on something.
func (r *Reader) vetoed(c *Clause, i intent.Name) veto {
	switch {
	case acts(i) && takenBack(c.All), (restructures(i) || i == intent.CreateProject) && c.Negated && imperativeNot(c.Toks):
		return declined
	case restructures(i) && (c.Negated || c.Question && !polite(c.Toks) || told(c.Toks) || namesFile(c)):
		return never
	case c.hangs(i), denies(c, i), onlyTells(r, c, i), acts(i) && len(c.Toks) > maxCommand && !TakesText(i):
		return never
	}
	return allowed
}

// onlyTells: the form of a clause says that it tells something, and neither asks nor orders.
func onlyTells(r *Reader, c *Clause, i intent.Name) bool {
	switch i {
	case intent.Ask:
		return !c.Question && (relative(c.Src, c.All) || promises(c.Src, c.All))
	case intent.Switch, intent.Back:
		return language.Begins(c.All, "to look|see|go|check|talk|<verb>") // "Ann came to look at the piano"
	case intent.AddTask, intent.AddNote, intent.UpdateTask:
		return i == intent.AddTask && promises(c.Src, c.All) && c.All[0].Norm != "i" || title.Labelled(c.All) && len(r.Scope().Heading(c.Src, c.All).Found) != 1
	}
	return false
}

// denies: words of a clause say that it is not what an intent takes it for.
func denies(c *Clause, i intent.Name) bool {
	switch i {
	case intent.AddDecision:
		return discards(c) || language.Begins(c.Toks, "why", "tell|ask|inform|email|text|write *") || !decided.Says(c.All)
	case StartMode:
		return language.Begins(c.Toks, "why")
	case intent.AddNote:
		return discards(c)
	case intent.AddTask, intent.Remember:
		return deniesText(c, i)
	case intent.AbandonDraft: // "I finish the draft by Easter"
		return language.Has(c.Toks, "finish|finishing|complete|completing") && !c.Negated
	case intent.ForgetMemory: // "please keep the decision"
		return quoted(c.Toks) || !language.Has(c.All, "<removing>")
	case intent.CompleteTask:
		return quoted(c.Toks) || language.Has(c.Toks, "almost|nearly|half|halfway|partly|beinahe|halb|teilweise") || refer.Describes(c.All) || refer.Prices(c.All) || refer.Comes(c.All)
	}
	return takesAway(i) && quoted(c.Toks)
}

// deniesText is what denies says of a task, or of something to remember, that is to be made.
func deniesText(c *Clause, i intent.Name) bool {
	if i == intent.AddTask {
		return title.Logs(c.Body) || !c.asked && mayHave(c.All)
	}
	return mereNews(c.All, c.Text(c.All))
}

// discards: what does away with a note keeps none: "scrap that note about the boiler".
func discards(c *Clause) bool {
	return language.Begins(c.Body, "<deleteverb> <det>? *? <noteword>|decision")
}

// maxCommand is how many words a command holds at most. What is longer tells
// something, and only what takes a text can be meant.
const maxCommand = 48

// namesFile: the words of a path are no project's name.
func namesFile(c *Clause) bool { return strings.Contains(c.Text(c.Toks), ".md") }
