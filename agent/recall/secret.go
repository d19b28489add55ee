package recall

import (
	"kist/agent/language"
	"strings"
	"unicode"
)

// Refusal is what somebody hears who told a secret.
const Refusal = "That looks like a secret. I keep none: a password manager is the place for it."

// IsSecret reports whether a text gives a secret away: a password, a key, the number of a
// card. One that only speaks of such things ("tokens live for 15 minutes now") doesn't.
func IsSecret(text string) bool {
	if given().MatchString(text) {
		return true
	}
	for _, m := range valued().FindAllStringSubmatch(text, -1) {
		value := strings.Trim(m[1], `"'“”.,;!?`)
		if len(value) >= 4 && strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return true
		}
	}
	return false
}

const (
	secretWords = `pass ?words?|passwort|passcodes?|pass ?phrases?|pin(?: code| number)?|api[ -]?keys?|access[ -]?keys?|secret(?:s| keys?)?|private keys?|(?:access |auth |bearer |session )?tokens?|credit card|card number|cvv|iban|ssn|social security|login|credentials?|recovery code|seed phrase|2fa|otp`
	// passWords are those of them whose value may be any word, and may follow at once.
	passWords = `pass ?words?|passwort|passcodes?|pass ?phrases?|pin(?: code| number)?|card number|cvv|iban|ssn`
	keyForms  = `\bsk-\w{6,}|\bgh[pousr]_\w{8,}|\bAKIA\w{8,}|\bxox[bap]-\w+|-----BEGIN|\b\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}\b`
)

var (
	// valued: one of the words is given a value: "the token for the wiki is x81-2f".
	valued = language.Pattern(`(?i)\b(?:` + secretWords + `)\b` + ofWhat + isWhat + `(\S+)`)
	given  = language.Pattern(`(?i)` + keyForms + `|\b(?:` + passWords + `)\b` + ofWhat + isWhat + `\S+["'“”]?(?:[.,;!?)]|\s*$)|\b(?:` + passWords + `)\b` + ofWhat + `\s\S*\d{3}`)
)

const (
	ofWhat = `(?:\s+(?:for|of|to|on|from)\s+[^.,;:=!?]{1,40}?)?`
	isWhat = `\s*(?:\s(?:is|was|ist|lautet)\s|=|:)\s*["'“]?`
)
