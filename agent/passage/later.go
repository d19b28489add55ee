package passage

import (
	"path"
	"slices"
	"sort"
	"strings"

	"kist/agent/language"
)

// What was told after a line that answers, of whom or what it names.

const (
	mostLater  = 2   // lines are shown that were told since
	nearLater  = 0.4 // of what the one with the most telling words has of them
	mostBeside = 2   // lines behind one are told with it
	firstFew   = 5   // words by which a line is found among the messages that told it
)

// Later are the lines that were told after quotes and tell something of what these or the question
// name, the newest first. replaces: the first one takes the place of the first quote. said are the
// messages, the newest first: they tell what came after what, where days don't.
func (q Question) Later(quotes []Quote, docs []Document, said []string) (later []Quote, replaces bool) {
	var all []candidate
	for _, d := range unwritten(docs) {
		list := q.candidates(d)
		if path.Base(path.Dir(d.Path)) == "tasks" {
			list = list[:min(len(list), 1)] // behind its title stands the message that made it
		} else {
			list = slices.DeleteFunc(list, func(c candidate) bool { return c.day == "" || !c.listed && strings.Contains(c.Text, "[due:: ") })
		}
		if !d.Last {
			all = append(all, list...)
		}
	}
	for _, of := range quotes {
		words := q.telling(of.Text)
		worth := Question{Words: words}.rarity(all)
		for _, c := range all {
			quote := Quote{Path: c.doc.Path, Line: c.Line, Text: language.Limit(c.Text, 2*Longest), Day: c.day, Said: c.doc.Said, Section: c.Section}
			for i, w := range words {
				if worth[i] > 0 && inWord(c.words[:c.own], w) == 1 {
					quote.score += worth[i]
				}
			}
			known := func(o Quote) bool { return within(c.Text, o.Text) || within(o.Text, c.Text) }
			if quote.score > 0 && !of.Before && !slices.ContainsFunc(slices.Concat(quotes, later), known) && toldAfter(quote, of, said) && q.changes(c.Text) {
				later = append(later, quote)
			}
		}
	}
	top := 0.0
	for _, c := range later {
		top = max(top, c.score)
	}
	later = slices.DeleteFunc(later, func(c Quote) bool { return c.score < nearLater*top })
	sort.SliceStable(later, func(i, j int) bool { return toldAfter(later[i], later[j], said) })
	later = later[:min(len(later), mostLater)]
	return later, len(later) > 0 && q.supersedes(later[0].Text, quotes[0].Text)
}

// Together are quotes, of which the first has what was told beside it in the same message, where that is
// short: "Flour is 24.50 a bag. I need 30 bags." said are the messages.
func Together(quotes []Quote, docs []Document, said []string) []Quote {
	first := together(quotes[0], docs, said)
	out := slices.DeleteFunc(slices.Clone(quotes), func(c Quote) bool { return within(c.Text, first.Text) })
	if first.Lead != "" && within(first.Lead, first.Text) {
		first.Lead = ""
	}
	return append([]Quote{first}, out...)
}

func together(c Quote, docs []Document, said []string) Quote {
	at := slices.IndexFunc(docs, func(d Document) bool { return d.Path == c.Path && !d.Said })
	of := toldIn(c.Text, said)
	if at < 0 || of < 0 || c.Line == 0 || c.Day == "" {
		return c
	}
	lines, here := docs[at].Lines, c.Line-max(docs[at].From, 1)
	beside := func(i int) string {
		if i < 0 || i >= len(lines) {
			return ""
		}
		text, day := undated(strings.TrimPrefix(lines[i], "- "))
		if day == "" || language.Asks(language.Tokenize(text)) || !strings.Contains(strings.ToLower(said[of]), bare(text)) {
			return ""
		}
		return text
	}
	if here < 0 || here >= len(lines) || !within(c.Text, strings.TrimPrefix(lines[here], "- ")) {
		return c
	}
	text, day := undated(c.Text)
	if before := beside(here - 1); before != "" && beside(here-2) == "" {
		text = before + " " + text
	}
	for i := here + 1; i <= here+mostBeside; i++ {
		next := beside(i)
		if next == "" {
			break
		}
		text += " " + next
	}
	if len(text) <= Longest {
		c.Text = strings.TrimLeft(day+": "+text, ": ")
	}
	return c
}

// telling are the words by which a later line is known to be about the same: those that the question
// is about, and the names beside them in the text.
func (q Question) telling(text string) []string {
	text, _ = undated(text)
	out := slices.DeleteFunc(q.Topics(), func(w string) bool { return len(w) < 3 || language.Digital(w) || q.weigh(w) <= weak })
	var beside, all []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;:()", r) }) {
		named := namesIn(part, text)
		all = append(all, named...)
		if shares(wordsIn(part), q.Words) {
			beside = append(beside, named...)
		}
	}
	if len(beside) == 0 {
		beside = all
	}
	for _, w := range beside {
		if !Like(out, w) && q.weigh(w) > weak {
			out = append(out, w)
		}
	}
	return out
}

// namesIn are the names in a part of a text, in small letters.
func namesIn(part, text string) (out []string) {
	toks := language.Tokenize(part)
	for i, t := range toks {
		w := strings.TrimSuffix(t.Norm, "'s")
		if t.Word && len(w) > 2 && language.IsCapital(part, t) && (i > 0 || proper(part) || !strings.HasPrefix(text, part)) &&
			!listed("body", w) && !listed("noplace", w) && !listed("weak", w) && !language.Class("<stop>", w) && !firstPerson(w) {
			out = append(out, w)
		}
	}
	return out
}

// changes: a text tells what is asked for, or that something became otherwise; of a value, that it
// doesn't hold.
func (q Question) changes(text string) bool {
	plain, _ := undated(text)
	toks := language.Tokenize(plain)
	value := q.Want != "" && q.Want != Who && q.Want != Person && q.Want != Why && q.Want != Where
	switch {
	case oneOf(toks, words().roles["musing"]):
		return false
	case q.Want != "" && q.Want != Why && q.holds(text) == exact, oneOf(toks, words().roles["denied"]):
		return true
	}
	return !value && (isNews(text) || oneOf(toks, words().roles["otherwise"]))
}

// supersedes: a later text is the answer now: it has what the older one has of the question, and another
// value of the kind that is asked for.
func (q Question) supersedes(later, older string) bool {
	if q.Want == "" || q.Want == Why || q.holds(later) != exact || !isNews(later) && !oneOf(language.Tokenize(later), words().roles["denied"]) {
		return false
	}
	about := slices.DeleteFunc(q.Topics(), func(w string) bool { return has(sentenceWords(older), w) == 0 })
	have := sentenceWords(later)
	return len(about) > 0 && !slices.ContainsFunc(about, func(w string) bool { return has(have, w) == 0 })
}

// toldAfter: a was told after b.
func toldAfter(a, b Quote, said []string) bool {
	x, y := toldIn(a.Text, said), toldIn(b.Text, said)
	switch {
	case x >= 0 && y >= 0:
		return x < y
	case a.Day != b.Day && a.Day != "" && b.Day != "":
		return a.Day > b.Day
	case a.Path == b.Path && a.Path != "":
		return a.Line > b.Line
	}
	return x >= 0 && y < 0
}

// toldIn is which of some messages told a text; -1: none.
func toldIn(text string, said []string) int {
	list := strings.Fields(bare(text))
	begin := strings.Join(list[:min(len(list), firstFew)], " ")
	return slices.IndexFunc(said, func(m string) bool { return strings.Contains(strings.ToLower(m), begin) })
}
