package interpret

import (
	"cmp"
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/apart"
	"kist/agent/offline/naming"
)

// An undertaking is a project that is to be made, as a clause describes it.
type undertaking struct {
	Name     string
	noun     []language.Token // what it is, where it isn't named
	given    bool             // the name is that which it was given
	Explicit bool             // in so many words: "create a project"
	sure     bool             // it can be made without a question
	Worthy   bool             // it takes more than an afternoon
	ofTold   bool             // it is of what was told before, to which the clause only points
}

// NewProject reads what a new project is to be called.
func (r *Reader) NewProject(c *Clause) undertaking {
	toks := withVerb(c, r.arguments(c, intent.CreateProject).first("name"))
	m := undertaking{Explicit: language.Has(c.Body, "<undertaking>"), Name: naming.Called(c.Src, c.All)}
	called := m.Name != ""
	if m.given = called; !called {
		m.Name = naming.Introduced(c.Src, c.All)
		m.given = m.Name != ""
	}
	if name, ok := apart.OfTold(c.All); ok && !m.given && m.Explicit {
		m.ofTold, m.given = true, len(name) > 0
		m.Name = naming.Given(c.Src, name) // "a project for it, harbour survey"
	}
	switch {
	case m.given:
	case toks == nil:
	case language.In(`"|'`, toks[0].Norm) || toks[0].Quoted || language.IsCapital(c.Src, toks[0]) && toks[0].Start > 0:
		m.Name = naming.Given(c.Src, toks)
	default:
		m.Name = naming.Short(c.Src, toks)
		if name := naming.Journey(c.Src, c.All); name != "" {
			m.Name = name
		}
	}
	m.noun = naming.Noun(toks)
	m.Worthy = called || naming.Worthy(c.All, m.noun)
	fresh := language.Has(c.All, "start|open|launch|found|starting|opening|launching|founding")
	m.sure = m.Name != "" && (m.Explicit || r.sit.Project == nil || fresh)
	return m
}

// withVerb is a thing with what is to be done to it: "redesigning our API".
func withVerb(c *Clause, toks []language.Token) []language.Token {
	for i, t := range c.All {
		if len(toks) > 0 && i > 0 && t.Start == toks[0].Start && (language.Class("<venturing>", c.All[i-1].Norm) || language.Class("<venture>", c.All[i-1].Norm)) {
			return slices.Concat(c.All[i-1:i], toks)
		} else if len(toks) > 0 && i > 1 && t.Start == toks[0].Start && c.All[i-1].Norm == "to" && language.Class("<venturing>", c.All[i-2].Norm) {
			return slices.Concat(c.All[i-2:i], toks) // "learning to drive"
		}
	}
	return toks
}

// Undertaking is what the project may be called that a text tells of; empty: it tells of none.
func (r *Reader) Undertaking(text string) string {
	if name := naming.Kept(text); name != "" {
		return name
	}
	list := r.Clauses(text)
	for i := range list {
		made := r.NewProject(&list[i])
		if made.Name != "" && (made.Worthy && (!made.given || naming.Kept(text) != "") || made.Explicit) {
			return language.Limit(made.Name, 80)
		}
	}
	return cmp.Or(naming.AsProject(text), naming.Thing(text))
}

// behindName is what there is to do in a project, where it stands behind its name: "called
// Orchard, and the first job is to order the trees".
func (r *Reader) behindName(m Meaning) []Meaning {
	if m.Intent != intent.CreateProject || !m.Given {
		return nil
	}
	at := strings.Index(strings.ToLower(m.Clause.Src), strings.ToLower(m.Name))
	i := slices.IndexFunc(m.Clause.All, func(t language.Token) bool { return at >= 0 && t.Start >= at+len(m.Name) })
	if i < 0 || !language.In(`,|"|.|;|:|-|and|then`, m.Clause.All[i].Norm) {
		return nil
	}
	c, ok := newClause(m.Clause.Src, m.Clause.All[i:], false)
	if !ok {
		return nil
	}
	job := r.understand(&c, r.Input(c.Src).Of(c.All))
	if job.Intent != intent.AddTask {
		return nil
	}
	return []Meaning{job}
}

// CalledInstead is the name that an answer gives in place of the one that was asked about:
// "no, just call it School garden", "yes, but I'd like it to be called Harvest".
func CalledInstead(text string) string {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(text)))
	if len(toks) > maxCommand || language.Begins(toks, negations...) || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return ""
	}
	return naming.Called(text, toks)
}
