// Package dated finds what was told to be on a day, among the lines in which it was kept.
package dated

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/passage"
	"kist/vault/pattern"
)

// A Line is what was told on a day, as it was kept.
type Line struct {
	Told string // when; YYYY-MM-DD
	Text string // without that day
	Path string
	At   int // number of the line, from 1; 0: the whole document
}

// A Hit is a line that names a day.
type Hit struct {
	Line
	Day   string   // YYYY-MM-DD
	Also  []string // other days of those that were asked for, which it names
	Later string   // what was told since that may have ended it: "the call is no longer needed"
}

// Place is where a line stands: "inbox.md:12", of a whole document its path.
func (l Line) Place() string {
	if l.At == 0 {
		return l.Path
	}
	return l.Path + ":" + strconv.Itoa(l.At)
}

// toldLine is a line in which something told is kept, with its day.
var toldLine = pattern.Lazy(`^- (\d{4}-\d\d-\d\d): (.+?)\s*$`)

// Lines are the lines of a text that keep what was told.
func Lines(path, text string) (lines []Line) {
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		at++
		if !strings.HasPrefix(line, "- ") {
			continue
		}
		if m := toldLine().FindStringSubmatch(line); m != nil {
			lines = append(lines, Line{m[1], m[2], path, at})
		}
	}
	return lines
}

// Within are the lines that name a day from a first to a last one (YYYY-MM-DD; an empty last is
// open), the nearest day first. A day is read as from the one on which the line was told. Left out
// are those whose place a later line took.
func Within(lines []Line, first, last string) []Hit {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l Line) bool {
		return strings.HasPrefix(l.Text, "~~") || strings.HasPrefix(l.Text, "[") || strings.HasSuffix(l.Text, "?")
	})
	start, err := time.Parse(time.DateOnly, first)
	if err != nil {
		return nil
	}
	var hits []Hit
	for _, l := range lines {
		told, err := time.Parse(time.DateOnly, l.Told)
		toks := language.Tokenize(l.Text)
		if err != nil || !language.MayDate(toks) || start.Sub(told) > reach*24*time.Hour && !far(toks) {
			continue
		}
		var days []string
		for _, d := range daysIn(toks, told) {
			if day := d.within(first, last); day != "" && !d.not {
				days = append(days, day)
			}
		}
		slices.Sort(days)
		if days = slices.Compact(days); len(days) > 0 {
			hits = append(hits, Hit{Line: l, Day: days[0], Also: days[1:]})
		}
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool {
		return slices.ContainsFunc(lines, func(l Line) bool { return h.replaced(l) || h.moved(l) }) || h.older(lines)
	})
	for i := range hits {
		for _, l := range lines {
			if l.after(hits[i].Line) && ends(l.Text) && sharesWord(hits[i].Text, l.Text) {
				hits[i].Later = l.Text
			}
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].Day < hits[j].Day })
	return hits
}

// reach is by how many days a day may lie ahead that is named without a month.
const reach = 62

// far: a month is named, or a day in figures alone. Most of what was told long ago needn't be read.
func far(toks []language.Token) bool {
	return slices.ContainsFunc(toks, func(t language.Token) bool {
		return language.IsMonth(t.Norm) || language.Digital(t.Norm) && strings.ContainsAny(t.Norm, ".-/")
	})
}

// longest is over how many days a stretch may go that is told of as a whole.
const longest = 14

// A day is one that a line names, or a short stretch of days.
type day struct {
	from, to string // YYYY-MM-DD
	not      bool   // it is said that it isn't then
}

// within is the first of a span's days that is one of these; empty: none is.
func (d day) within(first, last string) string {
	from := max(d.from, first)
	if from > d.to || last != "" && from > last {
		return ""
	}
	return from
}

// moving are words that say of a stretch that something moved from its first day to its last.
const moving = "moved|move|changed|shifted|pushed|put|postponed|rescheduled|brought"

// denying are words before a day on which something isn't.
const denying = "not|isn't|from|than|instead"

// daysIn are the days that tokens name, as from a day. What was then, or on the day itself, is past.
func daysIn(toks []language.Token, told time.Time) (days []day) {
	if days = righted(toks, told); len(days) > 0 {
		return days
	}
	for len(toks) > 0 {
		d, ok := language.FindDay(toks, told) // the last one
		if !ok || d.End <= d.Start {
			break
		}
		was := language.Has(toks[max(0, d.Start-2):d.Start], "went|was|were|came|saw|did|rang|had") ||
			language.Has(toks[max(0, d.Start-1):d.End], "last|past|year") || denied(toks[:d.Start]) || happened(toks[:d.Start], toks[d.Start:d.End]) ||
			!d.Day.After(told) && slices.ContainsFunc(toks[:d.Start], func(t language.Token) bool { return t.Word && language.Past(t.Norm) })
		if !was {
			if toks[d.Start].Norm == "before" && language.Has(toks[:d.Start], "not|cannot") {
				d.Day = d.Day.AddDate(0, 0, 1) // it's then at the earliest
			}
			each := day{from: language.ISODay(d.Day), to: language.ISODay(d.Day)}
			if p, _, ok := language.ReadPeriod(toks[d.Start:d.End], told); ok && isShort(p) {
				each.from, each.to = language.ISODay(p.From), language.ISODay(p.To)
			}
			if each.from < each.to && language.Has(toks[max(0, d.Start-2):d.End], moving) {
				days = append(days, day{each.from, each.from, true})
				each.from = each.to
			}
			days = append(days, each)
		}
		toks = toks[:d.Start]
	}
	slices.Reverse(days)
	return days
}

// arranging are words that tell of what is to be, though they are past.
const arranging = "booked|moved|arranged|agreed|ordered|scheduled|postponed|changed|confirmed|invited|said|told|promised|wanted|set|planned|fixed|put|pushed|shifted|brought|rescheduled|asked|needed|decided|offered|got|sorted|organised|organized|reserved|settled|accepted|meant|supposed|thought|expected|delayed|rung|phoned|emailed|called|reckoned|hoped|named|started|based"

// denied: what stands before a day says that it wasn't then: "I didn't wait till Tuesday".
func denied(before []language.Token) bool {
	_, _, ok := language.Find(before[max(0, len(before)-5):], "did not")
	return ok
}

// happened: a bare weekday or month stands behind what was done on it: "condemned the boiler on Wednesday".
func happened(before, on []language.Token) bool {
	if language.Has(on, "today|tomorrow|tonight|next|this|coming|week|weekend|month|by|for|to|until|till|from") || slices.ContainsFunc(on, func(t language.Token) bool { return language.Digital(t.Norm) }) {
		return false
	}
	if n := len(before); n == 0 || language.In("by|for|to|until|till|from|before", before[n-1].Norm) {
		return false
	}
	done, open := false, false
	for _, t := range before {
		switch {
		case !t.Word, language.In("and|but|so", t.Norm):
			done, open = false, false // another part of it
		case language.In("was|were|did|had", t.Norm):
			done = true
		case language.Class("<aux>", t.Norm), t.Norm == "to", language.In(arranging, t.Norm):
			open = true
		case language.Past(t.Norm):
			done = true
		}
	}
	return done && !open
}

// isShort: a stretch has two ends, not far from each other.
func isShort(p language.Period) bool {
	return !p.From.IsZero() && !p.To.IsZero() && p.To.Sub(p.From) <= longest*24*time.Hour
}

// righted are the days of tokens that say of one that it isn't that: "the 4th, not the 3rd". A
// bare number is one then.
func righted(toks []language.Token, told time.Time) (days []day) {
	if !language.Has(toks, denying) {
		return nil
	}
	denied, on := false, language.Tokenize("on")
	for i := 0; i < len(toks); i++ {
		p, n, ok := language.ReadPeriod(slices.Concat(on, toks[i:]), told)
		if !ok || n < 2 || !p.From.Equal(p.To) || p.From.IsZero() {
			continue
		}
		each := day{language.ISODay(p.From), language.ISODay(p.To), language.Has(toks[max(0, i-2):i], denying)}
		if days = append(days, each); each.not {
			denied = true
		}
		i += n - 2
	}
	if !denied || len(days) < 2 {
		return nil
	}
	return days
}

// after: a line was told after another.
func (l Line) after(o Line) bool {
	return l.Told > o.Told || l.Told == o.Told && l.Path == o.Path && l.At > o.At
}

// replaced: a later line of the same says that it isn't on that day: "the 4th, not the 3rd".
func (h Hit) replaced(later Line) bool {
	told, err := time.Parse(time.DateOnly, later.Told)
	behind := later.after(h.Line) || later.Told == h.Told && later.Path != h.Path
	if err != nil || !behind || !sharesWord(h.Text, later.Text) {
		return false
	}
	return slices.ContainsFunc(daysIn(language.Tokenize(later.Text), told), func(d day) bool { return d.not && d.within(h.Day, h.Day) != "" })
}

// moved: a later line says that it moved to another day, and names nothing but what this one does.
func (h Hit) moved(later Line) bool {
	toks := language.Tokenize(later.Text)
	told, err := time.Parse(time.DateOnly, later.Told)
	if err != nil || !later.after(h.Line) || !language.Has(toks, moving) {
		return false
	}
	other := slices.ContainsFunc(daysIn(toks, told), func(d day) bool { return !d.not && d.within(h.Day, h.Day) == "" })
	of, words := language.ContentWords(language.Tokenize(h.Text)), 0
	for i, t := range toks {
		w := strings.TrimSuffix(t.Norm, "'s")
		_, day := language.FindDay(toks[i:i+1], told)
		if day || len(language.ContentWords(toks[i:i+1])) == 0 || language.Light(w) || language.In(moving+"|same|again|time|now|been", w) || language.Digital(w) {
			continue
		}
		if !slices.ContainsFunc(of, func(o string) bool { return language.SameWord(w, strings.TrimSuffix(o, "'s")) }) {
			return false
		}
		words++
	}
	return other && words > 0
}

// ends: a text says that something is over, or won't be.
func ends(text string) bool {
	toks := language.Tokenize(text)
	_, _, ok := language.Find(toks, "no longer needed|necessary|happening|on", "not needed|necessary|happening|coming|going ahead|any|after?", "cancelled|canceled", "called off", "fell through", "pulled out", "is|has|have|was|been|got|all done|sorted|posted|finished|collected|delivered|sent", "done|sorted|finished now|already|with")
	return ok && !language.Has(toks, "if|unless|when|until|will|?")
}

// older: a later line took its place, as an answer to a question for it shows.
func (h Hit) older(lines []Line) bool {
	var docs []passage.Document
	for _, l := range lines {
		if l.after(h.Line) && sharesWord(h.Text, l.Text) {
			docs = append(docs, passage.Document{Path: l.Path, From: l.At, Lines: []string{"- " + l.Told + ": " + l.Text}})
		}
	}
	if len(docs) == 0 {
		return false
	}
	told, _ := time.Parse(time.DateOnly, h.Told)
	q := passage.Question{Want: passage.When, Words: language.ContentWords(language.Tokenize(h.Text)), Now: told}
	_, gone := q.Newer(h.Told+": "+h.Text, docs)
	return gone
}

// sharesWord: two texts have a word that says something, and is no day.
func sharesWord(a, b string) bool {
	words := language.ContentWords(language.Tokenize(b))
	return slices.ContainsFunc(language.ContentWords(language.Tokenize(a)), func(w string) bool {
		if language.Light(w) || language.DayAndMonth(w) || language.Digital(w) {
			return false
		}
		return slices.ContainsFunc(words, func(o string) bool { return language.SameWord(w, o) })
	})
}
