package offline

import "kist/agent/language"

// unframe strips negation from the body: "let's not ...", "I don't want you to ...".
func (c *clause) unframe() {
	for range 4 {
		if n, ok := language.MatchAny(c.body, append(forbidding(), "do not", "never", "please do not", "not", "no need to", "there is no need to", "you do not need|have to", "i|we do not want|need|have|intend|plan to", "i|we would rather|sooner not", "i|we would rather|sooner|prefer you|we|it|to? did|do|were|had not", "hold|hang off|back on?", "do not you dare to?", "do not even think of|about", "under no circumstances should|must|may|can|shall? you|we?", "on|in no account|event|case should|must|may|can|shall? you|we?", "by no means should|must|may|can|shall? you|we?", "there is|was no reason|point|cause|call|use to|in?", "no reason|point|use to|in?", "refrain|desist from", "IAM not going|planning|ready|trying to?",
			"let us not", "i see|have no reason|need|cause to", "i|we should not", "i do not want you to", "you should not", "better not")...); ok {
			if _, keep := language.MatchAny(c.body, "do? not forget|let", "never forget that"); keep {
				return
			}
			if k, moving := language.Match(c.body, "IAM not <attending>|<moving>"); moving && k == n {
				n-- // "we're not switching now"
			}
			c.negated = true
			c.body = skipOpeners(c.body[n:])
			continue
		}
		return
	}
}

// forbidding lists the openings that tell kist not to do what follows: what it must
// not, what nobody asked for, what one isn't ready for.
func forbidding() []string {
	return []string{"you|we must|should|shall|may|ought|need|dare not|never to?", "you can|could not|never", "refrain|desist|abstain from", "i|we told|asked|said|begged you? not|never to", "avoid", "you are not|never allowed|supposed|meant|permitted|to to?", "it is not necessary|needed|required|time to", "nobody|noone|no-one said|asked anything? about|for", "do not bother to|with?", "nobody|noone|no-one asked|told|wants|wanted|said you|us? to",
		"no one asked|told|wants|wanted|said you|us? to", "i|we did|do|have not ask|asked|tell|told|want|say|said|mean|request you|us? to", "i|we was|were|am|are not asking|telling|wanting you|us? to", "i|we never asked|told|said|wanted|meant you|us? to", "i|we never asked|said that|for? we? you? should?",
		"IAM not <attending>|<moving>", "IAM not|never yet|quite|really? ready|done|willing|here to?", "i|we would rather|prefer|sooner not to?", "i|we would rather|prefer|sooner we|you? did|do not"}
}
