package refer

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
)

// Tasks are found by what is said of them, which is rarely their title: in other forms
// of its words, in fewer, or among others. Memories are as well.

// Tasks finds the tasks that words mean, or whatever else has a title. sure: they can
// mean no other; else it is the likeliest, which is only ever proposed.
func Tasks(said string, tasks []map[string]any) (found []map[string]any, sure bool) {
	words := TaskWords(said)
	if len(words) == 1 && dayOfMonth(words[0]) {
		words = nil // "the 3rd is off" isn't about "Need my third"
	}
	tasks = slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool { return otherNumber(said, text(task, "title")) })
	var exact, within, around []map[string]any
	for _, task := range tasks {
		title := TaskWords(text(task, "title"))
		switch {
		case Called(said, text(task, "title")):
			exact = append(exact, task)
		case len(words) == 0 || len(title) == 0:
		case language.Covers(title, words):
			if !byVerbAlone(words, title) && !aside(words, text(task, "title")) {
				within = append(within, task)
			}
		case language.Covers(words, title):
			if heard(words, title) == 1 {
				around = append(around, task)
			}
		}
	}
	for _, list := range [][]map[string]any{exact, within, around} {
		if len(list) > 0 {
			return openOnes(list), true
		}
	}
	named := slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool { return aside(words, text(task, "title")) })
	return likeliest(words, named, heard), false
}

// Called: words are a title, word for word but for its tags.
func Called(said, title string) bool { return strings.EqualFold(untagged(said), untagged(title)) }

// Whole are the tasks whose titles, of two words and more, stand word for word in what was said,
// but for their tags; a title within a longer one isn't said.
func Whole(said string, tasks []map[string]any) (found []map[string]any) {
	spread := func(s string) string {
		var b strings.Builder
		for _, t := range language.Tokenize(untagged(s)) {
			if t.Word {
				b.WriteString(" " + t.Norm)
			}
		}
		return b.String() + " "
	}
	all, longest := spread(said), ""
	for _, task := range tasks {
		title := spread(text(task, "title"))
		switch {
		case strings.Count(title, " ") < 3 || !strings.Contains(all, title):
		case found != nil && title != longest && strings.Contains(longest, title):
		case found != nil && title != longest && !strings.Contains(title, longest):
			return nil // two are named
		case title == longest:
			found = append(found, task)
		default:
			found, longest = []map[string]any{task}, title
		}
	}
	return found
}

// Retitled is a new title with the tags of the one that it replaces, where they stood, and as
// that one begins: with a small letter where it was said so.
func Retitled(old, title, said string) string {
	words := strings.Fields(old)
	if _, rest, ok := strings.Cut(strings.ToLower(said), strings.ToLower(untagged(old))+" "); ok { // which may have the word that parts them
		for _, to := range []string{"to ", "as ", "into "} {
			if rest, ok := strings.CutPrefix(rest, to); ok && strings.HasSuffix(strings.ToLower(title), rest) {
				title = title[len(title)-len(rest):]
			}
		}
	}
	lead := 0
	for lead < len(words) && strings.HasPrefix(words[lead], "#") {
		lead++
	}
	if first, size := utf8.DecodeRuneInString(title); lead < len(words) && unicode.IsLower([]rune(words[lead])[0]) {
		if small := string(unicode.ToLower(first)) + title[size:]; strings.Contains(said, small) {
			title = small
		}
	}
	out := append(slices.Clone(words[:lead]), title)
	for _, w := range words[lead:] {
		if strings.HasPrefix(w, "#") {
			out = append(out, w)
		}
	}
	return strings.Join(slices.DeleteFunc(out, func(w string) bool { return w != title && slices.Contains(strings.Fields(title), w) }), " ")
}

// untagged is a title without its tags.
func untagged(title string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(title), func(w string) bool { return strings.HasPrefix(w, "#") && len(w) > 1 }), " ")
}

// ByRef is the one task that a text names as lists do, by its document and line: "Other.md:2".
func ByRef(said string, tasks []map[string]any) (found map[string]any) {
	for word := range strings.FieldsSeq(said) {
		ref := strings.Trim(word, "`\"'“”()[]<>,.;!?")
		i := slices.IndexFunc(tasks, func(task map[string]any) bool { return strings.Contains(ref, ".md:") && text(task, "task") == ref })
		switch {
		case i < 0:
		case found != nil:
			return nil
		default:
			found = tasks[i]
		}
	}
	return found
}

// otherNumber: words name one of several by a number that a title hasn't, which has another one:
// "chapter 12" beside "chapter 2".
func otherNumber(said, title string) bool {
	of := func(s string) (numbers []string) {
		for _, t := range language.Tokenize(s) {
			if language.Digital(t.Norm) {
				numbers = append(numbers, t.Norm)
			}
		}
		return numbers
	}
	has := of(title)
	return len(has) > 0 && slices.ContainsFunc(of(said), func(n string) bool { return !slices.Contains(has, n) })
}

// Dated finds the tasks about a thing of which was said that something has to be done by a day:
// the same as the task says, where both say what.
func Dated(said, does string, tasks []map[string]any) []map[string]any {
	found, sure := Tasks(said, tasks)
	if !sure || does == "" {
		return slices.DeleteFunc(found, func(map[string]any) bool { return !sure })
	}
	return slices.DeleteFunc(slices.Clone(found), func(task map[string]any) bool {
		title := TaskWords(text(task, "title"))
		return len(title) > 1 && isVerb(title, 0) && !sameDeed(title[0], does) && !hasNearly(TaskWords(said), title[0])
	})
}

// Same: words name all the things that a title does.
func Same(said, title string) bool {
	words := TaskWords(title)
	return len(words) > 0 && things(TaskWords(said), words) == things(words, words)
}

// Mostly: of the words that name something more than half are in a title; words that name
// nothing are.
func Mostly(said, title string) bool {
	n, all := named(said, title)
	return all == 0 || 2*n > all
}

// Named: of the words that name something, before what is said of it, a quarter is in a text.
func Named(said, text string) bool {
	said, _, _ = strings.Cut(said, ",")
	n, all := named(said, text)
	return 4*n >= all
}

// named is how many of the words that name something are in a title, and how many there are.
func named(said, title string) (n, all int) {
	words := TaskWords(said)
	for _, w := range words {
		if hasNearly(TaskWords(title), w) {
			n++
		}
	}
	return n, len(words)
}

// obtaining verbs say of one thing much the same.
const obtaining = "get|buy|order|book|reserve|find|arrange|hire|choose|fetch|collect|pickup"

// sameDeed: two verbs, in whatever form, say that the same is done, or nearly.
func sameDeed(a, b string) bool {
	near := func(w string) bool {
		return slices.ContainsFunc(strings.Split(obtaining, "|"), func(o string) bool { return language.Base(w) == language.Stem(o) || language.OneApart(w, o+"ed") })
	}
	base := func(w string) string { return strings.Replace(language.Base(w)+" ", "ll ", "l ", 1) } // "cancelled"
	return base(a) == base(b) || near(a) && near(b)
}

// Spelt puts whole titles of tasks, of two words and more, in the place of the parts that were
// heard of them, where they stand word for word in what was said: “choose the tiles and the
// paint” is one task.
func Spelt(heard []string, said string, tasks []map[string]any) []string {
	said = strings.ToLower(language.OneLine(said))
	for _, task := range tasks {
		title := language.OneLine(text(task, "title"))
		low := strings.ToLower(title)
		part := func(h string) bool { return strings.Contains(low, strings.ToLower(h)) }
		whole := func(h string) bool { return len(h) > len(title) && strings.Contains(strings.ToLower(h), low) }
		if !strings.Contains(title, " ") || !strings.Contains(said, low) || !slices.ContainsFunc(heard, part) || slices.ContainsFunc(heard, whole) {
			continue
		}
		heard = append([]string{title}, slices.DeleteFunc(slices.Clone(heard), part)...)
	}
	return heard
}

// TasksElsewhere finds the tasks that words mean without doubt in other projects than the
// one at hand: they have more in common than what is done, and more than with any task at
// home.
func TasksElsewhere(said string, tasks, home []map[string]any) []map[string]any {
	found, sure := Tasks(said, tasks)
	if !sure {
		return nil
	}
	words, most := TaskWords(said), 0
	for _, task := range home {
		most = max(most, things(words, TaskWords(text(task, "title"))))
	}
	return slices.DeleteFunc(slices.Clone(found), func(task map[string]any) bool {
		same := strings.EqualFold(text(task, "title"), strings.TrimSpace(said))
		return !same && things(words, TaskWords(text(task, "title"))) <= most
	})
}

// things is how many words of a title are said besides its verb. A number beside other words is
// one of a kind, and without that names nothing: "ticket 3" no chapter.
func things(words, title []string) int {
	n, numbers := 0, 0
	for k, w := range title {
		switch {
		case isVerb(title, k) || !hasNearly(words, w):
		case language.IsDigits(w) && len(w) < shortestName:
			numbers++
		default:
			n++
		}
	}
	kinds := slices.DeleteFunc(slices.Clone(words), language.Digital)
	short := func(w string) bool { // "inv 1" of invoice 1
		return slices.ContainsFunc(title, func(of string) bool { return strings.HasPrefix(of, w) })
	}
	if n == 0 && len(kinds) > 0 && !slices.ContainsFunc(kinds, short) {
		return 0
	}
	return n + numbers
}

// shortestName is how many digits a number has that is a name by itself: form 1040.
const shortestName = 4

// isVerb: the k-th word of a title says what is done. German ones stand at the end.
func isVerb(title []string, k int) bool {
	w := title[k]
	for _, particle := range []string{"", "up", "out", "off", "in", "down", "over"} {
		if base, ok := strings.CutSuffix(w, particle); ok && k == 0 && (language.Class("<verb>", base) || base == "do") {
			return true
		}
	}
	return len(title) > 1 && k == len(title)-1 && strings.HasSuffix(w, "en")
}

// common verbs are those of errands and of dealing with people, which half of all tasks
// could have, unlike "weld".
func common(w string) bool {
	return slices.ContainsFunc([]string{"<deedverb>", "<summon>", "<finishverb>", "<stop>"}, func(class string) bool { return language.Class(class, w) })
}

// byVerbAlone: words have no more in common with a title than a verb that many could have,
// though the title says more.
func byVerbAlone(words, title []string) bool {
	verb := slices.IndexFunc(title, func(w string) bool { return hasNearly(words, w) })
	return things(words, title) == 0 && len(title) > 1 && verb >= 0 && (common(title[verb]) || common(strings.TrimSuffix(title[verb], "up")))
}

// aside: words name no more of a title than what stands behind the thing that it is about:
// "Priya" of "assign the backfill to Priya", "the cutover" of "load test before cutover". Where
// no thing stands before it, it is what the title is about: "find out how to cancel the lease".
func aside(words []string, title string) bool {
	toks := language.Tokenize(title)
	i := slices.IndexFunc(toks, func(t language.Token) bool {
		return !t.Quoted && language.In("to|before|after|at|by|until|when|if|whether|because", t.Norm)
	})
	if i < 2 {
		return false
	}
	head := slices.DeleteFunc(TaskWords(title[:toks[i].Start]), func(w string) bool { return language.Class("<wh>", w) })
	return len(head) > 0 && (len(head) > 1 || !isVerb(head, 0)) && !slices.ContainsFunc(head, func(w string) bool { return hasNearly(words, w) })
}

// heard is how far words are about a title: less than 1 where it lacks most of them.
func heard(words, title []string) float64 {
	n, all := 0, 0
	for k, w := range words {
		switch {
		case hasNearly(title, w):
			n, all = n+1, all+1
		case k > 0 || !isVerb(words, k):
			all++
		}
	}
	return min(1, 2*float64(n)/float64(max(all, 1)))
}

// TaskWords are the words by which a task is known.
func TaskWords(s string) []string {
	toks := language.Tokenize(s)
	for i := range toks[:max(0, len(toks)-1)] {
		if next := toks[i+1].Norm; language.Class("<verb>", toks[i].Norm) && language.In("up|out|off|in|down|over", next) {
			toks[i].Norm += next // "pick up the lights" is the lights' pickup
		}
	}
	return slices.DeleteFunc(language.ContentWords(toks), func(w string) bool {
		return language.Class("<taskword>", w) || language.In("one|thing|item|point|entry|rid|up|out|off|in|down|over", w)
	})
}

// dayOfMonth: a word is a day by its number: "3rd".
func dayOfMonth(w string) bool {
	n := strings.TrimRight(w, "stndrh")
	return n != "" && len(w) == len(n)+2 && strings.Trim(n, "0123456789") == ""
}

// openOnes leaves out those that are done where others are open.
func openOnes(tasks []map[string]any) []map[string]any {
	open := slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		return language.In("done|cancelled", text(task, "status"))
	})
	if len(open) > 0 {
		return open
	}
	return tasks
}

// enough is how much of a title must be said of the task: the share of its words, of
// which those that stand in few titles count most.
const enough = 0.4

// LikeliestTask is the one of whose title most was said, typing errors forgiven; none
// where two are as good.
func LikeliestTask(words []string, tasks []map[string]any) []map[string]any {
	tasks = slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		return otherNumber(strings.Join(words, " "), text(task, "title"))
	})
	return likeliest(words, tasks, func([]string, []string) float64 { return 1 })
}

// OnlySharing is the one task that names a thing which was said; none where several do.
func OnlySharing(said string, tasks []map[string]any) []map[string]any {
	words := TaskWords(said)
	found := slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool { return things(words, TaskWords(text(task, "title"))) == 0 })
	if len(found) != 1 {
		return nil
	}
	return found
}

// MostSharing are those that name most of the things which were said; none where too many do.
func MostSharing(said string, tasks []map[string]any) (found []map[string]any) {
	words, most := TaskWords(said), 0
	for _, task := range tasks {
		n := things(words, TaskWords(text(task, "title")))
		if n > most {
			found, most = nil, n
		}
		if n == most && n > 0 {
			found = append(found, task)
		}
	}
	if len(found) > maxSharing {
		return nil
	}
	return found
}

// maxSharing are as many as somebody is asked about.
const maxSharing = 4

// OnlyAbout is the one open task with a thing that was said, be it as the beginning of a longer
// word: "first aid" of the first aider. None where several are.
func OnlyAbout(said string, tasks []map[string]any) []map[string]any {
	words := TaskWords(said)
	found := slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		title := TaskWords(text(task, "title"))
		begun := slices.ContainsFunc(title, func(w string) bool {
			return slices.ContainsFunc(words, func(o string) bool { return len(o) > 2 && strings.HasPrefix(w, o) && len(w) < len(o)+4 })
		})
		return !begun && things(words, title) == 0
	})
	if len(found) != 1 {
		return nil
	}
	return found
}

// Partly: what was said is of no more than a part of what a title names: "the first two quotes
// are in" of three, "half of the flyers are out", "the report is nearly done".
func Partly(said, title string) bool {
	toks, whole := language.Tokenize(said), countIn(title)
	_, _, nearly := language.Find(toks, "nearly|almost|halfway|partly|partially|mostly", "not all|quite|yet", "so far", "half done|finished|way|through", "all but", "one|two|some|more to go")
	if nearly || narrower(toks, title) || oneOf(said, title) || NthOf(toks, title) {
		return true
	}
	for i, t := range toks {
		n, _ := strconv.Atoi(strings.TrimRight(language.Numeral(t.Norm), "sthndr"))
		part := whole > 1 && n > 0 && n < whole || language.In("half|some|most|part|parts|another", t.Norm)
		of := i+1 < len(toks) && toks[i+1].Norm == "of"
		reach := 3
		if of {
			part, reach = part || n > 0 && whole == 0, 6
		}
		near := toks[i+1 : min(len(toks), i+1+reach)]
		if len(near) == 0 { // "mock test 2"
			near = toks[max(0, i-2):i]
		}
		if part && (of && whole > 0 || things(TaskWords(language.Spell(said, near)), TaskWords(title)) > 0) {
			return true
		}
	}
	return false
}

// countIn is how many things a title counts; 0: it doesn't. A number behind its thing counts none:
// "Chapter 4".
func countIn(title string) (whole int) {
	toks := language.Tokenize(title)
	for i, t := range toks {
		if n := language.Count(t.Norm); t.Word && n > 1 && i+1 < len(toks) && toks[i+1].Word {
			whole = n
		}
	}
	return whole
}

// NthOf: one of several things that a title counts is named by its number: "mock 3" of three.
func NthOf(said []language.Token, title string) bool {
	whole := countIn(title)
	for i, t := range said {
		n := language.Count(t.Norm)
		last := i > 0 && whole > 1 && n > 0 && n <= whole && (i+1 == len(said) || !said[i+1].Word)
		if last && things(TaskWords(said[i-1].Norm), TaskWords(title)) > 0 {
			return true
		}
	}
	return false
}

// oneOf: of the things that a title names one after the other only some were said.
func oneOf(said, title string) bool {
	listed := language.Listed(language.Tokenize(title))
	named := slices.DeleteFunc(slices.Clone(listed), func(toks []language.Token) bool {
		return things(TaskWords(said), TaskWords(language.Spell(title, toks))) == 0
	})
	return len(named) > 0 && len(named) < len(listed)
}

// ofAnother: what was said is part of something that a title doesn't name: "the back of the
// jumper" beside "label the backs of the chairs".
func ofAnother(said, title string) bool {
	toks := language.Tokenize(said)
	i := slices.IndexFunc(toks, func(t language.Token) bool { return t.Norm == "of" })
	if i <= 0 {
		return false
	}
	whole := TaskWords(language.Spell(said, toks[i+1:]))
	return len(whole) > 0 && things(whole, TaskWords(title)) == 0
}

// narrower: wherever the thing of a title was said, it only tells which one another thing is: "the
// parkett samples" of the parkett, "the builder's van" of the builder.
func narrower(said []language.Token, title string) bool {
	words := language.Tokenize(title)
	if len(words) < 2 || !isVerb([]string{words[0].Norm}, 0) {
		return false
	}
	isLight := func(t language.Token) bool { return !t.Word || language.Light(t.Norm) }
	for words = words[1:]; len(words) > 0 && isLight(words[0]); words = words[1:] {
	}
	end := slices.IndexFunc(words, isLight)
	if end < 0 {
		end = len(words)
	}
	if end == 0 {
		return false
	}
	thing, named, other := words[end-1].Norm, false, false
	for i, t := range said {
		whose := strings.TrimSuffix(t.Norm, "'s")
		if language.Alike(whose, thing) == 0 {
			continue
		}
		named = true
		if i+1 == len(said) || !isThing(said[i+1:]) || language.Has(words, said[i+1].Norm) || i+2 < len(said) && language.In(doneWords, said[i+2].Norm) {
			return false // "council tax done" tells no more of what than a list does
		}
		other = true
	}
	return named && other
}

// isThing: words begin with one that names something.
func isThing(toks []language.Token) bool {
	t := toks[0]
	if _, _, ok := language.ReadPeriod(toks, anyDay); ok || !t.Word || t.Quoted || language.Light(t.Norm) || language.Past(t.Norm) || past(t) || language.In(doneWords, t.Norm) || language.In(doneStates, t.Norm) || strings.HasSuffix(t.Norm, "ly") || language.Digital(t.Norm) {
		return false
	}
	return !slices.ContainsFunc([]string{"<stop>", "<pronoun>", "<timeword>", "<verb>", "<aux>", "<doneword>", "<taskword>"}, func(class string) bool { return language.Class(class, t.Norm) })
}

// anyDay is a day to read dates by, of which only the place matters.
var anyDay = time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)

// Touches: of some words one stands in a title, be it its verb in another form.
func Touches(words []string, title string) bool {
	return slices.ContainsFunc(TaskWords(title), func(w string) bool { return hasNearly(words, w) })
}

// Shared is how many of the things that a title names stand in some words.
func Shared(said, title string) int { return things(TaskWords(said), TaskWords(title)) }

// likeliest weighs what was said of each title by how far the words are about it.
func likeliest(words []string, tasks []map[string]any, about func(words, title []string) float64) []map[string]any {
	titles := make([][]string, len(tasks))
	for i, task := range tasks {
		titles[i] = TaskWords(text(task, "title"))
	}
	weight := func(w string) float64 {
		n := 0.0
		for _, title := range titles {
			if hasNearly(title, w) {
				n++
			}
		}
		return 1 / max(n, 1)
	}
	best, most, second := -1, 0.0, 0.0
	for i, title := range titles {
		shared, all := 0.0, 0.0
		for k, w := range title {
			u := weight(w)
			if len(title) > 1 && (language.Class("<verb>", w) || k == len(title)-1 && strings.HasSuffix(w, "en")) {
				u /= 2 // its verb, German ones at the end, which is often another one
			}
			if hasNearly(words, w) {
				shared += u
			}
			all += u
		}
		score := shared / max(all, 1e-9) * about(words, title)
		if things(words, title) == 0 && len(title) > 1 {
			score = 0 // what is done tells no task from another
		}
		if score > most {
			best, most, second = i, score, most
		} else {
			second = max(second, score)
		}
	}
	if best < 0 || most < enough || second > 0.8*most {
		return nil
	}
	return tasks[best : best+1]
}

func hasNearly(words []string, w string) bool {
	return slices.ContainsFunc(words, func(o string) bool {
		return language.Alike(w, o) > 0 || len(w) > 5 && language.OneApart(w, o) || language.Base(w) == language.Stem(o) || language.Base(o) == language.Stem(w)
	})
}

// text is a value of a task; empty: it has none.
func text(task map[string]any, key string) string {
	s, _ := task[key].(string)
	return s
}
