package refer

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// That something is done is mostly said of the thing, in a word for being done or in the verb of
// the task: "boots done", "paint and boots bought", "inv 1 sent", "staging up". Who does it
// says so of it in the past: "I bought six bags".

// doneWords say of a thing that it is done, whatever was to be done.
const doneWords = "done|finished|completed|sorted|erledigt|fertig|gemacht"

// doneStates are others that are no past form.
const doneStates = "complete|ready|over|through|behind|up|in|out|off|away|there|here|live|online|clear|good|fine|okay|ok|set|put|cut|shut"

// Describes: words say what a thing is like, in none for its being done: "the insulation is rock wool".
func Describes(toks []language.Token) bool {
	is := slices.IndexFunc(toks, func(t language.Token) bool { return language.In("is|are", t.Norm) })
	return is > 0 && !slices.ContainsFunc(toks[is:], func(t language.Token) bool {
		return language.In(doneWords, t.Norm) || language.In(doneStates, t.Norm) || language.Past(t.Norm) || past(t)
	})
}

// Prices: somebody says what something would cost: "the joiner quotes 85 for the rail, fitted".
func Prices(toks []language.Token) bool {
	i, n, ok := language.Find(toks, "quotes|charges|estimates|wants|asks")
	return ok && i > 0 && slices.ContainsFunc(toks[n:min(len(toks), n+2)], func(t language.Token) bool { return language.Digital(t.Norm) })
}

// Comes: words say that something was got, and when it comes or takes place: whether it is done is for the
// tasks to tell.
func Comes(toks []language.Token) bool {
	return slices.ContainsFunc(finishes(toks), func(f finish) bool { return f.coming && sameDeed("get", f.verb) })
}

// A finish is where words say that something is done.
type finish struct {
	things []language.Token // of what
	verb   string           // the verb that says it; empty: any
	weak   bool             // a word as "up", which must stand in the title as well
	given  bool             // somebody gave what they were to be asked for
	agreed bool             // somebody said yes to it
	coming bool             // its day is told as well: "the test is booked for the 12th"
}

// Finished finds the open tasks that words say were done: those that one of their parts fits
// alone. several are those of which more than one fit a part.
// left is how many parts fit none.
func Finished(said string, tasks []map[string]any) (done, several []map[string]any, left int) {
	if whole := Whole(said, tasks); len(whole) > 0 {
		tasks = whole
	}
	for _, f := range finishes(language.Tokenize(said)) {
		for _, thing := range language.ListedNames(f.things) {
			switch fit := f.of(language.Spell(said, thing), tasks); {
			case len(fit) > 1:
				several = fit
			case len(fit) == 0:
				left++
			case !slices.ContainsFunc(done, func(task map[string]any) bool { return text(task, "task") == text(fit[0], "task") }):
				done = append(done, fit[0])
			}
		}
	}
	return done, several, left
}

// FinishedBack finds the open task that words say was done to what they only point to: that of the
// same verb, about a thing named before. "Asked her, she'll do it." None where several are.
func FinishedBack(said, before string, tasks []map[string]any) []map[string]any {
	var fit []map[string]any
	toks := language.Tokenize(said)
	for i := range toks {
		mine, _ := bySpeaker(toks[:i])
		if !past(toks[i]) || !mine && len(language.SkipOpeners(toks[:i])) > 0 || !language.Begins(toks[i+1:], "him|her|them|it|that") || isYet(toks[i+2:]) {
			continue
		}
		for _, task := range tasks {
			if title := TaskWords(text(task, "title")); len(title) > 1 && sameDeed(title[0], toks[i].Norm) && things(TaskWords(before), title) > 0 {
				fit = append(fit, task)
			}
		}
	}
	if len(fit) != 1 {
		return nil
	}
	return fit
}

// MayFinish: words may say that something is done.
func MayFinish(toks []language.Token) bool { return len(finishes(toks)) > 0 }

// of are the tasks about a thing to which that was done.
func (f finish) of(thing string, tasks []map[string]any) (fit []map[string]any) {
	words, most := TaskWords(thing), 0
	for _, task := range tasks {
		title := TaskWords(text(task, "title"))
		n := things(words, title)
		if n == 0 || f.given && !f.agreed && n < 2 || len(title) == 0 || !f.does(title, text(task, "title")) || Partly(thing, text(task, "title")) || otherNumber(thing, text(task, "title")) || ofAnother(thing, text(task, "title")) || aside(words, text(task, "title")) {
			continue
		}
		if n > most {
			fit, most = nil, n
		}
		if n == most {
			fit = append(fit, task)
		}
	}
	return fit
}

// does: a task is done with that.
func (f finish) does(title []string, whole string) bool {
	switch {
	case f.given:
		return language.In("ask|get|fetch|collect|chase|remind|nag", title[0])
	case f.weak:
		return language.Has(language.Tokenize(whole), f.verb)
	case f.verb == "":
		return true
	case language.In("post|mail", f.verb):
		return language.In("post|mail|send", title[0])
	}
	return sameDeed(title[0], f.verb) || !f.coming && !isVerb(title, 0) && sameDeed("get", f.verb)
}

// finishes are the places where words say that something is done.
func finishes(toks []language.Token) []finish {
	s := scan{toks: toks}
	for i := 0; i < len(toks); i++ {
		if s.breaks(i) || toks[i].Quoted {
			continue
		}
		if f, n, ok := s.wordAt(i); ok && !isYet(toks[i+n:]) {
			s.read(f, i, n)
			i += n - 1
		}
	}
	return s.out
}

// isYet: words behind such a word say that it is to be so by then, or isn't.
func isYet(behind []language.Token) bool {
	if len(behind) > 1 && behind[0].Norm == "by" { // "by Friday", rather than by whom
		_, _, day := language.ReadPeriod(behind[1:], anyDay)
		return day || language.Fits(behind[1], "<timeword>|then|now")
	}
	return language.Begins(behind, "by|until|till|before|when|if|once|unless|not")
}

// A scan goes through words for what is done.
type scan struct {
	toks []language.Token
	from int  // where the part begins that is being read
	mine bool // the speaker did the last
	out  []finish
}

// breaks: with the i-th token another part begins behind it.
func (s *scan) breaks(i int) bool {
	t := s.toks[i]
	if t.Word && !language.In("but|so|because|weil|aber", t.Norm) {
		return false
	}
	if !language.In(",|/|&", t.Norm) || i > s.from && language.Has(s.toks[s.from:i], "<subject>|<aux>") {
		s.from = i + 1
	}
	return true
}

// wordAt is the word of n tokens at the i-th by which something is done.
func (s *scan) wordAt(i int) (f finish, n int, ok bool) {
	t := s.toks[i]
	if k, ok := language.MatchAny(s.toks[i:], "in the post|mail", "gone? in the post|mail"); ok {
		return finish{verb: s.toks[i+k-1].Norm}, k, true
	}
	if k, ok := language.MatchAny(s.toks[i:], "said|says yes|ok|okay|fine|yeah|sure"); ok && (i+k == len(s.toks) || !s.toks[i+k].Word) {
		return finish{verb: "ask", given: true, agreed: true}, k, true
	}
	switch {
	case language.In(doneWords, t.Norm):
		return finish{}, 1, true
	case i == len(s.toks)-1 && len(s.toks) < 6 && language.In("up|out|in|off|down", t.Norm):
		return finish{verb: t.Norm, weak: true}, 1, true
	}
	passive := t.Norm == "got" && i > 0 && !language.In("i|we", s.toks[i-1].Norm) && i+1 < len(s.toks) && past(s.toks[i+1]) // "got moved"
	return finish{verb: language.Base(t.Norm)}, 1, past(t) && !passive
}

// read finds of which things it is said.
func (s *scan) read(f finish, i, n int) {
	before, behind := s.toks[s.from:i], s.toks[i+n:]
	object := behind[:objectEnd(behind)]
	f.coming = comes(behind)
	did, voice := bySpeaker(before)
	goesOn := s.mine && len(language.ContentWords(before)) > 0 && before[len(before)-1].Norm == "and"
	switch {
	case f.agreed:
		f.things = saidBy(before)
	case f.verb != "" && language.Begins(behind, "me|us *") && language.In("gave|sent|brought|handed|passed", s.toks[i].Norm):
		f.things, f.given = slices.Concat(before, behind[1:max(len(object), 1)]), true
	case f.verb != "" && (did || goesOn || len(language.SkipOpeners(before)) == 0):
		f.things, s.mine = object, true
		if language.Begins(behind, "it|them|one|some|that") || len(object) > 0 && language.Digital(object[0].Norm) {
			f.things = slices.Concat(before, object)
		}
	case f.verb != "" && !language.Begins(behind[len(object):], "for") && isOther(before, object):
		f.things = object
	case !voice:
		f.things = bareThing(before)
	}
	if s.from = i + n; len(f.things) > 0 {
		s.out = append(s.out, f)
	}
	if f.things = alsoFinished(behind); f.things != nil {
		s.out = append(s.out, f)
	}
}

// comes: a sentence goes on with a day that isn't past.
func comes(behind []language.Token) bool {
	if end := slices.IndexFunc(behind, func(t language.Token) bool { return language.In(".|!|?|;|\n", t.Norm) }); end >= 0 {
		behind = behind[:end]
	}
	d, ok := language.FindDay(behind, anyDay)
	return ok && d.Day.After(anyDay)
}

// saidBy is who said something, where it is somebody who is named.
func saidBy(before []language.Token) []language.Token {
	if of := bareThing(before); !language.Has(of, "<subject>") {
		return of
	}
	return nil
}

// isOther: before what was done stands somebody else who did it, and behind it to what: "Lena printed
// the programme".
func isOther(before, object []language.Token) bool {
	before = language.SkipOpeners(before)
	return len(before) > 0 && len(before) < 4 && language.Begins(object, "<det> *") && !language.Has(before, unfinished+"|<aux>|not|never|i|we")
}

// objectEnd is where the words end that name to what something was done.
func objectEnd(behind []language.Token) int {
	for i, t := range behind {
		if !t.Word || language.In("but|so|from|for|at|yesterday|today", t.Norm) || language.Fits(t, unfinished) || language.Fits(t, "<aux>|<subject>") {
			return i
		}
	}
	return len(behind)
}

// past: a word for what was done.
func past(t language.Token) bool {
	return strings.HasSuffix(t.Norm, "ed") && language.Past(t.Norm) || language.Base(t.Norm) != language.Stem(t.Norm)
}

// unfinished are words by which something isn't done, or is yet to be.
const unfinished = "<unreal>|no|if|when|whenever|once|until|unless|gets|get|to|isn't|wasn't|nicht|kein|keine|wird|soll"

// bySpeaker: before what was done stands who did it; mine: that is the speaker, and it is so.
func bySpeaker(before []language.Token) (mine, ok bool) {
	i := slices.IndexFunc(before, func(t language.Token) bool {
		return language.Class("<subject>", t.Norm) && !language.In("it|they", t.Norm)
	})
	if i < 0 {
		return false, false
	}
	rest := before[i+1:]
	return language.In("i|we", before[i].Norm) && !language.Has(rest, unfinished) && len(language.ContentWords(rest)) == 0, true
}

// bareThing is what some words name that stand before what was done to it; nil: they say more,
// or that it isn't so.
func bareThing(before []language.Token) []language.Token {
	for len(before) > 0 && (language.Class("<aux>", before[len(before)-1].Norm) || language.IsFiller(before[len(before)-1]) || language.In("all|both|now|finally|already|been|got|also|gone", before[len(before)-1].Norm)) {
		if language.Has(before[len(before)-1:], unfinished) {
			return nil
		}
		before = before[:len(before)-1]
	}
	before = language.SkipOpeners(before)
	if language.Has(before, unfinished) || len(before) > longestFinished {
		return nil
	}
	return language.TrimMarks(before)
}

// longestFinished is how many words name what is done.
const longestFinished = 9

// alsoFinished is what was done as well: ", and the programme too".
func alsoFinished(behind []language.Token) []language.Token {
	for len(behind) > 0 && (!behind[0].Word || behind[0].Norm == "and") {
		behind = behind[1:]
	}
	i := slices.IndexFunc(behind, func(t language.Token) bool { return language.In("too|also", t.Norm) || !t.Word })
	if i < 1 || i > 5 || !language.In("too|also", behind[i].Norm) || language.Has(behind[:i], "<aux>|<subject>") {
		return nil
	}
	return behind[:i]
}
