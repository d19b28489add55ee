package audit

import (
	"fmt"
	"kist/agent/language"
	"slices"
	"strings"
)

// deadlineSubject is how a line says that a date is the project's own end. What
// the end is of must be nothing else: "the deadline for the tax form" isn't it.
const lead = `^[\W_]*(?:(?:the|our|my|this|project(?:'s)?|final|hard|overall|fixed|target|current)\s+)*`

var (
	deadlineLine = language.Pattern(`(?i)` + lead + `(deadline|due date|due|target date|end date|completion date|launch date|launch|release date|release|go-live|opening day)[\W_]*(?:(?:is|will be|must be|stays|happens|on|by|at|before|planned for|planned|set for|set to|fixed for)\s+)*(?:the\s+)?[\W_]{0,4}(` + datePart + `)\b`)
	verbLine     = language.Pattern(`(?i)\b(?:(?:we|i|it|everything|all|the project|project|this)\s+(?:(?:must|has to|have to|should|will|want to|need to|needs to|is to|plan to)\s+)?(?:be\s+)?)(done|finished|finish|complete|completed|ready|launch|ship|go live|delivered)\s+(?:it\s+|this\s+|everything\s+|the project\s+)?(?:by|before|on)\s+(` + datePart + `)\b`)
	change       = language.Pattern(`(?i)~~|\b(?:moved|postponed|delayed|shifted|changed|raised|lowered|cut|increased|reduced|extended|instead of|originally|formerly|previously|was|were|had been|used to|no longer|old|if|unless|last year|maybe|perhaps|might|could|would|either|or)\b`)
)

// A claim is what one line says of a thing.
type claim[T any] struct {
	about string
	value T
	at    Evidence
}

// deadlines are the plain statements of when the project, or its launch, is due.
func (m *material) deadlines() []claim[span] {
	var out []claim[span]
	for _, name := range []string{"due", "deadline", "target_date", "end_date", "end"} {
		if text, at := m.project.key(name); parseDay(text) > 0 {
			out = append(out, claim[span]{"deadline", span{parseDay(text), parseDay(text)}, at})
		}
	}
	for _, l := range m.project.lines {
		if l.box != 0 || !l.dated() || l.under(isPast) {
			continue
		}
		match := []string(nil)
		if l.has("due", "date", "deadline", "launch", "release", "go-live", "opening day") {
			match = deadlineLine().FindStringSubmatch(l.text)
		}
		if match == nil && l.has(" by ", " before ", " on ") {
			match = verbLine().FindStringSubmatch(l.text)
		}
		if match == nil || change().MatchString(l.text) {
			continue
		}
		if s, ok := parseSpan(match[2]); ok {
			out = append(out, claim[span]{deadlineKind(strings.ToLower(match[1])), s, m.project.say(l)})
		}
	}
	return out
}

// dated says that a line may have a date with a year in it.
func (l line) dated() bool { return l.has("19", "20", "21", "22") }

func deadlineKind(word string) string {
	for _, w := range []string{"launch", "release", "go", "ship", "opening"} {
		if strings.HasPrefix(word, w) {
			return "launch"
		}
	}
	return "deadline"
}

// checkDeadlines holds the project's dates against each other and its tasks' against
// them.
func (m *material) checkDeadlines() (end span) {
	all := m.deadlines()
	first, told := map[string]claim[span]{}, map[string]bool{}
	for _, c := range all {
		if c.about == "deadline" && c.value.to > end.to {
			end = c.value
		}
		before, there := first[c.about]
		switch {
		case !there:
			first[c.about] = c
		case !before.value.meets(c.value) && !told[c.about]:
			told[c.about] = true
			m.add(Finding{Consistency, 7, fmt.Sprintf("Two different dates for the %s", c.about), fmt.Sprintf("%s and %s.", before.value, c.value), []Evidence{before.at, c.at}, "Which one holds? Correct the other."})
		}
	}
	if end.to == 0 || !m.live() {
		return end
	}
	if end.to < m.today {
		m.add(Finding{Feasibility, 7, "The deadline has passed", fmt.Sprintf("It was %s, and the project is active.", end), []Evidence{m.claimAt(all, end)}, "Set a new date, or say what is good enough to end with."})
	}
	late := Finding{Kind: Consistency, Severity: 7, Title: "due after the project's deadline", Detail: fmt.Sprintf("The project is due %s.", end), Suggestion: "Bring them forward, drop them, or move the deadline."}
	m.group(late, func(t task) Evidence { return t.when(t.open() && t.due > end.to, "due") })
	return end
}

func (m *material) claimAt(all []claim[span], end span) Evidence {
	for _, c := range all {
		if c.value == end {
			return c.at
		}
	}
	return Evidence{m.project.path, 1, ""}
}

var (
	futureLead = language.Pattern(`(?i)\b(?:will|going to|plan(?:s|ned)? to|planning to|intend to|starts|begins|launches|opens|upcoming|next up|scheduled for|is due|are due|we meet|meeting on)\b[^.;!?]{0,80}$`)
	pastWords  = language.Pattern(`(?i)~~|\b(?:was|were|did|had|has|have|held|done|finished|completed|happened|started|began|launched|opened|met|since|until|ago|decided|agreed|as of|updated|created|written|by then|from|originally)\b`)
)

// checkPast finds dates gone by that a line still speaks of as ahead.
func (m *material) checkPast() {
	if !m.live() {
		return
	}
	var at []Evidence
	for _, l := range m.project.lines {
		if l.box != 0 || !l.dated() || l.under(isPast) {
			continue
		}
		for _, loc := range anyDate().FindAllStringIndex(l.text, 3) {
			s, ok := parseSpan(l.text[loc[0]:loc[1]])
			if ok && s.to < m.today && futureLead().MatchString(l.text[:loc[0]]) && !pastWords().MatchString(l.text) && !deadlineLine().MatchString(l.text) {
				at = append(at, m.project.say(l))
				break
			}
		}
	}
	if len(at) > 0 {
		m.add(Finding{Consistency, 5, fmt.Sprintf("%s of a past date as if it were ahead", map[bool]string{true: "1 line speaks", false: fmt.Sprintf("%d lines speak", len(at))}[len(at) == 1]), "", at, "What came of it? Write that, or the new date."})
	}
}

var (
	ownerLine = language.Pattern(`(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)\s+(?:is responsible for|is in charge of|takes care of|owns|leads|is the owner of)\s+(?:the\s+|our\s+)?([^.,;:()]{3,60})`)
	ownerKey  = language.Pattern(`(?i)^[\W_]*(?:project\s+)?(?:owner|lead|responsible)[*_\s]*:[*_\s]*(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)[\s.]*$`)
)

// checkOwners finds two people for one thing.
func (m *material) checkOwners() {
	var all []claim[string]
	if text, at := m.project.key("owner", "lead", "responsible"); text != "" {
		all = append(all, claim[string]{"the project", text, at})
	}
	for _, l := range m.project.lines {
		if !l.has("own", "lead", "respons", "in charge", "takes care") || l.under(isPast) || change().MatchString(l.text) {
			continue
		}
		if match := ownerKey().FindStringSubmatch(l.text); match != nil && len(l.section) < 2 {
			all = append(all, claim[string]{"the project", match[1], m.project.say(l)})
		}
		for _, match := range ownerLine().FindAllStringSubmatch(l.text, 3) {
			if slices.Contains([]string{"she", "he", "they", "who", "it", "nobody", "everyone", "this", "that"}, fold(match[1])) {
				continue
			}
			all = append(all, claim[string]{fold(match[2]), match[1], m.project.say(l)})
		}
	}
	first := map[string]claim[string]{}
	told := map[string]bool{}
	for _, c := range all {
		before, there := first[c.about]
		if !there {
			first[c.about] = c
			continue
		}
		if samePerson(before.value, c.value) || told[c.about] {
			continue
		}
		told[c.about] = true
		m.add(Finding{Consistency, 6, fmt.Sprintf("Two owners for %s", plain(c.about)), fmt.Sprintf("%s and %s.", plain(before.value), plain(c.value)), []Evidence{before.at, c.at}, "Who decides when they disagree? Name one."})
	}
}

// samePerson allows for a name with and without its second part.
func samePerson(a, b string) bool {
	x, y := strings.Fields(fold(a)), strings.Fields(fold(b))
	if len(x) == 0 || len(y) == 0 {
		return true
	}
	return x[0] == y[0] && (len(x) == 1 || len(y) == 1 || slices.Equal(x, y))
}
