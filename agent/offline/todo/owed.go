package todo

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/offline/title"
)

// owing words say that something has to be done; listing ones that all of a clause is to be.
var (
	owing   = []string{"must|need|needs|should|ought|gotta", "have|has|had|got|is|are|am to", "muss|müssen|musst|sollte|sollten|soll|brauche|brauchen"}
	listing = []string{"due|deadline|overdue|remember|remind|reminded|forget|backlog|fällig|denk|vergiss|vergessen", "on|onto|to <det>? to? do? <listword>", "put|note|write|jot|stick me|us|it|that|this down"}
)

// Owed are those things to do of a clause of src of which it says that they are to be done: by an
// order, with a deadline, or that somebody has to, in that part of it, between its commas and
// conjunctions, in which they stand. What they want or will do, or would have to, and what only is
// on a day, is told, and kept in their words. A title that breaks off is its whole part.
func Owed(src string, clause []language.Token, todos []Todo, now time.Time) (owed []Todo) {
	for _, one := range todos {
		p := partOf(clause, language.Tokenize(one.Title))
		if !p.owes(now) && (len(owed) == 0 || !p.listed()) {
			continue
		}
		if whole := p.unbroken(); whole != nil {
			one.Title = language.Capital(language.Span(src, whole))
		}
		owed = append(owed, one)
	}
	return owed
}

// A part of a clause, in which a thing to do is named.
type part struct {
	lead, title, behind []language.Token
	pointed             bool // what follows says of it that it is to be done: "gravel, have to buy some"
	listing             bool // the clause has it put on a list
}

// partOf finds the part in which words stand; it is the whole clause where they don't.
func partOf(clause, words []language.Token) part {
	at := -1
	for i, t := range clause {
		if t.Norm == words[0].Norm && (at < 0 || len(words) > 1 && i+1 < len(clause) && clause[i+1].Norm == words[1].Norm) {
			at = i
		}
	}
	_, _, listed := language.Find(clause, listing...)
	if at < 0 {
		return part{title: clause, listing: listed}
	}
	from, to := at, min(at+len(words), len(clause))
	for from > 0 && !parts(clause[from-1]) {
		from--
	}
	end := to
	for end < len(clause) && !parts(clause[end]) {
		end++
	}
	_, _, owed := language.Find(clause[end:], owing...)
	pointed := owed && language.Has(clause[end:], "it|that|some|one|them")
	return part{language.SkipOpeners(clause[from:at]), clause[at:to], clause[to:end], pointed, listed}
}

// parts: a mark or a conjunction, at which a part of a clause ends.
func parts(t language.Token) bool {
	return !t.Quoted && (!t.Word && !language.In(`'|"|(|)|-|/`, t.Norm) || language.In("and|but|or|so|because|then|und|oder|aber|dann", t.Norm))
}

// listed: it is named without a word of its own about it, as one more of several.
func (p part) listed() bool { return len(p.lead) == 0 && !title.Does(p.title[0]) }

// unbroken is all of what the title is a piece of: "someone needs to be | in on Thursday", "copies
// of the | list must be printed"; nil: of nothing.
func (p part) unbroken() []language.Token {
	if len(p.behind) > 0 && language.In("be|have|to", p.title[len(p.title)-1].Norm) {
		return slices.Concat(p.lead, p.title, p.behind)
	}
	if _, _, owes := language.Find(p.title, owing...); owes && len(p.lead) > 0 {
		return slices.Concat(p.lead, p.title)
	}
	return nil
}

// owes: it is to be done.
func (p part) owes(now time.Time) bool {
	verb := title.Does(p.title[0])
	led := p.lead
	if _, _, inside := language.Find(p.title, owing...); inside || !verb {
		led = slices.Concat(p.lead, p.title, p.behind)
	}
	if _, _, ok := language.Find(led, owing...); ok {
		return (!verb || !p.doubtful()) && !language.In("admit|confess|say|wonder|worry|believe|understand|know|hope", p.title[0].Norm)
	}
	if p.listing || !verb && len(p.lead) == 0 && p.pointed {
		return true
	}
	if language.Begins(p.lead, "i|we will|shall|want|wanted", "i|we would like|love to", "i|we am|are going to") {
		return false
	}
	all := slices.Concat(p.lead, p.title, p.behind)
	if d, ok := language.FindDay(all, now); ok && !language.Has(p.lead, "<subject>") && language.Has(all[max(0, d.Start-1):d.End], "by|until|till|before|bis|vor") {
		return true
	}
	n, leads := language.MatchAny(p.lead, "let us", "let us say i|we will", "please", "another|one to|for", "prob|still|noch|bitte|auch|us|uns")
	ordered := len(p.lead) == 0 || leads && n == len(p.lead)
	german := strings.HasSuffix(p.title[len(p.title)-1].Norm, "en") && !language.Has(all, "the|a|an|is|at|and|of|for|i|we|my|our|it")
	return german || verb && ordered && len(p.title)+len(p.behind) > 1
}

// doubtful: what somebody would have to do, or should have done; what a thing has to do by itself;
// and what says nothing of what it is done to, but of somebody.
func (p part) doubtful() bool {
	_, end, would := language.Find(p.lead, "would|could|might|may have|need to?", "should|must|could|would|ought have", "ought to have")
	_, _, thing := language.Find(p.lead[:min(len(p.lead), 1)], "that|this|it|which|these|those")
	alone := len(p.title)+len(p.behind) == 1 && !language.Begins(p.lead, "i|we|somebody|someone *")
	return would && end == len(p.lead) || (thing || alone) && p.title[0].Norm != "be"
}

// OnlyName: somebody is to be added, without a word for what: "add Julian, though". That makes no
// task.
func OnlyName(src string, clause []language.Token, todos []Todo) bool {
	if len(todos) != 1 || todos[0].Due != "" || language.Has(clause, "<taskword>|<listword>") {
		return false
	}
	name := language.Drop(language.Tokenize(todos[0].Title), "though|too|also|as|well|then|again|instead")
	for i, t := range clause {
		if len(name) > 0 && i > 0 && t.Norm == name[0].Norm && language.Class("<addverb>", clause[i-1].Norm) {
			named := clause[i:min(len(clause), i+len(name))]
			return len(name) < 3 && !title.Does(t) && !slices.ContainsFunc(named, func(t language.Token) bool { return !language.IsCapital(src, t) })
		}
	}
	return false
}
