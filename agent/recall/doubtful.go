package recall

import (
	"slices"

	"kist/agent/language"
)

// Doubt is the confidence in a statement that only somebody else took for a lasting fact.
const Doubt = 0.7

// minDoubtful is how many words such a statement has: less says little by itself.
const minDoubtful = 4

// Doubtful returns the statements of a message that may be lasting facts, since nothing speaks
// against it that speaks against those of [Extract], but of which that isn't [Sure] or has
// seen nothing in them. Each has a confidence below Sure: who picks some may offer them.
func Doubtful(text string, opts Options) []Candidate {
	if jest().MatchString(text) || language.IsForeign(text) || language.IsGerman(text) { // what speaks against a fact is known in English alone
		return nil
	}
	var out []Candidate
	for _, s := range statements(text) {
		if s.told || len(s.ws) < minDoubtful || gate(s) != "" || recalled(s.text, opts.Recalled) || order().MatchString(s.line) || chore().MatchString(s.line) {
			continue
		}
		p, seen := find(s)
		if !seen {
			p = pattern{kind: Fact, reason: "it may matter later", user: in("i my me", s.ws[0].norm)}
		}
		c := Candidate{Content: capital(s.text), Kind: p.kind, Confidence: min(p.confidence, Doubt), Span: [2]int{s.start, s.end}, Reason: p.reason}
		if sure, ok := candidate(s, opts); ok && sure.Confidence >= Sure {
			continue
		}
		if !seen {
			c.Confidence = Doubt
		}
		c.Scope, c.Project = place(s, p, opts)
		if !slices.ContainsFunc(out, func(o Candidate) bool { return Near(o.Content, c.Content) >= Same }) {
			out = append(out, c)
		}
	}
	return out
}

// Quotes reports whether a candidate has the words of a quotation, one behind the other.
func (c Candidate) Quotes(quotation string) bool { return contains(c.Content, quotation) }

// Says reports whether a quotation has enough words to say something by itself.
func Says(quotation string) bool { return len(words(quotation)) >= minDoubtful }

// Lasts reports whether a text by itself tells what holds for long, probably at least.
func Lasts(text string) bool {
	return slices.ContainsFunc(Extract(text, Options{}), func(c Candidate) bool { return c.Confidence >= Doubt })
}
