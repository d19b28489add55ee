package passage

import (
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
	Unit  string                    // what is counted: "how many hours"
	Only  bool                      // what lacks what is wanted is no answer
	Last  bool                      // what holds now is asked for, in so many words

	Whether bool // it asks whether something is so

	beside map[string][]string // what was said with a sentence
	lines  map[string]int      // how many lines have a word of it
	or     map[string]string   // of two words between which it asks, the other: "Thursday or Friday"
}

// Ask reads a question. topic are its words without those that every question has; toks
// are all.
func Ask(topic string, toks []language.Token, now time.Time) Question {
	q := Question{Now: now}
	var taken map[string]bool
	q.Want, taken = wantOf(toks)
	q.Unit = unitOf(toks)
	q.Last = language.Has(toks, "now|currently|current|latest|nowadays")
	if said := language.SkipOpeners(toks); len(said) > 1 {
		q.Whether = language.Class("<aux>", said[0].Norm) || language.In("so|and|but", said[0].Norm) && language.Class("<aux>", said[1].Norm)
	}
	q.or = map[string]string{}
	for i := 1; i+1 < len(toks); i++ {
		if toks[i].Norm == "or" {
			q.or[toks[i-1].Norm], q.or[toks[i+1].Norm] = toks[i+1].Norm, toks[i-1].Norm
		}
	}
	var measures []string
	for _, w := range language.ContentWords(language.Tokenize(topic)) {
		switch {
		case language.Class("<stop>", w), language.Class("<stop>", strings.TrimSuffix(w, "'s")): // "she's"
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

// Nameless: a question that nothing answers names no thing, but for words that say little and slips of such:
// "who does what agan".
func (q Question) Nameless() bool {
	return !slices.ContainsFunc(q.Topics(), func(w string) bool { return !slipOfWeak(w) })
}

// slipOfWeak: a word is a letter away from one that says little.
func slipOfWeak(w string) bool {
	for o := range words().lists["weak"] {
		if len(w) > 3 && len(o) > 3 && language.OneApart(w, o) {
			return true
		}
	}
	return false
}

// A Quote is a passage that answers.
type Quote struct {
	Path    string
	Line    int
	Text    string
	Follow  []string // the list that the text introduces
	Day     string   // when it was recorded, where that is known
	Said    bool     // and is written nowhere
	Before  bool     // what stands before it took its place
	Holds   bool     // what was asked for
	Whole   bool     // it has the words of the question that count, or nearly all
	Lead    string   // what it goes on about, where it doesn't say so itself
	Section string   // the heading that it stands under

	share, score float64
	grade        int
	own          bool
	subject      []string // words of the question that tell what it is about
	thing        []string // those of them that the fewest lines have
	of           []string // those of them that it tells of, and doesn't only name
	rest, news   bool
	goesOn       bool // about what the line before it tells of
}

// enough is the share of a question's words that a passage must have.
const enough = 0.5

// Answer ranks what documents say.
func (q Question) Answer(docs []Document) []Quote {
	if len(q.Words) == 0 {
		return nil
	}
	q.beside = saidBeside(docs)
	var all []candidate
	for _, d := range unwritten(docs) {
		all = append(all, q.candidates(d)...)
	}
	known := make([]float64, len(q.Words))
	q.lines = map[string]int{}
	for i, w := range q.Words {
		known[i], q.lines[w] = q.weigh(w), linesWith(all, w)
		switch n := q.lines[w]; {
		case n == 0:
			known[i] /= 2 // what no passage has says less of them
		case n > max(usual, len(all)/3) && !q.light():
			known[i] = min(known[i], weak) // nor what many have
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
	for i, c := range all {
		if quote, _ := q.judge(c, known); !c.doc.Said && corrects(quote, picked[0]) {
			if i+1 < len(all) && all[i+1].doc == c.doc && all[i+1].Line == c.Line+1 && told(q.Want) && q.holds(all[i+1].Text) == exact {
				next, _ := undated(all[i+1].Text)
				quote.Text += " " + next // "can't do the 5th", and then which day instead
			}
			quote.Holds, picked[0].Before = true, true
			return append([]Quote{quote}, picked[:min(len(picked), most-1)]...)
		}
	}
	return q.withLast(picked, all, known)
}

// usual is in how many lines a word may stand and still tell what a question is about.
const usual = 12

// linesWith counts the passages that have a word.
func linesWith(all []candidate, w string) (n int) {
	for _, c := range all {
		if has(c.words[:c.own], w) > 0 {
			n++
		}
	}
	return n
}

// withLast puts first what news said later of whom or what the best quote names, where what
// holds now is asked for, as it is of a day to come: "Frau Hölzl now says 640,000" took the place of what she said before.
func (q Question) withLast(picked []Quote, all []candidate, known []float64) []Quote {
	if !q.Last && q.Want != When && q.Want != Time && !q.somebodys() || q.Want == "" || q.Want == Why || picked[0].Said {
		return picked
	}
	first := picked[0]
	for _, c := range all {
		quote, _ := q.judge(c, known)
		if q.somebodys() && !oneOf(language.Tokenize(quote.Text), words().roles["succeeds"]) {
			continue // it only tells more of them
		}
		if quote.news && quote.Holds && after(quote, first) && !quote.Said && sharesName(quote.Text, picked[0].Text, q.Names) {
			first = quote
		}
	}
	if first.Text == picked[0].Text {
		return picked
	}
	picked[0].Before = true
	return append([]Quote{first}, picked[:min(len(picked), most-1)]...)
}

// sharesName: two texts name the same person or thing, besides some words.
func sharesName(a, b string, besides []string) bool {
	a, _ = undated(a)
	b, _ = undated(b)
	for _, t := range language.Tokenize(a) {
		if t.Word && len(t.Norm) > 2 && language.IsCapital(a, t) && !listed("body", t.Norm) && !language.In("frau|herr", t.Norm) && !listed("noplace", t.Norm) && !language.Class("<stop>", t.Norm) && !slices.Contains(besides, t.Norm) &&
			slices.ContainsFunc(language.Tokenize(b), func(o language.Token) bool {
				return strings.TrimSuffix(o.Norm, "'s") == strings.TrimSuffix(t.Norm, "'s") && language.IsCapital(b, o)
			}) {
			return true
		}
	}
	return false
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

// has is how well some words have w: as a form of it, as a part of a longer word ("doorway" of
// "door"), or as what a longer one begins with ("Sponsoren" of "Sponsorengelder").
func has(words []string, w string) float64 {
	if Like(words, w) {
		return 1
	}
	if w == "" {
		return 0
	}
	stem := language.Stem(w) // "stats" of "statistics"
	if len(stem) >= 4 && slices.ContainsFunc(words, func(o string) bool {
		return len(o) >= len(w)+3 && strings.HasPrefix(o, w) || len(o) >= len(stem)+5 && strings.HasPrefix(o, stem)
	}) {
		return 0.8
	}
	if slices.ContainsFunc(words, func(o string) bool { return begins(w, o) }) {
		return meaning
	}
	return 0
}

// begins: a long word is put together of another one, or of its stem, and more.
func begins(w, o string) bool {
	if stem := language.Stem(o); len(stem) > 5 {
		o = stem
	}
	return len(o) > 4 && len(w) >= len(o)+leastRest && strings.HasPrefix(w, o)
}

// leastRest is how long a word is at least that stands behind another one in one word: "geld".
const leastRest = 4

// judge makes a quote of a candidate that has enough of the question's words, or that is
// news and has some. What the question is about must be in it: the words for what is done
// or measured only tell which is better.
func (q Question) judge(c candidate, known []float64) (Quote, bool) {
	quote := Quote{
		Path: c.doc.Path, Line: c.Line, Text: c.Text, Follow: c.Follow, Day: c.day, Said: c.doc.Said, rest: c.doc.Last, Section: c.Section, own: c.doc.Own, goesOn: c.goesOn,
		share: q.share(c.words, c.head, known), grade: q.holds(c.Text),
	}
	if c.called && q.Want == Person {
		quote.grade, c.prev = exact, "" // whose note it is, all of it tells
	}
	quote.subject, quote.Whole = q.subject(c.words, known), q.whole(c)
	if quote.thing = q.ofThing(quote.subject); len(c.words) <= short {
		quote.of = quote.subject
	}
	q.tell(c, &quote)
	quote.Text = language.Limit(quote.Text, 2*Longest)
	quote.Holds = quote.grade > lacks
	quote.news = c.day != "" && (isNews(c.Text) || c.goesOn)
	newer := quote.news && quote.Holds && (q.Want != "" || c.listed) && quote.share >= 0.3
	if len(quote.subject) == 0 || !newer && (quote.share < enough || quote.share == enough && len(q.Words) > 1) {
		return quote, false
	}
	quote.score = quote.share
	if q.Under != nil && q.Under(c.Section) {
		quote.score += 0.3
	}
	if c.called {
		quote.score += 0.2
	}
	switch {
	case c.doc.Said:
		quote.score -= 0.1
	case c.doc.Own:
		quote.score += 0.15
	}
	return quote, true
}

// whole reports whether a candidate has the words of a question that count, or nearly all: of answers
// that lacked more, two in three were beside the point.
func (q Question) whole(c candidate) bool {
	in, all := 0.0, 0.0
	for _, w := range q.Words {
		there := has(c.words, w) > 0 || Like(c.head, w)
		if weight := q.weigh(w); (weight > weak || q.light()) && (there || has(c.words, q.or[w]) == 0) {
			all += weight
			if there {
				in += weight
			}
		}
	}
	return in >= nearlyAll*all || q.light() && in >= enough*all
}

// nearlyAll is the share of what counts of a question that an answer has.
const nearlyAll = 0.75

// light: no word of the question says much.
func (q Question) light() bool {
	return !slices.ContainsFunc(q.Words, func(w string) bool { return q.weigh(w) > weak })
}

// subject are the question's words that say what it is about, and that some words have.
func (q Question) subject(words []string, known []float64) []string {
	var out []string
	for i, w := range q.Words {
		if (q.light() || known[i] > weak) && has(words, w) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// short is how many words a text has at most that tells of each thing that it names.
const short = 10

// ofThing are those words of a subject that the fewest lines have, but for what is done or was.
func (q Question) ofThing(subject []string) []string {
	done := func(w string) bool { return language.Past(w) || strings.HasSuffix(w, "ing") }
	if !slices.ContainsFunc(subject, func(w string) bool { return !done(w) }) {
		return subject
	}
	return slices.DeleteFunc(slices.Clone(subject), func(w string) bool {
		return done(w) || slices.ContainsFunc(subject, func(o string) bool { return !done(o) && q.lines[o] < q.lines[w] })
	})
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
	if after := q.holds(c.next); (quote.grade == lacks && after > lacks || c.listed && after > quote.grade) && told(q.Want) && (c.listed || q.Want != Money || listed("back", firstOf(c.next)) || c.own <= briefly) {
		quote.Text, quote.grade = c.Text+" "+c.next, after
	}
	ahead := slices.ContainsFunc(quote.subject, func(w string) bool { return has(c.words[:c.own], w) == 0 })
	switch {
	case !ahead || c.prev == "":
	case !c.listed:
		quote.Text = c.prev + " " + quote.Text
	default:
		for _, lead := range c.leads {
			if words := sentenceWords(lead); slices.ContainsFunc(quote.subject, func(w string) bool { return has(words, w) > 0 }) {
				quote.Lead = lead
			}
		}
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
	toks := language.Tokenize(text)
	_, _, ok := language.Find(toks, words().news...)
	return ok || language.Has(toks, "actually") // which patterns pass over
}
