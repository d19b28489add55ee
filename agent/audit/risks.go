package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kist/agent/effort"
	"kist/agent/language"
	"kist/vault/dimension"
)

const (
	staleDays = 28
	idleDays  = 90 // when archiving is offered
)

var (
	isRisk   = named("risks", "risk", "risks and mitigation", "risks and mitigations", "risk register", "threats", "what could go wrong")
	riskTag  = language.Pattern(`(?i)^[\W_]*(?:(?:main|biggest|key|major)\s+)?risk(?:\s*\d+)?[*_\s]*:\s*\S`)
	riskSaid = language.Pattern(`(?i)^[\W_]*(?:(?:the|a|one|our|my|another|its)\s+)?(?:(?:main|biggest|key|major|real|only|greatest)\s+)?(?:risk|danger|threat)\s+(?:here\s+)?(?:is|lies)\b`)
	answer   = language.Pattern(`(?i)\b(?:mitigat\w*|plan b|fall ?back|back ?ups?|conting\w*|insur\w*|prevent\w*|avoid\w*|reduc\w*|accept(?:ed|able|ing)?|so we|therefore|instead|then|spare|reserve|buffer|cover(?:ed)? by|handled|answer|if (?:so|it|that|this|not)|we (?:will|would|can|could|have|keep|test|ask|check|use|start|order)|i (?:will|would|can|could|have|keep|test|ask|check|use|start|order))\b|→|->|=>`)
	reason   = language.Pattern(`(?i)\b(?:because|since|so (?:that|we|it|the|i|nobody|everyone)|as (?:it|they|we|the|this|that|he|she|there)|due to|reasons?|why|in order to|therefore|thus|hence|given|after|which|otherwise|cheaper|faster|better|simpler|safer|easier|thanks to|to (?:avoid|save|keep|reduce|make|get|be|have|stay|prevent|allow|let|protect|leave|spare|gain|finish|meet))\b|→|->`)
)

// checkRisks finds risks that nothing is done about, and whether any are named.
func (m *material) checkRisks() {
	bare, answered, any := m.risks()
	switch {
	case len(bare) > 0 && m.hasHeading(answerHeading):
	case len(bare) > 0:
		m.add(Finding{Risk, 6, fmt.Sprintf("%s without an answer", count(len(bare), "risk")), "Naming them was the hard part.", bare, "What is your plan if the biggest one happens? One sentence behind each is enough."})
	case answered.Path != "":
		m.praise("Each risk comes with what is done about it.", answered)
	case !any && m.live() && !m.mentionsRisk():
		m.add(Finding{Risk, 4, "No risks are named", "", []Evidence{m.heading(named("trust and safeguards"))}, "What is the likeliest thing to stop this, and what would you do then?"})
	}
}

// risks are those of the project's text to which there is no answer, and one to which there
// is. any says whether one is named at all, done with or not.
func (m *material) risks() (bare []Evidence, answered Evidence, any bool) {
	lines := m.project.lines
	for i := 0; i < len(lines); i++ {
		risk, open := riskIn(lines[i])
		any = any || risk != noRisk
		if !open {
			continue
		}
		l, ok := lines[i], answer().MatchString(lines[i].text) || risk == toldRisk && m.answersNear(i)
		for i+1 < len(lines) && goesOn(l, lines[i+1]) {
			i++
			ok = ok || answer().MatchString(lines[i].text)
		}
		if ok {
			answered = m.project.say(l)
		} else {
			bare = append(bare, m.project.say(l))
		}
	}
	return bare, answered, any
}

// How a line names a risk.
type naming int

const (
	noRisk     naming = iota
	listedRisk        // in the register, or tagged
	toldRisk          // in prose
)

// riskIn says how a line names a risk, and whether it is one to look into: not done with,
// and no row of a table.
func riskIn(l line) (risk naming, open bool) {
	register := l.under(isRisk) && !l.under(answerHeading)
	tagged := l.has("risk") && riskTag().MatchString(l.text)
	switch {
	case tagged || register && !l.blank:
		risk = listedRisk
	case !register && riskSaid().MatchString(l.text) && !l.under(isPast):
		risk = toldRisk
	}
	one := tagged || risk == toldRisk || register && l.item
	return risk, one && !l.blank && l.box != 'x' && !strings.Contains(l.text, "|")
}

// answersNear: a paragraph of the same section says what is done about a risk that is
// told in prose.
func (m *material) answersNear(at int) bool {
	lines := m.project.lines
	for i := at + 1; i < len(lines) && slices.Equal(lines[i].section, lines[at].section); i++ {
		if answer().MatchString(lines[i].text) {
			return true
		}
	}
	return false
}

var answerHeading = func(h string) bool {
	return strings.Contains(h, "mitigat") || strings.Contains(h, "contingenc") || strings.Contains(h, "plan b") || strings.Contains(h, "countermeasures")
}

// goesOn says that a line belongs to the item before it: it is deeper, or goes on
// with its text.
func goesOn(item, next line) bool {
	if len(item.section) != len(next.section) || len(item.section) > 0 && item.section[len(item.section)-1] != next.section[len(next.section)-1] {
		return false
	}
	return next.indent > item.indent && item.item || !next.item && next.n == item.n+1
}

func (m *material) hasHeading(name func(string) bool) bool {
	for _, s := range m.project.doc.Sections() {
		if name(fold(s.Heading())) {
			return true
		}
	}
	return false
}

var riskWord = language.Pattern(`(?i)\b(?:risks?|threats?|danger|could fail|go(?:es)? wrong|safety|backups?|insurance|in case)\b`)

func (m *material) mentionsRisk() bool {
	for _, l := range m.project.lines {
		if l.has("risk", "threat", "danger", "fail", "wrong", "safety", "backup", "insurance", "in case") && riskWord().MatchString(l.text) {
			return true
		}
	}
	return false
}

// checkDecisions finds decisions that don't say why.
func (m *material) checkDecisions() {
	var bare []Evidence
	good := 0
	lines := m.project.lines
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if !l.item || l.box != 0 || !l.under(named("decisions")) || l.blank {
			continue
		}
		ok := reason().MatchString(l.text)
		for i+1 < len(lines) && goesOn(l, lines[i+1]) {
			i++
			ok = true // what stands below a decision explains it
		}
		if ok {
			good++
		} else {
			bare = append(bare, m.project.say(l))
		}
	}
	if len(bare) > 0 {
		m.add(Finding{Completeness, 3, fmt.Sprintf("%s without a reason", count(len(bare), "decision")), "In half a year nobody knows whether it still holds.", bare, "Add a “because” to each."})
	} else if good > 1 {
		m.praise("Decisions come with their reasons.", m.heading(named("decisions")))
	}
}

// checkStale finds an active project in which nothing happens.
func (m *material) checkStale() {
	quiet := m.today - m.active
	if !m.live() || m.active == 0 || quiet < staleDays {
		return
	}
	f := Finding{Feasibility, 5, fmt.Sprintf("Nothing has happened for %d weeks", quiet/7), fmt.Sprintf("The project is active; the last change was on %s.", m.active), []Evidence{m.statusAt()}, "What holds it up? Name the smallest step, or rest it on purpose."}
	if quiet >= idleDays {
		f.Severity, f.Suggestion = 6, "Is this still something you want? Archiving it is a decision too, and can be undone."
	}
	m.add(f)
}

func (m *material) statusAt() Evidence {
	_, at := m.project.key("status")
	return at
}

// checkTime holds the estimates against the hours there are until the deadline.
func (m *material) checkTime(end span) {
	var week claim[float64]
	for _, l := range m.project.lines {
		if !l.has("week", "wk") {
			continue
		}
		if _, h := effort.Weekly(l.text); h > 0 && !l.under(isPast) && !change().MatchString(l.text) {
			week = claim[float64]{"week", h, m.project.say(l)}
			break
		}
	}
	if week.value == 0 || end.to <= m.today || !m.live() {
		return
	}
	need, at := 0.0, []Evidence{week.at}
	for _, t := range m.tasks {
		if t.open() && t.hours > 0 {
			need += t.hours
			if _, where := t.file.key("duration"); len(at) < maxEvidence {
				at = append(at, where)
			}
		}
	}
	have := week.value * float64(end.to-m.today) / 7
	if need <= have {
		return
	}
	f := Finding{Feasibility, 7, "There is more work than time", fmt.Sprintf("%g hours are estimated; until %s there are about %g, at %g a week.", math.Ceil(need), end, math.Floor(have), week.value), at, "What can be dropped, and who could help?"}
	if need > 2*have {
		f.Severity = 8
	}
	m.add(f)
}

var measurable = language.Pattern(`\d|(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|half|double|every|each|all|no|none|first|by (?:spring|summer|autumn|fall|winter|christmas|easter))\b`)

// checkGoals finds goals that nobody could tell from missed.
func (m *material) checkGoals(end span) {
	var goals side
	for _, d := range sides() {
		if d.Key == dimension.Goals {
			goals = d
		}
	}
	words, at := 0, Evidence{}
	for _, l := range m.project.lines {
		if !l.under(goals.has) || l.blank {
			continue
		}
		if measurable().MatchString(l.text) {
			return
		}
		if at.Path == "" {
			at = m.project.say(l)
		}
		words += len(strings.Fields(l.text))
	}
	if words < 6 || end.to > 0 {
		return
	}
	m.add(Finding{Missing, 4, "The goals can't be measured", "No number, date or state says when they are reached.", []Evidence{at}, "How will you know that it worked? One number is enough."})
}

// checkFiles reports what can't be read and links that lead nowhere.
func (m *material) checkFiles() {
	for _, f := range m.files {
		if f.fault != nil {
			m.add(Finding{Consistency, 6, "Front matter that can't be read", plain(f.fault.Error()), []Evidence{{f.path, faultLine(f.fault), ""}}, "Its status and dates don't count until this is repaired."})
		}
	}
	for _, f := range m.files {
		if f.over > 0 {
			m.add(Finding{Completeness, 1, fmt.Sprintf("Only the first %d lines of a file were audited", maxLines), "", []Evidence{{f.path, f.over, ""}}, "Move what is old into a note of its own."})
		}
	}
	for _, at := range m.unread {
		m.add(Finding{Consistency, 5, "A file can't be read", "", []Evidence{at}, "It is left out of everything until it can."})
	}
	for _, wiki := range []bool{false, true} {
		var at []Evidence
		for _, b := range m.missing {
			if b.wiki == wiki {
				at = append(at, b.at)
			}
		}
		switch {
		case len(at) == 0:
		case wiki:
			m.add(Finding{Missing, 3, fmt.Sprintf("%s to notes that don't exist", count(len(at), "link")), "", at, "Write them, if they were meant as a reminder to."})
		default:
			m.add(Finding{Missing, 5, fmt.Sprintf("%s to files that don't exist", count(len(at), "link")), "", at, "Was it moved or renamed? Correct the link."})
		}
	}
}
