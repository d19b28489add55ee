package passage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kist/agent/language"
)

// A Question is what is looked for.
type Question struct {
	Want  Want
	Words []string
	Now   time.Time
	Names []string                  // words that say little here, as those of the project's name
	Since []string                  // words of the question before, which this one goes on about
	Under func(section string) bool // the section answers such questions; nil: none does
	Dated bool                      // of decisions and the like the newest holds
	Only  bool                      // what lacks what is wanted is no answer
}

// Ask reads a question. topic are its words without those that every question has; toks
// are all.
func Ask(topic string, toks []language.Token, now time.Time) Question {
	q := Question{Now: now}
	var taken map[string]bool
	q.Want, taken = wantOf(toks)
	var measures []string
	for _, w := range language.ContentWords(language.Tokenize(topic)) {
		switch {
		case language.Class("<stop>", w):
		case !taken[w]:
			q.Words = append(q.Words, w)
		case !listed("measure", w):
			measures = append(measures, w)
		}
	}
	if len(q.Words) == 0 || q.Vague() {
		q.Words = append(q.Words, measures...) // "what's the price?"
	}
	return q
}

// Vague: the question's words say little.
func (q Question) Vague() bool {
	return len(q.Words) > 0 && !slices.ContainsFunc(q.Words, func(w string) bool { return !listed("weak", w) })
}

// Topics are the question's words that say what it is about.
func (q Question) Topics() []string {
	return slices.DeleteFunc(slices.Clone(q.Words), func(w string) bool { return listed("weak", w) || listed("measure", w) || listed("question", w) })
}

// A Document is where passages are.
type Document struct {
	Path  string
	Lines []string
	From  int    // number of the first line
	Day   string // when it was written, where all of it was at once; YYYY-MM-DD
	Own   bool   // of the project that is talked about
	Last  bool   // it only repeats: a draft, the welcome
	Said  bool   // somebody said it, and it is in no file
}

// A Quote is a passage that answers.
type Quote struct {
	Path   string
	Line   int
	Text   string
	Follow []string // the list that the text introduces
	Day    string   // when it was recorded, where that is known
	Said   bool     // and is written nowhere
	Before bool     // what stands before it took its place
	Holds  bool     // what was asked for

	share, score float64
	grade        int
	section      string
	own          bool
	subject      []string // words of the question that tell what it is about
	rest, news   bool
}

// most quotes are given.
const most = 3

// enough is the share of a question's words that a passage must have.
const enough = 0.5

// Answer ranks what documents say.
func (q Question) Answer(docs []Document) []Quote {
	if len(q.Words) == 0 {
		return nil
	}
	var all []candidate
	for _, d := range unwritten(docs) {
		all = append(all, q.candidates(d)...)
	}
	known := make([]float64, len(q.Words))
	for i, w := range q.Words {
		known[i] = q.weigh(w)
		if !slices.ContainsFunc(all, func(c candidate) bool { return Like(c.words, w) }) {
			known[i] /= 2 // what no passage has says less of them
		}
	}
	var quotes []Quote
	for _, c := range all {
		if quote, ok := q.judge(c, known); ok {
			quotes = append(quotes, quote)
		}
	}
	picked := q.pick(quotes)
	if len(picked) == 0 {
		return nil
	}
	for _, c := range all {
		if quote, _ := q.judge(c, known); !c.doc.Said && corrects(quote, picked[0]) {
			quote.Holds, picked[0].Before = true, true
			return append([]Quote{quote}, picked[:min(len(picked), most-1)]...)
		}
	}
	return picked
}

// corrects: a later line of the same document takes back a value: "we're getting 3,500
// instead of the 4,000".
func corrects(a, b Quote) bool {
	if a.Path != b.Path || a.Line <= b.Line || a.Day == "" || a.Day < b.Day {
		return false
	}
	toks := language.Tokenize(a.Text)
	_, n, ok := language.Find(toks, words().instead...)
	if !ok {
		return false
	}
	said := language.Tokenize(b.Text)
	return slices.ContainsFunc(toks[n:min(len(toks), n+3)], func(t language.Token) bool {
		return (language.Digital(t.Norm) || language.Count(t.Norm) > 1) && slices.ContainsFunc(said, func(o language.Token) bool { return o.Norm == t.Norm })
	})
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

// weigh is what a word counts for.
func (q Question) weigh(w string) float64 {
	if listed("weak", w) || slices.ContainsFunc(q.Names, func(n string) bool { return language.Alike(w, n) == 1 }) {
		return weak
	}
	if slices.Contains(q.Since, w) {
		return since
	}
	return 1
}

// since is what a word of the question before counts for.
const since = 0.8

// weak is what a word counts for that tells little.
const weak = 0.4

// A candidate is a sentence of a passage, or all of one that introduces a list, with its
// words and those around it.
type candidate struct {
	Passage
	doc         *Document
	words, head []string
	own         int    // so many of the words are its own; the others stand before it
	prev, next  string // the sentences around it
	day         string
	listed      bool // its line begins with a day
}

func (q Question) candidates(d Document) []candidate {
	title, list := Read(d.Lines, max(d.From, 1))
	if d.Day == "" && d.From <= 1 {
		d.Day = writtenOn(d.Lines)
	}
	var out []candidate
	for i, p := range list {
		text, day := undated(p.Text)
		head := wordsIn(p.Section + " " + title)
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
		}
		for n, s := range sentences {
			if day != "" && language.Asks(language.Tokenize(s)) {
				continue // what was asked answers nothing
			}
			p.Text = s
			c := candidate{Passage: p, doc: &d, words: sentenceWords(s), head: head, day: cmp.Or(day, d.Day), listed: day != ""}
			c.own = len(c.words)
			if c.prev = prev; n > 0 {
				c.prev = sentences[n-1]
			}
			if n+1 < len(sentences) {
				c.next = sentences[n+1]
			}
			if bare, _ := undated(s); listed("back", firstOf(bare)) {
				c.words = append(c.words, sentenceWords(c.prev)...) // "His quote is 86,400 now", behind "I rang Mr Harcastle"
			}
			out = append(out, c)
		}
	}
	return out
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

// share is how much of a question some words have. What is in the heading or title above
// counts half, but not alone.
func (q Question) share(line, head []string, known []float64) float64 {
	sum, all, in := 0.0, 0.0, 0.0
	for i, w := range q.Words {
		all += known[i]
		switch part := has(line, w); {
		case part > 0:
			sum += part * known[i]
			in += known[i]
		case Like(head, w):
			sum += known[i] / 2
		}
	}
	if in == 0 && len(q.Words) > 1 {
		return 0
	}
	return sum / all
}

// has is how well some words have w: as a form of it, or as a part of a longer word
// ("doorway" of "door").
func has(words []string, w string) float64 {
	if Like(words, w) {
		return 1
	}
	if len(w) >= 4 && slices.ContainsFunc(words, func(o string) bool { return len(o) >= len(w)+3 && strings.HasPrefix(o, w) }) {
		return 0.7
	}
	return 0
}

// judge makes a quote of a candidate that has enough of the question's words, or that is
// news and has some. What the question is about must be in it: the words for what is done
// or measured only tell which is better.
func (q Question) judge(c candidate, known []float64) (Quote, bool) {
	quote := Quote{
		Path: c.doc.Path, Line: c.Line, Text: c.Text, Follow: c.Follow, Day: c.day, Said: c.doc.Said, rest: c.doc.Last, section: c.Section, own: c.doc.Own,
		share: q.share(c.words, c.head, known), grade: holds(q.Want, c.Text, q.Now),
	}
	quote.subject = q.subject(c.words, known)
	q.tell(c, &quote)
	quote.Text = language.Limit(quote.Text, 2*Longest)
	quote.Holds = quote.grade > lacks
	quote.news = c.day != "" && isNews(c.Text)
	newer := quote.news && quote.Holds && (q.Want != "" || c.listed) && quote.share >= 0.3
	if len(quote.subject) == 0 || !newer && (quote.share < enough || quote.share == enough && len(q.Words) > 1) {
		return quote, false
	}
	quote.score = quote.share
	if q.Under != nil && q.Under(c.Section) {
		quote.score += 0.3
	}
	switch {
	case c.doc.Said:
		quote.score -= 0.1
	case c.doc.Own:
		quote.score += 0.15
	}
	return quote, true
}

// subject are the question's words that say what it is about, and that some words have.
func (q Question) subject(words []string, known []float64) []string {
	light := !slices.ContainsFunc(q.Words, func(w string) bool { return q.weigh(w) > weak })
	var out []string
	for i, w := range q.Words {
		if (light || known[i] > weak) && has(words, w) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// tell quotes a sentence with those around it that it needs: the one that names what it is
// about, the one behind that tells what is wanted.
func (q Question) tell(c candidate, quote *Quote) {
	own := slices.ContainsFunc(quote.subject, func(w string) bool { return has(c.words[:c.own], w) > 0 })
	if q.Want == Money && quote.grade == exact && own && len(Prices(c.Text, q.Now)) > 0 {
		if _, n := PriceOf(c.Text, quote.subject, q.Now); n == 0 {
			quote.grade = vague // it is the price of something else, for all one can tell
		}
	}
	if after := holds(q.Want, c.next, q.Now); quote.grade == lacks && after > lacks && told(q.Want) && (q.Want != Money || listed("back", firstOf(c.next)) || c.own <= briefly) {
		quote.Text, quote.grade = c.Text+" "+c.next, after
	}
	ahead := slices.ContainsFunc(quote.subject, func(w string) bool { return has(c.words[:c.own], w) == 0 })
	if ahead && c.prev != "" && !c.listed {
		quote.Text = c.prev + " " + quote.Text
	}
}

// briefly is how many words a sentence has at most that only names what the next tells of:
// "First things first: the roof."
const briefly = 5

// told: what is wanted is often told in the sentence behind that which names the thing.
func told(w Want) bool { return w == Money || w == When || w == Time || w == Long }

// isNews: a text says that something has another value now.
func isNews(text string) bool {
	text, _ = undated(text)
	_, _, ok := language.Find(language.Tokenize(text), words().news...)
	return ok
}

// pick takes the best few quotes: what holds the answer, the newest first of those that
// speak of the same.
func (q Question) pick(quotes []Quote) []Quote {
	if slices.ContainsFunc(quotes, func(c Quote) bool { return !c.rest && !c.Said }) {
		quotes = slices.DeleteFunc(quotes, func(c Quote) bool { return c.rest })
	}
	grade := lacks
	for _, c := range quotes {
		if c.share > enough || len(q.Words) == 1 {
			grade = max(grade, c.grade)
		}
	}
	quotes = slices.DeleteFunc(quotes, func(c Quote) bool {
		return q.Only && !q.tells(c) || c.grade < grade && !(c.news && c.Holds && q.Want != Money) || grade == lacks && c.share <= enough && len(q.Words) > 1
	})
	quotes = slices.DeleteFunc(quotes, func(c Quote) bool { // the decision that was made of what was said
		return q.Want == Why && slices.ContainsFunc(quotes, func(o Quote) bool { return len(o.Text) > len(c.Text) && !o.Said && within(c.Text, o.Text) })
	})
	slices.SortStableFunc(quotes, func(a, b Quote) int { return cmp.Compare(b.score, a.score) })
	if len(quotes) == 0 {
		return nil
	}
	top := quotes[0].score
	near := slices.DeleteFunc(slices.Clone(quotes), func(c Quote) bool { return c.score < top-0.34 && !c.news })
	return q.newest(near)
}

// tells: a quote surely holds what is wanted.
func (q Question) tells(c Quote) bool {
	return c.Holds && (c.grade == exact || q.Want != Who && q.Want != Person && q.Want != Why)
}

// newest puts the newest first and says which it took the place of.
func (q Question) newest(quotes []Quote) []Quote {
	first := quotes[0]
	for _, c := range quotes {
		if q.replaces(c, first) || q.later(c, first) {
			first = c
		}
	}
	for i := range quotes {
		quotes[i].Before = slices.ContainsFunc(quotes, func(c Quote) bool { return q.replaces(c, quotes[i]) })
	}
	slices.SortStableFunc(quotes, func(a, b Quote) int { return cmp.Compare(behind(a), behind(b)) })
	out := []Quote{first}
	decided := q.Dated && q.Under != nil && q.Under(first.section)
	for _, c := range quotes {
		if decided && q.Want != Why && !c.Said && !q.Under(c.section) {
			continue // what was decided stands among the decisions
		}
		seen := slices.ContainsFunc(out, func(o Quote) bool { return within(c.Text, o.Text) || slices.Contains(o.Follow, c.Text) })
		// What is written need not be said.
		if seen || len(out) == most || c.share <= enough && len(q.Words) > 1 || c.Said && !first.Said {
			continue
		}
		out = append(out, c)
	}
	return out
}

// later reports whether a was said after b, which has no day, and says as much about the
// same: it may have taken its place.
func (q Question) later(a, b Quote) bool {
	return q.Want != "" && a.own && a.Holds && a.Day > b.Day && b.Day == "" && a.grade >= b.grade && a.share >= b.share-0.05 && len(a.subject) > 0 && len(a.subject) >= len(b.subject)
}

// behind puts what something took the place of behind the others.
func behind(c Quote) int {
	if c.Before {
		return 1
	}
	return 0
}

// replaces reports whether a is what holds now of what b said: it is newer, about the
// same, and says that something changed, or both are of one list with days.
func (q Question) replaces(a, b Quote) bool {
	if !a.Holds || !after(a, b) {
		return false
	}
	same := len(b.subject) == 0 || slices.ContainsFunc(a.subject, func(w string) bool { return slices.Contains(b.subject, w) })
	listed := b.Day != "" && a.Path == b.Path && a.section == b.section
	asWell := a.grade >= b.grade
	if (q.Want != "" || listed) && same && a.news && (asWell || q.Want != Who && q.Want != Money) {
		return true
	}
	all := !slices.ContainsFunc(b.subject, func(w string) bool { return !slices.Contains(a.subject, w) })
	return listed && (a.share >= b.share-0.1 || q.Want != "" && all) && (q.Dated || q.Want == "" || same && asWell)
}

// after: a was recorded after b. On one day only what says so changed anything.
func after(a, b Quote) bool {
	return a.Day > b.Day || a.Day == b.Day && a.Day != "" && a.Path == b.Path && a.Line > b.Line && a.news
}

// Newer is what took the place of a text since, of which the question's words are.
func (q Question) Newer(text string, docs []Document) (Quote, bool) {
	docs = append([]Document{{Lines: []string{text}}}, docs...)
	quotes := q.Answer(docs)
	if len(quotes) < 2 || !quotes[1].Before || !sameWords(quotes[1].Text, text) {
		return Quote{}, false
	}
	return quotes[0], true
}

// sameWords: two texts say the same.
func sameWords(a, b string) bool { return within(a, b) && within(b, a) }

// within: a text says no more than another does.
func within(a, b string) bool { return strings.Contains(bare(b), bare(a)) }

// bare is a text without the day on which it was recorded and the mark at its end.
func bare(s string) string {
	s, _ = undated(s)
	return strings.ToLower(strings.TrimRight(strings.TrimSpace(s), "."))
}
