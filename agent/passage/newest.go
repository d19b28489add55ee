package passage

import (
	"slices"
	"sort"
	"strings"

	"kist/agent/language"
)

// Which of the quotes are given, and which took the place of which.

// most quotes are given.
const most = 3

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
	sort.SliceStable(quotes, func(i, j int) bool { return quotes[j].score < quotes[i].score })
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
		quotes[i].Before = q.replaced(quotes[i], quotes)
	}
	sort.SliceStable(quotes, func(i, j int) bool { return behind(quotes[i]) < behind(quotes[j]) })
	out := []Quote{first}
	quotes = out[0].withLead(quotes)
	decided := q.Dated && q.Under != nil && q.Under(first.Section)
	for _, c := range quotes {
		if decided && q.Want != Why && !c.Said && !q.Under(c.Section) {
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

// withLead is without the quote that is the lead of this one; what took its place leaves it by itself.
func (c *Quote) withLead(quotes []Quote) []Quote {
	i := slices.IndexFunc(quotes, func(o Quote) bool { return c.Lead != "" && sameWords(o.Text, c.Lead) })
	switch {
	case i < 0:
		return quotes
	case quotes[i].Before:
		c.Lead = ""
		return quotes
	}
	return slices.Delete(quotes, i, i+1)
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

// replaced reports whether a quote was an answer that another one took the place of.
func (q Question) replaced(c Quote, by []Quote) bool {
	return (q.Want == "" || c.Holds) && slices.ContainsFunc(by, func(o Quote) bool { return q.replaces(o, c) })
}

// replaces reports whether a is what holds now of what b said: it is newer, about the
// same, and says that something changed, or both are of one list with days.
func (q Question) replaces(a, b Quote) bool {
	if !a.Holds || !after(a, b) || a.tellsMore(q, b) {
		return false
	}
	same := a.ofSame(b)
	listed := b.Day != "" && a.Path == b.Path && a.Section == b.Section
	asWell := a.grade >= b.grade
	if (q.Want != "" || listed) && same && a.news && (asWell || !q.somebodys() && q.Want != Money) {
		return true
	}
	all := !slices.ContainsFunc(b.subject, func(w string) bool { return !slices.Contains(a.subject, w) })
	return listed && (a.share >= b.share-0.1 || q.Want != "" && all) && (q.Dated || q.Want == "" || same && asWell)
}

// ofSame: a quote shares a word of the question with another one, if that has any: what says much, and
// only names in passing what many lines do, is of another thing.
func (c Quote) ofSame(o Quote) bool {
	return len(o.subject) == 0 || slices.ContainsFunc(c.subject, func(w string) bool {
		return slices.Contains(o.thing, w) || slices.Contains(c.of, w) && slices.Contains(o.subject, w)
	})
}

// tellsMore: a quote only goes on about another one.
func (c Quote) tellsMore(q Question, of Quote) bool {
	return q.Want == "" && c.Lead != "" && sameWords(c.Lead, of.Text) && !isNews(c.Text) && !mends(c.Text)
}

// after: a was recorded after b. On one day only what says so changed anything.
func after(a, b Quote) bool {
	same := a.Day == b.Day && a.Day != "" && a.news && (b.Holds || !a.goesOn)
	return a.Day > b.Day || same && (a.Path == b.Path && a.Line > b.Line || a.Path != b.Path && (!b.news || corrects(a, b)))
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

// corrects: a later line takes back a value: "we're getting 3,500 instead of the 4,000".
func corrects(a, b Quote) bool {
	if a.Day == "" || a.Day < b.Day || a.Path == b.Path && a.Line <= b.Line {
		return false
	}
	toks := language.Tokenize(a.Text)
	_, n, ok := language.Find(toks, words().instead...)
	if !ok {
		return false
	}
	said := language.Tokenize(b.Text)
	return slices.ContainsFunc(toks[n:min(len(toks), n+3)], func(t language.Token) bool {
		return (language.Digital(t.Norm) || language.Count(t.Norm) > 1) && slices.ContainsFunc(said, func(o language.Token) bool { return sameValue(o.Norm, t.Norm) })
	})
}

// sameValue: two words or numbers are the same, however they are written: "2,400", "2400".
func sameValue(a, b string) bool {
	m, o := figure().FindStringSubmatch(a), figure().FindStringSubmatch(b)
	ordinal := strings.TrimRight(a, "stndrh") == strings.TrimRight(b, "stndrh") && language.Digital(a)
	return a == b || ordinal || m != nil && o != nil && valueOf(m) == valueOf(o)
}
