package todo

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"kist/agent/language"
	"kist/agent/offline/title"
	"kist/agent/offline/value"
)

// Labelled are the things to do behind a label; none: fewer than two stand there. What somebody is to be asked
// is one, without a label. goesOn tells of
// what stands between commas whether it goes on with what stands before it.
func Labelled(src string, clause []language.Token, goesOn func([]language.Token) bool, now time.Time) (out []Todo) {
	if one, ok := inquiry(src, clause, now); ok {
		return []Todo{one}
	}
	verb := buying(clause)
	list := List(clause, func(toks []language.Token) bool {
		return goesOn(toks) || verb == "" && Detail(toks) && (language.Digital(toks[0].Norm[:1]) || len(toks) > 2 && toks[1].Norm == ".")
	})
	if len(list) < 2 {
		return nil
	}
	for _, toks := range list {
		switch one, n := Read(src, toks, now), len(out)-1; {
		case n >= 0 && value.Only("priority", toks): // "task: print the menu, not so important"
			out[n].Priority = value.Of("priority", toks)
		case n >= 0 && !strings.ContainsFunc(one.Title, unicode.IsLetter): // "appointment with Bo, Thursday, 8:30"
			out[n] = out[n].With(one)
			out[n].Title = strings.Trim(out[n].Title+", "+one.Title, ", ")
		case one.Title != "":
			if verb != "" && !title.Does(toks[0]) {
				one.Title = verb + " " + language.Uncapital(one.Title)
			}
			out = append(out, one)
		}
	}
	return out
}

// inquiry is what somebody is to be asked of a day: it is that of what is asked, not of the asking: "ask Pam can she
// do the 21st instead".
func inquiry(src string, clause []language.Token, now time.Time) (Todo, bool) {
	toks := language.SkipOpeners(Unordered(clause, now))
	if n, ok := language.MatchAny(toks, "i|we need|have|ought|must|should|will to?", "please"); ok {
		toks = toks[n:]
	}
	day := slices.IndexFunc(toks, func(t language.Token) bool { return language.DayNumber(t.Norm) > 0 })
	if d, ok := language.FindDay(toks, now); ok {
		day = d.Start
	}
	if day < 1 || !language.Begins(toks, "ask|check|see|find|inquire|enquire|frag|frage|fragen") {
		return Todo{}, false
	}
	_, _, asks := language.Find(toks[1:day], "whether|if|ob", "can|could|will|would|does|do|is|are <subject>", "<subject> can|could|will|would")
	asks = asks && !language.Has(toks[:day], ",|;|-") // "ask the others whether to take it, by Friday"
	return Todo{Title: language.Capital(language.Limit(strings.TrimRight(language.Spell(src, toks), " ,;.!?"), 200))}, asks
}

// buying is what a label wants done with each thing that stands behind it: "things to buy: ...".
func buying(toks []language.Token) (verb string) {
	toks = language.SkipOpeners(toks)
	if n, ok := language.Match(toks, "more? things|stuff|bits to <verb>"); ok && n == title.Colon(toks) {
		return language.Capital(toks[n-1].Norm)
	}
	return ""
}

// List is what stands behind a label for tasks: "todo: send the contract, book Bo". Each comma
// ends a thing, but for what goes on with it, which goesOn tells; nil: there is no such label.
func List(toks []language.Token, goesOn func([]language.Token) bool) [][]language.Token {
	toks = language.SkipOpeners(toks)
	at := title.Colon(toks)
	owes := language.Begins(toks, "i|we") && at <= longestThing && title.Owes(toks[:max(at, 0)]) // "I need to see to: ..."
	owes = owes || at <= longestThing && language.Begins(toks, "<det>? jobs|<taskword> *")       // "jobs while she's up: ..."
	if at < 1 || at > title.LongestLabel && !owes || !language.Has(toks[:at], "<taskword>|do|<addverb>|next|need|jobs") && buying(toks) == "" {
		return nil
	}
	var out [][]language.Token
	first := 0 // of the last one, in toks
	for _, span := range parted(toks, at+1) {
		one := item(toks, span)
		switch n := len(out) - 1; {
		case !language.HasWord(one):
		case n >= 0 && goesOn(one):
			out[n] = language.TrimMarks(toks[first:span[1]])
		default:
			out, first = append(out, one), span[0]
		}
	}
	return out
}

// item is what a span of a list names, without what joins it to the one before.
func item(toks []language.Token, span [2]int) []language.Token {
	one := language.TrimMarks(toks[span[0]:span[1]])
	for len(one) > 0 && language.In("and|then|also|und", one[0].Norm) {
		one = one[1:]
	}
	return one
}

// parted are the parts of a list from one of some tokens on: as they are numbered, or else by lines, by
// semicolons, or between commas outside of brackets.
func parted(toks []language.Token, from int) (spans [][2]int) {
	if spans = numbered(toks, from); len(spans) > 1 {
		return spans
	}
	mark, deep := strongMark(toks[from:]), 0
	for i := from; i < len(toks); i++ {
		switch {
		case toks[i].Quoted:
		case toks[i].Norm == "(":
			deep++
		case toks[i].Norm == ")":
			deep = max(0, deep-1)
		case deep == 0 && language.In(mark, toks[i].Norm):
			spans, from = append(spans, [2]int{from, i}), i+1
		}
	}
	return append(spans, [2]int{from, len(toks)})
}

// strongMark is what parts a list that isn't numbered: line breaks, else semicolons, else commas.
func strongMark(toks []language.Token) string {
	for _, mark := range []string{"\n", ";"} {
		if slices.ContainsFunc(toks, func(t language.Token) bool { return t.Norm == mark && !t.Quoted }) {
			return mark
		}
	}
	return ","
}

// longestOrder is how many words order a list of tasks at most.
const longestOrder = 10

// Ordered are the tasks that a text orders to be written down, each by itself: "please record these tasks for the
// loan: condition reports; an export licence". What parts them is stronger than a comma. label is what stands before them,
// rest the text behind them.
func Ordered(src string, now time.Time) (label []language.Token, out []Todo, rest string) {
	toks := language.SkipOpeners(language.Tokenize(src))
	at := title.Colon(toks)
	if at < 1 || at > longestOrder || !language.Has(toks[:at], "<taskword>") || !language.Begins(toks, "record|note|write|make|create|put|set|<addverb>") {
		return nil, nil, ""
	}
	if len(numbered(toks, at+1)) < 2 {
		ends := func(t language.Token) bool { return t.Norm == "." && !t.Quoted && language.EndsSentence(src, t.Start) }
		if end := slices.IndexFunc(toks, ends); end > at {
			toks, rest = toks[:end], strings.TrimSpace(src[toks[end].End:])
		}
		if strongMark(toks[at:]) == "," {
			return nil, nil, ""
		}
	}
	for _, span := range parted(toks, at+1) {
		one := item(toks, span)
		if task := Read(src, one, now); language.HasWord(one) && task.Title != "" {
			out = append(out, task)
		}
	}
	return toks[:at], out, rest
}

// Counts reports whether tokens are a label for tasks and a list that counts them.
func Counts(toks []language.Token) bool {
	at := title.Colon(toks)
	return at > 0 && len(numbered(toks, at+1)) > 1 && List(toks, func([]language.Token) bool { return false }) != nil
}

// CountsOn reports whether a mark stands behind the next number of a list: "tasks: 1. call Ann 2. pay Bo".
func CountsOn(number, mark language.Token, counted *int) bool {
	next := mark.Norm == "." && number.Norm == strconv.Itoa(*counted+1)
	if next {
		*counted++
	}
	return next
}

// numbered are the parts of a list that counts them: "1) call Ann 2) pay Bo, by Friday".
func numbered(toks []language.Token, from int) (spans [][2]int) {
	for i := from; i+1 < len(toks); i++ {
		if toks[i].Norm != strconv.Itoa(len(spans)+1) || !language.In(")|.|:", toks[i+1].Norm) || toks[i].Quoted {
			continue
		}
		end := i
		if end > from && toks[end-1].Norm == "(" {
			end--
		}
		if len(spans) > 0 {
			spans[len(spans)-1][1] = end
		} else if language.HasWord(toks[from:end]) {
			return nil // something stands before the first
		}
		spans = append(spans, [2]int{i + 2, len(toks)})
	}
	return spans
}

// MovedThing is what somebody has moved to another day: "the launch" of "Dr Rao moved the
// launch to 5 March".
func MovedThing(toks []language.Token, now time.Time) []language.Token {
	d, ok := language.FindDay(toks, now)
	i := slices.IndexFunc(toks, func(t language.Token) bool { return !t.Quoted && language.Fits(t, "<later>|<sooner>|<shifted>") })
	if !ok || i < 1 || d.Start <= i || !language.Past(toks[i].Norm) || language.Class("<aux>", toks[i-1].Norm) {
		return nil
	}
	toks = toks[i+1 : d.Start]
	for len(toks) > 0 && language.In("to|till|until|by|on|for|from|back|forward", toks[len(toks)-1].Norm) {
		toks = toks[:len(toks)-1]
	}
	if len(language.ContentWords(toks)) == 0 || len(toks) > longestThing {
		return nil
	}
	return toks
}

// longestThing is how many words name a thing that moves.
const longestThing = 8

// Lines cuts tokens at semicolons and line breaks.
func Lines(toks []language.Token) [][]language.Token {
	var out [][]language.Token
	from := 0
	for i := 0; i <= len(toks); i++ {
		if i == len(toks) || !toks[i].Quoted && language.In(";|\n", toks[i].Norm) {
			if one := language.TrimMarks(toks[from:i]); language.HasWord(one) {
				out = append(out, one)
			}
			from = i + 1
		}
	}
	return out
}

// Detail: what has a number and no verb is said of the task before it: "class 12", "fee
// 290 EUR", "20 min".
func Detail(toks []language.Token) bool {
	return len(toks) <= 4 && !slices.ContainsFunc(toks, title.Does) && slices.ContainsFunc(toks, func(t language.Token) bool { return t.Norm[0] >= '0' && t.Norm[0] <= '9' })
}

// Counted is a title that ends with a number and what the number counts, which stands behind
// it: "give notice three | months ahead". nil: it doesn't.
func Counted(title, behind []language.Token) []language.Token {
	if language.Numeral(title[len(title)-1].Norm) == "" || !language.Begins(behind, timeUnits) {
		return nil
	}
	end := slices.IndexFunc(behind, func(t language.Token) bool { return !t.Word })
	if end < 0 {
		end = len(behind)
	}
	return slices.Concat(title, behind[:end])
}

const timeUnits = "minutes|hours|days|weeks|months|years|stunden|tage|wochen|monate|jahre"

// Named are things to do with what they point to, which is none of its own then: "they
// want a plan and a list, I have to get both". told: the clause says more of them.
func Named(src string, todos []Todo, told bool) []Todo {
	var named []string
	for i, one := range todos {
		todos[i].Title, todos[i].Said = title.Named(one.Title, src), told
		if todos[i].Title != one.Title {
			named = append(named, todos[i].Title)
		}
	}
	return slices.DeleteFunc(todos, func(one Todo) bool {
		return slices.ContainsFunc(named, func(by string) bool {
			return len(by) > len(one.Title) && strings.Contains(strings.ToLower(by), strings.ToLower(one.Title))
		})
	})
}

// Retitles reports whether what stands before some words makes them a new title; else they only tell why a
// task changes or where it is done: "move it to Friday, I want it out before everybody books holidays".
func Retitles(before, toks []language.Token) bool {
	return toks[0].Quoted || language.Has(before, "<renameverb>|to|as|into|:|title|called|named|call|name|read|reads|say|says|be|is|are|was|it|make|mean|meant|instead|not|no|zu|als|heißen|heißt|nennen")
}
