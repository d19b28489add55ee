// Package filter reads from the words of a question what narrows a list of tasks, holds
// tasks against it, and says it in words.
package filter

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kist/agent/language"
	"kist/agent/offline/dictate"
	"kist/agent/offline/manner"
	"kist/agent/offline/where"
)

// en.txt holds the words of questions for a list of tasks.
//
//go:embed en.txt
var text string

var table = sync.OnceValue(func() manner.Table { return manner.Read(text) })

// Homeless reports whether a question asks for what belongs to no project.
func Homeless(toks []language.Token) bool {
	return table().In(toks, "noproject", "")
}

// longest is how many words of a question are read.
const longest = 48

// A Filter is what a question for tasks narrows the list by. Its zero value is all
// that is open.
type Filter struct {
	Status     []string          // as list_tasks names them; empty: open
	Priority   []string          // empty: any
	Date       string            // of which Periods and Due tell: scheduled, start, done or created; empty: due
	Periods    []language.Period // that date is in one of them; empty: whenever
	Due        string            // none or any
	Text       []string          // words of the title, all of them
	Place      where.Place       // tags that they have, and where they stand
	Count      bool              // only how many
	Limit      int               // at most so many; 0: all
	Everywhere bool              // in every project
	NoProject  bool              // only what belongs to none
	Recurring  bool              // only what comes again
	Untagged   bool              // only what has no tag
	Not        *Filter           // what it is to be without; nil: nothing
	Order      string            // due, priority, created or title; empty: as list_tasks has it
	Overdue    bool              // it was asked for by that word
	Folder     string            // the one of Loose that may be a folder, as it is written
	Loose      []string          // words that may stand in a title, or mean nothing to us
	Unknown    []string          // what was not understood
	Ahead      bool              // it asks for what is coming, whatever that is
	project    string            // of what is left out, the project's slug
	said       []string          // the words of Text, where those are stems
	todo       bool              // it asks what there is to do
	tasks      bool              // and says that it means tasks
}

// levels are the priorities, the lowest first.
const levels = "low medium high urgent"

// A scan reads a filter from the words of a question.
type scan struct {
	Filter
	src    string
	now    time.Time
	known  []string // words that were read elsewhere: the project's name
	either bool     // "or" stood before what is read now
	date   string   // the date that was named, due as well
	by     string   // the word that did
	before string   // the word before what is read now
	level  string   // of the last priority
	aged   bool     // it says how old what is meant is
}

// Read reads what narrows a list of tasks. Every word is either part of that, or
// one of known, or says no more than that a list is wanted; what is left is in Loose
// and Unknown.
//
// What leads to the question narrows the list as well where all of it does: "till end of
// November, what do I owe them?", but not "I'm dead tired, which ones are easy?".
func Read(src string, toks []language.Token, known []string, now time.Time) Filter {
	order, toks := ordered(toks)
	toks, not := parted(src, toks, known, now)
	place, toks := where.Read(src, toks)
	day := ""
	for i := range toks {
		if said, n := dictate.InNote(src, toks[i:]); n > 0 && place.Path == "" {
			day, toks = said, slices.Concat(toks[:i], toks[i+n:])
			break
		}
	}
	f := readApart(src, toks, known, now)
	if p, _, ok := language.ReadPeriod(language.Tokenize(day), now); ok {
		place.Path = language.ISODay(past(p, now).From)
	}
	f.Place, f.Order, f.Not, f.Ahead = place, order, not, f.Ahead || Dates(toks)
	return f
}

func readApart(src string, toks []language.Token, known []string, now time.Time) Filter {
	if i := asksAt(toks); i > 0 {
		lead, rest := readAll(src, toks[:i], known, now), readAll(src, toks[i:], known, now)
		if len(lead.Loose)+len(lead.Unknown) > 0 && (rest.narrows() || !lead.narrows()) { // not "the overdue ones, show me"
			return rest
		}
	}
	return readAll(src, toks, known, now)
}

// narrows: it leaves something out, or asks for no list.
func (f Filter) narrows() bool {
	return f.Narrows() || len(f.Text)+len(f.Loose) > 0 || f.Count || f.Limit > 0
}

// Narrows reports whether something is left out for another reason than words of the title.
func (f Filter) Narrows() bool {
	return len(f.Status)+len(f.Priority)+len(f.Periods) > 0 || f.Due != "" || f.NoProject || f.Recurring || f.Untagged || f.Not != nil || f.Place.Any()
}

// Within takes [Filter.Folder] for the folder that is meant.
func (f *Filter) Within() {
	f.Place.Path = f.Folder
	f.Loose = slices.DeleteFunc(f.Loose, func(w string) bool { return strings.EqualFold(w, strings.TrimSuffix(f.Folder, "'s")) })
}

// asksAt is where the question begins behind what leads to it; 0: at the start.
func asksAt(toks []language.Token) int {
	for i := len(toks) - 2; i > 1; i-- {
		mark := !toks[i-1].Word && language.In(",|-|–|:|;", toks[i-1].Norm)
		if mark && (table().Is(toks[i:], "verb") > 0 || table().Is(toks[i:], "asks") > 0) {
			return i
		}
	}
	return 0
}

func readAll(src string, toks []language.Token, known []string, now time.Time) Filter {
	s := scan{src: src, now: now, known: known}
	toks = toks[:min(len(toks), longest)]
	for i := range toks {
		s.todo = s.todo || table().Is(toks[i:], "todo") > 0
		s.tasks = s.tasks || language.In("task|tasks|todo|todos|to-do|to-dos|item|items", toks[i].Norm)
	}
	for first := true; len(toks) > 0 && (first || !s.ends(toks)); first = false {
		n := s.step(toks)
		s.before, toks = toks[n-1].Norm, toks[n:]
	}
	s.settleDate()
	return s.Filter
}

// settleDate says which date the periods are of. What is done was so in them, unless
// another date is named.
func (s *scan) settleDate() {
	finished := len(s.Status) == 1 && s.Status[0] == "done"
	if language.In("start|created", s.date) && s.Due == "" && len(s.Periods) == 0 {
		s.Loose, s.date = append(s.Loose, s.by), "" // "where do I start?"
	}
	if s.aged && s.date == "" && !finished {
		s.date = "created"
	}
	switch {
	case s.date == "" && len(s.Periods) > 0 && finished:
		s.Date = "done"
	case s.date != "due":
		s.Date = s.date
	}
	if s.date != "" && s.Due == "" && len(s.Periods) == 0 {
		s.Due = "any" // "what is due?"
	}
	if s.Date == "done" || s.Date == "created" {
		for i, p := range s.Periods {
			s.Periods[i] = past(p, s.now)
		}
	}
	if s.Date == "done" && len(s.Status) == 0 {
		s.Status = []string{"done"}
	}
}

// past is a period that lies ahead as the last one of that name: "done on Monday".
func past(p language.Period, now time.Time) language.Period {
	back := func(t time.Time) time.Time { return t.AddDate(-1, 0, 0) }
	switch today := language.ISODay(now); {
	case p.From.IsZero() || language.ISODay(p.From) <= today:
		return p
	case p.From.Equal(p.To) && language.ISODay(p.From.AddDate(0, 0, -7)) <= today:
		back = func(t time.Time) time.Time { return t.AddDate(0, 0, -7) }
	}
	if p.From = back(p.From); !p.To.IsZero() {
		p.To = back(p.To)
	}
	return p
}

// foreign is how many words that narrow no list make another sentence.
const foreign = 4

// ends: behind "and" something else is told: "what is left, and oh, Tom wants us at the fair".
func (s *scan) ends(toks []language.Token) bool {
	if table().Is(toks, "either") == 0 && table().Is(toks, "on") == 0 {
		return false
	}
	rest := scan{src: s.src, now: s.now, known: s.known}
	for toks = toks[1:]; len(toks) > 0; {
		toks = toks[rest.step(toks):]
	}
	return len(rest.Loose) >= foreign
}

// step reads what stands at the start of toks, and returns how many tokens it took.
func (s *scan) step(toks []language.Token) int {
	words, t := table(), toks[0]
	switch {
	case t.Quoted:
		s.Text = append(s.Text, t.Norm)
		return 1
	case !t.Word:
		if n := words.Is(toks, "either"); n > 0 {
			s.either = true
		}
		return 1
	case s.isKnown(t.Norm):
		return 1
	}
	if k := s.older(toks); k > 0 {
		return k
	}
	m, n := words.Longest(toks)
	if p, k, ok := readPeriod(toks, s.now); ok && k > n && (m.Kind != "date" || s.date != "") { // "starting next week"
		s.period(p)
		return k
	}
	if n > 0 {
		return s.apply(m, toks, n)
	}
	if k := language.Count(t.Norm); k > 0 && !words.List[t.Norm] {
		s.Limit = k
		return 1
	}
	return s.loose(toks)
}

// loose reads what may stand in a title, or isn't understood.
func (s *scan) loose(toks []language.Token) int {
	words, t := table(), toks[0]
	switch {
	case s.before != "" && language.Begins(toks, "before|until|till|once|after <subject>|<det>"):
		s.Unknown = append(s.Unknown, language.Spell(s.src, toks)) // "before she comes"
		return len(toks)
	case len(t.Norm) == 1, language.Class("<subject>", t.Norm):
		return 1
	}
	in, spelt := language.In("in|from|under|below|inside|within", s.before), language.Spell(s.src, toks[:1])
	if in && strings.ToUpper(spelt) != spelt && language.Capital(spelt) == spelt || !words.List[t.Norm] && !language.IsFiller(t) { // "in Projects" is a name
		s.Loose = append(s.Loose, strings.TrimSuffix(t.Norm, "'s"))
		if in {
			s.Folder = spelt
		}
	}
	return 1
}

// readPeriod reads a period; in a question for a list "jan" is one by itself.
func readPeriod(toks []language.Token, now time.Time) (language.Period, int, bool) {
	if k := table().Is(toks, "weekof"); k > 0 && k < len(toks) {
		if day, n, ok := language.ReadPeriod(toks[k:], now); ok && !day.From.IsZero() && day.From.Equal(day.To) {
			sunday := language.EndOfWeek(day.To)
			return language.Period{From: sunday.AddDate(0, 0, -6), To: sunday}, k + n, true
		}
	}
	if len(toks) > 1 && toks[0].Norm == "from" && pastYear(toks[1:], now) { // "the overdue ones from 2024"
		p, n, ok := language.ReadPeriod(append(language.Tokenize("in"), toks[1:]...), now)
		return p, n, ok
	}
	if toks[0].Norm == "from" && len(toks) > 1 { // "unfinished ones from last week", which is over
		p, n, ok := language.ReadPeriod(toks[1:], now)
		begun := n+1 < len(toks) && language.In("to|till|until|on|onwards|onward|-", toks[n+1].Norm)
		if ok && !begun && p.From.Before(p.To) && !p.From.IsZero() && p.To.Before(now) {
			return p, n + 1, true
		}
	}
	p, n, ok := language.ReadPeriod(toks, now)
	if !ok && language.IsMonth(toks[0].Norm) {
		if p, n, ok = language.ReadPeriod(append(language.Tokenize("in"), toks...), now); ok {
			return p, n - 1, true
		}
	}
	return p, n, ok
}

// pastYear: words begin with a year that is over, and name no end of a stretch from it on.
func pastYear(toks []language.Token, now time.Time) bool {
	year, err := strconv.Atoi(toks[0].Norm)
	return err == nil && year >= 1900 && year < now.Year() && (len(toks) == 1 || !language.In("to|till|until|on|onwards|onward|-", toks[1].Norm))
}

func (s *scan) isKnown(w string) bool {
	return slices.ContainsFunc(s.known, func(k string) bool { return language.Alike(strings.TrimSuffix(w, "'s"), k) >= 0.8 })
}

// period narrows by a period, or widens after "or".
func (s *scan) period(p language.Period) {
	// "After Monday and before Friday" is one stretch, "today and tomorrow" are two.
	n := len(s.Periods)
	apart := n > 0 && s.either && !(s.Periods[n-1].To.IsZero() && p.From.IsZero()) && !(s.Periods[n-1].From.IsZero() && p.To.IsZero())
	if n > 0 && !apart {
		both := s.Periods[n-1].Within(p)
		if apart = !both.To.IsZero() && both.To.Before(both.From); !apart { // no day is in both
			s.Periods[n-1] = both
		}
	}
	if n == 0 || apart {
		s.Periods = append(s.Periods, p)
	}
	s.either = false
}

// apply takes what was said in the manner m, in n tokens.
func (s *scan) apply(m manner.Manner, toks []language.Token, n int) int {
	switch m.Kind {
	case "either":
		s.either = true
	case "status":
		s.Status = with(s.Status, strings.Split(m.Value, ",")...)
	case "priority", "level":
		s.Priority, s.level = with(s.Priority, strings.Split(m.Value, ",")...), m.Value
	case "above":
		if _, above, ok := strings.Cut(levels, s.level); ok && s.level != "" {
			s.Priority = with(s.Priority, strings.Fields(above)...)
		} else {
			s.Loose = append(s.Loose, language.Spell(s.src, toks[:n]))
		}
	case "due", "none", "any", "date", "overdue":
		return s.dated(m, toks, n)
	case "noproject":
		s.NoProject = true
	case "recurring":
		s.Recurring = true
	case "untagged":
		s.Untagged = true
	case "count":
		s.Count = true
	case "everywhere":
		s.Everywhere = true
	case "ahead":
		s.Ahead = true
	case "one":
		s.Limit = 1
	case "first":
		return s.first(toks, n)
	case "text":
		return s.titled(toks, n)
	case "except":
		return s.leave(toks)
	}
	return n
}

// dated takes what is said of a date.
func (s *scan) dated(m manner.Manner, toks []language.Token, n int) int {
	date := m.Value
	if m.Kind == "due" || m.Kind == "overdue" {
		date = "due"
	}
	if !s.names(date) {
		return s.leave(toks)
	}
	switch m.Kind {
	case "due":
		s.Due = m.Value
	case "none", "any":
		s.Due = m.Kind
	case "date":
		s.by = toks[0].Norm
	case "overdue":
		s.Overdue = true
		s.period(language.Period{To: yesterday(s.now)})
	}
	return n
}

// names takes a date for the one that is meant; false: another one was.
func (s *scan) names(date string) bool {
	if s.date != "" && s.date != date {
		return false
	}
	s.date = date
	return true
}

// leave passes over all that is left, and says so.
func (s *scan) leave(toks []language.Token) int {
	s.Unknown = append(s.Unknown, language.Spell(s.src, toks))
	return len(toks)
}

// first reads "the next three".
func (s *scan) first(toks []language.Token, n int) int {
	if n < len(toks) {
		if k := language.Count(toks[n].Norm); k > 0 {
			s.Limit = k
			return n + 1
		}
	}
	return n
}

// titled takes the words that a title shall have, up to what narrows otherwise.
func (s *scan) titled(toks []language.Token, n int) int {
	i := n
	for ; i < len(toks) && toks[i].Word && (i == n || table().Is(toks[i:], "stop") == 0); i++ {
		if m, k := table().Longest(toks[i:]); k > 0 && slices.Contains([]string{"status", "priority", "due", "overdue", "except"}, m.Kind) && !toks[i].Quoted {
			break
		}
		if w := toks[i].Norm; !s.isKnown(w) && len(language.ContentWords(toks[i:i+1])) > 0 {
			s.Text = append(s.Text, w)
		}
	}
	return i
}

func with(list []string, more ...string) []string {
	for _, v := range more {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// Fits reports whether a task's date is in the filter's periods, and it is none that is left out:
// all else list_tasks has seen to.
func (f Filter) Fits(task map[string]any) bool {
	if f.Not != nil && f.Not.holds(task) || f.Untagged && tagged(titleOf(task)) {
		return false
	}
	day, _ := task[cmp.Or(f.Date, "due")].(string)
	return len(f.Periods) == 0 || f.inPeriods(day)
}

func (f Filter) inPeriods(day string) bool {
	return slices.ContainsFunc(f.Periods, func(p language.Period) bool {
		return day != "" && (p.From.IsZero() || day >= language.ISODay(p.From)) && (p.To.IsZero() || day <= language.ISODay(p.To))
	})
}

// Late: it was due before today, which is worth a word where today was asked for.
func (f Filter) Late(task map[string]any, now time.Time) bool {
	due := dueOf(task)
	return due != "" && due < language.ISODay(now) && !f.Fits(task)
}

// span is the stretch that holds all periods.
func (f Filter) span() language.Period {
	if len(f.Periods) == 0 {
		return language.Period{}
	}
	out := f.Periods[0]
	for _, p := range f.Periods[1:] {
		if p.From.IsZero() || p.From.Before(out.From) {
			out.From = p.From
		}
		if p.To.IsZero() || !out.To.IsZero() && p.To.After(out.To) {
			out.To = p.To
		}
	}
	return out
}

// Current: one stretch was asked for, today is in it, and what is open.
func (f Filter) Current(now time.Time) bool {
	today := language.ISODay(now)
	return f.Date == "" && len(f.Periods) == 1 && len(f.Status) == 0 && !f.Periods[0].From.IsZero() && language.ISODay(f.Periods[0].From) <= today &&
		(f.Periods[0].To.IsZero() || today <= language.ISODay(f.Periods[0].To))
}

// Args are the arguments of list_tasks.
func (f Filter) Args(now time.Time) map[string]any {
	args := map[string]any{}
	set := func(key, value string) {
		if value != "" {
			args[key] = value
		}
	}
	span := f.span()
	if f.Current(now) {
		span.From = time.Time{} // what is overdue is told beside it
	}
	set("status", strings.Join(f.Status, ","))
	set("priority", strings.Join(f.Priority, ","))
	set("due", f.Due)
	if f.Due != "" || len(f.Periods) > 0 {
		set("date", f.Date)
	}
	if f.Recurring {
		args["recurring"] = true
	}
	set("tag", strings.Join(f.Place.Tags, ","))
	set("path", f.Place.Path)
	set("text", language.Limit(strings.Join(f.Text, " "), 200))
	set("due_from", dayOf(span.From))
	set("due_to", dayOf(span.To))
	return args
}

func dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return language.ISODay(t)
}

func yesterday(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-1, 0, 0, 0, 0, time.UTC)
}

func dueOf(task map[string]any) string {
	due, _ := task["due"].(string)
	return due
}

// Undated: who asks what there is to do till some day means what has no date as well.
func (f Filter) Undated(now time.Time) bool {
	return f.todo && f.Date == "" && len(f.Periods) == 1 && f.Periods[0].From.IsZero() && language.ISODay(f.Periods[0].To) > language.ISODay(now) && len(f.Status) == 0 && f.Due == "" && !f.Count && f.Limit == 0
}

// Whole: it asks for all that is still to come, be it a task or not: "what have I got to do?", "what is
// still open?".
func (f Filter) Whole() bool {
	open := len(f.Status) == 1 && f.Status[0] == "open"
	return (f.todo && len(f.Status) == 0 || open) && !f.tasks && len(f.Priority)+len(f.Periods)+len(f.Text) == 0 && f.Due == "" && f.Date == "" && f.Limit == 0 && !f.Recurring && !f.Place.Any()
}

// Kin takes for understood what means the project itself: a word of its name, or another
// one for what it is said to be: "the book", of a novel.
func (f *Filter) Kin(name, is []string) {
	f.Unknown = slices.DeleteFunc(f.Unknown, func(w string) bool {
		return slices.ContainsFunc(name, func(n string) bool { return language.Base(n) == language.Base(w) || akin(w, n) }) ||
			slices.ContainsFunc(is, func(n string) bool { return akin(w, n) })
	})
}

// akin: two words mean the same kind of undertaking.
func akin(a, b string) bool {
	a, b = language.Base(a), language.Base(b)
	return a != b && slices.ContainsFunc(table().Manners, func(m manner.Manner) bool {
		return m.Kind == "kin" && slices.Contains(m.Patterns, a) && slices.Contains(m.Patterns, b)
	})
}

// Unsettled: it has words of which only the tasks tell what they mean.
func (f Filter) Unsettled() bool { return len(f.Loose) > 0 || f.Not != nil && len(f.Not.Loose) > 0 }

// Settle takes a word that stands in a title for what the list is narrowed by; what
// stands in none isn't understood.
func (f *Filter) Settle(tasks []map[string]any) {
	f.settleOut(tasks)
	for _, w := range f.Loose {
		stem := language.Stem(w)
		if slices.ContainsFunc(tasks, func(task map[string]any) bool {
			return slices.ContainsFunc(language.Tokenize(titleOf(task)), func(t language.Token) bool {
				return t.Norm == w || len(stem) >= leastStem && strings.HasPrefix(t.Norm, stem)
			})
		}) {
			f.Text, f.said = append(f.Text, stem), append(f.said, w)
		} else {
			f.Unknown = append(f.Unknown, w)
		}
	}
	f.Loose = nil
}

// leastStem is how long the stem of a word is at least that may begin another.
const leastStem = 3

func titleOf(task map[string]any) string {
	title, _ := task["title"].(string)
	return title
}
