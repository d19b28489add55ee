package offline

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
)

// A filter is what a question for tasks narrows the list by. Its zero value is all
// that is open.
type filter struct {
	status   []string          // as list_tasks names them; empty: open
	priority []string          // empty: any
	periods  []language.Period // due in one of them; empty: whenever
	due      string            // none or any
	text     []string          // words of the title, all of them
	count    bool              // only how many
	limit    int               // at most so many; 0: all
	all      bool              // in every project
	overdue  bool              // it was asked for by that word
	loose    []string          // words that may stand in a title, or mean nothing to us
	unknown  []string          // what was not understood
}

// levels are the priorities, the lowest first.
const levels = "low medium high urgent"

// A scan reads a filter from the words of a question.
type scan struct {
	filter
	src    string
	now    time.Time
	known  []string // words that were read elsewhere: the project's name
	either bool     // "or" stood before what is read now
	level  string   // of the last priority
}

// readFilter reads what narrows a list of tasks. Every word is either part of that, or
// one of known, or says no more than that a list is wanted; what is left is in loose
// and unknown.
func readFilter(src string, toks []language.Token, known []string, now time.Time) filter {
	s := scan{src: src, now: now, known: known}
	toks = toks[:min(len(toks), maxCommand)]
	for len(toks) > 0 {
		toks = toks[s.step(toks):]
	}
	return s.filter
}

// step reads what stands at the start of toks, and returns how many tokens it took.
func (s *scan) step(toks []language.Token) int {
	words, t := filterWords(), toks[0]
	switch {
	case t.Quoted:
		s.text = append(s.text, t.Norm)
		return 1
	case !t.Word:
		if n := words.is(toks, "either"); n > 0 {
			s.either = true
		}
		return 1
	case s.isKnown(t.Norm):
		return 1
	}
	m, n := words.longest(toks)
	if p, k, ok := language.ReadPeriod(toks, s.now); ok && k > n {
		s.period(p)
		return k
	}
	if n > 0 {
		return s.apply(m, toks, n)
	}
	if k := language.Count(t.Norm); k > 0 && !words.list[t.Norm] {
		s.limit = k
		return 1
	}
	if !words.list[t.Norm] && !language.IsFiller(t) {
		s.loose = append(s.loose, strings.TrimSuffix(t.Norm, "'s"))
	}
	return 1
}

func (s *scan) isKnown(w string) bool {
	return slices.ContainsFunc(s.known, func(k string) bool { return same(strings.TrimSuffix(w, "'s"), k) >= 0.8 })
}

// period narrows by a period, or widens after "or".
func (s *scan) period(p language.Period) {
	// "After Monday and before Friday" is one stretch, "today and tomorrow" are two.
	n := len(s.periods)
	apart := n > 0 && s.either && !(s.periods[n-1].To.IsZero() && p.From.IsZero()) && !(s.periods[n-1].From.IsZero() && p.To.IsZero())
	if n == 0 || apart {
		s.periods = append(s.periods, p)
	} else {
		s.periods[n-1] = s.periods[n-1].Within(p)
	}
	s.either = false
}

// apply takes what was said in the manner m, in n tokens.
func (s *scan) apply(m manner, toks []language.Token, n int) int {
	switch m.kind {
	case "either":
		s.either = true
	case "status":
		s.status = with(s.status, strings.Split(m.value, ",")...)
	case "priority", "level":
		s.priority, s.level = with(s.priority, strings.Split(m.value, ",")...), m.value
	case "above":
		if _, above, ok := strings.Cut(levels, s.level); ok && s.level != "" {
			s.priority = with(s.priority, strings.Fields(above)...)
		} else {
			s.loose = append(s.loose, language.Spell(s.src, toks[:n]))
		}
	case "due":
		s.due = m.value
	case "overdue":
		s.overdue = true
		s.period(language.Period{To: yesterday(s.now)})
	case "count":
		s.count = true
	case "everywhere":
		s.all = true
	case "one":
		s.limit = 1
	case "first":
		return s.first(toks, n)
	case "text":
		return s.titled(toks, n)
	case "except":
		s.unknown = append(s.unknown, language.Spell(s.src, toks))
		return len(toks)
	}
	return n
}

// first reads "the next three".
func (s *scan) first(toks []language.Token, n int) int {
	if n < len(toks) {
		if k := language.Count(toks[n].Norm); k > 0 {
			s.limit = k
			return n + 1
		}
	}
	return n
}

// titled takes the words that a title shall have, up to what narrows otherwise.
func (s *scan) titled(toks []language.Token, n int) int {
	i := n
	for ; i < len(toks) && toks[i].Word && (i == n || filterWords().is(toks[i:], "stop") == 0); i++ {
		if _, k, ok := language.ReadPeriod(toks[i:], s.now); ok && k > 1 {
			break
		}
		if m, k := filterWords().longest(toks[i:]); k > 0 && slices.Contains([]string{"status", "priority", "due", "overdue", "except"}, m.kind) && !toks[i].Quoted {
			break
		}
		if w := toks[i].Norm; !s.isKnown(w) && len(contentWords(toks[i:i+1])) > 0 {
			s.text = append(s.text, w)
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

// forTasks: a question that speaks of tasks, and of which every word narrows a list of
// them or means no more than one.
func (t *talk) forTasks(m meaning) bool {
	if m.clause == nil {
		return false
	}
	f := t.filterOf(&m)
	if !f.overdue && !language.Has(m.clause.toks, "<taskword>") {
		return false
	}
	return len(f.loose) == 0 && len(f.unknown) == 0 && (f.count || len(f.status)+len(f.priority)+len(f.periods) > 0 || f.due != "")
}

// namedList is the list of tasks that a message asks for which begins with a word for
// showing and speaks of tasks, whatever else it says: that is a filter, or is named as
// not understood.
func (t *talk) namedList() (meaning, bool) {
	toks := skipOpeners(language.Tokenize(t.text))
	if len(toks) == 0 || len(toks) > maxCommand || toks[0].Quoted || filterWords().is(toks, "verb") == 0 || !language.Has(toks, "tasks|todos|to-dos") {
		return meaning{}, false
	}
	meanings := t.read(t.text)
	if len(meanings) != 1 || meanings[0].intent != none || meanings[0].clause == nil || meanings[0].clause.negated {
		return meaning{}, false
	}
	meanings[0].intent = listTasks
	return meanings[0], true
}

// fits reports whether a task is due when the filter says, and no more than that:
// all else list_tasks has seen to.
func (f filter) fits(task map[string]any) bool {
	if len(f.periods) == 0 {
		return true
	}
	due := str(task, "due")
	return slices.ContainsFunc(f.periods, func(p language.Period) bool {
		return due != "" && (p.From.IsZero() || due >= language.ISODay(p.From)) && (p.To.IsZero() || due <= language.ISODay(p.To))
	})
}

// late: it was due before today, which is worth a word where today was asked for.
func (f filter) late(task map[string]any, now time.Time) bool {
	due := str(task, "due")
	return due != "" && due < language.ISODay(now) && !f.fits(task)
}

// span is the stretch that holds all periods.
func (f filter) span() language.Period {
	if len(f.periods) == 0 {
		return language.Period{}
	}
	out := f.periods[0]
	for _, p := range f.periods[1:] {
		if p.From.IsZero() || p.From.Before(out.From) {
			out.From = p.From
		}
		if p.To.IsZero() || !out.To.IsZero() && p.To.After(out.To) {
			out.To = p.To
		}
	}
	return out
}

// current: one stretch was asked for, today is in it, and what is open.
func (f filter) current(now time.Time) bool {
	today := language.ISODay(now)
	return len(f.periods) == 1 && len(f.status) == 0 && !f.periods[0].From.IsZero() && language.ISODay(f.periods[0].From) <= today &&
		(f.periods[0].To.IsZero() || today <= language.ISODay(f.periods[0].To))
}

// args are the arguments of list_tasks.
func (f filter) args(now time.Time) map[string]any {
	args := map[string]any{}
	set := func(key, value string) {
		if value != "" {
			args[key] = value
		}
	}
	span := f.span()
	if f.current(now) {
		span.From = time.Time{} // what is overdue is told beside it
	}
	set("status", strings.Join(f.status, ","))
	set("priority", strings.Join(f.priority, ","))
	set("due", f.due)
	set("text", language.Limit(strings.Join(f.text, " "), 200))
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
