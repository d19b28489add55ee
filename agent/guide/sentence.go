package guide

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
)

const (
	maxSentences = 400
	longSentence = 28 // words: beyond this, people have usually changed the subject in mid-sentence
	shortPart    = 5  // words that a part of a long sentence needs to stand alone
)

var (
	bullet = language.Pattern(`^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+|#+\s+|>\s+)`)
	joint  = language.Pattern(`(?i)(?:,\s+(?:and|but|so|also|plus)\s+|\s+-+\s+|\s+–\s+|\s+—\s+|;\s+|\s+and\s+(?:then|also|i|we|my|our|the|there|it)\s|\s+but\s|\s+so\s+(?:we|i|that)\s)`)
)

// Sentences cuts a text into sentences, each one a verbatim part of it. Lines and list
// items are sentences. None is left out but what has no word in it.
func Sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line[len(bullet().FindString(line)):])
		for line != "" {
			n := sentenceEnd(line)
			if s := strings.TrimSpace(line[:n]); strings.IndexFunc(s, language.IsWordRune) >= 0 {
				out = append(out, s)
			}
			line = strings.TrimSpace(line[n:])
		}
	}
	return out
}

// sentences is Sentences to be weighed: a very long one is cut where a new clause
// begins, and no more is read of a text than bears on it.
func sentences(text string) []string {
	var out []string
	for _, s := range Sentences(clip(text)) {
		if len(out) >= maxSentences {
			break
		}
		out = append(out, parts(s)...)
	}
	return out
}

// clip bounds a text at a whole character.
func clip(text string) string {
	if len(text) <= maxBytes {
		return text
	}
	n := maxBytes
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// sentenceEnd finds the end of the first sentence of a line.
func sentenceEnd(line string) int {
	for i, r := range line {
		if r != '.' && r != '!' && r != '?' && r != '…' {
			continue
		}
		end := i + utf8.RuneLen(r)
		rest := line[end:]
		closing := len(rest) - len(strings.TrimLeft(rest, `.!?…"'”’)`))
		end, rest = end+closing, rest[closing:]
		if rest == "" {
			return len(line)
		}
		if !unicode.IsSpace(rune(rest[0])) || r == '.' && closing == 0 && !language.EndsSentence(line, i) {
			continue
		}
		return end
	}
	return len(line)
}

// parts cuts a run-on sentence at its joints; short pieces stay with the one before.
func parts(s string) []string {
	if len(strings.Fields(s)) <= longSentence {
		return []string{s}
	}
	var out []string
	start := 0
	for _, at := range joint().FindAllStringIndex(s, -1) {
		if len(strings.Fields(s[start:at[0]])) >= shortPart && len(strings.Fields(s[at[0]:])) >= shortPart {
			out = append(out, strings.TrimSpace(s[start:at[0]]))
			start = at[0]
			start += len(s[start:]) - len(strings.TrimLeft(s[start:], " ,;-–—"))
		}
	}
	return append(out, strings.TrimSpace(s[start:]))
}
