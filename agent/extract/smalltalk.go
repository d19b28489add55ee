package extract

import (
	"slices"
	"strings"
	"unicode"
)

// SmallTalk returns a message without what asks how kist itself is, "how are you, anyway?",
// "are you there?"; empty where only courtesies are left. false: nothing asks that.
func SmallTalk(text string) (rest string, ok bool) {
	var left []string
	told := false
	for _, s := range Sentences(text) {
		if asksAfter(s.Text) {
			ok = true
			continue
		}
		left, told = append(left, s.Text), told || s.Kind != Courtesy
	}
	if !ok || !told {
		return "", ok
	}
	return strings.Join(left, " "), true
}

// asksAfter: a question to kist in which nothing is named but the time and how one is. Its
// words are taken as they were written, for the small ones of another language.
func asksAfter(s string) bool {
	if !strings.HasSuffix(strings.TrimSpace(s), "?") {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	return len(words) < 12 && all(words, "<toyou>", "<small>") && slices.ContainsFunc(words, func(w string) bool { return is("<toyou>", w) })
}
