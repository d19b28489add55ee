package agent

import (
	"strconv"
	"strings"

	"kist/vault"
)

// fileOf cuts the line off a source.
func fileOf(source string) string {
	file, line, ok := cutLast(source, ":")
	if _, err := strconv.Atoi(line); !ok || err != nil {
		return source
	}
	return file
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// shorten cuts a text to n runes.
func shorten(s string, n int) string {
	s = strings.TrimSpace(s)
	if most := 4 * (n + 1); len(s) > most { // n runes and one more, for certain
		s = strings.ToValidUTF8(s[:most], "")
	}
	r := []rune(s)
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}

// gist is what is kept of a turn: what was said, and the first words of the answer.
func gist(past vault.Turn) string {
	said := oneLine(past.User, 120)
	if len(strings.Fields(said)) < 3 {
		return ""
	}
	line := past.At.Format("2 Jan") + ": " + said
	if len(past.Operations) > 0 {
		line += " -> " + oneLine(strings.SplitN(past.Reply, "\n", 2)[0], 120)
	}
	return line
}

func linkType(kind string) string {
	if kind == "task" {
		return "task"
	}
	return "document"
}

func oneLine(s string, n int) string {
	if most := 16 * n; len(s) > most { // far more than n runes need, and some blanks
		s = strings.ToValidUTF8(s[:most], "")
	}
	return shorten(strings.Join(strings.Fields(s), " "), n)
}
