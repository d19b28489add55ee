package offline

import (
	"slices"
	"strings"
	"sync"

	"kist/agent/language"
)

// A frame is how a speaker introduces what is to be done.
type frame int

const (
	bare       frame = iota // nothing, or an imperative
	request                 // can you, I want you to
	suggestion              // let's, shall we
	wish                    // I want to, I'd like to
	intention               // I'm thinking of, I plan to
	obligation              // I have to, we need to
	permission              // can I, may we
	hoped                   // I wanted to, we hoped to: a wish if what is wished costs nothing
)

// frames lists the openings of each frame. The longest match wins.
var frames = sync.OnceValue(func() map[frame][]string {
	return map[frame][]string{
		request: {
			"please", "can|could|would|will you please?", "i want|need you to", "i think|guess|suppose|believe|reckon that? you should|can|could|may|might", "i would like|love|want you to", "would you mind",
			"do you think you can|could", "be so kind and", "help me|us to?", "can|could you help me|us to?", "go ahead and", "you can|could|should|may",
			"i was|am wondering if|whether you could|can|would", "i wonder if|whether you could|can|would", "is it|would it be possible for you? to", "any chance you can|could", "would it be possible to", "i would be glad|happy|grateful if you could|would", "i would appreciate it if you could|would?", "kindly", "are you able to", "may i ask you to", "i ask you to", "would you be able|so kind to|as?", "if possible", "if you can|could", "if you do not mind", "be sure to", "feel free to", "try to", "it would be good|great|nice to|if", "can|could we have you",
			"i|we would|should|shall be <pleased>? <pleased>? <pleased> if you would|could|can|were? to?", "would|could|can|will|might you be so|very? kind|good|nice|sweet|lovely as|enough|and? to|and?", "would you care|like to", "might|may|could|can i trouble|bother|ask|beg you to|for?", "i was|am hoping you could|would|might|can", "i hoped you could|would|might",
			"i|we want|wish|prefer|need|would like|love|prefer|wish? that you would|should|could|to?", "i|we would like|love|prefer if|that you would|could|to?", "you might|may want|wish|like|care to", "how about you", "why do not you", "go|come on and", "care to", "fancy", "make sure|certain that? you", "see to it that you", "it would please|delight|suit|help|make|mean me|us? *? *? if|to you would|could|can|were?",
		},
		suggestion: {
			"let us", "shall we", "why do not we", "how about we?", "what if we", "let me", "we could", "we can", "i think|guess|suppose|believe|say|reckon that? we|i should|can|could|may|might", "we should", "time to", "it is time to", "want to",
			"maybe we should|could|can", "i say we", "i was|am wondering if|whether we could|can|should|might", "i wonder if|whether we could|can|should|might", "is it ok|okay|alright|fine|possible if? we|to?", "would it be ok|okay|alright|fine|possible if? we|to?", "any chance we can|could", "do|would you mind if we|i?", "mind if we|i?", "what about", "i suggest|propose|recommend|vote that|for? we?", "my suggestion is to|that we?", "why not", "it is time we", "it might|may|would be good|better|best|nice|wise to|if we?", "maybe|perhaps we?", "we might|may as well", "what do you say we", "how does it sound if we", "we better", "can|could we", "may we",
			"i|we want|wish|wanted|wished|need|would|prefer|propose|suggest|ask|say like|love|prefer|wish|rather|propose|suggest? that we should|could|might?", "i|we would like|love|prefer if we could|would|might?", "i was|am hoping|thinking we|i could|might|would|can", "i hoped we|i could|might|would", "i|we might|may|could as well", "it would be best|better|great|lovely to|if we?", "might we", "i|we would|should|shall be <pleased>? <pleased>? <pleased> if we|i would|could|can|might?", "it is high|about? time we", "it is high|about time to|for?", "we shall|will now|next|then", "i|we shall|will now|next turn|return|proceed|move|go to", "are we able|ready to", "any objection|objections to|if we?", "would|do you object to|if we|i?", "i thought we|i could|might|would", "it would please|delight|suit|help|make me|us? *? *? *? if we|i would|could|can|might?",
		},
		wish: {
			"i|we want|wish|hope to", "i|we would like|love|prefer to", "i|we would much? rather|sooner", "i|we would like|love|prefer us to", "i|we want|need us to", "i|we came|come here|back? to", "IAM here to", "IAM wanting|wishing|longing to|for", "i feel like", "IAM keen|eager|ready|happy to", "IAM up for", "i|we find|feel myself|ourselves|am|are? in the mood to|for", "i|we find|feel myself|ourselves? inclined|tempted|ready|drawn|wanting to?", "IAM in the mood to|for", "IAM inclined|tempted|itching|dying to",
			"i|we have always wanted to", "i|we have always dreamed|dreamt of|about", "i|we dream of|about", "my dream is to", "i|we fancy", "IAM dreaming of|about",
			"i|we would like|love", "we would love to", "i|we need|want|would", "now i|we want to", "what i|we would like|want|need to do? now|next? is to?", "what i|we want|need|prefer now|next|today? is to?", "what i|we would like|love|prefer now|next|today? is to?", "it would be nice|good to", "i|we have always wanted to",
		},
		intention: {
			"IAM thinking of|about", "i|we have been thinking of|about", "IAM planning|hoping|going|about|looking|trying|preparing|aiming to", "IAM planning|considering|contemplating|pondering|on?",
			"i|we plan|intend|aim|mean to", "i|we plan on", "i|we have decided|resolved to", "i|we decided to", "i|we will", "my|our plan|goal|idea|aim|ambition|project|mission is to", "my|the|our next project is to",
			"thinking of|about", "planning to|on", "considering", "IAM toying with the idea of", "i|we have got? an|the idea to|of|for", "i|we have had|been the|an idea to|of|for",
			"IAM", "i|we want|would like to try", "i|we have been", "it is my plan to", "i|we have been thinking|dreaming|planning|considering|hoping|meaning|wanting of|about|on|to?", "i|we have long|always? dreamed|dreamt|thought of|about", "i|we dream of|about", "i|we think of|about", "IAM getting ready to", "i|we have started|begun to?", "IAM working on", "i|we was|were thinking of|about",
			"IAM seriously thinking of|about",
		},
		obligation: {
			"i|we need to", "i|we have to", "i|we must", "i|we have got to", "i|we got to", "i|we ought to", "IAM supposed to", "i|we still need|have to",
			"i|we should", "it is necessary to", "i|we better", "i|we had better", "i|we would better", "we will have|need to", "i will have|need to", "what i|we need|have|must|ought|got to? do now|next? is to?", "my|our|the next task|job|thing|step is to", "i|we also? need|have to",
			"someone|somebody still? also? has|needs to", "someone|somebody must|should also?",
		},
		hoped:      {"i|we wanted|hoped|wished|meant|intended us? to", "i|we was|were hoping|wanting|meaning|hankering to", "i|we had hoped|wanted|meant|wished us? to", "what i|we wanted|meant|hoped to do? was|is to?"},
		permission: {"can|could|may|might i", "am i allowed to", "is it ok|okay|possible to|if", "can|could i get you to"},
	}
})

// unframe strips frames and negation from the body, one after the other: "I
// think we should just not ..." has three.
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
		best, kind := 0, bare
		for k, patterns := range frames() {
			n, ok := language.MatchAny(c.body, patterns...)
			if ok && (n > best || n == best && k > kind) && n < len(c.body) {
				best, kind = n, k
			}
		}
		if best == 0 {
			return
		}
		if c.frame == bare || c.frame == request || c.frame == suggestion && kind != request {
			c.frame = kind
		}
		c.body = skipOpeners(c.body[best:])
	}
}

// forbidding lists the openings that tell kist not to do what follows: what it must
// not, what nobody asked for, what one isn't ready for.
func forbidding() []string {
	return []string{"you|we must|should|shall|may|ought|need|dare not|never to?", "you can|could not|never", "refrain|desist|abstain from", "i|we told|asked|said|begged you? not|never to", "avoid", "you are not|never allowed|supposed|meant|permitted|to to?", "it is not necessary|needed|required|time to", "nobody|noone|no-one said|asked anything? about|for", "do not bother to|with?", "nobody|noone|no-one asked|told|wants|wanted|said you|us? to",
		"no one asked|told|wants|wanted|said you|us? to", "i|we did|do|have not ask|asked|tell|told|want|say|said|mean|request you|us? to", "i|we was|were|am|are not asking|telling|wanting you|us? to", "i|we never asked|told|said|wanted|meant you|us? to", "i|we never asked|said that|for? we? you? should?",
		"IAM not <attending>|<moving>", "IAM not|never yet|quite|really? ready|done|willing|here to?", "i|we would rather|prefer|sooner not to?", "i|we would rather|prefer|sooner we|you? did|do not"}
}

// plainVerb gives the verb behind "how about" and "would you mind" its plain form.
func (c *clause) plainVerb() {
	if len(c.body) == 0 || c.frame != request && c.frame != suggestion && c.frame != permission && !c.negated || c.body[0].Quoted {
		return
	}
	if c.body[0].Norm == "be" && len(c.body) > 1 {
		if _, ok := baseOf(c.body[1].Norm); ok {
			c.body = c.body[1:] // "let us be discussing"
		}
	}
	base, ok := baseOf(c.body[0].Norm)
	if !ok {
		base, ok = presentOf(c.body[0].Norm)
	}
	if ok {
		c.body = slices.Clone(c.body)
		c.body[0].Norm = base
	}
}

// baseOf undoes -ing where that leaves a verb that we know.
func baseOf(w string) (string, bool) {
	root, ok := strings.CutSuffix(w, "ing")
	if !ok || len(root) < 2 {
		return "", false
	}
	for _, base := range []string{root, root + "e", root[:len(root)-1]} {
		if language.Class("<goverb>", base) || language.Class("<talkverb>", base) || language.Class("<verb>", base) || language.Class("<attend>", base) || language.Class("<deleteverb>", base) || language.Class("<mergeverb>", base) || language.Class("<archiveverb>", base) || base == "forget" {
			return base, true
		}
	}
	return "", false
}

// presentOf undoes the past of verbs of attention: "if we did the boat".
func presentOf(w string) (string, bool) {
	switch w {
	case "did":
		return "do", true
	case "went":
		return "go", true
	case "got":
		return "get", true
	case "took":
		return "take", true
	case "came":
		return "come", true
	case "had":
		return "have", true
	case "brought":
		return "bring", true
	case "spoke":
		return "speak", true
	}
	root, ok := strings.CutSuffix(w, "ed")
	for _, base := range []string{root, root + "e"} {
		if ok && language.Class("<attend>", base) {
			return base, true
		}
	}
	return "", false
}
