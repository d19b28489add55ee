// Package matter tells which of the things that a conversation put into the inbox belong to one
// matter, of which a project may be made. It goes by the order in which they were told and by the
// nouns and names that they share, and knows nothing of projects or files.
package matter

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
	"kist/agent/offline/apart"
	"kist/agent/recall"
)

// A Line is one thing told, as it stands in the inbox.
type Line struct {
	Text string // of a task with its box: "[ ] Ring Ann"
	Turn string // in which it was told
}

// Task: it is something to do.
func (l Line) Task() bool { return strings.HasPrefix(l.Text, "[") }

// said is a line without its box or day.
func (l Line) said() string {
	if head, text, ok := strings.Cut(l.Text, ": "); ok && len(head) == len(time.DateOnly) && language.Digital(head) {
		return text
	}
	if l.Task() && len(l.Text) > 3 {
		return l.Text[3:]
	}
	return l.Text
}

// Within: its words are a part of a text.
func (l Line) Within(text string) bool {
	said := strings.TrimRight(l.said(), ".")
	return said != "" && strings.Contains(language.OneLine(text), said)
}

// away: it says of itself that it is about something else than what was told before.
func (l Line) away() bool {
	said := l.said()
	_, beside := recall.Beside(said, "")
	return beside || apart.Beside(language.Tokenize(said))
}

// pointsBack: it begins with a word for what was told before.
func (l Line) pointsBack() bool {
	toks := language.SkipOpeners(language.Tokenize(l.said()))
	return len(toks) > 0 && (language.Class("<pronoun>", toks[0].Norm) || language.In("he|she|they", toks[0].Norm))
}

// nouns are the stems of the words of a line that say what it is about.
func (l Line) nouns() map[string]bool { return nounsOf(l.said()) }

func nounsOf(text string) map[string]bool {
	out := map[string]bool{}
	toks := language.Tokenize(text)
	for i := 0; i < len(toks); i++ {
		if _, n, ok := language.ReadPeriod(toks[i:], time.Time{}); ok && n > 0 {
			i += n - 1
			continue
		}
		if w := strings.TrimSuffix(toks[i].Norm, "'s"); toks[i].Word && telling(w) {
			out[language.Stem(w)] = true
		}
	}
	return out
}

// telling: a word may say what something is about.
func telling(w string) bool {
	return utf8.RuneCountInString(w) > 2 && !language.Light(w) && !language.Digital(w) && !language.Past(w) && language.Count(w) == 0 && language.Unit(w) == 0 &&
		!slices.ContainsFunc([]string{"<stop>", "<pronoun>", "<timeword>", "<verb>", "<aux>", "<doneword>", "<smallnoun>", "<generic>", "<projectword>", "<undertaking>", "<taskword>", "<noteword>"}, func(class string) bool { return language.Class(class, w) })
}

func shared(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

// Of are those lines that belong to what some words are about: from the first one on that has a
// noun of them. What is told in between about something else, by what it says itself, or which has
// nothing in common with it, isn't of it, nor is what goes on with that: points back to it, was told
// in one message with it or says nothing of what it is about.
func Of(lines []Line, about string) []Line {
	seed := nounsOf(about)
	begin := slices.IndexFunc(lines, func(l Line) bool { return shared(l.nouns(), seed) > 0 })
	if begin < 0 {
		return nil
	}
	other, own := map[string]bool{}, map[string]bool{}
	for _, l := range lines[:begin] {
		add(other, l.nouns())
	}
	add(own, seed)
	var of []Line
	here := true
	for i, l := range lines[begin:] {
		nouns := l.nouns()
		switch mine, others := shared(nouns, own), shared(nouns, other); {
		case shared(nouns, seed) > 0 || i == 0:
			here = true
		case l.away():
			here = false
		case mine != others:
			here = mine > others
		case mine == 0 && len(nouns) > 0 && !l.pointsBack() && (l.Turn == "" || l.Turn != lines[begin+i-1].Turn):
			here = false
		}
		if here {
			of = append(of, l)
			add(own, nouns)
		} else {
			add(other, nouns)
		}
	}
	return of
}

func add(to, words map[string]bool) {
	for w := range words {
		to[w] = true
	}
}

// Least is how many things a matter has before anybody is asked whether it is to be a project, and
// often in how many of them the noun stands that it shares.
const (
	Least = 5
	often = 3
)

// Shared is what a message has in common with lines: a noun, as it is written there, that stands in
// several of them. It stands behind an article or the like: what "somebody says"
// is no matter. Empty: there is none. Names of people and places aren't matters, nor is what a line
// tells of something else.
func Shared(lines []Line, said string) (noun string) {
	if (Line{Text: said}).away() {
		return ""
	}
	in := map[string]int{}
	for _, l := range lines {
		for stem := range l.nouns() {
			if !l.away() {
				in[stem]++
			}
		}
		for _, stem := range speakers(l.said()) {
			in[stem] -= len(lines)
		}
	}
	best, toks := 0, language.Tokenize(said)
	for i, tok := range toks {
		r, _ := utf8.DecodeRuneInString(said[tok.Start:])
		word := strings.TrimSuffix(tok.Norm, "'s")
		if n := in[language.Stem(word)]; called(toks[:i], tok) && tok.Word && n >= often && !unicode.IsUpper(r) && n > best {
			best, noun = n, word
		}
	}
	return noun
}

// called: a word stands where a noun does, behind words with an article or the like right before
// it, or before what it is like: "the boiler", "our old boiler", but not "his mother says".
func called(before []language.Token, word language.Token) bool {
	near := before[max(0, len(before)-2):]
	i := slices.IndexFunc(near, func(t language.Token) bool { return language.Class("<det>", t.Norm) })
	return i >= 0 && (i == len(near)-1 || !strings.HasSuffix(word.Norm, "s") || language.Base(word.Norm) == word.Norm)
}

// speakers are the stems of the words of a text for those who say something: "huw says".
func speakers(text string) (out []string) {
	toks := language.Tokenize(text)
	for i := range max(0, len(toks)-1) {
		if language.Fits(toks[i+1], "<saying>|says|rang|thinks|wants|reckons") {
			out = append(out, language.Stem(toks[i].Norm))
		}
	}
	return out
}

// Name is what lines that share a noun surely are about: the noun with the word beside it that is
// told of in two messages ("choir tour"), or a noun for what people set out to do. Empty: it isn't
// sure, as "card" is what is talked of in many matters.
func Name(lines []Line, noun string) string {
	turns := map[string][]string{}
	for _, l := range lines {
		toks := language.Tokenize(l.said())
		for i := 1; i < len(toks); i++ {
			a, b := toks[i-1], toks[i]
			small := !unicode.IsUpper([]rune(l.said()[b.Start:])[0]) && (i == 1 || !unicode.IsUpper([]rune(l.said()[a.Start:])[0]))
			of := language.Stem(a.Norm) == language.Stem(noun) || language.Stem(b.Norm) == language.Stem(noun)
			if name := a.Norm + " " + b.Norm; of && small && a.Word && b.Word && telling(a.Norm) && telling(b.Norm) && !slices.Contains(turns[name], l.Turn) {
				if turns[name] = append(turns[name], l.Turn); len(turns[name]) > 1 {
					return language.TitleCase(name)
				}
			}
		}
	}
	if language.Class("<venturenoun>", noun) {
		return language.TitleCase(noun)
	}
	return ""
}
