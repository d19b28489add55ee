// Package deadline reads that things have to be ready by a day: "the van must be booked by
// Monday, the quotes by Friday". It sees words alone; whether there are such things is for
// others to find, see refer.Dated.
package deadline

import (
	"slices"
	"time"

	"kist/agent/language"
	"kist/agent/offline/todo"
)

// A Thing is what has to be ready by a day.
type Thing struct {
	Name  string // as it is said
	Does  string // what has to be done with it, in the form in which it is said; empty: that is not said
	Title string // both
	Day   string // YYYY-MM-DD
	Alone bool   // the day is no more than a number: "the 22nd"
}

// longest is how many words name a thing, and maxMore how many say what is done with it.
const (
	longest = 8
	maxMore = 2
)

// Read returns the things that words give a day; none: they say something else as well.
func Read(src string, toks []language.Token, now time.Time) (out []Thing) {
	toks = language.SkipOpeners(language.TrimMarks(toks))
	from := 0
	for i := range len(toks) + 1 {
		if i < len(toks) && (toks[i].Quoted || !language.In(",|;|and|but|\n", toks[i].Norm)) {
			continue
		}
		part := language.Drop(language.TrimMarks(toks[from:i]), "please")
		d, dated := language.FindDay(part, now)
		if !dated && i < len(toks) {
			continue // "the flyers and the posters by Friday"
		}
		if !dated || d.Start == 0 || language.HasWord(part[d.End:]) {
			return nil
		}
		end := d.Start
		for end > 0 && language.In("for|by|until|till", part[end-1].Norm) {
			end--
		}
		if led := end < d.Start || language.In("due|for|by|until|till|before", part[end].Norm); led && end > 0 && language.In("is|are", part[end-1].Norm) {
			end-- // "the hall is for Thursday"
		}
		one, ok := name(src, part[:end], language.In("on|at|in", part[d.Start].Norm))
		if !ok {
			return nil
		}
		one.Day, one.Alone = language.ISODay(d.Day), todo.DayAlone(part[d.Start:d.End])
		out, from = append(out, one), i+1
	}
	return out
}

// Of is the thing that is to be done something with: "Order the cups", "The cups".
func Of(one todo.Todo) []Thing {
	toks := language.Tokenize(one.Title)
	if one.Due == "" || len(toks) == 0 {
		return nil
	}
	thing, ok := name(one.Title, toks, false)
	if thing.Day = one.Due; !ok {
		return nil
	}
	return []Thing{thing}
}

// name reads words as a thing, with what has to be done with it; false: they are none, or
// something only happens with it on the day.
func name(src string, toks []language.Token, happens bool) (Thing, bool) {
	at := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && language.In(needing, t.Norm) })
	if at < 0 && (happens || language.Has(toks, "<aux>")) || language.Has(toks, "<later>|<sooner>|<shifted>") {
		return Thing{}, false
	}
	one, words, ok := Thing{Title: language.Capital(language.Spell(src, toks))}, toks, true
	if at >= 0 {
		words = toks[:at]
		if one.Does, ok = does(toks[at:]); !ok {
			return Thing{}, false
		}
	}
	words = language.TrimMarks(words)
	for n := len(words); n > 0 && language.In("and|but|also|then", words[0].Norm); n = len(words) {
		words = words[1:]
	}
	if at < 0 && len(words) > 1 && language.Class("<verb>", words[0].Norm) {
		one.Does, words = words[0].Norm, words[1:] // "order the cups"
	}
	for n := len(words); n > 0 && language.In("is|are|to|be|for|by", words[n-1].Norm); n = len(words) {
		words = language.TrimMarks(words[:n-1])
	}
	one.Name = language.Spell(src, words)
	return one, len(language.ContentWords(words)) > 0 && len(words) <= longest && !language.Begins(words, "<subject>")
}

// needing are words behind a thing by which something has to become of it.
const needing = "need|needs|must|has|have|should|ought|due|wants"

// does is what has to be done, of the words from the one that says that something has to be.
func does(toks []language.Token) (string, bool) {
	if language.In("has|have", toks[0].Norm) && !language.Begins(toks, "has|have got? to") {
		return "", false
	}
	more := language.Drop(toks[1:], "to|be|being|get|got|gets|due|done|doing|ready|finished|sorted|sorting|in|out|back|up|off|by|with|for|from|the")
	if len(more) > maxMore || slices.ContainsFunc(more, func(t language.Token) bool { return !t.Word || t.Quoted }) {
		return "", false
	}
	if len(more) == 0 {
		return "", true
	}
	return more[0].Norm, true
}
