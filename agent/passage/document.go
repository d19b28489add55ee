package passage

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"kist/agent/language"
)

// What of documents may answer: their sentences, with what stands around them.

// A Document is where passages are.
type Document struct {
	Path  string
	Lines []string
	From  int    // number of the first line
	Day   string // when it was written, where all of it was at once; YYYY-MM-DD
	Own   bool   // of the project that is talked about
	Last  bool   // it only repeats (a draft, the welcome), or is excluded
	Said  bool   // somebody said it, and it is in no file
}

// A candidate is a sentence of a passage, or all of one that introduces a list, with its
// words and those around it.
type candidate struct {
	Passage
	doc         *Document
	words, head []string
	own         int    // so many of the words are its own; the others stand before it
	prev, next  string // the sentences around it
	day         string
	listed      bool     // its line begins with a day
	goesOn      bool     // about what the line before told of
	called      bool     // its document is called as the question names somebody
	leads       []string // the sentences before that it goes on about, the nearest last
}

func (q Question) candidates(d Document) []candidate {
	r := readAll(d.Lines, max(d.From, 1))
	title, list, called := r.title, r.out, q.calledBy(d, append(r.aliases, r.title))
	if d.Day == "" && d.From <= 1 {
		d.Day = writtenOn(d.Lines)
	}
	var out []candidate
	var before candidate
	for i, p := range list {
		text, day := undated(p.Text)
		head := q.head(d, p.Section+" "+title)
		sentences := []string{p.Text}
		if len(p.Follow) == 0 {
			sentences = Sentences(p.Text)
		}
		if len(sentences) > 1 {
			head = append(head, wordsIn(text)...)
		}
		prev := ""
		if i > 0 && list[i-1].Line == p.Line-1 {
			prev, _ = undated(list[i-1].Text)
		} else {
			before = candidate{}
		}
		for n, s := range sentences {
			if asked(s, day != "", path.Base(path.Dir(d.Path)) == "tasks") {
				continue
			}
			p.Text = s
			c := candidate{Passage: p, doc: &d, words: sentenceWords(s), head: head, day: cmp.Or(day, d.Day), listed: day != ""}
			c.own = len(c.words)
			c.words, c.called = append(c.words, called...), len(called) > 0
			if c.prev = prev; n > 0 {
				c.prev = sentences[n-1]
			}
			if n+1 < len(sentences) {
				c.next = sentences[n+1]
			}
			if text, _ := undated(s); goesBack(text, c.prev) || day != "" && !q.somebodys() && (pointsBack(text) || rights(text, c.prev)) {
				c.goesOn = day != "" && (prev != "" || len(q.beside[bare(s)]) > 0)
				c.follow(before, text)
				c.words = append(c.words, q.beside[bare(s)]...)
			}
			before = c
			out = append(out, c)
			joinNext(out)
		}
	}
	return out
}

// head are the words above a passage, with those of its project's name: all of it is of that.
func (q Question) head(d Document, above string) []string {
	if d.Own && !d.Said {
		return append(wordsIn(above), q.Names...)
	}
	return wordsIn(above)
}

// calledBy are the words by which a question names somebody whose document this is: all that it
// says is about them.
func (q Question) calledBy(d Document, names []string) []string {
	if d.Said || !q.calls(append(names, strings.TrimSuffix(path.Base(d.Path), ".md"))) {
		return nil
	}
	return q.Topics()
}

// calls: a question for a person names them by one of the names of a document, which are their own.
func (q Question) calls(names []string) bool {
	if q.Want != Person && q.Want != Number {
		return false
	}
	topics := q.Topics()
	return len(topics) > 0 && slices.ContainsFunc(names, func(name string) bool {
		own := wordsIn(name)
		alike := func(a, b []string) bool {
			return !slices.ContainsFunc(a, func(w string) bool { return !Like(b, strings.TrimSuffix(w, "'s")) })
		}
		return len(own) > 0 && alike(own, topics) && alike(topics, own)
	})
}

// joinNext lets a line that goes on have the few words of the last as its next sentence: "no, it's
// Tuesday", and then which.
func joinNext(all []candidate) {
	if len(all) < 2 {
		return
	}
	if a, c := &all[len(all)-2], all[len(all)-1]; c.listed && a.goesOn && a.Line == c.Line-1 && a.day == c.day && len(c.words) <= briefly {
		a.next, _ = undated(c.Text)
	}
}

// follow takes along the words of what a sentence goes on about, which may go on itself about the same.
func (c *candidate) follow(before candidate, text string) {
	c.leads = []string{c.prev}
	c.words = append(c.words, sentenceWords(c.prev)...) // "His quote is 86,400 now", behind "I rang Mr Harcastle"
	if who := pronoun(text); len(before.leads) > 0 && (who == "" || who == pronoun(before.Text) || !names(c.prev, nil)) {
		c.leads = append(slices.Clone(before.leads), c.prev)
		c.words = append(c.words, before.words...)
	}
}

// goesBack: a text begins with a word for what was told before it; one for a person goes on about
// what names somebody, where names can be told by their letters.
func goesBack(text, before string) bool {
	if !listed("back", firstOf(text)) {
		return false
	}
	return pronoun(text) == "" || before == "" || names(before, nil) || listed("back", firstOf(before)) || pointsBack(before) || before == strings.ToLower(before)
}

// pronoun is the person that a text begins with, by a word that only points to somebody.
func pronoun(text string) string {
	text, _ = undated(text)
	first := firstOf(text)
	for _, of := range []string{"he|er", "she|sie"} {
		if language.In(of, first) {
			return of
		}
	}
	return ""
}

// somebodys: a question is for a person, of whom no sentence goes on with "it".
func (q Question) somebodys() bool { return q.Want == Who || q.Want == Person }

// asked: a sentence asks, in a line of somebody's words, or is the order that made a task, in that
// task's text: it answers nothing.
func asked(s string, line, task bool) bool {
	toks := language.Tokenize(s)
	return line && language.Asks(toks) || task && language.Begins(toks, "<taskword> :", "remind me")
}

// pointsBack: a short text says something of "it" or "that", and names nothing by itself.
func pointsBack(text string) bool {
	toks := language.Tokenize(text)
	back := false
	for i, t := range toks[:min(len(toks), 7)] { // "that will be tight", not "that time"
		alone := i+1 == len(toks) || !toks[i+1].Word || language.Class("<aux>", toks[i+1].Norm) || language.In("to|for|on|by|at|until|now|then", toks[i+1].Norm)
		back = back || t.Norm == "it" || alone && language.In("that|this", t.Norm)
		if !back && language.In("the|a|an|my|our|his|her|their", t.Norm) {
			return false // "I measured the door, it is 78 cm"
		}
	}
	if !back || len(toks) > 16 {
		return false
	}
	return !slices.ContainsFunc(toks[min(1, len(toks)):], func(t language.Token) bool {
		return t.Word && language.IsCapital(text, t) && t.Norm != "i" && !language.Class("<stop>", t.Norm) && !listed("noplace", t.Norm)
	})
}

// rights: a few words put a number right that was told before them: "no, 450".
func rights(text, before string) bool {
	toks, digits := language.Tokenize(text), func(t language.Token) bool { return language.Digital(t.Norm) }
	return mends(text) && slices.ContainsFunc(toks, digits) && slices.ContainsFunc(language.Tokenize(before), digits) &&
		len(slices.DeleteFunc(wordsIn(text), language.Digital)) <= 2
}

// mends: a text begins with a word that takes back what was told before it.
func mends(text string) bool {
	text, _ = undated(text)
	return language.Begins(language.Tokenize(text), "no|nope|sorry|actually|wait|oops|correction")
}

func sentenceWords(text string) []string {
	text, _ = undated(text)
	return wordsIn(text)
}

// firstOf is the first word of a text.
func firstOf(text string) string {
	for _, t := range language.Tokenize(text) {
		if t.Word {
			return t.Norm
		}
	}
	return ""
}

// saidBeside are the words of what was said right before and behind each sentence, of which
// some may be written elsewhere.
func saidBeside(docs []Document) map[string][]string {
	out := map[string][]string{}
	last := "" // the first sentence of the message behind this one
	for _, d := range docs {
		if !d.Said {
			continue
		}
		if d.Path != "" { // a record of many messages, and not the one before
			last = ""
		} else if list := Sentences(strings.Join(d.Lines, " ")); len(list) > 0 {
			if text := bare(list[len(list)-1]); last != "" && (listed("back", firstOf(last)) || pointsBack(last)) {
				out[last] = append(out[last], wordsIn(text)...)
			}
			last = bare(list[0])
		}
		for _, line := range d.Lines {
			list := Sentences(line)
			for i := 1; i < len(list); i++ {
				a, b := bare(list[i-1]), bare(list[i])
				out[a], out[b] = append(out[a], wordsIn(b)...), append(out[b], wordsIn(a)...)
			}
		}
	}
	return out
}

// writtenOn is when a memory or a note was made.
func writtenOn(lines []string) string {
	kept, day := false, ""
	for i, line := range lines {
		if i > 0 && line == "---" || i == 0 && line != "---" {
			break
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		kept = kept || key == "type" && (value == "memory" || value == "note")
		if key == "created" && len(value) >= len(time.DateOnly) {
			day = value[:len(time.DateOnly)]
		}
	}
	if !kept {
		return ""
	}
	return day
}

func wordsIn(text string) []string {
	list := language.ContentWords(language.Tokenize(text))
	for _, w := range list {
		if strings.Contains(w, "-") {
			list = append(list, strings.Split(w, "-")...)
		}
	}
	return slices.DeleteFunc(list, func(w string) bool { return language.Class("<stop>", w) })
}

// unwritten leaves out what was said where it has been written down since.
func unwritten(docs []Document) []Document {
	var written strings.Builder
	for _, d := range docs {
		if !d.Said {
			written.WriteString(strings.ToLower(strings.Join(d.Lines, " ")) + "\n")
		}
	}
	out := slices.Clone(docs)
	for i, d := range out {
		if !d.Said {
			continue
		}
		out[i].Lines = make([]string, len(d.Lines)) // as many, for their numbers
		for n, line := range d.Lines {
			left := slices.DeleteFunc(Sentences(line), func(s string) bool {
				return strings.Contains(written.String(), strings.ToLower(strings.TrimRight(strings.TrimSpace(s), ".!")))
			})
			out[i].Lines[n] = strings.Join(left, " ")
		}
	}
	return out
}
