// Package digest keeps the title of a conversation, and its summary: a line for each turn
// that said something, the oldest of which go where it gets too long. A small model may
// write both anew, as far as what it writes holds.
package digest

import (
	"slices"
	"strings"

	"kist/agent/prose"
	"kist/vault/conversation"
)

// maxTitle is how long a title is, in runes.
const maxTitle = 60

// Title is what a conversation is called by its first message that says something; empty: that
// isn't this one.
func Title(message string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if end := strings.IndexAny(first, ".!?"); end > 20 {
		first = first[:end]
	}
	if len(strings.Fields(first)) < 3 {
		return ""
	}
	return prose.OneLine(first, maxTitle)
}

// Add adds the gist of turns, oldest first, to a summary, which stays below limit bytes.
func Add(summary string, past []conversation.Turn, limit int) string {
	var lines []string
	for _, turn := range past {
		if line := gist(turn); line != "" {
			lines = append(lines, line)
		}
	}
	return join(summary, lines, limit)
}

func join(summary string, more []string, limit int) string {
	lines := strings.Split(summary, "\n")
	for _, line := range more {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for len(lines) > 1 && len(strings.Join(lines, "\n")) > limit {
		lines = lines[1:]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// gist is what is kept of a turn: what was said, and the first words of the answer.
func gist(past conversation.Turn) string {
	said := prose.OneLine(past.User, 120)
	if len(strings.Fields(said)) < 3 {
		return ""
	}
	line := past.At.Format("2 Jan") + ": " + said
	if len(past.Operations) > 0 {
		line += " -> " + prose.OneLine(strings.SplitN(past.Reply, "\n", 2)[0], 120)
	}
	return line
}
