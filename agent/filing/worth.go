package filing

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
)

// What is told in plain talk is kept if somebody who takes minutes would: news of the
// undertaking is, weather, moods and other people's lives aren't. How likely a sentence
// is news the trained reader says; an amount, a date or a name raise that.

// How likely, as logarithms of odds. They were chosen with sets left out: there, one of
// four lines of mere talk is kept then, and one of twenty with news isn't
// (TestWhatIsOffered of agent/train). A line that nobody wants costs a look, news
// that is lost more.
const (
	minuted = 0.2  // from here on a sentence is news, whatever else it may be
	kept    = -0.8 // from here on one is kept that asks for something as well
	doubted = -1.8 // a dump is kept for one such sentence
	idle    = -3.2 // what is less likely is mere talk
	raise   = 0.6  // what each of the signs adds
)

// pouring is how many statements are kept without a look at what they say: as many, or
// several on lines of their own, are no small talk.
const (
	pouring      = 5
	pouringLines = 2
)

// news is what share of a reading counts as news. What is asked for is done elsewhere:
// where such a reading has led to nothing, its words were mostly no such thing.
func news(n intent.Name) float64 {
	switch n {
	case intent.News, intent.Elsewhere, intent.AddDecision:
		return 1
	case intent.AddTask:
		return 0.7 // what has the words of a task and is none mostly tells something
	case intent.CompleteTask, intent.UpdateTask, intent.AddNote:
		return 0.5
	case intent.Remember:
		return 0.3
	}
	return 0
}

// courteous: what is said to each other, and told of nothing.
func courteous(n intent.Name) bool {
	return n == intent.Greet || n == intent.Thanks || n == intent.Consent || n == intent.Help
}

// Likely is how likely a sentence is news, as the logarithm of its odds, by what read
// makes of it or of a clause of it: what hangs on it hides what is told.
func Likely(read func(text string) []intent.Reading, sentence string, now time.Time) float64 {
	best := 0.0
	signs := SignsOf(sentence, now)
	if whole := read(sentence); len(whole) > 0 && whole[0].P > 0.5 && courteous(whole[0].Intent) && !signs.Amount && !signs.Date && !signs.Name {
		return math.Inf(-1) // but "thanks, Bo lays them from Monday"
	}
	for _, text := range append(clauses(sentence), sentence) {
		p := 0.0
		for _, r := range read(text) {
			p += r.P * news(r.Intent)
		}
		best = max(best, p)
	}
	best = min(max(best, 0.005), 0.995)
	odds := math.Log(best / (1 - best))
	for _, has := range signs.all() {
		if has {
			odds += raise
		}
	}
	return odds
}

// minClause is how many words a clause has that is read by itself.
const minClause = 4

// clauses are the parts of a sentence between its commas and conjunctions, where it has
// several.
func clauses(sentence string) []string {
	var out []string
	toks := language.Tokenize(sentence)
	from := 0
	for i := 0; i <= len(toks); i++ {
		if i < len(toks) && toks[i].Word && (toks[i].Quoted || !language.Class("<condition>", toks[i].Norm)) {
			continue
		}
		if i-from >= minClause && i-from < len(toks)-1 {
			out = append(out, strings.TrimSpace(sentence[toks[from].Start:toks[i-1].End]))
		}
		from = i + 1
	}
	return out
}

// Plain: a sentence only tells something.
func Plain(sentence string) bool { return extract.Plain(sentence) }

// Minuted: so likely it is news, even where it may be a word on something else.
func Minuted(likely float64) bool { return likely >= minuted }

// Kept: so likely a sentence of plain talk is news that it is written down.
func Kept(likely float64) bool { return likely >= kept }

// reader never changes, and is loaded with the first sentence.
var reader = sync.OnceValues(intent.Load)

// reading reads sentences in the situation of the turn.
func (t *Turn) reading() (read func(text string) []intent.Reading, ok bool) {
	r, err := reader()
	if err != nil {
		return nil, false
	}
	in := intent.Input{Waiting: len(t.Shown) > 0, Asked: t.Asked}
	for _, p := range t.Projects {
		in.Projects = append(in.Projects, p.Name)
	}
	if p, ok := t.Named(t.Project); ok {
		in.Project = p.Name
	}
	return func(text string) []intent.Reading { in.Text = text; return r.Read(in) }, true
}

// likely is Likely in the situation of the turn. What can't be read is kept.
func (t *Turn) likely(sentence string) float64 {
	read, ok := t.reading()
	if !ok {
		return 0
	}
	return Likely(read, sentence, t.Now)
}

// pours: somebody pours out what is on their mind, or tells it in a language that isn't
// read, and it is kept whole.
func (t *Turn) pours() bool {
	if language.IsForeign(t.Text) {
		return true
	}
	n := len(extract.Statements(t.Text))
	return n >= pouring || n >= pouringLines && strings.Contains(strings.TrimSpace(t.Text), "\n")
}

// minutes are those sentences of plain talk that are kept. What somebody pours out is
// kept whole, if some of it tells anything. Of the rest all is that tells something and isn't
// most likely mere talk: a line that nobody wants costs a look, and one that is lost is lost.
func (t *Turn) minutes(told []string) (down []string) {
	if len(told) == 0 || t.Mode != general || t.pours() {
		return told
	}
	best, dump := math.Inf(-1), extract.IsDump(t.Text)
	odds := make([]float64, len(told))
	for i, s := range told {
		odds[i] = t.likely(s)
		best = max(best, odds[i])
	}
	if dump {
		if best >= doubted {
			return told
		}
		return nil
	}
	for i, s := range told {
		least := idle
		if !extract.Plain(s) && !t.pouredOn() {
			switch {
			case t.followed(): // what was asked for was seen to
				least = minuted
			case len(t.Operated) == 0 && slices.Contains(SignsOf(s, t.Now).all(), true): // nothing else would be left of it
				least = doubted
			default:
				least = kept
			}
		}
		if odds[i] >= least || !math.IsInf(odds[i], -1) && t.ofSpeaker(s) || t.righted(s) || extract.Resets(s) || t.figures(s) {
			down = append(down, s)
		}
	}
	return down
}

// ofSpeaker: beside what was done a sentence tells of what the speaker does or will do: "I'm not selling
// the bike".
func (t *Turn) ofSpeaker(s string) bool {
	return len(t.Operated) > 0 && extract.Plain(s) && language.Begins(language.SkipOpeners(language.Tokenize(s)), "i|we am|are|have|will|do *")
}

// righted: a few words put a number right, and nothing waits that they may be a word on.
func (t *Turn) righted(s string) bool { return len(t.Shown) == 0 && extract.Righted(s) }

// figures: a sentence has an amount, and nothing was done or told for the message: it would be
// lost with it.
func (t *Turn) figures(s string) bool {
	return len(t.Operated)+len(t.Shown) == 0 && !t.followed() && !t.Asks && SignsOf(s, t.Now).Amount
}

// remarks: a sentence is a word on what was said or done, and tells nothing.
func (t *Turn) remarks(s string) bool {
	return extract.Remarks(s) && !t.righted(s) && !Minuted(t.likely(s))
}

// pouredOn: what the last reply showed was an offer to keep something in the inbox at hand:
// somebody tells one thing after the other.
func (t *Turn) pouredOn() bool { return t.keeps(t.Project) >= 0 }
