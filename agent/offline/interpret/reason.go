package interpret

import (
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
)

// reasoned gives a decision the rest of its reason, which was taken for something else: "...
// because it is cheap | and the other one leaks", "decided: the red one. | The blue one leaks".
func reasoned(before []Meaning, m Meaning) ([]Meaning, Meaning) {
	at := len(before) - 1
	for at > 0 && before[at].idle && before[at].Intent == intent.None {
		at--
	}
	able := m.Clause != nil && m.Intent == intent.AddTask && language.Begins(m.Clause.All, "and|but i|we can|could") // "and I can mend it"
	if at < 0 || m.Clause == nil || m.Intent != intent.None && !able || before[at].Intent != intent.AddDecision {
		return before, m
	}
	last, src := &before[at], m.Clause.Src
	end := before[len(before)-1].Clause.end()
	between, more := src[end:m.Clause.All[0].Start], src[end:m.Clause.end()]
	labelled := language.Begins(language.SkipOpeners(last.Clause.All), "<decideverb>|decision :")
	goesOn := !strings.ContainsAny(between, ".!?;") && language.Begins(m.Clause.All, "and|but") && language.Has(last.Clause.All, "because|since|cause|cos")
	if !goesOn && !labelled || strings.Contains(between, "\n") || len(last.Text)+len(more) > maxText || !strings.HasSuffix(strings.ToLower(src[:end]), strings.ToLower(last.Text)) {
		return before, m
	}
	last.Text += more
	m = m.Nothing()
	m.idle = true
	return before, m
}
