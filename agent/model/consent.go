package model

import (
	"slices"
	"strings"
	"unicode"
)

// Consent is what a message says to proposals that wait.
type Consent int

// The kinds of consent.
const (
	NoConsent Consent = iota // the message is about something else
	Yes                      // agrees, but only to what was just asked: "yes", "sure"
	Go                       // tells kist to act: "go", "build it", "yes, do that"
	No                       // declines: "no", "cancel that"
)

// ConsentOf reads a whole message as an answer to proposals. It is fixed in
// code, and the same for every model, because it decides whether something
// runs. A message that says anything beside the answer is not consent: "go"
// is, "go to the shop", "don't do it" and "go over the budget with me" aren't.
func ConsentOf(text string) Consent {
	if len(text) > 80 || strings.ContainsAny(text, "?\"") {
		return NoConsent
	}
	words := consentWords(text)
	if len(words) == 0 {
		return NoConsent
	}
	agreed, declined, thanked, vague := false, false, false, 0
	var rest []string
	for _, w := range words {
		thanked = thanked || w == "thanks"
		if w == "ok" || w == "okay" {
			vague++
		}
		switch {
		case slices.Contains(yesWords(), w):
			agreed = true
		case slices.Contains(noWords(), w):
			declined = true
		case !slices.Contains(politeWords(), w):
			rest = append(rest, w)
		}
	}
	said := strings.Join(rest, " ")
	switch {
	case slices.Contains(stopPhrases(), said):
		return No
	case declined && agreed, thanked && len(words) == 1+vague && said == "" && !declined:
		return NoConsent // "ok, thanks" may only be polite
	case declined && said == "":
		return No
	case declined && slices.Contains(goPhrases(), said):
		return No // "no, don't do it"
	case declined:
		return NoConsent
	case said == "" && slices.ContainsFunc(words, func(w string) bool { return w == "course" || w == "means" }):
		return Yes // "of course", "by all means"
	case said == "" && agreed, slices.Contains(agreePhrases(), said):
		return Yes
	case slices.Contains(goPhrases(), said), said == "do" && slices.Contains(words, "please"), said == "may" && slices.Contains(words, "you"):
		return Go // also "yes please do" and "you may"; "May" alone is a month
	}
	return NoConsent
}

func consentWords(text string) []string {
	text = strings.NewReplacer("’", "'", "don't", "not", "do not", "not").Replace(strings.ToLower(text))
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func yesWords() []string {
	return []string{"yes", "yeah", "yep", "yup", "ok", "okay", "sure", "aye", "absolutely", "certainly", "definitely", "agreed", "approved"}
}

func noWords() []string {
	return []string{"no", "nope", "nah", "not", "never"}
}

func politeWords() []string {
	return []string{"please", "now", "then", "just", "so", "all", "kist", "thanks", "thank", "you", "well", "great", "perfect", "and", "of", "course", "by", "means", "both", "let's", "lets"}
}

func goPhrases() []string {
	return []string{"go", "go ahead", "go on", "go for it", "build it", "build that", "build them", "execute", "execute it", "execute that", "execute them",
		"do it", "do that", "do this", "do them", "do so", "make it so", "make it happen", "proceed", "run it", "run them", "apply", "apply it", "apply them", "apply that",
		"ship it", "approve", "approve it", "approve them", "approve that", "carry on", "carry it out", "start building"}
}

func agreePhrases() []string {
	return []string{"sounds good", "looks good", "sounds good to me", "looks good to me", "good idea", "that sounds good", "that looks good", "that is fine", "that's fine", "fine", "fine with me", "fine me", "correct", "that's right", "exactly"}
}

func stopPhrases() []string {
	return []string{"cancel", "cancel it", "cancel that", "cancel them", "reject", "reject it", "reject that", "reject them", "forget it", "mind", "drop it", "drop that",
		"leave it", "stop", "discard", "discard it", "discard them", "rather not", "scrap that", "scrap it"}
}
