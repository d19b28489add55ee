package filing

import (
	"fmt"
	"strconv"
	"strings"
)

// keepWord begins the reason of every operation that files sentences.
const keepWord = "keep "

// list quotes sentences one behind the other.
func list(sentences []string) string {
	var quotes []string
	for _, s := range sentences {
		quotes = append(quotes, quoted(s, 400))
	}
	return strings.Join(quotes, ", ")
}

// keeping is the label of an operation that files sentences. It counts them, and quotes
// as many as one can take in.
func (t *Turn) keeping(lost []string, project string) string {
	where := "the inbox"
	if p, ok := t.Named(project); ok {
		where += " of " + short(p.Name, 60)
	}
	if len(lost) == 1 {
		return keepWord + quoted(lost[0], 120) + " in " + where
	}
	label := keepWord + "these " + counted(len(lost)) + " sentences in " + where + ": " + quoted(lost[0], 60)
	switch len(lost) {
	case 2:
		return label + " and " + quoted(lost[1], 60)
	case 3:
		return label + ", " + quoted(lost[1], 40) + " and one more"
	}
	return label + ", " + quoted(lost[1], 40) + " and " + counted(len(lost)-2) + " more"
}

// counted is a number as it is said.
func counted(n int) string {
	if words := strings.Fields("no one two three four five six seven eight nine ten"); n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

func quoted(sentence string, n int) string {
	return "“" + short(strings.TrimRight(sentence, "."), n) + "”"
}

// filed says where sentences are, and if it isn't the project at hand.
func filed(lost []string, path string, away bool) string {
	path = "`" + path + "`"
	if away {
		path += ", outside of any project"
	}
	if len(lost) == 1 {
		return "Noted, word for word, in " + path + "."
	}
	return fmt.Sprintf("Noted: %s sentences, word for word, in %s.", counted(len(lost)), path)
}

// short is a text on one line, of n runes at most.
func short(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
