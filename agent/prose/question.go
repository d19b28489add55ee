package prose

import "strings"

// maxQuestion bounds a question, in characters: of a longer one the end is kept.
const maxQuestion = 500

// Question is the question that a reply ends in; empty: none. What kist has added behind it, in
// lines between brackets, is no part of it.
func Question(reply string) string {
	reply = strings.TrimSpace(reply)
	for strings.HasSuffix(reply, ")") {
		before, last := reply[:strings.LastIndexByte(reply, '\n')+1], reply[strings.LastIndexByte(reply, '\n')+1:]
		if !strings.HasPrefix(last, "(") {
			break
		}
		reply = strings.TrimSpace(before)
	}
	last := strings.TrimSpace(reply[strings.LastIndexByte(reply, '\n')+1:])
	if !strings.HasSuffix(last, "?") {
		return ""
	}
	if r := []rune(last); len(r) > maxQuestion {
		last = string(r[len(r)-maxQuestion:])
	}
	return last
}
