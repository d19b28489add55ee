package interpret

import (
	"slices"

	"kist/agent/language"
)

// Orders about tasks that are there stand beside each other, and beside new ones: "rename the
// coach one to “Book the coach” and add a task to ring Bo". Each is a clause of its own, and
// none is itself a thing to do.

const (
	toOne  = "that|this very? last|latest|newest|new|recent? one|<taskword>|entry|item" // a task, and nothing else
	toLast = "the|my very? last|latest|newest|new|recent one|<taskword>|entry|item"
	toIt   = "it|that|this" // may be a project as well

	onTask  = "<renameverb>|<deleteverb>|<ticking>|<ordering>"
	newTask = "<addverb> <det>? <adjective>? <taskword>"
	newOne  = "<addverb> one|another to|for"
)

// askingWords begin what is wanted of kist besides.
var askingWords = []string{"tell|show|give|explain me|us", "tell|explain to me|us", "explain why|how|what|when|where", "let me|us know", "can|could|would|will you"}

// orderStarts are the tokens of a sentence, behind its first, with which another order about
// tasks begins.
func orderStarts(toks []language.Token, from, to int) []int {
	var out []int
	toks = toks[:to]
	for i := from + 1; i < to; i++ {
		joins := !toks[i].Quoted && language.In("and|then|plus", toks[i].Norm) && !language.In("and|then|plus", toks[i-1].Norm)
		if toks[i].Quoted || !joins && toks[i-1].Norm != "," {
			continue
		}
		before, rest := afterMends(toks[from:i]), language.SkipOpeners(toks[i:])
		_, _, denied := language.Find(before, goneBy...)
		switch {
		case language.Begins(rest, newTask, newOne), joins && language.Begins(rest, askingWords...):
		case (denied || isOrder(before)) && isOrder(rest), isOrder(before) && joins && (namesAlso(toks[i:]) || saysOfOne(rest)):
		default:
			continue
		}
		out, from = append(out, i), i
	}
	return out
}

// isOrder: words begin with what is to be done to a task that is named as one, or make one.
func isOrder(toks []language.Token) bool {
	if language.Begins(toks, newTask, newOne) {
		return true
	}
	if !language.Begins(toks, onTask, "get|be rid of") {
		return false
	}
	for i, t := range toks {
		switch {
		case i == 0:
		case t.Quoted:
			return true
		case !t.Word && t.Norm != `"` && t.Norm != "'":
			return false
		case language.In("one|ones", t.Norm), language.Class("<taskword>", t.Norm):
			next := toks[i+1:]
			return len(next) == 0 || !next[0].Word || next[0].Quoted || language.Class("<behindpointed>", next[0].Norm) || language.Class("<doneword>", next[0].Norm) || language.In("too|please|as|high|low|medium|urgent", next[0].Norm)
		}
	}
	return language.Begins(toks, "tick|untick|uncheck off?", "check|cross|strike off")
}

// namesAlso: words name one more task and say no more: "and the coach one too".
func namesAlso(toks []language.Token) bool {
	toks = language.TrimMarks(toks)
	return language.Begins(toks, "and <det>") && also(toks) != nil && (language.Has(toks, "one|ones|<taskword>") || slices.ContainsFunc(toks, func(t language.Token) bool { return t.Quoted }))
}

// saysOfOne: words say something of one more task: "the hall one should be done by Friday".
func saysOfOne(toks []language.Token) bool {
	i := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && language.Class("<aux>", t.Norm) })
	return i > 1 && i < maxAlso && language.Class("<det>", toks[0].Norm) && language.Fits(toks[i-1], "one|ones|<taskword>")
}

// longestPlace is within how many words a task or its new name is said in an order.
const longestPlace = 24

// placeOfOrder: tokens can stand in a place of an order.
func placeOfOrder(place string, toks []language.Token) bool {
	inner := language.TrimMarks(toks)
	if len(inner) == 0 || len(inner) > longestPlace {
		return false
	}
	last := inner[len(inner)-1]
	switch place {
	case "title", "rest":
		return language.HasWord(toks)
	case "name":
		return inner[min(1, len(inner)-1)].Quoted
	}
	return pointsToLast(inner) || language.Class("<det>", inner[0].Norm) && !last.Quoted && len(inner) > 2 && (language.In("one|ones", last.Norm) || language.Class("<taskword>", last.Norm))
}

// pointsToLast: words mean the task that was spoken of last.
func pointsToLast(toks []language.Token) bool {
	n, ok := language.MatchAny(toks, toOne, toLast)
	return ok && n == len(toks)
}
