package words

import "regexp"

// Sentences cuts a text behind what ends one, with the blanks that follow.
func Sentences(text string) (list []string) {
	at := 0
	for _, w := range end.FindAllStringIndex(text, -1) {
		list, at = append(list, text[at:w[1]]), w[1]
	}
	if at < len(text) {
		list = append(list, text[at:])
	}
	return list
}

var end = regexp.MustCompile(`[.!?]+\s+|。`)
