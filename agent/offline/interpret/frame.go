package interpret

import "kist/agent/language"

// unframe strips negation from the body: "let's not ...", "I don't want you to ...".
func (c *Clause) unframe() {
	for range 4 {
		if n, ok := language.MatchAny(c.Body, negations...); ok {
			if _, keep := language.MatchAny(c.Body, "do? not forget|let", "never forget that"); keep {
				return
			}
			c.Negated = true
			c.Body = language.SkipOpeners(c.Body[n:])
			continue
		}
		return
	}
}
