// Package dictate reads what is said of notes as such: that one is to be written, with its
// title ("note titled Method: ..."), that something joins one ("add to that note that ..."),
// and what one says ("what did I write about the method?"). It sees words alone: which notes
// there are is for others to find.
package dictate

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/language"
	"kist/agent/offline/manner"
)

//go:embed en.txt
var text string

var words = sync.OnceValue(func() manner.Table { return manner.Read(text) })

// A Kind is what is to be done with a note.
type Kind int

// The kinds.
const (
	None  Kind = iota
	Write      // a new one
	Join       // something is added to one
	Show       // what it says
	Today      // something is added to the note of a day; Note: the words for that day, empty: today
	Chore      // as a task
	Begin      // the note of a day is made, with nothing in it but its template
	OfDay      // what the note of a day says; Note: the words for the day, where it is asked for as a note
)

// ofDay begins what stands for the note of a day among the names of notes, which have no line
// breaks; behind it are the words for the day.
const ofDay = "\n"

// A Dictation is what a message says of a note.
type Dictation struct {
	Kind   Kind
	Before string // what the message says ahead of it
	Note   string // its title, or words for the one that is meant; empty: the last one
	Text   string // to be written; empty where something is added: what was said before
}

// longestTitle is how many words a title has at most, and what else names a note.
const longestTitle = 12

// Read reads the first dictation of a message: the beginning of one of its sentences. What is
// dictated goes on to the end, what is asked to the end of the sentence.
func Read(said string) Dictation {
	all := language.Tokenize(said)
	for i := range all {
		if i > 0 && !endsAt(said, all[i-1]) {
			continue
		}
		toks := lead(all[i:])
		if len(toks) == 0 {
			continue
		}
		for _, read := range []func(string, []language.Token) Dictation{daily, written, joined, shown} {
			if d := read(said, toks); d.Kind != None {
				d.Before = strings.TrimSpace(said[:all[i].Start])
				return d
			}
		}
	}
	return Dictation{}
}

// endsAt: a sentence ends with a token.
func endsAt(said string, t language.Token) bool {
	return !t.Quoted && (language.In("!|?|;|\n", t.Norm) || t.Norm == "." && language.EndsSentence(said, t.Start))
}

// sentence is the tokens up to the end of the first sentence.
func sentence(said string, toks []language.Token) []language.Token {
	if i := slices.IndexFunc(toks, func(t language.Token) bool { return endsAt(said, t) }); i >= 0 {
		return toks[:i]
	}
	return toks
}

// lead drops what an order begins with.
func lead(toks []language.Token) []language.Token {
	for range 4 {
		toks = language.SkipOpeners(toks)
		n := words().Is(toks, "order")
		if n == 0 {
			break
		}
		toks = toks[n:]
	}
	return toks
}

// written reads an order to write a note that says how it is called.
func written(said string, toks []language.Token) Dictation {
	n := words().Is(toks, "new")
	if n == 0 {
		return Dictation{}
	}
	rest := toks[n:]
	called := words().Is(rest, "called")
	if text, ok := whole(said, rest); called == 0 && ok {
		return Dictation{Kind: Write, Text: text}
	}
	if called == 0 {
		if called = words().Is(rest, "about"); called == 0 || toks[0].Norm == "note" || colon(rest) < 0 {
			return Dictation{}
		}
	}
	title, behind := titleOf(said, rest[called:])
	if len(language.ContentWords(title)) == 0 || len(title) > longestTitle {
		return Dictation{}
	}
	return Dictation{Kind: Write, Note: spelt(said, title), Text: textOf(said, behind)}
}

// whole is a note of several sentences that are dictated behind a colon: "note: viewing on
// Sunday. The door sticks." Who speaks may stand before it: "take a note, this is dad: ...".
func whole(said string, toks []language.Token) (text string, ok bool) {
	at := colon(toks)
	if at < 0 || at > 0 && language.HasWord(toks[:1]) {
		return "", false
	}
	rest := sentence(said, toks)
	return textOf(said, toks), len(rest) < len(toks) && language.HasWord(toks[len(rest):])
}

// titleOf parts a title from what stands behind it: it is quoted, or goes on to a colon, else
// to the first mark.
func titleOf(said string, toks []language.Token) (title, behind []language.Token) {
	if len(toks) > 1 && language.In(`"|'`, toks[0].Norm) && toks[1].Quoted {
		n := 1
		for n < len(toks) && toks[n].Quoted {
			n++
		}
		return toks[1:n], toks[min(n+1, len(toks)):]
	}
	end := colon(toks)
	if end < 0 {
		end = slices.IndexFunc(toks, func(t language.Token) bool { return !t.Word && !language.In(`'|&|/`, t.Norm) })
	}
	if end < 0 {
		return toks, nil
	}
	return toks[:end], toks[end:]
}

// colon is where a title ends that a colon stands behind; below 0: nowhere.
func colon(toks []language.Token) int {
	i := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && t.Norm == ":" })
	if i > longestTitle || i > 0 && slices.ContainsFunc(toks[:i], func(t language.Token) bool { return language.In(".|!|?|\n", t.Norm) && !t.Quoted }) {
		return -1
	}
	return i
}

// courtesy are words behind an order that add nothing to it.
const courtesy = "please|too|also|again|back|then|now|thanks|ein|a"

// daily reads what today's note is to say where that is said ahead of it: "today's note: ...",
// "put in today's note that ...", "a task for today's note: ...".
func daily(said string, toks []language.Token) Dictation {
	if n := words().Is(toks, "begin"); n > 0 {
		if day, k := dayNote(said, toks[n:]); k > 0 && !language.HasWord(language.Drop(toks[n+k:], courtesy)) {
			return Dictation{Kind: Begin, Note: orToday(day)}
		}
	}
	n := words().Is(toks, "add")
	if words().Is(toks, "daily") > 0 {
		n = 0 // "note for today: ..."
	}
	rest := toks[n:]
	chore := words().Is(rest, "chore")
	rest = rest[chore:]
	lead := len(rest) > 0 && language.In("to|on|in|into|onto|under|for", rest[0].Norm)
	if lead {
		rest = rest[1:]
	}
	lead = lead || n > 0 && language.In("in|up|down", toks[n-1].Norm)
	day, n2 := dayNote(said, rest)
	behind := rest[n2:]
	switch {
	case n2 == 0 || chore > 0 && !lead:
		return Dictation{}
	case n == 0 && !language.HasWord(behind):
		return Dictation{Kind: OfDay, Note: orToday(day)}
	case (n == 0 || chore > 0) && (len(behind) == 0 || behind[0].Norm != ":"):
		return Dictation{}
	}
	d := join(said, ofDay+day, behind)
	if chore > 0 {
		d.Kind, d.Text = Chore, language.Capital(d.Text)
	}
	return d
}

// joined reads an order to add something to a note, wherever that stands in it: "add to that
// note that ...", "on that note put: ...", "add the ladder to the note about the roof".
func joined(said string, toks []language.Token) Dictation {
	if n := words().Is(toks, "add"); n > 0 {
		if note, behind, ok := named(said, toks[n:], true); ok {
			return join(said, note, behind)
		}
		own := sentence(said, toks)
		for i := len(own) - 2; i > n; i-- {
			if note, behind, ok := named(said, own[i:], false); ok && !language.HasWord(language.Drop(behind, courtesy)) {
				return join(said, note, own[n:i])
			} else if ok && strings.HasPrefix(note, ofDay) && words().Is(behind, "as") > 0 {
				return join(said, note, slices.Concat(own[n:i], behind))
			}
		}
		return Dictation{}
	}
	if note, behind, ok := named(said, toks, true); ok {
		behind = language.TrimMarks(behind)
		if n := words().Is(behind, "add"); n > 0 {
			return join(said, note, behind[n:])
		}
	}
	return Dictation{}
}

func join(said, note string, toks []language.Token) Dictation {
	d := Dictation{Kind: Join, Note: note}
	verbatim := false
	if day, ok := strings.CutPrefix(note, ofDay); ok {
		d.Kind, d.Note = Today, day
		if n := words().Is(toks, "goeson"); n > 0 {
			toks = toks[n-1:]
		}
		verbatim = len(toks) > 0 && toks[0].Norm == ":"
		if n := words().Is(trimLeft(toks), "chore"); n > 0 || !verbatim {
			toks = trimLeft(toks)
		}
		end, n := len(toks), words().Is(toks, "chore")
		for i := max(n, 1); i < len(toks) && n == 0; i++ {
			if k := words().Is(toks[i:], "as"); k > 0 && !language.HasWord(toks[i+k:]) {
				end = i
			}
		}
		if n > 0 || end < len(toks) {
			d.Kind, toks = Chore, toks[n:end]
		}
	}
	if d.Text = dictated(said, toks); !verbatim || d.Kind != Today {
		d.Text = language.Capital(d.Text)
	}
	if inner := language.TrimMarks(toks); len(inner) == 1 && language.Class("<pronoun>", inner[0].Norm) {
		d.Text = ""
	}
	return d
}

// named reads words that lead to a note, and say which: "to that note", "on the roof note",
// "in the note about the roof:". open: something else may follow, which what the note is
// called must then be parted from.
func named(said string, toks []language.Token, open bool) (note string, behind []language.Token, ok bool) {
	n := words().Is(toks, "to")
	if n == 0 || n >= len(toks) {
		return "", nil, false
	}
	if note, rest, ok := noteIn(said, toks[n:]); ok {
		about := max(words().Is(rest, "about"), words().Is(rest, "called"))
		if about == 0 || about == len(rest) {
			return note, rest, true
		}
		title, rest := titleOf(said, rest[about:])
		if i, _, found := language.Find(title, "that"); found && i > 0 && open {
			rest, title = slices.Concat(title[i:], rest), title[:i]
		}
		if open && !language.HasWord(rest) || len(title) > longestTitle {
			return "", nil, false
		}
		return spelt(said, title), rest, true
	}
	return "", nil, false
}

// noteIn reads a note that is pointed to, or has words for it before its noun: "that note",
// "the furniture note".
func noteIn(said string, toks []language.Token) (note string, behind []language.Token, ok bool) {
	if day, n := dayNote(said, toks); n > 0 {
		return ofDay + day, toks[n:], true
	}
	for i := range toks[:min(len(toks), 6)] {
		n := words().Is(toks[i:], "note")
		switch {
		case n > 0 && i > 0 && language.Class("<det>", toks[0].Norm) && !language.In("a|an|another", toks[0].Norm):
			inner := language.Drop(toks[1:i], "last|latest|new|same|first")
			return spelt(said, inner), toks[i+n:], true
		case n > 0 || !toks[i].Word && !language.In(`"|'`, toks[i].Norm):
			return "", nil, false
		}
	}
	return "", nil, false
}

// shown reads a question for what was noted: of a note that is named, or of a thing.
func shown(said string, toks []language.Token) Dictation {
	toks = sentence(said, toks)
	if n := words().Is(toks, "show"); n > 0 {
		rest := toks[n:]
		if day, k := dayNote(said, rest); k > 0 && !language.HasWord(language.Drop(rest[k:], "say|says|contain|out|"+courtesy)) {
			return Dictation{Kind: OfDay, Note: orToday(day)}
		}
	}
	if notedOn(toks) {
		return Dictation{Kind: OfDay}
	}
	if n := max(words().Is(toks, "wrote"), words().Is(toks, "had")); n > 0 {
		topic := language.TrimMarks(toks[n:])
		end := len(topic)
		for end > 0 && words().Is(topic[end-1:], "writing") > 0 {
			end-- // "was hatte ich zu den Möbeln notiert"
		}
		if end == len(topic) && words().Is(toks, "wrote") == 0 {
			return Dictation{} // "what have I to do?"
		}
		topic = topic[:end]
		if note, rest, ok := noteIn(said, topic); ok && !language.HasWord(rest) {
			return Dictation{Kind: Show, Note: note}
		}
		if len(language.ContentWords(topic)) > 0 {
			return Dictation{Kind: Show, Note: spelt(said, topic)}
		}
		return Dictation{}
	}
	n := words().Is(toks, "show")
	if n == 0 {
		return Dictation{}
	}
	note, rest, ok := noteIn(said, toks[n:])
	if !ok {
		return Dictation{}
	}
	if about := max(words().Is(rest, "about"), words().Is(rest, "called")); about > 0 {
		note, rest = "", language.TrimMarks(rest[about:])
		for len(rest) > 0 && words().Is(rest[len(rest)-1:], "saying") > 0 {
			rest = rest[:len(rest)-1]
		}
		return Dictation{Kind: Show, Note: spelt(said, rest)}
	}
	if language.HasWord(language.Drop(rest, "say|says|contain|out|"+courtesy)) {
		return Dictation{}
	}
	return Dictation{Kind: Show, Note: note}
}

// notedOn: a question is for what was noted on a day, and names nothing but that day.
func notedOn(toks []language.Token) bool {
	n := words().Is(toks, "noted")
	if n == 0 {
		return false
	}
	k := aDay(toks[n:])
	return k > 0 && !language.HasWord(toks[n+k:])
}

// aDay is how many tokens at the start of toks name one day.
func aDay(toks []language.Token) int {
	p, k, ok := language.ReadPeriod(toks, time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)) // any now: only the words matter
	if !ok || !p.From.Equal(p.To) || p.From.IsZero() {
		return 0
	}
	return k
}

// longestDay is how many tokens name a day at most, before what is its: "last Monday's note".
const longestDay = 5

// dayNote reads words for the note of a day, and for which day; empty: today.
func dayNote(said string, toks []language.Token) (day string, n int) {
	if n := words().Is(toks, "noteof"); n > 0 {
		if k := aDay(toks[n:]); k > 0 && toks[n].Norm != "today" {
			return spelt(said, toks[n:n+k]), n + k
		}
	}
	if n := words().Is(toks, "daily"); n > 0 {
		return "", n
	}
	start := 0
	if language.Begins(toks, "the|my") {
		start = 1
	}
	for i := start; i < len(toks) && i < start+longestDay && toks[i].Word; i++ {
		owner, ok := strings.CutSuffix(toks[i].Norm, "s") // also without the apostrophe, as most type it
		if owner = strings.TrimSuffix(owner, "'"); !ok {
			continue
		}
		named := slices.Clone(toks[start : i+1])
		named[i-start].Norm, named[i-start].End = owner, named[i-start].Start+len(owner)
		if k := words().Is(toks[i+1:], "daynoun"); k > 0 && aDay(named) == len(named) {
			return spelt(said, named), i + 1 + k
		}
	}
	return "", 0
}

// InNote is how many words say that something stands in the note of a day, "in yesterday's note",
// and that day in words; 0: none do.
func InNote(said string, toks []language.Token) (day string, n int) {
	if len(toks) < 2 || !language.In("in|from|of|on|within|inside", toks[0].Norm) || toks[0].Quoted {
		return "", 0
	}
	if day, n = dayNote(said, toks[1:]); n == 0 {
		return "", 0
	}
	return orToday(day), n + 1
}

// orToday are words for a day.
func orToday(day string) string {
	if day == "" {
		return "today"
	}
	return day
}

// textOf is what is dictated, as a sentence begins.
func textOf(said string, toks []language.Token) string {
	return language.Capital(dictated(said, toks))
}

// dictated is what is dictated, without what leads to it.
func dictated(said string, toks []language.Token) string {
	if len(toks) > 0 && toks[0].Norm == ":" && language.HasWord(toks) { // word for word
		text := said[toks[0].End:toks[len(toks)-1].End]
		if rest := said[toks[len(toks)-1].End:]; strings.TrimSpace(rest) == "" {
			text += rest
		}
		return language.Unwrap(strings.TrimSpace(text))
	}
	toks = trimLeft(toks)
	if n := words().Is(toks, "saying"); n > 0 && n < len(toks) {
		toks = trimLeft(toks[n:])
	}
	if !language.HasWord(toks) {
		return ""
	}
	text := language.Span(said, toks)
	if rest := said[toks[len(toks)-1].End:]; strings.TrimSpace(rest) == "" {
		text = said[toks[0].Start:] // with the mark at its end
	}
	return language.Unwrap(text)
}

func trimLeft(toks []language.Token) []language.Token {
	for len(toks) > 0 && !toks[0].Word && !language.In(`"|'|(|[`, toks[0].Norm) {
		toks = toks[1:]
	}
	return toks
}

// spelt is a name as it was written, without what it is quoted by and articles.
func spelt(said string, toks []language.Token) string {
	return language.Limit(language.Spell(said, language.TrimMarks(language.Inner(toks))), 100)
}
