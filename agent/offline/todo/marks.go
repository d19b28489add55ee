package todo

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
	"kist/agent/offline/title"
	"kist/vault/pattern"
)

// fields are those of the Tasks plugin but for the day and the priority.
const fields = `🔁\x{FE0F}?[^\p{So}#\n,.;]*[^\p{So}#\n,.;\s]|[⏳⌛🛫➕🆔⛔🏁]\x{FE0F}?\s*[\w-]+`

// What people write into a task beside words: links, code, emphasis, tags, symbols, and the
// fields of the Tasks plugin. None of it may be lost, or torn apart.
var (
	mark = pattern.Lazy(`!?\[\[[^\[\]\n]+\]\]|` + "`[^`\n]+`" + `|\*\*[^*\n]+\*\*|==[^=\n]+==|~~[^~\n]+~~|\[\w+:: ?[^\[\]\n]+\]` +
		`|` + fields +
		`|(?:^|\s)#[\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*` +
		`|(?i:\bevery (?:\d+ |other |second )?(?:day|week|month|year|weekday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b)` +
		`|[\p{So}\x{200D}\x{FE0F}]+`)
	field     = pattern.Lazy(fields)
	dueMark   = pattern.Lazy(`[📅📆🗓]\x{FE0F}?\s*(\d{4}-\d\d-\d\d)`)
	dueWord   = pattern.Lazy(`(?i)\bdue(?: on| by)? (\d{4}-\d\d-\d\d)\b`)
	levelMark = pattern.Lazy(`([🔺⏫🔼🔽⏬])\x{FE0F}?`)
	dayWord   = pattern.Lazy(`(?i)\b(scheduled|start|starting|starts)(?: on| for)? (\d{4}-\d\d-\d\d)\b`)
)

var levelOf = map[string]string{"🔺": "urgent", "⏫": "high", "🔼": "medium", "🔽": "low", "⏬": "low"}

// longestLead is how many tokens there are at most before what is to be done, and its colon.
const longestLead = 6

// Marked are the things to do that were read from a clause, with all marks that stand in it: those
// beside a title belong to it, and where others would be lost or torn it is one thing to do, as it
// was written.
func Marked(src string, clause []language.Token, todos []Todo, now time.Time) []Todo {
	if len(todos) == 0 || len(clause) == 0 {
		return todos
	}
	text, last := src[clause[0].Start:], clause[len(clause)-1].End
	if i := strings.IndexFunc(src[last:], language.IsWordRune); i >= 0 && !unicode.IsMark(first(src[last+i:])) {
		text = src[clause[0].Start : last+i]
	}
	if len(dueMark().FindAllString(text, 2)) > 1 {
		return todos // each with its own
	}
	var own Todo // what its marks say of it
	said, days := text, dayWord().MatchString(text)
	text = take(dueMark(), text, func(m []string) string { own.Due = m[1]; return "" })
	text = take(levelMark(), text, func(m []string) string { own.Priority = levelOf[m[1]]; return "" })
	if days {
		text = take(dueWord(), text, func(m []string) string { own.Due = m[1]; return "" })
	}
	text = take(dayWord(), text, func(m []string) string {
		if strings.EqualFold(m[1], "scheduled") {
			return "⏳ " + m[2]
		}
		return "🛫 " + m[2]
	})
	marks := mark().FindAllString(text, -1)
	if len(marks) == 0 && text == said {
		return todos
	}
	out := slices.Clone(todos)
	for i := range out {
		out[i].Title = Beside(text, out[i].Title)
	}
	if !days && whole(marks, out) && !torn(text, todos) {
		out[0] = out[0].With(own)
		return out
	}
	var behind []string // behind all else, where their days are none of the task's own
	text = take(field(), text, func(m []string) string { behind = append(behind, m[0]); return "" })
	text = strings.Join(strings.Fields(text), " ")
	toks := language.Tokenize(text)
	from := title.Colon(toks) + 1
	if from < 2 || from > longestLead {
		at := begins(text, todos[0].Title)
		from = max(0, slices.IndexFunc(toks, func(t language.Token) bool { return t.Start >= at }))
	}
	one := Read(text, toks[from:], now)
	for _, each := range append([]Todo{own}, todos...) {
		one = one.With(each)
	}
	one.Due, one.Priority = cmp.Or(own.Due, one.Due), cmp.Or(own.Priority, one.Priority)
	one.Title = strings.TrimSpace(Beside(text, one.Title) + " " + strings.Join(behind, " "))
	return []Todo{one}
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// take puts something in the place of what fits a pattern.
func take(re *regexp.Regexp, text string, by func(m []string) string) string {
	return re.ReplaceAllStringFunc(text, func(s string) string { return by(re.FindStringSubmatch(s)) })
}

// whole: each mark stands in a title, and half of none does.
func whole(marks []string, todos []Todo) bool {
	for _, m := range marks {
		if !slices.ContainsFunc(todos, func(t Todo) bool {
			return strings.Contains(strings.ToLower(t.Title), strings.ToLower(strings.TrimSpace(m)))
		}) {
			return false
		}
	}
	return true
}

// torn: one of several titles begins within a mark.
func torn(text string, todos []Todo) bool {
	return slices.ContainsFunc(todos[1:], func(t Todo) bool {
		word, _, _ := strings.Cut(strings.ToLower(t.Title), " ")
		at := strings.Index(strings.ToLower(text), word)
		return slices.ContainsFunc(mark().FindAllStringIndex(text, -1), func(s []int) bool { return s[0]+1 < at && at < s[1] })
	})
}

// Beside is a title with the marks that stand directly before and behind it in a text, or in part.
func Beside(text, name string) string {
	at := strings.Index(strings.ToLower(text), strings.ToLower(name))
	if at < 0 || at+len(name) > len(text) {
		return name
	}
	before, behind := "", ""
	for {
		spans, grown := mark().FindAllStringIndex(text, -1), false
		from, to := at-len(before), at+len(name)+len(behind)
		for _, s := range spans {
			switch {
			case s[1] > to && s[0] > from && (s[0] < to || strings.TrimSpace(text[to:s[0]]) == ""):
				behind, grown = text[at+len(name):s[1]], true
			case s[0] < from && s[1] < to && (s[1] > from || strings.TrimSpace(text[s[1]:from]) == ""):
				before, grown = text[s[0]:at], true
			}
			from, to = at-len(before), at+len(name)+len(behind)
		}
		if !grown {
			return strings.TrimSpace(before + name + behind)
		}
	}
}

// begins is where the beginning of a title stands in a text.
func begins(text, name string) int {
	low, name := strings.ToLower(text), strings.ToLower(name)
	for n := len(name); n > 2; n-- {
		if i := strings.Index(low, name[:n]); i >= 0 {
			for _, s := range mark().FindAllStringIndex(text, -1) {
				if s[1] <= i && strings.TrimSpace(text[s[1]:i]) == "" {
					return s[0]
				}
			}
			return i
		}
	}
	return 0
}
