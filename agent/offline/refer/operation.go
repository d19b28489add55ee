package refer

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// How an operation's id looks: in Crockford's base 32, its end or all of it.
const (
	shortestID = 6 // see [kist/vault.Vault.Operation]
	shownID    = 8 // of which kist shows so many
	longestID  = 26
	letters32  = "ABCDEFGHJKMNPQRSTVWXYZ"
	digits     = "0123456789"
)

// Operations are the words of src that look like operations' ids, but for what is quoted.
func Operations(src string, toks []language.Token) []string {
	return alike(src, toks, isOperation)
}

// NearlyOperations are the words that may be such ids, and may be others.
func NearlyOperations(src string, toks []language.Token) []string {
	return alike(src, toks, nearlyOperation)
}

// alike are the words that look like ids, but for what is quoted.
func alike(src string, toks []language.Token, looks func(string) bool) []string {
	var out []string
	for _, t := range toks {
		if word := src[t.Start:t.End]; t.Word && !t.Quoted && looks(word) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// isOperation: a word looks like an operation's id, and like nothing else.
func isOperation(word string) bool {
	if len(word) < shortestID || len(word) > longestID || strings.Trim(word, letters32+digits) != "" {
		return false
	}
	return len(word) == longestID || strings.ContainsAny(word, digits) && strings.ContainsAny(word, letters32)
}

// nearlyOperation: a word may be an id in small letters, one that lacks a digit or some
// characters, or all digits. It is looked for, so that nothing else is taken back instead.
func nearlyOperation(word string) bool {
	upper := strings.ToUpper(word)
	if strings.Trim(upper, letters32+digits) != "" {
		return false
	}
	if strings.ContainsAny(word, digits) {
		return len(word) >= shortestID-1
	}
	return len(word) == shownID && word == upper
}
